"""Moves that are worth the same to an agent: any of them, or always the first."""

import pytest

import mpsearch


@pytest.mark.parametrize("search", ["tree", "brs"])
def test_an_agent_takes_any_of_equal_moves_or_always_the_first(search: str) -> None:
    """No first move of scramble does anything to another runner, so all are worth the same."""
    table = mpsearch.table("scramble", players=3)
    start = table.game.new()
    text = f"offensive:target=1,depth=1,search={search}"
    moves = table.game.moves(start)
    assert len(moves) == 3
    found = {
        ties: {table.search(start, f"{text},ties={ties}", seed=k).report.move for k in range(12)}
        for ties in ("random", "first")
    }
    assert found == {"random": set(moves), "first": {moves[0]}}
