"""The choice of an evaluator for Opponent Impact: one that makes games comparable.

An evaluator that shares out a whole makes every gain a loss of others, and with it nearly every
choice influential, in any game. So one of a seat's own affairs is taken where a game has it.
"""

from __future__ import annotations

from mpsearch.agents import read_agent
from mpsearch.api import Table
from mpsearch.errors import UsageError

#: What is measured with: own affairs, shares of a whole, or final payoffs of play-outs.
OWN, SHARED, PAYOFF = "own affairs", "shared out", "payoff"


def choose_evaluator(table: Table, named: str | None, *, playouts: int) -> tuple[str | None, str]:
    """The evaluator to measure with and its kind; None for play-outs.

    Without a name: the usual one if it looks at own affairs, or else the first that does, or else
    the usual one. A noisy one is refused: whether two of its values differ is luck.
    """
    if playouts:
        return None, PAYOFF
    usual = table.offer.evaluator
    if named is None:
        there = table.catalog.evaluators[table.name].values()
        others = (
            e.name for e in there if e.name != usual and e.holds(table.players, table.options)
        )
        offered = (usual, *others)
        own = (name for name in offered if _looks_at_own_affairs(table, name))
        named = next(own, usual)
    evaluator = table.space(named).evaluator
    if evaluator.noisy:
        raise UsageError(
            f"{table.name}: evaluator '{read_agent(named).name}' is noisy: its values differ by "
            "luck; name another with --evaluator, or measure with --playouts"
        )
    return named, OWN if evaluator.own_affairs else SHARED


def _looks_at_own_affairs(table: Table, name: str) -> bool:
    evaluator = table.space(name).evaluator
    return evaluator.own_affairs and not evaluator.noisy
