"""Playing at a terminal of 80 columns and 24 lines, as a person does."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as on Unix", allow_module_level=True)

from support.person import Person

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.match import read_record

ASKS = "your move (? for help):"
SCRAMBLE = ["play", "--game", "scramble", "--players", "3", "--seed", "1", "--option", "length=8"]


@pytest.fixture(autouse=True)
def nobody_stays() -> Iterator[None]:
    yield
    for person in [*Person.sitting]:
        person.is_sent_home()


def test_a_whole_game_with_help_wrong_input_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    person = Person(*SCRAMBLE, "--record", str(path), "--strength", "easy")
    person.waits_for(ASKS)
    person.asks("?", "trip seat 3", then=ASKS)
    person.asks("moves", "1) +1  2) +2  3) +3", then=ASKS)
    person.asks("fly", "'fly' is neither a run such as", then=ASKS)
    person.asks("x1", "'x1' is not legal: seat 1 is safe", then=ASKS)
    person.types("+ 2")
    person.waits_for("+2: Enter plays it:")
    person.asks("", "you     +2", then=ASKS)
    for _ in range(30):
        person.types("1")
        person.waits_for("+1: Enter plays it:")
        person.types("")
        person.waits_for("you     +1")
        if "wins" in person.waits_for(ASKS, "wins"):
            break
    assert person.leaves() == 0
    assert read_record(path).payoff is not None
    assert max(len(line) for line in person.seen.splitlines() if ASKS not in line) <= 80


def test_hint_why_undo_save_and_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, saved = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    person = Person(*SCRAMBLE, "--seat", "human:confirm=no", "--record", str(path))
    person.waits_for(ASKS)
    person.asks("undo", "you have not moved yet", then=ASKS)
    person.asks("why", "nobody has moved since", then=ASKS)
    hints = person.asks("hint", "mpmix ", then=ASKS)
    assert "maxn " in hints
    assert "paranoid " in hints
    assert "values are for you, seat 1, seat 2" in hints
    person.asks("+2", "seat 2  ", then=ASKS)
    why = " ".join(person.asks("why", "Paranoid", then=ASKS).split())
    assert re.search(r"turned against you\. (Compared|Seat 1 expects)", why)
    assert "Seat 2 (Paranoid) plays for itself and expects all others to work against it." in why
    assert "turned against" not in person.asks("why 2", "Paranoid", then=ASKS)
    person.asks("why 7", "'7' is not a seat", then=ASKS)
    assert "taken back: your +2, seat 1: " in person.asks("undo", "square  0", then=ASKS)
    person.asks("+1", "seat 2  ", then=ASKS)
    person.asks(f"save {saved}", "--resume", then=ASKS)
    person.types("quit")
    assert person.leaves() == 1
    assert "you left the game; 3 plies are in" in person.seen
    record = read_record(path)
    assert [(mark["mark"], mark["seat"]) for mark in record.marks] == [("hint", 0), ("undo", 0)]
    assert record.plies[0]["move"] == "+1"
    assert read_record(saved).plies == record.plies

    person = Person("play", "--resume", str(saved))
    person.waits_for(ASKS)
    person.asks("resign", "really resign? (yes or no):", then="")
    person.types("yes")
    assert person.leaves() == 1
    assert "you resigned" in person.seen
    again = read_record(saved)
    assert [mark["mark"] for mark in again.marks] == ["hint", "undo", "resume", "resign"]
    assert again.plies == record.plies

    assert run(["replay", str(saved), "--check"]) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^ +\((\w+)\)  seat 0$", shown, re.M) == ["hint", "undo", "resign"]
    last = shown.splitlines()[-1]
    assert last.endswith("the agents repeat it exactly; as recorded: seat 0, who is a person")
    others = tmp_path / "others.jsonl"
    play = ["play", "--resume", str(saved), "--record", str(others), "--quiet", "--json"]
    assert run([*play, "--seat", "random", "--seat", "greedy"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert moves == list(read_record(others).plies)
    assert moves[:3] == list(record.plies)
    assert read_record(others).marks[-1] == {"mark": "seated", "ply": 3, "seat": None}
    assert run(["replay", str(others), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checked"] == [0, 1, 2]


def test_lines_can_be_edited_and_words_completed() -> None:
    person = Person(*SCRAMBLE)
    person.waits_for(ASKS)
    person.presses("+3\x1b[D\x1b[D")  # two steps to the left
    person.presses("\x1b[3~\x1b[3~")  # both characters deleted
    person.presses("ru\t")
    person.asks("", "a race of 2 to 6 runners", then=ASKS)
    person.presses("\x1b[A")  # the line before
    person.asks("", "a race of 2 to 6 runners", then=ASKS)
    person.types("quit")
    assert person.leaves() == 1


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_the_first_ctrl_c_at_the_prompt_warns_and_the_second_ends_the_game(
    tmp_path: Path, term: str
) -> None:
    path = tmp_path / "game.jsonl"
    person = Person(*SCRAMBLE, "--record", str(path), term=term)
    person.waits_for(ASKS)
    person.presses("\x03")
    person.waits_for("Press Ctrl-C again to leave the game; any answer continues it.")
    person.waits_for(ASKS)
    person.asks("look", "square", then=ASKS)
    person.presses("\x03")
    person.waits_for("Press Ctrl-C again to leave the game; any answer continues it.")
    person.waits_for(ASKS)
    person.presses("\x03")
    assert person.leaves() == 130
    assert f"mpsearch: interrupted; 0 plies are in {path}" in person.seen.replace("\n", "")
    assert "Traceback" not in person.seen


def test_a_game_is_recorded_unasked_and_the_command_that_resumes_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    person = Person(*SCRAMBLE, "--seat", "human:confirm=no", "--strength", "easy")
    person.waits_for(ASKS)
    person.asks("+1", "seat 2  ", then=ASKS)
    person.types("quit")
    assert person.leaves() == 1
    (path,) = (tmp_path / "mpsearch" / "games").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(read_record(path).plies) == 3
    assert f"continue: mpsearch play --resume {path}" in person.seen.replace("\n", "")


def test_ctrl_c_hurries_an_agent_that_thinks(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    seats = ("--seat", "human:confirm=no", "--seat", "maxn:time=600", "--seat", "random")
    person = Person(*SCRAMBLE, *seats, "--record", str(path))
    person.waits_for(ASKS)
    person.types("+1")
    person.waits_for("seat 1 is thinking: 2 s; Ctrl-C makes it move now")
    person.presses("\x03")
    person.waits_for("seat 1 must move now")
    person.waits_for(ASKS)
    person.presses("\x03")
    person.waits_for("Press Ctrl-C again to leave the game")
    person.waits_for(ASKS)
    person.presses("\x03")
    assert person.leaves() == 130
    assert f"continue: mpsearch play --resume {path}" in person.seen.replace("\n", "")
    assert read_record(path).marks == ({"mark": "hurry", "ply": 1, "seat": 1},)


def test_a_closed_terminal_input_leaves_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    person = Person(*SCRAMBLE, "--record", str(path))
    person.waits_for(ASKS)
    person.presses("\x04")
    assert person.leaves() == 1
    assert "the input ended before the game was over; 0 plies" in person.seen


def test_a_terminal_that_cannot_move_its_cursor_will_do() -> None:
    person = Person(*SCRAMBLE, term="dumb")
    person.waits_for(ASKS)
    person.types("quit")
    assert person.leaves() == 1


def test_the_menu_asks_for_game_players_seat_and_strength() -> None:
    person = Person("play")
    shown = person.waits_for("game, by name or number [")
    # A game that is a plugin of its own is what a newcomer is offered first.
    assert re.search(r"^ +1  hearts ", shown, re.M)
    assert person.waits_for("]:") == "hearts]:"
    assert max(len(line) for line in shown.splitlines()) <= 80
    person.types("chess")
    person.waits_for("'chess' is not one of")
    person.types("scramble")
    person.waits_for("players (2, 3, 4, 5, 6) [4]:")
    person.types("2")
    person.waits_for("your seat (0, 1) [0]:")
    person.types("1")
    person.waits_for("the others (easy, medium, hard, hardest, mixed) [mixed]:")
    person.types("easy")
    shown = person.waits_for(ASKS)
    assert "seat 1  human  (you)" in shown
    assert "seat 0  easy" in shown
    person.types("quit")
    assert person.leaves() == 1


@pytest.mark.parametrize("flag", ["--quiet", "--json"])
def test_quiet_and_json_seat_nobody_even_at_a_terminal(flag: str) -> None:
    person = Person(*SCRAMBLE, flag, "--strength", "easy")
    assert person.leaves() == 0
    assert "nobody is asked with --quiet or --json, so agents play all seats" in person.seen


def test_nobody_is_asked_in_a_notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JPY_PARENT_PID", "1")  # Jupyter's, for whatever its kernels start
    path = tmp_path / "game.jsonl"
    person = Person(*SCRAMBLE, "--record", str(path))
    person.waits_for("nobody is at the terminal, so agents play all seats")
    assert person.leaves() == 0
    person = Person("replay", str(path))
    person.waits_for("all legal")
    assert person.leaves() == 0


def test_risk_asks_for_one_territory_after_another() -> None:
    person = Person(
        "play", "--game", "risk_lite", "--players", "2", "--option", "map=straits", "--seed", "3",
        "--seat", "human", "--seat", "random",
    )  # fmt: skip
    person.waits_for(ASKS)
    words = person.asks("moves", "type one of: ", then=ASKS)
    first = words.rpartition("type one of: ")[2].split()[0]
    person.types(first.upper())
    person.waits_for(f"{first}: Enter plays it, or continue to ")
    onward = person.waits_for(":").partition(",")[0].strip(" :.")
    person.types(onward.replace("-", " "))
    person.waits_for(f"{first}>{onward}: Enter plays it")
    person.asks("", f"you     {first}>{onward}", then=f"{first} > {onward}: ")
    person.waits_for(ASKS)
    person.asks("undo", "dice have been rolled since", then=ASKS)
    person.types("quit")
    assert person.leaves() == 1


def test_a_number_is_a_place_in_the_list_before_it_begins_a_word() -> None:
    person = Person(
        "play", "--game", "hearts", "--seed", "8", "--seat", "human", "--seat", "random",
        "--seat", "random", "--seat", "random", "--option", "preset=papers",
    )  # fmt: skip
    person.waits_for(ASKS)
    person.asks("moves", "1) 3c  2) 6c  3) jc", then=ASKS)
    person.asks("17", "there is no move 17: they are numbered 1 to 3", then=ASKS)
    person.types("3")
    person.waits_for("jc: Enter plays it:")
    person.types("3c")
    person.waits_for("3c: Enter plays it:")
    # Cards of others in a line that somebody expects would be made up.
    assert " then " not in person.asks("hint", "mpmix ", then="3c: Enter plays it:")
    person.types("quit")
    assert person.leaves() == 1


def test_six_players_fit_80_columns_and_24_lines_with_all_that_is_told() -> None:
    person = Person(
        "play", "--game", "risk_lite", "--players", "6", "--seed", "4", "--strength", "easy",
        "--seat", "human:confirm=no", "--seat", "paranoid:depth=1", "--seat", "maxn:depth=1",
    )  # fmt: skip
    person.waits_for(ASKS)
    person.types("egypt>east-africa")
    asked = person.waits_for("madagascar:")
    shown = [asked[asked.rindex("  egypt>") :], person.asks("", "seat 5  ", then=ASKS)]
    shown.append(person.asks("why", "seat 5  ", then=ASKS))
    why = " ".join(shown[-1].split())
    assert "Seat 1 (Paranoid) plays for itself and expects all others to work against it." in why
    assert len(shown[-1].splitlines()) <= 24
    shown.append(person.asks("hint", "mpmix ", then=ASKS))
    lines = [line for text in shown for line in text.splitlines() if ASKS not in line]
    assert max(map(len, lines)) <= 80
    person.types("quit")
    assert person.leaves() == 1


def test_three_cards_are_passed_in_one_line() -> None:
    person = Person(
        "play", "--game", "hearts", "--seed", "1", "--seat", "human", "--seat", "random",
        "--seat", "random", "--seat", "random", "--option", "preset=standard",
    )  # fmt: skip
    person.waits_for(ASKS)
    person.asks("ah zz qd", "'ah zz qd' is not a card such as", then=ASKS)
    person.types("ah kc qd")
    person.waits_for("ah, then kc qd: Enter plays them:")
    shown = person.asks("", "you     qd", then=ASKS)
    assert [line.split()[2] for line in shown.splitlines() if "  you  " in line][:2] == ["ah", "kc"]
    assert shown.count("(secret)") == 9
    person.types("quit")
    assert person.leaves() == 1


def test_a_person_plays_the_game_people_know_and_is_told_which() -> None:
    hearts = Person("play", "--game", "hearts", "--seed", "8")
    hearts.waits_for(ASKS)
    assert "hearts (preset=standard), seed 8" in hearts.seen
    hearts.asks("moves", "13) ", then=ASKS)  # any card may be passed
    hearts.types("quit")
    assert hearts.leaves() == 1
    quoridor = Person("play", "--game", "quoridor")
    quoridor.waits_for(ASKS)
    assert "seat 3  " in quoridor.seen
    quoridor.types("quit")
    assert quoridor.leaves() == 1


def test_where_only_agents_play_the_games_of_the_papers_stay(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hearts = ["play", "--game", "hearts", "--seat", "random", "--seed", "8", "--json"]
    assert run([*hearts, "--option", "single=yes"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["preset"] == "papers"
    assert run(["play", "--game", "quoridor", "--seat", "random", "--seed", "8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"] == 2


def test_all_moves_are_told_while_a_move_of_one_word_waits_for_enter() -> None:
    person = Person("play", "--game", "quoridor", "--seat", "human", "--seat", "random")
    person.waits_for(ASKS)
    person.types("e2")
    person.waits_for("e2: Enter plays it:")
    person.asks("moves", "type one of: d1 f1 e2 ", then="e2: Enter plays it:")
    person.types("quit")
    assert person.leaves() == 1


def test_forced_moves_are_played_unless_it_is_switched_off() -> None:
    person = Person(
        "play", "--game", "plunder", "--option", "cards=1", "--seed", "1", "--seat", "human"
    )
    assert person.leaves() == 0
    assert "your only move:" in person.seen
    person = Person("play", "--game", "plunder", "--option", "cards=1", "--seat", "human:forced=no")
    person.waits_for(ASKS)
    person.types("quit")
    assert person.leaves() == 1


def test_replay_steps_forward_and_back_and_explains(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table("scramble", players=3, length=8).play("maxn", "random", seed=1).save(path)
    moves = [entry["move"] for entry in read_record(path).plies]
    person = Person("replay", str(path))
    person.waits_for("after 0 of ")
    person.asks("b", "this is the start", then="after 0 of ")
    assert "  maxn\n" in person.asks("", f"0  seat 0  {moves[0]}", then="after 1 of ")
    person.asks("", f"1  seat 1  {moves[1]}", then="after 2 of ")
    person.asks("b", f"0  seat 0  {moves[0]}", then="after 1 of ")
    person.asks("0", "square  0", then="after 0 of ")
    person.asks("w", f"ply 0, seat 0 to move, maxn, played {moves[0]} (!)", then="after 0 of ")
    person.asks("fly", "'fly' is not a command", then="after 0 of ")
    person.asks("e", f"after {len(moves)} of {len(moves)}", then="")
    person.types("q")
    assert person.leaves() == 0


def test_the_seed_is_told_at_the_end_unless_the_person_gave_it(tmp_path: Path) -> None:
    plunder = ["play", "--game", "plunder", "--option", "cards=1", "--seat", "human"]
    person = Person(*plunder, "--record", str(tmp_path / "game.jsonl"))
    assert person.leaves() == 0
    seed = read_record(tmp_path / "game.jsonl").setting.seed
    lines = person.seen.splitlines()
    assert [number for number, line in enumerate(lines) if str(seed) in line] == [len(lines) - 1]
    assert seed.bit_length() > 64
    assert (tmp_path / "game.jsonl").stat().st_mode & 0o777 == 0o600
    person = Person(*plunder, "--seed", "7")
    assert person.leaves() == 0
    assert person.seen.splitlines()[0] == "plunder (cards=1), seed 7"
    person = Person(*plunder, "--seat", "human", "--seed", "7")
    assert person.leaves() == 2
    assert "--seed is not allowed with more than one person" in person.seen
