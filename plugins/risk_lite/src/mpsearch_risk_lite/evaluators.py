"""Evaluators: shares of 100, or each seat's own holdings."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import (
    Bounds,
    Compiled,
    CompiledEvaluator,
    compiled,
)
from mpsearch_risk_lite.dice import list_outcomes
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.options import SEATS
from mpsearch_risk_lite.rules import payoff, play
from mpsearch_risk_lite.state import BATTLE, DEAL, DONE, MOST_MOVES, RECORD, income

#: Shares of 100.
SHARES = Bounds(total=(100, 100))

#: Features of `paper`, in the order of its weights.
_ARMIES, _VALUES, _CONTINENTS, _INCOME, _CONTROL = range(5)
_FEATURES = 5


@compiled
def add_part(part: Any, chance: float, out: Any) -> None:
    """Add to a mean; rounding must not carry it past the greatest value."""
    for seat in range(len(out)):
        out[seat] = min(out[seat] + chance * part[seat], 100.0)


def expected(now: Compiled) -> Compiled:
    """An evaluator of boards as one of all states: a battle is worth the mean of its outcomes.

    The search looks behind every battle and never asks for that mean: to it `now` is the leaf.
    Those who judge a campaign by its effect do, before the dice are thrown.
    """

    @compiled
    def evaluate(s: Any, parameters: Any, out: Any) -> None:
        if s.phase != BATTLE:
            now(s, parameters, out)
            return
        outcomes = np.empty(MOST_MOVES, np.int64)
        chances = np.empty(MOST_MOVES)
        part = np.empty(SEATS)
        boards = np.empty(1, RECORD)
        out[:] = 0.0
        for i in range(list_outcomes(s, s.groups, outcomes, chances)):
            boards[0] = s
            play(boards[0], outcomes[i])
            now(boards[0], parameters, part)
            add_part(part, chances[i], out)

    return evaluate


@compiled
def settled(s: Any, out: Any) -> bool:
    """The values before the deal and when the game is over."""
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
def army_land_shares(s: Any, parameters: Any, out: Any) -> None:
    """Shares of armies, territories and income, outside a battle."""
    if settled(s, out):
        return
    troops = 0.0
    incomes = 0.0
    for seat in range(s.players):
        troops += s.troops[seat]
        out[seat] = income(s, seat) if s.land[seat] > 0 else 0.0
        incomes += out[seat]
    scale = 100.0 / (parameters[0] + parameters[1] + parameters[2])
    for seat in range(s.players):
        out[seat] = scale * (
            parameters[0] * s.troops[seat] / troops
            + parameters[1] * s.land[seat] / s.territories
            + parameters[2] * out[seat] / incomes
        )


army_land = expected(army_land_shares)


@compiled
def holdings_now(s: Any, parameters: Any, out: Any) -> None:
    """Half for land, half for armies; no battle is under way.

    Not a share: what a seat is worth changes only with its own territories and armies.
    """
    if settled(s, out):
        return
    for seat in range(s.players):
        out[seat] = 50.0 * s.land[seat] / s.territories
        out[seat] += 50.0 * s.troops[seat] / (s.troops[seat] + parameters[0])


holdings = expected(holdings_now)


@compiled
def share_control(s: Any, weight: float, out: Any) -> None:
    """Divide each territory between its owner and the strongest foreign neighbour.

    In the ratio of their armies: what the owner keeps is the safety of the border, what goes
    to the neighbour is the threat it poses.
    """
    part = weight / s.territories
    # Fields of a record take plain Python long to read.
    owners, armies, near, near_from = s.owner, s.armies, s.near, s.near_from
    for territory in range(s.territories):
        owner = owners[territory]
        strongest = 0
        rival = owner
        for i in range(near_from[territory], near_from[territory + 1]):
            other = near[i]
            if owners[other] != owner and armies[other] > strongest:
                strongest = armies[other]
                rival = owners[other]
        lost = part * strongest / (armies[territory] + strongest)
        out[owner] += part - lost
        out[rival] += lost


@compiled
def share_continents(s: Any, weight: float, out: Any) -> None:
    """Divide each continent's bonus in the ratio of the squares of territories held in it."""
    bonuses = 0
    for c in range(s.continents):
        bonuses += s.bonus[c]
    if bonuses == 0:
        for seat in range(s.players):
            out[seat] += weight * s.land[seat] / s.territories
        return
    for c in range(s.continents):
        squares = 0
        for seat in range(s.players):
            squares += int(s.held[seat, c]) ** 2
        part = weight * s.bonus[c] / (bonuses * squares)
        for seat in range(s.players):
            out[seat] += part * int(s.held[seat, c]) ** 2


@compiled
def paper_shares(s: Any, parameters: Any, out: Any) -> None:
    """Shares of armies, territory values, continents, income and control."""
    if settled(s, out):
        return
    troops = 0.0
    incomes = 0.0
    values = float(s.territories)
    for c in range(s.continents):
        values += s.bonus[c]
    for seat in range(s.players):
        troops += s.troops[seat]
        out[seat] = income(s, seat) if s.land[seat] > 0 else 0.0
        incomes += out[seat]
    total = 0.0
    for k in range(_FEATURES):
        total += parameters[k]
    scale = 100.0 / total
    for seat in range(s.players):
        # A territory is worth 1, and its part of the continent's bonus.
        value = float(s.land[seat])
        for c in range(s.continents):
            value += s.bonus[c] * s.held[seat, c] / s.members[c]
        out[seat] = scale * (
            parameters[_ARMIES] * s.troops[seat] / troops
            + parameters[_VALUES] * value / values
            + parameters[_INCOME] * out[seat] / incomes
        )
    share_continents(s, scale * parameters[_CONTINENTS], out)
    share_control(s, scale * parameters[_CONTROL], out)


paper = expected(paper_shares)


def make_army_land(
    game: RiskLite, *, armies: float, land: float, income: float
) -> CompiledEvaluator:
    weights = [armies, land, income]
    return CompiledEvaluator(
        game, army_land, leaf=army_land_shares, bounds=SHARES, parameters=weights
    )


def make_holdings(game: RiskLite, *, half: float) -> CompiledEvaluator:
    return CompiledEvaluator(
        game, holdings, leaf=holdings_now, bounds=Bounds(), parameters=[half], own_affairs=True
    )


def make_paper(
    game: RiskLite,
    *,
    armies: float,
    values: float,
    continents: float,
    income: float,
    control: float,
) -> CompiledEvaluator:
    weights = [armies, values, continents, income, control]
    return CompiledEvaluator(game, paper, leaf=paper_shares, bounds=SHARES, parameters=weights)
