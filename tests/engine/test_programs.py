"""program:CMD: what it is handed, what happens when it fails, and who may name one."""

import json
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient
from support.programs import program

from mpsearch.agents import ProgramPlayer, allow_program, read_agent
from mpsearch.agents import program as module
from mpsearch.agents.allowed_programs import VARIABLE
from mpsearch.api import table
from mpsearch.cli import run
from mpsearch.contracts import OVER, Event, Turn, event_of, turn_of
from mpsearch.errors import ForfeitError, MpsearchError, UsageError
from mpsearch.experiments import Store, tournament
from mpsearch.match import Setting, read_record
from mpsearch.plugins import installed
from mpsearch.testing.look_alikes import look_alikes
from mpsearch.web.app import make_site
from mpsearch.web.tables import Tables

NAMES = ("plunder", "hearts", "go_fish", "os_oh_hell", "os_leduc_poker", "os_goofspiel")
HIDDEN = [name for name in NAMES if name in installed().games]


@pytest.fixture(autouse=True)
def nothing_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "[]")
    monkeypatch.setattr(module, "GRACE", 0.3)


def allowed(folder: Path, name: str, *words: str) -> str:
    command = program(folder, name, *words)
    allow_program(command)
    return command


def test_a_text_is_the_whole_command_and_reads_back() -> None:
    for text in ("program:./x --key=1,2 a:b", "program@0.5:./x"):
        assert str(read_agent(text)) == text
    assert read_agent("program@0.5:./x y").program == "./x y"
    assert read_agent("program@0.5:./x").program_seconds == 0.5
    with pytest.raises(UsageError, match="time=soon is not a number"):
        read_agent("program@soon:./x").program_seconds  # noqa: B018


def test_the_documented_program_plays_a_game_to_its_end(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs/how-to/engine.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "simple.py").write_text(code, encoding="utf-8")
    command = f"{sys.executable} {tmp_path / 'simple.py'}"
    allow_program(command)
    match = table("plunder").play(f"program:{command}", "random", "greedy", seed=1)
    assert match.forfeit is None
    assert [ply.seat for ply in match.plies].count(0) == 4


def test_a_program_plays_a_game_to_its_end(tmp_path: Path) -> None:
    command = allowed(tmp_path, "last")
    match = table("plunder").play(f"program:{command}", "random", "greedy", seed=1)
    assert match.forfeit is None
    mine = [ply.decision for ply in match.plies if ply.seat == 0]
    assert len(mine) == 4
    for decision in mine:
        assert decision is not None
        assert decision.value is not None
        assert (decision.value.tolist(), decision.nodes, decision.depth) == ([1, 2, 3], 7, 2)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hangs", "did not answer 'go' within"),
        ("dies", r"ended before it answered 'go' \(exit code 7\)"),
        ("cheats", "played 'castle', which is not legal"),
        ("complains", "answered 'go' with an error: I do not know"),
        ("floods", "within|no 'bestmove'"),
    ],
)
def test_whoever_fails_forfeits_and_the_others_win(tmp_path: Path, name: str, why: str) -> None:
    command = allowed(tmp_path, name)
    match = table("plunder").play("random", f"program@0.2:{command}", "greedy", seed=1)
    assert match.forfeit is not None
    with pytest.raises(ForfeitError, match=why):
        raise match.forfeit
    assert (match.payoff.tolist(), match.winners) == ([1, 0, 1], [0, 2])
    assert f"seat 1 forfeits the game: program '{command}'" in str(match)


def test_a_command_that_is_not_there_forfeits() -> None:
    allow_program("/no/such/program")
    match = table("scramble").play("program:/no/such/program", "random", seed=1)
    assert "cannot be started: No such file" in str(match.forfeit)


def test_processes_end_with_their_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    popen = subprocess.Popen

    def spied(*given: Any, **settings: Any) -> Any:
        started.append(popen(*given, **settings))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", spied)
    texts = [f"program@0.2:{allowed(tmp_path, name)}" for name in ("first", "last", "hangs")]
    assert table("plunder").play(*texts, seed=1).forfeit is not None
    assert len(started) == 3
    assert all(process.returncode is not None for process in started)


