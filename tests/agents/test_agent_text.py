"""Agents as text: what is understood, and what is said about everything else."""

from typing import Any

import attrs
import pytest

from mpsearch.agents import SearchAgent, make_agent, read_agent
from mpsearch.api.game_table import table
from mpsearch.contracts import Limits, Player
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import load_catalog


def agent(text: str, game: str = "scramble") -> Player:
    catalog = load_catalog()
    return make_agent(catalog, game, catalog.game(game), text)


@pytest.mark.parametrize(
    "text",
    [
        "maxn",
        "maxn:depth=4",
        "mpmix:td=25,to=inf,nodes=20000",
        "sos:model=recent,k=5,depth=3",
        "sos:matrix=1:0:0:0/0:1:0:0/0:0:1:0/0:0:-0.5:1",
        "paranoid:time=0.5",
        "random",
        "greedy:evaluator=share,stamina=0.25",
        "offensive:target=2,ties=first",
        "coalition:with=1+3",
        "maxn:prune=no,threads=2,branching=all,pool=mean,worlds=4",
        "brs:depth=4,others=greedy",
        "mcts:stance=paranoid,nodes=500,cut=3,explore=0.7",
        "mpmix:td=20,to=20,search=mcts,playout=random",
    ],
)
def test_an_agent_prints_as_the_text_it_was_read_from(text: str) -> None:
    assert str(read_agent(text)) == text
    agent(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no name"),
        (":depth=3", "has no name"),
        ("maxn:", "ends in ':'"),
        ("maxn:depth", "'depth' is not of the form key=value"),
        ("maxn:depth=", "'depth=' is not of the form key=value"),
        ("maxn:=3", "'=3' is not of the form key=value"),
        ("maxn:depth=3,,", "'' is not of the form key=value"),
        ("maxn:depth=3,depth=4", "depth is given twice"),
        ("maxn:depth=0", "depth=0 is not a whole number from 1 to 400"),
        ("maxn:depth=2.5", "depth=2.5 is not a whole number from 1 to 400"),
        ("maxn:depth=deep", "depth=deep is not a whole number from 1 to 400"),
        ("maxn:nodes=-1", "nodes=-1 is not a whole number from 1 to 1000000000000000"),
        ("maxn:time=soon", "time=soon is not a number"),
        ("maxn:ties=last", "ties=last is not one of random, first"),
        ("maxn:prune=perhaps", "prune=perhaps is not yes or no"),
        ("maxn:depth=401", "depth=401 is not a whole number from 1 to 400"),
        (f"maxn:nodes={10**20}", f"nodes={10**20} is not a whole number from 1 to"),
        (f"maxn:worlds={10**20}", "is not a whole number from 1 to 100000"),
        (f"maxn:threads={10**20}", "is not a whole number from 1 to 256"),
        ("maxn:time=inf", "time=inf is not a number from 0.001 to 1000000"),
        (f"maxn:model=likelihood,particles={10**20}", "is not a whole number from 2 to 100000"),
        (f"maxn:model=recent,k={10**20}", "is not a whole number from 1 to 10000"),
        (f"oriented:switch={10**20}", "is not a whole number from 0 to"),
        ("oriented:drift=1e300", "drift=1e300 is not a number from 0 to 2"),
        ("maxn:model=adaptive,precision=1e308", "precision=1e308 is not a number from 0 to 1000"),
        ("maxn:dept=3", "unknown key 'dept'; did you mean 'depth'?"),
        ("maxn:search=uct", "unknown search algorithm 'uct'; choose from brs, horizon, ismcts"),
        ("maxn:others=skip", "unknown key 'others'; did you mean"),
        (
            "brs:others=skip",
            "search=brs: this game does not allow skipping a turn; others=ordered is",
        ),
        ("mcts:playout=wrt", "unknown play-out 'wrt'; choose from random"),
        (f"mcts:cut={10**20}", "is not a whole number from 0 to 1000000"),
        ("mcts:stance=sos", "stance=sos is not one of maxn, paranoid"),
        ("maxn:td=3", "unknown key 'td'; choose from"),
        ("maxn:stamina=1", "unknown key 'stamina'; choose from"),
        ("maxm", "unknown agent for scramble 'maxm'; did you mean 'maxn'"),
        ("zzz", "unknown agent for scramble 'zzz'; choose from brs, coalition"),
        ("maxn:evaluator=progres", "unknown evaluator for scramble 'progres'; did you mean"),
        ("maxn:branching=few", "unknown branching for scramble 'few'; choose from all"),
        ("sos:model=recant", "unknown opponent model 'recant'; did you mean 'recent'"),
        ("sos:k=0", "k=0 is not a whole number from 1 to 10000"),
        ("mpmix:td=nan", "td=nan is not a number, 0 or more"),
        ("mpmix:td=-1", "td=-1 is not a number, 0 or more"),
    ],
)
def test_a_malformed_agent_is_explained(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        agent(text)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 2


def test_limits_come_from_the_text_or_have_a_default() -> None:
    def limits(text: str) -> Limits:
        made = agent(text)
        assert isinstance(made, SearchAgent)
        return made.limits

    assert limits("maxn") == Limits(depth=3)
    assert limits("maxn:nodes=500") == Limits(nodes=500)
    assert limits("maxn:time=2,depth=9") == Limits(depth=9, seconds=2.0)
    assert limits("greedy") == Limits(depth=1)
    assert limits("random") == Limits(depth=1)


def test_a_game_has_defaults_and_its_limits_hold_where_an_agent_has_none() -> None:
    catalog = load_catalog()
    offer = attrs.evolve(catalog.game_offer("scramble"), defaults={"nodes": 70, "worlds": 4})
    catalog = attrs.evolve(catalog, games={**catalog.games, "scramble": offer})

    def made(text: str) -> tuple[Limits, int]:
        agent: Any = make_agent(catalog, "scramble", offer.new_game(), text)
        return agent.limits, agent.worlds

    assert made("maxn") == (Limits(nodes=70), 4)
    assert made("maxn:depth=2") == (Limits(depth=2), 4)
    assert made("maxn:worlds=9") == (Limits(nodes=70), 9)
    assert made("greedy") == (Limits(depth=1), 4)


def test_a_key_reaches_every_part_that_has_it() -> None:
    made = agent("sos:model=known,matrix=1:0:0:0/0:1:0:0/0:0:1:0/0:0:0:1")
    assert isinstance(made, SearchAgent)
    propagator: Any = made.propagator
    model: Any = made.model
    assert propagator.matrix == model.matrix_text


def test_an_agent_prunes_unless_it_is_told_not_to() -> None:
    place = table("scramble", players=3)
    nodes = [
        place.search(None, f"paranoid:depth=5{more}", exact=False).report.nodes
        for more in ("", ",prune=yes", ",prune=no")
    ]
    assert nodes[0] == nodes[1] < nodes[2]
