"""How many inputs a fuzzer tries and from which seed, and text that nobody expects."""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from mpsearch.contracts import CHANCE, OVER, Game, State

#: What people, other programs and damaged files may write where something else is meant.
JUNK = (
    "", " ", "-", "--", "=", ":", ",", "|", "/", ">", "x", "?", "0", "-1", "1", "2", "99", "007",
    "²", "٣", "1_0", "1e3", "1.5", "nan", "inf", "-inf", "1e308", "1e999", "true", "null", "None",
    "9" * 19, "9" * 40, "9" * 5000, str(2**31), str(2**63 - 1), str(-(2**63)), str(10**20),
    "\x1b[31m", "\x00", "\r", "\t", "\n", "\u2028", "\u202e", "\ud800", "ß", "🂡", "é" * 300,
    "../../etc/passwd", "%s%n", "{0}", "$(x)", "'", '"', "\\", "[" * 50, "NAME", "all", "random",
)  # fmt: skip


def counts(sample: int, full: int) -> pytest.MarkDecorator:
    """Run a test with a sample, and as a slow test with `MPSEARCH_FUZZ` inputs for every 1 of it.

    `MPSEARCH_FUZZ=2` doubles all full numbers; `MPSEARCH_FUZZ_SEED` chooses other inputs.
    """
    whole = max(1, int(full * float(os.environ.get("MPSEARCH_FUZZ", "1"))))
    return pytest.mark.parametrize(
        "count",
        [
            pytest.param(sample, id="sample"),
            pytest.param(whole, id="full", marks=pytest.mark.slow),
        ],
    )


def generator(name: str) -> random.Random:
    """The random inputs of one fuzzer."""
    return random.Random(f"{name} {os.environ.get('MPSEARCH_FUZZ_SEED', '0')}")


def mutated(rng: random.Random, text: str) -> str:
    """A text a little, or altogether, different from `text`."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.randrange(1, 4))
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(JUNK)
    if kind == 1:
        return text[:at] + text[end:]
    if kind == 2:
        return text[:at] + rng.choice(JUNK) + text[at:]
    if kind == 3:
        return text[:at] + text[at:end] * rng.randrange(2, 5) + text[end:]
    if kind == 4:
        return text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) + text[end:]
    return text[:at] + str(rng.randrange(-3, 60)) + text[end:]


def junk_value(rng: random.Random, depth: int = 0) -> Any:
    """Any value that JSON can hold."""
    kind = rng.randrange(9 if depth < 2 else 6)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return rng.choice((0, 1, -1, 2, 3, 7, 2**31, 2**63, -(2**63), 10**30, 10**400))
    if kind == 2:
        return rng.choice((0.5, -0.0, 1e-9, 1e308, 33.25))
    if kind in (3, 4, 5):
        return rng.choice(JUNK)
    if kind == 6:
        return {rng.choice(JUNK): junk_value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return [junk_value(rng, depth + 1) for _ in range(rng.randrange(5))]


def states(game: Game, rng: random.Random) -> list[State]:
    """Some states of a random game, from its start to its end."""
    chance = np.random.default_rng(rng.randrange(2**32))
    found = [game.new()]
    while game.mover(found[-1]) != OVER and len(found) < 400:
        state = found[-1]
        chosen = game.draw(state, chance) if game.mover(state) == CHANCE else None
        move = rng.choice(list(game.moves(state))) if chosen is None else chosen
        found.append(game.play(state, move))
    return rng.sample(found, min(6, len(found)))
