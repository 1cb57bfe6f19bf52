"""Test suites to inherit from: name what is tested, and pytest does the rest.

    class TestHearts(GameSuite):
        game = "hearts"

They test what is installed, as the catalog offers it to users.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest

from mpsearch.api import set_table, table_of
from mpsearch.contracts import MOST_COLUMNS, MOST_LINES, Game, GameOffer
from mpsearch.errors import UsageError
from mpsearch.jit import jit_enabled
from mpsearch.match import read_record, replay, rerun
from mpsearch.plugins import installed
from mpsearch.search import count_leaves
from mpsearch.testing.check import check_game
from mpsearch.testing.checked_settings import few_counts, options_in
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.part_rules import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
)
from mpsearch.testing.search_algorithm_rules import SEARCH_ALGORITHM_RULES, algorithm_maker

T = TypeVar("T")

#: The most leaves that are counted without a compiler: more take minutes.
_MOST_PLAIN = 50_000


def _offered(table: Mapping[str, T], name: str, kind: str) -> T:
    """The offer to test; if there is none, the failure says which plugins are broken, and how."""
    try:
        return installed().pick(table, name, kind=kind)
    except UsageError as error:
        pytest.fail(str(error), pytrace=False)


#: What fails in the smoke tests of each game, which run in a child process.
_problems: dict[str, str] = {}


def _smoke_tests(game: str, *, quick: bool) -> str:
    found = check_game(installed(), game, quick=quick, smoke_test_only=True)
    _problems[game] = "\n".join(map(str, found))
    return _problems[game]


class GameSuite:
    """All rules for a game, its evaluators, branchings and bots, over seeded random games."""

    #: The game's name in the catalog.
    game: ClassVar[str]
    #: Settings to test (players and options); by default the default, least and most players.
    settings: ClassVar[tuple[dict[str, Any], ...]] = ()
    seeds: ClassVar[range] = range(2)
    #: Length of the random games, unless a rule needs the end.
    plies: ClassVar[int] = 120
    #: A cheap agent for whole games.
    agent: ClassVar[str] = "random"
    #: Known perft counts for depth 1, 2, 3, ..., each with its setting.
    perft: ClassVar[tuple[tuple[dict[str, Any], tuple[int, ...]], ...]] = ()
    #: A folder of recorded games, which must still be legal and end as they did.
    records: ClassVar[Path | None] = None

    @pytest.fixture(autouse=True)
    def _functions_run(self, request: pytest.FixtureRequest) -> None:
        """Smoke tests in a child process come first: a compiled function could crash pytest."""
        self.offer()
        if request.function.__name__ == "test_functions_run_in_every_setting":
            return  # those are its smoke tests, in more settings
        known = _problems.get(self.game)
        if problems := _smoke_tests(self.game, quick=True) if known is None else known:
            pytest.fail(problems, pytrace=False)

    def test_functions_run_in_every_setting(self) -> None:
        """Plain functions with every index checked, then compiled ones, in a child process."""
        assert _smoke_tests(self.game, quick=False) == ""

    def offer(self) -> GameOffer:
        """The game as its plugin offers it."""
        return _offered(installed().games, self.game, "game")

    def games(self) -> list[Game]:
        """The game in every tested setting."""
        return [game for _, game in self.settled_games()]

    def settled_games(self) -> list[tuple[dict[str, Any], Game]]:
        """The same, each with the values of all options."""
        offer = self.offer()
        usual = tuple({"players": count} for count in few_counts(offer))
        return [
            (offer.settle(options_in(setting)), self.new_game(setting))
            for setting in self.settings or usual
        ]

    def new_game(self, setting: dict[str, Any]) -> Game:
        """The game in one setting of players and options."""
        return self.offer().new_game(players=setting.get("players"), options=options_in(setting))

    def test_the_rules_are_told_in_half_a_page(self) -> None:
        """The guide fits `mpsearch rules` and `?` at the prompt."""
        guide = self.offer().read_guide()
        if guide is None:
            pytest.skip("the offer names no guide")
        lines = guide.text.splitlines()
        assert len(lines) <= MOST_LINES, f"{len(lines)} lines; {MOST_LINES} fit"
        assert max(map(len, lines)) <= MOST_COLUMNS, f"a line has {max(map(len, lines))} columns"
        assert guide.notation, "nothing is said about how moves are written"

    @pytest.mark.parametrize("rule", GAME_RULES)
    def test_game(self, rule: str) -> None:
        for game in self.games():
            for seed in self.seeds:
                GAME_RULES[rule](game, seed, self.plies)

    @pytest.mark.parametrize("rule", EVALUATOR_RULES)
    def test_evaluators(self, rule: str) -> None:
        offers = _offered(installed().evaluators, self.game, "game with evaluators").values()
        for setting, game in self.settled_games():
            for offer in offers:
                if not offer.holds(game.players, setting):
                    continue
                evaluator = offer.make(game, **offer.settle({}))
                for seed in self.seeds:
                    EVALUATOR_RULES[rule](game, evaluator, seed, self.plies)

    @pytest.mark.parametrize("rule", BRANCHING_RULES)
    def test_branchings(self, rule: str) -> None:
        for game in self.games():
            for branching in self.offer().branchings:
                made = branching.make(game, **branching.settle({}))
                for seed in self.seeds:
                    BRANCHING_RULES[rule](game, made, seed, self.plies)

    def test_perft_counts_are_the_known_ones(self) -> None:
        if not self.perft:
            pytest.skip("no counts are given")
        for setting, counts in self.perft:
            game = self.new_game(setting)
            expected = [count for count in counts if jit_enabled() or count <= _MOST_PLAIN]
            found = [count_leaves(game, game.new(), d + 1) for d in range(len(expected))]
            assert found == expected

    def test_kept_records_are_still_legal(self) -> None:
        if self.records is None:
            pytest.skip("no records are given")
        paths = sorted(self.records.glob("*.jsonl"))
        assert paths, f"no records in {self.records}"
        for path in paths:
            record = read_record(path)
            for _ in replay(table_of(record.setting).game, record):
                pass
            assert record.payoff is not None, f"{path} was interrupted"

    def test_records_replay_bit_for_bit(self, tmp_path: Path) -> None:
        """A whole game of the game's bots and the cheap agent."""
        table = set_table(installed(), self.game)
        agents = [*(player.name for player in table.offer.bots), self.agent]
        match = table.play(*agents[: table.players], seed=1)
        path = tmp_path / "game.jsonl"
        match.save(path)
        record = read_record(path)
        *_, last = replay(table.game, record)
        assert last == match.state
        rerun(table.game, table.seat(record.setting), record)


