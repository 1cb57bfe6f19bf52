"""QTP: colours, squares and walls as its programs have them."""

import pytest
from mpsearch_quoridor.qtp import Qtp

import mpsearch
from mpsearch.contracts import Move, State
from mpsearch.errors import UsageError

GAME = mpsearch.table("quoridor", players=2, size=5, walls=2).game


class Controller:
    """Says lines, and has a move ready for whoever asks."""

    def __init__(self) -> None:
        self.qtp = Qtp(GAME)
        self.next = ""

    def __call__(self, line: str) -> str | None:
        return self.qtp.answer(line, self.choose)

    def choose(self, state: State) -> Move:
        return GAME.read(self.next)

    def position(self) -> str:
        return GAME.position(self.qtp._states[-1])


def after(*moves: str) -> str:
    state = GAME.new()
    for move in moves:
        state = GAME.play(state, GAME.read(move))
    return GAME.position(state)


def test_a_session_of_the_two_colours() -> None:
    """White below, Black above and first: walls lie below the square that names them."""
    say = Controller()
    assert say("boardsize 5") == "=\n"
    assert say("clear_board  # a comment") == "=\n"
    assert say("walls 2") == "=\n"
    say.next = "c2"  # seat 0 steps forward, which for Black is down
    assert say("genmove black") == "= C4\n"
    assert say("playmove white C2") == "=\n"
    say.next = "b1h"
    assert say("genmove b") == "= B5 horizontal\n"
    assert say("playwall w c2 h") == "=\n"
    assert say.position() == after("c2", "c4", "b1h", "c4h")
    assert say("playwall black d4 vertical") == "=\n"
    assert say.position() == after("c2", "c4", "b1h", "c4h", "d2v")
    assert say("winner") == "= false\n"
    assert say("showboard") == (
        "=\n   A B C D E\n 5 . . . . .\n 4 . . B . .\n 3 . . . . .\n 2 . . W . .\n 1 . . . . .\n"
        "   A B C D E\nwalls: B5 horizontal, C2 horizontal, D4 vertical\n"
    )


def test_white_may_begin_and_nothing_is_turned() -> None:
    say = Controller()
    assert say("playmove white c2") == "=\n"
    say.next = "d3v"
    assert say("genmove black") == "= D4 vertical\n"
    assert say("playwall white b2 horizontal") == "=\n"
    assert say.position() == after("c2", "d3v", "b1h")


def test_every_wall_comes_back_as_it_was_said() -> None:
    for colour in ("white", "black"):
        for column in "ABCD":
            for number in range(2, 6):
                for kind in ("horizontal", "vertical"):
                    say, heard = Controller(), Controller()
                    text = f"{column}{number} {kind}"
                    assert say(f"playwall {colour} {text}") == "=\n"
                    move = next(
                        move
                        for move in GAME.moves(GAME.new())
                        if GAME.play(GAME.new(), move) == say.qtp._states[-1]
                    )
                    heard.next = GAME.write(move)
                    assert heard(f"genmove {colour}") == f"= {text}\n"


def test_the_winner_and_taking_back() -> None:
    say = Controller()
    for line in ("playmove b c4", "playmove w d1", "playmove b c3", "playmove w e1"):
        assert say(line) == "=\n"
    assert say("playmove b c2") == "=\n"
    assert say("playmove w e2") == "=\n"
    assert say("playmove b c1") == "=\n"
    assert say("winner") == "= true black\n"
    assert say("genmove white") == "? the game is over\n"
    assert say("undo 2") == "=\n"
    assert say("winner") == "= false\n"
    assert say("undo 9") == "? cannot undo\n"
    assert say("undo 5") == "=\n"
    assert say("playmove white c2") == "=\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("name", "= mpsearch\n"),
        ("known_command genmove", "= true\n"),
        ("known_command castle", "= false\n"),
        ("castle", "? unknown command\n"),
        ("boardsize 9", "? unacceptable size\n"),
        ("walls 3", "? unacceptable number of walls\n"),
        ("playmove red c2", "? syntax error\n"),
        ("playmove white", "? syntax error\n"),
        ("playmove white c4", "? illegal move\n"),
        ("playmove white z9", "? syntax error\n"),
        ("playwall white c2 up", "? syntax error\n"),
        ("playwall white c1 h", "? illegal move\n"),
        ("playwall white e2 h", "? illegal move\n"),
        ("undo", "? cannot undo\n"),
        ("quit", "=\n"),
        ("# only a comment", None),
    ],
)
def test_answers(line: str, answer: str | None) -> None:
    say = Controller()
    assert say(line) == answer
    assert say.qtp.over == (line == "quit")
    assert say.position() == after()


def test_two_moves_of_a_colour_are_refused() -> None:
    say = Controller()
    assert say("playmove white c2") == "=\n"
    assert say("playmove white c3") == "? illegal move\n"
    assert say("genmove white") == "? illegal move\n"


def test_it_is_for_two() -> None:
    with pytest.raises(UsageError, match="for two players"):
        Qtp(mpsearch.table("quoridor", players=3).game)
