// Small helpers for making elements. Texts are always set as text, never as markup.

export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Long texts, such as deals, are cut; the whole is in the tooltip.
export function shorten(text, most = 34) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
