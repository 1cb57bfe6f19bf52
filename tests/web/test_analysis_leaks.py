"""An analysis or review of a hidden game that is not over tells a seat what its views tell it.

Two records that look the same to a seat, with other cards, moves, thoughts and seeds behind them,
are analysed by the same messages: what the page is sent must be the same, byte for byte.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect
from web.conftest import House, Window

from mpsearch.api import Table, set_table, table_of
from mpsearch.contracts import CHANCE, Game, Move, State
from mpsearch.match import Setting, header_entry, read_record, recalled
from mpsearch.plugins.catalog import installed
from mpsearch.studies.review import finished_review, make_judge
from mpsearch.testing.random_play import Step, walk

OPTIONS: dict[str, dict[str, Any]] = {
    "hearts": {"single": True, "preset": "standard"},
    "plunder": {"cards": 8},
}


def table(name: str) -> Table:
    return set_table(installed(), name, options=OPTIONS[name])


def twins(game: Game, seat: int) -> tuple[list[Move], list[Move]]:
    """The moves of two games that give a seat the same views, though others hold other cards."""
    for seed in range(40):
        ours = [step.move for step in turns_of(game, seed, 8)]
        for theirs in others(game, ours, seat):
            if seen(game, ours, seat) == seen(game, theirs, seat):
                return ours, theirs
    raise AssertionError("no twins were found")


def turns_of(game: Game, seed: int, plies: int) -> list[Step]:
    """The first steps of a random game, chance included."""
    return [step for step in walk(game, seed, plies=plies) if step.move is not None][:plies]


def others(game: Game, moves: list[Move], seat: int) -> Iterator[list[Move]]:
    """The same game after deals in which two cards have changed places, where it can be played."""
    first = game.new()
    hands = [hand.split(",") for hand in game.write_in(first, moves[0]).split("|")]
    places = [(h, k) for h, hand in enumerate(hands) for k in range(len(hand)) if h != seat]
    for (g, i), (h, k) in itertools.combinations(places, 2):
        if g == h:
            continue
        changed = [list(hand) for hand in hands]
        changed[g][i], changed[h][k] = changed[h][k], changed[g][i]
        swapped = game.read_in(first, "|".join(map(",".join, changed)))
        if not game.possible(first, swapped):
            continue  # hands are sorted in some games
        state = game.play(first, swapped)
        for move in moves[1:]:
            mover = game.mover(state)
            legal = game.possible(state, move) if mover == CHANCE else move in game.moves(state)
            if not legal:
                break
            state = game.play(state, move)
        else:
            yield [swapped, *moves[1:]]


def record(place: Table, path: Path, moves: list[Move], *, secret: int) -> Path:
    """A record of a game that is not over; thoughts and the seed in it are a secret."""
    game, state = place.game, place.game.new()
    count = game.players
    setting = Setting(
        game=place.name,
        players=count,
        options=dict(place.options),
        agents=("maxn:depth=1,worlds=2",) * count,
        seed=secret,
    )
    lines: list[dict[str, Any]] = [header_entry(setting)]
    for ply, move in enumerate(moves):
        mover = game.mover(state)
        entry: dict[str, Any] = {
            "ply": ply,
            "seat": None if mover == CHANCE else mover,
            "move": game.write_in(state, move),
        }
        if mover >= 0:
            entry |= {
                "stance": f"secret {secret}",
                "target": (mover + 1 + secret) % count,
                "value": [float(secret)] * count,
                "matrix": (secret * np.eye(count)).tolist(),
            }
        lines.append(entry)
        state = game.play(state, move)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def script(window: Window, seat: int) -> list[str]:
    """Everything that can be asked, and all that is answered but for how a search stands."""
    plies = window.until("hello")["plies"]
    window.until("tree")
    window.send(type="graph")
    window.until("graph")
    window.send(type="seat", seat=seat, agent="sos:depth=1,worlds=2")
    window.until("tree")
    for node in range(plies + 1):
        window.send(type="look", node=node)
        frame = window.until("frame", node=node)
        for ask in ("why", "remove"):
            window.send(type=ask, node=node)
            window.until("sorry")
        for move in frame["moves"][:2]:
            window.send(type="try", node=node, move=move)
            tried = window.until("went")["node"]
            window.send(type="look", node=tried)
            window.until("frame")
        window.send(type="try", node=node, move="no move at all")
        window.until("sorry")
        window.send(type="go_on", node=node, plies=2)
        window.until("ended")
        if frame["mover"] is not None:
            window.send(type="think", node=node)
            window.until("lines", depth=1)
            window.send(type="stop")
    return [text for text in window.texts if json.loads(text)["type"] not in ("thinking", "lines")]


def lines_of(window: Window) -> dict[tuple[int, int], str]:
    """What searches found, by position and depth: how deep they came is a matter of time."""
    found = [json.loads(text) for text in window.texts]
    return {(m["node"], m["depth"]): json.dumps(m) for m in found if m["type"] == "lines"}


@pytest.mark.parametrize(("name", "seat"), [("plunder", 0), ("plunder", 2), ("hearts", 1)])
def test_an_analysis_for_a_seat_depends_on_its_views_alone(
    house: House, tmp_path: Path, name: str, seat: int
) -> None:
    place = table(name)
    ours, theirs = twins(place.game, seat)
    assert any(seen(place.game, ours, s) != seen(place.game, theirs, s) for s in range(3))
    paths = [
        record(place, tmp_path / "ours.jsonl", ours, secret=3),
        record(place, tmp_path / "theirs.jsonl", theirs, secret=8),
    ]
    answers, found = [], []
    for path in paths:
        token = house.tables.show_record(path).watch
        with house.analysis(token) as window, pytest.raises(WebSocketDisconnect) as closed:
            window.socket.receive_text()
        assert f"choose a seat, 0 to {place.game.players - 1}" in closed.value.reason
        with house.analysis(token, seat) as window:
            answers.append(script(window, seat))
            found.append(lines_of(window))
        assert "variations" not in house.client.get(f"/table/{token}/record").text
    for one, other in zip(*answers, strict=True):
        assert one == other
    both = found[0].keys() & found[1].keys()
    assert len(both) >= 3
    assert {key: found[0][key] for key in both} == {key: found[1][key] for key in both}
    assert "secret" not in "".join(answers[0])


def states(game: Game, moves: list[Move]) -> list[State]:
    found = [game.new()]
    for move in moves:
        found.append(game.play(found[-1], move))
    return found


@pytest.mark.parametrize(("name", "seat"), [("plunder", 1), ("hearts", 2)])
def test_a_review_for_a_seat_depends_on_its_views_alone(
    tmp_path: Path, name: str, seat: int
) -> None:
    place = table(name)
    ours, theirs = twins(place.game, seat)
    told = []
    for secret, moves in ((3, ours), (8, theirs)):
        found = read_record(record(place, tmp_path / f"{secret}.jsonl", moves, secret=secret))
        judge = make_judge(table_of(found.setting), found, agent="maxn:depth=1,worlds=2", seat=seat)
        review = finished_review(judge, tuple(judge.judgements()))
        told.append((json.dumps(review.document()), str(review), review.html(), review.svg()))
    assert ours != theirs
    assert told[0] == told[1]


def test_the_analysis_of_a_finished_hidden_game_shows_every_card(
    house: House, tmp_path: Path
) -> None:
    place = table("hearts")
    path = tmp_path / "game.jsonl"
    place.play("random", seed=4).save(path)
    game = place.game
    plies = list(recalled(game, read_record(path)))
    with house.analysis(house.tables.show_record(path).watch) as window:
        window.until("tree")
        window.send(type="look", node=20)
        frame = window.until("frame", node=20)
        before = plies[20].before
        assert frame["svg"] == game.svg(before, moves=tuple(game.moves(before)))
        assert all(f'data-move="{move}"' in frame["svg"] for move in frame["moves"])


def seen(game: Game, moves: list[Move], seat: int) -> list[Any]:
    return [game.view(state, seat) for state in states(game, moves)]
