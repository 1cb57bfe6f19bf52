"""Files of weights: an evaluator that no plugin offers, named by its file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mpsearch.contracts import EvaluatorOffer, Game
from mpsearch.errors import UsageError

#: As `mpsearch.gamekit.SUFFIX`, which listing games need not import.
_SUFFIX = ".npz"


def names_file(evaluator: str) -> bool:
    """Whether an evaluator is named by a file of weights."""
    return evaluator.endswith(_SUFFIX)


def offer_in_file(game: str, path: str) -> EvaluatorOffer:
    """What `mpsearch train` wrote to a file, as an offer; UsageError if it is for another game."""
    from mpsearch.gamekit import learned_evaluator, read_network

    network = read_network(path)
    made_for = network.document.get("game")
    if made_for != game:
        raise UsageError(f"{path} has weights for {made_for}, not for {game}")

    def make(game: Game) -> Any:
        return learned_evaluator(game, network)

    return EvaluatorOffer(
        name="weights-" + re.sub(r"[^A-Za-z0-9_.-]", "_", Path(path).name),
        game=game,
        summary="learned",
        make=make,
        players=(network.document["players"],),
        game_options=network.document["options"],
    )
