"""Evaluators named by a file of weights."""

from __future__ import annotations

import re
from pathlib import Path

from mpsearch.contracts import EvaluatorOffer
from mpsearch.errors import UsageError

#: As `mpsearch.gamekit.SUFFIX`, without importing it.
_SUFFIX = ".npz"


def names_file(evaluator: str) -> bool:
    """Whether an evaluator is named by a file of weights."""
    return evaluator.endswith(_SUFFIX)


def offer_in_file(game: str, path: str) -> EvaluatorOffer:
    """The offer of a file that `mpsearch train` wrote; UsageError if it is for another game."""
    from mpsearch.gamekit import learned_evaluator, read_network

    network = read_network(path)
    made_for = network.document.get("game")
    if made_for != game:
        raise UsageError(f"{path} has weights for {made_for}, not for {game}")
    return EvaluatorOffer(
        name="weights-" + re.sub(r"[^A-Za-z0-9_.-]", "_", Path(path).name),
        game=game,
        summary="learned",
        make=lambda game: learned_evaluator(game, network),
        players=(network.document["players"],),
        game_options=network.document["options"],
    )
