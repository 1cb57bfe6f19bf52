"""Sound examples: an open game, a hidden one, a compiled one, and parts for them."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

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
    Limits,
    Observation,
    OpponentModel,
    Propagator,
    Report,
    RootMove,
    Rules,
    SearchAlgorithm,
    SearchRequest,
    SearchSpace,
    Situation,
    Stance,
    compiled,
    winners,
)
from mpsearch.errors import MoveError

SEED = 5
PLIES = 30
PLAYERS = 3


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

    def seen(self, state: Any, move: Any, seat: int) -> Any:
        if state.cards:
            return move
        return tuple(card if s == seat else 0 for s, card in enumerate(move))

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


class OnePly(SearchAlgorithm):
    """Evaluates the state behind every move of the root."""

    def __init__(self, space: SearchSpace) -> None:
        self.space = space

    def search(
        self, worlds: Sequence[Any], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        space = self.space.for_root(request.root)
        moves = list(dict.fromkeys(move for world in worlds for move in space.listing(world)))
        values = {move: self.mean(worlds, move) for move in moves}
        order = list(request.rng.permutation(len(moves))) if request.shuffle else range(len(moves))
        row = stance.matrix[request.root]
        best = max((moves[i] for i in order), key=lambda move: row @ values[move])
        return Report(
            move=best,
            value=values[best],
            moves=[RootMove(move=move, value=values[move]) for move in moves],
            line=(best,),
            stance=stance,
            pruning="none",
            nodes=len(worlds) * (1 + len(moves)),
            depth=1,
            worlds=len(worlds),
            seconds=0.0,
        )

    def mean(self, worlds: Sequence[Any], move: Any) -> Array:
        game, evaluator = self.space.game, self.space.evaluator
        able = [world for world in worlds if move in game.moves(world)]
        found: Array = np.mean([evaluator.values(game.play(w, move)) for w in able], axis=0)
        return found


class Cards(Evaluator):
    """What everybody holds, of five."""

    bounds = Bounds(step=20)

    def values(self, state: Any) -> Array:
        return 20 * np.array(state.cards or (0,) * PLAYERS, dtype=np.float64)


#: What is searched where nothing is hidden, and where something is.
PILE_SPACE = SearchSpace(game=Pile(), evaluator=Points())
BOAST_SPACE = SearchSpace(game=Boast(), evaluator=Cards())


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
    ("search algorithm", (OnePly, PILE_SPACE, SEED)),
    ("search algorithm", (OnePly, BOAST_SPACE, SEED)),
]
