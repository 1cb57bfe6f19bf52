"""Dose and response: Opponent Impact varied inside one game, and what MP-Mix gains there.

    python benchmarks/findings/dose.py quoridor-walls --folder runs --csv dose-quoridor-walls.csv

For every value of an option of the game three steps, each kept in the folder and resumed:

1. A pilot with seeds of its own: MaxN and Paranoid at one seat among MaxN players. It says which
   of the two is the baseline, and which edges MaxN players come to. Thresholds are quantiles of the
   greatest edge of a game: `reached=50` is a lead that half of them reach, once at least.
2. The design that follows from it, `mpsearch experiment run`. Planned: MP-Mix with both
   thresholds reached in half of the games, against the baseline. All else is exploratory.
3. Opponent Impact where it was played: the same game, MaxN players, the evaluator and the depth
   of the games, `mpsearch oi`.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.cli import run
from mpsearch.experiments import (
    Analysis,
    Store,
    analyse_store,
    csv_bytes,
    played_games,
    stored_design,
    toml_text,
)
from mpsearch.plugins import installed

#: In how many of 100 games a threshold is reached by a MaxN player.
REACHED = (75, 50, 25)
PLANNED = "mix reached=50"
#: The pilot's seed, beyond those of all designs.
PILOT = 1_000_000


@attrs.frozen(kw_only=True)
class Knob:
    """An option of a game, and how the game is played while it is turned."""

    game: str
    option: str
    values: tuple[int, ...] | tuple[str, ...]
    settings: str
    seed: int
    options: Mapping[str, Any]
    players: int = 3

    def depth(self) -> int:
        return int(self.settings.rpartition("depth=")[2])

    def agent(self, name: str, **thresholds: float) -> str:
        more = [f"{key}={value:.4g}" for key, value in thresholds.items()]
        return f"{name}:{','.join([*more, self.settings])}"


KNOBS = {
    "quoridor-walls": Knob(
        game="quoridor",
        option="walls",
        values=(0, 1, 2, 4, 7),
        options={"size": 5},
        settings="evaluator=distance,depth=3",
        seed=2420,
    ),
    "scramble-back": Knob(
        game="scramble",
        option="back",
        values=(0, 1, 2, 4),
        options={"length": 20},
        settings="evaluator=progress,depth=3",
        seed=2430,
    ),
    "risk-bonus": Knob(
        game="risk_lite",
        option="bonus",
        values=(0, 1, 2, 4),
        options={"map": "straits", "rounds": 30},
        settings="evaluator=holdings,depth=2",
        seed=2440,
    ),
    "go-fish-asking": Knob(
        game="go_fish",
        option="ask",
        values=("held", "any"),
        options={"ranks": 6, "hand": 4},
        settings="evaluator=collected,worlds=4,depth=3",
        seed=2480,
    ),
}


def design(knob: Knob, name: str, value: int | str, agents: Mapping[str, str], **more: Any) -> str:
    """A design as text: one of the agents at a seat among MaxN players."""
    return toml_text(
        {
            "name": f"{name}-{value}",
            "game": knob.game,
            "players": knob.players,
            "options": {**knob.options, knob.option: value},
            "others": ["others"] * (knob.players - 1),
            **more,
            "agents": {**agents, "others": knob.agent("maxn")},
            "arms": {name: name for name in agents},
        }
    )


def played(text: str, path: Path) -> Path:
    """The store of a design, with all its games."""
    path.write_text(text, encoding="utf-8")
    store = path.with_suffix(".db")
    if run(["experiment", "run", str(path), "--store", str(store), "--processes", "1"]):
        raise SystemExit(f"{path}: not played")
    return store


def edges(store_path: Path) -> tuple[Any, Any]:
    """The greatest lead of a MaxN player in each game of a pilot, and over it. Shape (N,)."""
    with Store(store_path, read_only=True) as store:
        games = played_games(store, stored_design(store, installed()))
        logs = [g.logs[s] for g in games for s, role in enumerate(g.roles) if role == "others"]
    ahead = np.array([log.most_ahead or 0.0 for log in logs])
    return ahead, np.array([log.most_behind or 0.0 for log in logs])


def analysed(store_path: Path) -> Analysis:
    with Store(store_path, read_only=True) as store:
        return analyse_store(stored_design(store, installed()), store)


def better(pilot: Path) -> str:
    """Which of MaxN and Paranoid won more of the pilot's games; MaxN if neither did."""
    (found,) = analysed(pilot).comparisons
    return "paranoid" if found.difference.mean > 0 else "maxn"


