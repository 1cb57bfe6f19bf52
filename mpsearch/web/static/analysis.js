// The analysis board: any position of a game, moves that are tried there, and what searches find.

import { boardWithControls } from "./board_controls.js";
import { byId, make, shorten } from "./dom.js";
import { connectPage, lastDecision, onTypedMove, sorry, status } from "./page.js";
import { meter, score, showMatrix, showWhoDecided, showWhy, valuesOf } from "./panels.js";
import { chip, stanceText, who } from "./players.js";
import { drawGraph, markPosition } from "./graph.js";
import { showTab } from "./tabs.js";
import { drawTree } from "./tree.js";

// How many plies agents go on by themselves.
const ON = 60;
const game = {
  agents: [], names: [], you: null, colours: [], evaluator: "", log: [], plies: 0,
  // Who moves in each seat here, the positions beside the game, and the one that is shown.
  seated: [], nodes: new Map(), node: 0, frame: null,
};
let asked = null;
let engineOn = false;
let running = false;
let whyOf = null;
let whyNode = null;
let matrixOf = null;
// The child that was left last by a step back, by position.
const wayBack = new Map();

const board = boardWithControls(attempt, (chosen) => {
  byId("choice").hidden = !chosen;
});

const handlers = {
  hello(message) {
    const { agents, names, you, colours, evaluator, log, plies } = message;
    Object.assign(game, { agents, names, you, colours, evaluator, log, plies, may: message.try, choices: message.choices, hidden: message.hidden });
    byId("title").textContent = `${message.variant}: analysis`;
    document.title = `Analysis of ${message.game} – mpsearch`;
    byId("typed").hidden = byId("one").hidden = byId("on").hidden = !game.may;
    byId("whose").hidden = message.all;
    byId("whose").textContent = `You see what seat ${you} knows. Variations begin in a world that fits it: the others' cards are guesses.`;
    const start = Number(new URLSearchParams(location.hash.slice(1)).get("ply") ?? 0);
    look(Math.min(Math.max(start || 0, 0), plies));
    link.send({ type: "graph" });
  },

  tree(message) {
    game.nodes = new Map(message.nodes.map((node) => [node.node, node]));
    const before = game.seated.join();
    game.seated = message.agents;
    const tried = message.nodes.length;
    byId("kept").textContent = !tried ? "" : message.saved
      ? "Variations are saved in the record's file."
      : "Variations are lost when the server stops; download the record to keep them.";
    if (!exists(game.node)) look(game.plies);
    if (before && before !== game.seated.join()) think();
    refresh();
  },

  went(message) {
    look(message.node);
  },

  frame(message) {
    if (asked !== null && message.node !== asked) return;
    asked = null;
    game.node = message.node;
    game.frame = message;
    board.show(message, message.moves);
    byId("legal").replaceChildren(...message.moves.slice(0, 400).map((move) => make("option", { value: move })));
    sorry("");
    showLines(null);
    refresh();
    think();
  },

  lines(message) {
    if (message.node === game.node && engineOn) showLines(message);
  },

  thinking(message) {
    if (message.node === game.node && engineOn) byId("thinking").textContent = message.text;
  },

  why(message) {
    if (message.node !== whyNode) return;
    showWhy(message, game, () => {});
    showTab();
  },

  graph(message) {
    drawGraph(message, go);
    markPosition(branch(game.node));
  },

  // Agents have gone on as far as they should, or could.
  ended() {
    stopped();
    if (asked === null) think();
  },

  sorry(message) {
    stopped();
    sorry(message.text);
  },
};

const link = connectPage(location.search, handlers, {
  refused,
  onState() {
    asked = null;
  },
});

// Whether a position is still there.
const exists = (node) => node <= game.plies || game.nodes.has(node);
const parentOf = (node) => (node <= game.plies ? node - 1 : game.nodes.get(node).parent);

// The position of the game at which the way to a position leaves it.
function branch(node) {
  while (node > game.plies && game.nodes.has(node)) node = parentOf(node);
  return node;
}

// The plies from the start to a position, each as the record has it, with its position.
function path(node) {
  const found = [];
  for (let at = node; at > game.plies && game.nodes.has(at); at = parentOf(at)) found.unshift({ ...game.nodes.get(at), node: at });
  return [...game.log.slice(0, branch(node)).map((entry) => ({ ...entry, node: entry.ply + 1 })), ...found];
}

function childrenOf(node) {
  const tried = [...game.nodes.values()].filter((entry) => entry.parent === node).map((entry) => entry.node);
  return node < game.plies ? [node + 1, ...tried] : tried;
}

