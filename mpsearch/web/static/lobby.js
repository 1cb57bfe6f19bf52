// The lobby: a table is set, or a record is opened.

import { byId, make } from "./dom.js";

const YOU = "you";
const OTHER = "another person";

let games = [];

const game = () => games.find((entry) => entry.name === byId("game").value);

async function ask(path, body) {
  byId("sorry").textContent = "";
  try {
    const answer = await fetch(path, { method: "POST", body });
    const found = await answer.json();
    if (answer.ok) return found;
    byId("sorry").textContent = found.error;
  } catch {
    byId("sorry").textContent = "the server does not answer";
  }
  return null;
}

function chooseGame() {
  const chosen = game();
  const [fewest, most] = chosen.players;
  byId("summary").textContent = chosen.summary;
  const players = byId("players");
  players.min = fewest;
  players.max = most;
  players.value = chosen.usual;
  players.disabled = fewest === most;
  byId("agents").replaceChildren(
    ...[YOU, OTHER, ...chosen.agents].map((text) => make("option", { value: text })),
  );
  // The game people know, where that is not the one of the experiments.
  const usual = (option) => chosen.people[option.name] ?? option.default;
  byId("options").replaceChildren(
    ...chosen.options.map((option) => {
      const id = `option-${option.name}`;
      const field = option.choices.length
        ? make("select", { id, "data-option": option.name },
            ...option.choices.map((choice) =>
              make("option", { selected: choice === usual(option) }, choice)))
        : make("input", { id, "data-option": option.name, value: usual(option) });
      return make("p", {}, make("label", { for: id }, option.name), " ", field, " ",
        make("span", { class: "quiet" }, option.help || option.wanted));
    }),
  );
  byId("strength").replaceChildren(
    ...Object.keys(chosen.company).map((text) =>
      make("option", { selected: text === "mixed" }, text)),
  );
  seatPlayers();
}

// People stay where they sit; agents are those of the strength.
function seatPlayers() {
  const company = game().company[byId("strength").value];
  const before = [...byId("seats").querySelectorAll("input")].map((input) => input.value);
  const count = Math.min(64, Math.max(2, Number(byId("players").value) || 2));
  let agents = 0;
  byId("seats").replaceChildren(
    ...Array.from({ length: count }, (_, seat) => {
      const person = before.length ? [YOU, OTHER].includes(before[seat]) : seat === 0;
      const value = person ? before[seat] ?? YOU : company[agents++ % company.length];
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

byId("game").addEventListener("change", () => {
  byId("seats").replaceChildren();
  chooseGame();
});
byId("players").addEventListener("input", seatPlayers);
byId("strength").addEventListener("change", seatPlayers);

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
  const wanted = { game: byId("game").value, players: agents.length, options, agents };
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
byId("game").replaceChildren(
  ...games.map((entry) => make("option", {}, entry.name)),
);
chooseGame();
