"""However a record is damaged: it replays, or one line says what is wrong with it."""

import json
import random
from pathlib import Path

import pytest
from support.fuzz import counts, generator, junk_value, mutated

from mpsearch.api.game_table import table, table_of
from mpsearch.cli import run
from mpsearch.errors import MpsearchError
from mpsearch.match import RecordWriter, read_record, replay
from mpsearch.match.record.format import ply_entry, result_entry
from mpsearch.plugins.catalog import installed


def records(folder: Path) -> list[bytes]:
    """A record of each game, with a stance, value and matrix in each."""
    found = []
    for name, offer in installed().games.items():
        place = table(name)
        game = place.game
        agents = ("greedy", *("random",) * (offer.default_players - 1))
        setting = place.setting(*agents, seed=3)
        path = folder / f"{name}.jsonl"
        with RecordWriter(path, setting) as writer:
            for ply in place.plies(setting):
                writer.write(ply_entry(game, ply))
                state = ply.state
                if ply.number == 60:
                    break
            else:
                writer.write(result_entry(game.payoff(state)))
        found.append(path.read_bytes())
    return found


def damaged(rng: random.Random, record: bytes) -> bytes:
    kind = rng.randrange(6)
    if kind == 0:  # bytes
        data = bytearray(record)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    if kind == 1:
        return record[: rng.randrange(len(record))]
    lines = record.decode().split("\n")
    at = rng.choice((0, 1, 2, len(lines) - 2, rng.randrange(len(lines) - 1)))
    if kind == 2:  # lines
        other = rng.randrange(len(lines))
        lines[at] = rng.choice(("", lines[other], lines[at] * 2, "[" * 100_000, '{"a":' * 50_000))
    elif kind == 3:
        lines[at] = mutated(rng, lines[at])
    else:  # fields
        entry = json.loads(lines[at])
        name = rng.choice([*entry, "start", "payoff", "value"])
        text = entry.get(name)
        fresh = mutated(rng, text) if isinstance(text, str) and kind == 4 else junk_value(rng)
        if isinstance(text, list) and text and rng.random() < 0.5:
            text[rng.randrange(len(text))] = fresh
        elif rng.random() < 0.1:
            entry.pop(name, None)
        else:
            entry[name] = fresh
        lines[at] = json.dumps(entry)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@counts(sample=400, full=8_000)
def test_any_damage_is_explained(
    count: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = generator("records")
    # The same records as with machine code, without compiling a search of every game.
    with monkeypatch.context() as plain:
        plain.setenv("MPSEARCH_JIT", "0")
        whole = records(tmp_path)
    path = tmp_path / "damaged.jsonl"
    for number in range(count):
        data = damaged(rng, rng.choice(whole))
        path.write_bytes(data)
        try:
            record = read_record(path)
            for _ in replay(table_of(record.setting).game, record):
                pass
        except MpsearchError:
            pass  # explained
        except Exception as error:
            kept = Path("/tmp/damaged.jsonl")
            kept.write_bytes(data)
            raise AssertionError(f"record {number}, kept in {kept}: {error!r}") from error
        if number % 20 == 0:
            code = run(["replay", str(path), "--matrices"])
            shown = capsys.readouterr()
            assert code in (0, 1, 2)
            assert "mpsearch: unexpected" not in shown.err
            assert "\x1b" not in shown.out + shown.err
