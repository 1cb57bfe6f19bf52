"""What an agent makes of a move that it sees: what it changed, and what else could have been."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.builtin.opponent_models.given import Selfish
from mpsearch.contracts import (
    CHANCE,
    Array,
    Bounds,
    Branching,
    Evaluator,
    Event,
    Game,
    Limits,
    Report,
    SearchAlgorithm,
    SearchRequest,
    SearchSpace,
    Stance,
    State,
    turn_of,
)
from mpsearch.plugins.catalog import load_catalog


def first_turn(game: Game) -> State:
    rng = np.random.default_rng(1)
    state = game.new()
    while game.mover(state) == CHANCE:
        state = game.play(state, game.draw(state, rng))
    return state


@pytest.mark.parametrize(("name", "worlds"), [("scramble", 1), ("plunder", 4)])
def test_a_move_is_seen_beside_all_others_in_worlds_in_which_it_was_possible(
    name: str, worlds: int
) -> None:
    catalog = load_catalog()
    game = catalog.game(name, players=3)
    agent = make_agent(catalog, name, game, "sos:model=advantage,worlds=4")
    assert isinstance(agent, SearchAgent)
    state = first_turn(game)
    mover = game.mover(state)
    seat = (mover + 1) % 3
    move = game.moves(state)[-1]
    after = game.play(state, move)
    event = Event(
        mover=mover, move=move, before=game.view(state, seat), after=game.view(after, seat)
    )
    seen = agent.observation(event, np.random.default_rng(2))
    assert seen is not None
    found = seen.alternatives()
    assert len(found) == worlds
    if not game.hidden:
        values = [agent.space.evaluator.values(game.play(state, m)) for m in game.moves(state)]
        [(listed, chosen)] = found
        assert listed.tolist() == np.array(values).tolist()
        assert chosen == len(values) - 1
        assert seen.after.tolist() == listed[chosen].tolist()
    # The mean over the same worlds, so that the move is one of those listed in each of them.
    mean = np.mean([listed[chosen] for listed, chosen in found], axis=0)
    assert mean == pytest.approx(seen.after)


def test_what_a_mover_sees_two_plies_ahead_has_the_best_reply() -> None:
    catalog = load_catalog()
    game = catalog.game("scramble", players=3)
    agent = make_agent(catalog, "scramble", game, "sos:model=likelihood,farthest=2")
    assert isinstance(agent, SearchAgent)
    values = agent.space.evaluator.values
    state = game.new()
    for number in range(6):
        move = game.moves(state)[-1]
        after = game.play(state, move)
        event = Event(mover=game.mover(state), move=move, before=state, after=after)
        seen = agent.observation(event, np.random.default_rng(2))
        assert seen is not None
        [(listed, chosen)] = seen.alternatives(2)
        assert chosen == len(listed) - 1
        for own, found in zip(game.moves(state), listed, strict=True):
            child = game.play(state, own)
            replies = [values(game.play(child, m)) for m in game.moves(child)]
            best = max(replies, key=lambda value: round(value[game.mover(child)] * 2**20))
            assert found.tolist() == best.tolist(), number
        state = after


class Tenths(Evaluator):
    """Values from 0 to 10."""

    bounds = Bounds(least=0, greatest=10)

    def values(self, state: State) -> Array:
        return np.array([1.0, 2.0, 3.0])


def test_a_move_is_measured_on_the_scale_of_the_evaluator() -> None:
    catalog = load_catalog()
    game = catalog.game("scramble", players=3)
    agent = make_agent(catalog, "scramble", game, "sos:model=advantage")
    assert isinstance(agent, SearchAgent)
    agent = attrs.evolve(agent, space=SearchSpace(game=game, evaluator=Tenths()))
    state, move = game.new(), game.moves(game.new())[0]
    event = Event(mover=0, move=move, before=state, after=game.play(state, move))
    seen = agent.observation(event, np.random.default_rng(2))
    assert seen is not None
    assert seen.greatest == 10


def test_a_forced_move_is_searched_one_ply_deep_unless_values_are_asked_for() -> None:
    catalog = load_catalog()
    game = catalog.game("scramble", players=3)
    agent = make_agent(catalog, "scramble", game, "maxn:depth=3")
    assert isinstance(agent, SearchAgent)
    state, rng = game.new(), np.random.default_rng(1)
    free = turn_of(game, state)
    # As if nothing else were legal.
    forced = attrs.evolve(free, moves=free.moves[:1])
    game_of_one = attrs.evolve(
        agent, space=attrs.evolve(agent.space, branching=First(game)), ties="first"
    )
    for made, turn, depth in (
        (agent, free, 3),
        (game_of_one, forced, 1),
        (attrs.evolve(game_of_one, exact=True), forced, 3),
    ):
        algorithm = attrs.evolve(made, algorithm=Noting())
        assert algorithm.choose(turn, algorithm.start(0, rng), rng).depth == depth


def test_a_search_is_told_how_far_the_model_takes_others_to_look() -> None:
    catalog = load_catalog()
    game = catalog.game("scramble", players=3)
    agent = make_agent(catalog, "scramble", game, "maxn:model=likelihood,farthest=3")
    assert isinstance(agent, SearchAgent)
    told = []

    class Told(Noting):
        def search(
            self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
        ) -> Report:
            told.append(request.horizons)
            return super().search(worlds, stance, limits, request)

    rng = np.random.default_rng(1)
    for made in (agent, attrs.evolve(agent, model=Farsighted())):
        made = attrs.evolve(made, algorithm=Told())
        made.choose(turn_of(game, game.new()), made.start(0, rng), rng)
    assert told == [(1, 1, 1), (0, 2, 1)]


class Farsighted(Selfish):
    """Says that others look farther than one ply."""

    def horizons(self, beliefs: Any) -> tuple[int, ...]:
        return 0, 2, 1


class First(Branching):
    """The first legal move alone."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moves(self, state: State) -> list[Any]:
        return list(self.game.moves(state))[:1]


class Noting(SearchAlgorithm):
    """Searches nothing; its report says how deep it was asked to."""

    def search(
        self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        assert limits.depth is not None
        return Report(
            move=1, value=np.zeros(3), exact=True, moves=(), line=(1,), stance=stance,
            pruning="none", nodes=1, depth=limits.depth, worlds=len(worlds), seconds=0.0,
        )  # fmt: skip
