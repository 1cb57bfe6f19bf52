"""Explaining a decision of a recorded game by searching it again."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch.agents import Explanation, SearchAgent
from mpsearch.api.game_table import Table
from mpsearch.contracts import CHANCE, Limits, event_of, turn_of
from mpsearch.errors import UsageError
from mpsearch.match import Ply, Record, generators, recalled, replay


def last_decision(table: Table, record: Record) -> int:
    """The last ply at which a seat chose a move, or has to choose one."""
    states = enumerate(replay(table.game, record))
    return max((ply for ply, state in states if table.game.mover(state) >= 0), default=0)


def look_back(
    table: Table, record: Record, ply: int, agent: str | None = None, *, exact: bool = True
) -> Explanation:
    """The decision at a ply, searched again with the agent's beliefs and random numbers.

    Others' moves are taken from the record. The agent's own earlier decisions are made again one
    ply deep, which takes the same numbers from its generator, whatever the depth. `agent` is the
    text of another agent to ask instead.
    """
    game, plies = table.game, list(recalled(table.game, record))
    states = [record.setting.first_state(game), *(past.state for past in plies)]
    if not 0 <= ply < len(states):
        raise UsageError(f"--ply {ply}: the record has {len(states) - 1} plies")
    seat = game.mover(states[ply])
    if seat < 0:
        who = "chance decides there, not a player" if seat == CHANCE else "the game is over there"
        raise UsageError(f"--ply {ply}: {who}")
    text = record.setting.agents[seat] if agent is None else agent
    player = table.searcher(text)
    rng = generators(record.setting.seed, game.players)[seat + 1]
    memory = player.start(seat, rng)
    brief = attrs.evolve(player, limits=Limits(depth=1))
    for past in plies[_opening(plies, record.setting.opening) : ply]:
        if past.seat == seat:
            brief.choose(turn_of(game, past.before), memory, rng)
        elif past.seat != CHANCE and player.observes:
            event = event_of(game, seat, before=past.before, move=past.move, after=past.state)
            memory = player.observe(memory, event, rng)
    turn = turn_of(game, states[ply])
    decision = attrs.evolve(player, exact=exact).choose(turn, memory, rng)
    made = plies[ply].move if ply < len(plies) else None
    return table.explanation(turn, text, decision, made=made, ply=ply)


def searches(table: Table, record: Record, ply: int) -> bool:
    """Whether the agent that moved at a ply searches, and can be asked again."""
    states = list(replay(table.game, record))
    seat = table.game.mover(states[ply]) if 0 <= ply < len(states) else -1
    if seat < 0:
        return True  # `look_back` says what is wrong
    try:
        return isinstance(table.agent(record.setting.agents[seat]), SearchAgent)
    except UsageError:
        return False  # a person, or an agent of a missing plugin


def _opening(plies: Sequence[Ply], moves: int) -> int:
    """How many plies the random opening took, with chance between its moves."""
    made = [ply.number + 1 for ply in plies if ply.seat != CHANCE][:moves]
    return made[-1] if made else 0
