// The values over a game: a drawing of the server's, in which positions can be chosen.

import { byId, make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

// The drawing of a text, which leads to positions: a mark to its own, any other place to the nearest.
export function graphOf(text, go) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  svg.setAttribute("role", "group");
  svg.addEventListener("click", (event) => {
    const marked = event.target.closest("[data-position]");
    if (marked) go(Number(marked.dataset.position));
    else if (svg.dataset.last) go(positionAt(svg, event));
  });
  for (const mark of svg.querySelectorAll("[data-position]")) {
    // The page counts moves from 1, as in its list of them.
    for (const label of mark.querySelectorAll("text")) label.textContent = mark.dataset.position;
    const title = mark.querySelector("title");
    title.textContent = title.textContent.replace(/^ply \d+/, `move ${mark.dataset.position}`);
    mark.setAttribute("role", "button");
    mark.setAttribute("tabindex", "0");
    mark.setAttribute("aria-label", title.textContent);
    mark.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go(Number(mark.dataset.position));
    });
  }
  return svg;
}

export function drawGraph({ svg, told }, go) {
  byId("drawn").replaceChildren(graphOf(svg, go));
  const line = (text) => {
    const [, ply, rest] = /^ply (\d+):(.*)$/.exec(text) ?? [null, null, text];
    if (ply === null) return make("li", {}, rest);
    const step = make("button", { type: "button", onclick: () => go(Number(ply) + 1) }, `move ${Number(ply) + 1}`);
    return make("li", {}, step, ` ${rest}`);
  };
  byId("points").replaceChildren(...told.flatMap(({ title, lines }) =>
    [make("h3", {}, title), make("ul", {}, ...lines.map(line))]));
  byId("points").parentElement.hidden = told.length === 0;
}

// The position that is nearest to where somebody points.
function positionAt(svg, event) {
  const { left, right, last } = svg.dataset;
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width;
  const part = (x - Number(left)) / (Number(right) - Number(left));
  return Math.round(Math.min(1, Math.max(0, part)) * Number(last));
}

// Mark the position that is shown, or at which the variation that is shown begins.
export function markPosition(node) {
  const svg = byId("drawn").querySelector("svg");
  if (!svg?.dataset.last) return;
  svg.querySelector(".cursor")?.remove();
  const { left, right, last } = svg.dataset;
  const x = Number(left) + ((Number(right) - Number(left)) * Math.min(node, last)) / Number(last);
  const line = document.createElementNS(SVG, "line");
  for (const [key, value] of Object.entries({ class: "cursor", x1: x, x2: x, y1: 34, y2: svg.viewBox.baseVal.height - 52 })) {
    line.setAttribute(key, value);
  }
  svg.append(line);
}
