"""What the core ships, tested with the suites that plugin authors use."""

from pathlib import Path

import pytest

from mpsearch.plugins.catalog import load_catalog
from mpsearch.testing import GameSuite, ModelSuite, PropagatorSuite, SearchAlgorithmSuite

RECORDS = Path(__file__).parent / "records"


class TestScramble(GameSuite):
    game = "scramble"
    perft = (
        ({}, (3, 12, 52, 241, 876, 2965, 9741)),
        ({"players": 2, "length": 5}, (3, 12, 38, 100, 284, 688, 1557)),
    )
    records = RECORDS / "scramble"
    settings = ({"players": 2, "length": 9}, {"players": 4}, {"players": 6, "length": 30})


class TestPlunder(GameSuite):
    game = "plunder"
    records = RECORDS / "plunder"


class TestSmallPlunder(GameSuite):
    """So few cards that `worlds_are_drawn_in_proportion` counts every world."""

    game = "plunder"
    settings = ({"players": 3, "cards": 1}, {"players": 3, "cards": 2})


class TestMaxN(PropagatorSuite):
    propagator = "maxn"


class TestParanoid(PropagatorSuite):
    propagator = "paranoid"


class TestOffensiveAtStrongest(PropagatorSuite):
    propagator = "offensive"


class TestOffensiveAtLeader(PropagatorSuite):
    propagator = "offensive"
    options = {"target": "leader"}


class TestCoalition(PropagatorSuite):
    propagator = "coalition"
    options = {"with": "1"}


class TestMPMix(PropagatorSuite):
    propagator = "mpmix"
    options = {"td": 20.0, "to": 20.0}


class TestSOS(PropagatorSuite):
    propagator = "sos"


class TestOriented(PropagatorSuite):
    propagator = "oriented"


class TestBestReply(PropagatorSuite):
    propagator = "brs"


class TestSampled(PropagatorSuite):
    propagator = "mcts"


class TestSampledParanoid(PropagatorSuite):
    propagator = "mcts"
    options = {"stance": "paranoid"}


class TestGreedy(PropagatorSuite):
    propagator = "greedy"


class TestRandom(PropagatorSuite):
    propagator = "random"


class TestSelfish(ModelSuite):
    model = "selfish"


class TestKnown(ModelSuite):
    model = "known"
    options = {"matrix": "1:0:0/0:1:0/-1:0:1"}
    players = (3,)


class TestRecent(ModelSuite):
    model = "recent"


class TestRecentFromRandom(ModelSuite):
    model = "recent"
    options = {"start": "random", "k": 2}


class TestAverage(ModelSuite):
    model = "average"


class TestAdvantage(ModelSuite):
    model = "advantage"


class TestLikelihood(ModelSuite):
    model = "likelihood"


class TestLikelihoodThatAlwaysExpectsChange(ModelSuite):
    model = "likelihood"
    options = {"change": 1.0, "particles": 2}


class TestLikelihoodThatLearnsHorizons(ModelSuite):
    model = "likelihood"
    options = {"farthest": 3, "particles": 20}


class TestAdaptive(ModelSuite):
    model = "adaptive"


class TestOrientation(ModelSuite):
    model = "orientation"


class TestOrientationThatChanges(ModelSuite):
    model = "orientation"
    options = {"switch": 3, "drift": 0.3, "retaliate": True}


class TestTreeSearch(SearchAlgorithmSuite):
    search = "tree"


class TestBestReplySearch(SearchAlgorithmSuite):
    search = "brs"


class TestGreedyBestReplySearch(SearchAlgorithmSuite):
    search = "brs"
    options = {"others": "greedy"}


class TestHorizonSearch(SearchAlgorithmSuite):
    search = "horizon"


class TestMonteCarloSearch(SearchAlgorithmSuite):
    search = "mcts"


class TestInformationSetSearch(SearchAlgorithmSuite):
    search = "ismcts"


@pytest.mark.parametrize("kind", ["propagators", "opponent_models", "search_algorithms"])
def test_every_part_of_the_core_has_a_suite(kind: str) -> None:
    suites = [s for s in globals().values() if isinstance(s, type)]
    keys = ("propagator", "model", "search")
    names = {getattr(suite, key) for suite in suites for key in keys if hasattr(suite, key)}
    assert set(getattr(load_catalog(), kind)) <= names
