"""The machine code of everything that is installed is kept: a second process compiles nothing."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import attrs
import pytest

from mpsearch.api import table
from mpsearch.contracts import Compiled, CompiledBranching, CompiledEvaluator, Rules
from mpsearch.jit import jit_enabled
from mpsearch.plugins import installed

CATALOG = installed()
GAMES = [name for name in sorted(CATALOG.games) if table(name).game.rules is not None]


def compiled_functions(name: str) -> Iterator[tuple[str, Compiled]]:
    """Every compiled function of a game's rules, evaluators and branchings."""
    place = table(name)
    rules = place.game.rules
    assert isinstance(rules, Rules)
    for field in attrs.fields(Rules):
        if isinstance(function := getattr(rules, field.name), Compiled):
            yield f"{name}: {field.name}", function
    for evaluator in CATALOG.evaluators[name].values():
        if not evaluator.holds(place.players, place.options):
            continue
        made = evaluator.make(place.game, **evaluator.settle({}))
        assert isinstance(made, CompiledEvaluator)
        yield f"{name}: evaluator {evaluator.name}", made.evaluate
        if made.reach is not None:
            yield f"{name}: reach of {evaluator.name}", made.reach
    for branching in place.offer.branchings:
        listing = branching.make(place.game, **branching.settle({}))
        assert isinstance(listing, CompiledBranching)
        yield f"{name}: branching {branching.name}", listing.branch


@pytest.mark.parametrize("name", GAMES)
def test_the_code_of_every_function_is_known(name: str) -> None:
    """What uses a function whose code cannot be read is compiled anew in every process."""
    from mpsearch.jit.fingerprint import fingerprint

    functions = dict(compiled_functions(name))
    assert {"mover", "moves", "play", "payoff"} <= {text.split(": ")[1] for text in functions}
    unknown = {text: fingerprint(f.plain).opaque for text, f in functions.items()}
    assert {text: names for text, names in unknown.items() if names} == {}


USE = """
import itertools, logging, sys
logging.basicConfig(format="%(message)s")
logging.getLogger("mpsearch").setLevel("DEBUG")
from mpsearch.api import table
from mpsearch.match import natively_at_once
from mpsearch.plugins import installed

place = table(sys.argv[1])
offers = installed().evaluators[place.name].values()
held = [offer.name for offer in offers if offer.holds(place.players, place.options)]
evaluators = [f"greedy:evaluator={name}" for name in held]
branchings = [f"maxn:depth=1,branching={b.name}" for b in place.offer.branchings]
texts = [*evaluators, *branchings, "maxn:depth=2", "brs:depth=1", "mcts:nodes=8", "random"]
texts += [bot.name for bot in place.offer.bots]
with natively_at_once():
    for text in texts:
        played = list(itertools.islice(place.plies(place.setting(text, seed=1)), 8))
print(len(texts), len(played))
"""


@pytest.mark.slow
@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
@pytest.mark.parametrize("name", GAMES)
def test_a_second_process_compiles_nothing(name: str) -> None:
    """Whatever the game brings: evaluators, branchings and bots."""
    command = [sys.executable, "-c", USE, name]
    for again in (False, True):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
        assert done.stdout.split()[1] == "8"
        compiled = re.findall(r"^compiling (\w+)$", done.stderr, flags=re.MULTILINE)
        if again:
            assert compiled == []
