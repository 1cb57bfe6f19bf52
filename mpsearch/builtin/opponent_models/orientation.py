"""The own row of an `oriented` agent, and when it changes.

It is an opponent model because it reacts to the moves of others: `matrix` has the agent's own row,
and the other rows are selfish.
"""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, array_field, frozen_array, snap
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.errors import UsageError
from mpsearch.social import identity, random_row


@attrs.frozen(kw_only=True)
class Leaning:
    """The orientation of one seat at one time."""

    seat: int
    row: Array = array_field()
    #: The row to switch to.
    then: Array = array_field()
    #: The seed of the drift.
    seed: int
    #: Moves of others observed so far.
    seen: int = 0
    #: The seat that hurt this one last.
    culprit: int | None = None


@attrs.frozen(kw_only=True)
class Orientation(OpponentModel):
    """A given or random row that may switch, drift or retaliate.

    Texts of rows are relative to the seat: oneself first, then the others in turn order.
    """

    row: str
    #: Number of moves of others after which the row becomes `then`; 0: never.
    switch: int
    then: str
    #: Standard deviation of the change of each other seat's entry per move of another.
    drift: float
    #: Whether the last seat that lowered one's value gets -1.
    retaliate: bool
    learns: bool = attrs.field(init=False)

    @learns.default
    def _changes(self) -> bool:
        return bool(self.switch or self.drift or self.retaliate)

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        # All three are drawn, used or not, so that a seed gives the same first row in every
        # scenario.
        rows = [random_row(players, seat, rng) for _ in range(2)]
        seed = int(rng.integers(2**63))
        for index, text in enumerate((self.row, self.then)):
            if text != "random":
                rows[index] = _read_row(text, players, seat)
        return Leaning(seat=seat, row=rows[0], then=rows[1], seed=seed)

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        leaning: Leaning = beliefs
        seat = leaning.seat
        row = leaning.then if leaning.seen + 1 == self.switch else leaning.row
        if self.drift:
            step = np.random.default_rng([leaning.seed, leaning.seen]).normal(size=len(row))
            step[seat] = 0
            row = np.clip(row + self.drift * step, -1, 1)
        hurt = snap(observation.after[seat] - observation.before[seat]) < 0
        culprit = leaning.culprit
        if self.retaliate and hurt and observation.mover != seat:
            culprit = observation.mover
        return attrs.evolve(leaning, row=row, seen=leaning.seen + 1, culprit=culprit)

    def matrix(self, beliefs: Beliefs) -> Array:
        leaning: Leaning = beliefs
        matrix = np.array(identity(len(leaning.row)))
        matrix[leaning.seat] = leaning.row
        if leaning.culprit is not None:
            matrix[leaning.seat, leaning.culprit] = -1
        return frozen_array(matrix)


def _read_row(text: str, players: int, seat: int) -> Array:
    try:
        row = [float(entry) for entry in text.split(":")]
    except ValueError:
        row = []
    if len(row) != players or not all(-1 <= entry <= 1 for entry in row):
        raise UsageError(
            f"oriented: row '{text}' is not {players} numbers from -1 to 1 such as "
            f"{':'.join(['1', '-0.5', *['0'] * (players - 2)])} (oneself first), nor random"
        )
    return np.roll(row, seat)


OFFER = OpponentModelOffer(
    name="orientation",
    summary="one's own row, which may switch, drift or retaliate; for the agent 'oriented'",
    make=Orientation,
    options=(
        Option.text(
            "row",
            "random",
            help="oneself first, then the others in turn order, such as 1:-0.5:0; or random",
        ),
        Option.whole(
            "switch",
            0,
            least=0,
            greatest=1_000_000,
            help="after how many moves of others the row changes; 0: never",
        ),
        Option.text("then", "random", help="the row after the switch"),
        Option.number(
            "drift",
            0.0,
            least=0,
            greatest=2,
            help="random change of the row with each move of another",
        ),
        Option.flag("retaliate", False, help="turn against whoever hurt it last"),
    ),
)
