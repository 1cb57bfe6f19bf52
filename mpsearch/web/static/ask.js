// A wish that is posted: the answer, or null after the alert has said what is wrong.

import { byId } from "./dom.js";

export async function ask(path, body) {
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
