// What is beside the board: seats with stances and values, the matrix, advice, moves.

import { byId, make, shorten } from "./dom.js";

// What a seat got, as people write it.
export const score = (number) => number.toFixed(number === Math.round(number) ? 0 : 2).replace("-", "−");

// How much somebody cares, in as few signs as possible: tables may have six columns on a phone.
const care = (number) => {
  const text = number.toFixed(2).replace("-", "−");
  return /^−?0\.00$/.test(text) ? "0" : text.replace(/\.00$/, "").replace("0.", ".");
};

// A seat's number in its colour.
export function chip(seat, colours) {
  const mark = make("span", { class: "chip" }, `${seat}`);
  mark.style.setProperty("--seat", colours[seat % colours.length]);
  return mark;
}

const heads = (agents, colours) =>
  agents.map((_, seat) => make("th", { scope: "col" }, chip(seat, colours)));

// An agent's name, and under it what it was told beyond its name.
function nameOf(text) {
  const [name, ...rest] = text.split(":");
  const more = rest.join(":").replaceAll(",", ", ");
  return [make("span", { class: "agent" }, name), make("span", { class: "quiet keys" }, more)];
}

export function who(agents, seat, you) {
  if (seat === null) return "chance";
  if (seat === you) return `you (seat ${seat})`;
  return agents[seat] === "human" ? `seat ${seat}` : `seat ${seat} (${agents[seat].split(":")[0]})`;
}

export function stanceText(entry) {
  if (!entry?.stance) return "";
  const at = entry.target === undefined || entry.target === null ? "" : ` → seat ${entry.target}`;
  return `${entry.stance}${at}`;
}

export function showSeats({ agents, evaluator, you, colours, mover, log, shown, worth, winners, payoff, open }) {
  const latest = agents.map((_, seat) => log.slice(0, shown).findLast((e) => e.seat === seat));
  const bars = worth ? `Bars: what the position is worth to each seat, by the evaluator ${evaluator}. ` : "";
  const later = open ? "" : "What agents think is shown after the game: it gives cards away.";
  byId("values-of").textContent = bars + later;
  byId("seats").replaceChildren(
    ...agents.map((text, seat) => {
      const name = seat === you ? "you" : text === "human" ? "a person" : text;
      const [agent, keys] = nameOf(name);
      const item = make("li", { "data-seat": seat }, chip(seat, colours), agent);
      item.style.setProperty("--seat", colours[seat % colours.length]);
      if (seat === mover) item.append(make("span", { class: "turn" }, "▶ to move"));
      if (winners?.includes(seat)) item.append(make("span", { class: "turn" }, "★ wins"));
      if (payoff) item.append(make("span", { class: "quiet" }, `score ${score(payoff[seat])}`));
      const stance = stanceText(latest[seat]);
      if (stance) item.append(make("span", { class: "stance" }, stance));
      item.append(keys);
      if (worth) {
        const bar = make("span", {
          class: "bar",
          role: "meter",
          "aria-label": `value for seat ${seat}`,
          "aria-valuemin": 0,
          "aria-valuemax": 100,
          "aria-valuenow": worth[seat],
        });
        const fill = make("span");
        fill.style.width = `${Math.max(0, Math.min(100, worth[seat]))}%`;
        bar.append(fill);
        item.append(make("span", { class: "worth" }, bar, worth[seat].toFixed(1)));
      }
      return item;
    }),
  );
}

// The matrix that a seat searched with last, as a heat map with its numbers in it.
export function showMatrix({ agents, you, colours, log, shown }, wanted, choose) {
  const panel = byId("matrix");
  const past = log.slice(0, shown).filter((entry) => entry.matrix);
  const seats = [...new Set(past.map((entry) => entry.seat))].sort();
  panel.hidden = seats.length === 0;
  if (panel.hidden) return;
  const seat = seats.includes(wanted) ? wanted : past.at(-1).seat;
  const entry = past.findLast((e) => e.seat === seat);
  const select = panel.querySelector("select");
  select.replaceChildren(
    make("option", { value: "", selected: !seats.includes(wanted) }, "whoever moved last"),
    ...seats.map((s) =>
      make("option", { value: s, selected: s === wanted }, who(agents, s, you)),
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
        // By the root of it: what is little is to be seen, too.
        const shade = Math.sqrt(Math.min(1, Math.abs(entry)));
        cell.style.setProperty("--care", `${Math.round(100 * shade)}%`);
        cell.classList.add(entry < 0 ? "against" : "for");
        return cell;
      }),
    ),
  );
  const caption = make("caption", {}, `${who(agents, seat, you)}, ${stanceText(entry)}`);
  panel.querySelector("table").replaceChildren(caption, head, ...rows);
}

// What a mark of the record says about the move it comes before.
const MARKS = {
  undo: "after taking back",
  hint: "after a hint",
  hurry: "hurried",
  resume: "after a break",
  seated: "others sit down",
  resign: "gave up; an agent plays on",
  takeover: "an agent plays on",
};

