"""Seeds of games, derived from the user's seed.

    seed of a game = (user's seed * BLOCKS + block) * GAMES + number

All games of all blocks and seeds differ. Games to be compared, such as those of the arms of an
experiment, share block and number and so the seed. The referee derives independent streams from it
(`mpsearch.match.referee.generators`), for which consecutive seeds are fine.
"""

from __future__ import annotations

from mpsearch.errors import UsageError

#: Blocks of one seed, and games of one block.
BLOCKS = 2**16
GAMES = 2**24


def game_seed(seed: int, number: int, *, block: int = 0) -> int:
    """The seed of a game by its number within a block."""
    if not (0 <= block < BLOCKS and 0 <= number < GAMES):
        raise UsageError(
            f"game {number} of block {block}: one seed has {BLOCKS} blocks of {GAMES} games"
        )
    return (seed * BLOCKS + block) * GAMES + number
