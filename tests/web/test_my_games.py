"""What the lobby says about the games whose tokens a browser has kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.settings import setting
from web.conftest import House

from mpsearch.plugins.catalog import installed
from mpsearch.web.my_games import MOST_GAMES, games_document
from mpsearch.web.tables import Tables


def asked(house: House, *tokens: str) -> list[dict[str, Any]]:
    answer = house.client.post("/games", content=json.dumps({"tokens": tokens}))
    assert answer.status_code == 200
    games: list[dict[str, Any]] = answer.json()["games"]
    return games


def test_only_who_holds_a_token_is_told_of_its_game(house: House) -> None:
    keys = house.set_table("quoridor", "human", "human", "greedy", size=5)
    house.set_table("plunder", "human", "random", "random")
    assert asked(house, "nothing", "") == []
    [game] = asked(house, keys.seats[1])
    assert game.pop("changed") > 1_700_000_000
    assert game.pop("others")[0] == "another person"
    assert game == {
        "token": keys.seats[1],
        "game": "quoridor",
        "variant": "quoridor (size=5)",
        "seat": 1,
        "plies": 0,
        "over": False,
        "payoff": None,
    }
    assert [game["seat"] for game in asked(house, keys.watch)] == [None]


def test_a_hidden_game_says_no_more_than_how_far_it_is(house: House) -> None:
    keys = house.set_table("hearts", "human", "random", "random", "random", single="yes")
    with house.window(keys.seats[0]) as window:
        window.turn()
        [game] = asked(house, keys.seats[0])
    assert set(game) == {
        *("token", "game", "variant", "seat", "others", "plies", "changed", "over", "payoff")
    }
    assert (game["over"], game["payoff"]) == (False, None)
    assert game["plies"] > 0
    place = house.tables.place(keys.watch)
    assert place is not None
    # Neither cards nor the seed, which would tell them.
    assert str(place.session.live.setting.seed) not in json.dumps(game["others"])


def test_tables_that_sleep_are_told_of_without_being_woken(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path)
    keys = tables.set_table(setting("scramble", "human", "greedy", "greedy", length=6))
    assert tables.put_to_sleep(0) == 1
    for known in (tables, Tables(installed(), tmp_path)):
        [game] = games_document(known, [keys.seats[0]])["games"]
        assert (game["game"], game["seat"], game["over"]) == ("scramble", 0, False)
        assert known.awake == 0
    for record in tmp_path.glob("*.jsonl"):
        record.write_text("rubbish")
    assert games_document(tables, [keys.seats[0]]) == {"games": []}
    tables.close()


def test_a_record_that_is_looked_at_is_nobodys_game(house: House) -> None:
    keys = house.set_table("scramble", "greedy", "greedy", length=6)
    with house.window(keys.watch) as window:
        window.turn()
    text = house.client.get(f"/table/{keys.watch}/record").content
    shown = house.client.post("/records", content=text).json()["watch"].removeprefix("/table/")
    [game] = asked(house, shown, keys.watch)
    assert game["token"] == keys.watch
    assert game["over"]
    assert sorted(game["payoff"]) == [0, 1]


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"tokens": 3}', '{"tokens": [3]}', '{"tokens": ["' + "x" * 65 + '"]}']
)
def test_what_asks_for_nothing_is_refused(house: House, body: str) -> None:
    answer = house.client.post("/games", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_no_more_games_are_told_of_than_a_browser_keeps(house: House) -> None:
    body = json.dumps({"tokens": ["x"] * (MOST_GAMES + 1)})
    assert house.client.post("/games", content=body).status_code == 400
    script = Path("mpsearch/web/static/kept_games.js").read_text()
    assert f"const MOST = {MOST_GAMES};" in script
