"""Draws docs/images/learning-curves.svg from the training results in the shipped weights.

It also prints the rounds as rows for docs/results/training.md.

uv run --group dev python tools/learning_curves.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mpsearch.experiments import figure_bytes, new_figure
from mpsearch.gamekit import read_network

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "learning-curves.svg"


def shipped() -> list[tuple[str, dict[str, Any]]]:
    """The plugins' files of weights by name, with their documents."""
    found = sorted(ROOT.glob("plugins/*/src/*/weights/*.npz"))
    games = [path.parts[-5].replace("_", "-") for path in found]
    documents = [dict(read_network(path).document) for path in found]
    names = [f"{game}, {_which(path.stem)}" for game, path in zip(games, found, strict=True)]
    return list(zip(names, documents, strict=True))


def _which(stem: str) -> str:
    return f"{stem} players" if stem.isdigit() else f"{stem} rules"


def rows(files: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """Every round of every file as a row of a table."""

    def share(estimate: dict[str, float] | None) -> str:
        if estimate is None:
            return ""
        mean, low, high = (100 * estimate[key] for key in ("mean", "low", "high"))
        return f"{mean:.1f} % ({low:.1f} to {high:.1f})"

    return [
        f"| {name} | {r['number'] + 1} | {r['games']:,} | {r['positions']:,} | {r['held_out']:.3f} "
        f"| {share(r['against_written'])} against `{r['written']}` | {share(r['against_best'])} |"
        for name, document in files
        for r in document["results"]
    ]


def draw(files: list[tuple[str, dict[str, Any]]]) -> Any:
    """The share of one seat against the hand-written evaluator after each round."""
    figure = new_figure(figsize=(7.5, 3.6), layout="constrained")
    axes = figure.subplots()
    for name, document in files:
        rounds = document["results"]
        games = [sum(r["games"] for r in rounds[: k + 1]) for k in range(len(rounds))]
        against = [r["against_written"] for r in rounds]
        scale = document["players"]
        means = [scale * estimate["mean"] for estimate in against]
        below = [scale * (e["mean"] - e["low"]) for e in against]
        above = [scale * (e["high"] - e["mean"]) for e in against]
        axes.errorbar(games, means, yerr=[below, above], marker="o", capsize=3, label=name)
    axes.axhline(1.0, color="black", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_xlabel("games learned from")
    axes.set_ylabel("result beside an equal share")
    axes.legend(fontsize="small")
    return figure


if __name__ == "__main__":
    PICTURE.write_bytes(figure_bytes(draw(shipped()), PICTURE))
    print(*rows(shipped()), sep="\n")
