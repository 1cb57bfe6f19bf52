// The board of a page with its controls: the chosen move and its parts, zoom, and layers.

import { Board } from "./board.js";
import { byId, make } from "./dom.js";

// `onPlay` gets a move; `onChoice` is told whether anything is chosen.
export function boardWithControls(onPlay, onChoice) {
  const board = new Board(byId("board"), {
    onPlay,
    onChoose(text, legal, next) {
      onChoice(text !== null);
      byId("chosen").textContent = text ?? "";
      byId("go").disabled = !legal;
      byId("parts").hidden = next.length === 0;
      byId("parts").replaceChildren(
        ...next.map((part) =>
          make("button", { type: "button", onclick: () => board.pressPart(part) }, part)),
      );
    },
    onFit(wider, close) {
      byId("zoom").hidden = !wider;
      byId("zoom").textContent = close ? "Whole board" : "Closer";
      byId("zoom").setAttribute("aria-pressed", String(close));
    },
    onLayers(names, shown) {
      byId("layers").replaceChildren(
        ...names.map((name, k) => make("button", {
          id: `layer-${k}`, type: "button", "aria-pressed": String(shown.has(name)),
          onclick: () => {
            board.toggleLayer(name);
            byId(`layer-${k}`).focus();
          },
        }, name)),
      );
    },
  });
  byId("go").addEventListener("click", () => board.play());
  byId("clear").addEventListener("click", () => board.clear());
  byId("zoom").addEventListener("click", () => board.approach(!board.close));
  return board;
}