def thresholds(found: Any) -> list[float]:
    """What is reached in 75, 50 and 25 of 100 games, or more where edges are few."""
    drawn = [float(np.quantile(found, 1 - q / 100, method="inverted_cdf")) for q in REACHED]
    # A threshold of 0 would be reached by whoever is not behind.
    return [max(value, 0.01) for value in drawn]


def candidates(
    knob: Knob, plain: Mapping[str, str], ahead: list[float], behind: list[float], own: float
) -> dict[str, str]:
    """MaxN, Paranoid and MP-Mix with all thresholds; one that weighs its own value with two."""
    agents = dict(plain)
    more = {"own": own} if own else {}
    for q, td, to in zip(REACHED, ahead, behind, strict=True):
        if q == 50 or not own:
            agents[f"mix reached={q}"] = knob.agent("mpmix", td=td, to=to, **more)
    if not own:
        agents["defends reached=50"] = knob.agent("mpmix", td=ahead[1])
    agents["attacks reached=50"] = knob.agent("mpmix", to=behind[1], **more)
    return agents


def measured(
    knob: Knob, name: str, value: int | str, folder: Path, *, games: int, own: float
) -> list[dict[str, Any]]:
    """All figures of one value of the option."""
    plain = {"maxn": knob.agent("maxn"), "paranoid": knob.agent("paranoid")}
    path = folder / f"{name}-{value}"
    text = design(
        knob, f"{name}-pilot", value, plain, games=200, seed=knob.seed + PILOT, baseline="maxn"
    )
    pilot = played(text, path.with_name(f"{path.name}-pilot.toml"))
    ahead, behind = map(thresholds, edges(pilot))
    agents = candidates(knob, plain, ahead, behind, own)
    number = list(knob.values).index(value)
    text = design(
        knob, name, value, agents, games=games, seed=knob.seed + number, baseline=better(pilot)
    )
    store = path.with_name(f"{path.name}{'-own' if own else ''}.toml")
    found = analysed(played(text, store))
    impact = path.with_name(f"{path.name}-oi.csv")
    if not impact.exists():
        options = {**knob.options, knob.option: value}
        given = [word for key, v in options.items() for word in ("--option", f"{key}={v}")]
        run(["oi", "--game", knob.game, "--players", str(knob.players), *given, "--agent",
             plain["maxn"], "--evaluator", knob.settings.partition(",")[0].partition("=")[2],
             "--depths", f"1,{knob.depth()}", "--games", "40", "--seed", str(knob.seed),
             "--csv", str(impact)])  # fmt: skip
    return rows(knob, value, agents, found, impact)


def rows(
    knob: Knob, value: int | str, agents: Mapping[str, str], found: Analysis, impact: Path
) -> list[dict[str, Any]]:
    """A row for each agent that was compared with the baseline."""
    oi = {
        f"oi_{row['reading']}": float(row["oi"])
        for row in csv.DictReader(impact.read_text(encoding="utf-8").splitlines())
        if row["scope"] == "all" and int(row["depth"]) == knob.depth()
    }
    # The last room of an agent is that of all its thresholds together.
    rooms = {room.arm: room for room in found.rooms}
    made = []
    for row in found.comparisons:
        room = rooms.get(row.first)
        made.append(
            {
                "game": knob.game,
                "option": knob.option,
                "value": value,
                **{key: round(share, 4) for key, share in oi.items()},
                "arm": row.first,
                "baseline": row.second,
                "agent": agents[row.first],
                "planned": row.first == PLANNED,
                "gain": round(row.difference.mean, 5),
                "low": round(row.told.low, 5),
                "high": round(row.told.high, 5),
                "p": f"{row.difference.p:.4g}",
                "room": "" if room is None else round(room.room.mean, 4),
                "reached": "" if room is None else round(room.reached, 4),
                "games": row.games,
                "seed": found.design.seed,
            }
        )
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("knob", choices=list(KNOBS))
    parser.add_argument("--folder", type=Path, required=True, help="designs and stores")
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--own", type=float, default=0.0, help="what attackers' own value weighs")
    asked = parser.parse_args()
    knob = KNOBS[asked.knob]
    asked.folder.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    for value in knob.values:
        found += measured(knob, asked.knob, value, asked.folder, games=asked.games, own=asked.own)
        asked.csv.write_bytes(csv_bytes(found))


if __name__ == "__main__":
    main()
