// The list of moves, under the part of the game that each belongs to.

import { byId, make, shorten } from "./dom.js";
import { stanceText, who } from "./players.js";

// What a mark of the record says about the move it comes before.
const MARKS = {
  undo: "after an undo",
  hint: "after a hint",
  hurry: "hurried",
  resume: "after a break",
  seated: "other players",
  resign: "resigned; an agent plays on",
  takeover: "an agent plays on",
};

function markText(marks, ply) {
  const words = marks.filter((entry) => entry.ply === ply).map((entry) => MARKS[entry.mark]);
  return [...new Set(words)].filter(Boolean).join(", ");
}

// The part of the game that each move belongs to: the game's own stage, or rounds in which nobody
// moves twice.
function partsOf(log) {
  let round = 1;
  const moved = new Set();
  return log.map(({ seat, stage }) => {
    if (stage) return stage;
    if (moved.has(seat)) {
      round += 1;
      moved.clear();
    }
    if (seat !== null) moved.add(seat);
    return `round ${round}`;
  });
}

function item(entry, table, go) {
  const move = entry.move === null ? "secret move" : shorten(entry.move);
  const told = entry.seat === null && entry.remark ? [make("i", {}, entry.remark)] : [
    make("b", {}, move),
    ` ${who(table, entry.seat)} `,
    make("i", {}, [stanceText(entry, table), entry.remark].filter(Boolean).join("; ")),
    make("span", { class: "mark" }, markText(table.marks, entry.ply)),
  ];
  const made = make("li", {}, make(
    "button",
    { type: "button", title: entry.move ?? "", onclick: () => go(entry.ply + 1) },
    make("span", {}, `${entry.ply + 1}`),
    make("span", {}, ...told),
  ));
  if (entry.seat !== null) made.style.setProperty("--seat", table.colours[entry.seat % table.colours.length]);
  return made;
}

export function showLog(table, go) {
  const list = byId("log");
  const parts = partsOf(table.log);
  for (const entry of table.log.slice(list.querySelectorAll("li").length)) {
    const part = parts[entry.ply];
    if (list.lastElementChild?.dataset.stage !== part) {
      list.append(make("section", { "data-stage": part, "aria-label": part }, make("h3", {}, part), make("ol")));
    }
    list.lastElementChild.querySelector("ol").append(item(entry, table, go));
  }
  for (const [k, made] of [...list.querySelectorAll("li")].entries()) {
    if (k === table.shown - 1) {
      made.firstChild.setAttribute("aria-current", "step");
      list.scrollTop = made.offsetTop - list.clientHeight / 2;
    } else made.firstChild.removeAttribute("aria-current");
  }
}
