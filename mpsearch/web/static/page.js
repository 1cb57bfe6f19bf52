// What the pages of a table and of its analysis share: status, complaints, connection, typed moves.

import { byId } from "./dom.js";
import { connect } from "./link.js";

export function status(text) {
  byId("status").textContent = text;
}

export function sorry(text) {
  byId("sorry").textContent = text;
}

// The connection of a page: each message goes to the handler of its type.
export function connectPage(search, handlers, { onState, refused = () => {} }) {
  return connect(`${location.pathname}/socket${search}`, {
    onMessage(message) {
      handlers[message.type]?.(message);
    },
    onState(state, reason) {
      document.body.dataset.link = state;
      if (state === "lost") status("Connection lost; trying again …");
      if (state === "refused") {
        status(reason || "The server refused the connection.");
        refused(reason);
      }
      onState();
    },
  });
}

export function onTypedMove(play) {
  byId("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const move = byId("move").value.trim();
    if (move) play(move);
    byId("move").value = "";
  });
}

// Who decided before, and the last decision of a seat, or of anybody: what "Why" is about.
export function lastDecision(entries, seat) {
  const made = entries.filter((entry) => entry.stance);
  const seats = [...new Set(made.map((entry) => entry.seat))].sort((a, b) => a - b);
  const of = seats.includes(seat) ? seat : null;
  return { seats, of, entry: made.findLast((entry) => of === null || entry.seat === of) };
}
