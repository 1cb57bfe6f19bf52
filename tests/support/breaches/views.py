"""Games that hide too little, too much, or draw worlds that cannot be."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from support.breaches.entering import breaks
from support.breaches.sound import SEED, Boast, Hands, Pile


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

    def view(self, state: Any, seat: int) -> Any:
        return state

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return view
