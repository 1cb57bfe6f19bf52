"""Review on the page: the decisions of a finished game, each searched again."""

from __future__ import annotations

import functools
import time
from typing import Any

from mpsearch.errors import UsageError
from mpsearch.match import Ply, Record
from mpsearch.search import AbortedError, Interrupt, interruptible
from mpsearch.studies.review import Judge, JudgedMove, finished_review, make_judge
from mpsearch.web.session import Session

#: Seconds that a review may take; decisions not judged by then are left out.
MOST_SECONDS = 40.0
#: Seconds that one decision may take.
_DECISION_SECONDS = 3.0


async def review_document(session: Session) -> dict[str, Any]:
    """The review of a finished game, for whoever looks; UsageError before its end."""
    history = session.live.history()
    if not history.over:
        raise UsageError("a game can be reviewed after it is over")
    async with session.reviewing:
        if session.review is None:
            session.review = await _reviewed(session, history.record())
        return session.review


async def _reviewed(session: Session, record: Record) -> dict[str, Any]:
    judge = await session.when_free(functools.partial(make_judge, session.hint_table, record))
    end, decisions = time.monotonic() + MOST_SECONDS, []
    for ply in judge.judged_plies:
        if time.monotonic() > end:
            break
        found = await session.when_free(functools.partial(_judged, judge, ply))
        if found is not None:
            decisions.append(found)
    review = await session.when_free(functools.partial(finished_review, judge, decisions))
    return {
        "title": review.title,
        "method": review.method,
        "svg": review.svg(),
        "told": [{"title": title, "lines": lines} for title, lines in review.told()],
        "tables": [
            {"title": title, "head": head, "rows": rows} for title, head, rows in review.tables()
        ],
    }


def _judged(judge: Judge, ply: Ply) -> JudgedMove | None:
    """A judgement; None if the search took too long."""
    try:
        with interruptible(Interrupt(_DECISION_SECONDS)):
            return judge.judge(ply)
    except AbortedError:
        return None
