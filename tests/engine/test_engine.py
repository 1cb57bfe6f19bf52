"""mpsearch engine: the documented transcript in a real process, and what its answers promise."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.turns import turns

from mpsearch.agents import allow_program
from mpsearch.agents.allowed_programs import VARIABLE
from mpsearch.api import Table, table
from mpsearch.contracts import event_of
from mpsearch.engine import Engine
from mpsearch.errors import UsageError
from mpsearch.plugins import installed

PAGE = (Path(__file__).parents[2] / "docs/reference/engine-protocol.md").read_text(encoding="utf-8")
ENGINE = [sys.executable, "-m", "mpsearch", "engine"]
#: Seconds after which a process that says nothing will say nothing any more.
PATIENCE = 120


def transcript() -> list[tuple[str, list[str]]]:
    """What is written, and the lines that answer it."""
    (block,) = re.findall(r"^```\n(> mpsearch 1\n.*?)^```$", PAGE, re.M | re.S)
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def comparable(line: str) -> str:
    """A line without what differs between machines and releases: seconds and the version."""
    line = re.sub(r"^(id mpsearch) \S+", r"\1 VERSION", line)
    return re.sub(r'"seconds": [0-9.e-]+', '"seconds": 0.0', line)


def test_the_documented_transcript_is_what_a_process_answers() -> None:
    """But for `option` lines, and `info` lines behind a limit of nodes, which are left out."""
    told = transcript()
    command = [*ENGINE, "--game", "scramble", "--players", "3", "--agent", "maxn:ties=first"]
    done = subprocess.run(
        command,
        input="".join(f"{said}\n" for said, _ in told),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    answers = iter([comparable(line) for line in done.stdout.splitlines()])
    for said, expected in told:
        for line in expected:
            if line == "option ...":
                continue
            found = next(answers)
            while found.startswith("option ") or (
                found.startswith("info ") and not line.startswith("info ")
            ):
                found = next(answers)
            assert found == comparable(line), said
    assert list(answers) == []


class Spoken:
    """An engine in this process, and what it says."""

    def __init__(self, place: Table, agent: str, seed: int = 0) -> None:
        self.lines: list[str] = []
        self.engine = Engine(place, agent, seed=seed, say=self.lines.append)

    def __call__(self, line: str) -> list[str]:
        self.lines.clear()
        self.engine.answer(line)
        return list(self.lines)


@pytest.mark.parametrize("grow", ["yes", "no"])
@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("scramble", "maxn:depth=3"),
        ("plunder", "paranoid:depth=2,worlds=5"),
        ("plunder", "mcts:nodes=60,worlds=3"),
        ("plunder", "maxn:nodes=200,worlds=2"),
        ("plunder", "random"),
    ],
)
def test_it_answers_as_the_agent_does_that_is_handed_the_same_view(
    name: str, agent: str, grow: str
) -> None:
    place = table(name)
    game, player = place.game, place.agent(agent)
    for number, turn in enumerate(turns(game, 3, seed=5, share=0.3)):
        spoken = Spoken(place, agent, seed=number)
        assert spoken(f"option grow {grow}") == ["ok"]
        assert spoken(f"view {game.write_view(turn.view)}") == ["ok"]
        rng = np.random.default_rng([number, turn.seat])
        decision = player.choose(turn, player.start(turn.seat, rng), rng)
        *infos, last = spoken("go")
        assert last == f"bestmove {game.write(decision.move)}"
        if decision.report is not None:
            told: dict[str, Any] = json.loads(infos[-1].removeprefix("info "))
            assert told["value"] == decision.report.value.tolist()
            assert told["depth"] == decision.report.depth
            assert len(infos) == 1 or grow == "yes"
            depths = [json.loads(line.removeprefix("info "))["depth"] for line in infos]
            assert depths == sorted(depths)


def test_go_takes_limits_as_keys_for_one_move() -> None:
    spoken = Spoken(table("scramble"), "maxn:depth=1")
    assert json.loads(spoken("go depth 3")[-2].removeprefix("info "))["depth"] == 3
    assert json.loads(spoken("go")[-2].removeprefix("info "))["depth"] == 1
    assert json.loads(spoken("go time 60")[-2].removeprefix("info "))["depth"] == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("castle", "unknown command 'castle'"),
        ("mpsearch 2", "protocol '2' is not 1"),
        ("option depth many", "depth=many is not a whole number"),
        ("option colour red", "unknown key 'colour'"),
        ('game {"players": 5}', "players differs here"),
        ('game {"seat": 9}', "seat 9 is not one from 0 to 2"),
        ("game [1]", "this is not a JSON object"),
        ("game {", "this is not JSON"),
        ("position start moves +1 +9", "move '+9' is not legal for seat 1"),
        ("position nonsense", "this game has no notation for positions"),
        ("play +9", "move '+9' is not legal for seat 1"),
        ("view 7", "error"),
        ('view {"bytes": "00"}', "error"),
        ('view {"Popen": [1]}', "this is not a view of Scramble: Popen with 1 fields is not known"),
        ("turn {}", "a turn needs a view"),
        ("event {}", "an event needs mover, move, before and after"),
        ("go depth", "go takes pairs"),
        ("go depth 0", "depth=0 is not a whole number from 1"),
        ("go fast 1", "unknown option 'fast'"),
    ],
)
def test_wrong_input_is_one_error_line_and_nothing_is_lost(line: str, why: str) -> None:
    spoken = Spoken(table("scramble", players=3), "maxn:ties=first,depth=2")
    assert spoken("position start moves +2") == ["ok"]
    before = [comparable(said) for said in [*spoken("moves"), *spoken("go")]]
    (answer,) = spoken(line)
    assert answer.startswith("error ")
    assert why in answer
    assert [comparable(said) for said in [*spoken("moves"), *spoken("go")]] == before


def test_chance_is_played_like_a_move() -> None:
    spoken = Spoken(table("plunder"), "greedy")
    assert spoken("go") == ["error chance decides here: play an outcome"]
    assert spoken("play 1,2,3|4,5,6|7,8,9")[0].startswith("error '1,2,3|4,5,6|7,8,9' is not a")
    deal = "3,9,10,12|1,7,13,14|2,4,5,6"
    assert spoken(f"position start moves {deal} -2") == ["ok"]
    assert spoken("moves") == ['moves ["3", "9", "10", "12"]']


def test_an_agent_that_learns_is_told_what_its_seat_saw() -> None:
    """Its beliefs are those of the same agent at a table that saw the same moves."""
    place = table("scramble", players=3)
    game, text = place.game, "sos:model=recent,k=3,depth=2,ties=first"
    player = place.searcher(text)
    rng = np.random.default_rng([0, 0])
    memory, state = player.start(0, rng), game.new()
    spoken = Spoken(place, text)
    assert spoken('game {"seat": 0}') == ["ok"]
    for move in ("+1", "+3", "x1", "+2"):
        after = game.play(state, game.read(move))
        if game.mover(state) != 0:
            event = event_of(game, 0, before=state, move=game.read(move), after=after)
            memory = player.observe(memory, event, rng)
            views = [json.loads(game.write_view(view)) for view in (state, after)]
            told = {"mover": game.mover(state), "move": move}
            told |= {"before": views[0], "after": views[1]}
            assert spoken(f"event {json.dumps(told)}") == ["ok"]
        state = after
    assert np.array_equal(
        player.model.matrix(spoken.engine._memories[0][0]), player.model.matrix(memory)
    )
    assert not np.array_equal(player.model.matrix(memory), np.eye(3))


def test_stop_ends_a_search_that_would_take_forever() -> None:
    """As a process: the line that stops it is read while it searches."""
    command = [*ENGINE, "--game", "scramble", "--agent", "maxn"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        process.stdin.write("go time 1000000\n")
        heard = [process.stdout.readline()]
        assert heard[0].startswith("info ")
        process.stdin.write("stop\nquit\n")
        heard += process.stdout.readlines()
        timer.cancel()
    assert heard[-2].startswith("bestmove ")
    assert heard[-1] == "ok\n"
    assert process.returncode == 0


def test_quit_ends_a_search_too() -> None:
    lines: list[str] = []

    def commands() -> Iterator[str]:
        yield "go time 1000000\n"
        while not lines:
            pass
        yield "quit\n"

    Engine(table("scramble"), "maxn", say=lines.append).run(commands())
    assert lines[-1].startswith("bestmove ")


def test_a_program_is_no_engine() -> None:
    with pytest.raises(UsageError, match="is a program already"):
        Engine(table("scramble"), "program:./x", say=print)


@pytest.mark.parametrize(
    "name", [name for name in ("plunder", "hearts", "quoridor") if name in installed().games]
)
def test_our_engine_sits_at_our_tables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "[]")
    options = ["--option", "single=yes"] if name == "hearts" else []
    command = " ".join([*ENGINE, "--game", name, *options, "--agent", "greedy"])
    allow_program(command)
    given: Any = {"single": "yes"} if name == "hearts" else {}
    place = table(name, **given)
    match = place.play(f"program:{command}", "greedy", seed=1)
    assert match.forfeit is None, match.forfeit
    mine = [ply for ply in match.plies if ply.seat == 0]
    assert all(ply.decision is not None and ply.decision.nodes > 0 for ply in mine)


@pytest.mark.parametrize("name", sorted(installed().games))
def test_views_of_every_game_read_back(name: str) -> None:
    game = table(name).game
    for turn in turns(game, 5, seed=3, share=0.3):
        assert game.read_view(game.write_view(turn.view)) == turn.view
        assert "\n" not in game.write_view(turn.view)
