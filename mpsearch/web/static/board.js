// The board: a game's own SVG, in which whatever carries `data-move` or `data-part` can be chosen.
// Nothing here knows any game. docs/reference/drawings.md describes the marks.

import { moveFrom, placesIn } from "./motion.js";

const SVG = "http://www.w3.org/2000/svg";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Text in a drawing should not get smaller than this part of its size. A board that is too wide for
// that is shown whole and without small print, its parts drawn larger; where a part is chosen one
// looks closer, at this part of its size, and can move about.
const LEAST_SCALE = 0.6;
const CLOSE_SCALE = 0.95;
// How large parts are then, in pixels of the screen instead of the drawing.
const PART_SCALE = 0.72;

export class Board {
  // onPlay(move) makes a move; onChoose(text, legal, next) tells what is chosen but not yet played
  // and which parts can follow; onFit(wider, close) tells whether the board is wider than its place
  // and looked at closely; onLayers(names, shown) tells what can be shown on request.
  constructor(element, { onPlay, onChoose, onFit, onLayers }) {
    this.element = element;
    this.onPlay = onPlay;
    this.onChoose = onChoose;
    this.onFit = onFit;
    this.onLayers = onLayers;
    this.layers = new Set();
    this.close = false;
    this.box = null;
    this.path = [];
    this.chosen = null;
    element.addEventListener("click", (event) => this.press(event.target, event));
    element.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.scale());
  }

  // Whether a first click only chooses and a second one plays: fingers cannot hover.
  get asks() {
    return matchMedia("(hover: none)").matches;
  }

  show(frame, moves) {
    const focused = this.element.contains(document.activeElement);
    const spot = focused ? this.name(markAt(document.activeElement)) : null;
    this.moves = new Set(frame.marked ? moves : []);
    this.path = [];
    this.chosen = null;
    if (frame.svg !== null) this.draw(frame.svg);
    else this.write(frame.text);
    this.mark();
    if (focused && this.marks.length) {
      handleOf(this.marks.find((mark) => this.name(mark) === spot) ?? this.marks[0]).focus();
    }
    this.tell();
  }

  draw(text) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const svg = document.importNode(parsed, true);
    this.box = svg.viewBox?.baseVal;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    if (this.box?.width) {
      svg.style.aspectRatio = `${this.box.width} / ${this.box.height}`;
      this.element.closest("main").style.setProperty("--wide", this.box.width / this.box.height);
    }
    const before = placesIn(this.svg);
    this.svg = svg;
    this.close = false;
    this.element.replaceChildren(svg);
    this.scale();
    this.showLayers();
    moveFrom(before, svg);
  }

  // What a drawing shows only on request, by name.
  showLayers() {
    const layers = [...(this.svg?.querySelectorAll("[data-layer]") ?? [])];
    for (const layer of layers) {
      layer.setAttribute("display", this.layers.has(layer.dataset.layer) ? "inline" : "none");
    }
    this.onLayers([...new Set(layers.map((layer) => layer.dataset.layer))], this.layers);
  }

  toggleLayer(name) {
    if (!this.layers.delete(name)) this.layers.add(name);
    this.showLayers();
  }

  // Boards are as wide as their place; looked at closely, as wide as can be read.
  scale() {
    const wide = this.svg ? (this.box?.width ?? 0) : 0;
    const wider = LEAST_SCALE * wide > this.element.clientWidth;
    const close = wider && this.close;
    this.element.classList.toggle("overview", wider && !close);
    this.element.classList.toggle("close", close);
    const whole = Math.max(1, (PART_SCALE * wide) / (this.element.clientWidth || wide || 1));
    this.element.style.setProperty("--larger", wider && !close ? whole.toFixed(2) : "1");
    if (this.svg) this.svg.style.minWidth = close ? `${Math.round(CLOSE_SCALE * wide)}px` : "";
    this.onFit(wider, close);
  }

  // Look closely, at the marks in question if there are any, or at the whole board.
  approach(on, marks = this.marks.filter((mark) => mark.classList.contains("possible"))) {
    this.close = on;
    this.scale();
    if (on && marks.length) this.centre(marks);
  }

  write(text) {
    this.svg = null;
    this.scale();
    this.showLayers();
    const pre = document.createElement("pre");
    pre.textContent = text ?? "The cards are hidden from who watches until the game is over.";
    this.element.replaceChildren(pre);
  }

  mark() {
    this.join = this.svg?.dataset.join ?? "";
    this.marks = [...this.element.querySelectorAll("[data-move], [data-part]")];
    for (const mark of this.marks) {
      const handle = handleOf(mark);
      handle.setAttribute("role", "button");
      handle.setAttribute("tabindex", "-1");
      handle.setAttribute("aria-label", mark.dataset.label ?? this.name(mark));
      // Said once: by its name, and not by what is written on it.
      for (const text of mark.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
    }
    this.light();
  }

  name(mark) {
    return mark?.dataset?.move ?? mark?.dataset?.part ?? null;
  }

  // The parts that can come next: some legal move goes on with them.
  possible(mark) {
    if (mark.dataset.move !== undefined) return this.moves.has(mark.dataset.move);
    return this.extends([...this.path, mark.dataset.part]);
  }

  extends(path) {
    const text = path.join(this.join);
    if (this.moves.has(text)) return true;
    for (const move of this.moves) if (move.startsWith(text + this.join)) return true;
    return false;
  }

  light() {
    for (const mark of this.marks) {
      const name = this.name(mark);
      const chosen = name === this.chosen || this.path.includes(mark.dataset.part);
      mark.classList.toggle("possible", this.possible(mark));
      mark.classList.toggle("chosen", chosen);
      if (chosen) handleOf(mark).setAttribute("aria-pressed", "true");
      else handleOf(mark).removeAttribute("aria-pressed");
    }
    const first = this.marks.find((mark) => mark.classList.contains("possible")) ?? this.marks[0];
    if (first && !this.marks.some((mark) => handleOf(mark).getAttribute("tabindex") === "0")) {
      handleOf(first).setAttribute("tabindex", "0");
    }
    this.drawPath();
  }

  // Show a move that might be made, or none: its mark as if it was pointed at, or the path it takes.
  preview(move) {
    for (const mark of this.marks ?? []) {
      mark.classList.toggle("hinted", move !== null && mark.dataset.move === move);
    }
    this.svg?.querySelector(".hinted-path")?.remove();
    if (move === null || !this.svg) return;
    const path = this.partsOf(move);
    for (const mark of this.marks) {
      if (path.includes(mark.dataset.part)) mark.classList.add("hinted");
    }
    if (path.length > 1) this.drawArrows(path, "hinted-path");
  }

  // The parts that a move's text is made of, if the drawing has them all.
  partsOf(move) {
    if (!this.join) return [];
    const parts = move.split(this.join);
    return parts.every((part) => this.find(part)) ? parts : [];
  }

  press(target, event) {
    const mark = markAt(target);
    if (!mark || !this.element.contains(mark)) return;
    event.preventDefault();
    if (mark.dataset.move !== undefined) this.pressMove(mark.dataset.move);
    else this.pressPart(mark.dataset.part);
  }

  pressMove(move) {
    if (this.asks && this.chosen !== move) {
      this.chosen = move;
      this.light();
      this.tell();
    } else {
      this.onPlay(move);
    }
  }

  // A path grows with each part that fits; the last part once more plays it; an earlier one
  // cuts it back; any other part begins anew.
  pressPart(part) {
    const at = this.path.indexOf(part);
    if (at >= 0 && at === this.path.length - 1 && this.legal) {
      this.onPlay(this.text);
      return;
    }
    if (at >= 0) this.path = this.path.slice(0, at + 1);
    else if (this.extends([...this.path, part])) this.path.push(part);
    else this.path = this.extends([part]) ? [part] : [];
    this.light();
    this.tell();
    // A wide board is looked at where something was chosen: the part, and what can come next.
    const there = this.path.length ? this.find(part) : null;
    if (!this.path.length) this.approach(false);
    else if (there) this.approach(true, [there, ...this.marks.filter((m) => this.possible(m))]);
  }

  find(part) {
    return this.marks.find((mark) => mark.dataset.part === part);
  }

  // Scroll so that the first of some marks is seen, and of the others as many as fit with it.
  centre([first, ...others]) {
    const frame = this.element;
    const edges = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    const near = [first, ...others].map((mark) => mark.getBoundingClientRect());
    for (const box of near) {
      const left = Math.min(edges.left, box.left);
      const right = Math.max(edges.right, box.right);
      const top = Math.min(edges.top, box.top);
      const bottom = Math.max(edges.bottom, box.bottom);
      if (right - left > frame.clientWidth || bottom - top > frame.clientHeight) continue;
      Object.assign(edges, { left, right, top, bottom });
    }
    const here = middle(frame);
    frame.scrollBy({
      left: (edges.left + edges.right) / 2 - here.x,
      top: (edges.top + edges.bottom) / 2 - here.y,
    });
  }

  // The parts that can come next, in the order of the drawing.
  get next() {
    const parts = this.marks.filter((mark) => mark.dataset.part !== undefined && this.possible(mark));
    return [...new Set(parts.map((mark) => mark.dataset.part))];
  }

  get text() {
    return this.path.length ? this.path.join(this.join) : this.chosen;
  }

  get legal() {
    return this.text !== null && this.moves.has(this.text);
  }

  play() {
    if (this.legal) this.onPlay(this.text);
  }

  clear() {
    this.path = [];
    this.chosen = null;
    this.light();
    this.tell();
    this.approach(false);
  }

  tell() {
    this.onChoose(this.text, this.legal, this.next);
  }

  key(event) {
    const mark = markAt(event.target);
    if (event.key === "Escape") this.clear();
    if (!mark) return;
    if (event.key === "Enter" || event.key === " ") {
      this.press(mark, event);
    } else if (event.key in ARROWS) {
      event.preventDefault();
      const next = this.nearest(mark, ARROWS[event.key]);
      if (next) handleOf(next).focus();
    }
    const handles = this.marks.map(handleOf);
    for (const handle of handles) {
      handle.setAttribute("tabindex", handle === document.activeElement ? "0" : "-1");
    }
    if (!handles.includes(document.activeElement)) this.light();
  }

  // The closest mark in a direction; what lies aside counts twice.
  nearest(from, [dx, dy]) {
    const start = middle(from);
    let best = null;
    let least = Infinity;
    for (const mark of this.marks) {
      if (mark === from || !mark.classList.contains("possible")) continue;
      const there = middle(mark);
      const along = (there.x - start.x) * dx + (there.y - start.y) * dy;
      const aside = Math.abs((there.x - start.x) * dy) + Math.abs((there.y - start.y) * dx);
      if (along > 1 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = mark;
      }
    }
    return best;
  }

  // Arrows along the chosen path, from the first shape of each part to the next.
  drawPath() {
    this.svg?.querySelector(".chosen-path")?.remove();
    if (!this.svg || this.path.length < 2) return;
    this.drawArrows(this.path, "chosen-path");
  }

  drawArrows(path, name) {
    const places = path.map((part) => this.place(part));
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", name);
    for (let k = 1; k < places.length; k += 1) {
      const [a, b] = [places[k - 1], places[k]];
      group.append(arrow(a, b));
    }
    this.svg.append(group);
  }

  place(part) {
    return placeOf(this.find(part).firstElementChild);
  }
}

// The mark that an element belongs to, and the shape of a mark that has the focus and its name. It is
// not the mark itself: what is written on a button would have to be part of its name.
const markAt = (element) => element?.closest?.("[data-move], [data-part]") ?? null;
const handleOf = (mark) => mark.firstElementChild ?? mark;

// An arrow from the edge of one place to that of another.
function arrow(a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const tip = { x: b.x - ux * (b.r + 3), y: b.y - uy * (b.r + 3) };
  const line = document.createElementNS(SVG, "path");
  const [wx, wy] = [tip.x - 9 * ux, tip.y - 9 * uy];
  line.setAttribute(
    "d",
    `M${a.x + ux * a.r} ${a.y + uy * a.r}L${tip.x} ${tip.y}` +
      `M${wx - 6 * uy} ${wy + 6 * ux}L${tip.x} ${tip.y}L${wx + 6 * uy} ${wy - 6 * ux}`,
  );
  return line;
}

// Where something in the drawing is, and how large.
function placeOf(element) {
  const box = element.getBBox();
  return {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    r: Math.min(box.width, box.height) / 2,
  };
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
