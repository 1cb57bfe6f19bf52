"""The core's search algorithms, imported when an agent uses them."""

from __future__ import annotations

from mpsearch.contracts import Option, SearchAlgorithmOffer

#: Iterations of `mcts` without a limit on nodes or time.
DEFAULT_ITERATIONS = 1000
#: The greatest `cut`: more plies than any play-out.
TO_THE_END = 1_000_000

_SAMPLING = (
    Option.text("playout", "random", help="play-out policy: random, or a bot with a policy"),
    Option.whole(
        "cut", 4, least=0, greatest=TO_THE_END, help="plies per play-out before evaluation"
    ),
    Option.number("explore", 0.5, least=0, greatest=1e6, help="exploration constant of UCT"),
)

SEARCH_ALGORITHMS = [
    SearchAlgorithmOffer(
        name="tree",
        summary="tree search with the pruning that the social matrix allows",
        make="mpsearch.search:make_tree_search",
    ),
    SearchAlgorithmOffer(
        name="brs",
        summary="only one opponent replies between two moves of the root",
        make="mpsearch.search:make_best_reply_search",
        options=(
            Option.text(
                "others",
                "ordered",
                choices=("ordered", "greedy", "skip"),
                help="what opponents who do not reply play: their first move, their "
                "greedy move, or nothing",
            ),
        ),
    ),
    SearchAlgorithmOffer(
        name="horizon",
        summary="tree search in which opponents choose by what they see a ply or two ahead",
        make="mpsearch.search:make_horizon_search",
    ),
    SearchAlgorithmOffer(
        name="mcts",
        summary="Monte-Carlo tree search (UCT)",
        make="mpsearch.search:make_monte_carlo_search",
        default_nodes=DEFAULT_ITERATIONS,
        hidden_defaults={"pool": "mean", "cut": TO_THE_END},
        options=_SAMPLING,
    ),
    SearchAlgorithmOffer(
        name="ismcts",
        summary="Monte-Carlo tree search with one tree over information sets",
        make="mpsearch.search:make_information_set_search",
        default_nodes=DEFAULT_ITERATIONS,
        hidden_defaults={"cut": TO_THE_END},
        options=_SAMPLING,
    ),
]
