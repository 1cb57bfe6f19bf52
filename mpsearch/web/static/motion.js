// Motion: a piece that is in two drawings moves from its place in the first to that in the second.
// It is only shown: positions, marks and clicks are those of the second drawing from the start.

const MILLISECONDS = 260;

const wanted = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

// Where everything with a name is in a drawing, in units of the drawing.
export function placesIn(svg) {
  const places = new Map();
  for (const element of svg?.querySelectorAll("[data-piece], [data-home]") ?? []) {
    const { x, y, width, height } = element.getBBox();
    const { piece, home } = element.dataset;
    if (width + height > 0) places.set(piece ?? `home ${home}`, { x: x + width / 2, y: y + height / 2 });
  }
  return places;
}

export function moveFrom(before, svg) {
  if (!before.size || !wanted()) return;
  const after = placesIn(svg);
  for (const element of svg.querySelectorAll("[data-piece]")) {
    const { piece, from } = element.dataset;
    // What can be clicked stays where it is.
    if (element.closest("[data-move], [data-part]") || !after.has(piece)) continue;
    const there = after.get(piece);
    const here = before.get(piece) ?? before.get(`home ${from}`);
    if (!here) {
      element.animate({ opacity: [0, 1] }, MILLISECONDS);
    } else if (Math.hypot(here.x - there.x, here.y - there.y) > 1) {
      const start = `translate(${here.x - there.x}px, ${here.y - there.y}px)`;
      element.animate({ transform: [start, "none"] }, { duration: MILLISECONDS, easing: "ease-out" });
    }
  }
}
