// Panels as tabs, where there is no room for them side by side.

import { byId } from "./dom.js";

const NARROW = matchMedia("(max-width: 59.99rem)");

const tabs = () => [...byId("tabs").querySelectorAll("[role=tab]")];
const panels = () => [...document.querySelectorAll("[data-tab]")];
// What was asked for last; the first tab to begin with.
let chosen;

// Show one of the tabs; those without anything to show are left out.
export function showTab(name = chosen) {
  const filled = (tab) => panels().some((p) => p.dataset.tab === tab.dataset.shows && !p.hidden);
  for (const tab of tabs()) tab.hidden = !filled(tab);
  const there = tabs().filter((tab) => !tab.hidden);
  const shown = (there.find((tab) => tab.dataset.shows === name) ?? there[0])?.dataset.shows;
  chosen = name;
  for (const tab of tabs()) {
    const on = tab.dataset.shows === shown;
    tab.setAttribute("aria-selected", String(on));
    tab.setAttribute("tabindex", on ? "0" : "-1");
  }
  for (const panel of panels()) {
    panel.classList.toggle("shown", panel.dataset.tab === shown);
    if (NARROW.matches) panel.setAttribute("role", "tabpanel");
    else panel.removeAttribute("role");
  }
}

byId("tabs").addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) showTab(tab.dataset.shows);
});
byId("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const there = tabs().filter((tab) => !tab.hidden);
  const at = there.indexOf(event.target.closest("[role=tab]"));
  const next = there[(at + step + there.length) % there.length];
  showTab(next.dataset.shows);
  next.focus();
});
NARROW.addEventListener("change", () => showTab());
