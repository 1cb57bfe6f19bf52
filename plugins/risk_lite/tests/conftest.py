"""A second, slow implementation of Risk-lite that shares no code with the first."""

from __future__ import annotations

import functools
import itertools
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from mpsearch_risk_lite.game import RiskLite

from mpsearch import testing
from mpsearch.contracts import Move, State
from mpsearch.plugins.catalog import installed

MAPS = Path(__file__).parent.parent / "src" / "mpsearch_risk_lite" / "maps"

# What the fixtures below hand to tests.
NewGame: TypeAlias = Callable[..., RiskLite]
Walk: TypeAlias = Callable[[RiskLite, int], Iterator[tuple[State, Move, State]]]
CountThrows: TypeAlias = Callable[[int, int], dict[tuple[int, int], Fraction]]
SlowBattle: TypeAlias = Callable[[int, int], dict[tuple[int, int], float]]


@functools.cache
def dice_odds(attack: int, defend: int) -> dict[tuple[int, int], Fraction]:
    """Losses (attacker, defender) of one throw, by counting all of them."""
    counts: dict[tuple[int, int], int] = {}
    faces = range(1, 7)
    for throw in itertools.product(faces, repeat=attack + defend):
        ours = sorted(throw[:attack], reverse=True)
        theirs = sorted(throw[attack:], reverse=True)
        lost = sum(a <= d for a, d in zip(ours, theirs, strict=False))
        pairs = min(attack, defend)
        counts[lost, pairs - lost] = counts.get((lost, pairs - lost), 0) + 1
    return {key: Fraction(n, 6 ** (attack + defend)) for key, n in counts.items()}


@functools.cache
def battle_odds(attackers: int, defenders: int) -> dict[tuple[int, int], float]:
    """How a battle to the end ends: (attackers, defenders) left."""
    if attackers == 0 or defenders == 0:
        return {(attackers, defenders): 1.0}
    result: dict[tuple[int, int], float] = {}
    throws = dice_odds(min(attackers, 3), min(defenders, 2))
    for (lost, killed), p in throws.items():
        for end, q in battle_odds(attackers - lost, defenders - killed).items():
            result[end] = result.get(end, 0.0) + float(p) * q
    return result


class Oracle:
    """Risk-lite by names and dictionaries, straight from the README."""

    def __init__(self, map_name: str, players: int, reach: int, rounds: int) -> None:
        document = tomllib.loads((MAPS / f"{map_name}.toml").read_text())
        self.near = {name: t["borders"] for name, t in document["territories"].items()}
        self.home = {name: t["continent"] for name, t in document["territories"].items()}
        self.bonus = {name: c["bonus"] for name, c in document["continents"].items()}
        self.names = list(self.near)
        self.players, self.reach, self.rounds = players, reach, rounds
        self.round = 0
        self.mover = 0
        self.over = False
        self.owner: dict[str, int] = {}
        self.armies: dict[str, int] = {}
        self.path: list[str] = []

    def deal(self, text: str) -> None:
        pairs = [pair.split("x") for pair in text.removeprefix("deal=").split(",")]
        self.owner = {n: int(p[0]) for n, p in zip(self.names, pairs, strict=True)}
        self.armies = {n: int(p[1]) for n, p in zip(self.names, pairs, strict=True)}

    def income(self, seat: int) -> int:
        mine = {n for n in self.names if self.owner[n] == seat}
        extra = 0
        for continent, bonus in self.bonus.items():
            if {n for n in self.names if self.home[n] == continent} <= mine:
                extra += bonus
        return max(3, len(mine) // 3) + extra

    def campaigns(self) -> set[str]:
        found = set()

        def follow(path: list[str], free: int) -> None:
            found.add(">".join(path))
            if len(path) - 1 == min(self.reach, free):
                return
            for n in self.near[path[-1]]:
                if self.owner[n] != self.mover and n not in path:
                    follow([*path, n], free)

        for n in self.names:
            if self.owner[n] == self.mover:
                follow([n], min(250, self.armies[n] + self.income(self.mover)) - 1)
        return found

    def campaign(self, text: str) -> None:
        path = text.split(">")
        self.armies[path[0]] = min(250, self.armies[path[0]] + self.income(self.mover))
        self.path = path
        if len(path) == 1:
            self.end_turn()

    def outcomes(self) -> dict[str, float]:
        """The full distribution of the campaign under way, by text."""
        result: dict[str, float] = {}

        def go_on(free: int, step: int, p: float) -> None:
            rest = sum(self.armies[n] for n in self.path[step + 1 :])
            for (a, d), q in battle_odds(free, self.armies[self.path[step]]).items():
                if d > 0:
                    key = f"stalled={d + rest}"
                elif step + 1 == len(self.path):
                    key = f"arrived={a}"
                else:
                    go_on(a - 1, step + 1, p * q)
                    continue
                result[key] = result.get(key, 0.0) + p * q

        go_on(self.armies[self.path[0]] - 1, 1, 1.0)
        return result

    def outcome(self, text: str) -> None:
        kind, number = text.split("=")
        before = self.path[0]
        self.armies[before] = 1
        left = int(number) if kind == "stalled" else 0
        for step, n in enumerate(self.path[1:], start=1):
            later = sum(self.armies[m] for m in self.path[step + 1 :])
            if left > later:
                self.armies[n] = left - later
                break
            self.owner[n], self.armies[n] = self.mover, 1
        else:
            self.armies[self.path[-1]] = int(number)
        self.end_turn()

    def inland(self, n: str) -> bool:
        return all(self.owner[m] == self.owner[n] for m in self.near[n])

    def end_turn(self) -> None:
        mine = [n for n in self.names if self.owner[n] == self.mover]
        if len(mine) == len(self.names):
            self.over = True
            return
        for n in mine:
            if self.inland(n) and self.armies[n] > 1:
                front = self.nearest_front(n)
                moved = min(self.armies[n] - 1, 250 - self.armies[front])
                self.armies[n] -= moved
                self.armies[front] += moved
        while True:
            self.mover += 1
            if self.mover == self.players:
                self.mover, self.round = 0, self.round + 1
            if self.mover in self.owner.values():
                break
        self.over = self.round >= self.rounds

    def nearest_front(self, start: str) -> str:
        steps = {start: 0}
        queue = [start]
        for n in queue:
            for m in self.near[n]:
                if self.owner[m] == self.owner[start] and m not in steps:
                    steps[m] = steps[n] + 1
                    queue.append(m)
        fronts = [n for n in steps if not self.inland(n)]
        return min(fronts, key=lambda n: (steps[n], self.names.index(n)))


@pytest.fixture(scope="session")
def oracle() -> type[Oracle]:
    return Oracle


@pytest.fixture(scope="session")
def count_throws() -> CountThrows:
    return dice_odds


@pytest.fixture(scope="session")
def slow_battle() -> SlowBattle:
    return battle_odds


@pytest.fixture(scope="session")
def new_game() -> NewGame:
    """new_game(**settings): Risk-lite as it is installed."""

    def make(**settings: Any) -> RiskLite:
        game = installed().game("risk_lite", **settings)
        assert isinstance(game, RiskLite)
        return game

    return make


@pytest.fixture(scope="session")
def walk() -> Walk:
    """A random game as (state, move, state after); the same for the same seed."""

    def steps(game: RiskLite, seed: int) -> Iterator[tuple[State, Move, State]]:
        for before, after in itertools.pairwise(testing.walk(game, seed, plies=10_000)):
            yield before.state, before.move, after.state

    return steps


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(17)
