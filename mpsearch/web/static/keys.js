// Keyboard shortcuts, except in fields and lists that use the keys themselves.

import { byId, make } from "./dom.js";

// Each key stands for a button; what cannot be pressed now does nothing.
const KEYS = [
  ["ArrowLeft", "←", "back", "one step back"],
  ["ArrowRight", "→", "next", "one step forward"],
  ["Home", "Home", "first", "to the start"],
  ["End", "End", "last", "to the latest position"],
  ["h", "H", "hint", "a hint"],
  ["u", "U", "undo", "take back your last move"],
  ["r", "R", "run", "run through the moves, or stop"],
  ["l", "L", "layer-0", "lines on the board, such as shortest paths"],
  ["?", "?", "help", "these keys"],
];
const OTHERS = [
  ["Tab", "to the board and to everything else"],
  ["arrows, Enter", "on the board: from mark to mark, and play"],
  ["Escape", "clear the choice"],
];
const OWN = "input, select, textarea, [role=tab], [contenteditable]";

export function listenToKeys() {
  const row = (key, text) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)];
  byId("keys").querySelector("dl").append(
    ...KEYS.flatMap(([, shown, , text]) => row(shown, text)),
    ...OTHERS.flatMap(([shown, text]) => row(shown, text)),
  );
  byId("help").addEventListener("click", () => byId("keys").showModal());
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.(OWN) || byId("keys").open) return;
    const found = KEYS.find(([key]) => key.toLowerCase() === event.key.toLowerCase());
    const button = found && byId(found[2]);
    if (!button || button.disabled || button.closest("[hidden]")) return;
    event.preventDefault();
    button.click();
  });
}
