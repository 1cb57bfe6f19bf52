"""Evaluators: each seat's share of what counts, so that all values sum to 100."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import (
    Array,
    Bounds,
    CompiledEvaluator,
    EvaluatorOffer,
    Option,
    State,
    compiled,
)
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.rules import payoff
from mpsearch_risk_lite.state import BATTLE, DEAL, DONE, SEATS, income

#: Features of `paper`, in the order of its weights.
_ARMIES, _VALUES, _CONTINENTS, _INCOME, _SAFETY, _THREAT = range(6)
_FEATURES = 6


@compiled
def settled(s: Any, out: Any) -> bool:
    """Values where nothing need be weighed: before the deal, and when the game is over."""
    if s.phase == DONE:
        payoff(s, out)
        for seat in range(s.players):
            out[seat] *= 100.0
        return True
    if s.phase == DEAL:
        for seat in range(s.players):
            out[seat] = 100.0 / s.players
        return True
    return False


@compiled
def army_land(s: Any, weights: Any, out: Any) -> None:
    """Shares of armies, territories and income."""
    if settled(s, out):
        return
    troops = 0.0
    incomes = 0.0
    for seat in range(s.players):
        troops += s.troops[seat]
        out[seat] = income(s, seat) if s.land[seat] > 0 else 0.0
        incomes += out[seat]
    scale = 100.0 / (weights[0] + weights[1] + weights[2])
    for seat in range(s.players):
        out[seat] = scale * (
            weights[0] * s.troops[seat] / troops
            + weights[1] * s.land[seat] / s.territories
            + weights[2] * out[seat] / incomes
        )


@compiled
def weigh_territory(s: Any, territory: int, feature: Any) -> None:
    """Add what a territory contributes to its owner's features."""
    owner = s.owner[territory]
    armies = float(s.armies[territory])
    strongest = 0.0
    weakest = armies
    for i in range(s.near_from[territory], s.near_from[territory + 1]):
        other = s.near[i]
        if s.owner[other] != owner:
            strongest = max(strongest, float(s.armies[other]))
            weakest = min(weakest, float(s.armies[other]))
    c = s.continent[territory]
    feature[_VALUES, owner] += 1.0 + s.bonus[c] / s.members[c]
    feature[_SAFETY, owner] += armies / (armies + strongest)
    feature[_THREAT, owner] += armies - weakest


@compiled
def paper(s: Any, weights: Any, out: Any) -> None:
    """Shares of armies, territory values, continents, income, safe land and threats."""
    if settled(s, out):
        return
    feature = np.zeros((_FEATURES, SEATS))
    for territory in range(s.territories):
        weigh_territory(s, territory, feature)
    for seat in range(s.players):
        out[seat] = 0.0
        if s.land[seat] == 0:
            continue
        feature[_ARMIES, seat] = s.troops[seat]
        feature[_INCOME, seat] = income(s, seat)
        for c in range(s.continents):
            part = s.held[seat, c] / s.members[c]
            feature[_CONTINENTS, seat] += s.bonus[c] * part * part
    used = 0.0
    for f in range(_FEATURES):
        total = 0.0
        for seat in range(s.players):
            total += feature[f, seat]
        # A feature that nobody has says nothing, and the others share its weight.
        if total > 0.0:
            used += weights[f]
            for seat in range(s.players):
                out[seat] += weights[f] * feature[f, seat] / total
    for seat in range(s.players):
        out[seat] *= 100.0 / used


class ShareEvaluator(CompiledEvaluator):
    """Shares of 100. A campaign under way is worth what its outcomes are worth on average.

    The search never asks for that, because it looks behind every battle; those who judge
    a move by its effect do.
    """

    def __init__(self, game: RiskLite, evaluate: Any, weights: list[float]) -> None:
        super().__init__(game, evaluate, bounds=Bounds(total=(100, 100)), weights=weights)

    def values(self, state: State) -> Array:
        if self.game.record(state).phase != BATTLE:
            return super().values(state)
        gathered = self.game.view(state, 0)
        mean = np.zeros(self.game.players)
        for outcome, weight in self.game.chance(gathered):
            mean += weight * super().values(self.game.play(gathered, outcome))
        return mean


def _weight(name: str, default: float) -> Option:
    return Option(name=name, kind=float, default=default, least=0.001, help=f"weight of {name}")


def _army_land(game: RiskLite, *, armies: float, land: float, income: float) -> ShareEvaluator:
    return ShareEvaluator(game, army_land, [armies, land, income])


def _paper(
    game: RiskLite,
    *,
    armies: float,
    values: float,
    continents: float,
    income: float,
    safety: float,
    threat: float,
) -> ShareEvaluator:
    weights = [armies, values, continents, income, safety, threat]
    return ShareEvaluator(game, paper, weights)


EVALUATORS = [
    EvaluatorOffer(
        name="army_land",
        game="risk_lite",
        summary="share of armies, territories and income; sums to 100",
        make=_army_land,
        options=(_weight("armies", 1.0), _weight("land", 1.0), _weight("income", 1.0)),
    ),
    EvaluatorOffer(
        name="paper",
        game="risk_lite",
        summary="share of armies, territory values, continents, income, safety, threats",
        make=_paper,
        options=(
            _weight("armies", 2.0),
            _weight("values", 1.0),
            _weight("continents", 1.0),
            _weight("income", 2.0),
            _weight("safety", 1.0),
            _weight("threat", 0.5),
        ),
    ),
]
