"""Worlds by filtering are as likely as enumeration says; none holds what a seat may not know."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.foreign import BY_NAME, DEAL, FILTER, GAMES  # noqa: E402
from mpsearch_openspiel.position import Position  # noqa: E402
from mpsearch_openspiel.worlds import Listing, filtered, listed  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402
from mpsearch.contracts import OVER  # noqa: E402
from mpsearch.plugins.catalog import installed  # noqa: E402
from mpsearch.testing import GAME_RULES  # noqa: E402
from mpsearch.testing.look_alikes import look_alikes  # noqa: E402


def seen_after(name: str, history: list[int], seat: int) -> tuple[Any, Any]:
    """A game, and what a seat sees after these actions."""
    game = table(name).game
    state = game.new()
    for action in history:
        state = game.play(state, action)
    return game, game.view(state, seat)


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
    game, view = seen_after(name, history, seat)
    wanted = list(agreeing(game.inner.new_initial_state(), len(history), seat, str(view)))
    rng, count = np.random.default_rng(7), 60 * len(wanted)
    drawn = Counter(game.world(view, rng).history for _ in range(count))
    assert set(drawn) == set(wanted)
    # The greatest chi-square of a hundred thousand such tests would be about this.
    freedom = len(wanted) - 1
    off = sum((drawn[each] - 60) ** 2 / 60 for each in wanted)
    assert off < freedom + 4.5 * np.sqrt(2 * freedom) + 12


@pytest.mark.parametrize(
    ("name", "history", "seat"),
    [
        ("os_kuhn_poker", [0, 3, 1, 1], 2),
        # The public card is among what the particles must leave.
        ("os_leduc_poker", [5, 2, 0, 1, 1, 1, 4], 2),
        # A signal is right nine times of ten: who is accused by it is the likely imposter.
        ("os_social_deduction", [1, 1], 1),
    ],
)
def test_worlds_that_are_not_listed_are_as_likely_as_those_that_are(
    name: str, history: list[int], seat: int
) -> None:
    game, view = seen_after(name, history, seat)
    known = listed(game.inner, view)
    assert known.states
    total = sum(known.weights)
    pairs = zip(known.states, known.weights, strict=True)
    wanted = {tuple(inner.history()): weight / total for inner, weight in pairs}
    rng, count = np.random.default_rng(7), max(300, 20 * len(wanted))
    drawn = Counter(filtered(game.inner, view, rng).history for _ in range(count))
    assert set(drawn) <= set(wanted)
    off = sum((drawn[each] - count * p) ** 2 / (count * p) for each, p in wanted.items())
    freedom = len(wanted) - 1
    assert off < freedom + 4.5 * np.sqrt(2 * freedom) + 12


@pytest.mark.parametrize("foreign", [g for g in GAMES if g.secrecy == FILTER], ids=lambda g: g.name)
def test_worlds_do_not_depend_on_the_views_asked_about_before(foreign: Any) -> None:
    """Along a game and beside it, there and back."""
    offer = installed().game_offer(f"os_{foreign.name}")
    made: list[Any] = [offer.new_game(players=foreign.players[1], options={}) for _ in range(2)]
    game, fresh = made
    rng, state = np.random.default_rng(13), game.new()
    views: list[Any] = []
    while (mover := game.mover(state)) != OVER and len(views) < 30:
        seat = mover if mover >= 0 else int(rng.integers(game.players))
        following = [game.play(state, move) for move in state.inner.legal_actions()]
        for number in rng.permutation(len(following))[:2].tolist():
            views.append(game.view(following[number], seat))
            state = following[number]
    drawn = [game.world(view, np.random.default_rng(3)) for view in views]
    back = [game.world(view, np.random.default_rng(3)) for view in reversed(views)]
    assert drawn == back[::-1]
    alone = []
    for view in views:
        fresh.__setstate__(fresh.__getstate__())
        alone.append(fresh.world(view, np.random.default_rng(3)))
    assert drawn == alone


def test_worlds_that_are_listed_anew_are_those_of_the_view_before_played_on() -> None:
    game: Any = table("os_leduc_poker").game
    rng, state, seen = np.random.default_rng(2), game.new(), 0
    before: dict[int, Listing] = {}
    while (mover := game.mover(state)) != OVER:
        for seat in range(game.players):
            view = game.view(state, seat)
            anew, on = listed(game.inner, view), listed(game.inner, view, before.get(seat))
            assert anew.states is not None
            assert on.states is not None
            assert [s.history() for s in on.states] == [s.history() for s in anew.states]
            assert (on.weights, on.tried) == (anew.weights, anew.tried)
            before[seat], seen = on, seen + len(on.states)
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
    assert seen > 500


def histories(inner: Any, without: int | None) -> Iterator[Any]:
    """Every state of a game; `without` an action that makes too many."""
    yield inner
    if not inner.is_terminal():
        for action in inner.legal_actions():
            if inner.is_chance_node() or action != without:
                yield from histories(inner.child(action), without)


@pytest.mark.parametrize(
    ("name", "players", "options", "without"),
    [
        ("os_blotto", 3, {"coins": 4}, None),
        ("os_goofspiel", 3, {"num_cards": 3, "points_order": "descending"}, None),
        # Nobody raises.
        ("os_repeated_leduc_poker", 2, {"num_hands": 1}, 2),
    ],
)
def test_what_is_called_shown_is_what_openspiel_tells_a_seat(
    name: str, players: int, options: dict[str, Any], without: int | None
) -> None:
    """In every state: seats that were told the same have the same view."""
    game: Any = installed().game_offer(name).new_game(players=players, options=options)
    views: dict[Any, Any] = {}
    shown = 0
    for inner in histories(game.inner.new_initial_state(), without):
        for seat in range(players):
            view = game.view(Position.of(inner), seat)
            assert views.setdefault((seat, view.known, view.own), view.shown) == view.shown
            shown += len(view.shown) > 0
    assert shown > 400


def test_the_responder_of_colored_trails_is_told_which_proposals_were_made() -> None:
    """On every board each proposal reads differently, whatever the other one is."""
    game: Any = table("os_colored_trails").game
    deal = game.inner.new_initial_state()
    read: set[str] = set()
    for board, _ in deal.chance_outcomes():
        first = deal.child(board)
        left = first.legal_actions()
        right = first.child(left[0]).legal_actions()
        pairs = [(a, right[0]) for a in left] + [(left[0], b) for b in right[1:]]
        texts = {first.child(a).child(b).information_state_string(2) for a, b in pairs}
        assert len(texts) == len(pairs)
        assert not read & texts
        read |= texts


@pytest.mark.parametrize("foreign", [g for g in GAMES if g.secrecy == FILTER], ids=lambda g: g.name)
def test_worlds_are_found_with_the_most_players(foreign: Any) -> None:
    offer = installed().game_offer(f"os_{foreign.name}")
    game: Any = offer.new_game(players=foreign.players[1], options={})
    rng, state, ply = np.random.default_rng(11), game.new(), 0
    while (mover := game.mover(state)) != OVER and ply < 60:
        seat = mover if mover >= 0 else int(rng.integers(game.players))
        if ply % 3 == 0 or foreign.players[1] == 3:
            view = game.view(state, seat)
            assert game.view(game.world(view, rng), seat) == view
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state, ply = game.play(state, move), ply + 1
    view = game.view(state, 1)  # at the end more may be shown than anybody could guess
    assert game.view(game.world(view, rng), 1) == view


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


def counts(name: str) -> list[int]:
    foreign = BY_NAME[name]
    return list(foreign.counts) or list(range(foreign.players[0], foreign.players[1] + 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [(g.name, n) for g in GAMES if g.secrecy in (DEAL, FILTER) for n in counts(g.name)],
)
def test_no_seat_is_told_more_than_its_view(name: str, players: int) -> None:
    game: Any = installed().game_offer(f"os_{name}").new_game(players=players, options={})
    compared = Counter(pair.seat for seed in (1, 2) for pair in look_alikes(game, seed, 60))
    assert set(compared) == set(range(players))
    for seed in (1, 2):
        GAME_RULES["equal_views_are_told_the_same"](game, seed, 60)
