"""Games of tricks: worlds are exactly those that OpenSpiel's own rules allow, equally likely.

The oracle knows no rule of any game. It moves hidden cards of a history about in every way, and
asks OpenSpiel whether what follows is legal and looks the same to the seat.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.deals import Deals, Place, below  # noqa: E402
from mpsearch_openspiel.position import Position  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402
from mpsearch.contracts import OVER  # noqa: E402
from mpsearch.errors import ContractError  # noqa: E402

#: How many draws of every world there are to be, and of all at most.
EACH, MOST = 20, 3000


def is_even(found: Counter[Any], wanted: list[Any]) -> bool:
    """Whether chi-square is below what one in a hundred thousand tests exceeds, about."""
    assert set(found) <= set(wanted)
    expected = found.total() / len(wanted)
    off = sum((found[each] - expected) ** 2 / expected for each in wanted)
    freedom = len(wanted) - 1
    return bool(off < freedom + 4.5 * np.sqrt(2 * freedom) + 12)


def filled(pack: range, places: list[Place]) -> Iterator[tuple[frozenset[int], ...]]:
    """All ways to fill places, by trying all."""
    for where in itertools.product(range(len(places)), repeat=len(pack)):
        parts = [
            {c for c, w in zip(pack, where, strict=True) if w == i} for i in range(len(places))
        ]
        fits = (
            len(part) == place.size
            and place.sure <= part
            and not (part - place.sure) & place.banned
            for part, place in zip(parts, places, strict=True)
        )
        if all(fits):
            yield tuple(map(frozenset, parts))


@pytest.mark.parametrize("seed", range(12))
def test_deals_are_all_that_fit_and_equally_likely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pack = range(int(rng.integers(6, 9)))
    # A way that fits, and places that know some of it.
    where = rng.integers(4, size=len(pack))
    places = []
    for number in range(4):
        there = {c for c in pack if where[c] == number}
        sure = frozenset(c for c in there if rng.random() < 0.15)
        banned = frozenset(c for c in pack if c not in there and rng.random() < 0.3)
        places.append(Place(size=len(there), sure=sure, banned=banned))
    deals, wanted = Deals(pack, places), list(filled(pack, places))
    assert deals.number == len(wanted)
    drawn = (tuple(map(frozenset, deals.draw(rng))) for _ in range(EACH * len(wanted)))
    assert is_even(Counter(drawn), wanted)


def test_cards_that_fit_nowhere_are_an_error() -> None:
    places = [Place(size=1, banned=frozenset({0})), Place(size=1, banned=frozenset({0}))]
    with pytest.raises(ContractError, match="no way to deal"):
        Deals(range(2), places)


def test_numbers_beyond_a_word_are_drawn_evenly() -> None:
    rng, number = np.random.default_rng(1), 3 * 2**80
    drawn = [below(number, rng) for _ in range(3000)]
    assert all(0 <= each < number for each in drawn)
    assert is_even(Counter(6 * each // number for each in drawn), list(range(6)))
    assert {below(1, rng) for _ in range(5)} == {0}


@attrs.frozen
class Late:
    """A position so many plies before the end of a random game."""

    name: str
    before_end: int
    seed: int
    options: dict[str, Any] = attrs.field(factory=dict)
    #: Cards that are played last.
    kept: frozenset[int] = frozenset()

    def reached(self) -> tuple[Any, Any]:
        game: Any = table(self.name, **self.options).game
        rng, states = np.random.default_rng(self.seed), [game.new()]
        while game.mover(states[-1]) != OVER:
            states.append(game.play(states[-1], one_of(game, states[-1], rng, self.kept)))
        return game, states[-1 - self.before_end]


def one_of(
    game: Any, state: Any, rng: np.random.Generator, kept: frozenset[int] = frozenset()
) -> int:
    if game.mover(state) < 0:
        return int(game.draw(state, rng))
    moves = game.moves(state)
    return int(rng.choice([move for move in moves if move not in kept] or moves))


Heaps = dict[int, str]


def layout(name: str, history: tuple[int, ...], players: int) -> tuple[Heaps, set[int]]:
    """Every card that was not played and where it lies, and the plies at which none is shown."""
    sizes = {"os_bridge": (0, 52, 52), "os_hearts": (1, 52, 52), "os_euchre": (1, 20, 24)}
    start, dealt, pack = sizes.get(name, (2, players * history[0], 12))
    secret, play = set(range(start, start + dealt)), start + dealt
    heaps = dict.fromkeys(range(pack), "rest")
    # In euchre the dealer is dealt the first card.
    first = history[0] if name == "os_euchre" else 0
    heaps |= {history[ply]: f"seat {(first + ply - start) % players}" for ply in secret}
    if name == "os_hearts" and history[0]:
        passes, play = range(play, play + 12), play + 12
        heaps |= {history[p]: f"seat {((p - 53) // 3 + history[0]) % 4}" for p in passes}
        secret |= set(passes)
    if name == "os_euchre":
        call = next(ply for ply in range(play + 1, len(history)) if history[ply] != 24)
        if call - play <= 4:
            heaps |= {history[play]: f"seat {first}", history[call + 1]: "away"}
            secret.add(call + 1)
        play = call + 2
    # Calls and bids have numbers that no card has.
    for action in history[play + (1 if name == "os_oh_hell" else 0) :]:
        heaps.pop(action, None)
    return heaps, secret


def parted(cards: list[int], sizes: list[int]) -> Iterator[list[set[int]]]:
    """All ways to part cards in heaps of these sizes."""
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        yield from ([set(chosen), *more] for more in parted(rest, sizes[1:]))


def played(game: Any, history: tuple[int, ...]) -> Any:
    """The state after a history, None if it is illegal."""
    inner = game.inner.new_initial_state()
    for action in history:
        if inner.is_terminal() or action not in inner.legal_actions():
            return None
        inner.apply_action(action)
    return inner


def agreeing(name: str, game: Any, state: Any, seat: int) -> dict[Any, Position]:
    """A state for each way in which the cards may lie, for all that a seat is told."""
    history, known = state.history, state.inner.information_state_string(seat)
    heaps, secret = layout(name, history, game.players)
    own = {f"seat {seat}"}
    if name == "os_euchre" and history[0] == seat:
        # OpenSpiel does not tell the dealer again what it laid away.
        own.add("away")
    others = sorted(set(heaps.values()) - own)
    parts = [{card for card in heaps if heaps[card] == heap} for heap in others]
    found = {}
    for filled_in in parted(sorted(set().union(*parts)), [len(part) for part in parts]):
        becomes: dict[int, int] = {}
        for before, after in zip(parts, filled_in, strict=True):
            # What stays in a heap stays the same card: it may be one that the seat passed on.
            becomes |= zip(sorted(before - after), sorted(after - before), strict=True)
        other = tuple(
            becomes.get(action, action) if ply in secret else action
            for ply, action in enumerate(history)
        )
        inner = played(game, other)
        if inner is not None and inner.information_state_string(seat) == known:
            found[lying(name, other, game.players)] = Position.of(inner)
    return found


def lying(name: str, history: tuple[int, ...], players: int) -> Any:
    return tuple(sorted(layout(name, history, players)[0].items()))


#: Hearts and the queen of spades.
POINTS = frozenset(range(2, 52, 4)) | {43}
SMALL = {"num_suits": 3, "num_cards_per_suit": 4, "num_tricks_fixed": 3}
LATE = [
    # Cards go to all three others in turn, and to none.
    *(Late("os_hearts", 12, seed) for seed in (2, 0, 4, 3)),
    # Hearts are led by those who have nothing else, before any was played.
    *(Late("os_hearts", before, seed, kept=POINTS) for before, seed in ((12, 5), (11, 20))),
    Late("os_hearts", 12, 3, {"pass_cards": False}),
    Late("os_hearts", 12, 5, {"must_break_hearts": False, "no_pts_on_first_trick": False}),
    *(Late("os_euchre", 5, seed) for seed in (0, 1, 2, 6)),
    *(Late("os_bridge", 13, seed) for seed in (0, 1)),
    *(Late("os_oh_hell", before, before, SMALL) for before in range(4, 8)),
]


@pytest.mark.parametrize(
    "late", LATE, ids=lambda late: f"{late.name}-{late.seed}-{late.before_end}"
)
def test_worlds_late_in_a_deal_are_all_that_agree_and_equally_likely(late: Late) -> None:
    game, state = late.reached()
    seat = game.mover(state)
    view = game.view(state, seat)
    wanted = agreeing(late.name, game, state, seat)
    assert lying(late.name, state.history, game.players) in wanted
    rng, count = np.random.default_rng(7), min(EACH * len(wanted), MOST)
    worlds = [game.world(view, rng) for _ in range(count)]
    found = Counter(lying(late.name, world.history, game.players) for world in worlds)
    assert is_even(found, list(wanted))
    # What is true makes no difference: whatever agrees with the view has the same worlds.
    for other in list(wanted.values())[:: 1 + len(wanted) // 10]:
        again = game.view(other, seat)
        assert again == view
        assert game.world(again, np.random.default_rng(3)) == game.world(
            view, np.random.default_rng(3)
        )


def test_who_gives_points_to_the_first_trick_has_nothing_else() -> None:
    """Seat 1 has twelve hearts and the queen; seat 2 sees one of them on the two of clubs."""
    game: Any = table("os_hearts").game
    points = sorted(POINTS)
    others = [card for card in range(52) if card not in POINTS]
    # The two of clubs, which comes first, is with seat 0, and one heart with seat 3.
    hands = [others[:13], points[1:], others[13:26], [points[0], *others[26:]]]
    history = [0, *(hands[i % 4][i // 4] for i in range(52)), 0, points[5]]
    state = Position.of(played(game, tuple(history)))
    view = game.view(state, 2)
    # Twelve of the thirteen points that seat 2 does not see, and all ways to deal the rest.
    assert Deals(range(52), game.tricks.places(view)).number == 13 * math.comb(25, 12)
    rng = np.random.default_rng(1)
    for _ in range(20):
        world = game.world(view, rng)
        assert {*world.history[2:53:4]} <= POINTS


def test_cards_that_others_passed_on_are_drawn_evenly_from_the_hand_that_has_them() -> None:
    """After the first trick of a deal in which cards go to the left; seat by seat."""
    game, state = Late("os_hearts", 48, 2).reached()
    seat = game.mover(state)
    assert state.history[0] == 1
    # Of the two passes that the seat has no part in, this one goes to the seat after the next.
    giver = (seat + 1) % 4
    rng, view = np.random.default_rng(2), game.view(state, seat)
    passed = Counter[int]()
    for _ in range(2600):
        history = game.world(view, rng).history
        passed.update(history[53 + 3 * giver : 56 + 3 * giver])
    taker = [card for who, card in view.played if who == (giver + 1) % 4]
    # Three of thirteen: 600 times, give or take 21.5.
    assert all(abs(passed[card] - 600) < 4.5 * 21.5 for card in taker)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("os_hearts", 4, {}),
        ("os_hearts", 4, {"must_break_hearts": False, "no_pts_on_first_trick": False}),
        ("os_euchre", 4, {"allow_lone_defender": True, "stick_the_dealer": False}),
        ("os_bridge", 4, {}),
        ("os_oh_hell", 3, {}),
        ("os_oh_hell", 7, {}),
    ],
)
def test_every_seat_can_draw_a_world_at_any_time_and_it_is_played_to_its_end(
    name: str, players: int, options: dict[str, Any]
) -> None:
    game: Any = table(name, players=players, **options).game
    for seed in range(2):
        rng, state = np.random.default_rng(seed), game.new()
        while (mover := game.mover(state)) != OVER:
            for seat in range(players) if mover >= 0 else ():
                view = game.view(state, seat)
                world = game.world(view, rng)
                assert (game.view(world, seat), game.mover(world)) == (view, mover)
                while seat == mover and game.mover(world) != OVER:
                    world = game.play(world, one_of(game, world, rng))
            state = game.play(state, one_of(game, state, rng))


def test_a_view_of_a_game_of_tricks_is_numbers_and_text_alone() -> None:
    """A state that it held could tell what the seat may not know."""
    game, state = Late("os_hearts", 20, 1).reached()

    def told(value: object) -> bool:
        if isinstance(value, tuple):
            return all(map(told, value))
        return isinstance(value, int | float | str)

    assert told(attrs.astuple(game.view(state, 0), recurse=False))


def test_hearts_without_passing_passes_nothing() -> None:
    """OpenSpiel lists four directions even then, of which one is legal."""
    game: Any = table("os_hearts", pass_cards=False).game
    assert game.chance(game.new()) == [(0, 1.0)]
    assert not game.possible(game.new(), 1)
    assert {game.draw(game.new(), np.random.default_rng(seed)) for seed in range(9)} == {0}
