"""The horizon in rounds, and play-outs with equal luck: on games whose impact is known."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from mpsearch.api.game_table import table
from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator, Game, SearchSpace
from mpsearch.errors import MoveError
from mpsearch.studies.impact import GameSample, make_surveys, survey_games
from mpsearch.studies.impact.playouts import ERROR, PlayoutProbe, effects, play_out
from mpsearch.studies.impact.probe import SearchProbe
from mpsearch.studies.impact.rounds import Rounds

SEATS, GOAL = 3, 30


class Turn(NamedTuple):
    scores: tuple[int, ...] = (0,) * SEATS
    seat: int = 0
    pot: int = 0
    rolling: bool = False
    rounds: int = 4


class Pig(Game):
    """Roll, and lose the pot on a 1, or hold and bank it; nobody can touch another's bank.

    The payoff is one's own bank after four rounds.
    """

    players = SEATS
    lists_chance = True

    def new(self) -> Turn:
        return Turn()

    def mover(self, state: Turn) -> int:
        if state.rounds == 0:
            return OVER
        return CHANCE if state.rolling else state.seat

    def moves(self, state: Turn) -> Sequence[str]:
        return ("roll", "hold") if state.pot < 12 else ("hold",)

    def play(self, state: Turn, move: Any) -> Turn:
        if state.rolling and move != 1:
            return state._replace(pot=state.pot + move, rolling=False)
        if move == "roll":
            return state._replace(rolling=True)
        scores = list(state.scores)
        scores[state.seat] += state.pot * (move == "hold")
        seat = (state.seat + 1) % SEATS
        return Turn(tuple(scores), seat, rounds=state.rounds - (seat == 0))

    def payoff(self, state: Turn) -> Array:
        return np.array(state.scores, dtype=np.float64)

    def chance(self, state: Turn) -> Sequence[tuple[int, float]]:
        return [(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)]

    def read(self, text: str) -> Any:
        raise MoveError(text)


class Hurt(Pig):
    """The same, but who holds takes a point from the next seat."""

    def play(self, state: Turn, move: Any) -> Turn:
        after = super().play(state, move)
        if move != "hold":
            return after
        scores = list(after.scores)
        scores[(state.seat + 1) % SEATS] -= 1
        return after._replace(scores=tuple(scores))


class Banked(Evaluator):
    bounds = Bounds()
    own_affairs = True
    decisive = False

    def values(self, state: Turn) -> Array:
        return np.array(state.scores, dtype=np.float64) + 20


def probe(game: Game, *, depth: int, rounds: bool) -> SearchProbe:
    space = SearchSpace(game=game, evaluator=Banked())
    return SearchProbe(space, depths=[depth], tolerance=1e-6, rounds=rounds)


STATES = [Turn(scores, 0, pot) for scores in ((0, 0, 0), (5, 3, 1)) for pot in (2, 6)]


def test_in_plies_tempo_looks_like_impact_and_in_rounds_it_does_not() -> None:
    variation = 0
    plies = [probe(Pig(), depth=4, rounds=False)(state) for state in STATES]
    rounds = [probe(Pig(), depth=1, rounds=True)(state) for state in STATES]
    assert all(look.touched[0, variation, 1:].any() for look in plies)
    assert not any(look.touched[0, variation].any() for look in rounds)
    assert all(look.variance[0, 0] > 0 for look in rounds)


def test_a_turn_that_goes_on_is_ended_as_soon_as_a_move_can_end_it() -> None:
    rounds = Rounds(SearchSpace(game=Pig(), evaluator=Banked()))
    begun = rounds.begin(Turn(pot=2), rounds=1)
    assert list(rounds.moves(begun)) == ["roll", "hold"]
    rolled = rounds.play(rounds.play(begun, "roll"), 2)
    assert rounds.mover(rolled) == 0
    assert list(rounds.moves(rolled)) == ["hold"]


def test_what_is_really_done_to_another_is_seen_in_rounds_too() -> None:
    for state in STATES:
        look = probe(Hurt(), depth=1, rounds=True)(state)
        assert look.touched[0, 0, 1]
        assert look.variance[0, 1] > 0


def test_with_equal_luck_play_outs_of_a_game_without_contact_differ_for_nobody() -> None:
    for state in STATES:
        looks = PlayoutProbe(SearchSpace(game=Pig(), evaluator=Banked()), 20, seed=3)
        look = looks(state)
        assert not look.touched.any()
        assert look.variance[0, 0] != 0
        assert np.abs(look.variance[0, 1:]).max() < 1e-12


def test_who_rolls_once_more_changes_no_choice_of_another() -> None:
    """The luck behind a seat's moves is nobody else's: seats 1 and 2, too."""
    for seat in (1, 2):
        looks = PlayoutProbe(SearchSpace(game=Pig(), evaluator=Banked()), 8, seed=3)
        variance = looks(Turn(seat=seat, pot=6, rounds=2)).variance[0]
        assert variance[seat] != 0
        assert np.abs(np.delete(variance, seat)).max() < 1e-12


def test_play_outs_see_what_is_done_to_another() -> None:
    look = PlayoutProbe(SearchSpace(game=Hurt(), evaluator=Banked()), 60, seed=3)(Turn(pot=6))
    assert look.touched[0, 0].tolist() == [False, True, False]


def test_a_play_out_depends_on_its_luck_alone() -> None:
    first, second, third = (play_out(Pig(), Turn(), luck).tolist() for luck in ([1], [1], [2]))
    assert first == second != third


class Pick(Pig):
    """Seat 0 picks one of four numbers, and gets it."""

    def mover(self, state: Turn) -> int:
        return OVER if state.pot else 0

    def moves(self, state: Turn) -> Sequence[Any]:
        return (1, 2, 3, 4)

    def play(self, state: Turn, move: int) -> Turn:
        return Turn((move, 0, 0), pot=move)


def test_a_play_out_plays_every_move_as_often() -> None:
    """Of 400 about 100 each; 4 standard errors are allowed."""
    picked = [int(play_out(Pick(), Turn(), [luck])[0]) for luck in range(400)]
    counts = [picked.count(number) for number in (1, 2, 3, 4)]
    assert sum(counts) == 400
    assert max(abs(count - 100) for count in counts) < 4 * (400 * 0.25 * 0.75) ** 0.5


def test_noise_is_taken_for_an_effect_no_more_often_than_said() -> None:
    """1500 states without any effect, by skewed results; 3 standard errors are allowed."""
    rng = np.random.default_rng(8)
    states = 1500
    found = [effects(rng.exponential(size=(4, 12, 3)))[0].any() for _ in range(states)]
    # Each of three seats has an error of half of what is allowed.
    allowed = 1.5 * ERROR
    assert np.mean(found) <= allowed + 3 * (allowed / states) ** 0.5


def test_variance_over_moves_has_no_noise_in_it() -> None:
    rng = np.random.default_rng(9)
    effect = np.array([-1.0, 0.0, 1.0])  # of variance 1
    noisy = (effect[:, None, None] + 3 * rng.normal(size=(3, 10, 2)) for _ in range(2000))
    found = [effects(results)[1][0] for results in noisy]
    assert np.mean(found) == pytest.approx(1.0, abs=0.15)


def test_effects_are_those_of_an_analysis_of_variance_by_the_textbook() -> None:
    """Sums of squares of all results, of the moves and of the luck; the rest is noise."""
    from scipy.stats import f

    rng = np.random.default_rng(10)
    moves, number, seats, states = 3, 4, 3, 300
    seen = 0
    for _ in range(states):
        effect = rng.normal(size=(moves, 1, seats)) * rng.uniform(0, 4)
        results = effect + rng.normal(size=(1, number, seats)) + rng.normal(size=(3, 4, seats))
        touched, variance = effects(results)
        for seat in range(seats):
            rows = results[:, :, seat].tolist()
            every = [x for row in rows for x in row]
            common = sum(every) ** 2 / len(every)
            by_move = sum(sum(row) ** 2 for row in rows) / number - common
            by_luck = sum(sum(column) ** 2 for column in zip(*rows, strict=True)) / moves - common
            rest = sum(x * x for x in every) - common - by_move - by_luck
            between, within = by_move / (moves - 1), rest / ((moves - 1) * (number - 1))
            limit = f.isf(ERROR / (seats - 1), moves - 1, (moves - 1) * (number - 1))
            assert touched[seat] == (between / within > limit)
            assert variance[seat] == pytest.approx((between - within) / number)
            seen += touched[seat]
    assert states / 4 < seen < states * seats * 3 / 4


def test_every_state_has_luck_of_its_own_and_a_seed_gives_the_same_again() -> None:
    """Else the noise of all states of a game would point the same way."""
    space = SearchSpace(game=Hurt(), evaluator=Banked())
    one, other = (PlayoutProbe(space, 5, seed=3) for _ in range(2))
    first, second = (one(Turn(pot=6)).variance.tolist() for _ in range(2))
    assert first != second
    assert [other(Turn(pot=6)).variance.tolist() for _ in range(2)] == [first, second]


def test_a_round_of_turns_of_one_ply_is_as_many_plies_as_there_are_seats() -> None:
    """With shares of a whole, where a search that may prune leaves bounds behind some moves."""
    place = table("scramble", players=3, length=6, plies=18)

    def seen(depth: int, horizon: str) -> Sequence[GameSample]:
        surveys = make_surveys(
            place, ["random"], games=2, depths=[depth], evaluator="share", horizon=horizon,
            seed=2, opening=0,
        )  # fmt: skip
        return list(survey_games([surveys]))

    for plies, rounds in zip(seen(3, "plies"), seen(1, "rounds"), strict=True):
        np.testing.assert_array_equal(plies.touched, rounds.touched)
        np.testing.assert_allclose(plies.variance, rounds.variance, rtol=1e-9)
