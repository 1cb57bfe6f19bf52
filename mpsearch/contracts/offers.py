"""Offers: what plugins provide, by name, with the options that users may set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import attrs

from mpsearch._util import deferred, frozen_mapping, mapping_field
from mpsearch.contracts.game import Game
from mpsearch.contracts.guide import Guide, read_guide
from mpsearch.contracts.options import Option, settle
from mpsearch.errors import UsageError

#: Names appear in agents' texts and on the command line, where `:`, `,`, `=` and `+` are syntax.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def _is_name(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{attribute.name} is a text, not {value!r}")
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"{attribute.name} '{value}' may have only letters, digits, '_', '-' and '.'"
        )


def name_field(**settings: Any) -> Any:
    """An attrs field for a name."""
    return attrs.field(validator=_is_name, **settings)


def _several(*kinds: type) -> Any:
    """An attrs field for a tuple of such entries, also given as a list."""

    def check(_: Any, attribute: Any, value: Any) -> None:
        words = " or ".join(f"{kind.__name__}s" for kind in kinds)
        if not isinstance(value, tuple) or not all(isinstance(entry, kinds) for entry in value):
            raise TypeError(f"{attribute.name} is a tuple of {words}, not {value!r}")

    def convert(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    return attrs.field(default=(), converter=convert, validator=check)


@attrs.frozen(kw_only=True)
class Offer:
    """Something that can be chosen by name, and how to make it."""

    #: The kind of offer in messages.
    kind: ClassVar[str] = "offer"

    name: str = name_field()
    summary: str = attrs.field(validator=attrs.validators.instance_of(str))
    #: The factory; each kind of offer documents its arguments. A text such as
    #: "mpsearch_hearts.game:Hearts" is imported when it is first called.
    make: Callable[..., Any] = attrs.field(
        repr=False, converter=deferred, validator=attrs.validators.is_callable()
    )
    options: tuple[Option, ...] = _several(Option)

    def settle(self, given: Mapping[str, Any], *, owner: str | None = None) -> dict[str, Any]:
        """The value of every option: the given one, checked, or the default."""
        return settle(self.options, given, owner=self.name if owner is None else owner)


def _frozen_tuples(table: Mapping[str, Any]) -> Mapping[str, tuple[Any, ...]]:
    """Options with tuples of allowed values; a single value need not be in a tuple."""
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
    """Something that applies only to some numbers of players and options of its game."""

    #: The numbers of players that it applies to; empty: any.
    players: tuple[int, ...] = _several(int)
    #: The game's options that it depends on, each with the values that it applies to.
    game_options: Mapping[str, tuple[Any, ...]] = attrs.field(
        factory=dict, converter=_frozen_tuples, hash=False
    )

    @property
    def holds_for(self) -> str:
        """The players and options that it applies to, in words; empty: all."""
        words = [f"{_either(self.players)} players"] if self.players else []
        words += [f"{name}={_either(values)}" for name, values in self.game_options.items()]
        return ", ".join(words)

    def holds(self, players: int, options: Mapping[str, Any]) -> bool:
        """Whether it applies to these players and options of the game."""
        return (not self.players or players in self.players) and all(
            options[name] in values for name, values in self.game_options.items() if name in options
        )


@attrs.frozen(kw_only=True)
class EvaluatorOffer(Conditional, Offer):
    """An evaluator of one game. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "evaluator"

    #: The name of its game.
    game: str = name_field()
    #: Whether it was trained, so that other trained ones are not measured against it.
    learned: bool = False

    def check(self, players: int, options: Mapping[str, Any]) -> None:
        """UsageError if it does not apply to these players and options."""
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

    #: Defaults of an agent's common keys, such as {"depth": 1}.
    defaults: Mapping[str, Any] = mapping_field(factory=dict)
    #: An adjective for such an agent's name: "Ada the suspicious" for "suspicious".
    character: str = ""


@attrs.frozen(kw_only=True)
class OpponentModelOffer(Offer):
    """An opponent model. Called as `make(**options)`."""

    kind: ClassVar[str] = "opponent model"


