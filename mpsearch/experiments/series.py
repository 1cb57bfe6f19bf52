"""Many games: who plays which, what each brought, and what is left when they are cut short."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import attrs

from mpsearch.contracts import Array, frozen_array, winners
from mpsearch.contracts.arrays import array_field
from mpsearch.errors import MpsearchError
from mpsearch.experiments.opening import usual_opening
from mpsearch.experiments.seeds import game_seed
from mpsearch.match import Setting
from mpsearch.table import Table, table_of

R = TypeVar("R")


@attrs.frozen(kw_only=True)
class Result:
    """A game that was played to its end."""

    setting: Setting
    #: Shape (P,).
    payoff: Array = array_field()
    plies: int
    #: Equal for games with the same agents and moves, and for no others.
    identity: str = ""

    def shares(self) -> list[float]:
        """What each seat won of this game: all, an equal part, or nothing."""
        best = winners(self.payoff)
        return [1 / len(best) if seat in best else 0.0 for seat in range(len(self.payoff))]


def rotations(
    table: Table, agents: Sequence[str], games: int, *, seed: int, opening: int | None = None
) -> list[Setting]:
    """So many games of agents who move up a seat from game to game, each with its own seed.

    Fewer agents than seats take them in turn. Everybody is made once, so that every mistake in a
    text is found before the first game. Without an opening it is the game's usual one.
    """
    table.seat(agents)
    moves = usual_opening(table) if opening is None else opening
    first = attrs.evolve(table.setting(*agents, seed=seed), opening=moves)
    return [
        attrs.evolve(first, agents=seated, seed=game_seed(seed, number))
        for number, seated in enumerate(seatings(first.agents, games))
    ]


def seatings(agents: Sequence[str], games: int) -> list[tuple[str, ...]]:
    """Who sits where in each game: rotated from game to game, so that no one gains by the order."""
    count = len(agents)
    return [tuple(agents[(seat - game) % count] for seat in range(count)) for game in range(games)]


def play_one(setting: Setting) -> Result:
    """Play the game that a setting describes."""
    table = table_of(setting)
    state, moves = setting.first_state(table.game), []
    for ply in table.plies(setting):
        state = ply.state
        moves.append(table.game.write_in(ply.before, ply.move))
    return Result(
        setting=setting,
        payoff=frozen_array(table.game.payoff(state)),
        plies=len(moves),
        identity=game_identity(setting.agents, moves),
    )


def game_identity(agents: Sequence[str], moves: Iterable[str]) -> str:
    """A text that is equal for equal games: the same agents at the same seats, the same moves."""
    text = "\n".join([*agents, "", *moves])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def gather(
    answers: Iterable[R], show: Callable[[int, R], None] = lambda number, answer: None
) -> tuple[list[R], KeyboardInterrupt | MpsearchError | None]:
    """All answers, or those that were there when something cut them short, and what did.

    Ctrl-C, a worker that keeps being killed and a player that breaks the rules lose nothing of
    what was measured before. `show` is called with how many there are, and the latest.
    """
    found: list[R] = []
    try:
        for answer in answers:
            found.append(answer)
            show(len(found), answer)
    except (KeyboardInterrupt, MpsearchError) as cut:
        if not found:
            raise
        return found, cut
    return found, None
