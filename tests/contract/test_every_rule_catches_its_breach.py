"""For every rule of the contract, at least one broken example that the rule must catch."""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import attrs
import numpy as np
import pytest

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Array,
    Beliefs,
    Bounds,
    Branching,
    CompiledBranching,
    CompiledEvaluator,
    CompiledGame,
    Evaluator,
    Game,
    Observation,
    OpponentModel,
    Propagator,
    Rules,
    Situation,
    Stance,
    compiled,
    winners,
)
from mpsearch.errors import ContractError, MoveError
from mpsearch.testing import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    GAME_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
)

SEED = 5
PLIES = 30
PLAYERS = 3
REGISTRIES: dict[str, dict[str, Callable[..., None]]] = {
    "game": GAME_RULES,
    "evaluator": EVALUATOR_RULES,
    "branching": BRANCHING_RULES,
    "propagator": PROPAGATOR_RULES,
    "model": MODEL_RULES,
}


@attrs.frozen
class Breach:
    """Something broken, the rule that must say so, and what it must say."""

    kind: str
    rule: str
    name: str
    #: What the rule is called with.
    arguments: tuple[Any, ...]
    #: The whole message, as a regular expression.
    message: str


BREACHES: list[Breach] = []
T = TypeVar("T")

#: How a message ends that can be replayed.
REPLAY = rf" \(seed {SEED}, after moves: [^)]+\)"


def breaks(rule: str, message: str, *, replay: bool = True) -> Callable[[type[T]], type[T]]:
    """Enter a broken class, made without arguments, for the rule that must catch it."""

    def enter(broken: type[T]) -> type[T]:
        thing: Any = broken()
        whole = message + (REPLAY if replay else "")
        if isinstance(thing, Game):
            enter_breach("game", rule, broken.__name__, (thing, SEED, PLIES), whole)
        elif isinstance(thing, Evaluator):
            game = getattr(thing, "game", None) or Pile()
            enter_breach("evaluator", rule, broken.__name__, (game, thing, SEED, PLIES), whole)
        elif isinstance(thing, Branching):
            game = getattr(thing, "game", None) or Pile()
            enter_breach("branching", rule, broken.__name__, (game, thing, SEED, PLIES), whole)
        else:
            kind = "propagator" if isinstance(thing, Propagator) else "model"
            enter_breach(kind, rule, broken.__name__, (thing, PLAYERS, SEED), message)
        return broken

    return enter


def enter_breach(kind: str, rule: str, name: str, arguments: tuple[Any, ...], message: str) -> None:
    BREACHES.append(Breach(kind, rule, name, arguments, message))


# Sound examples: an open game, a hidden one and a compiled one.


class Heap(NamedTuple):
    left: int = 6
    mover: int = 0
    scores: tuple[int, ...] = (0,) * PLAYERS
    #: Whether a coin decides if the mover gets a point.
    coin: bool = False


class Pile(Game):
    """Take one or two from a pile; once, a coin gives the next mover a point."""

    players = PLAYERS
    lists_chance = True

    def new(self) -> Any:
        return Heap()

    def mover(self, state: Any) -> int:
        if state.left == 0:
            return OVER
        return CHANCE if state.coin else state.mover

    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 2][: state.left]

    def play(self, state: Any, move: Any) -> Any:
        scores = list(state.scores)
        scores[state.mover] += move
        if state.coin:
            return state._replace(scores=tuple(scores), coin=False)
        left = state.left - move
        return Heap(left, (state.mover + 1) % PLAYERS, tuple(scores), left in (3, 4))

    def payoff(self, state: Any) -> Array:
        return np.array(state.scores, dtype=np.float64)

    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.5), (1, 0.5))

    def read(self, text: str) -> Any:
        if text not in ("0", "1", "2"):
            raise MoveError(f"'{text}' is no number from 0 to 2")
        return int(text)


class Patient(Pile):
    """A turn can go by."""

    skips = True

    def skip(self, state: Any) -> Any:
        return state._replace(mover=(state.mover + 1) % PLAYERS)


class Hands(NamedTuple):
    cards: tuple[int, ...] = ()
    said: tuple[str, ...] = ()


