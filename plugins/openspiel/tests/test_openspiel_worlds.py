"""Worlds by filtering are as likely as enumeration says; none holds what a seat may not know."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.foreign import DEAL, FILTER, GAMES  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402
from mpsearch.contracts import OVER  # noqa: E402


def agreeing(inner: Any, plies: int, seat: int, known: str) -> Iterator[tuple[int, ...]]:
    """All histories of a length after which a seat knows that."""
    if len(inner.history()) == plies:
        if inner.information_state_string(seat) == known:
            yield tuple(inner.history())
    elif not inner.is_terminal():
        for action in inner.legal_actions():
            yield from agreeing(inner.child(action), plies, seat, known)


@pytest.mark.parametrize(
    ("name", "history", "seat"),
    [
        # Two of the three cards that seat 1 does not see are with others, one was not dealt.
        ("os_kuhn_poker", [0, 3, 1, 1], 1),
        # The same with eight cards, after a bet and two calls.
        ("os_leduc_poker", [5, 2, 0, 2, 1, 1], 2),
    ],
)
def test_filtered_worlds_are_all_that_agree_and_equally_likely(
    name: str, history: list[int], seat: int
) -> None:
    game: Any = table(name).game
    state = game.new()
    for action in history:
        state = game.play(state, action)
    view = game.view(state, seat)
    wanted = list(agreeing(game.inner.new_initial_state(), len(history), seat, str(view)))
    rng, count = np.random.default_rng(7), 60 * len(wanted)
    drawn = Counter(game.world(view, rng).history for _ in range(count))
    assert set(drawn) == set(wanted)
    # The greatest chi-square of a hundred thousand such tests would be about this.
    freedom = len(wanted) - 1
    off = sum((drawn[each] - 60) ** 2 / 60 for each in wanted)
    assert off < freedom + 4.5 * np.sqrt(2 * freedom) + 12


@pytest.mark.parametrize("name", [f"os_{g.name}" for g in GAMES if g.secrecy in (DEAL, FILTER)])
def test_states_that_look_the_same_to_a_seat_have_the_same_worlds_and_numbers(name: str) -> None:
    """So neither holds anything that the seat may not know."""
    game: Any = table(name).game
    rng, state = np.random.default_rng(5), game.new()
    while (mover := game.mover(state)) != OVER:
        if mover >= 0:
            view = game.view(state, mover)
            other = game.view(game.world(view, rng), mover)
            pair = [game.observation(each, mover) for each in (view, other)]
            assert np.array_equal(*pair)
            assert other == view
            one, two = (game.world(each, np.random.default_rng(8)) for each in (view, other))
            assert one == two
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
