"""Dialects: an agent behind the text protocol of its game, such as QTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from mpsearch.api import Table
from mpsearch.contracts import Move, State, pick, turn_of


def speak(
    table: Table,
    agent: str,
    protocol: str,
    lines: Iterable[str],
    *,
    seed: int = 0,
    say: Callable[[str], None],
) -> None:
    """Answer every line in the game's own protocol, until it ends."""
    offered = {offer.name: offer for offer in table.offer.dialects}
    dialect = pick(offered, protocol, kind=f"protocol of {table.name}").make(table.game)
    player = table.searcher(agent)
    rng = np.random.default_rng(seed)

    def choose(state: State) -> Move:
        turn = turn_of(table.game, state)
        return player.choose(turn, player.start(turn.seat, rng), rng).move

    for line in lines:
        answer = dialect.answer(line, choose)
        if answer is not None:
            say(answer)
        if dialect.over:
            return