class Boast(Game):
    """Everybody is dealt one card of five in secret and says what they like of it."""

    players = PLAYERS
    hidden = True

    def new(self) -> Any:
        return Hands()

    def mover(self, state: Any) -> int:
        if not state.cards:
            return CHANCE
        return len(state.said) if len(state.said) < PLAYERS else OVER

    def moves(self, state: Any) -> Sequence[Any]:
        return ["high", "low"]

    def play(self, state: Any, move: Any) -> Any:
        if not state.cards:
            return state._replace(cards=move)
        return state._replace(said=(*state.said, move))

    def payoff(self, state: Any) -> Array:
        return np.array(state.cards, dtype=np.float64)

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return tuple(rng.permutation(np.arange(1, 6))[:PLAYERS].tolist())

    def possible(self, state: Any, outcome: Any) -> bool:
        return (
            isinstance(outcome, tuple)
            and len(outcome) == PLAYERS
            and sorted(outcome) == sorted(set(outcome) & set(range(1, 6)))
        )

    def view(self, state: Any, seat: int) -> Any:
        cards = tuple(card if s == seat else 0 for s, card in enumerate(state.cards))
        return state._replace(cards=cards)

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        unseen = rng.permutation([c for c in range(1, 6) if c not in view.cards]).tolist()
        return view._replace(cards=tuple(card or unseen.pop() for card in view.cards))

    def write(self, move: Any) -> str:
        return move if isinstance(move, str) else ",".join(map(str, move))

    def read(self, text: str) -> Any:
        if text in ("high", "low"):
            return text
        if re.fullmatch(r"[1-5](,[1-5])*", text):
            return tuple(map(int, text.split(",")))
        raise MoveError(f"'{text}' is neither high nor low nor a deal")


STATE = np.dtype(
    [
        ("square", "i8", 2),
        ("mover", "i8"),
        ("left", "i8"),
        ("coin", "i8"),
        # 31 in every state. Shifted, it overflows in NumPy's one byte but not in numba, which
        # computes in eight: a true difference between plain and compiled functions.
        ("byte", "u1"),
    ],
    align=True,
)


@compiled
def mover(s: Any) -> int:
    if s.left == 0:
        return OVER
    return CHANCE if s.coin else s.mover


@compiled
def moves(s: Any, out: Any) -> int:
    out[0] = 1
    out[1] = 2
    return 2


@compiled
def play(s: Any, move: int) -> None:
    s.square[s.mover] += move
    if s.coin:
        s.coin = 0
    else:
        s.left -= 1
        s.mover = 1 - s.mover
        s.coin = 1 if s.left == 2 else 0


