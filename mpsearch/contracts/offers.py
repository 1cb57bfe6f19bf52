"""Offers: what plugins bring, by name, with the options that users may set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import attrs

from mpsearch._util import deferred, frozen_mapping
from mpsearch.contracts.game import Game
from mpsearch.contracts.guide import Guide, read_guide
from mpsearch.contracts.options import Option, settle
from mpsearch.errors import UsageError

#: Names stand in agent texts and on the command line, where `:`, `,`, `=` and `+` part things.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def _is_name(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{attribute.name} is a text, not {value!r}")
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"{attribute.name} '{value}' may have only letters, digits, '_', '-' and '.'"
        )


def name_field(**settings: Any) -> Any:
    """An attrs field for a name by which users and other plugins find things."""
    return attrs.field(validator=_is_name, **settings)


def _several(*kinds: type) -> Any:
    """An attrs field for a tuple of such entries; any other iterable of them will do."""

    def check(_: Any, attribute: Any, value: Any) -> None:
        words = " or ".join(f"{kind.__name__}s" for kind in kinds)
        if not isinstance(value, tuple) or not all(isinstance(entry, kinds) for entry in value):
            raise TypeError(f"{attribute.name} is a tuple of {words}, not {value!r}")

    def convert(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    return attrs.field(default=(), converter=convert, validator=check)


@attrs.frozen(kw_only=True)
class Offer:
    """Something that can be chosen by name, and how it is made."""

    #: What such an offer is called in messages.
    kind: ClassVar[str] = "offer"

    name: str = name_field()
    summary: str = attrs.field(validator=attrs.validators.instance_of(str))
    #: What is called to make it; each kind of offer says with what. A text such as
    #: "mpsearch_hearts.game:Hearts" is imported when it is called, and not before.
    make: Callable[..., Any] = attrs.field(
        repr=False, converter=deferred, validator=attrs.validators.is_callable()
    )
    options: tuple[Option, ...] = _several(Option)

    def settle(self, given: Mapping[str, Any], *, owner: str | None = None) -> dict[str, Any]:
        """Every option's value: the given one, checked, or the default."""
        return settle(self.options, given, owner=self.name if owner is None else owner)


def _frozen_tuples(table: Mapping[str, Any]) -> Mapping[str, tuple[Any, ...]]:
    """Options with the values that they may have; a single one need not be in a tuple."""
    return frozen_mapping(
        {k: tuple(v) if isinstance(v, (tuple, list)) else (v,) for k, v in table.items()}
    )


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def _either(values: tuple[Any, ...]) -> str:
    *others, last = map(_text, values)
    return f"{', '.join(others)} or {last}" if others else last


@attrs.frozen(kw_only=True, slots=False)
class Conditional:
    """Something that holds for some players and options of its game only."""

    #: The numbers of players for which it holds; empty: any.
    players: tuple[int, ...] = _several(int)
    #: Options of the game on which it depends, each with the values for which it holds.
    game_options: Mapping[str, tuple[Any, ...]] = attrs.field(
        factory=dict, converter=_frozen_tuples, hash=False
    )

    @property
    def holds_for(self) -> str:
        """The players and options of the game for which it holds, in words; empty: all."""
        words = [f"{_either(self.players)} players"] if self.players else []
        words += [f"{name}={_either(values)}" for name, values in self.game_options.items()]
        return ", ".join(words)

    def holds(self, players: int, options: Mapping[str, Any]) -> bool:
        """Whether it holds for so many players and these options of the game."""
        return (not self.players or players in self.players) and all(
            options[name] in values for name, values in self.game_options.items() if name in options
        )


@attrs.frozen(kw_only=True)
class EvaluatorOffer(Conditional, Offer):
    """An evaluator of one game. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "evaluator"

    #: The name of the game it evaluates.
    game: str = name_field()
    #: Whether it was learned from games, and so is no measure for others that are.
    learned: bool = False

    def check(self, players: int, options: Mapping[str, Any]) -> None:
        """UsageError says for which players and options it holds, if not for these."""
        if not self.holds(players, options):
            named = {name: options[name] for name in self.game_options if name in options}
            here = ", ".join([f"{players} players", *(f"{n}={_text(v)}" for n, v in named.items())])
            raise UsageError(
                f"{self.game}: evaluator '{self.name}' is for {self.holds_for}, not for {here}"
            )


@attrs.frozen(kw_only=True)
class PropagatorOffer(Offer):
    """A propagator. Called as `make(**options)`."""

    kind: ClassVar[str] = "propagator"

    #: Defaults for an agent's common keys, such as {"depth": 1}.
    defaults: Mapping[str, Any] = attrs.field(factory=dict, converter=frozen_mapping, hash=False)
    #: What such an agent is like, in a word for people: "Ada the suspicious" for "suspicious".
    character: str = ""


@attrs.frozen(kw_only=True)
class OpponentModelOffer(Offer):
    """An opponent model. Called as `make(**options)`."""

    kind: ClassVar[str] = "opponent model"


@attrs.frozen(kw_only=True)
class SearchAlgorithmOffer(Offer):
    """A search algorithm, chosen with `search=name`. Called as `make(space, bots, **options)`.

    `space` is a SearchSpace, `bots` the PlayerOffers of its game by name.
    """

    kind: ClassVar[str] = "search algorithm"

    #: Nodes of a decision that is given neither nodes nor time; None: a depth suffices.
    default_nodes: int | None = None
    #: Defaults for an agent's keys in games that are declared hidden, such as {"pool": "mean"}.
    hidden_defaults: Mapping[str, Any] = attrs.field(
        factory=dict, converter=frozen_mapping, hash=False
    )


@attrs.frozen(kw_only=True)
class DialectOffer(Offer):
    """A text protocol of a game's programs. Called as `make(game)`."""

    kind: ClassVar[str] = "protocol"


