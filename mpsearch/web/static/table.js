// The table's page: shows what the server sends, and sends what is clicked.

import { Board } from "./board.js";
import { boardWithControls } from "./board_controls.js";
import { byId, make, shorten } from "./dom.js";
import { rematch, resultText, showAnalysisLinks, showEnding, showReview } from "./ending.js";
import { rememberGame } from "./kept_games.js";
import { listenToKeys } from "./keys.js";
import { showLog } from "./log.js";
import { connectPage, lastDecision, onTypedMove, sorry, status } from "./page.js";
import { showAdvice, showMatrix, showSeats, showWhoDecided, showWhy } from "./panels.js";
import { who } from "./players.js";
import { showTab } from "./tabs.js";

const PACE = "mpsearch.pace";
const COMPILING = "(The game is still being compiled; until then, agents take longer.)";
// The longest outcome of dice or cards that the status line shows.
const TOLD = 30;

const table = {
  agents: [],
  names: [],
  you: null,
  colours: [],
  // Whether the game goes on, or is a record that is only looked at.
  playing: true,
  log: [],
  marks: [],
  // The ply that is shown, what it is worth, and how things stood when that was last told.
  shown: 0,
  worth: null,
  now: null,
  // Whether the latest ply is to be shown, and whether it is shown as it should be.
  follow: true,
  settled: false,
};
let matrixOf = null;
// Whose last decision is explained (null: whoever decided last), which ply that is, and the position.
let whyOf = null;
let whyPly = null;
let decided = null;
// The move that was hinted at last, and at which ply.
let hinted = null;
let hintedAt = null;
let timer = null;
let asked = null;

const board = boardWithControls(play, (chosen) => {
  byId("clear").hidden = !chosen;
});

// The position of an explained decision, shown while one of its moves is pointed at.
const nothing = () => {};
const past = new Board(byId("glance"), { onPlay: nothing, onChoose: nothing, onFit: nothing, onLayers: nothing });

function glance(move) {
  const shown = move !== null && decided?.svg;
  byId("glance").hidden = !shown;
  if (!shown) {
    byId("glance").replaceChildren();
    return;
  }
  past.show({ svg: decided.svg, marked: false }, []);
  past.preview(move);
}

const handlers = {
  hello(message) {
    const { agents, names, you, colours, playing, evaluator } = message;
    Object.assign(table, { agents, names, you, colours, playing, evaluator, log: [] });
    if (playing) rememberGame(location.pathname.split("/").at(-1));
    const options = Object.entries(message.options).map(([key, value]) => `${key}=${value}`);
    byId("title").textContent = message.variant;
    byId("title").title = options.join(", ");
    document.title = `${message.game} – mpsearch`;
    byId("rules").hidden = message.rules === null;
    byId("rules").querySelector("pre").textContent = message.rules;
  },

  now(message) {
    const before = table.now;
    const first = before === null;
    table.log.length = Math.min(table.log.length, message.from);
    if (message.from === 0) byId("log").replaceChildren();
    table.log.push(...message.log);
    table.marks = message.marks;
    if (asked > message.ply) asked = null;
    // A choice that is not played yet survives messages that change nothing on the board.
    const same = (key) => before !== null && before[key] === message[key];
    table.settled &&= ["ply", "yours", "open", "trouble"].every(same);
    table.now = message;
    byId("ply").max = message.ply;
    const link = byId("record");
    link.hidden = !message.record;
    link.href = `${location.pathname}/record`;
    showAnalysisLinks(message.record, table.shown);
    if (first) {
      // A finished game is looked at from its start, one under way from where it stands.
      table.follow = table.playing && (!message.over || table.you !== null);
      look(table.follow ? message.ply : 0);
    } else {
      if (table.follow) advance();
      if (!table.follow && table.shown > message.ply) look(message.ply);
      else if (!table.follow || table.settled) refresh();
    }
  },

  frame(message) {
    if (asked !== null && message.ply !== asked) return;
    asked = null;
    table.shown = message.ply;
    table.worth = message.values;
    table.settled = message.ply === table.now.ply && message.marked === table.now.yours;
    board.show(message, table.now.moves);
    refresh();
    if (table.follow) advance();
  },

  hint(message) {
    byId("hint").disabled = false;
    if (message.ply !== table.now.ply) return;
    hinted = message.advice[0]?.move ?? null;
    showAdvice(message, table, play, preview);
    board.preview(hinted);
    showTab("hints");
    // On a phone one of them may not be seen: the board, if the hint is on it.
    const there = document.querySelector("#board .hinted") ? byId("board") : byId("advice");
    there.scrollIntoView({ block: "nearest" });
  },

  why(message) {
    if (message.ply !== whyPly) return;
    decided = message;
    showWhy(message, table, glance);
    showTab();
  },

  sorry(message) {
    byId("hint").disabled = false;
    sorry(message.text);
  },
};

