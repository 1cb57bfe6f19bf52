"""Moves as text, what is wrong with them, and pictures."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from mpsearch.contracts import CHANCE, legal_move
from mpsearch.errors import MoveError

if TYPE_CHECKING:
    from .conftest import NewGame, Walk

SVG = "{http://www.w3.org/2000/svg}"


def test_texts_and_moves_are_inverse(new_game: NewGame, walk: Walk) -> None:
    game = new_game(map="woodland", players=4, rounds=10)
    kinds = set()
    for state, move, _ in walk(game, 6):
        legal = [] if game.mover(state) == CHANCE else game.moves(state)
        listed = [x for x, _ in game.chance(state)] if game.mover(state) == CHANCE else []
        for each in [move, *legal, *listed]:
            assert game.read(game.write(each)) == each
        kinds.add(re.split("[=>]", game.write(move))[0] if "=" in game.write(move) else "path")
    assert kinds == {"deal", "arrived", "stalled", "path"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mars", "there is no territory 'mars'"),
        ("fjord>mars", "there is no territory 'mars'"),
        ("", "there is no territory ''"),
        ("arrived=x", "neither a campaign such as"),
        ("stalled=0", "neither a campaign such as"),
        ("deal=1", "neither a campaign such as"),
        ("fjord>heath>cape>reef>atoll>shoal", "a campaign has 4 steps at most"),
    ],
)
def test_unreadable_moves_say_why(new_game: NewGame, text: str, message: str) -> None:
    with pytest.raises(MoveError, match=re.escape(message)):
        new_game(map="straits").read(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cape", "cape is not its own"),
        ("fjord>cape", "fjord does not border on cape"),
        ("fjord>moor", "moor is its own already"),
        ("fjord>heath>cape>reef", "a campaign has 2 steps at most"),
        ("arrived=3", "it is an outcome of chance"),
    ],
)
def test_illegal_moves_say_why(new_game: NewGame, text: str, message: str) -> None:
    game = new_game(map="straits", players=2, reach=2)
    mine = ("fjord", "moor")
    deal = tuple((0 if t.name in mine else 1, 1) for t in game.world_map.territories)
    with pytest.raises(MoveError, match=re.escape(message)):
        legal_move(game, game.play(game.new(), deal), text)


def test_a_deal_that_does_not_fit_is_refused(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    with pytest.raises(MoveError, match="the deal is not one for 2 players"):
        game.play(game.new(), ((0, 1),) * 11)
    with pytest.raises(MoveError, match="the deal is not one for 2 players"):
        game.play(game.new(), ((2, 1),) * 12)


def test_the_picture_names_every_territory_with_owner_and_armies(
    new_game: NewGame, walk: Walk
) -> None:
    game = new_game()
    *_, (_, _, state) = itertools.islice(walk(game, 1), 9)
    s = game.record(state)
    text = game.picture(state)
    codes = game.world_map.codes
    for number, land in enumerate(game.world_map.territories):
        held = f"{int(s.owner[number])}:{int(s.armies[number])}"
        near = " ".join(codes[border] for border in land.borders)
        assert re.search(rf"\b{codes[number]} {held} +{land.name} +{near}\b", text), land.name
    assert "; whole continents earn n+5 s+2 e+5 a+3 i+7 u+2" in text
    assert "land/armies+income  0 6/17+3 " in text
    assert "[red]" in game.picture(state, colour=True)
    assert "[red]" not in text


def test_every_map_fits_a_terminal_with_room_for_the_prompt(new_game: NewGame, walk: Walk) -> None:
    for name, players in itertools.product(("classic", "woodland", "straits"), (2, 6)):
        game = new_game(map=name, players=players)
        for state, _, _ in itertools.islice(walk(game, 1), 60):
            lines = game.picture(state).splitlines()
            assert len(lines) <= 23, name
            assert max(map(len, lines)) <= 80, name


def test_codes_and_other_spellings_stand_for_territories(new_game: NewGame) -> None:
    game = new_game()
    codes = dict(zip(game.world_map.codes, game.world_map.territories, strict=True))
    assert len(codes) == 42
    for code, land in codes.items():
        assert game.read(code) == game.read(land.name) == game.read(land.name.upper())
    assert game.read("Peru > Brazil > North Africa") == game.read("peru>brazil>north-africa")
    assert game.parts(game.read("peru>brazil")) == ("peru", "brazil")


def test_the_svg_shows_every_territory_and_arrows_for_the_campaign(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    deal = tuple((0 if t.name == "fjord" else 1, 5) for t in game.world_map.territories)
    state = game.play(game.play(game.new(), deal), game.read("fjord>heath>atoll"))
    state = game.play(state, game.read("stalled=3"))
    root = ET.fromstring(game.svg(state))
    texts = [e.text for e in root.iter(f"{SVG}text")]
    assert {t.name for t in game.world_map.territories} <= set(texts)
    # The last text of a name has no edge that would hide it from those who draw edges last.
    for land in game.world_map.territories:
        name = [e for e in root.iter(f"{SVG}text") if e.text == land.name][-1]
        assert (name.get("fill"), name.get("stroke")) == ("#222", None)
    arrows = root.find(f".//{SVG}g[@class='campaign']")
    assert arrows is not None
    lines = list(arrows)
    assert len(lines) == 2
    assert lines[0].get("stroke-dasharray") is None
    assert lines[1].get("stroke-dasharray") is not None


def test_one_defender_is_one(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    deal = tuple((0 if t.name == "fjord" else 1, 5) for t in game.world_map.territories)
    state = game.play(game.play(game.new(), deal), game.read("fjord>heath"))
    told = [game.remark(state, game.read(text)) for text in ("stalled=1", "stalled=3")]
    fought = "fjord > heath: 7 against 5, 74% to arrive"
    assert told == [f"{fought}; stalled, {n} left" for n in ("1 defender", "3 defenders")]


def test_the_svg_shows_a_die_with_its_odds_and_then_its_result(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    deal = tuple((0 if t.name == "fjord" else 1, 5) for t in game.world_map.territories)
    first = game.play(game.new(), deal)
    assert "dice" not in game.svg(first)
    battle = game.play(first, game.read("fjord>heath"))
    assert 'aria-label="dice: 74% to arrive"' in game.svg(battle)
    for text, told in (("arrived=3", "arrived with 3"), ("stalled=2", "stalled, 2 defenders left")):
        assert f'aria-label="dice: {told}"' in game.svg(game.play(battle, game.read(text)))
    assert [game.stage(state) for state in (game.new(), first, battle)] == [
        "",
        "round 1",
        "round 1",
    ]


def test_the_svg_of_the_classic_map_leads_around_the_world(new_game: NewGame) -> None:
    game = new_game()
    root = ET.fromstring(game.svg(game.new()))
    borders = list(root.iter(f"{SVG}line"))
    width = float(root.attrib["viewBox"].split()[2])
    lengths = [abs(float(e.attrib["x1"]) - float(e.attrib["x2"])) for e in borders]
    assert max(lengths) < 0.6 * width
    edges = [e for e in borders if float(e.attrib["x2"]) in (0, width)]
    assert len(edges) == 1


def test_the_drawing_has_a_legend_and_its_arrows_lie_under_the_armies(
    new_game: NewGame, walk: Walk
) -> None:
    game = new_game(players=3)
    states = [state for state, _, _ in itertools.islice(walk(game, 1), 9)]
    drawing = game.svg(states[-1])
    for seat in range(3):
        assert f"seat {seat}: " in drawing
    assert drawing.index('class="campaign"') < drawing.index('font-weight="bold"')
    root = ET.fromstring(drawing)
    lands = [c for c in root.iter(f"{SVG}circle") if c.get("r") == "15"]
    centres = {(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in lands}
    (campaign,) = (group for group in root.iter(f"{SVG}g") if group.get("class") == "campaign")
    for line in campaign:
        for x, y in (("x1", "y1"), ("x2", "y2")):
            assert (float(line.attrib[x]), float(line.attrib[y])) not in centres
    assert "seat 0" not in game.svg(game.new())