def test_a_forfeit_is_recorded_with_its_reason_and_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line; the record then runs nothing, also when it is checked."""
    path, command = tmp_path / "game.jsonl", program(tmp_path, "dies")
    play = ["play", "--game", "plunder", "--seed", "4", "--record", str(path)]
    seats = ["--seat", f"program:{command}", "--seat", "greedy", "--seat", "random"]
    assert run([*play, *seats]) == 0
    assert "seat 0 forfeits the game: program" in capsys.readouterr().out
    record = read_record(path)
    (mark,) = record.marks
    assert (mark["mark"], mark["seat"]) == ("forfeit", 0)
    assert "ended before it answered 'go'" in mark["why"]
    assert record.payoff is not None
    assert (record.payoff.tolist(), record.winners) == ([0, 1, 1], (1, 2))
    (tmp_path / "dies.py").unlink()
    assert run(["replay", str(path), "--check"]) == 0
    assert "seat 0, who is a program" in capsys.readouterr().out
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], '{"payoff": [2, 1, 1], "winners": [0]}']))
    assert run(["replay", str(path)]) == 1
    assert "payoff[0] is recorded as 2" in capsys.readouterr().err


def test_a_tournament_counts_a_forfeit_and_goes_on(tmp_path: Path) -> None:
    dies, first = allowed(tmp_path, "dies"), allowed(tmp_path, "first")
    texts = [f"program:{dies}", f"program:{first}", "random"]
    found = tournament("plunder", *texts, games=3, store=tmp_path / "games.db")
    assert found.cut is None
    rows = {row.role: row for row in found.standings}
    assert (rows[texts[0]].wins.mean, rows[texts[1]].wins.mean) == (0, 0.5)
    assert all(game.roles[game.forfeit or 0] == texts[0] for game in found.played)
    assert f"3 games were forfeited by {texts[0]}: payoff 0" in found.report()
    with Store(tmp_path / "games.db", read_only=True) as store:
        lines = zlib.decompress(store.record("tournament", 0) or b"").decode().splitlines()
    assert [json.loads(line).get("mark") for line in lines[-2:]] == ["forfeit", None]


class Silent(ProgramPlayer):
    """Writes down what would be written to a program."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, {}, "x", seconds=1.0)

    def written(self, *things: Turn | Event) -> list[str]:
        conversation = self.start(0, np.random.default_rng(0))
        for thing in things:
            if isinstance(thing, Event):
                self.observe(conversation, thing, np.random.default_rng(0))
            else:
                texts = list(module.legal_texts(self.game, thing))
                conversation.tell(module.turn_text(self.game, thing, texts))
        return conversation._waiting


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_written_is_equal_where_views_are(name: str) -> None:
    """And its view reads back, so that nothing is lost on the way either."""
    allow_program("x")
    game = table(name).game
    silent, compared = Silent(game), 0
    for pair in look_alikes(game, 7, 40):
        seat, states = pair.seat, (pair.step.state, pair.other)
        if game.mover(states[0]) == OVER:
            continue
        if game.mover(states[0]) == seat:
            first, second = (silent.written(turn_of(game, state)) for state in states)
            assert first == second
            compared += 1
            view = game.view(states[0], seat)
            assert game.read_view(game.write_view(view)) == view
        elif pair.other_move is not None:
            made = ((states[0], pair.step.move), (pair.other, pair.other_move))
            afters = [game.play(state, move) for state, move in made]
            if game.view(afters[0], seat) == game.view(afters[1], seat):
                first, second = (
                    silent.written(event_of(game, seat, before=state, move=move, after=after))
                    for (state, move), after in zip(made, afters, strict=True)
                )
                assert first == second
                compared += 1
    assert compared > 3


