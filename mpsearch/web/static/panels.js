// What is beside the board: seats with stances and values, the matrix, advice, reasons.

import { byId, make, shorten } from "./dom.js";
import { chip, stanceText, who } from "./players.js";

// What a seat got, as people write it.
export const score = (number) => number.toFixed(number === Math.round(number) ? 0 : 2).replace("-", "−");

// An entry of a matrix in as few characters as possible: phones show up to six columns.
const care = (number) => {
  const text = number.toFixed(2).replace("-", "−");
  return /^−?0\.00$/.test(text) ? "0" : text.replace(/\.00$/, "").replace("0.", ".");
};

// What a position is worth to a seat, as a bar and a number.
export function meter(seat, value) {
  const fill = make("span");
  fill.style.width = `${Math.max(0, Math.min(100, value))}%`;
  const bar = make("span", {
    class: "meter", role: "meter", "aria-label": `value for seat ${seat}`,
    "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": value,
  }, fill);
  return make("span", { class: "worth" }, bar, value.toFixed(1));
}

const heads = (agents, colours) =>
  agents.map((_, seat) => make("th", { scope: "col" }, chip(seat, colours)));

export function showSeats(table, { mover, winners, payoff, open }) {
  const { agents, names, evaluator, you, colours, log, shown, worth } = table;
  const latest = agents.map((_, seat) => log.slice(0, shown).findLast((e) => e.seat === seat));
  const bars = worth ? `Bars: what the position is worth to each seat, by the evaluator ${evaluator}. ` : "";
  const later = open ? "" : "Agents' values are shown after the game: they would give cards away.";
  byId("values-of").textContent = bars + later;
  byId("seats").replaceChildren(
    ...agents.map((text, seat) => {
      const person = text === "human";
      const name = seat === you ? "you" : person ? "a person" : names[seat];
      const item = make("li", { "data-seat": seat }, chip(seat, colours),
        make("span", { class: "agent", title: person ? null : text }, name));
      item.style.setProperty("--seat", colours[seat % colours.length]);
      if (seat === mover) item.append(make("span", { class: "turn" }, "▶ to move"));
      if (winners?.includes(seat)) item.append(make("span", { class: "turn" }, "★ wins"));
      if (payoff) item.append(make("span", { class: "quiet" }, `score ${score(payoff[seat])}`));
      const stance = stanceText(latest[seat], table);
      if (stance) item.append(make("span", { class: "stance" }, stance));
      if (worth) item.append(meter(seat, worth[seat]));
      return item;
    }),
  );
}

// The matrix that a seat searched with last, as a heat map with its numbers in it.
export function showMatrix(table, wanted, choose) {
  const { agents, colours, log, shown } = table;
  const panel = byId("matrix");
  const past = log.slice(0, shown).filter((entry) => entry.matrix);
  const seats = [...new Set(past.map((entry) => entry.seat))].sort();
  panel.hidden = seats.length === 0;
  if (panel.hidden) return;
  const seat = seats.includes(wanted) ? wanted : past.at(-1).seat;
  const entry = past.findLast((e) => e.seat === seat);
  const select = panel.querySelector("select");
  select.replaceChildren(
    make("option", { value: "", selected: !seats.includes(wanted) }, "the seat that moved last"),
    ...seats.map((s) =>
      make("option", { value: s, selected: s === wanted }, who(table, s)),
    ),
  );
  select.onchange = () => choose(select.value === "" ? null : Number(select.value));
  const head = make("tr", {}, make("td"), ...heads(agents, colours));
  // Only a row's direction matters: each is shown as parts of its greatest entry.
  const plain = (row) => {
    const most = Math.max(...row.map(Math.abs));
    return most > 1e-6 ? row.map((entry) => entry / most) : row;
  };
  const rows = entry.matrix.map(plain).map((row, i) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, chip(i, colours)),
      ...row.map((entry) => {
        const cell = make("td", { class: "care", title: `${entry}` }, care(entry));
        // The square root, so that small entries can be seen, too.
        const shade = Math.sqrt(Math.min(1, Math.abs(entry)));
        cell.style.setProperty("--care", `${Math.round(100 * shade)}%`);
        cell.classList.add(entry < 0 ? "against" : "for");
        return cell;
      }),
    ),
  );
  const caption = make("caption", {}, `${who(table, seat)}, ${stanceText(entry, table)}`);
  panel.querySelector("table").replaceChildren(caption, head, ...rows);
}

// Values by seat, each beside its seat's number.
export const valuesOf = (vector, colours) =>
  vector.map((value, seat) => make("span", { class: "value" }, chip(seat, colours), value.toFixed(1)));