@compiled
def payoff(s: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = s.square[seat]


@compiled
def chance(s: Any, out: Any, probabilities: Any) -> int:
    for i in range(2):
        out[i] = i
        probabilities[i] = 0.5
    return 2


@compiled
def progress(s: Any, parameters: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = 5 * s.square[seat]
        if s.left == 0 and s.square[seat] > s.square[1 - seat]:
            out[seat] = 100


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    chance=chance,
    most_moves=2,
)


class Race(CompiledGame):
    """Two runners; once, a coin moves the next one."""

    players = 2
    rules = RULES

    def setup(self, s: Any) -> None:
        s.left = 6
        s.byte = 31

    def read(self, text: str) -> Any:
        return Pile().read(text)


class Points(Evaluator):
    """Ten for a point; a hundred for a winner."""

    bounds = Bounds(step=10, total=(0, 300))

    def values(self, state: Any) -> Array:
        values = 10 * Pile().payoff(state)
        if state.left == 0:
            values[winners(values)] = 100
        return values


class RaceProgress(CompiledEvaluator):
    def __init__(self, evaluate: Any = progress) -> None:
        super().__init__(Race(), evaluate, bounds=Bounds(step=5))


class Backwards(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return list(reversed(Pile().moves(state)))


@compiled
def list_first(s: Any, parameters: Any, out: Any) -> int:
    out[0] = 1
    return 1


class Grudge(Propagator):
    """Against the strongest of the others."""

    def stance(self, situation: Situation) -> Stance:
        others = np.array(situation.value)
        others[situation.root] = -1
        matrix = np.eye(situation.players)
        target = int(others.argmax())
        matrix[situation.root, target] = -1
        return Stance(matrix=matrix, label="grudge", target=target)


class Tally(OpponentModel):
    """Who has moved is believed to care for all as at the start; who has not, for itself."""

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return tuple(rng.uniform(-1, 1, players)), frozenset()

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        row, moved = beliefs
        return row, moved | {observation.mover}

    def matrix(self, beliefs: Beliefs) -> Array:
        row, moved = beliefs
        matrix = np.eye(len(row))
        matrix[sorted(moved)] = row
        return matrix


SOUND: list[tuple[str, tuple[Any, ...]]] = [
    ("game", (Pile(), SEED, PLIES)),
    ("game", (Boast(), SEED, PLIES)),
    ("game", (Race(), SEED, PLIES)),
    ("game", (Patient(), SEED, PLIES)),
    ("evaluator", (Pile(), Points(), SEED, PLIES)),
    ("evaluator", (Race(), RaceProgress(), SEED, PLIES)),
    ("branching", (Pile(), Backwards(), SEED, PLIES)),
    ("branching", (Race(), CompiledBranching(Race(), list_first), SEED, PLIES)),
    ("propagator", (Grudge(), PLAYERS, SEED)),
    ("model", (Tally(), PLAYERS, SEED)),
]


# Broken games.


@breaks("start_is_fixed", r"new\(\) returned two different states", replay=False)
class RandomStart(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count(4)

    def new(self) -> Any:
        return Heap(left=next(self.counter))


class HeapList(list):  # type: ignore[type-arg]
    """A state that is no value: it can be changed."""

    left, mover, scores, coin = (
        property(lambda self, i=i: self[i])  # type: ignore[misc]
        for i in range(4)
    )

    def _replace(self, **changes: Any) -> Any:
        return HeapList(Heap(*self)._replace(**changes))


@breaks("states_are_values", "the state is not hashable")
class UnhashableStates(Pile):
    def new(self) -> Any:
        return HeapList(Heap())

    def play(self, state: Any, move: Any) -> Any:
        return HeapList(super().play(state, move))


class HashableHeapList(HeapList):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


@breaks("states_are_values", "playing 1 changed the state it was played from")
class ChangesStateInPlace(Pile):
    def new(self) -> Any:
        return HashableHeapList(Heap())

    def moves(self, state: Any) -> Sequence[Any]:
        return [1]

    def play(self, state: Any, move: Any) -> Any:
        state[:] = super().play(state, move)
        return state


@breaks("states_are_values", "playing [12] twice from one state gives different states")
class PlayRemembers(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def play(self, state: Any, move: Any) -> Any:
        after = super().play(state, move)
        return after._replace(scores=(next(self.counter), *after.scores[1:]))


@breaks("mover_is_a_seat", "mover is 3 in a game for 3")
class FourthSeat(Pile):
    def mover(self, state: Any) -> int:
        return 3 if state.left < 3 else super().mover(state)


@breaks("mover_is_a_seat", "mover is -3 in a game for 3")
class NoSuchMover(Pile):
    def mover(self, state: Any) -> int:
        return -3 if state.left < 3 else super().mover(state)


@breaks("moves_are_listed_once", r"some move is listed twice: \[1, 2, 1\]")
class ListsTwice(Pile):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 2, 1]


@breaks("moves_are_listed_once", "the moves change when they are listed again")
class OrderChanges(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 2] if next(self.counter) % 2 else [2, 1]


@breaks("moves_are_listed_once", "seat [012] is to move and has no moves")
class Stuck(Pile):
    def moves(self, state: Any) -> Sequence[Any]:
        return super().moves(state) if state.left > 3 else []


@breaks("games_end", rf"no end after 100000 plies \(seed {SEED}\)", replay=False)
class Endless(Pile):
    def play(self, state: Any, move: Any) -> Any:
        return state


@breaks("payoff_is_by_seat", r"the payoff has shape \(4,\), not \(3,\)")
class PaysFour(Pile):
    def payoff(self, state: Any) -> Array:
        return np.zeros(4)


@breaks("payoff_is_by_seat", r"the payoff \[inf, 0.0, 0.0\] is not finite")
class PaysInfinity(Pile):
    def payoff(self, state: Any) -> Array:
        return np.array([np.inf, 0, 0])


@breaks("chance_is_a_distribution", r"probabilities \[0.5, 0.6\] are not positive or .*")
class MoreThanCertain(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.5), (1, 0.6))


@breaks("chance_is_a_distribution", "chance is listed for the game or for the search, .*")
class HidesChanceFromTheSearch(Pile):
    def tree_chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ()


@breaks("chance_is_a_distribution", r"probabilities \[0.5, 0.4\] are not positive or .*")
class MergesToLess(Pile):
    def tree_chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.5), (1, 0.4)) if self.chance(state) else ()


@breaks("chance_is_a_distribution", r"probabilities \[0.0, 1.0\] are not positive or .*")
class ListsTheImpossible(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.0), (1, 1.0))


@breaks("chance_is_a_distribution", r"probabilities \[nan, 1.0\] are not positive or .*")
class UndefinedProbability(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, float("nan")), (1, 1.0))

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return 1


@breaks("chance_is_a_distribution", r"draw raised ValueError\(.*\)")
class NegativeProbability(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, -0.5), (1, 1.5))