const link = connectPage("", handlers, {
  onState() {
    asked = null;
  },
});

function look(ply) {
  asked = ply;
  link.send({ type: "look", ply });
}

// Show the next ply after a while, until the latest is shown.
function advance() {
  clearTimeout(timer);
  if (table.shown >= table.now.ply) {
    // The position is the same, but it may have become one's turn, or all may be shown now.
    if (!table.settled) {
      table.settled = true;
      look(table.now.ply);
    }
    if (table.now.over || !table.playing) table.follow = false;
    return;
  }
  const pace = Number(byId("pace").value);
  timer = setTimeout(() => look(pace ? table.shown + 1 : table.now.ply), pace);
}

function go(ply) {
  run(false);
  look(Math.max(0, Math.min(table.now.ply, ply)));
}

function run(on) {
  clearTimeout(timer);
  table.follow = on;
  byId("run").setAttribute("aria-pressed", String(on));
  if (on) advance();
}

// Show a move on the board while it is pointed at, and otherwise the hint.
function preview(move) {
  board.preview(move ?? hinted);
}

function play(move) {
  sorry("");
  link.send({ type: "play", ply: table.now.ply, move });
}

function refresh() {
  const { now, shown } = table;
  const latest = shown === now.ply;
  const yours = now.yours && latest;
  const last = table.log[shown - 1];
  const ended = now.over && latest ? now : {};
  const mover = latest && table.playing ? now.mover : table.log[shown]?.seat;
  showSeats(table, { mover, winners: ended.winners, payoff: ended.payoff, open: now.open });
  showMatrix(table, matrixOf, (seat) => {
    matrixOf = seat;
    refresh();
  });
  showLog(table, go);
  byId("ply").value = shown;
  showAnalysisLinks(now.record, shown);
  byId("ply").setAttribute("aria-valuetext", `step ${shown} of ${now.ply}`);
  byId("first").disabled = byId("back").disabled = shown === 0;
  byId("next").disabled = byId("last").disabled = latest;
  byId("run").disabled = latest && (now.over || !table.playing);
  byId("run").setAttribute("aria-pressed", String(table.follow));
  byId("typed").hidden = byId("bar").hidden = !yours;
  byId("undo").hidden = !now.undo;
  byId("leave").hidden = table.you === null || now.over || !table.playing || now.left.includes(table.you);
  showEnding(table, latest);
  if (!yours || hintedAt !== shown) hinted = null;
  hintedAt = shown;
  if (hinted === null) showAdvice(null, table);
  // It stays in its place while others move, so that nothing jumps.
  byId("advice").hidden = table.you === null || now.over || !table.playing;
  showLegal(yours ? now.moves : []);
  askWhy();
  showTab();
  const said = statusText(latest, yours, last);
  const thinks = latest && !yours && !now.over && table.playing && now.mover !== null;
  const slowly = thinks && now.compiling && table.agents[now.mover] !== "human";
  status(slowly ? `${said} ${COMPILING}` : said);
  document.body.dataset.shown = shown;
  document.body.dataset.yours = yours;
  document.body.dataset.over = now.over;
  document.title = `${yours ? "● your move – " : ""}${byId("title").textContent} – mpsearch`;
}

