"""Evaluators: each seat's share of what counts, so that all values sum to 100."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import (
    Bounds,
    CompiledEvaluator,
    EvaluatorOffer,
    Option,
    compiled,
)
from mpsearch_risk_lite.dice import list_outcomes
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.rules import payoff, play
from mpsearch_risk_lite.state import BATTLE, DEAL, DONE, MOST_MOVES, RECORD, SEATS, income

#: Shares of 100, whatever happens.
SHARES = Bounds(total=(100, 100))

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
def army_land_shares(s: Any, weights: Any, out: Any) -> None:
    """Shares of armies, territories and income; no battle is under way."""
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
def army_land(s: Any, weights: Any, out: Any) -> None:
    """As `army_land_shares`; a battle under way is worth the mean over its outcomes.

    The search looks behind every battle and never asks for that mean. Those who judge a
    campaign by its effect do, before the dice are thrown.
    """
    if s.phase != BATTLE:
        army_land_shares(s, weights, out)
        return
    outcomes = np.empty(MOST_MOVES, np.int64)
    chances = np.empty(MOST_MOVES)
    part = np.empty(SEATS)
    boards = np.empty(1, RECORD)
    out[:] = 0.0
    for i in range(list_outcomes(s, outcomes, chances)):
        boards[0] = s
        play(boards[0], outcomes[i])
        army_land_shares(boards[0], weights, part)
        add_part(part, chances[i], out)


@compiled
def add_part(part: Any, chance: float, out: Any) -> None:
    """Add to a mean; rounding must not carry it past the greatest value."""
    for seat in range(len(out)):
        out[seat] = min(out[seat] + chance * part[seat], 100.0)


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
def paper_shares(s: Any, weights: Any, out: Any) -> None:
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


@compiled
def paper(s: Any, weights: Any, out: Any) -> None:
    """As `paper_shares`; a battle under way is worth the mean over its outcomes."""
    if s.phase != BATTLE:
        paper_shares(s, weights, out)
        return
    outcomes = np.empty(MOST_MOVES, np.int64)
    chances = np.empty(MOST_MOVES)
    part = np.empty(SEATS)
    boards = np.empty(1, RECORD)
    out[:] = 0.0
    for i in range(list_outcomes(s, outcomes, chances)):
        boards[0] = s
        play(boards[0], outcomes[i])
        paper_shares(boards[0], weights, part)
        add_part(part, chances[i], out)


def _weight(name: str, default: float) -> Option:
    return Option(name=name, kind=float, default=default, least=0.001, help=f"weight of {name}")


def _army_land(game: RiskLite, *, armies: float, land: float, income: float) -> CompiledEvaluator:
    return CompiledEvaluator(game, army_land, bounds=SHARES, weights=[armies, land, income])


def _paper(
    game: RiskLite,
    *,
    armies: float,
    values: float,
    continents: float,
    income: float,
    safety: float,
    threat: float,
) -> CompiledEvaluator:
    weights = [armies, values, continents, income, safety, threat]
    return CompiledEvaluator(game, paper, bounds=SHARES, weights=weights)


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
