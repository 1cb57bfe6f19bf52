"""How something broken is entered: what it is, which rule must catch it, and what that must say."""

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from mpsearch.contracts import Branching, Evaluator, Game, Propagator, SearchAlgorithm
from support.breaches.sound import BOAST_SPACE, PLAYERS, PLIES, SEED, Pile


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
    """Enter a broken class, made without arguments, for the rule that must catch it.

    A search algorithm is made for a space, by the rule.
    """

    def enter(broken: type[T]) -> type[T]:
        whole = message + (REPLAY if replay else "")
        if issubclass(broken, SearchAlgorithm):
            arguments = (broken, BOAST_SPACE, SEED)
            enter_breach("search algorithm", rule, broken.__name__, arguments, whole)
            return broken
        thing: Any = broken()
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