function look(node) {
  asked = node;
  link.send({ type: "look", node });
}

// Step to a position, which ends whatever is being played on.
function go(node) {
  if (node === null || !exists(node) || node < 0) return;
  if (running) stop();
  look(node);
}

function back() {
  if (game.node === 0) return;
  wayBack.set(parentOf(game.node), game.node);
  go(parentOf(game.node));
}

function onwards() {
  const children = childrenOf(game.node);
  const last = wayBack.get(game.node);
  go(children.includes(last) ? last : (children[0] ?? null));
}

// To another move in the place of the last one.
function aside(by) {
  if (game.node === 0) return;
  const siblings = childrenOf(parentOf(game.node));
  go(siblings[siblings.indexOf(game.node) + by] ?? null);
}

function lineEnd() {
  let node = game.node;
  for (let next = childrenOf(node)[0]; next !== undefined; next = childrenOf(node)[0]) node = next;
  go(node);
}

function attempt(move) {
  sorry("");
  link.send({ type: "try", node: game.node, move });
}

function goOn(plies) {
  sorry("");
  running = true;
  byId("stop").hidden = false;
  link.send({ type: "go_on", node: game.node, plies });
}

function stopped() {
  running = false;
  byId("stop").hidden = true;
}

function stop() {
  link.send({ type: "stop" });
  stopped();
}

function preview(move) {
  board.preview(move);
}

// Let the engine search what is shown, if it is to.
function think() {
  if (!engineOn || running) return;
  byId("thinking").textContent = "";
  if (game.frame?.mover === null) showLines(null);
  else link.send({ type: "think", node: game.node });
}

function showLines(message) {
  byId("said").hidden = !message;
  byId("sampled").hidden = !message || !game.hidden;
  if (!message) {
    byId("lines").replaceChildren();
    byId("found").textContent = engineOn && game.frame?.mover === null ? "No player is to move here." : "";
    if (!engineOn) byId("found").textContent = "Shows the best lines, searching deeper and deeper.";
    byId("thinking").textContent = "";
    return;
  }
  const worlds = message.worlds > 1 ? `, ${message.worlds} worlds` : "";
  byId("found").textContent =
    `${shortName(message.agent)} for ${who(game, message.seat)}, ${stanceText(message, game)}: ` +
    `depth ${message.depth}, ${message.nodes.toLocaleString("en")} nodes${worlds}; values by ${message.evaluator}`;
  byId("lines").replaceChildren(...message.lines.map(({ line: [move, ...rest], value, exact }) => {
    const item = make("li", { onmouseenter: () => preview(move), onmouseleave: () => preview(null) },
      make("span", { class: "rest" },
        make("button", { type: "button", title: move, onclick: () => attempt(move), disabled: !game.may }, shorten(move, 60)),
        ` ${rest.map((text) => shorten(text, 20)).join(" ")}`),
      make("span", { class: "values" }, exact ? "" : "≤", ...valuesOf(value, game.colours)));
    return item;
  }));
  byId("thinking").textContent = "searching deeper …";
  byId("said").querySelector("div").replaceChildren(...message.words.map((text) => make("p", { class: "words" }, text)));
}

// An agent's name, and against whom it is directed or how it is set.
function shortName(text) {
  const [name, ...rest] = text.split(":");
  const keys = rest.join(":").split(",").filter((key) => /^(target|td|to|with|stance)=/.test(key));
  const target = keys.find((key) => key.startsWith("target="));
  if (target && /\d$/.test(target)) return `${name} against seat ${target.slice(7)}`;
  return keys.length ? `${name} (${keys.join(", ")})` : name;
}

function showLineUp() {
  const { frame, seated, choices, colours } = game;
  byId("values-of").textContent = frame?.values
    ? `Bars: what the position is worth to each seat, by the evaluator ${game.evaluator}. The agents chosen here play on, and search for the engine.`
    : "";
  byId("line-up").replaceChildren(...seated.map((text, seat) => {
    const known = [...new Set([...choices, text])].filter((choice) => !choice.includes(`target=${seat}`));
    const names = known.map(shortName);
    const select = make("select", { "aria-label": `Agent of seat ${seat}`, title: text },
      ...known.map((choice, k) => make("option", { value: choice, selected: choice === text, title: choice },
        names.filter((name) => name === names[k]).length > 1 ? shorten(choice, 44) : names[k])));
    select.onchange = () => link.send({ type: "seat", seat, agent: select.value });
    const item = make("li", { "data-seat": seat }, chip(seat, colours), select);
    item.style.setProperty("--seat", colours[seat % colours.length]);
    if (frame?.mover === seat) item.append(make("span", { class: "turn" }, "▶ to move"));
    if (frame?.payoff) {
      const won = frame.winners.includes(seat) ? "★ wins, " : "";
      item.append(make("span", { class: "turn" }, `${won}score ${score(frame.payoff[seat])}`));
    }
    if (frame?.values) item.append(meter(seat, frame.values[seat]));
    return item;
  }));
  const which = byId("which");
  if (which.options.length !== seated.length) {
    which.replaceChildren(...seated.map((_, seat) => make("option", { value: seat }, `${seat}`)));
  }
}

