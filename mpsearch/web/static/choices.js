// A choice among buttons: radio buttons, for arrow keys and screen readers.

import { make } from "./dom.js";

// Fill an element with a choice for each entry { value, label: [nodes], title }.
export function fillChoices(element, name, entries, chosen) {
  element.replaceChildren(
    ...entries.map(({ value, label, title = null }) =>
      make("label", { class: "choice-button", title },
        make("input", { type: "radio", name, value, checked: value === chosen }),
        ...label)),
  );
}

export const chosenOf = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value ?? null;