// Ask for the last decision before the position that is shown, dice and deals left aside.
function askWhy() {
  const { seats, of, entry: wanted } = lastDecision(table.log.slice(0, table.shown), whyOf);
  whyOf = of;
  const ply = wanted?.ply ?? null;
  const known = ply !== null && ply === whyPly && decided?.move === wanted.move;
  if (!known) {
    decided = null;
    glance(null);
    showWhy(null, table);
  }
  whyPly = ply;
  showWhoDecided(seats, whyOf, table, (seat) => {
    whyOf = seat;
    askWhy();
  });
  if (ply !== null && !known) link.send({ type: "why", ply });
}

// The last move; for dice and cards, their consequence if the game tells it.
function playedText(last) {
  if (!last) return "";
  if (last.seat === null && last.remark) {
    const before = table.log[last.ply - 1];
    const whose = (before?.seat ?? null) === null ? "" : `${who(table, before.seat)}: `;
    return `${whose}${last.remark}. `;
  }
  if (last.seat === null && (last.move ?? "").length > TOLD) return "";
  const made = last.move === null ? "a secret move" : shorten(last.move);
  const remark = last.remark ? ` (${last.remark})` : "";
  return `${who(table, last.seat)}: ${made}${remark}. `;
}

function statusText(latest, yours, last) {
  const { agents, now } = table;
  if (now.trouble) return `The game cannot go on: ${now.trouble}`;
  const played = playedText(last);
  if (!latest) return `${played}Step ${table.shown} of ${now.ply}.`;
  if (now.over) return `${played}The game is over. ${resultText(table)}`;
  const end = table.marks.at(-1);
  if (end?.mark === "resign" && end.ply === now.ply) {
    return `${played}${who(table, end.seat)} resigned.`;
  }
  if (!table.playing) return `${played}The record ends here, without a result.`;
  if (yours) return `${played}Your move.`;
  if (now.mover === null) return `${played}Chance decides.`;
  const person = agents[now.mover] === "human" && !now.left.includes(now.mover);
  return `${played}${who(table, now.mover)} ${person ? "is to move" : "is thinking"}.`;
}

let listed = null;

function showLegal(moves) {
  const key = moves.join(" ");
  if (key === listed) return;
  listed = key;
  const options = moves.slice(0, 400).map((move) => make("option", { value: move }));
  byId("legal").replaceChildren(...options);
  const all = byId("all");
  all.hidden = moves.length === 0;
  all.open = moves.length > 0 && board.svg === null;
  all.querySelector("summary").textContent = moves.length === 1 ? "The only move" : `All ${moves.length} moves`;
  fillMoves();
}

// The buttons are made when they are looked at: there may be hundreds.
function fillMoves() {
  const all = byId("all");
  const moves = all.open ? (table.now?.moves ?? []) : [];
  all.querySelector("div").replaceChildren(
    ...moves.map((move) => make("button", { type: "button", onclick: () => play(move) }, move)),
  );
}

onTypedMove(play);
byId("hint").addEventListener("click", () => {
  byId("hint").disabled = true;
  link.send({ type: "hint" });
});
byId("undo").addEventListener("click", () => {
  sorry("");
  run(true);
  link.send({ type: "undo", ply: table.now.ply });
});
byId("resign").addEventListener("click", () => link.send({ type: "leave", resign: true }));
byId("hand-over").addEventListener("click", () => link.send({ type: "leave", resign: false }));
byId("rematch").addEventListener("click", async () => {
  byId("rematch").disabled = true;
  try {
    location.assign(await rematch());
  } catch (error) {
    sorry(error.message);
    byId("rematch").disabled = false;
  }
});
byId("ask-review").addEventListener("click", () => {
  showReview(go).catch(() => sorry("The review is not available."));
});
byId("all").addEventListener("toggle", fillMoves);
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(table.shown - 1));
byId("next").addEventListener("click", () => go(table.shown + 1));
byId("last").addEventListener("click", () => {
  go(table.now.ply);
  table.follow = table.playing && !table.now.over;
});
byId("run").addEventListener("click", () => run(!table.follow));
byId("ply").addEventListener("input", () => go(Number(byId("ply").value)));
byId("pace").value = localStorage.getItem(PACE) ?? "700";
listenToKeys();
byId("pace").addEventListener("change", () => localStorage.setItem(PACE, byId("pace").value));
