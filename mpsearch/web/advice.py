"""Advice: what agents of several kinds would do in a person's place."""

from __future__ import annotations

from typing import Any

from mpsearch.company import hints
from mpsearch.contracts import Turn
from mpsearch.match.record import HINT
from mpsearch.web.messages import MessageError
from mpsearch.web.screen import explained
from mpsearch.web.session import Session


def advice(session: Session, seat: int | None) -> dict[str, Any]:
    """What each adviser would play for a seat, which must be to move. They see its view alone."""
    story, game = session.story, session.story.game
    ply = len(story.steps)
    if seat is None or story.mover(ply) != seat:
        raise MessageError("a hint is for whoever is to move")
    session.mark(HINT, seat)
    state = story.state(ply)
    turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
    told = []
    for found in hints(session.counsel, turn, seed=ply):
        report = found.report
        told.append(
            {
                "agent": found.agent,
                "move": found.move,
                "stance": report.stance.label,
                "target": report.stance.target,
                "value": [round(float(v), 2) for v in report.value],
                **explained(game, state, report, seat),
            }
        )
    return {"type": "hint", "ply": ply, "advice": told}
