// The moves of a game and its variations, as a tree of buttons.

import { byId, make, shorten } from "./dom.js";

function moveButton(game, entry, node, go) {
  const text = entry.move === null ? "in secret" : shorten(entry.move, 24);
  const button = make("button", {
    type: "button", title: `${entry.move ?? ""}${entry.agent ? `, by ${entry.agent}` : ""}`, "data-node": node,
    onclick: () => go(node),
  }, make("i", {}, `${entry.ply + 1} `), text);
  if (entry.seat !== null) button.style.setProperty("--seat", game.colours[entry.seat % game.colours.length]);
  return button;
}

// A variation from its first move on: what follows stands in the same line, other tries below.
function variation(game, children, first, go) {
  const item = make("li");
  const lower = make("ul");
  for (let node = first; node !== undefined; ) {
    item.append(moveButton(game, game.nodes.get(node), node, go), " ");
    const [next, ...others] = children.get(node) ?? [];
    lower.append(...others.map((other) => variation(game, children, other, go)));
    node = next;
  }
  if (lower.children.length) item.append(lower);
  return item;
}

export function drawTree(game, go) {
  const tree = byId("tree");
  const children = new Map();
  for (const [node, { parent }] of game.nodes) {
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(node);
  }
  // Made again only when it has changed: a game may have hundreds of moves.
  const made = JSON.stringify([...game.nodes.keys(), game.log.length]);
  if (tree.dataset.made !== made) {
    tree.dataset.made = made;
    const parts = [];
    for (let ply = 0; ply <= game.plies; ply += 1) {
      if (ply < game.plies) parts.push(moveButton(game, game.log[ply], ply + 1, go), " ");
      // What was tried instead of a move stands below it.
      const tried = children.get(ply) ?? [];
      if (tried.length) parts.push(make("ul", {}, ...tried.map((node) => variation(game, children, node, go))));
    }
    tree.replaceChildren(...parts);
  }
  for (const button of tree.querySelectorAll("[data-node]")) {
    if (Number(button.dataset.node) === game.node) {
      button.setAttribute("aria-current", "step");
      tree.scrollTop = button.offsetTop - tree.clientHeight / 2;
    } else button.removeAttribute("aria-current");
  }
}
