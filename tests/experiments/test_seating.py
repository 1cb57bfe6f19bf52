"""Seat orders: all distinct ones are played, equally often, the same in all arms."""

import itertools
from collections import Counter
from pathlib import Path

import pytest

from mpsearch.api import table
from mpsearch.cli import run
from mpsearch.errors import UsageError
from mpsearch.experiments import make_design, tournament, tournament_design
from mpsearch.experiments.design import Design
from mpsearch.experiments.run import analyse_store
from mpsearch.experiments.seating import Seatings
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.plugins import installed
from mpsearch.studies.reproduce import shipped, shipped_names


def cyclic(seats: tuple[int, ...]) -> tuple[int, ...]:
    return min(seats[k:] + seats[:k] for k in range(len(seats)))


@pytest.mark.parametrize(
    ("alike", "orders", "count"),
    [
        ("ab", 1, 2),
        ("abc", 2, 6),
        ("abcd", 6, 24),
        ("abcde", 24, 120),
        ("abbb", 1, 4),
        ("aabb", 2, 6),  # neighbours, four ways, or opposite each other, two ways
        ("aabc", 3, 12),
        ("aaaa", 1, 1),
    ],
)
def test_every_distinct_seating_comes_once_in_a_round(alike: str, orders: int, count: int) -> None:
    found = Seatings(alike)
    assert (found.orders, found.count) == (orders, count)
    shown = ["".join(alike[place] for place in found[number]) for number in range(count)]
    assert sorted(shown) == sorted({"".join(seats) for seats in itertools.permutations(alike)})
    assert [found[number] for number in range(count, 2 * count)] == [
        found[number] for number in range(count)
    ]
    assert shown[0] == alike


def test_any_part_is_spread_evenly_over_orders_and_seats() -> None:
    found = Seatings("abcd")
    for games in (4, 8, 12, 20, 24, 100):
        seen = [found[number] for number in range(games)]
        orders = Counter(map(cyclic, seen))
        often = [orders[order] for order in {cyclic(found[n]) for n in range(24)}]
        assert max(often) - min(often) <= 4
        # Everybody at every seat, equally often.
        assert {n for seat in range(4) for n in Counter(s[seat] for s in seen).values()} == {
            games // 4
        }


def test_too_many_orders_are_drawn_each_at_every_rotation() -> None:
    found = Seatings("abcdefghij")
    assert found.orders is None
    blocks = [[found[10 * block + shift] for shift in range(10)] for block in range(5)]
    assert blocks[0][0] == tuple(range(10))
    assert all(len(set(block)) == 10 and len(set(map(cyclic, block))) == 1 for block in blocks)
    assert len({cyclic(block[0]) for block in blocks}) == 5


def seats(design: Design) -> list[tuple[str, ...]]:
    return [job.setting.agents for job in design.jobs()]


def test_a_tournament_plays_all_cyclic_orders() -> None:
    place, agents = table("scramble", players=3), ["maxn", "paranoid", "random"]
    found = seats(tournament_design(place, agents, games=6, seed=0))
    assert sorted(found) == sorted(itertools.permutations(agents))
    kept = seats(tournament_design(place, agents, games=6, seed=0, seating="rotation"))
    assert kept[:3] == kept[3:]
    assert set(seats(tournament_design(place, agents, games=6, seed=0, seating="fixed"))) == {
        tuple(agents)
    }
    with pytest.raises(UsageError, match="seating 'odd' is not one of orders, rotation, fixed"):
        tournament_design(place, agents, games=6, seed=0, seating="odd")


ARMS = """\
game = "scramble"
players = 3
games = 6
others = ["greedy", "random"]
{more}
[arms]
maxn = "maxn:depth=1"
greedy = "greedy"
"""


def design(more: str = "") -> Design:
    return make_design(TomlFile(ARMS.format(more=more), name="d.toml"), installed())


def test_arms_are_paired_by_seat_orders() -> None:
    found = design()
    for number in range(6):
        first, second = (found.job(arm, number).setting.agents for arm in found.arms)
        # The same but for the exchanged agent, also where it equals one of the others.
        differ = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        assert differ == [("maxn:depth=1", "greedy")]
    assert len({found.job(found.arms[0], number).setting.agents for number in range(6)}) == 6


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ("", None),
        ('seating = "orders"', "orders"),
        ('seating = "rotation"', "rotation"),
        ("rotate = true", "rotation"),
        ("rotate = false", "fixed"),
    ],
)
def test_a_file_says_how_seats_change(more: str, wanted: str | None) -> None:
    assert design(more).seating == wanted


def test_mistakes_about_seats_are_named() -> None:
    with pytest.raises(UsageError, match="seating: 'odd' is not 'orders', 'rotation' or"):
        design('seating = "odd"')
    with pytest.raises(UsageError, match="rotate: 'seating' already says this"):
        design('seating = "fixed"\nrotate = true')


def test_a_number_of_games_that_is_no_multiple_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tournament", "--game", "scramble", "--players", "3", "--option", "length=5"]
    for agent in ("random", "greedy", "maxn:depth=1"):
        arguments += ["--agent", agent]
    assert run([*arguments, "--games", "8"]) == 0
    assert (
        "8 games are not a multiple of 6 seatings (all cyclic seat orders at every rotation): 2 of "
        "them are played 2 times and the others 1" in capsys.readouterr().out
    )
    assert run([*arguments, "--games", "6"]) == 0
    assert "no multiple" not in capsys.readouterr().out


def test_a_store_keeps_the_seating_that_it_was_begun_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A store from before there were orders says `rotate`, and goes on so unasked."""
    path = tmp_path / "d.toml"
    path.write_text(ARMS.format(more="rotate = true"))
    assert run(["experiment", "run", str(path), "--games", "4"]) == 0
    with Store(tmp_path / "d.db", read_only=True) as store:
        about = store.about
    assert about is not None
    assert "seating" not in about
    assert about["rotate"] is True
    path.write_text(ARMS.format(more=""))
    assert run(["experiment", "run", str(path)]) == 0
    assert "rotated seats" in capsys.readouterr().out
    with Store(tmp_path / "d.db", read_only=True) as store:
        roles = [row[2]["roles"] for row in store.rows() if row[0] == "maxn"]
    assert roles[:3] == roles[3:]
    path.write_text(ARMS.format(more='seating = "orders"'))
    assert run(["experiment", "run", str(path)]) == 2
    assert "seating is 'rotation' there and 'orders' here" in capsys.readouterr().err


def test_a_store_of_python_is_begun_with_all_orders(tmp_path: Path) -> None:
    agents = ("random", "greedy", "maxn:depth=1")
    asked = {"games": 6, "players": 3, "length": 5, "store": tmp_path / "t.db"}
    found = tournament("scramble", *agents, **asked)  # type: ignore[arg-type]
    assert {played.roles for played in found.played} == set(itertools.permutations(agents))
    with Store(tmp_path / "t.db", read_only=True) as store:
        assert store.about is not None
        assert store.about["seating"] == "orders"
        assert analyse_store(found.analysis.design, store) == found.analysis


def test_reproductions_play_all_cyclic_orders_but_for_the_printed_seats() -> None:
    for name in shipped_names():
        found = shipped(name, scale="smoke")
        if found.game in installed().games:
            seated = found.design(installed()).seated_by
            assert seated == ("fixed" if name == "sos-2-literal" else "orders"), name
