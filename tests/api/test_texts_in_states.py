"""Games whose texts depend on the state: every text that is shown can be given back."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents.tree_svg import svg_tree
from mpsearch.agents.tree_text import draw_tree
from mpsearch.api.game_table import Table
from mpsearch.cli.terminal.person import Human
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.contracts import OVER, Array, Bounds, Evaluator, Game, Turn
from mpsearch.contracts.move_text import split_moves, written_line
from mpsearch.contracts.offers import EvaluatorOffer, GameOffer
from mpsearch.errors import MoveError
from mpsearch.match import Record, replay
from mpsearch.match.record.format import ply_entry
from mpsearch.match.record.replay import recalled
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search.tracing import trace

HEAP, SEATS = 9, 3


class Countdown(Game):
    """Take one or two of a heap; a move is said by what it leaves: `leave 7`."""

    players = SEATS

    def new(self) -> Any:
        return (HEAP, 0)

    def mover(self, state: Any) -> int:
        return OVER if state[0] == 0 else state[1] % SEATS

    def moves(self, state: Any) -> Sequence[int]:
        return (1, 2)[: state[0]]

    def play(self, state: Any, move: int) -> Any:
        return (state[0] - move, state[1] + 1)

    def payoff(self, state: Any) -> Array:
        last = (state[1] - 1) % SEATS
        return np.array([float(seat == last) for seat in range(SEATS)])

    def read(self, text: str) -> int:
        if text not in ("1", "2"):
            raise MoveError(f"'{text}' is neither 1 nor 2")
        return int(text)

    def write_in(self, state: Any, move: int) -> str:
        return f"leave {state[0] - move}"

    def read_in(self, state: Any, text: str) -> int:
        word, _, left = text.partition(" ")
        return state[0] - int(left) if word == "leave" and left.isdecimal() else self.read(text)


class LastTaker(Evaluator):
    bounds = Bounds()

    def __init__(self, game: Game) -> None:
        self.game = game

    def values(self, state: Any) -> Array:
        over = self.game.mover(state) == OVER
        return 100 * self.game.payoff(state) if over else np.full(SEATS, 50.0)


@pytest.fixture
def place() -> Table:
    game = Countdown()
    offer = GameOffer(
        name="countdown", summary="", make=Countdown, players=(3, 3), default_players=3,
        evaluator="last",
    )  # fmt: skip
    last = EvaluatorOffer(name="last", summary="", make=LastTaker, game="countdown")
    catalog = attrs.evolve(
        load_catalog(), games={"countdown": offer}, evaluators={"countdown": {"last": last}}
    )
    return Table(catalog=catalog, offer=offer, game=game, options={})


def test_records_have_the_texts_of_their_states_and_replay(place: Table) -> None:
    match = place.play("maxn:depth=2", "random", seed=3)
    entries = tuple(ply_entry(place.game, ply) for ply in match.plies)
    left = [int(entry["move"].removeprefix("leave ")) for entry in entries]
    assert left == [ply.state[0] for ply in match.plies]
    states = [match.plies[0].before, *(ply.state for ply in match.plies)]
    record = Record(setting=match.setting, lines=entries)
    assert list(replay(place.game, record)) == states
    assert [ply.move for ply in recalled(place.game, record)] == [p.move for p in match.plies]


def test_moves_with_spaces_are_parted_by_semicolons(place: Table) -> None:
    assert place.position(moves="leave 8; leave 6;leave 5") == (5, 3)
    assert place.position(moves="leave 8;") == (8, 1)
    assert place.position(moves="1 2 1") == (5, 3)
    assert split_moves(" e2  e4 ") == ["e2", "e4"]
    with pytest.raises(MoveError, match=r"move 'leave 4' is not legal.*leave 6, leave 5"):
        place.position(moves="leave 8; leave 7; leave 4")


def test_explanations_write_each_move_of_a_line_where_it_is_made(place: Table) -> None:
    found = place.search(place.position(), "maxn:depth=3")
    left = [int(text.removeprefix("leave ")) for text in found.written(found.report.line)]
    assert len(left) == 3
    assert all(1 <= before - after <= 2 for before, after in zip([HEAP, *left], left, strict=False))
    assert found.document()["move"] == found.move == f"leave {left[0]}"
    assert f"leave {left[1]}" in str(found)


def test_drawn_trees_write_each_move_where_it_is_made(place: Table) -> None:
    """Two plies from 9: after `leave 8` come 7 and 6, after `leave 7` come 6 and 5."""
    stance = place.search(place.position(), "maxn").report.stance
    root = trace(place.space(), place.position(), stance, depth=2, prune=False)
    expected = ["leave 8", "leave 7", "leave 6", "leave 7", "leave 6", "leave 5"]
    text = draw_tree(place.game, root, width=80)
    assert re.findall(r"leave \d", text) == expected
    assert re.findall(r"leave \d", svg_tree(place.game, root, stance.matrix)) == expected


def test_a_line_that_cannot_be_played_here_is_written_without_a_state() -> None:
    assert written_line(Countdown(), (3, 0), [2, 2, 1]) == ["leave 1", "2", "1"]


def test_a_person_may_say_either_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = iter(["moves", "leave 3", "LEAVE 7", "2", ""])
    monkeypatch.setattr(Prompt, "ask", lambda *_, **__: next(said))
    turn = Turn(seat=0, view=(HEAP, 0), moves=(1, 2))
    human = Human(Countdown())
    human.current = SimpleNamespace(you=0)  # type: ignore[assignment]
    decision = human.choose(turn, None, np.random.default_rng(0))
    assert decision.move == 2
    out = capsys.readouterr().out
    assert "1) leave 8  2) leave 7" in out
    assert "'leave 3' is not legal: legal are leave 8, leave 7" in out
