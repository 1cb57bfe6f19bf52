"""Native play: the referee, who asks every player for every move, is the oracle."""

from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents.policies import any_move as anything
from mpsearch.builtin.games import scramble as scramble_game
from mpsearch.builtin.games.scramble import Scramble
from mpsearch.contracts import (
    CHANCE,
    DECLINED,
    Decision,
    Event,
    Game,
    Note,
    Player,
    ScratchPolicy,
    Turn,
    compiled,
)
from mpsearch.errors import ContractError
from mpsearch.gamekit import below
from mpsearch.jit import Compiled, jit_enabled
from mpsearch.match import Ply, play_match
from mpsearch.match import native_play as native_module
from mpsearch.plugins.catalog import load_catalog

pytestmark = pytest.mark.usefixtures("natively")


@compiled
def latest(s: Any, moves: Any, count: int, stream: Any) -> int:
    s.mover = 0  # a policy may scribble on what it is shown
    return count - 1


@compiled
def nothing(s: Any, moves: Any, count: int, stream: Any) -> int:
    return count


@compiled
def before_the_first(s: Any, moves: Any, count: int, stream: Any) -> int:
    return -2


class Anything(Player):
    """Any move; `asked` counts how often the referee wanted to know."""

    def __init__(self, policy: Compiled | ScratchPolicy | None = anything) -> None:
        self.policy = policy
        self.asked = 0
        self.noted: list[Any] = []

    def choose(self, turn: Turn, memory: Any, rng: np.random.Generator) -> Decision:
        self.asked += 1
        return Decision(move=turn.moves[int(rng.integers(len(turn.moves)))])

    def account(
        self, seat: int, memory: Any, *, move: Any, known: Any, note: Note | None
    ) -> Decision:
        self.noted.append(note)
        return Decision(move=move)


class Latest(Anything):
    """The last move of the list; remembers whom it saw moving."""

    observes = True

    def start(self, seat: int, rng: np.random.Generator) -> tuple[Any, ...]:
        rng.integers(5)  # what is drawn before the game must not be drawn again
        return ()

    def observe(self, memory: Any, event: Event, rng: np.random.Generator) -> Any:
        self.seen = (*memory, (event.mover, event.move, event.before, event.after))
        return self.seen

    def choose(self, turn: Turn, memory: Any, rng: np.random.Generator) -> Decision:
        self.asked += 1
        return Decision(move=turn.moves[-1])


def scramble() -> Game:
    return load_catalog().game("scramble", players=3)


def company(*, native: bool) -> list[Anything]:
    return [
        Anything(anything if native else None),
        Latest(latest if native else None),
        Anything(None),  # never native: runs end here
    ]


def test_native_and_asked_players_play_the_same_games() -> None:
    for seed in range(5):
        game, plies, seen = scramble(), [], []
        for native in (False, True):
            players = company(native=native)
            plies.append(list(play_match(game, players, seed=seed, opening=seed)))
            seen.append(players[1].seen)  # type: ignore[attr-defined]
            asked = not (native and jit_enabled())
            assert [player.asked > 0 for player in players] == [asked, asked, True]
        assert plies[0] == plies[1]
        assert seen[0] == seen[1]


def test_a_table_of_policies_alone_plays_long_games() -> None:
    """Longer than one run may be, and left in the middle by who has seen enough."""
    game = load_catalog().game("scramble", players=2, length=100, plies=300)
    whole = [list(play_match(game, [Anything(p), Anything(p)], seed=3)) for p in (None, anything)]
    assert len(whole[0]) > 64
    assert whole[0] == whole[1]
    first = play_match(game, [Anything(), Anything()], seed=3)
    assert [next(first) for _ in range(7)] == whole[0][:7]


def test_a_game_goes_on_after_its_past() -> None:
    game = scramble()
    whole = list(play_match(game, company(native=False), seed=8))
    past = [ply.move for ply in whole[:9]]

    def rest(native: bool) -> list[Ply]:
        return list(play_match(game, company(native=native), seed=8, past=past))

    assert rest(True) == rest(False)


@pytest.mark.skipif(not jit_enabled(), reason="policies are only asked natively")
@pytest.mark.parametrize("policy", [nothing, before_the_first])
def test_a_policy_that_chooses_nothing_is_an_error(policy: Compiled) -> None:
    players = [Anything(policy)] * 3
    with pytest.raises(ContractError, match="a policy chose a move that it was not given"):
        list(play_match(scramble(), players, seed=1))


def listing(count: int) -> Scramble:
    """Scramble whose rules always list so many moves, each of one square."""

    @compiled
    def moves(s: Any, out: Any) -> int:
        for k in range(min(count, len(out))):
            out[k] = 1
        return count

    game = Scramble(players=3, length=4, plies=9)
    game.rules = attrs.evolve(Scramble.rules, moves=moves)
    return game