def test_a_program_is_told_its_own_cards_the_clock_and_what_it_saw(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = allowed(tmp_path, "first", str(log))
    match = table("plunder").play("random", f"program@3:{command}", "random", seed=1)
    lines = log.read_text().splitlines()
    words = [line.split(" ", 1)[0] for line in lines]
    assert words[:3] == ["mpsearch", "game", "ready"]
    assert set(words[3:-1]) == {"event", "turn", "go"}
    assert [line for line in lines if line.startswith("go")] == ["go time 3"] * 4
    deal = json.loads(lines[3].split(" ", 1)[1])
    hands = match.plies[0].move
    hidden = ",".join(["0"] * 4)
    own = ",".join(map(str, hands[1]))
    assert (deal["mover"], deal["move"]) == (None, f"{hidden}|{own}|{hidden}")
    events = [json.loads(line.split(" ", 1)[1]) for line in lines if line.startswith("event")]
    turns = [index for index, ply in enumerate(match.plies) if ply.seat == 1]
    seen = [ply for ply in match.plies[: turns[-1]] if ply.seat != 1]
    assert [event["move"] for event in events[1:]] == [str(ply.move) for ply in seen[1:]]


#: What says that a program was named and is not run.
REFUSED = "is not allowed; --allow-program"


class TestBorders:
    """A command is run for whoever sits at the command line, and for nobody else."""

    @pytest.fixture
    def command(self, tmp_path: Path) -> str:
        return program(tmp_path, "first", str(tmp_path / "ran"))

    @pytest.fixture(autouse=True)
    def where_it_would_be_seen(self, tmp_path: Path) -> None:
        self.ran = tmp_path / "ran"

    def test_python_must_allow_it(self, command: str) -> None:
        with pytest.raises(UsageError, match=REFUSED):
            table("scramble").play(f"program:{command}", "random")
        player = table("scramble").agent(f"program:{command}")
        with pytest.raises(UsageError, match=REFUSED):  # also by other ways
            table("scramble").play(player, "random")
        assert not self.ran.exists()
        allow_program(command)
        assert table("scramble").play(player, "random").forfeit is None

    def test_another_command_is_not_allowed_by_one(self, command: str) -> None:
        allow_program(command)
        with pytest.raises(UsageError, match=REFUSED):
            table("scramble").play(f"program:{command} --more", "random")

    def test_a_record_that_is_resumed(
        self, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "game.jsonl"
        head = {"record": 1, "game": "plunder", "players": 3, "options": {"cards": 4}, "seed": 1}
        agents = [f"program:{command}", "random", "random"]
        path.write_text(json.dumps({**head, "agents": agents}) + "\n")
        before = path.read_bytes()
        assert run(["play", "--resume", str(path), "--quiet"]) == 2
        assert REFUSED in capsys.readouterr().err
        assert run(["replay", str(path), "--check"]) == 0
        assert not self.ran.exists()
        assert path.read_bytes() == before
        assert run(["play", "--resume", str(path), "--quiet", "--allow-program", command]) == 0
        assert self.ran.exists()

    def test_an_experiment_file_and_its_store(
        self, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "design.toml"
        file.write_text(
            f'game = "plunder"\ngames = 1\n[agents]\nours = {json.dumps(f"program:{command}")}\n'
            '[arms]\none = ["ours", "random", "random"]\n'
        )
        assert run(["experiment", "run", str(file)]) == 2
        assert REFUSED in capsys.readouterr().err
        assert not self.ran.exists()
        assert run(["experiment", "run", str(file), "--allow-program", command]) == 0
        assert self.ran.exists()

    def test_a_store_that_is_resumed(
        self,
        command: str,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        store = str(tmp_path / "games.db")
        play = ["tournament", "--game", "plunder", "--games", "1", "--store", store]
        seats = ["--agent", f"program:{command}", "--agent", "random"]
        assert run([*play, *seats]) == 0  # named at the command line
        self.ran.unlink()
        monkeypatch.setenv(VARIABLE, "[]")
        assert run(["experiment", "resume", store]) == 2
        assert REFUSED in capsys.readouterr().err
        assert run(["experiment", "report", store]) == 0  # plays nothing
        assert not self.ran.exists()
        assert run(["experiment", "resume", store, "--allow-program", command]) == 0

    def test_the_page(self, command: str, tmp_path: Path) -> None:
        tables = Tables(installed(), tmp_path / "records")
        client = TestClient(make_site(tables), base_url="http://127.0.0.1")
        wish = {"game": "plunder", "agents": ["human", "random", f"program@1:{command}"]}
        origin = {"origin": "http://127.0.0.1"}
        answer = client.post("/tables", json=wish, headers=origin)
        assert answer.status_code == 400
        assert REFUSED in answer.json()["error"]
        assert not self.ran.exists()
        allow_program(command)  # as `serve --allow-program` does
        assert client.post("/tables", json=wish, headers=origin).status_code == 200
        slow = {**wish, "agents": ["human", "random", f"program@11:{command}"]}
        answer = client.post("/tables", json=slow, headers=origin)
        assert "11 s a move are more than this server allows" in answer.json()["error"]
        tables.close()

    def test_a_table_that_sleeps(
        self, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A record in the page's folder is taken up again only if its program is allowed."""
        folder = tmp_path / "records"
        tables = Tables(installed(), folder)
        allow_program(command)
        setting = Setting(
            game="plunder",
            players=3,
            options={"cards": 4},
            agents=("human", "random", f"program:{command}"),
            seed=1,
        )
        keys = tables.set_table(setting)
        tables.close()
        self.ran.unlink(missing_ok=True)
        monkeypatch.setenv(VARIABLE, "[]")
        with pytest.raises(MpsearchError, match=REFUSED):
            Tables(installed(), folder).place(keys.watch)
        assert not self.ran.exists()

    @pytest.mark.parametrize("name", ["search", "oi", "engine", "tune"])
    def test_other_commands_run_no_program(
        self, command: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = [name, "--game", "scramble", "--agent", f"program:{command}"]
        assert run([*words, *(["--depths", "1", "--games", "1"] if name == "oi" else [])]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert not self.ran.exists()
