"""The referee hands out views, keeps order, and plays the same game from the same seed."""

import os
import subprocess
import sys
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.builtin.games.plunder import UNKNOWN
from mpsearch.contracts import CHANCE, Decision, Event, Game, Memory, Player, Turn
from mpsearch.errors import ContractError
from mpsearch.match import Ply, play_match
from mpsearch.plugins.catalog import load_catalog


def played(name: str, agents: list[str], seed: int, **options: Any) -> list[Ply]:
    catalog = load_catalog()
    game = catalog.game(name, players=len(agents), **options)
    players = [make_agent(catalog, name, game, text) for text in agents]
    return list(play_match(game, players, seed=seed))


AGENTS = ["maxn:depth=2", "sos:k=3,depth=2,worlds=4", "mpmix:td=5,to=5,worlds=4,nodes=300"]


@pytest.mark.parametrize("name", ["scramble", "plunder"])
def test_the_same_seed_gives_the_same_game_on_any_number_of_threads(name: str) -> None:
    games = [
        [(p.seat, p.move, p.decision) for p in played(name, agents, seed=5)]
        for agents in (AGENTS, AGENTS, [f"{text},threads=3" for text in AGENTS])
    ]
    assert games[0] == games[1] == games[2]
    other = [(p.seat, p.move) for p in played(name, AGENTS, seed=6)]
    assert other != [entry[:2] for entry in games[0]]


SCRIPT = """
from mpsearch.agents import make_agent
from mpsearch.plugins.catalog import load_catalog
from mpsearch.match import play_match
from mpsearch.match.record.format import ply_entry
catalog = load_catalog()
game = catalog.game("scramble", players=3, length=8)
agents = {agents!r}
players = [make_agent(catalog, "scramble", game, text) for text in agents]
for ply in play_match(game, players, seed=5):
    print(ply_entry(game, ply))
"""


def test_the_same_seed_gives_the_same_game_interpreted_and_compiled() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(agents=AGENTS)],
            env={**os.environ, "MPSEARCH_JIT": jit, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for jit, hash_seed in (("1", "1"), ("0", "2"), ("1", "3"))
    ]
    assert outputs[0]
    assert outputs[0] == outputs[1] == outputs[2]


@attrs.define
class Spy(Player):
    """Plays the first move and keeps all that it was shown."""

    shown: list[Any] = attrs.field(factory=list)

    @property
    def observes(self) -> bool:
        return True

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        self.shown.append(turn.view)
        return Decision(move=turn.moves[0])

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        self.shown += [event.before, event.after]
        return memory


def test_a_player_is_never_shown_a_card_it_may_not_know() -> None:
    game = load_catalog().game("plunder")
    spies = [Spy() for _ in range(3)]
    for _ in play_match(game, spies, seed=4):
        pass
    for seat, spy in enumerate(spies):
        assert len(spy.shown) > 10
        for view in spy.shown:
            others = [hand for owner, hand in enumerate(view.hands) if owner != seat]
            assert all(card == UNKNOWN for hand in others for card in hand)


@pytest.mark.parametrize("text", [*AGENTS, "maxn:pool=mean,worlds=6", "random", "greedy"])
def test_equal_views_give_equal_decisions(text: str) -> None:
    """Honesty: what a seat does depends on its view, not on the state behind it."""
    catalog = load_catalog()
    game = catalog.game("plunder")
    agent = make_agent(catalog, "plunder", game, text)
    rng = np.random.default_rng(8)
    compared = 0
    for ply in played("plunder", ["random"] * 3, seed=11):
        if ply.seat == CHANCE:
            continue
        view = game.view(ply.before, ply.seat)
        twin = game.world(view, rng)
        decisions = []
        for state in (ply.before, twin):
            turn = Turn(
                seat=ply.seat, view=game.view(state, ply.seat), moves=tuple(game.moves(state))
            )
            fresh = np.random.default_rng(99)
            decision = agent.choose(turn, agent.start(ply.seat, fresh), fresh)
            decisions.append((decision, decision.report))
        assert decisions[0] == decisions[1]
        compared += twin != ply.before
    assert compared > 0


def test_an_illegal_move_is_refused_with_its_reason() -> None:
    class Cheat(Player):
        def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
            return Decision(move=99)

    game = load_catalog().game("plunder")
    with pytest.raises(ContractError, match="seat 0 played 99, which is not legal: the hand is"):
        list(play_match(game, [Cheat()] * 3, seed=1))


def test_as_many_players_as_seats_are_needed() -> None:
    game = load_catalog().game("plunder")
    with pytest.raises(ContractError, match="2 players at a table for 3"):
        list(play_match(game, [Spy(), Spy()], seed=1))


def test_a_learning_agent_hears_of_every_move_of_the_others() -> None:
    """The learned row of each opponent is the mean effect of its last k moves."""
    catalog = load_catalog()
    game = catalog.game("scramble", players=3, length=14)
    evaluator = catalog.evaluator_offer("scramble").make(game)
    texts = ["sos:k=2,depth=1", "random", "greedy"]
    players = [make_agent(catalog, "scramble", game, text) for text in texts]
    effects: dict[int, list[np.ndarray]] = {1: [], 2: []}
    checked = 0
    for ply in play_match(game, players, seed=2):
        if ply.seat == 0:
            assert ply.decision is not None
            assert ply.decision.stance is not None
            rows = ply.decision.stance.matrix
            for seat, seen in effects.items():
                expected = np.mean(seen[-2:], axis=0) if seen else np.eye(3)[seat]
                assert np.allclose(rows[seat], expected, atol=1e-15)
                checked += bool(seen)
        else:
            change = evaluator.values(ply.state) - evaluator.values(ply.before)
            effects[ply.seat].append(change / 100)
    assert checked > 6


