// How a game ended: the result in words, the scores, what can come next, and the review.

import { byId, make } from "./dom.js";
import { chip, score, who } from "./panels.js";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

// The seats by what they got, and the place of each: equal results share one.
function ranking(payoff) {
  const seats = payoff.map((_, seat) => seat).sort((a, b) => payoff[b] - payoff[a]);
  return seats.map((seat) => ({ seat, place: payoff.filter((p) => p > payoff[seat]).length }));
}

export function resultText({ agents, you, now }) {
  const names = now.winners.map((seat) => who(agents, seat, you));
  const listed = names.join(" and ");
  if (!names.length) return "Nobody won: all are equal.";
  if (you === null) return `${listed[0].toUpperCase()}${listed.slice(1)} won.`;
  if (now.winners.includes(you)) {
    const others = now.winners.filter((seat) => seat !== you).map((seat) => who(agents, seat, you));
    return others.length ? `You won, together with ${others.join(" and ")}.` : "You won!";
  }
  const { place } = ranking(now.payoff).find((entry) => entry.seat === you);
  if (now.payoff.every((p, seat) => now.winners.includes(seat) || p === now.payoff[you])) {
    return `${listed[0].toUpperCase()}${listed.slice(1)} won.`;
  }
  const last = place === agents.length - 1 ? "last" : (ORDINALS[place] ?? `number ${place + 1}`);
  return `${listed[0].toUpperCase()}${listed.slice(1)} won; you came ${last}.`;
}

export function showEnding(table, shown) {
  const panel = byId("ending");
  const ended = shown && table.now.over;
  const before = panel.hidden;
  panel.hidden = !ended;
  if (!ended || !before) return;
  const { agents, you, colours, now } = table;
  byId("result").textContent = resultText(table);
  const gave = table.marks.filter((entry) => ["resign", "takeover"].includes(entry.mark));
  byId("left").textContent = [...new Set(gave.map((entry) => entry.seat))]
    .map((seat) => `An agent played on for ${who(agents, seat, you)}.`).join(" ");
  byId("scores").replaceChildren(
    make("caption", {}, "Scores"),
    make("tr", {}, ...["place", "player", "score"].map((text) => make("th", { scope: "col" }, text))),
    ...ranking(now.payoff).map(({ seat, place }) =>
      make("tr", { class: now.winners.includes(seat) ? "made" : "" },
        make("td", {}, `${place + 1}`),
        make("th", { scope: "row" }, chip(seat, colours), ` ${seat === you ? "you" : who(agents, seat, you)}`),
        make("td", {}, score(now.payoff[seat])))),
  );
  byId("rematch").hidden = !table.playing;
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
  const parsed = new DOMParser().parseFromString(found.svg, "image/svg+xml").documentElement;
  const step = (ply) => make("button", { type: "button", onclick: () => go(Number(ply) + 1) }, ply);
  const [seats, decisions] = found.tables;
  const grid = (table, cell) => make("div", { class: "wide" },
    make("table", {}, make("caption", {}, table.title),
      make("tr", {}, ...table.head.map((text) => make("th", { scope: "col" }, text))),
      ...table.rows.map((row) => make("tr", {}, ...row.map((text, k) => make("td", {}, cell(text, k)))))));
  const line = (text) => {
    const ply = /^ply (\d+): /.exec(text);
    return ply ? make("li", {}, "ply ", step(ply[1]), ` ${text.slice(ply[0].length - 1)}`) : make("li", {}, text);
  };
  say(
    make("p", { class: "quiet" }, found.method),
    document.importNode(parsed, true),
    ...found.told.flatMap(({ title, lines }) => [make("h3", {}, title), make("ul", {}, ...lines.map(line))]),
    grid(seats, (text) => text),
    make("details", {}, make("summary", {}, decisions.title),
      grid(decisions, (text, k) => (k === 0 ? step(text) : text))),
  );
}
