// The games of this browser: their addresses are kept here, and what they are is asked of the server.

const KEY = "mpsearch.games";
const MOST = 24;

export function keptTokens() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((token) => typeof token === "string") : [];
  } catch {
    return [];
  }
}

const keep = (tokens) => localStorage.setItem(KEY, JSON.stringify(tokens.slice(0, MOST)));

export const rememberGame = (token) => keep([token, ...keptTokens().filter((other) => other !== token)]);

export const forgetGame = (token) => keep(keptTokens().filter((other) => other !== token));