@breaks("chance_is_a_distribution", "an outcome of chance is listed twice")
class OneSidedCoin(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((1, 0.5), (1, 0.5))


@breaks("chance_is_a_distribution", "chance lists outcomes, but lists_chance says .*")
class DeniesItsChance(Pile):
    lists_chance = False


@breaks("draws_are_reproducible", "draw gives different outcomes from equal generators")
class DrawsInTurn(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return next(self.counter) % 2


@breaks("draws_are_possible", "0 can be drawn, but is not possible|1 can be drawn, but is not .*")
class ForgetsWhatItDraws(Pile):
    def possible(self, state: Any, outcome: Any) -> bool:
        return False


@breaks("draws_are_possible", "None is said to be a possible outcome")
class BelievesAnything(Pile):
    def possible(self, state: Any, outcome: Any) -> bool:
        return True


@breaks("texts_are_inverse", r"two moves have the same text: \['take', 'take'\]")
class OneTextForAll(Pile):
    def write(self, move: Any) -> str:
        return "take"


@breaks("texts_are_inverse", "the text ' 1' is empty, has white space at its ends, or a semicolon")
class IndentsItsMoves(Pile):
    def write(self, move: Any) -> str:
        return f" {move}"


@breaks("texts_are_inverse", "1 is written '1', which is read as 2")
class ReadsWrongly(Pile):
    def read(self, text: str) -> Any:
        return 3 - super().read(text)


@breaks("texts_are_inverse", "1 is written 'one', which is refused: 'one' is no number .*")
class RefusesWhatItWrote(Pile):
    def write(self, move: Any) -> str:
        return ["none", "one", "two"][move]


class SaysWhatIsLeft(Pile):
    """A sound game whose texts depend on the state: a move is what it leaves behind."""

    def write_in(self, state: Any, move: Any) -> str:
        return f"coin {move}" if state.coin else f"leave {state.left - move}"

    def read_in(self, state: Any, text: str) -> Any:
        found = re.fullmatch(r"(coin|leave) (\d)", text)
        if not found:
            return self.read(text)
        return int(found[2]) if found[1] == "coin" else state.left - int(found[2])


SOUND.append(("game", (SaysWhatIsLeft(), SEED, PLIES)))


@breaks("texts_are_inverse", "1 is written 'leave 5', which is refused: 'leave 5' is no number .*")
class SaysWhatItCannotRead(SaysWhatIsLeft):
    def read_in(self, state: Any, text: str) -> Any:
        return self.read(text)


@breaks("texts_are_inverse", "1 is written '1', which is refused: '1' is no remainder")
class UnderstandsOnlyItself(SaysWhatIsLeft):
    def read_in(self, state: Any, text: str) -> Any:
        if text.isdecimal():
            raise MoveError(f"'{text}' is no remainder")
        return super().read_in(state, text)


@breaks("texts_are_inverse", "the text '1;' is empty, has white space at its ends, or a semicolon")
class EndsMovesWithSemicolons(Pile):
    def write(self, move: Any) -> str:
        return f"{move};"


@breaks("nonsense_is_refused", r"read\(''\) raised ValueError\(.*\), not a MoveError", replay=False)
class ReadsCarelesslyInStates(Pile):
    def read_in(self, state: Any, text: str) -> Any:
        return int(text)


@breaks("nonsense_is_refused", r"read\(''\) raised ValueError\(.*\), not a MoveError", replay=False)
class ReadsCarelessly(Pile):
    def read(self, text: str) -> Any:
        return int(text)


@breaks("nonsense_is_refused", r"read\('-'\) is the legal move 1")
class ReadsAnything(Pile):
    def read(self, text: str) -> Any:
        return 1 if text == "-" else super().read(text)


@breaks("open_games_hide_nothing", "seat 1's view is not the state, but the game is not hidden")
class HidesUndeclared(Pile):
    def view(self, state: Any, seat: int) -> Any:
        return state if seat == 0 else state._replace(scores=())


@breaks(
    "worlds_agree_with_views", "seat [012] can tell a world drawn from its view from the real one"
)
class DealsAnew(Boast):
    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return view._replace(cards=self.draw(view, rng) if view.cards else ())


@breaks("worlds_agree_with_views", "mover is [012] in a world of seat 0")
class LowestCardMoves(Boast):
    def mover(self, state: Any) -> int:
        usual = super().mover(state)
        return state.cards.index(min(state.cards)) if usual >= 0 else usual


@breaks("worlds_agree_with_views", "seat 1 has other moves in a world drawn from its view")
class MovesDependOnOthersCards(Boast):
    def moves(self, state: Any) -> Sequence[Any]:
        return [f"{seat}" for seat in range(state.cards[0] + 1)] if state.said else ["high"]


@breaks("worlds_agree_with_views", "seat 1's moves are written otherwise in a world of its view")
class TextsTellOthersCards(Boast):
    def write_in(self, state: Any, move: Any) -> str:
        return f"{self.write(move)} over {state.cards[0]}" if state.said else self.write(move)

    def read_in(self, state: Any, text: str) -> Any:
        return self.read(text.partition(" ")[0])


@breaks(
    "worlds_can_be_played_on",
    "a world of seat 0 breaks down after low; low: seat 2 is to move and has no moves",
)
class WorldsWithoutCards(Boast):
    """Worlds in which a seat that has to move later holds no card, and so cannot."""

    def moves(self, state: Any) -> Sequence[Any]:
        mover = self.mover(state)
        return ["high", "low"] if mover < 0 or state.cards[mover] else []

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        world = super().world(view, rng)
        return world._replace(cards=(*world.cards[:2], 0))


@breaks(
    "worlds_can_be_played_on", "a world of seat 0 breaks down after (high|low): no such history"
)
class WorldsThatCrash(WorldsWithoutCards):
    def play(self, state: Any, move: Any) -> Any:
        if 0 in state.cards:
            raise RuntimeError("no such history")
        return super().play(state, move)


class TellTale(Hands):
    """A view that compares as it should, and carries the state along."""

    truth: Any


@breaks(
    "views_hide_something",
    rf"the game is declared hidden, but every view gives all away \(seed {SEED}\)",
    replay=False,
)
class ViewCarriesState(Boast):
    def view(self, state: Any, seat: int) -> Any:
        view = TellTale(*super().view(state, seat))
        view.truth = Hands(*state)
        return view

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return view.truth


@breaks("worlds_are_drawn_from_views_alone", "a world of seat 0 depends on more than its view")
class WorldsRemember(Boast):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return super().world(view, np.random.default_rng(next(self.counter)))


@breaks(
    "views_hide_something",
    rf"the game is declared hidden, but every view gives all away \(seed {SEED}\)",
    replay=False,
)
class HidesNothing(Pile):
    hidden = True


class Numbered(Pile):
    """A sound game for learners."""

    actions = 2

    def action(self, move: Any) -> int:
        return int(move) - 1

    def observation(self, view: Any, seat: int) -> Array:
        return np.array([view.left, seat, *view.scores], dtype=np.float64)


class SeenInNumbers(Boast):
    def observation(self, view: Any, seat: int) -> Array:
        return np.array([len(view.said), *view.cards], dtype=np.float64)


SOUND += [("game", (Numbered(), SEED, PLIES)), ("game", (SeenInNumbers(), SEED, PLIES))]


@breaks("actions_are_numbers", r"actions \[1, 2\] are not all below 2")
class CountsFromOne(Numbered):
    def action(self, move: Any) -> int:
        return int(move)


@breaks("actions_are_numbers", r"two moves have the same action: \[0, 0\]")
class OneActionForAll(Numbered):
    def action(self, move: Any) -> int:
        return 0


@breaks("actions_are_numbers", "[12] is action [01] here and [01] elsewhere")
class RenumbersActions(Numbered):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def action(self, move: Any) -> int:
        return (int(move) - 1 + next(self.counter) // 2) % 2


@breaks(
    "observations_are_arrays_of_one_shape",
    r"the observation has shape \([34],\), not \([34],\), or no numbers",
)
class ObservesMoreAndMore(SeenInNumbers):
    def observation(self, view: Any, seat: int) -> Array:
        return np.zeros(3 + len(view.said))


@breaks("observations_are_arrays_of_one_shape", "seat 0 observes what its view does not tell")
class ObservesAtRandom(SeenInNumbers):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def observation(self, view: Any, seat: int) -> Array:
        return np.array([float(next(self.counter))])


@breaks("pictures_are_text", "the picture for seat 0 is ''")
class EmptyPicture(Pile):
    def picture(self, view: Any, *, colour: bool = False) -> str:
        return "" if colour else "a pile"


@breaks("pictures_are_text", "the picture for seat 0 is None")
class NoPicture(Pile):
    def picture(self, view: Any, *, colour: bool = False) -> Any:
        return None


def drawn(*marks: str, root: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"{root}>{"".join(marks)}</svg>'


class Drawn(Pile):
    """A pile whose drawing marks what `marked` says."""

    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return drawn(*self.marked([self.write(move) for move in moves]))

    def marked(self, texts: list[str]) -> list[str]:
        return [f'<g data-move="{text}"/>' for text in texts]


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has no mark for the move '.*'")
class ForgetsAMark(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return super().marked(texts)[1:]


@breaks(
    "drawings_mark_the_legal_moves",
    "the drawing for seat 0 marks 'resign', which is not a legal move",
)
class MarksTooMuch(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return super().marked([*texts, "resign"])


@breaks(
    "drawings_mark_the_legal_moves",
    "the drawing for seat 0 marks the part 'b', of which no legal move is made",
)
class MarksAStrayPart(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return drawn('<g data-part="b"/>', root=' data-join="-"')


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 is not well-formed: .*")
class DrawsNonsense(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return "<svg><g></svg>"


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 is not an SVG document .*")
class DrawsHtml(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return "<p>a pile</p>"


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has no viewBox .*")
class CannotBeScaled(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>'


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has a <script>, .*")
class DrawsAScript(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return ["<script/>", *super().marked(texts)]


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has an attribute onclick, .*")
class DrawsAHandler(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return ['<g onclick="alert(1)"/>', *super().marked(texts)]


@breaks("declared_moves_suffice", "2 moves are listed; most_moves is 1")
class DeclaresTooFew(Race):
    rules = attrs.evolve(RULES, most_moves=1)


@compiled
def five_outcomes(s: Any, out: Any, probabilities: Any) -> int:
    for i in range(5):
        out[i] = i
        probabilities[i] = 0.2
    return 5


@breaks("declared_moves_suffice", "5 moves are listed; most_moves is 2")
class DeclaresTooFewOutcomes(Race):
    rules = attrs.evolve(RULES, chance=five_outcomes)


@compiled
def mover_by_byte(s: Any) -> int:
    if s.left == 0:
        return OVER
    return 1 if (s.byte << 4) > 255 else 0


@breaks("compiled_rules_play_as_plain_ones", "mover differs between compiled and plain rules")
class MoverDiffers(Race):
    rules = attrs.evolve(RULES, mover=mover_by_byte)


@compiled
def moves_by_byte(s: Any, out: Any) -> int:
    out[0] = 1
    out[1] = 2
    return 2 if (s.byte << 4) > 255 else 1


@breaks("compiled_rules_play_as_plain_ones", "moves differ between compiled and plain rules")
class MovesDiffer(Race):
    rules = attrs.evolve(RULES, moves=moves_by_byte)


@compiled
def play_by_byte(s: Any, move: int) -> None:
    s.left -= 1
    s.mover = 1 if (s.byte << 4) > 255 else 0


@breaks("compiled_rules_play_as_plain_ones", "play [12] differs between compiled and plain rules")
class PlayDiffers(Race):
    rules = attrs.evolve(RULES, play=play_by_byte)


@compiled
def payoff_by_byte(s: Any, out: Any) -> None:
    out[0] = s.byte << 4


@breaks("compiled_rules_play_as_plain_ones", "payoff differs between compiled and plain rules")
class PayoffDiffers(Race):
    rules = attrs.evolve(RULES, payoff=payoff_by_byte)


@compiled
def chance_by_byte(s: Any, out: Any, probabilities: Any) -> int:
    for i in range(2):
        out[i] = i
        probabilities[i] = 0.5
    if (s.byte << 4) > 255:
        probabilities[0] = 0.25
        probabilities[1] = 0.75
    return 2


@breaks("compiled_rules_play_as_plain_ones", "chance differs between compiled and plain rules")
class ChanceDiffers(Race):
    rules = attrs.evolve(RULES, chance=chance_by_byte)


@breaks("turns_go_by_to_another_seat", "seat 0 skips its turn, and the mover is 0")
class SkipsToItself(Patient):
    def skip(self, state: Any) -> Any:
        return state


@breaks("turns_go_by_to_another_seat", "skipping twice from one state gives .*", replay=False)
class SkipsAtRandom(Patient):
    def __init__(self) -> None:
        self.skipped = itertools.count()

    def skip(self, state: Any) -> Any:
        return state._replace(mover=1, scores=(next(self.skipped),) * PLAYERS)


@breaks("turns_go_by_to_another_seat", "seat 1 has no moves after a turn was .*", replay=False)
class SkipsToNothing(Patient):
    def moves(self, state: Any) -> Sequence[Any]:
        return [] if state == Heap(mover=1) else super().moves(state)


@compiled
def skip_by_byte(s: Any) -> None:
    s.mover = 1 - s.mover
    s.left = 2 if (s.byte << 4) > 255 else 1


@breaks("turns_go_by_to_another_seat", "skip differs between compiled and .*", replay=False)
class SkipDiffers(Race):
    rules = attrs.evolve(RULES, skip=skip_by_byte)


# Broken evaluators.


@breaks("values_are_by_seat", r"values have shape \(2,\), not \(3,\)")
class TwoValues(Points):
    def values(self, state: Any) -> Array:
        return super().values(state)[:2]


@breaks("values_are_by_seat", r"values \[nan, nan, nan\] are not finite")
class UndefinedValues(Points):
    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, np.nan)


@breaks("values_are_by_seat", "values change when they are asked again")
class FickleValues(Points):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, float(next(self.counter)))


@breaks("values_keep_their_bounds", r"values \[100.0000[0-9]+, .*\] leave \[0, 100\]")
class SlightlyTooHigh(Points):
    def values(self, state: Any) -> Array:
        return super().values(state) * (1 + 1e-9)


@breaks("values_keep_their_bounds", r"values \[-10.0, .*\] leave \[0, 100\]")
class TooLow(Points):
    def values(self, state: Any) -> Array:
        return super().values(state) - 10


@breaks("totals_keep_their_bounds", "the values sum to [0-9]+, not 0 to 50")
class TotalTooHigh(Points):
    bounds = Bounds(total=(0, 50))


@breaks("totals_keep_their_bounds", "the values sum to 0, not 5 to 300")
class TotalTooLow(Points):
    bounds = Bounds(total=(5, 300))


@breaks("values_are_on_the_grid", "values are not multiples of 20")
class OffTheGrid(Points):
    bounds = Bounds(step=20)


@breaks("winners_have_the_greatest_value", r"winners are \[.*\], but the greatest value is .* \[\]")
class WinnersBelowTheTop(Points):
    def values(self, state: Any) -> Array:
        return 10 * Pile().payoff(state)


@breaks(
    "winners_have_the_greatest_value",
    r"winners are \[.*\], but the greatest value is that of \[0, 1, 2\]",
)
class LosersAtTheTop(Points):
    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, 100.0)


class PointsOnly(Points):
    """A sound evaluator that follows the payoff and knows no crown."""

    decisive = False
    own_affairs = True

    def values(self, state: Any) -> Array:
        return 10 * Pile().payoff(state)


SOUND.append(("evaluator", (Pile(), PointsOnly(), SEED, PLIES)))


@breaks("winners_have_the_greatest_value", r"winners are \[.*\], but a loser has more of \[.*\]")
class LosersAboveWinners(PointsOnly):
    def values(self, state: Any) -> Array:
        return 100 - super().values(state)


@breaks(
    "own_affairs_are_not_shared_out",
    rf"the values always sum to 150: they are shared out, and no one's own affairs \(seed {SEED}\)",
    replay=False,
)
class SharesOutAWhole(Points):
    own_affairs = True

    def values(self, state: Any) -> Array:
        points = 10 * Pile().payoff(state)
        return 50 + points - points.mean()


@compiled
def value_by_byte(s: Any, parameters: Any, out: Any) -> None:
    out[0] = s.byte << 4


@breaks(
    "compiled_values_are_the_plain_ones",
    "values differ between the compiled and the plain evaluator",
)
class ValuesDiffer(RaceProgress):
    def __init__(self) -> None:
        super().__init__(value_by_byte)


# Broken boxes.


class Foresight(Points):
    """Nobody loses a point, a move brings two at most, and each coin to come brings one."""

    reaches = True

    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        if state.left <= 2 * depth:
            return low, np.full(PLAYERS, 100.0)
        coins = state.coin + (state.left > 4) + (state.left > 3)
        return low, np.minimum(low + 20 * depth + 10 * coins, 100)


@compiled
def race_reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    for seat in range(2):
        low[seat] = 5 * s.square[seat]
        coins = 1 if s.coin or s.left > 2 else 0
        most = min(5.0 * s.square[seat] + 10 * depth + 5 * coins, 100.0)
        high[seat] = 100.0 if s.left <= depth else most


class RaceForesight(CompiledEvaluator):
    def __init__(self, reach: Any = race_reach) -> None:
        super().__init__(Race(), progress, bounds=Bounds(step=5), reach=reach)


SOUND += [
    ("evaluator", (Pile(), Foresight(), SEED, PLIES)),
    ("evaluator", (Race(), RaceForesight(), SEED, PLIES)),
]


@breaks("boxes_hold_every_leaf", r"values \[.*\] within 1 moves leave the box \[.*\] to \[.*\]")
class ShortSighted(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        return low, low


@breaks("boxes_hold_every_leaf", r"values \[.*\] within [1-9] moves leave the box \[.*\] to \[.*\]")
class ForgetsTheEnd(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        return low, np.minimum(low + 20.0 * depth + 10, 99)


@breaks("boxes_hold_every_leaf", r"values \[.*\] within [1-9] moves leave the box \[.*\] to \[.*\]")
class WrongTotal(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low, high = super().box(state, depth)
        return np.append(low, 0.0), np.append(high, low.sum() + 10)


@breaks("boxes_hold_every_leaf", "a box has 2 and 2 entries, not 3, or 4 with a total")
class TwoSides(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low, high = super().box(state, depth)
        return low[:2], high[:2]


@breaks("boxes_shrink_with_depth", "the box of 1 moves is not within that of 2")
class WiderWhenNear(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        return (np.zeros(PLAYERS), np.full(PLAYERS, 100.0)) if depth == 1 else super().box(state, 2)


@breaks("boxes_shrink_with_depth", "the box of 2 moves leaves the declared bounds")
class BeyondTheBounds(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        return np.zeros(PLAYERS), np.full(PLAYERS, 101.0)


@compiled
def reach_by_byte(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    low[0] = s.byte << 4


@breaks(
    "compiled_boxes_are_the_plain_ones", "boxes differ between the compiled and the plain reach"
)
class BoxesDiffer(RaceForesight):
    def __init__(self) -> None:
        super().__init__(reach_by_byte)


# Broken branchings.


@breaks("branchings_list_legal_moves", "the branching lists no move")
class NothingWorthSearching(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1] if state.left > 3 else []


@breaks("branchings_list_legal_moves", r"the branching lists a move twice: \[1, 1\]")
class WorthSearchingTwice(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 1]


@breaks("branchings_list_legal_moves", r"the branching lists illegal moves: \[1, 3\]")
class WorthCheating(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 3]


@compiled
def list_by_byte(s: Any, parameters: Any, out: Any) -> int:
    out[0] = 1
    out[1] = 2
    return 1 + ((s.byte << 4) > 255)


@breaks(
    "compiled_branchings_list_as_plain_ones",
    "the moves differ between the compiled and the plain branching",
)
class ListsDiffer(CompiledBranching):
    def __init__(self) -> None:
        super().__init__(Race(), list_by_byte)


# Broken propagators.


@breaks("stances_fit_the_table", r"the matrix has shape \(2, 2\) for 3 seats")
class TwoSeatStance(Propagator):
    def stance(self, situation: Situation) -> Stance:
        return Stance(matrix=np.eye(2), label="two")


@breaks("stances_fit_the_table", r"the matrix has entries outside \[-1, 1\]: [^a-z]*")
class CaresTooMuch(Grudge):
    def stance(self, situation: Situation) -> Stance:
        stance = super().stance(situation)
        return attrs.evolve(stance, matrix=2 * stance.matrix)


@breaks("stances_fit_the_table", "the stance has no label")
class NamelessStance(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), label="")


@breaks("targets_are_others", "seat 0 of 3 targets seat 0")
class TargetsItself(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), target=situation.root)


@breaks("targets_are_others", "seat 0 of 3 targets seat 3")
class TargetsNobody(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), target=3)


@breaks("stances_depend_on_the_situation_alone", "two stances for one situation")
class MoodyStance(Grudge):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def stance(self, situation: Situation) -> Stance:
        mood = 1 / (1 + next(self.counter))
        stance = super().stance(situation)
        return attrs.evolve(stance, matrix=mood * stance.matrix)


@breaks("settled_stances_never_change", "seat 0 takes another stance than its settled one")
class ChangesItsMind(Grudge):
    def settled(self, root: int, players: int) -> Stance:
        return Stance(matrix=np.eye(players), label="settled")


# Broken opponent models.


@breaks("beliefs_are_social_matrices", r"the matrix has shape \(2, 3\) for 3 seats")
class ForgetsASeat(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return super().matrix(beliefs)[:2]


@breaks("beliefs_are_social_matrices", r"the matrix has entries outside \[-1, 1\]: \[\[2.0, .*")
class BelievesTooMuch(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return 2 * super().matrix(beliefs)


@breaks("beliefs_are_social_matrices", r"the matrix has entries outside \[-1, 1\]: \[\[nan, .*")
class BelievesTheUndefined(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return np.nan * super().matrix(beliefs)


@breaks("beliefs_are_values", "observing a move changed the beliefs it started from")
class ChangesBeliefsInPlace(Tally):
    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        row, moved = super().start(players, seat, rng)
        return row, set(moved)

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        beliefs[1].add(observation.mover)
        return beliefs


@breaks("beliefs_are_reproducible", "equal observations gave different beliefs")
class OwnRandomness(Tally):
    def __init__(self) -> None:
        self.rng = np.random.default_rng(SEED)

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return super().start(players, seat, self.rng)


@pytest.fixture(autouse=True)
def _jit_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some rules compare compiled with plain functions, whatever the run of the tests is set to."""
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: f"{breach.rule}-{breach.name}")
def test_rule_catches_its_breach(breach: Breach) -> None:
    with pytest.raises(ContractError) as raised:
        REGISTRIES[breach.kind][breach.rule](*breach.arguments)
    assert re.fullmatch(breach.message, str(raised.value), re.DOTALL), str(raised.value)


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_rule_has_a_breach(kind: str) -> None:
    assert {breach.rule for breach in BREACHES if breach.kind == kind} == set(REGISTRIES[kind])


@pytest.mark.parametrize(
    ("kind", "rule", "arguments"),
    [(kind, rule, arguments) for kind, arguments in SOUND for rule in REGISTRIES[kind]],
    ids=lambda value: value if isinstance(value, str) else type(value[-3]).__name__,
)
def test_sound_example_keeps_the_rule(kind: str, rule: str, arguments: tuple[Any, ...]) -> None:
    REGISTRIES[kind][rule](*arguments)


def test_moves_in_a_message_lead_back_to_the_breach() -> None:
    game = Stuck()
    with pytest.raises(ContractError) as raised:
        GAME_RULES["moves_are_listed_once"](game, SEED, PLIES)
    found = re.fullmatch(r".*\(seed 5, after moves: (.+)\)", str(raised.value))
    assert found is not None
    state = game.new()
    for text in found[1].split():
        assert game.moves(state) or game.mover(state) == CHANCE
        state = game.play(state, game.read(text))
    assert game.mover(state) >= 0
    assert game.moves(state) == []