def natively(game: Game) -> list[Any]:
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    native = native_module.native_play(game, [Anything()] * 3, rngs, chance)
    assert native is not None
    return native.play(game.new(), 0)


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_rules_list_one_move_at_least_and_as_many_as_they_declare_at_most() -> None:
    most = Scramble.rules.most_moves
    for count in (1, most):
        assert len(natively(listing(count))) == 9
    for count in (0, most + 1):
        with pytest.raises(ContractError, match="moves listed no move, or more than most_moves"):
            natively(listing(count))


@compiled
def writing_too_much(s: Any, out: Any) -> int:
    for k in range(len(out) + 1):
        out[k] = 1
    return 1


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_rules_that_write_more_moves_than_they_list_are_an_error() -> None:
    game = Scramble(players=3, length=4, plies=9)
    game.rules = attrs.evolve(Scramble.rules, moves=writing_too_much)
    with pytest.raises(ContractError, match=r"writing_too_much .* wrote more than 9; most_moves"):
        natively(game)


#: Where the die lies, beside the stamina of three runners: 0 before it is thrown.
_DIE = 5


@compiled
def mover_with_die(s: Any) -> int:
    if s.finished == 0 and s.mover == 1 and s.stamina[_DIE] == 0:
        return CHANCE
    return scramble_game.mover(s)


@compiled
def play_with_die(s: Any, move: int) -> None:
    if mover_with_die(s) == CHANCE:
        s.stamina[_DIE] = 1 + move
        s.stamina[s.plies_left % 3] = move
    else:
        scramble_game.play(s, move)
        s.stamina[_DIE] = 0


@compiled
def faces(s: Any, out: Any, probabilities: Any) -> int:
    for k in range(3):
        out[k], probabilities[k] = k, 1 / 3
    return 3


@compiled
def throw(s: Any, out: Any, stream: Any) -> int:
    if s.square[1] % 3 == 0:
        return 0  # the game's own `draw` is to be asked
    out[0] = below(stream, 3)
    return 1


class ScrambleWithDie(Scramble):
    """Before the second seat moves a die of three faces says somebody's stamina."""

    rules = attrs.evolve(
        Scramble.rules, mover=mover_with_die, play=play_with_die, chance=faces, draw=throw
    )

    def __init__(self) -> None:
        super().__init__(players=3, length=12, plies=60)
        self.drawn = 0

    def draw(self, state: Any, rng: np.random.Generator) -> int:
        self.drawn += 1
        return int(rng.integers(3))


def test_chance_is_drawn_natively_as_the_referee_draws_it() -> None:
    """Both take turns at one generator, and so do policies and players at theirs."""
    for seed in range(5):
        games, drawn = [], []
        for native in (False, True):
            game, players = ScrambleWithDie(), company(native=native)
            games.append(list(play_match(game, players, seed=seed)))
            drawn.append(game.drawn)
        assert games[0] == games[1]
        assert drawn[0] > 5
        if jit_enabled():
            assert 0 < drawn[1] < drawn[0]


@compiled
def first(s: Any, moves: Any, count: int, stream: Any) -> int:
    return 0


@compiled
def second(s: Any, moves: Any, count: int, stream: Any) -> int:
    return 1


@compiled
def third(s: Any, moves: Any, count: int, stream: Any) -> int:
    return 2


@pytest.mark.skipif(not jit_enabled(), reason="policies are only asked natively")
def test_every_seat_is_played_by_its_own_policy() -> None:
    players = [Anything(policy) for policy in (second, first, third)]
    plies = play_match(Scramble(players=3, length=20, plies=3), players, seed=1)
    assert [ply.move for ply in plies] == [2, 1, 3]


@compiled
def hide_stamina(s: Any, seat: int) -> None:
    for other in range(s.players):
        if other != seat:
            s.stamina[other] = 0


@compiled
def peep(s: Any, moves: Any, count: int, stream: Any) -> int:
    return 1 if s.stamina[(s.mover + 1) % 3] > 0 or s.stamina[s.mover] == 0 else 0


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_a_policy_is_shown_what_its_seat_may_know() -> None:
    game = Scramble(players=3, length=4, plies=9)
    game.hidden = True
    game.rules = attrs.evolve(Scramble.rules, hide=hide_stamina)
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    native = native_module.native_play(game, [Anything(peep)] * 3, rngs, chance)
    assert native is not None
    plies = native.play(game.new(), 0)
    assert len(plies) == 9
    for ply in plies:
        known = game.record(ply.known).stamina[:3]
        assert [seat for seat in range(3) if known[seat]] == [ply.seat]
        assert ply.move == 1  # the first of the list


@compiled
def at_a_scratch(s: Any, moves: Any, count: int, stream: Any, scratch: Any, note: Any) -> int:
    return 0


