"""For every rule of the contract, at least one broken example that the rule must catch."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from support.breaches import (
    boxes,
    compiled_games,
    ends,
    evaluators,
    features,
    games,
    numbers,
    parts,
    pictures,
    search_algorithms,
    secrets,
    views,
)
from support.breaches.entering import BREACHES, Breach
from support.breaches.sound import PLAYERS, PLIES, SEED, SOUND

from mpsearch.contracts import CHANCE
from mpsearch.errors import ContractError
from mpsearch.testing import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    GAME_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
    SEARCH_ALGORITHM_RULES,
)
from mpsearch.testing.random_play import shared_walks

#: Whoever is imported has entered what is broken in it.
BROKEN = (
    games,
    views,
    secrets,
    numbers,
    pictures,
    compiled_games,
    ends,
    features,
    evaluators,
    boxes,
    parts,
    search_algorithms,
)
REGISTRIES: dict[str, dict[str, Callable[..., None]]] = {
    "game": GAME_RULES,
    "evaluator": EVALUATOR_RULES,
    "branching": BRANCHING_RULES,
    "propagator": PROPAGATOR_RULES,
    "model": MODEL_RULES,
    "search algorithm": SEARCH_ALGORITHM_RULES,
}


@pytest.fixture(autouse=True)
def _jit_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some rules compare compiled with plain functions, whatever the run of the tests is set to."""
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: f"{breach.rule}-{breach.name}")
def test_rule_catches_its_breach(breach: Breach) -> None:
    with pytest.raises(ContractError) as raised:
        REGISTRIES[breach.kind][breach.rule](*breach.arguments)
    assert re.fullmatch(breach.message, str(raised.value), re.DOTALL), str(raised.value)


@pytest.mark.parametrize(
    "breach",
    [breach for breach in BREACHES if breach.kind == "game"],
    ids=lambda breach: f"{breach.rule}-{breach.name}",
)
def test_rule_catches_its_breach_in_few_views(breach: Breach) -> None:
    """As `--quick` looks at games with more or fewer players than usual: at one turn of thirty."""
    with shared_walks(most_views=PLAYERS), pytest.raises(ContractError):
        GAME_RULES[breach.rule](*breach.arguments)


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_rule_has_a_breach(kind: str) -> None:
    assert {breach.rule for breach in BREACHES if breach.kind == kind} == set(REGISTRIES[kind])


@pytest.mark.parametrize(
    ("kind", "rule", "arguments"),
    [(kind, rule, arguments) for kind, arguments in SOUND for rule in REGISTRIES[kind]],
    ids=lambda value: value if isinstance(value, str) else type(value[-3]).__name__,
)
def test_sound_example_keeps_the_rule(kind: str, rule: str, arguments: tuple[Any, ...]) -> None:
    REGISTRIES[kind][rule](*arguments)


def test_moves_in_a_message_lead_back_to_the_breach() -> None:
    game = games.Stuck()
    with pytest.raises(ContractError) as raised:
        GAME_RULES["moves_are_listed_once"](game, SEED, PLIES)
    found = re.fullmatch(r".*\(seed 5, after moves: (.+)\)", str(raised.value))
    assert found is not None
    state = game.new()
    for text in found[1].split():
        assert game.moves(state) or game.mover(state) == CHANCE
        state = game.play(state, game.read(text))
    assert game.mover(state) >= 0
    assert game.moves(state) == []
