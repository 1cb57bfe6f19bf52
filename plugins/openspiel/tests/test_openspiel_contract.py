"""Every game of the bridge keeps the contract, and the list of games is OpenSpiel's."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.foreign import BY_NAME, FACE_UP, FILTER, GAMES, REFUSED  # noqa: E402
from mpsearch_openspiel.offers import OWN  # noqa: E402
from mpsearch_openspiel.position import Position  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402
from mpsearch.contracts import OVER, Limits  # noqa: E402
from mpsearch.errors import UsageError  # noqa: E402
from mpsearch.plugins.catalog import installed  # noqa: E402
from mpsearch.testing import EVALUATOR_RULES, GAME_RULES  # noqa: E402

NAMES = [f"os_{game.name}" for game in GAMES]
#: Smaller forms of games that are long or wide.
SMALL: dict[str, dict[str, Any]] = {
    "os_yacht": {"num_dice": 2},
    "os_chinese_checkers": {"max_moves": 60},
    "os_goofspiel": {"num_cards": 5},
    "os_cribbage": {},
}


def small(name: str) -> Any:
    return installed().game_offer(name).new_game(options=SMALL.get(name, {}))


@pytest.mark.parametrize("name", NAMES)
def test_the_game_and_its_evaluators_keep_every_rule(name: str) -> None:
    game = small(name)
    # A deal card by card takes 52 plies, and secrets begin behind it.
    for rule in GAME_RULES.values():
        rule(game, 1, 60 if game.hidden else 30)
    for offer in installed().evaluators[name].values():
        # Roll-outs of long games take long; three states tell as much.
        options = {"number": 1} if offer.name == "rollouts" else {}
        evaluator = offer.make(game, **offer.settle(options))
        for name_of_rule, keeps in EVALUATOR_RULES.items():
            if not (evaluator.noisy and name_of_rule == "winners_have_the_greatest_value"):
                keeps(game, evaluator, 1, 3 if evaluator.noisy else 30)


def table_of_games() -> list[str]:
    """The rows of the README's table: which games, what they have, and what was found."""
    rows = []
    for game in GAMES:
        allowed = game.counts or range(game.players[0], game.players[1] + 1)
        players = ", ".join(map(str, allowed)) if game.counts else f"{allowed[0]} to {allowed[-1]}"
        own = f"`{OWN[game.name][0]}`" if game.name in OWN else ""
        counts = players if allowed[0] != allowed[-1] else str(allowed[0])
        rows.append(f"| {game.name} | {counts} | {game.secrecy} | {own} | none | {game.found} |")
    return rows + [f"| {name} | | | | not offered | {why} |" for name, why in REFUSED.items()]