// Whoever points at a row of moves sees the move on the board.
const previews = (move, preview) => ({
  onmouseenter: () => preview(move),
  onfocusin: () => preview(move),
  onmouseleave: () => preview(null),
  onfocusout: () => preview(null),
});

// What each adviser would play, a line each; below them why, for the one that is pointed at.
export function showAdvice(message, table, play, preview) {
  byId("no-advice").hidden = Boolean(message);
  const place = byId("advice").querySelector("div");
  if (!message) {
    place.replaceChildren();
    return;
  }
  const { colours, evaluator } = table;
  const said = make("p", { class: "quiet said" });
  const explain = (entry) => {
    const line = entry.line?.length > 1 ? [`It expects ${entry.line.slice(0, 5).join(" ")}.`] : [];
    said.textContent = [...(entry.words ?? []), ...line].join(" ");
  };
  const row = (entry) => {
    const name = entry.agent.split(":")[0];
    const stance = stanceText(entry, table);
    const point = (move) => {
      if (move !== null) explain(entry);
      preview(move);
    };
    return make(
      "p",
      { class: "hint", ...previews(entry.move, point) },
      make("b", { title: entry.agent }, name),
      stance === name ? " would play " : ` as ${stance} would play `,
      make("button", { type: "button", "data-move": entry.move, onclick: () => play(entry.move) }, shorten(entry.move, 60)),
      make("span", { class: "values", title: "what it expects for each seat" },
        ...(entry.value ? valuesOf(entry.value, colours) : [])),
    );
  };
  explain(message.advice[0]);
  place.replaceChildren(
    ...message.advice.map(row),
    said,
    make("p", { class: "quiet" }, `Values by the evaluator ${evaluator}, like the bars.`),
  );
}

// Choose whose last decision is explained: the last of all, or that of one seat.
export function showWhoDecided(seats, chosen, table, choose) {
  const group = byId("why-of");
  const press = (seat, label, ...children) =>
    make("button", {
      type: "button", "aria-pressed": String(seat === chosen), "aria-label": label, title: label,
      onclick: () => choose(seat),
    }, ...children);
  group.hidden = seats.length < 2;
  group.replaceChildren(
    press(null, "explain the last decision", "last"),
    ...seats.map((seat) =>
      press(seat, `seat ${seat}: explain the last decision`, chip(seat, table.colours))),
  );
}

// `glance` shows a move in the position of the decision; null ends that.
export function showWhy(message, table, glance) {
  const { agents, colours, evaluator } = table;
  const panel = byId("why");
  panel.hidden = !message;
  if (!message) return;
  const parts = [
    make("p", {}, make("b", {}, message.move ?? "a secret move"), ` by ${who(table, message.seat)}`),
    ...message.words.map((sentence) => make("p", { class: "words" }, sentence)),
  ];
  if (!message.stance) parts.push(make("p", { class: "quiet" }, "This move was made without a search."));
  const numbers = [];
  if (message.stance) {
    numbers.push(
      make(
        "p",
        {},
        `${stanceText(message, table)}; ${message.nodes} nodes, depth ${message.depth}`,
        make("span", { class: "values", title: "what it expects for each seat" },
          ...(message.value ? valuesOf(message.value, colours) : [])),
      ),
    );
  }
  if (message.moves.length) {
    const head = make("tr", {}, make("th", { scope: "col" }, "move"), ...heads(agents, colours));
    const rows = message.moves.map((entry) =>
      make("tr", { class: entry.move === message.move ? "made" : "", ...previews(entry.move, glance) },
        make("th", { scope: "row" }, make("button", {
          type: "button", title: "show it on the board", onclick: () => glance(entry.move),
        }, shorten(entry.move, 22))),
        ...entry.value.map((v) => make("td", {}, `${entry.exact ? "" : "≤"}${v.toFixed(1)}`))),
    );
    const scale = message.evaluator === evaluator ? `${evaluator}, like the bars` : `${message.evaluator}, its own`;
    const caption = `What moves were worth to each seat, by the evaluator ${scale}`;
    numbers.push(make("table", {}, make("caption", {}, caption), head, ...rows));
    if (message.line.length > 1) {
      numbers.push(make("p", { class: "quiet" }, `expected: ${message.line.slice(0, 8).join(" ")}`));
    }
  }
  if (numbers.length) {
    const open = panel.querySelector("details")?.open ?? false;
    parts.push(make("details", { open }, make("summary", {}, "The numbers"), ...numbers));
  }
  byId("why-words").replaceChildren(...parts);
}
