"""Everything that is compiled gives the same in plain Python."""

from __future__ import annotations

from support.plain import same_digest

SCRIPT = """
import hashlib
import numpy as np
from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import OVER, Turn
catalog = load_catalog()
digest = hashlib.sha256()
for options in (
    {},
    {"preset": "standard", "jack": "yes", "moon": "subtract"},
    {"end": "trick", "limit": 20},
):
    game = catalog.game("hearts", **options)
    offers = catalog.evaluators["hearts"].values()
    evaluators = [o.make(game) for o in offers]
    branchings = [o.make(game) for o in catalog.game_offer("hearts").branchings]
    agent = make_agent(catalog, "hearts", game, "maxn:depth=2,worlds=2")
    rng = np.random.default_rng(4)
    state = game.new()
    for number in range(140):
        seat = game.mover(state)
        if seat == OVER:
            break
        if seat < 0:
            state = game.play(state, game.draw(state, rng))
            continue
        for viewer in range(4):
            world = game.world(game.view(state, viewer), rng)
            digest.update(world)
            for evaluator in evaluators:
                digest.update(evaluator.values(world).tobytes())
        for branching in branchings:
            digest.update(repr(list(branching.moves(state))).encode())
        if number % 20 == 7:
            moves = tuple(game.moves(state))
            turn = Turn(seat=seat, view=game.view(state, seat), moves=moves)
            decision = agent.choose(turn, agent.start(seat, rng), np.random.default_rng(number))
            digest.update(repr((decision.move, decision.nodes)).encode())
        state = game.play(state, int(rng.choice(game.moves(state))))
        digest.update(state)
print(digest.hexdigest())
"""


def test_games_worlds_values_and_choices_are_the_same_without_the_jit() -> None:
    same_digest(SCRIPT)
