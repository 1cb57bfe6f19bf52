"""What offers, guides, options and games say when something is wrong with what they are given."""

import re
from pathlib import Path
from typing import Any, cast

import attrs
import pytest

from mpsearch.contracts import OVER, Array, Bounds, Game, Option, frozen_array
from mpsearch.contracts.guide import read_guide
from mpsearch.contracts.options import whole_number
from mpsearch.errors import ContractError, MoveError, UsageError
from mpsearch.plugins.catalog import installed


def test_a_guide_says_how_moves_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "guided"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "good.md").write_text("# A game\n\nMoves\n\n`+1` moves on.\n")
    (package / "bad.md").write_text("# A game\n\n`+1` moves on.\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (package / "close.md").write_text("Moves\n`+1` moves on.\n`+2` too.\n")
    assert read_guide("guided:good.md").notation == "`+1` moves on."
    assert read_guide("guided:close.md").notation == "`+1` moves on.\n`+2` too."
    with pytest.raises(ContractError, match=r"guide 'guided:bad\.md' has no line 'Moves'"):
        read_guide("guided:bad.md")
    with pytest.raises(ContractError, match=r"guide 'guided:none\.md' cannot be read"):
        read_guide("guided:none.md")


def test_a_game_says_for_how_many_it_is() -> None:
    offer = installed().game_offer("scramble")
    with pytest.raises(UsageError, match=r"^scramble: 7 players; the game is for 2 to 6$"):
        offer.new_game(players=7)
    four = attrs.evolve(offer, players=(4, 4), default_players=4)
    with pytest.raises(UsageError, match=r"^scramble: 3 players; the game is for 4$"):
        four.new_game(players=3)


class Bare(Game):
    """As little as a game can be."""

    players = 2

    def new(self) -> int:
        return 0

    def mover(self, state: int) -> int:
        return OVER if state else 0

    def moves(self, state: int) -> list[int]:
        return [1]

    def play(self, state: int, move: int) -> int:
        return move

    def payoff(self, state: int) -> Array:
        return frozen_array([1, 0])

    def read(self, text: str) -> int:
        return int(text)


def test_a_picture_that_a_game_does_not_draw_is_its_state_as_it_is_printed() -> None:
    assert Bare().picture(("[bold]", 3)) == "('[bold]', 3)"
    # In colour it is markup, and brackets of a state are none.
    assert Bare().picture(("[bold]", 3), colour=True) == r"('\[bold]', 3)"


def test_a_game_that_declares_nothing_has_nothing() -> None:
    game = Bare()
    assert (game.lists_chance, game.hidden, game.skips, game.rules) == (False, False, False, None)
    for ask in (lambda: game.position(0), lambda: game.from_position("0")):
        with pytest.raises(UsageError, match=r"^this game has no notation for positions$"):
            ask()


def test_an_offers_name_is_a_text() -> None:
    offer = installed().game_offer("scramble")
    with pytest.raises(TypeError, match=r"^name is a text, not 3$"):
        attrs.evolve(offer, name=cast(Any, 3))
    with pytest.raises(
        ValueError, match=r"^name 'a b' may have only letters, digits, '_', '-' and '\.'$"
    ):
        attrs.evolve(offer, name="a b")


@pytest.mark.parametrize(
    ("option", "example"),
    [
        (Option(name="o", kind=int, default=7, help=""), 7),
        (Option(name="o", kind=str, default="", choices=("x", "y"), help=""), "x"),
        (Option(name="o", kind=str, default=None, help=""), "..."),
        (Option(name="o", kind=int, default=None, help=""), 1),
        (Option(name="o", kind=int, default=None, least=3, help=""), 3),
        (Option(name="o", kind=float, default=None, least=0.5, help=""), 0.5),
    ],
)
def test_an_example_of_an_option_is_a_value_that_it_can_have(option: Option, example: Any) -> None:
    assert option.example == example


def test_an_option_is_of_a_kind_that_can_be_typed() -> None:
    with pytest.raises(TypeError, match=r"^an option's kind is one of int, float, bool, str, not "):
        Option(name="deck", kind=list, default=[], help="the cards")


@pytest.mark.parametrize(
    ("given", "meant"),
    [("yes", "yes"), (True, "yes"), ("true", "yes"), ("on", "yes"), (False, "no"), ("off", "no")],
)
def test_yes_and_no_may_stand_beside_other_choices(given: str | bool, meant: str) -> None:
    option = Option(name="single", kind=str, default="preset", choices=("preset", "yes", "no"))
    assert option.read(given, owner="hearts") == meant
    assert option.read("preset", owner="hearts") == "preset"
    with pytest.raises(UsageError, match=r"^hearts: single=2 is not one of preset, yes, no$"):
        option.read(2, owner="hearts")


def test_yes_and_no_may_be_all_the_choices() -> None:
    option = Option(name="single", kind=str, default="yes", choices=("yes", "no"))
    assert [option.read(given, owner="x") for given in (True, "off")] == ["yes", "no"]


def test_true_is_no_text_and_no_number() -> None:
    for kind, choices in ((int, ()), (float, ()), (str, ("a", "b"))):
        option = Option(name="size", kind=kind, default=kind(), choices=choices)
        with pytest.raises(UsageError, match=r"^board: size=True is not "):
            option.read(True, owner="board")


@pytest.mark.parametrize("listed", [False, True])
def test_a_move_that_is_not_legal_is_not_played(listed: bool) -> None:
    """Whether its moves were looked at before or not: machine code would not notice."""
    game = installed().game("scramble", players=3)
    state = game.new()
    if listed:
        assert game.read("x1") not in game.moves(state)
    with pytest.raises(MoveError, match="is not legal for seat 0: seat 1 is safe"):
        game.play(state, game.read("x1"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"least": 5, "greatest": 5}, "least 5.0 is not below greatest 5.0"),
        ({"least": float("nan")}, "least nan is not below"),
        ({"greatest": 2.0**24 + 2}, "values from 0 to 1.67772e\\+07 are too large"),
        ({"least": -(2.0**24) - 2}, "are too large; use a scale of 0 to 100"),
        ({"step": 0}, "step 0 is not positive"),
        ({"total": (3, 2)}, r"total \(3, 2\) is not in order"),
    ],
)
def test_bounds_that_cannot_be_are_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Bounds(**wrong)


