"""Self-play: games that a network learns from, and matches that measure its strength."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np

from mpsearch.agents import AgentText, read_agent
from mpsearch.api import Table
from mpsearch.contracts import CHANCE, Array, State
from mpsearch.experiments import Estimate, clustered_mean, clustered_share, game_seed
from mpsearch.gamekit import Network, shares
from mpsearch.match import play_match
from mpsearch.studies.training.positions import Positions, see

#: Positions per game at most: those of one game are much alike.
MOST_POSITIONS = 64
#: Random moves at the start of a branch, at most.
MOST_STRAY = 2
#: Standard deviation of the factors that vary weights.
VARIATION = 0.3


def with_evaluator(agent: str, evaluator: str, **weights: float) -> str:
    """An agent's text with another evaluator."""
    text = read_agent(agent)
    kept = tuple(pair for pair in text.settings if pair[0] != "evaluator")
    more = tuple((name, f"{weight:.4g}") for name, weight in weights.items())
    return str(AgentText(name=text.name, settings=(*kept, ("evaluator", evaluator), *more)))


def written_evaluators(table: Table) -> list[str]:
    """The hand-written evaluators that fit the table and are not noisy."""
    return [
        offer.name
        for offer in table.catalog.evaluators[table.name].values()
        if offer.holds(table.players, table.options)
        and not offer.learned
        and not table.space(offer.name).evaluator.noisy
    ]


def varied_agents(
    table: Table, agent: str, evaluator: str, *, count: int, rng: np.random.Generator
) -> list[str]:
    """An agent with an evaluator, and copies of it with varied weights."""
    offer = table.catalog.evaluator_offer(table.name, evaluator)
    weights = [o for o in offer.options if o.kind is float and o.default]
    found = [with_evaluator(agent, evaluator)]
    for _ in range(count - 1 if weights else 0):
        chosen = {}
        for option in weights:
            value = option.default * rng.lognormal(0, VARIATION)
            low = -np.inf if option.least is None else option.least
            high = np.inf if option.greatest is None else option.greatest
            chosen[option.name] = float(np.clip(value, low, high))
        found.append(with_evaluator(agent, evaluator, **chosen))
    return found


def varied_network(network: Network, rng: np.random.Generator) -> Network:
    """A network with slightly varied weights."""

    def varied(weights: Array) -> Array:
        return weights * (1 + VARIATION * rng.standard_normal(weights.shape))

    return attrs.evolve(network, skip=varied(network.skip), out=varied(network.out))


@attrs.frozen(kw_only=True)
class Played:
    """Games played: their positions and results."""

    positions: Positions
    #: The agents of every game by seat, and the share each won. Shapes (G, P).
    agents: tuple[tuple[str, ...], ...]
    won: Array
    plies: int


def play_games(
    table: Table,
    agents: Sequence[str],
    numbers: range,
    *,
    seed: int,
    block: int,
    opening: int,
    half_life: float,
    payoff_range: float = 0.0,
    branches: int = 0,
) -> Played:
    """Play games of these numbers with an agent drawn for every seat.

    Up to `opening` first moves are random. A result is discounted by half every `half_life` plies,
    so that winning sooner is better. With `payoff_range` the result is a share of the payoff
    (`shares`), without discount. `branches` games branch off each game anywhere with random moves,
    as a search does.
    """
    parts, seated, won, total = [], [], [], 0
    life = np.inf if payoff_range else half_life
    for number in numbers:
        own = game_seed(seed, number, block=block)
        rng = np.random.default_rng([own, 0])  # not the referee's stream
        texts = tuple(str(text) for text in rng.choice(agents, table.players))
        states, end = _play(table, texts, seed=own, opening=int(rng.integers(opening + 1)))
        got = shares(table.game.payoff(end), payoff_range)
        won.append(got)
        parts.append(_labelled(table, states, got, number, half_life=life, rng=rng))
        total += len(states)
        seated.append(texts)
        for _ in range(branches):
            start = states[int(rng.integers(len(states)))]
            another, moves = int(rng.integers(2**31)), int(rng.integers(1, MOST_STRAY + 1))
            after, end = _play(table, texts, seed=another, opening=moves, start=start)
            if after[moves:]:
                got = shares(table.game.payoff(end), payoff_range)
                parts.append(_labelled(table, after[moves:], got, number, half_life=life, rng=rng))
    return Played(
        positions=Positions.joined(parts), agents=tuple(seated), won=np.array(won), plies=total
    )


def _labelled(
    table: Table,
    states: list[State],
    got: Array,
    number: int,
    *,
    half_life: float,
    rng: np.random.Generator,
) -> Positions:
    """Some states of a game with the seats' results."""
    chosen = np.sort(rng.permutation(len(states))[:MOST_POSITIONS])
    still = 0.5 ** ((len(states) - chosen) / half_life)
    equal = 1 / table.players
    target = equal + (got - equal) * still[:, None]
    return see(table.game, [states[k] for k in chosen], target, number=number)


def _play(
    table: Table, agents: Sequence[str], *, seed: int, opening: int, start: State | None = None
) -> tuple[list[State], State]:
    """The states of one game before its end, and its final state."""
    state, states = table.game.new() if start is None else start, []
    players = [table.agent(text) for text in agents]
    for ply in play_match(table.game, players, seed=seed, opening=opening, start=start):
        # A search goes on past chance that is listed and never evaluates before it.
        if ply.seat != CHANCE or not table.game.lists_chance:
            states.append(ply.before)
        state = ply.state
    return states, state


def measure_share(
    table: Table,
    agent: str,
    others: str,
    *,
    games: int,
    seed: int,
    block: int,
    opening: int,
    payoff_range: float = 0.0,
) -> Estimate:
    """The share one seat wins against the others, at every seat of every opening.

    With `payoff_range`, its mean share of the payoff.
    """
    won = []
    for number in range(max(games // table.players, 1)):
        own = game_seed(seed, number, block=block)
        for seat in range(table.players):
            seated = [others] * table.players
            seated[seat] = agent
            _, end = _play(table, seated, seed=own, opening=opening)
            won.append(shares(table.game.payoff(end), payoff_range)[seat])
    sums = np.array(won).reshape(-1, table.players).sum(axis=1)
    estimate = clustered_mean if payoff_range else clustered_share
    return estimate(sums.tolist(), [table.players] * len(sums))