def test_a_forced_move_is_not_searched_deeply() -> None:
    forced = [
        ply.decision.depth
        for ply in played("scramble", ["maxn:depth=6"] * 3, seed=1)
        if _choices(ply) == 1 and ply.decision is not None
    ]
    assert set(forced) == {1}


def _choices(ply: Ply) -> int:
    game: Game = load_catalog().game("scramble", players=3)
    return len(game.moves(ply.before))


@attrs.define
class Listener(Player):
    """Plays the first move and keeps what it hears and what it draws."""

    #: How many numbers it draws beyond one with every call.
    more: int = 0
    heard: list[tuple[int, object]] = attrs.field(factory=list)
    drawn: list[float] = attrs.field(factory=list)

    @property
    def observes(self) -> bool:
        return True

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        self._draw(rng)

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        self._draw(rng)
        return Decision(move=turn.moves[0])

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        self._draw(rng)
        self.heard.append((event.mover, event.move))

    def _draw(self, rng: np.random.Generator) -> None:
        self.drawn.append(float(rng.random()))
        rng.random(self.more)


def test_a_player_hears_of_every_move_but_its_own() -> None:
    game = load_catalog().game("plunder")
    listeners = [Listener() for _ in range(3)]
    plies = [p for p in play_match(game, listeners, seed=4) if p.seat != CHANCE]
    assert {ply.seat for ply in plies} == {0, 1, 2}
    for seat, listener in enumerate(listeners):
        assert listener.heard == [(p.seat, p.move) for p in plies if p.seat != seat]


def test_every_seat_and_chance_draw_from_streams_of_their_own() -> None:
    """What one seat draws changes no number of another, and no two have the same numbers."""
    game = load_catalog().game("plunder")
    found = []
    for more in (0, 5):
        listeners = [Listener(more), Listener(), Listener()]
        plies = list(play_match(game, listeners, seed=4))
        chance = [ply.move for ply in plies if ply.seat == CHANCE]
        found.append((chance, listeners[1].drawn, listeners[2].drawn))
        numbers = [number for listener in listeners for number in listener.drawn]
        assert len(numbers) > 30
        assert len(set(numbers)) == len(numbers)
    assert found[0] == found[1]


def test_only_a_forced_move_is_searched_less_deeply_and_not_for_an_explanation() -> None:
    catalog = load_catalog()
    game = catalog.game("scramble", players=3)
    agent = make_agent(catalog, "scramble", game, "maxn:depth=3")
    assert isinstance(agent, SearchAgent)
    depths: dict[tuple[int, bool], set[int]] = {}
    for ply in played("scramble", ["random"] * 3, seed=1):
        moves = tuple(game.moves(ply.before))
        turn = Turn(seat=ply.seat, view=ply.before, moves=moves)
        for exact in (False, True):
            rng = np.random.default_rng(1)
            asked = attrs.evolve(agent, exact=exact)
            decision = asked.choose(turn, asked.start(ply.seat, rng), rng)
            depths.setdefault((min(len(moves), 3), exact), set()).add(decision.depth)
    assert depths[1, False] == {1}
    assert depths[2, False] == depths[3, False] == {3}
    assert depths[1, True] == depths[2, True] == {3}


@pytest.mark.parametrize("cut", [0, 1, 2, 7, 30])
def test_a_game_goes_on_from_its_past_as_if_it_had_not_been_interrupted(cut: int) -> None:
    """Nobody is asked for the past, learners hear of it, and chance goes on where it was."""
    whole = list(played("plunder", ["maxn:worlds=2,ties=first"] * 2 + ["random"], seed=6))
    past = [ply.move for ply in whole[:cut]]
    game = load_catalog().game("plunder")
    spies = [Spy() for _ in range(3)]
    rest = list(play_match(game, spies, seed=6, past=past))
    assert len(past) + len(rest) == len(whole)
    assert [ply.number for ply in rest] == list(range(len(past), len(whole)))
    dice = [ply.move for ply in whole[len(past) :] if ply.seat == CHANCE]
    assert [ply.move for ply in rest if ply.seat == CHANCE] == dice
    moves = sum(ply.seat != CHANCE for ply in whole)
    asked = sum(ply.seat != CHANCE for ply in rest)
    # Each move was shown to the two others, before and after; and to who was asked for it.
    assert sum(len(spy.shown) for spy in spies) == 4 * moves + asked


def test_plies_are_numbered_one_after_another_behind_an_opening_too() -> None:
    game = load_catalog().game("scramble", players=3)
    made = make_agent(load_catalog(), "scramble", game, "random")
    plies = list(play_match(game, [made] * 3, seed=1, opening=4))
    assert [ply.number for ply in plies] == list(range(len(plies)))
    assert [ply.decision is None for ply in plies[:6]] == [True] * 4 + [False] * 2
