"""Export: every seat of every game as a row, for other tools."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mpsearch.errors import MpsearchError
from mpsearch.experiments.analysis import ranks
from mpsearch.experiments.design import Design
from mpsearch.experiments.games import GameResult
from mpsearch.experiments.seeds import game_seed


def game_rows(design: Design, games: Iterable[GameResult]) -> list[dict[str, Any]]:
    """A row per seat of every game."""
    parameters = dict.fromkeys(key for arm in design.arms for key in arm.parameters)
    rows = []
    for played in games:
        arm = design.arm(played.arm)
        shares, places = played.shares(), ranks(played.payoff)
        rows += [
            {
                "arm": arm.label,
                **{key: arm.parameters.get(key) for key in parameters},
                "number": played.number,
                "seed": game_seed(design.seed, played.number),
                "seat": seat,
                "agent": role,
                "payoff": float(played.payoff[seat]),
                "won": shares[seat],
                "rank": float(places[seat]),
                "plies": played.plies,
                "moves": played.logs[seat].moves,
                "nodes": played.logs[seat].nodes,
                "seconds": played.logs[seat].seconds,
                "game": played.identity,
            }
            for seat, role in enumerate(played.roles)
        ]
    return rows


def parquet_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a Parquet file."""
    try:
        from pyarrow import Table
        from pyarrow.parquet import write_table
    except ImportError:
        raise MpsearchError(
            "--parquet needs the package pyarrow: pip install 'mpsearch[parquet]'"
        ) from None
    file = io.BytesIO()
    write_table(Table.from_pylist([dict(row) for row in rows]), file)
    return file.getvalue()