def test_bounds_may_reach_their_limits() -> None:
    least, greatest = -(2.0**24), 2.0**24
    low, high = Bounds(least=least, greatest=greatest, total=(7, 7), step=0.5).box(2)
    assert low.tolist() == [least, least, 7]
    assert high.tolist() == [greatest, greatest, 7]


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "legal are 0"),
        (12, "legal are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        (13, "legal are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more"),
    ],
)
def test_what_would_be_legal_is_said_as_far_as_it_can_be_read(count: int, said: str) -> None:
    class Wide(Bare):
        def moves(self, state: int) -> list[int]:
            return list(range(count))

    assert Wide().objection(0, 99) == said


def test_numbers_of_options_fit() -> None:
    whole = Option(name="n", kind=int, default=1)
    assert whole.read(2**63 - 1, owner="x") == 2**63 - 1
    with pytest.raises(UsageError, match=f"n={2**63} does not fit in 64 bits"):
        whole.read(str(2**63), owner="x")
    assert Option(name="t", kind=float, default=float("inf")).read("inf", owner="x") > 1e308
    number = Option(name="t", kind=float, default=1.0)
    assert (number.read("1e15", owner="x"), number.read("-1e15", owner="x")) == (1e15, -1e15)
    for wrong, why in (
        ("inf", "not a number"),
        ("1000000000000001", "beyond"),
        ("-2e15", "beyond"),
    ):
        with pytest.raises(UsageError, match=f"t={wrong} is {why}"):
            number.read(wrong, owner="x")


def test_of_a_long_text_a_message_shows_the_beginning() -> None:
    number = Option(name="t", kind=float, default=1.0)
    for text, shown in (("x" * 60, "x" * 60), ("x" * 61, "x" * 56 + " ...")):
        with pytest.raises(UsageError, match=re.escape(f"t={shown} is not a number")):
            number.read(text, owner="x")


def test_texts_of_whole_numbers_are_read_as_far_as_64_bits_go() -> None:
    assert whole_number(str(2**63 - 1)) == 2**63 - 1
    assert [whole_number(text) for text in (str(2**63), "9" * 20, "²", "-1", "")] == [None] * 5


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        (Option.whole("o", 7, least=1), Option(name="o", kind=int, default=7, least=1)),
        (Option.number("o", None, help="?"), Option(name="o", kind=float, default=None, help="?")),
        (
            Option.text("o", "x", choices=("x", "y")),
            Option(name="o", kind=str, default="x", choices=("x", "y")),
        ),
        (Option.flag("o", True), Option(name="o", kind=bool, default=True)),
    ],
)
def test_an_option_is_stated_in_a_line(short: Option, whole: Option) -> None:
    assert short == whole
