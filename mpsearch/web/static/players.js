// Who sits where: names, colours, stances.

import { make } from "./dom.js";

// A seat's number in its colour.
export function chip(seat, colours) {
  const mark = make("span", { class: "chip" }, `${seat}`);
  mark.style.setProperty("--seat", colours[seat % colours.length]);
  return mark;
}

// A seat in a sentence: "you (seat 0)", "Ada (seat 2)", and a person whose name nobody knows.
export function who({ agents, names, you }, seat) {
  if (seat === null) return "chance";
  if (seat === you) return `you (seat ${seat})`;
  return agents[seat] === "human" ? `seat ${seat}` : `${names[seat].split(" ")[0]} (seat ${seat})`;
}

export function stanceText(entry) {
  if (!entry?.stance) return "";
  const at = entry.target === undefined || entry.target === null ? "" : ` → seat ${entry.target}`;
  return `${entry.stance}${at}`;
}
