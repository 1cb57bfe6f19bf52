"""Go Fish in lock-step with the plain rules, and the same without the JIT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mpsearch_calibration.go_fish.state import DRAWN, MOST_RANKS
from support.plain import same_digest

from mpsearch import load_catalog
from mpsearch.contracts import CHANCE, OVER

if TYPE_CHECKING:
    from .conftest import Slow, Table

SETTINGS: list[dict[str, Any]] = [
    {},
    {"ask": "held"},
    {"players": 2, "ranks": 2, "hand": 4},
    {"players": 4, "ranks": 5, "hand": 5, "asks": 40},
    {"players": 4, "ranks": 13, "hand": 13, "ask": "held"},
    {"players": 3, "ranks": 3, "hand": 1, "asks": 6},
]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_random_games_go_as_by_the_plain_rules(slow: type[Slow], options: dict[str, Any]) -> None:
    game = slow.fish(**options)
    collected = load_catalog().evaluators["go_fish"]["collected"].make(game)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        deal = game.draw(game.new(), rng)
        assert isinstance(deal, tuple)
        state = game.play(game.new(), deal)
        ask = options.get("ask", "any")
        history = slow.History(deal, ranks=game.ranks, asks=game.asks, ask=ask)
        while True:
            table = history.table
            assert slow.table_of(game, state, table) == table
            over = not table.asks_left or sum(map(len, table.books)) == game.ranks
            expected = OVER if over else CHANCE if table.draws else table.seat
            assert game.mover(state) == expected
            assert collected.values(state).tolist() == pytest.approx(worth(table, over), abs=1e-12)
            if over:
                break
            if table.draws:
                move = game.draw(state, rng)
                assert isinstance(move, int)
                history.happens(None, move - DRAWN)
            else:
                moves = game.moves(state)
                assert [divmod(m, MOST_RANKS) for m in moves] == table.questions(ask)
                move = moves[int(rng.integers(len(moves)))]
                history.happens(*divmod(move, MOST_RANKS))
            state = game.play(state, move)
        assert game.payoff(state).tolist() == [len(made) for made in table.books]


def worth(table: Table, over: bool) -> list[float]:
    """Percent of the deck: 4 cards for a book, n * n / 4 for n cards; 100 for who has won."""
    books = [len(made) for made in table.books]
    cards = [
        4 * made + sum(n * n for n in hand) / 4
        for made, hand in zip(books, table.hands, strict=True)
    ]
    won = over and max(books) > min(books)
    return [
        100 if won and made == max(books) else 100 * points / (4 * len(table.stock))
        for made, points in zip(books, cards, strict=True)
    ]


SCRIPT = """
import hashlib
import numpy as np
from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import OVER, Turn
catalog = load_catalog()
digest = hashlib.sha256()
for options in ({}, {"ask": "held", "ranks": 6}):
    game = catalog.game("go_fish", **options)
    collected = catalog.evaluators["go_fish"]["collected"].make(game)
    agent = make_agent(catalog, "go_fish", game, "maxn:depth=2,worlds=2")
    rng = np.random.default_rng(4)
    state = game.new()
    number = 0
    while (seat := game.mover(state)) != OVER and number < 60:
        number += 1
        if seat < 0:
            state = game.play(state, game.draw(state, rng))
            continue
        world = game.world(game.view(state, seat), rng)
        digest.update(world + collected.values(world).tobytes())
        moves = tuple(game.moves(state))
        if number % 9 == 7:
            turn = Turn(seat=seat, view=game.view(state, seat), moves=moves)
            decision = agent.choose(turn, agent.start(seat, rng), np.random.default_rng(number))
            digest.update(repr((decision.move, decision.nodes)).encode())
        state = game.play(state, moves[int(rng.integers(len(moves)))])
        digest.update(state)
print(digest.hexdigest())
"""


def test_games_worlds_and_choices_are_the_same_without_the_jit() -> None:
    same_digest(SCRIPT)
