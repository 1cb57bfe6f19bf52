"""The sentences of a review, the same in the terminal, on the page and in notebooks."""

from __future__ import annotations

import numpy as np

from mpsearch._util import Array, cut
from mpsearch.agents import listed, number
from mpsearch.contracts import CHANCE
from mpsearch.studies.review.judge import JudgedMove
from mpsearch.studies.review.turning_points import Attack, TurningPoint

#: Smaller losses and gains are not mentioned.
NOTABLE = 0.05
#: Greatest length of a move in a table and in a sentence.
LONGEST, SPOKEN = 40, 100


def turning_text(point: TurningPoint, *, ends: bool) -> str:
    """What turned the game; `ends` if it ended there."""
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
    """Who turned against whom; in `hidden` games the values know all cards."""
    name = agent.partition(":")[0]
    by = name if name == attack.stance else f"{name}, {attack.stance}"
    why = (
        f"stood at {number(float(attack.values[attack.target]))}"
        if attack.lead is None
        else f"led by {number(attack.lead)}"
    )
    # The agent itself knew only its seat's view.
    known = " with all cards known" if hidden else ""
    return (
        f"ply {attack.ply}: seat {attack.seat} ({by}) turned against seat {attack.target}, "
        f"who {why}{known}"
    )


def cost_text(entry: JudgedMove) -> str:
    """What a decision cost, and whom it helped."""
    others = [(s, by) for s, by in enumerate(entry.effect) if s != entry.seat]
    gave = [f"{number(by)} to seat {s}" for s, by in others if by >= NOTABLE]
    took = [f"{number(-by)} from seat {s}" for s, by in others if by <= -NOTABLE]
    effects = [f"cost it {number(entry.lost)}"]
    effects += [f"gave {listed(gave)}"] if gave else []
    effects += [f"took {listed(took)}"] if took else []
    return (
        f"ply {entry.ply}: seat {entry.seat} played {cut(entry.move, SPOKEN)} instead of "
        f"{cut(entry.best, SPOKEN)}: that {listed(effects)}"
    )


def effect_cells(effect: Array, mover: int) -> list[str]:
    """Gains by seat, empty where nothing changed and for the mover."""
    return [
        "" if seat == mover or abs(by) < NOTABLE else f"{'+' if by > 0 else ''}{number(by)}"
        for seat, by in enumerate(effect)
    ]
