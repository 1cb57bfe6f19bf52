"""Seeds of played games: drawn from the system's secrets, so that no deal can be computed."""

from __future__ import annotations

import secrets

#: As many bits as numpy's SeedSequence keeps. A clock has about 30 that others do not know.
SEED_BITS = 128


def secret_seed() -> int:
    """A seed that nobody can guess, from the system's generator for secrets."""
    return secrets.randbits(SEED_BITS)
