// How a game ended: the result in words, the scores, what can come next, and the review.

import { byId, make } from "./dom.js";
import { graphOf } from "./graph.js";
import { score } from "./panels.js";
import { chip, who } from "./players.js";
import { placeOf, ranking } from "./ranking.js";

export function resultText(table) {
  const { you, now } = table;
  const named = (seats) => seats.map((seat) => who(table, seat)).join(" and ");
  if (!now.winners.length) return "Nobody won: all are equal.";
  if (now.winners.includes(you)) {
    const others = now.winners.filter((seat) => seat !== you);
    return others.length ? `You won, together with ${named(others)}.` : "You won!";
  }
  const listed = named(now.winners);
  const won = `${listed[0].toUpperCase()}${listed.slice(1)} won`;
  const place = you === null ? null : placeOf(now.payoff, you);
  return place === null ? `${won}.` : `${won}; you came ${place}.`;
}

export function showEnding(table, shown) {
  const panel = byId("ending");
  const ended = shown && table.now.over;
  const before = panel.hidden;
  panel.hidden = !ended;
  if (!ended || !before) return;
  const { you, colours, now } = table;
  byId("result").textContent = resultText(table);
  const gave = table.marks.filter((entry) => ["resign", "takeover"].includes(entry.mark));
  byId("left").textContent = [...new Set(gave.map((entry) => entry.seat))]
    .map((seat) => `An agent played on for ${who(table, seat)}.`).join(" ");
  byId("scores").replaceChildren(
    make("caption", {}, "Scores"),
    make("tr", {}, ...["place", "player", "score"].map((text) => make("th", { scope: "col" }, text))),
    ...ranking(now.payoff).map(({ seat, place }) =>
      make("tr", { class: now.winners.includes(seat) ? "made" : "" },
        make("td", {}, `${place + 1}`),
        make("th", { scope: "row" }, chip(seat, colours), ` ${seat === you ? "you" : who(table, seat)}`),
        make("td", {}, score(now.payoff[seat])))),
  );
  byId("rematch").hidden = !table.playing;
}

// Links to the analysis board, at the position that is shown.
export function showAnalysisLinks(may, ply) {
  for (const link of document.querySelectorAll("a.analyse")) {
    link.hidden = !may;
    link.href = `${location.pathname}/analysis#ply=${ply}`;
  }
}

// The address of one's seat at a table like this one, with other cards and dice.
export async function rematch() {
  const answer = await fetch(`${location.pathname}/rematch`, { method: "POST" });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found.table;
}

// The review, in which every decision leads to its ply.
export async function showReview(go) {
  const panel = byId("review");
  panel.hidden = false;
  const say = (...parts) => byId("reviewed").replaceChildren(...parts);
  say(make("p", { class: "quiet" }, "Every decision is searched again; this may take half a minute …"));
  panel.scrollIntoView({ block: "nearest" });
  const answer = await fetch(`${location.pathname}/review`);
  const found = await answer.json();
  if (!answer.ok) {
    say(make("p", {}, found.error));
    return;
  }
  // The page counts moves from 1, a record its plies from 0.
  const step = (ply) => make("button", { type: "button", onclick: () => go(Number(ply) + 1) }, `${Number(ply) + 1}`);
  const [seats, decisions] = found.tables;
  const grid = (table, cell) => make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": table.title },
    make("table", {}, make("caption", {}, table.title),
      make("tr", {}, ...table.head.map((text) => make("th", { scope: "col" }, text === "ply" ? "move" : text))),
      ...table.rows.map((row) => make("tr", {}, ...row.map((text, k) => make("td", {}, cell(text, k)))))));
  const line = (text) => {
    const ply = /^ply (\d+): /.exec(text);
    return ply ? make("li", {}, "move ", step(ply[1]), ` ${text.slice(ply[0].length - 1)}`) : make("li", {}, text);
  };
  say(
    make("p", { class: "quiet" }, found.method),
    graphOf(found.svg, go),
    ...found.told.flatMap(({ title, lines }) => [make("h3", {}, title), make("ul", {}, ...lines.map(line))]),
    grid(seats, (text) => text),
    make("details", {}, make("summary", {}, decisions.title),
      grid(decisions, (text, k) => (k === 0 ? step(text) : text))),
  );
}
