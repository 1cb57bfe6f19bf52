"""Games that give hidden cards away, and worlds that cannot be or are drawn with a bias."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Game
from mpsearch.errors import MoveError
from support.breaches.entering import breaks
from support.breaches.sound import PLAYERS, PLIES, SEED, SOUND, Boast, Hands, Pile
from support.breaches.views import TellTale


class Table(NamedTuple):
    hands: tuple[tuple[int, ...], ...] = ()
    #: Cards played, and cards laid away face down, each with its seat; a view has 0 for those.
    played: tuple[int, ...] = ()
    laid: tuple[int, ...] = ()


class Tricks(Game):
    """Each of three has four of twelve cards, lays one away in secret, and plays the others."""

    players = PLAYERS
    hidden = True
    size = 4

    def new(self) -> Any:
        return Table()

    def mover(self, state: Any) -> int:
        if not state.hands:
            return CHANCE
        made = len(state.laid) + len(state.played)
        return made % PLAYERS if made < PLAYERS * self.size else OVER

    def moves(self, state: Any) -> Sequence[Any]:
        return state.hands[self.mover(state)]

    def play(self, state: Any, move: Any) -> Any:
        if not state.hands:
            return state._replace(hands=move)
        mover = self.mover(state)
        hand = tuple(card for card in state.hands[mover] if card != move)
        hands = (*state.hands[:mover], hand, *state.hands[mover + 1 :])
        if len(state.laid) < PLAYERS:
            return state._replace(hands=hands, laid=(*state.laid, move))
        return state._replace(hands=hands, played=(*state.played, move))

    def payoff(self, state: Any) -> Array:
        return np.array(state.played[-PLAYERS:], dtype=np.float64)

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        cards = rng.permutation(np.arange(1, PLAYERS * self.size + 1)).reshape(PLAYERS, self.size)
        return tuple(tuple(sorted(hand)) for hand in cards.tolist())

    def possible(self, state: Any, outcome: Any) -> bool:
        if not isinstance(outcome, tuple) or not all(isinstance(h, tuple) for h in outcome):
            return False
        cards = sorted(card for hand in outcome for card in hand)
        return [len(hand) for hand in outcome] == [self.size] * PLAYERS and cards == list(
            range(1, PLAYERS * self.size + 1)
        )

    def view(self, state: Any, seat: int) -> Any:
        return state._replace(hands=masked(state.hands, seat), laid=covered(state.laid, seat))

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        if not view.hands:
            return view
        unseen = rng.permutation(self.unseen(view)).tolist()
        hands = tuple(
            tuple(sorted(unseen.pop() for _ in hand)) if 0 in hand else hand for hand in view.hands
        )
        return view._replace(hands=hands, laid=tuple(card or unseen.pop() for card in view.laid))

    def unseen(self, view: Any) -> list[int]:
        known = {card for hand in view.hands for card in hand} | {*view.played, *view.laid}
        return [card for card in range(1, PLAYERS * self.size + 1) if card not in known]

    def seen(self, state: Any, move: Any, seat: int) -> Any:
        if not state.hands:
            return masked(move, seat)
        openly = len(state.laid) == PLAYERS or self.mover(state) == seat
        return move if openly else None

    def remark(self, state: Any, move: Any) -> str:
        return f"{len(state.played)} cards lie open"

    def write(self, move: Any) -> str:
        if isinstance(move, tuple):
            return "|".join(",".join(map(str, hand)) for hand in move)
        return str(move)

    def read(self, text: str) -> Any:
        if not re.fullmatch(r"[0-9]{1,3}([,|][0-9]{1,3})*", text):
            raise MoveError(f"'{text}' is no card and no deal")
        if "|" in text:
            return tuple(tuple(map(int, hand.split(","))) for hand in text.split("|"))
        return int(text)


def masked(hands: Any, seat: int) -> Any:
    return tuple(hand if s == seat else (0,) * len(hand) for s, hand in enumerate(hands))


def covered(laid: Any, seat: int) -> Any:
    return tuple(card if s == seat else 0 for s, card in enumerate(laid))


class FewTricks(Tricks):
    """So small that all worlds can be counted."""

    size = 2


SOUND.extend([("game", (Tricks(), SEED, PLIES)), ("game", (FewTricks(), SEED, PLIES))])


def forgets(method: str) -> Callable[[type[Game]], type[Game]]:
    """Enter a game, called after what it forgets to define."""
    why = rf"Forgets{method.title()} is declared hidden but does not define `{method}`: "
    what = rf"define {method}\(.*"
    return breaks("hidden_games_declare_what_is_seen", why + what, replay=False)


@forgets("seen")
class ForgetsSeen(Boast):
    seen = Game.seen


@forgets("view")
class ForgetsView(Pile):
    hidden = True


@forgets("world")
class ForgetsWorld(Boast):
    world = Game.world


#: What every message of the rule says between what differs and what to do.
_ALIKE = "in one state and '.*' in another, and seat [012] has equal views of them; "


@breaks("equal_views_are_told_the_same", f"`seen` answers '.*' {_ALIKE}it tells what `view` .*")
class DealsFaceUp(Tricks):
    def seen(self, state: Any, move: Any, seat: int) -> Any:
        return super().seen(state, move, seat) if state.hands else move


@breaks("equal_views_are_told_the_same", f"`seen` answers '.*' {_ALIKE}it tells what `view` .*")
class LaysAwayFaceUp(Tricks):
    def seen(self, state: Any, move: Any, seat: int) -> Any:
        return move if state.hands else super().seen(state, move, seat)


@breaks("equal_views_are_told_the_same", f"`remark` says '.*' {_ALIKE}it may depend on .*")
class RemarksOnTheNext(Tricks):
    """A remark that gives a card away."""

    def remark(self, state: Any, move: Any) -> str:
        return f"the next holds {state.hands[0]}" if state.hands else ""


@breaks("equal_views_are_told_the_same", f"`objection` says '.*' {_ALIKE}it may depend on .*")
class ObjectsWithTheHolder(Tricks):
    def objection(self, state: Any, move: Any) -> str:
        return f"seat {[s for s, hand in enumerate(state.hands) if move in hand]} has it"


@breaks("equal_views_are_told_the_same", f"`write_in` says '.*' {_ALIKE}it may depend on .*")
class WritesWhoWins(Tricks):
    def write_in(self, state: Any, move: Any) -> str:
        best = state.hands and not isinstance(move, tuple) and move > max(state.hands[2], default=0)
        return f"{self.write(move)}!" if best else self.write(move)


@breaks("equal_views_are_told_the_same", f"`view` holds '.*' {_ALIKE}equal views hold the same")
class ViewCarriesAlong(Boast):
    """Views that compare as they should, and from which a picture could be drawn of all hands."""

    def view(self, state: Any, seat: int) -> Any:
        view = TellTale(*super().view(state, seat))
        view.truth = Hands(*state)
        return view

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return Hands(*super().world(view, rng))


class Remembers(Tricks):
    """Remembers the last state that it was asked about."""

    last: Any = None

    def view(self, state: Any, seat: int) -> Any:
        self.last = state
        return super().view(state, seat)


@breaks("equal_views_are_told_the_same", f"`picture` shows '.*' {_ALIKE}it may depend on .*")
class PicturesHands(Remembers):
    """A picture that shows hands."""

    def picture(self, view: Any, *, colour: bool = False) -> str:
        return str(self.last)


@breaks("equal_views_are_told_the_same", f"`svg` shows '.*' {_ALIKE}it may depend on .*")
class DrawsHands(Remembers):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return f"<svg>{self.last}</svg>"


@breaks("equal_views_are_told_the_same", f"`observation` gives '.*' {_ALIKE}it may depend on .*")
class ObservesHands(Tricks):
    """Numbers that change with every state that is looked at, as if they were its own."""

    looked = 0

    def observation(self, view: Any, seat: int) -> Array:
        self.looked += 1
        return np.array([float(self.looked)])


@breaks("equal_views_are_told_the_same", f"`stage` says '.*' {_ALIKE}it may depend on .*")
class StagesHands(Tricks):
    """Parts of the game that are named after who holds what."""

    looked = 0

    def stage(self, view: Any) -> str:
        self.looked += 1
        return f"trick {self.looked}"


@breaks(
    "true_states_can_be_drawn",
    "`world` never draws the state that was reached, of 2000 worlds of seat [012]: .*",
)
class HighCardsLieHere(Tricks):
    """Worlds in which the lowest seat always has the highest cards that are not seen."""

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        shuffler: Any = HighestLast()
        return super().world(view, shuffler)


class HighestLast:
    """Shuffles nothing: what is taken from the end is the highest."""

    def permutation(self, cards: Any) -> Any:
        return np.array(sorted(cards))


@breaks(
    "worlds_follow_from_earlier_ones",
    "seat [012] can play [0-9]+ in [0-9]+ of 200 worlds of seat [012], but in [0-9]+ of [0-9]+ "
    "that were drawn earlier and played on: `world` forgets what the seat has seen, .*",
)
class DealsPlayedCards(Tricks):
    """Worlds in which cards that were played are in somebody's hand again."""

    def unseen(self, view: Any) -> list[int]:
        return super().unseen(view._replace(played=()))


@breaks(
    "worlds_are_drawn_in_proportion",
    "`world` does not draw the [0-9]+ states that agree with the view of seat [01] in .*",
)
class LikesHighCards(FewTricks):
    """Worlds that are all possible, and biased: of two the one with higher cards below is taken."""

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return max(Tricks.world(self, view, rng) for _ in range(2))


class Listed(FewTricks):
    """Of two deals that are known to all, one: everything can be listed."""

    lists_chance = True
    deals = (((1, 2), (3, 4), (5, 6)), ((1, 2), (3, 5), (4, 6)), ((1, 2), (3, 6), (4, 5)))

    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return tuple((deal, share) for deal, share in zip(self.deals, (0.5, 0.3, 0.2), strict=True))

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return Game.draw(self, state, rng)

    def possible(self, state: Any, outcome: Any) -> bool:
        return Game.possible(self, state, outcome)


@breaks(
    "worlds_are_drawn_in_proportion",
    "`world` draws states for seat [01] that cannot have come about: no play by the rules .*",
)
class DrawsDealsThatAreNone(Listed):
    """Any deal is drawn, where there are three."""
