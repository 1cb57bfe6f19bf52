"""Rubbish on the WebSocket: no unhandled error, and the game does not change."""

import json
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web.conftest import House

from mpsearch.web.rate_limit import RateLimit

#: Messages per example: a connection is made once for all of them.
BATCH = 50

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KINDS = ["look", "why", "play", "undo", "hint", "leave", "hello", "now", ""]
numbers = st.integers(-5, 50) | st.integers() | st.floats() | st.none() | st.text() | st.booleans()
#: Nearly right: the fields of true messages, with values that are right, wrong, absent, too many.
nearly = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | json_values},
    optional={
        "ply": numbers,
        "move": st.sampled_from(["", "0", "999", "-1", "1|2", "x" * 1001]) | json_values,
        "seat": numbers,
        "extra": json_values,
    },
)
rubbish = (
    st.text()
    | st.binary()
    | json_values.map(json.dumps)
    | nearly.map(json.dumps)
    | nearly.map(lambda message: json.dumps(message)[:-1])
    | st.sampled_from(["[" * 2000, "{" * 500, '{"type": "look", "ply": 1e999}', "\\u0000", "null"])
)


@pytest.fixture
def limits() -> RateLimit:
    """What is sent is taken, however much: the handling of each message is what is tested."""
    return RateLimit(rate=1e9, burst=10**9, nonsense=10**9, message_bytes=10**6)


class Alarm(logging.Handler):
    """Whatever is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def storm(house: House, examples: int) -> int:
    """Send batches of rubbish to a seat whose turn it is; how many messages were sent."""
    keys = house.set_table("plunder", "human", "human", "random", cards=8)
    place = house.tables.place(keys.watch)
    assert place is not None
    live = place.session.live
    alarm = Alarm()
    logging.getLogger().addHandler(alarm)
    sent = 0
    try:
        with house.window(keys.seats[0]) as window, house.window(keys.watch) as watcher:
            before = window.turn()
            hand = before["moves"]

            @settings(
                max_examples=examples,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(st.lists(rubbish, min_size=BATCH, max_size=BATCH))
            def attack(batch: list[Any]) -> None:
                nonlocal sent
                for at, message in enumerate(batch):
                    target = watcher if at % 3 == 0 else window
                    if isinstance(message, bytes):
                        target.socket.send_bytes(message)
                    elif not plays(message, before["ply"], hand):
                        target.socket.send_text(message)
                    sent += 1
                # Both still answer, after all that came before.
                for target in (window, watcher):
                    target.send(type="look", ply=0)
                    target.until("frame", ply=0)
                assert len(live.plies) == before["ply"]

            attack()
            window.play(before)
            assert window.at(before["ply"] + 1)["log"]
    finally:
        logging.getLogger().removeHandler(alarm)
    assert alarm.records == []
    return sent


def plays(message: str, ply: int, hand: list[str]) -> bool:
    """Whether a text happens to be a legal move."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("ply") == ply and found.get("move") in hand


def test_rubbish_changes_nothing(house: House) -> None:
    assert storm(house, 8) >= 8 * BATCH


@pytest.mark.slow
def test_ten_thousand_messages_of_rubbish_change_nothing(house: House) -> None:
    assert storm(house, 210) >= 10_000