@attrs.frozen(kw_only=True)
class BranchingOffer(Offer):
    """A branching that a game brings. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "branching"


@attrs.frozen(kw_only=True)
class InsightOffer(Offer):
    """An insight, switched on with `insights=name+name`. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "insight"


@attrs.frozen(kw_only=True)
class PlayerOffer(Offer):
    """A player that is not put together from parts. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "player"

    #: What it is like, in a word for people; see `PropagatorOffer.character`.
    character: str = ""


@attrs.frozen(kw_only=True)
class Preset(Conditional):
    """A name for an agent's text, such as `basic` for `paranoid:depth=2`.

    Several may have one name: the first that holds is meant.
    """

    name: str = name_field()
    summary: str
    text: str


def _is_range(_: Any, attribute: Any, value: Any) -> None:
    fits = isinstance(value, tuple) and len(value) == 2
    if not fits or not all(isinstance(count, int) for count in value):
        raise TypeError(f"players is a pair of whole numbers, fewest and most, not {value!r}")


@attrs.frozen(kw_only=True)
class GameOffer(Offer):
    """A game and what belongs to it. Called as `make(players=..., **options)`."""

    kind: ClassVar[str] = "game"

    #: Fewest and most players.
    players: tuple[int, int] = attrs.field(validator=_is_range)
    default_players: int = attrs.field(validator=attrs.validators.instance_of(int))
    #: The evaluator used when none is named.
    evaluator: str = name_field()
    branchings: tuple[BranchingOffer, ...] = _several(BranchingOffer)
    #: The branching used when none is named; `all` is every legal move.
    branching: str = name_field(default="all")
    #: Players of this game that do not search.
    bots: tuple[PlayerOffer, ...] = _several(PlayerOffer)
    #: Searching agents of this game that have a name of their own.
    presets: tuple[Preset, ...] = _several(Preset)
    #: What can be known about this game beyond the search.
    insights: tuple[InsightOffer, ...] = _several(InsightOffer)
    #: Text protocols that programs of this game use.
    dialects: tuple[DialectOffer, ...] = _several(DialectOffer)
    #: Who sits down where nobody was named, in turn: agents' texts.
    company: tuple[str, ...] = _several(str)
    #: Defaults for an agent's keys in this game, such as {"depth": 1, "worlds": 4}. A limit among
    #: them holds where the agent itself has none.
    defaults: Mapping[str, Any] = attrs.field(factory=dict, converter=frozen_mapping, hash=False)
    #: The game as people know it, where a person plays and nothing else is said: values of options,
    #: and the number of players if it is not `default_players`.
    people_options: Mapping[str, str] = attrs.field(
        factory=dict, converter=frozen_mapping, hash=False
    )
    people_players: int | None = None
    #: Where the rules are told, as "mpsearch_hearts:guide.txt"; see `mpsearch.contracts.guide`.
    guide: str = attrs.field(default="", validator=attrs.validators.instance_of(str))

    def __attrs_post_init__(self) -> None:
        low, high = self.players
        if not 2 <= low <= self.default_players <= high:
            raise ValueError(
                f"game {self.name}: {self.default_players} players do not fit {low} to {high}"
            )
        if not low <= (self.people_players or low) <= high:
            raise ValueError(
                f"game {self.name}: {self.people_players} players do not fit {low} to {high}"
            )
        self.settle(self.people_options)

    def variant(self, options: Mapping[str, Any]) -> str:
        """Which of its variants is played, in a few words: what people have to know, or changed."""
        told = [
            f"{option.name}={option.write(options[option.name])}"
            for option in self.options
            if option.name in options
            and (option.name in self.people_options or options[option.name] != option.default)
        ]
        return f"{self.name} ({', '.join(told)})" if told else self.name

    def read_guide(self) -> Guide | None:
        """The rules for people; None if the plugin brings none."""
        return read_guide(self.guide) if self.guide else None

    def new_game(
        self, *, players: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Game:
        """The game for that many players, with options checked against what it offers."""
        return self.settled_game(
            players=self.default_players if players is None else players,
            options=self.settle(options or {}),
        )

    def settled_game(self, *, players: int, options: Mapping[str, Any]) -> Game:
        """The same, where the options are settled already."""
        low, high = self.players
        if not low <= players <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise UsageError(f"{self.name}: {players} players; the game is for {wanted}")
        made: Game = self.make(players=players, **options)
        return made