function refresh() {
  const { node, frame } = game;
  if (!frame || !exists(node)) return;
  const line = path(node);
  const last = line.at(-1);
  const tried = node > game.plies;
  showLineUp();
  drawTree(game, go);
  markPosition(branch(node));
  byId("first").disabled = byId("back").disabled = node === 0;
  byId("next").disabled = byId("last").disabled = childrenOf(node).length === 0;
  byId("one").disabled = byId("on").disabled = frame.over;
  byId("one").textContent = frame.chance ? "Dice or cards" : "Agent moves";
  byId("remove").hidden = !tried || !game.may;
  byId("record").href = `${location.pathname.replace(/\/analysis$/, "")}/record`;
  byId("to-table").href = location.pathname.replace(/\/analysis$/, "");
  showMatrix({ ...game, log: line, shown: line.length }, matrixOf, (seat) => {
    matrixOf = seat;
    refresh();
  });
  askWhy(line);
  showTab();
  const played = last ? `${who(game, last.seat)}: ${shorten(last.move ?? "a secret move")}. ` : "";
  const place = tried ? `Variation, ply ${line.length}, from ply ${branch(node)} of ${game.plies}.` : `Ply ${node} of ${game.plies}.`;
  const next = frame.over ? " The game is over here." : frame.chance ? " Dice or cards come next."
    : ` ${who(game, frame.mover)} is to move.`;
  status(`${played}${place}${next}`);
  document.body.dataset.node = node;
  document.body.dataset.tried = tried;
}

// Ask for the last decision on the way here, dice and deals left aside.
function askWhy(line) {
  const { seats, of, entry } = lastDecision(line, whyOf);
  whyOf = of;
  const wanted = entry?.node ?? null;
  showWhoDecided(seats, whyOf, game, (seat) => {
    whyOf = seat;
    askWhy(line);
  });
  if (wanted === whyNode && wanted !== null) return;
  showWhy(null, game);
  whyNode = wanted;
  if (wanted !== null) link.send({ type: "why", node: wanted });
}

// A game with hidden cards that goes on is analysed for a seat.
function refused(reason) {
  const seats = /choose a seat, 0 to (\d+)/.exec(reason);
  if (!seats) return;
  byId("whose").hidden = false;
  byId("whose").replaceChildren("Analyse for seat ", ...[...Array(Number(seats[1]) + 1).keys()].map((seat) =>
    make("a", { class: "button", href: `?seat=${seat}` }, `${seat}`)));
}

onTypedMove(attempt);
byId("seat-agent").addEventListener("submit", (event) => {
  event.preventDefault();
  const agent = byId("agent").value.trim();
  if (agent) link.send({ type: "seat", seat: Number(byId("which").value), agent });
});
byId("think").addEventListener("click", () => {
  engineOn = !engineOn;
  byId("think").setAttribute("aria-pressed", String(engineOn));
  byId("think").textContent = engineOn ? "Searching" : "Search";
  if (!engineOn) stop();
  showLines(null);
  think();
});
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", back);
byId("next").addEventListener("click", onwards);
byId("last").addEventListener("click", lineEnd);
byId("one").addEventListener("click", () => goOn(1));
byId("on").addEventListener("click", () => goOn(ON));
byId("stop").addEventListener("click", stop);
byId("remove").addEventListener("click", () => {
  const node = game.node;
  look(parentOf(node));
  link.send({ type: "remove", node });
});
const KEYS = { ArrowLeft: back, ArrowRight: onwards, ArrowUp: () => aside(-1), ArrowDown: () => aside(1), Home: () => go(0), End: lineEnd };
addEventListener("keydown", (event) => {
  const busy = event.target.closest?.("input, select, textarea, summary, [data-move], [data-part]");
  if (busy || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
showLines(null);