function markText(marks, ply) {
  const words = marks.filter((entry) => entry.ply === ply).map((entry) => MARKS[entry.mark]);
  return [...new Set(words)].filter(Boolean).join(", ");
}

export function showLog({ agents, you, colours, log, marks, shown }, go) {
  const list = byId("log");
  for (const entry of log.slice(list.children.length)) {
    const move = entry.move === null ? "in secret" : shorten(entry.move);
    const told = entry.seat === null && entry.remark ? [make("i", {}, entry.remark)] : [
      make("b", {}, move),
      ` ${who(agents, entry.seat, you)} `,
      make("i", {}, [stanceText(entry), entry.remark].filter(Boolean).join("; ")),
      make("span", { class: "mark" }, markText(marks, entry.ply)),
    ];
    const button = make(
      "button",
      { type: "button", title: entry.move ?? "", onclick: () => go(entry.ply + 1) },
      make("span", {}, `${entry.ply + 1}`),
      make("span", {}, ...told),
    );
    const item = make("li", {}, button);
    if (entry.seat !== null) item.style.setProperty("--seat", colours[entry.seat % colours.length]);
    list.append(item);
  }
  for (const [k, item] of [...list.children].entries()) {
    if (k === shown - 1) {
      item.firstChild.setAttribute("aria-current", "step");
      list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    } else item.firstChild.removeAttribute("aria-current");
  }
}

// Values by seat, each beside its seat's number.
const valuesOf = (vector, colours) =>
  vector.map((value, seat) => make("span", { class: "value" }, chip(seat, colours), value.toFixed(1)));

// Whoever points at a row of moves sees the move on the board.
const previews = (move, preview) => ({
  onmouseenter: () => preview(move),
  onfocusin: () => preview(move),
  onmouseleave: () => preview(null),
  onfocusout: () => preview(null),
});

export function showAdvice(message, { colours, evaluator } = {}, play, preview) {
  byId("no-advice").hidden = Boolean(message);
  const panel = byId("advice");
  if (!message) {
    panel.querySelector("div").replaceChildren();
    return;
  }
  panel.querySelector("div").replaceChildren(
    ...message.advice.map((entry) => {
      const name = entry.agent.split(":")[0];
      const more = [
        stanceText(entry) === name ? "" : `as ${stanceText(entry)}`,
        entry.line?.length > 1 ? `then ${entry.line.slice(1, 5).join(" ")}` : "",
      ];
      return make(
        "p",
        { class: "hint", ...previews(entry.move, preview) },
        make("b", { title: entry.agent }, name),
        ` would play `,
        make("button", { type: "button", "data-move": entry.move, onclick: () => play(entry.move) }, shorten(entry.move)),
        make("span", { class: "quiet" }, more.filter(Boolean).map((text) => ` ${text}`).join(",")),
        make("span", { class: "values", title: "what it expects for each seat" },
          ...(entry.value ? valuesOf(entry.value, colours) : [])),
        make("span", { class: "quiet said" }, (entry.words ?? []).join(" ")),
      );
    }),
    make("p", { class: "quiet" }, `Values by the evaluator ${evaluator}, like the bars.`),
  );
}

// Whose last decision is explained: the last of all, or that of one seat.
export function showWhoDecided(seats, chosen, { agents, you, colours }, choose) {
  const group = byId("why-of");
  const press = (seat, label, ...children) =>
    make("button", {
      type: "button", "aria-pressed": String(seat === chosen), "aria-label": label, title: label,
      onclick: () => choose(seat),
    }, ...children);
  group.hidden = seats.length < 2;
  group.replaceChildren(
    press(null, "why the last decision", "last"),
    ...seats.map((seat) =>
      press(seat, `why ${who(agents, seat, you)} moved as it did`, chip(seat, colours))),
  );
}

export function showWhy(message, { agents, you, colours, evaluator }, preview) {
  const panel = byId("why");
  panel.hidden = !message;
  if (!message) return;
  const parts = [
    make("p", {}, make("b", {}, message.move ?? "in secret"), ` by ${who(agents, message.seat, you)}`),
    ...message.words.map((sentence) => make("p", { class: "words" }, sentence)),
  ];
  if (!message.stance) parts.push(make("p", { class: "quiet" }, "No search stands behind this move."));
  const numbers = [];
  if (message.stance) {
    numbers.push(
      make(
        "p",
        {},
        `${stanceText(message)}; ${message.nodes} nodes, depth ${message.depth}`,
        make("span", { class: "values", title: "what it expects for each seat" },
          ...(message.value ? valuesOf(message.value, colours) : [])),
      ),
    );
  }
  if (message.moves.length) {
    const head = make("tr", {}, make("th", { scope: "col" }, "move"), ...heads(agents, colours));
    const rows = message.moves.map((entry) =>
      make("tr", { class: entry.move === message.move ? "made" : "", ...previews(entry.move, preview) },
        make("th", { scope: "row" }, shorten(entry.move, 22)),
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
