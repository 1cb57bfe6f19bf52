// Who sits where: names, colours, stances.

import { make } from "./dom.js";

// A seat's number in its colour.
export function chip(seat, colours) {
  const mark = make("span", { class: "chip" }, `${seat}`);
  mark.style.setProperty("--seat", colours[seat % colours.length]);
  return mark;
}

// A seat by name: "you", "Ada", or by its number if another person holds it.
const nameOf = ({ agents, names, you }, seat) =>
  seat === you ? "you" : agents[seat] === "human" ? `seat ${seat}` : names[seat].split(" ")[0];

// The same with its number: "you (seat 0)", "Ada (seat 2)", "seat 1".
export function who(table, seat) {
  if (seat === null) return "chance";
  const name = nameOf(table, seat);
  return name === `seat ${seat}` ? name : `${name} (seat ${seat})`;
}

export function stanceText(entry, table) {
  if (!entry?.stance) return "";
  return entry.stance + ((entry.target ?? null) === null ? "" : ` → ${nameOf(table, entry.target)}`);
}
