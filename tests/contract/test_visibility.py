"""What a seat may see is decided in one module: nothing else makes turns, events or any world."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.breaches.secrets import ForgetsSeen, ForgetsView, ForgetsWorld

import mpsearch
from mpsearch.api import hints
from mpsearch.contracts import Event, Turn, any_world, event_of, turn_of
from mpsearch.errors import ContractError
from mpsearch.testing.look_alikes import look_alikes

ROOT = Path(mpsearch.__file__).parent
OWNER = ROOT / "contracts" / "visibility.py"
#: What Python itself calls an Event.
OTHERS = {"asyncio", "threading", "multiprocessing"}


def made_in(source: str) -> Iterator[str]:
    """The turns, events and fixed worlds that a source makes."""
    tree = ast.parse(source)
    names = {"Turn": "Turn", "Event": "Event"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname: a.name for a in node.names if a.asname and a.name in names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = ast.unparse(node.func).rpartition(".")
        if name in names and owner not in OTHERS:
            yield names[name]
        if name == "world" and re.search(r"default_rng\(\d*\)", ast.unparse(node)):
            yield "world"


@pytest.mark.parametrize(
    "path",
    sorted(set(ROOT.rglob("*.py")) - {OWNER}),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_other_module_decides_what_a_seat_may_see(path: Path) -> None:
    assert list(made_in(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("Turn(seat=0, view=v, moves=())", ["Turn"]),
        ("contracts.Event(mover=0)", ["Event"]),
        ("from mpsearch.contracts import Turn as T\nT()", ["Turn"]),
        ("game.world(view, np.random.default_rng(0))", ["world"]),
        ("game.world(view, rng)\nthreading.Event()\nasyncio.Event()", []),
        ("game.world(view, np.random.default_rng(seed))", []),
    ],
)
def test_each_way_to_make_one_is_seen(source: str, made: list[str]) -> None:
    assert list(made_in(source)) == made


def test_a_seat_sees_its_view_of_a_turn_and_of_a_move() -> None:
    place = mpsearch.table("plunder", players=4)
    game = place.game
    before = place.position(seed=2)
    mover = game.mover(before)
    turn = turn_of(game, before)
    assert turn == Turn(seat=mover, view=game.view(before, mover), moves=tuple(game.moves(before)))
    assert turn_of(game, before, turn.moves[:1]).moves == turn.moves[:1]
    move, other = turn.moves[0], (mover + 1) % 4
    after = game.play(before, move)
    assert event_of(game, other, before=before, move=move, after=after) == Event(
        mover=mover,
        move=game.seen(before, move, other),
        before=game.view(before, other),
        after=game.view(after, other),
    )


def test_any_world_agrees_with_the_view_and_is_always_the_same() -> None:
    place = mpsearch.table("plunder", players=4)
    game, state = place.game, place.position(seed=2)
    view = game.view(state, game.mover(state))
    world = any_world(game, view)
    assert game.view(world, game.mover(state)) == view
    assert world == any_world(game, view) == game.world(view, np.random.default_rng(0))


def test_what_a_hidden_game_does_not_declare_is_withheld() -> None:
    """Without `seen` nobody sees a deal or another's move; without `view` an error says so."""
    game, deal = ForgetsSeen(), (1, 2, 3)
    assert [game.seen(game.new(), deal, seat) for seat in range(3)] == [None] * 3
    dealt = game.play(game.new(), deal)
    assert [game.seen(dealt, "high", seat) for seat in range(3)] == ["high", None, None]
    with pytest.raises(ContractError, match="does not define `view`: define view"):
        ForgetsView().view(ForgetsView().new(), 0)
    with pytest.raises(ContractError, match="does not define `world`: define world"):
        ForgetsWorld().world(dealt, np.random.default_rng(0))


def test_hints_are_the_same_in_states_that_look_alike() -> None:
    place = mpsearch.table("plunder", cards=4)
    compared = 0
    for pair in look_alikes(place.game, 3, 30):
        if pair.first and pair.step.mover == pair.seat and compared < 3:
            turns = [turn_of(place.game, state) for state in (pair.step.state, pair.other)]
            first, second = (
                [(hint.move, hint.report.value.tolist()) for hint in hints(place, turn, seed=1)]
                for turn in turns
            )
            assert first == second
            compared += 1
    assert compared == 3
