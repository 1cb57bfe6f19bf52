"""A browser is sent its seat's view and nothing else: every byte is accounted for."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from web.conftest import House, Window

from mpsearch.contracts import OVER, Game, State
from mpsearch.match import LiveGame
from mpsearch.plugins.catalog import installed
from mpsearch.web.keys import Keys

HIDDEN = sorted(name for name, offer in installed().games.items() if offer.new_game().hidden)
#: Small settings, so that games are short; a game that is not named is played as it is.
OPTIONS: dict[str, dict[str, Any]] = {
    "hearts": {"single": "yes", "preset": "standard"},
    "plunder": {"cards": 8},
}
PUBLIC = {"type", "game", "options", "agents", "you", "hidden", "playing", "colours", "rules",
          "evaluator", "variant", "names"}  # fmt: skip
TURN = {
    "type", "ply", "mover", "compiling", "over", "yours", "moves", "open", "record", "trouble",
    "left", "from", "log", "undo", "marks",
}  # fmt: skip


def people(house: House, game: str) -> tuple[LiveGame, Keys]:
    """A table of people with one agent among them."""
    count = installed().game_offer(game).default_players
    agents = ["human"] * (count - 1) + ["random"]
    keys = house.set_table(game, *agents, **OPTIONS.get(game, {}))
    place = house.tables.place(keys.watch)
    assert place is not None
    return place.session.live, keys


class Account:
    """Takes every message apart and finds each piece of it in the seat's views."""

    def __init__(self, game: Game, states: list[State], moves: list[Any], seat: int | None):
        self.game, self.states, self.moves, self.seat = game, states, moves, seat
        self.told = 0

    def settle(self, text: str) -> None:
        message = json.loads(text)
        getattr(self, message.pop("type"))(message)
        self.told += 1

    def hello(self, message: dict[str, Any]) -> None:
        assert set(message) == PUBLIC - {"type"}
        guide = installed().game_offer(message["game"]).read_guide()
        assert message.pop("rules") == (guide.text if guide else None)
        assert "seed" not in json.dumps(message)

    def now(self, message: dict[str, Any]) -> None:
        assert set(message) == TURN - {"type"}
        assert message["compiling"] is False  # of the game, whatever its cards are
        assert (message["open"], message["record"], message["undo"]) == (False, False, False)
        assert message["left"] == []
        assert all(list(mark) == ["mark", "ply", "seat"] for mark in message["marks"])
        assert {mark["mark"] for mark in message["marks"]} <= {"hint"}
        state = self.states[message["ply"]]
        mine = self.game.mover(state) == self.seat
        legal = [self.game.write(m) for m in self.game.moves(state)] if mine else []
        assert message["moves"] == legal
        for entry in message["log"]:
            assert entry.pop("remark", "") == self.heard(entry["ply"])
            assert entry.pop("stage", "") == self.stage(entry["ply"])
            assert set(entry) == {"ply", "seat", "move"}
            assert entry["move"] == self.seen(entry["ply"])

    def seen(self, ply: int) -> str | None:
        before, move = self.states[ply], self.moves[ply]
        if self.seat is None:
            seats = range(self.game.players)
            public = all(self.game.seen(before, move, seat) == move for seat in seats)
            return self.game.write(move) if public else None
        seen = self.game.seen(before, move, self.seat)
        return None if seen is None else self.game.write(seen)

    def stage(self, ply: int) -> str:
        """The part of the game, as it is called in any world that the seat thinks possible."""
        before, seats = self.states[ply], range(self.game.players)
        told = [self.game.stage(self.game.view(before, seat)) for seat in seats]
        if self.seat is None:
            return told[0] if len(set(told)) == 1 else ""
        if self.game.mover(before) >= 0:
            view = self.game.view(before, self.seat)
            world = self.game.world(view, np.random.default_rng(ply))
            assert self.game.stage(self.game.view(world, self.seat)) == told[self.seat]
        return told[self.seat]

    def heard(self, ply: int) -> str:
        """What a move brought about, as it is said in any world that the seat thinks possible."""
        before, move = self.states[ply], self.moves[ply]
        if self.seen(ply) is None:
            return ""
        if self.seat is not None and self.game.mover(before) >= 0:
            before = self.game.world(self.game.view(before, self.seat), np.random.default_rng(ply))
        return self.game.remark(before, move)

    def frame(self, message: dict[str, Any]) -> None:
        assert set(message) == {"ply", "marked", "svg", "text", "values"}
        if self.seat is None:
            assert (message["svg"], message["text"], message["values"]) == (None, None, None)
            return
        state = self.states[message["ply"]]
        view = self.game.view(state, self.seat)
        moves = tuple(self.game.moves(state)) if message["marked"] else ()
        drawing = self.game.svg(view, moves=moves)
        assert message["svg"] == drawing
        assert message["text"] == (self.game.picture(view) if drawing is None else None)

    def hint(self, message: dict[str, Any]) -> None:
        assert set(message) == {"ply", "advice"}
        legal = [self.game.write(m) for m in self.game.moves(self.states[message["ply"]])]
        assert all(entry["move"] in legal for entry in message["advice"])

    def sorry(self, message: dict[str, Any]) -> None:
        assert set(message) == {"text"}


