"""Rules: step by step against the slow second implementation, and over many random games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_risk_lite.game import RiskLite

from mpsearch.contracts import CHANCE, OVER, State, winners
from mpsearch.errors import UsageError

if TYPE_CHECKING:
    from .conftest import NewGame, Oracle, Walk


def _compare(game: RiskLite, state: State, mirror: Oracle) -> None:
    s = game.record(state)
    names = mirror.names
    assert {n: int(s.owner[i]) for i, n in enumerate(names)} == mirror.owner
    assert {n: int(s.armies[i]) for i, n in enumerate(names)} == mirror.armies
    for seat in range(game.players):
        mine = [n for n in names if mirror.owner[n] == seat]
        assert s.land[seat] == len(mine)
        assert s.troops[seat] == sum(mirror.armies[n] for n in mine)
    assert (game.mover(state) == OVER) == mirror.over
    if not mirror.over and game.mover(state) != CHANCE:
        assert game.mover(state) == mirror.mover
        assert s.rounds_played == mirror.round


@pytest.mark.parametrize(
    ("map_name", "players", "reach", "seed"),
    [("classic", 6, 2, 1), ("woodland", 4, 4, 2), ("straits", 3, 4, 3), ("straits", 6, 1, 4)],
)
def test_random_games_follow_the_slow_rules(
    new_game: NewGame,
    walk: Walk,
    oracle: type[Oracle],
    map_name: str,
    players: int,
    reach: int,
    seed: int,
) -> None:
    game = new_game(map=map_name, players=players, reach=reach, rounds=40)
    mirror = oracle(map_name, players, reach, 40)
    for state, move, after in walk(game, seed):
        text = game.write(move)
        if state == game.new():
            mirror.deal(text)
        elif game.mover(state) == CHANCE:
            mirror.outcome(text)
        else:
            legal = [game.write(m) for m in game.moves(state)]
            assert len(set(legal)) == len(legal)
            assert set(legal) == mirror.campaigns()
            mirror.campaign(text)
        if game.mover(after) != CHANCE:
            _compare(game, after, mirror)
    assert mirror.over


def _check_random_game(game: RiskLite, walk: Walk, seed: int) -> bool:
    """Exactly one winner, no dead player moves, nothing appears or vanishes unsaid."""
    gone: set[int] = set()
    for state, _move, after in walk(game, seed):
        before, s = game.record(state), game.record(after)
        mover = game.mover(state)
        assert mover not in gone
        if state == game.new():
            assert (s.troops[: game.players] == game.troops).all()
            assert s.land[: game.players].max() - s.land[: game.players].min() <= 1
        elif mover == CHANCE:
            assert s.troops.sum() <= before.troops.sum()
            others = [q for q in range(game.players) if q != before.mover]
            assert (s.land[others] <= before.land[others]).all()
            assert (s.troops[others] <= before.troops[others]).all()
        else:
            grown = int(s.troops.sum() - before.troops.sum())
            assert grown >= 0
            assert s.troops[mover] - before.troops[mover] == grown
        assert s.land.sum() == game.size
        assert s.armies[: game.size].min() >= 1
        assert s.armies.max() <= 250
        assert s.troops.sum() == s.armies.sum()
        gone = {q for q in range(game.players) if s.land[q] == 0}
        assert gone == {q for q in range(game.players) if s.troops[q] == 0}
    payoff = game.payoff(after)
    assert sorted(payoff.tolist()) == [0] * (game.players - 1) + [1]
    if s.land.max() == game.size:
        assert winners(payoff) == [int(np.argmax(s.land))]
    else:
        assert s.rounds_played == game.rounds
        keys = [(int(s.land[q]), int(s.troops[q])) for q in range(game.players)]
        best = [q for q, key in enumerate(keys) if key == max(keys)]
        assert winners(payoff) == best[-1:]
    return bool(s.land.max() == game.size)


def test_a_hundred_random_six_seat_games_keep_every_promise(new_game: NewGame, walk: Walk) -> None:
    game = new_game(map="straits")
    conquered = [_check_random_game(game, walk, seed) for seed in range(100)]
    assert any(conquered)


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_random_six_seat_games_on_the_classic_map_keep_every_promise(
    new_game: NewGame, walk: Walk, hundred: int
) -> None:
    game = new_game()
    seeds = range(100 * hundred, 100 * hundred + 100)
    conquered = [_check_random_game(game, walk, seed) for seed in seeds]
    assert any(conquered)
    assert not all(conquered)


def _dealt(game: RiskLite, owners: list[int], armies: list[int]) -> State:
    return game.play(game.new(), tuple(zip(owners, armies, strict=True)))


def test_an_eliminated_seat_is_skipped(new_game: NewGame) -> None:
    game = new_game(map="straits", players=3)
    owners = [0] * 11 + [2]
    owners[1] = 1
    state = _dealt(game, owners, [9, 1] + [1] * 10)
    state = game.play(state, game.read("fjord>heath"))
    arrived = max(outcome for outcome, _ in game.chance(state))
    state = game.play(state, arrived)
    assert game.record(state).land.tolist()[:3] == [11, 0, 1]
    assert game.mover(state) == 2


def test_the_last_conquest_ends_the_game(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    state = _dealt(game, [0, 1] + [0] * 10, [9] + [1] * 11)
    state = game.play(state, game.read("fjord>heath"))
    state = game.play(state, max(outcome for outcome, _ in game.chance(state)))
    assert game.mover(state) == OVER
    assert game.payoff(state).tolist() == [1, 0]


def test_the_round_limit_is_decided_by_land_then_armies_then_the_later_seat(
    new_game: NewGame,
) -> None:
    game = new_game(map="straits", players=2, rounds=1)

    def result(owners: list[int], armies: list[int]) -> tuple[list[float], str]:
        state = _dealt(game, owners, armies)
        for _ in range(2):
            own = [t for t, owner in enumerate(owners) if owner == game.mover(state)]
            state = game.play(state, own[0])
        assert game.mover(state) == OVER
        return game.payoff(state).tolist(), game.picture(state).splitlines()[0]

    even = [0, 1] * 6
    assert result([0, *even[1:11], 0], [1] * 12)[0] == [1, 0]
    assert result(even, [1] * 11 + [2])[0] == [0, 1]
    payoff, headline = result(even, [1] * 12)
    assert payoff == [0, 1]
    assert "round limit 1 reached; seat 1 is strongest and wins" in headline


def test_armies_without_a_foe_march_to_the_nearest_border(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    # Seat 1 holds only lagoon; fjord is deep inland.
    owners = [int(land.name == "lagoon") for land in game.world_map.territories]
    state = _dealt(game, owners, [1] * 12)
    s = game.record(game.play(state, game.read("fjord")))
    armies = {t.name: int(s.armies[i]) for i, t in enumerate(game.world_map.territories)}
    # Income is 11 // 3 and twice 2 for north and south; fjord, heath, atoll is the short way.
    assert armies == {name: 8 if name == "atoll" else 1 for name in armies}


@pytest.mark.parametrize(("bonus", "armies"), [(0, 4), (1, 8), (3, 16)])
def test_bonuses_are_so_many_times_as_great(new_game: NewGame, bonus: int, armies: int) -> None:
    """Where the test above has 8 armies: 1, 11 // 3, and twice 2 for north and south."""
    game = new_game(map="straits", players=2, bonus=bonus)
    owners = [int(land.name == "lagoon") for land in game.world_map.territories]
    s = game.record(game.play(_dealt(game, owners, [1] * 12), game.read("fjord")))
    assert max(s.armies) == armies


