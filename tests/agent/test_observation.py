"""What an agent makes of a move that it sees: what it changed, and what else could have been."""

import numpy as np
import pytest

from mpsearch.agent import SearchAgent, make_agent
from mpsearch.catalog import load_catalog
from mpsearch.contracts import CHANCE, Event, Game, State


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
