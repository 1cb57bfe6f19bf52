"""The sentences of a review, alike in the terminal, on the page and in notebooks."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np

from mpsearch._util import Array
from mpsearch.agents import number
from mpsearch.contracts import CHANCE
from mpsearch.studies.review.judge import JudgedMove
from mpsearch.studies.review.turning_points import Attack, TurningPoint

#: A loss or a gain below this is not spoken of.
NOTABLE = 0.05
#: Longer moves are cut: in a table, and in a sentence.
_LONGEST, SPOKEN = 40, 100


def turning_text(point: TurningPoint, *, ends: bool) -> str:
    """What turned a game; `ends` if that was its end."""
    who = "chance brought" if point.seat == CHANCE else f"seat {point.seat} played"
    change = point.after - point.before
    most = int(np.abs(change).argmax())
    verb = "rose" if change[most] > 0 else "fell"
    before, after = number(float(point.before[most])), number(float(point.after[most]))
    then = ""
    if ends:
        then = ", and the game was over"
    elif point.leader is not None:
        then = f" and {'' if point.leader == most else f'seat {point.leader} '}took the lead"
    swing = f"seat {most} {verb} from {before} to {after}"
    return f"ply {point.ply}: {who} {point.move}; {swing}{then}"


def attack_text(attack: Attack, *, agent: str, hidden: bool) -> str:
    """Who turned against whom; with `hidden` information values are those of the whole state."""
    name = agent.partition(":")[0]
    by = name if name == attack.stance else f"{name}, {attack.stance}"
    why = (
        f"stood at {number(float(attack.values[attack.target]))}"
        if attack.lead is None
        else f"led by {number(attack.lead)}"
    )
    # An agent decides by what its seat knows.
    known = " with all cards known" if hidden else ""
    return (
        f"ply {attack.ply}: seat {attack.seat} ({by}) turned against seat {attack.target}, "
        f"who {why}{known}"
    )


def cost_text(entry: JudgedMove) -> str:
    """What a decision cost, and whom it helped."""
    effects = [f"cost it {number(entry.lost)}", *_effects(entry.effect, entry.seat)]
    return (
        f"ply {entry.ply}: seat {entry.seat} played {cut(entry.move, SPOKEN)} instead of "
        f"{cut(entry.best, SPOKEN)}: that {listed(effects)}"
    )


def _effects(effect: Array, mover: int) -> list[str]:
    """What others gained and lost by the mover's decision."""
    others = [seat for seat in range(len(effect)) if seat != mover]
    gave = [f"{number(effect[s])} to seat {s}" for s in others if effect[s] >= NOTABLE]
    took = [f"{number(-effect[s])} from seat {s}" for s in others if effect[s] <= -NOTABLE]
    return ([f"gave {listed(gave)}"] if gave else []) + ([f"took {listed(took)}"] if took else [])


def effect_cells(effect: Array, mover: int) -> list[str]:
    """The same as numbers by seat, empty where nothing changed and for the mover."""
    return [
        "" if seat == mover or abs(by) < NOTABLE else f"{'+' if by > 0 else ''}{number(by)}"
        for seat, by in enumerate(effect)
    ]


def listed(words: Sequence[str]) -> str:
    """Words as a list: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def cut(text: str, most: int = _LONGEST) -> str:
    """A move that is too long, such as a deal, without its end."""
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def filled(text: str, indent: str = "") -> str:
    """A paragraph for the terminal."""
    return textwrap.fill(
        text,
        79,
        initial_indent=indent,
        subsequent_indent=2 * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
