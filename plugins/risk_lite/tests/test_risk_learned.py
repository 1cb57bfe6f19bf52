"""What a learned evaluator sees: the same from every seat."""

from typing import Any

import numpy as np
import pytest
from mpsearch_risk_lite.learned import CONTROL, INPUTS, LAND, MOST, OWN, TROOPS, look
from mpsearch_risk_lite.options import SEATS

from mpsearch.contracts import CHANCE, OVER
from mpsearch.plugins import installed


def new_game(players: int) -> Any:
    return installed().game("risk_lite", players=players)


def seen(game: Any, s: Any, seat: int) -> dict[int, float]:
    out = np.zeros((MOST, 2))
    count = int(look.plain(s, seat, out))
    assert len(set(out[:count, 0].tolist())) == count
    return {int(i): value for i, value in out[:count]}


def reached(game: Any, seed: int, plies: int) -> Any:
    rng, state = np.random.default_rng(seed), game.new()
    for _ in range(plies):
        moves = game.moves(state) if game.mover(state) != CHANCE else ()
        move = moves[int(rng.integers(len(moves)))] if moves else game.draw(state, rng)
        after = game.play(state, move)
        if game.mover(after) == OVER:
            break
        state = after
    return state


@pytest.mark.parametrize("players", [3, 6])
def test_seats_that_change_places_see_what_the_others_saw(players: int) -> None:
    game = new_game(players)
    for seed in range(3):
        here = game.record(reached(game, seed, 20))
        there = game.record(here.tobytes())
        for name in ("land", "troops", "held"):
            there[name][:players] = np.roll(here[name][:players], 1, axis=0)
        owned = here.owner < players
        there.owner[owned] = (here.owner[owned] + 1) % players
        there.mover = (here.mover + 1) % players
        for seat in range(players):
            first, second = seen(game, here, seat), seen(game, there, (seat + 1) % players)
            assert first.keys() == second.keys()
            assert [second[k] for k in first] == pytest.approx(list(first.values()))


def test_shares_add_up_and_armies_are_where_they_stand() -> None:
    game = new_game(4)
    s = game.record(reached(game, 5, 31))
    for seat in range(4):
        inputs = seen(game, s, seat)
        for first in (TROOPS, LAND, CONTROL):
            assert sum(inputs.get(first + k, 0) for k in range(SEATS)) == pytest.approx(1)
        mine = {t for t in range(game.size) if s.owner[t] == seat}
        assert {k - OWN for k in inputs if OWN <= k < OWN + 64} == mine
        assert max(inputs) < INPUTS


def test_compiled_and_plain_see_the_same() -> None:
    game = new_game(4)
    for plies in (1, 12, 40):
        state = reached(game, plies, plies)
        for seat in range(4):
            out = np.zeros((MOST, 2))
            count = int(look.on(game.records(state), seat, out))
            compiled = {int(i): value for i, value in out[:count]}
            assert compiled == pytest.approx(seen(game, game.record(state), seat))


def test_nothing_is_seen_before_the_deal() -> None:
    game = new_game(4)
    assert seen(game, game.record(game.new()), 2) == {}
