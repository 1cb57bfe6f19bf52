// Who came where.

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

// The seats by what they got, and the place of each: equal results share one.
export function ranking(payoff) {
  const seats = payoff.map((_, seat) => seat).sort((a, b) => payoff[b] - payoff[a]);
  return seats.map((seat) => ({ seat, place: payoff.filter((p) => p > payoff[seat]).length }));
}

// The place of a seat, or null where the game has winners and no order below them.
export function placeOf(payoff, seat) {
  const best = Math.max(...payoff);
  if (payoff.every((p) => p === best || p === payoff[seat])) return null;
  const { place } = ranking(payoff).find((entry) => entry.seat === seat);
  return place === payoff.length - 1 ? "last" : (ORDINALS[place] ?? `number ${place + 1}`);
}

export function placeText(payoff, seat) {
  const best = Math.max(...payoff);
  if (payoff.every((p) => p === best)) return "nobody won";
  if (payoff[seat] === best) return "you won";
  const place = placeOf(payoff, seat);
  return place === null ? "you lost" : `you came ${place}`;
}
