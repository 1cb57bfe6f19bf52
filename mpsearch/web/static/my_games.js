// Your games in the lobby: those that go on, to be resumed, and those that are over.

import { ask } from "./ask.js";
import { byId, make } from "./dom.js";
import { forgetGame, keptTokens } from "./kept_games.js";
import { placeText } from "./ranking.js";

const when = (seconds) => new Date(1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

function resultText({ over, seat, payoff, plies }) {
  if (!over) return plies === 1 ? "1 move" : `${plies} moves`;
  return seat === null ? "over" : placeText(payoff, seat);
}

function entry(game) {
  const { token, variant, seat, others, over, changed } = game;
  const item = make("li", { "data-token": token },
    make("a", { class: "button", href: `/table/${token}` }, over || seat === null ? "Look" : "Resume"),
    make("span", { class: "what" },
      make("b", {}, variant), ` ${resultText(game)}, against ${others.join(", ")}`,
      make("span", { class: "quiet" }, ` ${when(changed)}`)),
    make("button", {
      type: "button", class: "plain", "aria-label": `Forget ${variant}, ${when(changed)}`, title: "forget this game",
      onclick: () => {
        forgetGame(token);
        item.remove();
      },
    }, "×"));
  return item;
}

export async function showMyGames() {
  const tokens = keptTokens();
  if (!tokens.length) return;
  const found = await ask("/games", JSON.stringify({ tokens }));
  const games = found?.games ?? [];
  const [running, past] = [games.filter((game) => !game.over), games.filter((game) => game.over)];
  byId("mine").hidden = games.length === 0;
  byId("running").replaceChildren(...running.map(entry));
  byId("past").hidden = past.length === 0;
  byId("past").open = running.length === 0;
  byId("past").querySelector("summary").textContent = `Past games (${past.length})`;
  byId("past").querySelector("ul").replaceChildren(...past.map(entry));
}
