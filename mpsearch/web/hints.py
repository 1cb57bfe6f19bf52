"""Hints: what agents of several kinds would play in a person's place."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import turn_of
from mpsearch.match import HINT
from mpsearch.web.budget import hurried_hints
from mpsearch.web.inbound import MessageError
from mpsearch.web.session import Session
from mpsearch.web.viewer import explained, rounded


def hint_message(session: Session, seat: int | None) -> dict[str, Any]:
    """What each agent would play for a seat, which must be to move. They see its view alone."""
    viewer = session.viewer(seat)
    history = viewer.history
    game, ply = history.game, len(history.plies)
    if seat is None or history.mover(ply) != seat:
        raise MessageError("only the seat to move gets a hint")
    session.live.mark(HINT, seat)
    state = history.state(ply)
    advice = [
        {
            "agent": found.agent,
            "words": viewer.told(found),
            "move": found.move,
            "stance": found.report.stance.label,
            "target": found.report.stance.target,
            "value": rounded(found.report.value),
            **explained(game, state, found.report, seat),
        }
        for found in hurried_hints(
            session.hint_table,
            turn_of(game, state),
            seed=ply,
            seconds=session.engines.limits.hint_seconds,
        )
    ]
    return {"type": "hint", "ply": ply, "advice": advice}
