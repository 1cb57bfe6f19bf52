"""Three rule-based players, after the described behaviour of the classic ones."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from mpsearch.contracts import Compiled, Decision, Memory, Player, Turn
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.players.angry import angry, angry_policy
from mpsearch_risk_lite.players.evil_pixie import evil_pixie
from mpsearch_risk_lite.players.outlook import Outlook
from mpsearch_risk_lite.players.yakool import yakool
from mpsearch_risk_lite.state import campaign_of


@attrs.frozen(kw_only=True)
class Strategist(Player):
    """A player that turns an outlook of the board into a path, source first."""

    game: RiskLite
    strategy: Callable[[Outlook, np.random.Generator], list[int]]
    policy: Compiled | None = None

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        source, *path = self.strategy(Outlook.of(self.game, turn.view), rng)
        return Decision(move=campaign_of(source, path))


def make_angry(game: RiskLite) -> Strategist:
    return Strategist(game=game, strategy=angry, policy=angry_policy)


def make_yakool(game: RiskLite) -> Strategist:
    return Strategist(game=game, strategy=yakool)


def make_evil_pixie(game: RiskLite) -> Strategist:
    return Strategist(game=game, strategy=evil_pixie)