def test_a_full_territory_takes_no_more_armies(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    state = _dealt(game, [0, 1] * 6, [249] + [1] * 11)
    s = game.record(game.play(state, game.read("fjord")))
    assert s.armies[0] == 250
    assert s.troops[0] == 249 + 5 + 1


def test_a_forced_lead_is_armies_of_the_leader_beyond_the_others(new_game: NewGame) -> None:
    even, ahead = new_game(players=6), new_game(players=6, lead=10)
    rng = np.random.default_rng(4)
    for _ in range(20):
        deal = ahead.draw(ahead.new(), rng)
        armies = [sum(n for owner, n in deal if owner == seat) for seat in range(6)]
        assert armies == [30, 20, 20, 20, 20, 20]
        lands = [[n for owner, n in deal if owner == seat] for seat in range(6)]
        assert all(max(own) - min(own) <= 1 and len(own) == 7 for own in lands)
        assert ahead.possible(ahead.new(), deal)
        assert not even.possible(even.new(), deal)
    assert new_game(players=3, lead=5, leader=2).troops == (35, 35, 40)
    with pytest.raises(UsageError, match="leader=3: seats are 0 to 2"):
        new_game(players=3, lead=5, leader=3)
    # The same territories for the same seed: the lead changes nothing else.
    one, two = (game.draw(game.new(), np.random.default_rng(9)) for game in (even, ahead))
    assert [owner for owner, _ in one] == [owner for owner, _ in two]
