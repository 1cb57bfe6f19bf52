"""Worlds: as likely as enumeration says, possible, and without what a seat may not know."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.foreign import FILTER, GAMES, RESAMPLE  # noqa: E402
from mpsearch_openspiel.position import Position, Sight  # noqa: E402
from mpsearch_openspiel.worlds import reshuffled  # noqa: E402

from mpsearch.contracts import OVER  # noqa: E402
from mpsearch.table import table  # noqa: E402


def sight(game: Any, history: list[int], seat: int) -> Sight:
    inner = game.inner.new_initial_state()
    for action in history:
        inner.apply_action(action)
    known = inner.information_state_string(seat)
    return Sight(seat=seat, known=known, witness=Position(inner))


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
def test_reshuffled_worlds_are_all_that_agree_and_equally_likely(
    name: str, history: list[int], seat: int
) -> None:
    game: Any = table(name).game
    view = sight(game, history, seat)
    wanted = list(agreeing(game.inner.new_initial_state(), len(history), seat, view.known))
    rng, count = np.random.default_rng(7), 60 * len(wanted)
    drawn = Counter(reshuffled(game.inner, view, rng).history for _ in range(count))
    assert set(drawn) == set(wanted)
    # The greatest chi-square of a hundred thousand such tests would be about this.
    freedom = len(wanted) - 1
    off = sum((drawn[each] - 60) ** 2 / 60 for each in wanted)
    assert off < freedom + 4.5 * np.sqrt(2 * freedom) + 12


def at_ply(game: Any, plies: int, seed: int) -> Position:
    rng, state = np.random.default_rng(seed), game.new()
    for _ in range(plies):
        chance = game.mover(state) < 0
        state = game.play(
            state, game.draw(state, rng) if chance else int(rng.choice(game.moves(state)))
        )
    return state


def test_reshuffled_hearts_has_other_hidden_cards_and_a_possible_history() -> None:
    """After passing and four tricks, where some have shown that they are void."""
    game: Any = table("os_hearts").game
    state = at_ply(game, 53 + 12 + 16, 1)
    view = game.view(state, game.mover(state))
    rng = np.random.default_rng(3)
    worlds = [reshuffled(game.inner, view, rng) for _ in range(4)]
    assert all(game.view(world, view.seat) == view for world in worlds)
    assert len({world.history for world in [*worlds, state]}) == 5


def holders(game: Any, world: Position) -> dict[str, int]:
    """Which seat has each card that is in a hand, as every seat sees its own."""
    found: dict[str, int] = {}
    for seat in range(game.players):
        hand = world.inner.information_state_string(seat).partition("Hand:")[2]
        for line in hand.strip().splitlines()[:4]:
            suit, ranks = line.split()
            if ranks != "none":
                found |= {f"{suit}{rank}": seat for rank in ranks}
    return found


def test_reshuffled_worlds_are_no_more_like_the_truth_than_like_each_other() -> None:
    """Mean agreement of hands, over pairs; by chance it is off by 4 errors once in 15,000 tests."""
    game: Any = table("os_hearts").game
    rng, gaps = np.random.default_rng(4), []
    for seed in range(12):
        state = at_ply(game, 53 + 12 + 12, seed)
        view = game.view(state, game.mover(state))
        one, two, three = (holders(game, reshuffled(game.inner, view, rng)) for _ in range(3))
        truth = holders(game, state)
        assert truth.keys() == one.keys()
        likes = [
            np.mean([a[card] == b[card] for card in truth]) for a, b in ((truth, one), (two, three))
        ]
        gaps.append(likes[0] - likes[1])
    error = np.std(gaps, ddof=1) / np.sqrt(len(gaps))
    assert abs(np.mean(gaps)) < 4 * error


@pytest.mark.parametrize("name", ["os_hearts", "os_euchre", "os_oh_hell", "os_bridge"])
def test_every_seat_to_move_can_draw_a_world(name: str) -> None:
    """Also where OpenSpiel itself hardly ever draws a possible one."""
    game: Any = table(name).game
    rng, state = np.random.default_rng(11), game.new()
    while (mover := game.mover(state)) != OVER:
        if mover >= 0:
            view = game.view(state, mover)
            assert game.view(game.world(view, rng), mover) == view
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)


@pytest.mark.parametrize("name", [f"os_{g.name}" for g in GAMES if g.secrecy in (FILTER, RESAMPLE)])
def test_worlds_that_look_the_same_to_a_seat_are_observed_alike(name: str) -> None:
    """Numbers for learners hold nothing that the seat may not know."""
    game: Any = table(name).game
    rng, state = np.random.default_rng(5), game.new()
    while (mover := game.mover(state)) != OVER:
        if mover >= 0:
            view = game.view(state, mover)
            other = game.view(game.world(view, rng), mover)
            pair = [game.observation(each, mover) for each in (view, other)]
            assert np.array_equal(*pair)
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
