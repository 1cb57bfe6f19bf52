"""Advice: what agents of several kinds would do in a person's place."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import Turn
from mpsearch.table import Table
from mpsearch.web.messages import MessageError
from mpsearch.web.screen import Screen, explained

#: Who is asked for a hint.
ADVISERS = ("maxn", "paranoid", "mpmix:td=20,to=20")


def advice(screen: Screen, table: Table) -> dict[str, Any]:
    """What each adviser would play for the viewer, who must be to move. They see its view alone.

    They sit at a `table` of their own: agents are not shared between threads.
    """
    story, game = screen.story, screen.story.game
    ply = len(story.steps)
    state, seat = story.state(ply), story.mover(ply)
    if screen.seat is None or seat != screen.seat:
        raise MessageError("a hint is for whoever is to move")
    turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
    found = []
    for text in ADVISERS:
        player = table.agent(text)
        rng = np.random.default_rng([ply, seat])
        decision = player.choose(turn, player.start(seat, rng), rng)
        stance = decision.stance
        told: dict[str, Any] = {
            "agent": text,
            "move": game.write_in(state, decision.move),
            "stance": None if stance is None else stance.label,
            "target": None if stance is None else stance.target,
            "value": None
            if decision.value is None
            else [round(float(v), 2) for v in decision.value],
        }
        if decision.report is not None:
            told |= explained(game, state, decision.report, seat)
        found.append(told)
    return {"type": "hint", "ply": ply, "advice": found}
