"""The evaluator that Opponent Impact is measured with: one that makes games comparable.

An evaluator that shares out a whole makes every gain a loss of others, and so nearly every choice
influential. Where a game has one that looks only at a seat's own assets, that is chosen.
"""

from __future__ import annotations

from mpsearch.agents import read_agent
from mpsearch.api import Table
from mpsearch.errors import UsageError

#: What values measure: own assets, shares of a whole, or final payoffs of play-outs.
OWN, SHARED, PAYOFF = "own affairs", "shared out", "payoff"


def choose_evaluator(table: Table, named: str | None, *, playouts: int) -> tuple[str | None, str]:
    """The evaluator to measure with, None for play-outs, and its kind.

    Unless named, the first that looks at own assets only, starting with the default one; the
    default one if there is none. A noisy evaluator is refused: its values differ by luck.
    """
    if playouts:
        return None, PAYOFF
    default = table.offer.evaluator
    if named is None:
        offers = table.catalog.evaluators[table.name].values()
        fitting = [e.name for e in offers if e.holds(table.players, table.options)]
        evaluators = ((name, table.space(name).evaluator) for name in (default, *fitting))
        own = (name for name, e in evaluators if e.own_affairs and not e.noisy)
        named = next(own, default)
    evaluator = table.space(named).evaluator
    if evaluator.noisy:
        raise UsageError(
            f"{table.name}: evaluator '{read_agent(named).name}' is noisy: its values differ by "
            "luck; name another with --evaluator, or measure with --playouts"
        )
    return named, OWN if evaluator.own_affairs else SHARED
