"""Seeds of games, derived from the one seed that a user gives.

    seed of a game = (user's seed * BLOCKS + block) * GAMES + number

No two games of any two blocks of any two seeds share one. Games that are to be compared with each
other, such as the arms of an experiment, have the same block and number and so the same seed. The
referee makes independent streams of it (`mpsearch.match.referee.generators`), for which neighbours
are as good as any other numbers. The user's seed itself is carried along where it is needed.
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