class PropagatorSuite:
    """All rules for a propagator."""

    #: The propagator's name in the catalog, and options for it.
    propagator: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}

    @pytest.mark.parametrize("rule", PROPAGATOR_RULES)
    def test_propagator(self, rule: str) -> None:
        offer = _offered(installed().propagators, self.propagator, "propagator")
        options = offer.settle({}) | self.options
        for players in range(2, 7):
            for seed in range(2):
                PROPAGATOR_RULES[rule](offer.make(**options), players, seed)


class ModelSuite:
    """All rules for an opponent model."""

    #: The model's name in the catalog, and options for it.
    model: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    players: ClassVar[tuple[int, ...]] = (2, 3, 4, 5, 6)

    @pytest.mark.parametrize("rule", MODEL_RULES)
    def test_model(self, rule: str) -> None:
        offer = _offered(installed().opponent_models, self.model, "opponent model")
        options = offer.settle({}) | self.options
        for players in self.players:
            for seed in range(2):
                MODEL_RULES[rule](offer.make(**options), players, seed)


class SearchAlgorithmSuite:
    """All rules for a search algorithm, in an open and a hidden game."""

    #: The algorithm's name in the catalog, and options for it.
    search: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    games: ClassVar[tuple[str, ...]] = ("scramble", "plunder")

    @pytest.mark.parametrize("rule", SEARCH_ALGORITHM_RULES)
    def test_search_algorithm(self, rule: str) -> None:
        offer = _offered(installed().search_algorithms, self.search, "search algorithm")
        for name in self.games:
            table = set_table(installed(), name)
            make = algorithm_maker(offer, table.offer, **self.options)
            for seed in range(2):
                SEARCH_ALGORITHM_RULES[rule](make, table.space(table.offer.evaluator), seed)
