// POST a request: the answer, or null if it failed; then the alert says why.

import { byId } from "./dom.js";

export async function ask(path, body) {
  byId("sorry").textContent = "";
  try {
    const answer = await fetch(path, { method: "POST", body });
    const found = await answer.json();
    if (answer.ok) return found;
    byId("sorry").textContent = found.error;
  } catch {
    byId("sorry").textContent = "The server does not answer.";
  }
  return null;
}
