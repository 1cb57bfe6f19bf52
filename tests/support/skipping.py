"""Random trees in which a turn can go by."""

from typing import Any

import attrs

from mpsearch.contracts import compiled
from support.hashtree import HashTree, mix


@compiled
def skip(s: Any) -> None:
    s.key = mix(s.key, 99)
    s.ply += 1


class SkippingTree(HashTree):
    """A HashTree that says what is behind a turn that goes by."""

    rules = attrs.evolve(HashTree.rules, skip=skip)