class Overwritten:
    """The memory of a policy that wrote beyond its end."""

    def check(self) -> None:
        raise ContractError("something was written beyond the end of a row")


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_the_memory_of_a_policy_is_checked_after_every_run() -> None:
    def lay(scratch: Any, seat: int) -> Any:
        return Overwritten() if seat == 1 else None

    scratch = np.dtype([("nothing", "i8")])
    players = [Anything(ScratchPolicy(choose=at_a_scratch, scratch=scratch, lay=lay))] * 3
    with pytest.raises(ContractError, match="written beyond the end of a row"):
        list(play_match(scramble(), players, seed=1))


@compiled
def never_first(s: Any, moves: Any, count: int, stream: Any, scratch: Any, note: Any) -> int:
    index = below(stream, count)
    for j in range(len(note.value)):
        note.value[j] = scratch.seat + j
        note.outlook[j] = index
    note.nodes = count
    return DECLINED if index == 0 else index


def sit(scratch: Any, seat: int) -> None:
    scratch["seat"] = seat


class NeverFirst(Anything):
    """Any move, drawn at a scratch; the first of a list is left to the player itself."""

    def __init__(self, *, native: bool) -> None:
        scratch = np.dtype([("seat", "i8")])
        super().__init__(
            ScratchPolicy(choose=never_first, scratch=scratch, lay=sit) if native else None
        )


def test_a_policy_that_declines_leaves_the_choice_and_the_luck_to_its_player() -> None:
    for seed in range(5):
        games = []
        for native in (False, True):
            first, last = NeverFirst(native=native), NeverFirst(native=native)
            between = Anything(anything if native else None)
            # Who has a scratch comes first among the policies, or after others.
            players = [first, between, last] if seed % 2 else [between, first, last]
            games.append(list(play_match(scramble(), players, seed=seed)))
        assert games[0] == games[1]
        if not jit_enabled():
            continue
        assert set(between.noted) == {None}
        for seat, player in ((players.index(first), first), (2, last)):
            notes = player.noted
            assert player.asked > 2
            assert len(notes) + player.asked == sum(ply.seat == seat for ply in games[0])
            assert all(note.value.tolist() == [seat, seat + 1, seat + 2] for note in notes)
            assert all(0 < note.outlook[0] < note.nodes for note in notes)
            assert not any(note.value.flags.writeable for note in notes)
            # Later runs have not changed what is kept of the luck with which it was drawn.
            assert all(below(note.luck.copy(), note.nodes) == note.outlook[0] for note in notes)


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_everybody_is_asked_where_nothing_can_run_natively(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    plunder = load_catalog().game("plunder")  # no compiled rules
    assert native_module.native_play(plunder, [Anything()] * 3, rngs, chance) is None
    assert native_module.native_play(scramble(), [Anything(None)] * 3, rngs, chance) is None
    assert native_module.native_play(scramble(), [Anything()] * 3, rngs, chance) is not None
    others = [np.random.Generator(np.random.MT19937(1)), *rngs[1:]]
    assert native_module.native_play(scramble(), [Anything()] * 3, others, chance) is None
    assert native_module.native_play(scramble(), [Anything()] * 3, rngs, others[0]) is None
    # Nobody says what a seat may know of its states.
    hidden = scramble()
    monkeypatch.setattr(hidden, "hidden", True, raising=False)
    assert native_module.native_play(hidden, [Anything()] * 3, rngs, chance) is None
    monkeypatch.setattr(native_module, "native_luck", lambda rng: False)
    assert native_module.native_play(scramble(), [Anything()] * 3, rngs, chance) is None


def test_no_policy_is_made_where_nothing_can_run_natively() -> None:
    class Costly(Anything):
        @property
        def policy(self) -> None:
            raise AssertionError("it was asked for")

        @policy.setter
        def policy(self, _: object) -> None:
            pass

    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    plunder = load_catalog().game("plunder")  # no compiled rules
    assert native_module.native_play(plunder, [Costly()] * 3, rngs, chance) is None


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_players_are_asked_until_playing_natively_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes over in the middle of a game; what is kept is played natively at once."""
    monkeypatch.setenv("MPSEARCH_CACHE", str(tmp_path / "cache"))

    def table(patience: int) -> tuple[list[Ply], int]:
        monkeypatch.setattr(native_module, "_patience", patience)
        native_module._compiled_run.cache_clear()  # as in a new process
        players = [Anything() for _ in range(3)]
        game = Scramble(players=3, length=23, plies=40)
        plies = list(play_match(game, players, seed=4))
        return plies, sum(player.asked for player in players)

    never, asked = table(1_000)
    moves = sum(ply.seat >= 0 for ply in never)
    assert asked == moves > 20
    for patience, wanted in ((17, 17), (1_000, 0)):  # the second time it has been kept
        plies, asked = table(patience)
        assert (plies, asked) == (never, wanted)