def test_the_readme_has_every_game_with_what_was_found() -> None:
    """That no rule is broken is the claim of the test above."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert "\n".join(table_of_games()) in readme


def test_what_is_written_down_is_what_openspiel_says() -> None:
    there = {
        known.short_name: known
        for known in pyspiel.registered_games()
        if known.max_num_players >= 3 and known.default_loadable
    }
    assert set(there) == set(BY_NAME) | set(REFUSED)
    for game in GAMES:
        known = there[game.name]
        assert (max(known.min_num_players, 2), known.max_num_players) == game.players
        for name, default in game.options.items():
            assert known.parameter_specification[name] == default, (game.name, name)
        provides = known.provides_information_state_string
        assert provides or game.secrecy != FILTER


def test_cards_lie_face_up_only_where_the_summary_says_so() -> None:
    for game in GAMES:
        offer = installed().game_offer(f"os_{game.name}")
        assert ("FACE UP" in offer.summary) == (game.secrecy == FACE_UP)
        known = next(g for g in pyspiel.registered_games() if g.short_name == game.name)
        perfect = known.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        sequential = known.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        assert (game.secrecy == "open") == (perfect and sequential)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_to_its_end_and_replays(name: str) -> None:
    match = table(name, **SMALL.get(name, {})).play("random", seed=4)
    assert match.game.mover(match.state) == OVER
    assert match.payoff.tolist() == match.state.inner.returns()


@pytest.mark.parametrize("name", ["os_kuhn_poker", "os_hearts", "os_pig", "os_goofspiel"])
def test_searching_agents_play(name: str) -> None:
    options = {**SMALL.get(name, {}), **({"winscore": 12} if name == "os_pig" else {})}
    agents = ("maxn:depth=1,worlds=2", "mpmix:depth=1,worlds=2", "random")
    assert table(name, **options).play(*agents, seed=2).payoff.shape[0] >= 3


@pytest.mark.parametrize("name", sorted(OWN))
def test_own_affairs_are_read_from_every_state(name: str) -> None:
    """What is read is there as soon as play begins, and is not the same all the time."""
    game = small(f"os_{name}")
    evaluator = table(f"os_{name}", **SMALL.get(f"os_{name}", {})).space(OWN[name][0]).evaluator
    rng, state, seen = np.random.default_rng(5), game.new(), set()
    while game.mover(state) != OVER:
        chance = game.mover(state) < 0
        move = game.draw(state, rng) if chance else rng.choice(game.moves(state))
        state = game.play(state, int(move))
        seen.add(tuple(evaluator.values(state)))
    assert len(seen) > 1
    assert evaluator.own_affairs


def test_hops_are_the_movers_own_and_complete_for_whom_openspiel_calls_the_winner() -> None:
    game = installed().game_offer("os_chinese_checkers").new_game()
    evaluator = table("os_chinese_checkers").space("hops").evaluator
    rng, state = np.random.default_rng(2), game.new()
    assert evaluator.values(state).tolist() == [0.0] * 3
    while (seat := game.mover(state)) != OVER:
        after = [game.play(state, move) for move in rng.permutation(game.moves(state)).tolist()]
        # Nearly always the best; now and then any, so that nobody stands in the way for ever.
        best = (
            max(after, key=lambda s: evaluator.values(s)[seat]) if rng.random() > 0.05 else after[0]
        )
        others = np.arange(3) != seat
        assert np.array_equal(evaluator.values(best)[others], evaluator.values(state)[others])
        state = best
    won = game.payoff(state) > 0
    assert won.sum() == 1
    assert ((evaluator.values(state) == 100.0) == won).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_steps_are_those_of_the_dice_and_complete_for_the_winner(players: int) -> None:
    """A piece goes as far as the die says, comes out with a six, or waits; or is thrown out."""
    place = table("os_maedn", players=players)
    game, evaluator = place.game, place.space("steps").evaluator
    rng, state, die = np.random.default_rng(3), game.new(), 0
    gone = np.zeros(players)
    while (seat := game.mover(state)) != OVER:
        move = game.draw(state, rng) if seat < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
        now = np.rint(evaluator.values(state) * 170 / 100)
        change, gone = now - gone, now
        if seat < 0:
            assert not change.any()
            die = move + 1
            continue
        assert change[seat] in ((0, 1, 6) if die == 6 else (0, die))
        assert (np.delete(change, seat) <= 0).all()
    assert ((gone == 170) == (game.payoff(state) > 0)).all()


def test_go_fish_ends_where_openspiel_does_not_end_it() -> None:
    """It deals more cards than there are where somebody makes a book at the deal; and who asks in
    vain, as who always makes the first move does, may go on for ever."""
    game: Any = table("os_go_fish", ranks=4).game
    stalled = lasted = 0
    for seed in range(40):
        rng, state = np.random.default_rng(seed), game.new()
        while (mover := game.mover(state)) != OVER:
            state = game.play(state, game.draw(state, rng) if mover < 0 else game.moves(state)[0])
        if not state.inner.is_terminal():
            stalled += state.inner.is_chance_node()
            lasted += len(state.history) == game.inner.max_game_length()
            assert game.payoff(state).tolist() == [0.0] * 3
    assert stalled > 0
    assert lasted > 0


def test_agents_without_limits_look_no_further_than_is_quick_here() -> None:
    agent: Any = table("os_go_fish").agent("maxn")
    assert (agent.limits, agent.worlds) == (Limits(nodes=1000), 4)
    rolling: Any = table("os_euchre").agent("mpmix:worlds=2")
    assert (rolling.limits, rolling.worlds) == (Limits(depth=1), 2)


def test_impossible_worlds_of_openspiels_hearts_are_refused() -> None:
    """OpenSpiel itself draws many; none of ours has an illegal history."""
    game = small("os_hearts")
    rng, impossible = np.random.default_rng(0), 0
    for number in range(30):
        state = game.new()
        for _ in range(60 + number):
            actions = state.inner.legal_actions()
            state = game.play(state, int(rng.choice(actions)))
        seat = game.mover(state)
        drawn = state.inner.resample_from_infostate(seat, rng.random)
        impossible += not legal(game, drawn.history())
        assert legal(game, game.world(game.view(state, seat), rng).history)
    assert impossible > 3


def legal(game: Any, history: Any) -> bool:
    inner = game.inner.new_initial_state()
    for action in history:
        if action not in inner.legal_actions():
            return False
        inner.apply_action(action)
    return True


def test_options_that_openspiel_does_not_like_are_refused_in_one_line() -> None:
    offer = installed().game_offer("os_leduc_poker")
    with pytest.raises(UsageError, match="99 players; the game is for 2 to 10"):
        offer.new_game(players=99)
    made: Any = offer.new_game(options={"suit_isomorphism": True})
    assert made.parameters == {"players": 3, "suit_isomorphism": True}
    with pytest.raises(UsageError, match="os_snake: 3 players; the game is for 2 or 4"):
        installed().game_offer("os_snake").new_game(players=3)
    with pytest.raises(UsageError, match="os_goofspiel: OpenSpiel refuses these options: "):
        installed().game_offer("os_goofspiel").new_game(options={"points_order": "backwards"})


def test_a_crash_of_the_trial_is_an_error_and_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsearch_openspiel.game._TRIAL", "import os; os.abort()")
    with pytest.raises(UsageError, match="os_pig: OpenSpiel refuses these options: it ends the"):
        installed().game_offer("os_pig").new_game(options={"winscore": 30})


def test_texts_are_openspiels_own() -> None:
    game = small("os_hearts")
    state = game.new()
    for _ in range(53):
        state = game.play(state, int(state.inner.legal_actions()[0]))
    move = game.moves(state)[0]
    assert game.write_in(state, move) == state.inner.action_to_string(game.mover(state), move)
    assert game.read_in(state, f"a{move}") == move
    assert game.read(game.write(move)) == move


def test_listing_the_games_does_not_import_openspiel() -> None:
    code = "import sys; from mpsearch.plugins.catalog import load_catalog; load_catalog(); "
    code += "sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_positions_are_equal_if_their_histories_are() -> None:
    game = small("os_kuhn_poker")
    first, second = (game.play(game.new(), 1) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != game.play(game.new(), 2)
    assert isinstance(first, Position)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        *(("os_coin_game", players, {}) for players in range(2, 11)),
        ("os_coin_game", 3, {"episode_length": 5}),
        ("os_coin_game", 2, {"num_coins_per_color": 8, "num_extra_coin_colors": 3}),
        *(("os_cribbage", players, {}) for players in (2, 3, 4)),
    ],
)
def test_what_was_done_is_observed_in_one_shape_up_to_the_end(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """OpenSpiel says that coin_game has 20 outcomes of chance, and deals 22 to three players."""
    game: Any = installed().game_offer(name).new_game(players=players, options=options)
    rng, state = np.random.default_rng(players), game.new()
    shape = game.observation(state, 0).shape
    while (mover := game.mover(state)) != OVER:
        assert game.observation(state, 0).shape == shape
        move = game.draw(state, rng) if mover < 0 else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
    observed = game.observation(state, 0)
    assert observed.shape == shape
    assert tuple(observed[: len(state.history)].astype(int)) == state.history
    assert (observed[len(state.history) :] == -1).all()
