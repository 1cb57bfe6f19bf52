"""Pictures for terminals and notebooks."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from mpsearch_quoridor.scene import NO_WEB_COLOUR

from mpsearch.gamekit import SEAT_COLOURS, SEAT_WEB_COLOURS

if TYPE_CHECKING:
    from .conftest import NewGame

SVG = "{http://www.w3.org/2000/svg}"
SMALL = """\
  ┌───────────────────┐
5 │ ·   ·   1   ·   · │ > seat 0 on c2, 9 walls, 3 to row 5
  │━━━━━━━            │   seat 1 on c5, 9 walls, 4 to row 1
4 │ ·   ·   · ║ ·   · │
  │           ║       │
3 │ ·   ·   · ║ ·   · │
  │                   │
2 │ ·   ·   0   ·   · │
  │                   │
1 │ ·   ·   ·   ·   · │
  └───────────────────┘
    a   b   c   d   e"""


def test_the_terminal_shows_walls_pawns_and_the_last_wall(new_game: NewGame) -> None:
    game = new_game(size=5)
    state = game.from_position("c2,c5 9,9 a4h/c3v 0 100 c1/- c3v")
    assert game.picture(state) == SMALL


def test_a_full_board_for_four_fits_a_terminal_with_room_for_the_prompt(new_game: NewGame) -> None:
    game = new_game(players=4)
    lines = game.picture(game.from_position("e1,a5,e9,i5 10,10,10,10 - 3")).splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


def test_the_pawn_that_moved_last_is_in_parentheses(new_game: NewGame) -> None:
    game = new_game(size=5)
    state = game.play(game.new(), game.read("c2"))
    assert "(0)" in game.picture(state)
    assert "(1)" in game.picture(game.play(state, game.read("c4")))


def test_colour_is_markup_around_the_same_characters(new_game: NewGame) -> None:
    import re

    game = new_game(size=5)
    state = game.from_position("c2,c5 9,9 a4h/c3v 0 100 c1/- c3v")
    coloured = game.picture(state, colour=True)
    assert re.sub(r"\[[^\]]*\]", "", coloured) == game.picture(state)
    assert f"[{SEAT_COLOURS[0]}]━━━━━━━[/{SEAT_COLOURS[0]}]" in coloured
    assert f"[{SEAT_COLOURS[1]}]║[/{SEAT_COLOURS[1]}]" in coloured


def test_a_finished_game_shows_its_winner_or_that_there_is_none(new_game: NewGame) -> None:
    game = new_game(size=5)
    assert "* seat 0" in game.picture(game.from_position("a5,c4 0,0 - 1"))
    assert "nobody has won" in game.picture(game.from_position("a4,c4 0,0 - 1 0"))


def test_paths_are_shown_on_request(new_game: NewGame) -> None:
    game = new_game(size=5)
    state = game.new()
    assert "∙" not in game.picture(state)
    assert (
        game.picture(state, paths=True).count("∙") + game.picture(state, paths=True).count("∘") == 3
    )
    # On the page they are a layer: there, and hidden until somebody asks for it.
    for asked, hidden in ((False, "none"), (True, None)):
        layer = ET.fromstring(game.svg(state, paths=asked)).find(f".//{SVG}g[@data-layer]")
        assert layer is not None
        assert (layer.get("data-layer"), layer.get("display")) == ("shortest paths", hidden)
        assert len(layer) == 8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_goals_have_the_colours_of_their_seats(new_game: NewGame, players: int) -> None:
    game = new_game(size=5, players=players)
    root = ET.fromstring(game.svg(game.new()))
    goals = [e for e in root.iter(f"{SVG}line") if e.get("class") == "goal"]
    assert [goal.get("stroke") for goal in goals] == list(SEAT_WEB_COLOURS[:players])
    pawns = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "pawn"]
    for goal, pawn in zip(goals, pawns, strict=True):
        ends = {axis: (goal.get(f"{axis}1"), goal.get(f"{axis}2")) for axis in "xy"}
        [across] = [axis for axis, (start, end) in ends.items() if start == end]
        # The board is square: a goal is on the other half of it than its pawn.
        middle = (float(goals[0].get("x1", 0)) + float(goals[0].get("x2", 0))) / 2
        there, here = float(goal.get(f"{across}1", 0)), float(pawn.get(f"c{across}", 0))
        assert (there - middle) * (here - middle) < 0


def test_pieces_keep_their_names_where_they_go(new_game: NewGame) -> None:
    game = new_game(size=5)
    names = []
    for moves in ((), ("c2",), ("c2", "a1h")):
        state = game.new()
        for move in moves:
            state = game.play(state, game.read(move))
        root = ET.fromstring(game.svg(state))
        names.append({e.get("data-piece") for e in root.iter()} - {None})
    assert names[0] == names[1] == {"pawn 0", "pawn 1"}
    assert len(names[2] - names[1]) == 1


def test_a_round_is_a_move_of_each(new_game: NewGame) -> None:
    game = new_game(size=5, players=3)
    state, stages = game.new(), []
    for _ in range(7):
        stages.append(game.stage(state))
        state = game.play(state, game.moves(state)[0])
    assert stages == [f"round {number}" for number in (1, 1, 1, 2, 2, 2, 3)]


def test_svg_is_well_formed_and_shows_owners(new_game: NewGame) -> None:
    game = new_game(size=5)
    state = game.from_position("c2,c5 9,9 a4h/c3v 0 100 c1/- c3v")
    root = ET.fromstring(game.svg(state))
    walls = [part for part in root.iter() if part.get("class") == "wall"]
    assert sorted(wall.attrib["fill"] for wall in walls) == sorted(SEAT_WEB_COLOURS[:2])
    assert [wall.get("fill") for wall in walls if wall.get("stroke")] == [SEAT_WEB_COLOURS[1]]
    pawns = [part for part in root.iter() if part.get("class") == "pawn"]
    assert [pawn.get("fill") for pawn in pawns] == list(SEAT_WEB_COLOURS[:2])


def test_walls_without_a_trace_have_no_owner(new_game: NewGame) -> None:
    game = new_game(size=5, trace=False)
    state = game.from_position("c2,c5 9,9 a4h,c3v 0")
    assert game.svg(state).count(NO_WEB_COLOUR) == 2


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_captions_have_room_on_boards_of_every_size(new_game: NewGame, size: int) -> None:
    game = new_game(players=4, size=size, walls=10)
    root = ET.fromstring(game.svg(game.new()))
    captions = [text for text in root.iter(f"{SVG}text") if "seat" in (text.text or "")]
    assert len(captions) == 4
    places = [(int(text.attrib["x"]), int(text.attrib["y"])) for text in captions]
    for (x, y), text in zip(places, captions, strict=True):
        # A letter of 14 pixels is 7 wide, more or less.
        end = x + 7 * len(text.text or "")
        assert end <= int(root.attrib["width"])
        assert not any(x < other < end for other, line in places if line == y)


def test_a_diagram_prints_as_text_and_shows_as_svg(new_game: NewGame) -> None:
    game = new_game(size=5)
    state = game.new()
    assert str(game.diagram(state)) == game.picture(state)
    assert game.diagram(state, paths=True)._repr_svg_() == game.svg(state, paths=True)