def mover_of(live: LiveGame) -> int | None:
    """The person to move, once agents and chance have moved; None when the game is over."""
    while True:
        history = live.history()
        mover = history.mover(len(history.plies))
        if mover == OVER:
            return None
        if mover >= 0 and live.setting.agents[mover] == "human":
            return mover


@contextlib.contextmanager
def windows_at(house: House, keys: Keys) -> Iterator[dict[int | None, Window]]:
    """A window for each person, and one that watches."""
    with contextlib.ExitStack() as stack:
        tokens: list[tuple[int | None, str]] = [*keys.seats.items(), (None, keys.watch)]
        yield {seat: stack.enter_context(house.window(token)) for seat, token in tokens}


def play_some(windows: dict[int | None, Window], live: LiveGame, turns: int) -> int:
    """People play any moves, look at everything and ask for what they must not have."""
    rng = np.random.default_rng(3)
    for turn in range(turns):
        seat = mover_of(live)
        if seat is None:
            return turn
        window, ply = windows[seat], len(live.plies)
        now = window.at(ply)
        for look in sorted({0, 1, ply // 2, ply}):
            window.send(type="look", ply=look)
            window.until("frame")
        window.send(type="why", ply=0)
        assert "after the game" in window.until("sorry")["text"]
        if turn == 1:
            window.send(type="hint")
            window.until("hint")
        window.send(type="play", ply=ply, move="no move at all")
        window.until("sorry")
        window.play(now, int(rng.integers(100)))
        window.at(ply + 1)
    watcher = windows[None]
    watcher.send(type="look", ply=len(live.plies))
    watcher.until("frame")
    return turns


@pytest.mark.parametrize("name", HIDDEN)
def test_every_byte_sent_to_a_seat_comes_from_its_view(house: House, name: str) -> None:
    live, keys = people(house, name)
    with windows_at(house, keys) as windows:
        assert play_some(windows, live, 8) > 3
        assert mover_of(live) is not None
        for token in (*keys.seats.values(), keys.watch):
            assert house.client.get(f"/table/{token}/record").status_code == 403
    states = [live.first, *(ply.state for ply in live.plies)]
    moves = [ply.move for ply in live.plies]
    for seat, window in windows.items():
        account = Account(live.game, states, moves, seat)
        for text in window.texts:
            account.settle(text)
        assert account.told > 1


_SUITS = {"clubs": "c♣", "diamonds": "d♦", "spades": "s♠", "hearts": "h♥"}
_RANKS = dict(zip(
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
     "king", "ace"),
    ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a"),
    strict=True,
))  # fmt: skip


def spelt(card: str) -> re.Pattern[str]:
    """Every usual way in which a card such as 'qs' can be spelt."""
    suit, signs = next((s, letters) for s, letters in _SUITS.items() if letters[0] == card[-1])
    word = next(word for word, rank in _RANKS.items() if rank == card[:-1])
    ranks = f"{card[:-1]}|t" if word == "ten" else card[:-1]
    return re.compile(rf"(?<![a-z0-9.#])((?:{ranks})[{signs}]|{word} of {suit})(?![a-z0-9])", re.I)


def test_no_card_of_another_hand_is_spelt_in_what_a_browser_gets(house: House) -> None:
    live, keys = people(house, "hearts")
    with windows_at(house, keys) as windows:
        # Three cards are passed by each of four, and then a few are played.
        assert play_some(windows, live, 16) == 16
    guide = installed().game_offer("hearts").read_guide()
    assert guide is not None
    deal = [hand.split(",") for hand in live.entries[0]["move"].split("|")]
    made = [(entry["seat"], entry["move"]) for entry in live.entries[1:]]
    passed, played = made[:12], made[12:]
    for seat, window in windows.items():
        received = [card for giver, card in passed if seat is not None and giver == (seat - 1) % 4]
        own = [] if seat is None else deal[seat]
        known = {*own, *received, *(card for _, card in played)}
        secret = {card for hand in deal for card in hand} - known
        assert len(secret) > 20
        sent = "\n".join(window.texts)
        # Texts that name cards whatever was dealt: an example, an agent's threshold, the rules.
        rules = [json.dumps(guide.text, ensure_ascii=pure)[1:-1] for pure in (True, False)]
        for constant in ("not a card such as 'qs', '10h' or '2c'", "mpmix:td=20", *rules):
            sent = sent.replace(constant, "")
        assert [card for card in sorted(secret) if spelt(card).search(sent)] == []
        assert all(spelt(card).search(sent) for card in own), "the search finds what was sent"


@pytest.mark.parametrize("name", HIDDEN)
def test_after_the_game_everything_is_told(house: House, name: str) -> None:
    count = installed().game_offer(name).default_players
    keys = house.set_table(name, "human", *["random"] * (count - 1), **OPTIONS.get(name, {}))
    with house.window(keys.seats[0]) as window:
        place = house.tables.place(keys.watch)
        assert place is not None
        live = place.session.live
        while mover_of(live) is not None:
            window.play(window.at(len(live.plies)))
            window.at(window.now["ply"] + 1)
        over = window.at(len(live.plies))
    assert over["open"]
    assert over["from"] == 0
    assert [entry["move"] for entry in over["log"]] == [entry["move"] for entry in live.entries]
    assert any("stance" in entry for entry in over["log"])
    assert house.client.get(f"/table/{keys.seats[0]}/record").status_code == 200
