"""What games share: bits, colours, deals and records."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from mpsearch.gamekit import (
    HIDDEN,
    SEAT_COLOURS,
    SEAT_WEB_COLOURS,
    lowest,
    painted,
    population,
    read_hands,
    record_array,
    record_type,
    write_hands,
)

WORDS = st.integers(0, 2**63 - 1)


@settings(deadline=None)  # the first call compiles
@given(WORDS)
def test_population_counts_bits_compiled_and_plain(word: int) -> None:
    assert population(word) == population.plain(word) == word.bit_count()
    assert population.plain(np.int64(word)) == word.bit_count()


@settings(deadline=None)  # the first call compiles
@given(WORDS.filter(bool))
def test_the_lowest_bit_is_found_compiled_and_plain(word: int) -> None:
    expected = next(k for k in range(63) if word >> k & 1)
    assert lowest(word) == lowest.plain(word) == expected


def test_every_seat_has_colours_of_its_own_that_rich_knows() -> None:
    assert len(set(SEAT_COLOURS)) == len(set(SEAT_WEB_COLOURS)) == 6
    for colour in SEAT_COLOURS:
        console = Console(file=io.StringIO(), force_terminal=True, color_system="standard")
        console.print(painted("x", f"bold {colour}"), end="")
        shown = console.file.getvalue()  # type: ignore[attr-defined]
        assert shown.startswith("\x1b[1;3")
        assert "[bold" not in shown


def test_without_colour_or_style_a_text_stays_as_it_is() -> None:
    assert painted("x", "red", colour=False) == painted("x", "") == "x"
    assert painted("x", "red") == "[red]x[/red]"


@given(st.lists(st.lists(st.integers(0, 99)), min_size=1))
def test_hands_are_read_as_they_were_written(hands: list[list[int]]) -> None:
    assert read_hands(write_hands(hands), int) == hands


def test_a_hand_that_may_not_be_seen_is_a_question_mark() -> None:
    assert write_hands([["2c", "qs"], []]) == f"2c,qs|{HIDDEN}"
    with pytest.raises(ValueError, match="invalid literal"):
        read_hands("1,x|2", int)


STATE = np.dtype([("coins", "i8"), ("taken", "i8", 2)], align=True)


def test_a_record_array_is_a_copy_that_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPSEARCH_JIT", "0")
    state = np.zeros(1, STATE).tobytes()
    array = record_array(state, STATE)
    array[0].coins = 7
    assert np.frombuffer(array.tobytes(), STATE)["coins"].tolist() == [7]
    assert state == bytes(STATE.itemsize)


def test_copies_of_a_record_have_fields_as_attributes() -> None:
    copies = np.empty(1, record_type(STATE))
    copies[0] = np.zeros(1, STATE)[0]
    assert copies[0].coins == 0
    assert copies.dtype.itemsize == STATE.itemsize
