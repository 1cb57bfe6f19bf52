"""Learned evaluators: networks in compiled code, their files, and what they see."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpsearch.api import set_table
from mpsearch.contracts import CHANCE, OVER, CompiledEvaluator, CompiledGame
from mpsearch.errors import UsageError
from mpsearch.gamekit import (
    Network,
    features_of,
    inputs_of,
    learned_evaluator,
    read_network,
    record_features,
    shares,
)
from mpsearch.jit import jit_enabled
from mpsearch.plugins import installed
from mpsearch.testing import EVALUATOR_RULES


def any_network(inputs: int, units: int, seed: int) -> Network:
    rng = np.random.default_rng(seed)
    return Network(
        skip=rng.normal(0, 0.2, inputs),
        hidden=rng.normal(0, 0.2, (inputs, units)),
        bias=rng.normal(0, 1, units),
        out=rng.normal(0, 1, units),
    )


def new_game(name: str = "scramble", players: int | None = None) -> Any:
    return installed().game(name, players=players)


def reached(game: CompiledGame, seed: int, plies: int) -> Any:
    """A state after so many random plies, or the last before the end."""
    rng, state = np.random.default_rng(seed), game.new()
    for _ in range(plies):
        outcome = game.mover(state) == CHANCE
        moves = game.moves(state) if not outcome else ()
        after = game.play(
            state, game.draw(state, rng) if outcome else moves[int(rng.integers(len(moves)))]
        )
        if game.mover(after) == OVER:
            break
        state = after
    return state


def by_numpy(game: CompiledGame, network: Network, state: Any) -> Any:
    """What the network is, written down without any of the compiled code."""
    features = features_of(game)
    values = []
    for seat in range(game.players):
        seen = np.zeros((features.most, 2))
        row = np.zeros(features.inputs)
        for index, value in seen[: features.write.plain(game.record(state), seat, seen)]:
            row[int(index)] = value
        hidden = np.clip(row @ network.hidden + network.bias, 0, None)
        values.append(row @ network.skip + hidden @ network.out)
    raised = np.exp(np.array(values) - max(values))
    return 100 * raised / raised.sum()


@settings(deadline=None, max_examples=60)
@given(
    players=st.sampled_from((2, 4)),
    units=st.sampled_from((0, 1, 7, 32)),
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 60),
)
def test_compiled_network_says_what_numpy_says(
    players: int, units: int, seed: int, plies: int
) -> None:
    game = new_game(players=players)
    network = any_network(inputs_of(game), units, seed)
    state = reached(game, seed, plies)
    said = learned_evaluator(game, network).values(state)
    assert said == pytest.approx(by_numpy(game, network, state), rel=1e-9, abs=1e-9)
    assert said.sum() == pytest.approx(100)


@pytest.mark.parametrize("rule", EVALUATOR_RULES)
def test_learned_evaluator_keeps_the_contract(rule: str) -> None:
    game = new_game(players=3)
    evaluator = learned_evaluator(game, any_network(inputs_of(game), 5, 1))
    EVALUATOR_RULES[rule](game, evaluator, 3, 80)


def test_winners_share_the_whole_and_so_do_all_if_nobody_wins() -> None:
    assert shares(np.array([1.0, 3.0, 3.0])).tolist() == [0, 0.5, 0.5]
    assert shares(np.array([2.0, 2.0])).tolist() == [0.5, 0.5]


def test_sizes_and_weights_of_networks_share_one_compiled_function() -> None:
    game = new_game(players=4)
    made: list[Any] = [
        learned_evaluator(game, any_network(inputs_of(game), units, units)) for units in (0, 3, 32)
    ]
    assert len({evaluator.evaluate for evaluator in made}) == 1
    if jit_enabled():
        state = game.new()
        for evaluator in made:
            evaluator.values(state)
        assert len(made[0].evaluate._native.signatures) == 1


@pytest.mark.parametrize("agent", ["maxn:depth=2", "mcts:nodes=50", "brs:depth=2,others=greedy"])
def test_searches_are_not_compiled_anew_for_another_size(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not jit_enabled():
        pytest.skip("nothing is compiled")
    table = set_table(installed(), "scramble", players=3)
    texts = []
    for units in (1, 9):
        network = any_network(inputs_of(table.game), units, units)
        named = {"game": "scramble", "players": 3, "options": {}}
        path = tmp_path / f"{units}.npz"
        path.write_bytes(attrs.evolve(network, document=named).content())
        texts.append(f"{agent},evaluator={path}")
    table.search(None, texts[0])
    compiled_now: list[str] = []
    monkeypatch.setattr(
        "mpsearch.jit.numba_backend.DiskCache.save_overload",
        lambda self, *_: compiled_now.append(repr(self)),
    )
    table.search(None, texts[1])
    assert compiled_now == []


def test_file_gives_back_the_network(tmp_path: Path) -> None:
    network = attrs.evolve(any_network(5, 3, 1), document={"game": "scramble", "seed": 4})
    path = tmp_path / "a.npz"
    path.write_bytes(network.content())
    found = read_network(path)
    assert found.document == {"game": "scramble", "seed": 4}
    for name in ("skip", "hidden", "bias", "out"):
        assert getattr(found, name) == pytest.approx(getattr(network, name), rel=1e-6)
    assert found.content() == network.content()


def zipped(**arrays: Any) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def document(**fields: Any) -> Any:
    return np.frombuffer(json.dumps(fields).encode(), np.uint8)


_ROW = {"skip": np.ones(2), "hidden": np.ones((2, 1)), "bias": np.ones(1), "out": np.ones(1)}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"no zip", "File is not a zip file"),
        (zipped(a=np.ones(1)), "document is not a file in the archive"),
        (zipped(document=document(format=7), **_ROW), "its format is not 1"),
        (zipped(document=document(format=1), **{**_ROW, "out": np.ones(2)}), "do not match"),
        (zipped(document=document(format=1), **{**_ROW, "out": np.full(1, np.nan)}), "not finite"),
        (zipped(document=np.array([{}], dtype=object), **_ROW), "allow_pickle=False"),
    ],
)
def test_file_that_is_none_is_said_in_a_line(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(
        UsageError, match=r"bad\.npz is not a weights file of 'mpsearch train'"
    ) as raised:
        read_network(path)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_file_that_would_fill_the_memory_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("skip.npy", bytes(1 << 27))
    with pytest.raises(UsageError, match="it is too large"):
        read_network(path)


def test_missing_file_is_said_in_a_line() -> None:
    with pytest.raises(UsageError, match=r"nowhere.npz cannot be read: No such file"):
        read_network("nowhere.npz")


def test_weights_for_other_inputs_are_refused() -> None:
    with pytest.raises(UsageError, match="the weights are for 3 inputs, but the game has"):
        learned_evaluator(new_game(), any_network(3, 1, 1))


def test_plain_game_without_observation_is_refused() -> None:
    with pytest.raises(UsageError, match="needs compiled rules, or observation"):
        inputs_of(new_game("plunder"))


def test_fields_are_seen_from_the_seat_that_looks() -> None:
    game = new_game(players=3)
    s = game.record(game.new())
    s.square[:3] = [4, 0, 9]
    s.stamina[:3] = [1, 2, 3]
    s.mover = 2
    features = record_features(game.rules, 3)

    def seen(seat: int) -> dict[int, float]:
        out = np.zeros((features.most, 2))
        return {int(i): v for i, v in out[: features.write.plain(s, seat, out)]}

    # Squares of the seat itself and of the next two, stamina, and how far off the mover is.
    mover = 3 * 101 + 3 * 7
    numbers = {mover + 3: 3.0, mover + 4: 20.0, mover + 5: 400.0, mover + 7: 2.0, mover + 8: 3.0}
    hot = {0: [4, 101 + 0, 202 + 9, 303 + 1, 310 + 2, 317 + 3, mover + 2]}
    hot[2] = [9, 101 + 4, 202 + 0, 303 + 3, 310 + 1, 317 + 2, mover + 0]
    for seat, inputs in hot.items():
        assert seen(seat) == dict.fromkeys(inputs, 1.0) | numbers


def test_without_fields_by_seat_every_seat_has_inputs_of_its_own() -> None:
    game = new_game(players=3)
    rules = attrs.evolve(game.rules, fields=())
    features, out = record_features(rules, 3), np.zeros((19, 2))
    assert features.inputs == 3 * 19
    s = game.record(game.new())
    first = {int(i) for i in out[: features.write.plain(s, 0, out), 0]}
    third = {int(i) for i in out[: features.write.plain(s, 2, out), 0]}
    assert third == {i + 2 * 19 for i in first}


def test_evaluator_in_a_file_is_used_by_name(tmp_path: Path) -> None:
    table = set_table(installed(), "scramble", players=3)
    named = {"game": "scramble", "players": 3, "options": {"length": 20}}
    network = attrs.evolve(any_network(inputs_of(table.game), 2, 1), document=named)
    path = tmp_path / "own.npz"
    path.write_bytes(network.content())
    agent: Any = table.agent(f"maxn:depth=1,evaluator={path}")
    assert isinstance(agent.space.evaluator, CompiledEvaluator)
    assert agent.space.evaluator.parameters.tolist() == read_network(path).parameters.tolist()
    with pytest.raises(UsageError, match=r"own.npz' is for 3 players, length=20, not for 4 pl"):
        set_table(installed(), "scramble", players=4).space(str(path))
    with pytest.raises(UsageError, match="length=20, not for 3 players, length=30"):
        set_table(installed(), "scramble", players=3, options={"length": 30}).space(str(path))
    with pytest.raises(UsageError, match=r"own.npz has weights for scramble, not for plunder"):
        set_table(installed(), "plunder").space(str(path))