@attrs.frozen(kw_only=True)
class SearchAlgorithmOffer(Offer):
    """A search algorithm, chosen with `search=name`. Called as `make(space, bots, **options)`.

    `space` is a SearchSpace; `bots` are the PlayerOffers of its game by name.
    """

    kind: ClassVar[str] = "search algorithm"

    #: The node limit without a limit on nodes or time; None: a depth suffices.
    default_nodes: int | None = None
    #: Defaults of an agent's keys in hidden games, such as {"pool": "mean"}.
    hidden_defaults: Mapping[str, Any] = mapping_field(factory=dict)


@attrs.frozen(kw_only=True)
class DialectOffer(Offer):
    """A text protocol of a game's programs. Called as `make(game)`."""

    kind: ClassVar[str] = "protocol"


@attrs.frozen(kw_only=True)
class BranchingOffer(Offer):
    """A branching of a game. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "branching"


@attrs.frozen(kw_only=True)
class InsightOffer(Offer):
    """An insight, enabled with `insights=name+name`. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "insight"


@attrs.frozen(kw_only=True)
class PlayerOffer(Offer):
    """A bot: a player that does not search. Called as `make(game, **options)`."""

    kind: ClassVar[str] = "player"

    #: See `PropagatorOffer.character`.
    character: str = ""


@attrs.frozen(kw_only=True)
class Preset(Conditional):
    """A name for an agent's text, such as `basic` for `paranoid:depth=2`.

    Of several with one name, the first that applies is used.
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
    """A game with its parts. Called as `make(players=..., **options)`."""

    kind: ClassVar[str] = "game"

    #: Fewest and most players.
    players: tuple[int, int] = attrs.field(validator=_is_range)
    default_players: int = attrs.field(validator=attrs.validators.instance_of(int))
    #: The default evaluator.
    evaluator: str = name_field()
    branchings: tuple[BranchingOffer, ...] = _several(BranchingOffer)
    #: The default branching; `all` is every legal move.
    branching: str = name_field(default="all")
    #: Players that do not search.
    bots: tuple[PlayerOffer, ...] = _several(PlayerOffer)
    #: Names for searching agents.
    presets: tuple[Preset, ...] = _several(Preset)
    insights: tuple[InsightOffer, ...] = _several(InsightOffer)
    #: The game's own text protocols.
    dialects: tuple[DialectOffer, ...] = _several(DialectOffer)
    #: Agents' texts for seats without a named agent, in turn.
    company: tuple[str, ...] = _several(str)
    #: Defaults of an agent's keys in this game, such as {"depth": 1, "worlds": 4}. A limit applies
    #: if the agent itself has none.
    defaults: Mapping[str, Any] = mapping_field(factory=dict)
    #: Default options, and the default number of players if it differs, when a person plays: the
    #: game as people know it.
    people_options: Mapping[str, str] = mapping_field(factory=dict)
    people_players: int | None = None
    #: The file of the rules, such as "mpsearch_hearts:guide.txt"; see `mpsearch.contracts.guide`.
    guide: str = attrs.field(default="", validator=attrs.validators.instance_of(str))

    def __attrs_post_init__(self) -> None:
        low, high = self.players
        for players in (self.default_players, self.people_players or self.default_players):
            if not 2 <= low <= players <= high:
                raise ValueError(f"game {self.name}: {players} players do not fit {low} to {high}")
        self.settle(self.people_options)

    def variant(self, options: Mapping[str, Any]) -> str:
        """The game's name with the options that a person must know or that were changed."""
        told = [
            f"{option.name}={option.write(options[option.name])}"
            for option in self.options
            if option.name in options
            and (option.name in self.people_options or options[option.name] != option.default)
        ]
        return f"{self.name} ({', '.join(told)})" if told else self.name

    def read_guide(self) -> Guide | None:
        """The rules for people; None if there are none."""
        return read_guide(self.guide) if self.guide else None

    def new_game(
        self, *, players: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Game:
        """Make the game for a number of players, with checked options."""
        return self.settled_game(
            players=self.default_players if players is None else players,
            options=self.settle(options or {}),
        )

    def settled_game(self, *, players: int, options: Mapping[str, Any]) -> Game:
        """The same with options that are settled already."""
        low, high = self.players
        if not low <= players <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise UsageError(f"{self.name}: {players} players; the game is for {wanted}")
        made: Game = self.make(players=players, **options)
        return made
