"""What a game may add to an agent: names, knowledge, and branchings that know the root."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.contracts import (
    Advice,
    Branching,
    BranchingOffer,
    Decision,
    Game,
    Insight,
    InsightOffer,
    Option,
    Preset,
    State,
    Turn,
)
from mpsearch.errors import UsageError
from mpsearch.match import play_match
from mpsearch.plugins.catalog import Catalog, load_catalog
from mpsearch.search import TreeSearch


@attrs.frozen
class AlwaysRun(Insight):
    """Knows the move for even seats, and tells odd ones to look deeper."""

    squares: int

    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        if turn.seat % 2:
            return Advice(deeper=2)
        return Advice(move=self.squares) if self.squares in turn.moves else Advice()


@attrs.frozen
class RunOnly(Branching):
    """Runs for the root, everything for the others."""

    game: Game
    root: int = -1

    def moves(self, state: State) -> Sequence[int]:
        moves = self.game.moves(state)
        return moves[:1] if self.game.mover(state) == self.root else moves

    def for_root(self, root: int) -> Branching:
        return attrs.evolve(self, root=root)


@pytest.fixture
def catalog() -> Catalog:
    found = load_catalog()
    squares = Option(name="squares", kind=int, default=1)
    offer = attrs.evolve(
        found.game_offer("scramble"),
        presets=(Preset(name="shy", summary="a", text="paranoid:depth=2,evaluator=share"),),
        insights=(
            InsightOffer(
                name="always_run",
                summary="runs",
                options=(squares,),
                make=lambda game, squares: AlwaysRun(squares),
            ),
        ),
        branchings=(BranchingOffer(name="run_only", summary="r", make=lambda game: RunOnly(game)),),
    )
    return attrs.evolve(found, games={**found.games, "scramble": offer})


def agent(catalog: Catalog, text: str) -> SearchAgent:
    made = make_agent(catalog, "scramble", catalog.game("scramble"), text)
    assert isinstance(made, SearchAgent)
    return made


def decide(made: SearchAgent, seat: int) -> Decision:
    game = made.space.game
    state = game.new()
    for _ in range(seat):
        state = game.play(state, 1)
    turn = Turn(seat=seat, view=state, moves=tuple(game.moves(state)))
    rng = np.random.default_rng(0)
    return made.choose(turn, made.start(seat, rng), rng)


def test_a_preset_is_its_text_and_takes_the_same_keys(catalog: Catalog) -> None:
    shy = agent(catalog, "shy")
    assert (shy.limits.depth, type(shy.propagator).__name__) == (2, "Paranoid")
    assert agent(catalog, "shy:depth=5").limits.depth == 5
    evaluator: Any = agent(catalog, "shy:stamina=0.25").space.evaluator
    assert evaluator.parameters.tolist() == [0.25]
    with pytest.raises(UsageError, match="unknown key 'colour'"):
        agent(catalog, "shy:colour=red")


def test_an_insight_moves_at_once_or_deepens(catalog: Catalog) -> None:
    made = agent(catalog, "maxn:depth=2,insights=always_run,squares=3")
    known = decide(made, 0)
    assert (known.move, known.nodes) == (3, 0)
    assert known.stance is not None
    assert known.stance.label == "maxn"
    assert decide(made, 1).depth == 4
    assert decide(agent(catalog, "maxn:depth=2"), 1).depth == 2


def test_an_unknown_insight_is_refused(catalog: Catalog) -> None:
    with pytest.raises(
        UsageError, match="unknown insight for scramble 'luck'; choose from always_"
    ):
        agent(catalog, "maxn:insights=luck")
    with pytest.raises(UsageError, match="unknown key 'squares'"):
        agent(catalog, "maxn:squares=2")


def test_a_branching_can_depend_on_who_searches(catalog: Catalog) -> None:
    made = agent(catalog, "maxn:depth=3,branching=run_only")
    for seat in range(4):
        decision = decide(made, seat)
        assert decision.move == 1
        assert len(decision.report.moves) == 1
        assert decision.nodes > 5


def tree(made: SearchAgent) -> TreeSearch:
    assert isinstance(made.algorithm, TreeSearch)
    return made.algorithm


def test_what_all_seats_search_alike_is_made_once(catalog: Catalog) -> None:
    """Making it means compiling it, for seconds."""
    alike, by_root = (
        [tree(made).engine_for(seat)[1] for seat in (0, 1, 0)]
        for made in (
            agent(catalog, "maxn:depth=3"),
            agent(catalog, "maxn:depth=3,branching=run_only"),
        )
    )
    assert alike[0] is alike[1] is alike[2]
    assert by_root[0] is by_root[2] is not by_root[1]


def test_a_game_with_insights_plays_to_its_end(catalog: Catalog) -> None:
    made = agent(catalog, "maxn:depth=2,insights=always_run,squares=2")
    game = made.space.game
    *_, last = play_match(game, [made] * 4, seed=3)
    assert game.payoff(last.state).sum() == 1
