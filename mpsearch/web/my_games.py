"""My games: what the lobby says about the games whose tokens a browser has kept.

A token's holder is told nothing that the table would not tell: the game, the players, the number of
plies, and the result once there is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mpsearch.agents import names_of
from mpsearch.errors import MpsearchError
from mpsearch.match import read_record
from mpsearch.web.inbound import MessageError, are_texts, read_object
from mpsearch.web.tables import Tables

#: A browser keeps no more tokens than this.
MOST_GAMES = 24
#: Tokens are shorter.
_TOKEN_LENGTH = 64


def read_tokens(text: bytes) -> list[str]:
    """The tokens in a request; MessageError says what is wrong."""
    tokens: Any = read_object(text).get("tokens")
    if not are_texts(tokens, most=MOST_GAMES, longest=_TOKEN_LENGTH):
        raise MessageError(f"tokens is not a list of {MOST_GAMES} tokens at most")
    return tokens


def games_document(tables: Tables, tokens: Iterable[str]) -> dict[str, Any]:
    """Every game that these tokens open; those that cannot be found or read are left out."""
    found = ((token, _game(tables, token)) for token in tokens)
    return {"games": [{"token": token, **game} for token, game in found if game is not None]}


def _game(tables: Tables, token: str) -> dict[str, Any] | None:
    kept = tables.record_of(token)
    if kept is None:
        return None
    path, seat = kept
    try:
        record = read_record(path)
        changed = path.stat().st_mtime
        setting = record.setting
        offer = tables.catalog.game_offer(setting.game)
    except (MpsearchError, OSError):
        return None
    names = names_of(tables.catalog, offer, setting.agents)
    return {
        "game": setting.game,
        "variant": offer.variant(setting.options),
        "seat": seat,
        "others": [
            "another person" if other in setting.people else names[other]
            for other in range(setting.players)
            if other != seat
        ],
        "plies": len(record.plies),
        "changed": int(changed),
        "over": record.payoff is not None,
        "payoff": None if record.payoff is None else record.payoff.tolist(),
    }
