"""Table: one object for a game that was chosen. And the front door of the package."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mpsearch
from mpsearch.agents import make_agent, names_of
from mpsearch.api.game_table import MOST_PLAYERS, Table, set_table, table_of
from mpsearch.contracts import Decision, Game, GameOffer, Memory, Player, Turn
from mpsearch.errors import UsageError
from mpsearch.experiments import Job, play_job
from mpsearch.match import play_match, read_record, replay
from mpsearch.plugins.catalog import Catalog, installed


def small(**options: Any) -> Table:
    return mpsearch.table("scramble", players=3, **{"length": 9, **options})


def test_python_values_and_texts_mean_the_same() -> None:
    by_value = mpsearch.table("plunder", players=3, cards=2)
    three: Any = np.int64(3)
    by_text = mpsearch.table("plunder", players=three, cards="2")
    assert by_value.options == by_text.options == {"cards": 2}
    assert (by_value.name, by_value.players, str(by_value)) == (
        "plunder", 3, "plunder, 3 players, cards=2",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "scrambel"}, "unknown game 'scrambel'; did you mean 'scramble'?"),
        ({"name": 7}, "7 is not the name of a game; choose from"),
        ({"players": "four"}, "scramble: players 'four' is not a whole number"),
        ({"players": True}, "players True is not a whole number"),
        ({"players": 9}, "scramble: 9 players; the game is for 2 to 6"),
        ({"length": "long"}, "scramble: length=long is not a whole number"),
        ({"colour": "red"}, "scramble: unknown option 'colour'; choose from length, plies"),
    ],
)
def test_what_is_wrong_says_what_would_be_right(arguments: dict[str, Any], words: str) -> None:
    name = arguments.pop("name", "scramble")
    with pytest.raises(UsageError, match=words.replace("?", r"\?")):
        mpsearch.table(name, **arguments)


def test_equal_texts_share_an_agent() -> None:
    table = small()
    assert table.agent("maxn:depth=2") is table.agent("maxn", depth=2)
    assert table.agent("maxn:depth=2") is not table.agent("maxn:depth=3")
    assert table.seat(["maxn", "random"])[0] is table.seat(["maxn"])[2]


def test_a_table_forgets_players_that_were_not_asked_for_lately() -> None:
    """An experiment that draws a matrix for every game asks for thousands, once each."""
    place = mpsearch.table("scramble", players=3)
    texts = [f"sos:matrix=1:0:0/0:1:0/0:{k}:1" for k in range(MOST_PLAYERS + 1)]
    first, last = weakref.ref(place.agent(texts[0])), weakref.ref(place.agent(texts[1]))
    for text in texts[1:]:
        place.agent(text)
    gc.collect()
    assert first() is None
    assert last() is place.agent(texts[1])


@pytest.mark.parametrize("text", ["sos:depth=2", "maxn:search=mcts,nodes=20", "brs:depth=2"])
def test_what_a_player_searched_in_goes_with_it(text: str) -> None:
    """Without Python's collector, which does not see how much memory it would gain."""
    place = mpsearch.table("quoridor", players=4)
    evaluator = weakref.ref(place.searcher(text).space.evaluator)
    place.search(None, text)
    gc.collect()
    gc.disable()
    try:
        for k in range(MOST_PLAYERS):
            place.agent(f"maxn:nodes={k + 1}")
        assert evaluator() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: t.agent(3), "agent 3 is neither a text such as 'maxn:depth=4' nor a Player"),
        (lambda t: t.agent("max"), "unknown agent for scramble 'max'; did you mean 'maxn'"),
        (lambda t: t.seat([]), "scramble: 0 agents at a table for 3"),
        (lambda t: t.play(*["maxn"] * 4), "scramble: 4 agents at a table for 3"),
        (lambda t: t.play("maxn", seed=-1), "seed -1 is not a whole number, 0 or more"),
        (lambda t: t.space("shore"), "unknown evaluator for scramble 'shore'"),
        (lambda t: t.space(branching="best"), "unknown branching for scramble 'best'"),
        (
            lambda t: t.space("share:luck=1"),
            "'share:luck=1': unknown key 'luck'; choose from stamina",
        ),
        (lambda t: t.position(moves="+3 x9"), "'x9'"),
        (lambda t: t.search(None, "random", exact=False), "moves without searching here"),
        (lambda t: mpsearch.table(t, length=5), "a table already has its players"),
    ],
)
def test_a_wrong_call_says_what_would_be_right(call: Callable[[Table], object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        call(small())


def test_the_space_is_that_of_an_agent_with_the_same_parts() -> None:
    table = small()
    state = table.position(moves="+3 +1")
    own = table.searcher("maxn:evaluator=share,stamina=3").space.evaluator.values(state)
    assert table.space("share:stamina=3").evaluator.values(state).tolist() == own.tolist()
    assert table.space("share").evaluator.values(state).tolist() != own.tolist()


def test_a_game_played_at_a_table_is_the_referees(tmp_path: Path) -> None:
    table = small()
    match = table.play("maxn:depth=2", "random", seed=4)
    assert match.setting.agents == ("maxn:depth=2", "random", "maxn:depth=2")
    again = list(play_match(table.game, table.seat(match.setting), seed=4))
    assert [(p.seat, p.move) for p in match.plies] == [(p.seat, p.move) for p in again]
    result, _ = play_job(Job(arm="", number=0, setting=match.setting))
    assert result.payoff.tolist() == match.payoff.tolist()
    match.save(tmp_path / "game.jsonl")
    record = read_record(tmp_path / "game.jsonl")
    assert record.plies == match.record.plies
    *_, last = replay(table.game, record)
    assert last == match.state


class First(Player):
    """Plays the first move."""

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        return Decision(move=turn.moves[0])


def test_a_player_of_ones_own_can_sit_down() -> None:
    match = small().play(First(), "random", seed=1)
    assert match.setting.agents == ("First", "random", "First")
    assert {ply.move for ply in match.plies if ply.seat == 0}


def test_all_games_that_are_alike_share_a_table() -> None:
    table = small()
    settings = [table.setting("maxn", seed=seed) for seed in (1, 2)]
    assert table_of(settings[0]) is table_of(settings[1])
    assert table_of(small(length=8).setting("maxn", seed=1)) is not table_of(settings[0])


def test_a_decision_is_explained_as_the_command_does() -> None:
    found = mpsearch.explain("scramble", "maxn:depth=3", moves="+3 +1", seed=1)
    document = found.document()
    assert (document["game"], document["seat"], document["move"]) == ("scramble", 2, found.move)
    assert "seat 2 to move, maxn:depth=3, stance maxn" in str(found)
    assert found.report.exact
    assert "(a bound)" not in str(found)
    assert len(document["moves"]) < 10
    assert found._repr_html_().count("<tr>") == 1 + len(document["moves"])


def test_a_notebook_shows_the_picture_and_the_ten_most_wanted_moves() -> None:
    found = mpsearch.explain("quoridor", "maxn:depth=1", players=2, seed=1)
    shown = found._repr_html_()
    assert (shown.count("<tr>"), shown.count("<svg")) == (11, 1)
    most_wanted = str(found).partition("then\n")[2].splitlines()[0].split()[1]
    assert shown.index(f"<td>{most_wanted}</td>") < shown.index("</tr>", shown.index("<tbody>"))
    played = mpsearch.play("quoridor", "random", "random", players=2, seed=1)
    assert played._repr_html_().startswith("<div><svg")


def test_a_notebook_shows_a_usage_error_in_one_line() -> None:
    with pytest.raises(mpsearch.errors.UsageError) as caught:
        mpsearch.table("scrambel")
    (line,) = caught.value._render_traceback_()
    assert line == f"UsageError: {caught.value}"
    assert "did you mean 'scramble'?" in line


def test_a_table_prints_as_one_line() -> None:
    assert repr(small()) == f"<Table: {small()}>"


def test_a_tournament_rotates_seats_and_counts_wins() -> None:
    results = mpsearch.tournament(small(), "maxn", "random", "random", games=9, seed=2)
    assert [played.roles.index("maxn") for played in results.played] == [0, 1, 2] * 3
    rows = {row.role: row for row in results.standings}
    assert rows["maxn"].equal == pytest.approx(1 / 3)
    wins = rows["maxn"].wins
    assert wins.mean + rows["random"].wins.mean == pytest.approx(1)
    assert wins.low < wins.mean <= wins.high
    assert "9 games\nagent" in str(results)
    assert "<div><svg" in results._repr_html_()
    again = mpsearch.tournament(small(), "maxn", "random", "random", games=9, seed=2)
    assert again.played == results.played


def test_a_tournament_goes_on_from_its_store(tmp_path: Path) -> None:
    asked = (small(), "maxn", "random")
    whole = mpsearch.tournament(*asked, games=6, seed=2)
    store = tmp_path / "games.db"
    assert mpsearch.tournament(*asked, games=4, seed=2, store=store).played == whole.played[:4]
    before = store.stat().st_mtime_ns
    assert mpsearch.tournament(*asked, games=6, seed=2, store=store).played == whole.played
    assert store.stat().st_mtime_ns > before
    with pytest.raises(mpsearch.errors.UsageError, match=r"games\.db"):
        mpsearch.tournament(*asked, games=6, seed=3, store=store)


def test_frames_are_made_of_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    results = mpsearch.tournament(small(), "random", games=2)
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(mpsearch.errors.MpsearchError, match="needs the package pandas or polars"):
        results.to_frame()

    class Fake:
        DataFrame = list

    monkeypatch.setitem(sys.modules, "polars", Fake)
    assert [row["role"] for row in results.to_frame()] == ["random"]
    assert [row["seat"] for row in results.to_frame(games=True)] == [0, 1, 2] * 2
    monkeypatch.setitem(sys.modules, "pandas", Fake)
    found = mpsearch.opponent_impact(small(), games=1, depths=1, agents="random")
    assert found.to_frame()[0]["scope"] == "all"


def test_opponent_impact_shows_everywhere() -> None:
    found = mpsearch.opponent_impact(
        small(), "plunder", games=2, depths="1-2", agents=["random", "greedy"]
    )
    assert [(row["game"], row["depth"]) for row in found.rows()[::3]] == [
        ("scramble", 1), ("scramble", 2), ("plunder", 1), ("plunder", 2),
    ]  # fmt: skip
    assert "by tenth of the game" in str(found)
    assert "<td>plunder</td>" in found._repr_html_()
    assert "<div><svg" in found._repr_html_()


def test_what_others_wrote_is_escaped_in_html() -> None:
    from mpsearch._util.text_tables import html_table

    assert "<b>" not in html_table(["<b>"], [["<b>"]], caption="<b>")


LAZY = """
import sys, mpsearch
assert not {"numpy", "pluggy", "mpsearch.api"} & set(sys.modules), "too much"
assert mpsearch.table("plunder", cards=1).options == {"cards": 1}
from mpsearch import table, play
assert table("plunder", cards=1).name == "plunder"
assert "numba" not in sys.modules
assert set(mpsearch.__all__) <= set(dir(mpsearch))
for name in mpsearch.__all__:
    assert getattr(mpsearch, name)
"""


def test_the_front_door_opens_only_what_is_asked_for() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True)
    with pytest.raises(AttributeError, match="module 'mpsearch' has no attribute 'tournement'"):
        mpsearch.tournement  # noqa: B018


def test_one_command_makes_each_thing_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """oi over two games: no second catalog, one game and one agent of each."""
    from mpsearch.cli import run

    calls: list[str] = []
    made = GameOffer.settled_game

    def counted(offer: GameOffer, **settings: Any) -> Game:
        calls.append(offer.name)
        return made(offer, **settings)

    def counted_agent(catalog: Catalog, name: str, game: Game, text: str, **more: Any) -> Player:
        calls.append(f"{name} {text}")
        return make_agent(catalog, name, game, text, **more)

    installed()
    monkeypatch.setattr(
        "mpsearch.plugins.catalog.load_catalog", lambda: pytest.fail("loaded again")
    )
    monkeypatch.setattr(GameOffer, "settled_game", counted)
    monkeypatch.setattr("mpsearch.api.game_table.make_agent", counted_agent)
    arguments = ["oi", "--game", "plunder", "--option", "plunder.cards=5"]
    arguments += ["--game", "scramble", "--option", "scramble.length=7"]
    assert run([*arguments, "--games", "5", "--depths", "1", "--agent", "random"]) == 0
    each = ["{}", "{} random"]
    assert sorted(calls) == [form.format(name) for name in ("plunder", "scramble") for form in each]
    assert "scramble" in capsys.readouterr().out


def test_set_table_takes_guests() -> None:
    from mpsearch.cli.terminal.person import HUMAN, Human

    table = set_table(installed(), "scramble", guests={"human": HUMAN})
    assert isinstance(table.agent("human:confirm=no"), Human)


def test_a_match_says_who_won_and_nobody_else() -> None:
    match = small().play("random", seed=1)
    [winner] = match.winners
    rows = [line.split() for line in str(match).splitlines() if " random " in f" {line} "]
    assert [int(row[0]) for row in rows] == [0, 1, 2]
    assert [row[-1] == "wins" for row in rows] == [seat == winner for seat in range(3)]


def test_a_games_own_players_have_a_character_too() -> None:
    catalog = installed()
    [name] = names_of(catalog, catalog.game_offer("hearts"), ["wrt"])
    assert name.endswith(" the meek")
