// The lobby: begin a game, resume one, or open a record.

import { ask } from "./ask.js";
import { chosenOf, fillChoices } from "./choices.js";
import { byId, make } from "./dom.js";
import { rememberGame } from "./kept_games.js";
import { showMyGames } from "./my_games.js";

const YOU = "you";
const OTHER = "another person";
const MIXED = "mixed";

let games = [];

const game = () => games.find((entry) => entry.name === chosenOf("game"));
const titleOf = (name) => `${name[0].toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function showGames() {
  const entry = ({ name, summary }) => ({
    value: name,
    label: [
      make("img", { src: `/picture/${name}`, alt: "", loading: "lazy", decoding: "async" }),
      make("span", { class: "name" }, titleOf(name)),
      make("span", { class: "quiet" }, sentence(summary)),
    ],
  });
  // Those that are a plugin of their own come first, and are shown at once.
  const [first] = games;
  fillChoices(byId("games"), "game", games.filter((g) => g.featured).map(entry), first.name);
  fillChoices(byId("others"), "game", games.filter((g) => !g.featured).map(entry), first.name);
  byId("more-games").hidden = games.every((g) => g.featured);
  byId("more-games").open = !games.some((g) => g.featured);
}

function chooseGame() {
  const chosen = game();
  const [fewest, most] = chosen.players;
  byId("variant").textContent = chosen.variant === chosen.name ? "" : `Played as ${chosen.variant}.`;
  byId("agents").replaceChildren(
    ...[YOU, OTHER, ...chosen.agents].map((text) => make("option", { value: text })),
  );
  const counts = Array.from({ length: most - fewest + 1 }, (_, k) => `${fewest + k}`);
  fillChoices(byId("players"), "players",
    counts.map((value) => ({ value, label: [make("span", {}, value)] })), `${chosen.usual}`);
  const before = chosenOf("strength") ?? MIXED;
  fillChoices(byId("strength"), "strength",
    chosen.strengths.map(({ name, summary }) => ({ value: name, title: summary, label: [make("span", {}, name)] })), before);
  byId("options").replaceChildren(...chosen.options.map(optionField));
  byId("seats").replaceChildren();
  byId("chosen-game").textContent = titleOf(chosen.name);
  seatPlayers();
}

// An option has the value of the game people know, where that is not the one of the experiments.
function optionField(option) {
  const id = `option-${option.name}`;
  const usual = game().people[option.name] ?? option.default;
  const field = option.choices.length
    ? make("select", { id, "data-option": option.name },
        ...option.choices.map((choice) => make("option", { selected: choice === usual }, choice)))
    : make("input", { id, "data-option": option.name, value: usual });
  return make("p", { class: "option" }, make("label", { for: id }, option.name), " ", field, " ",
    make("span", { class: "quiet" }, option.help || option.wanted));
}

// People stay where they sit; agents are those of the strength.
function seatPlayers() {
  const strength = game().strengths.find(({ name }) => name === chosenOf("strength"));
  byId("strength-summary").textContent = sentence(strength.summary);
  const before = [...byId("seats").querySelectorAll("input")].map((input) => input.value);
  let agents = 0;
  byId("seats").replaceChildren(
    ...Array.from({ length: Number(chosenOf("players")) }, (_, seat) => {
      const person = before.length ? [YOU, OTHER].includes(before[seat]) : seat === 0;
      const value = person ? before[seat] ?? YOU : strength.company[agents++ % strength.company.length];
      return make("li", {}, make("input", {
        list: "agents", value, "aria-label": `who plays seat ${seat}`, autocapitalize: "none",
      }));
    }),
  );
}

function showLinks(found, mine) {
  const entries = Object.entries(found.seats);
  if (mine.length === 1 && entries.length === 1) {
    location.assign(entries[0][1]);
    return;
  }
  if (entries.length === 0) {
    location.assign(found.watch);
    return;
  }
  for (const seat of mine) rememberGame(found.seats[seat].split("/").at(-1));
  const address = (path) => make("a", { href: path, target: "_blank", rel: "opener" },
    new URL(path, location.href).href);
  byId("links").hidden = false;
  byId("links").querySelector("ul").replaceChildren(
    ...entries.map(([seat, path]) => make("li", { "data-seat": seat },
      `seat ${seat}${mine.includes(Number(seat)) ? " (you)" : ""}: `, address(path))),
    make("li", { "data-seat": "watch" }, "watch: ", address(found.watch)),
  );
  byId("links").scrollIntoView();
}

byId("table").addEventListener("change", (event) => {
  if (event.target.name === "game") chooseGame();
  if (["players", "strength"].includes(event.target.name)) seatPlayers();
});

byId("table").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wishes = [...byId("seats").querySelectorAll("input")].map((input) => input.value.trim());
  const agents = wishes.map((text) => ([YOU, OTHER].includes(text) ? "human" : text));
  const options = {};
  for (const field of document.querySelectorAll("[data-option]")) {
    const usual = game().options.find((option) => option.name === field.dataset.option).default;
    if (field.value !== usual) options[field.dataset.option] = field.value;
  }
  const seed = byId("seed").value.trim();
  const wanted = { game: game().name, players: agents.length, options, agents };
  if (seed) wanted.seed = seed;
  const found = await ask("/tables", JSON.stringify(wanted));
  if (found) showLinks(found, wishes.flatMap((text, seat) => (text === YOU ? [seat] : [])));
});

byId("record").addEventListener("change", async () => {
  const [file] = byId("record").files;
  if (!file) return;
  const found = await ask("/records", await file.arrayBuffer());
  if (found) location.assign(found.watch);
});

games = (await (await fetch("/catalog")).json()).games;
showGames();
chooseGame();
await showMyGames();
