"""Cards as text, objections, and the table as it is shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mpsearch.contracts import legal_move
from mpsearch.errors import MoveError

if TYPE_CHECKING:
    from .conftest import Make, Slow


def test_every_card_is_read_as_it_is_written(make: Make, slow: type[Slow]) -> None:
    game = make()
    assert [game.write(game.read(card)) for card in slow.DECK] == slow.DECK
    assert len({game.read(card) for card in slow.DECK}) == 52


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[("QS", "qs"), ("10H", "10h"), ("th", "10h"), ("Td", "10d"), ("2C", "2c")],
        *[
            ("K♠", "ks"),
            ("k♠", "ks"),
            ("♠K", "ks"),
            ("10♥", "10h"),
            ("2 ♣", "2c"),
            ("A♦\ufe0f", "ad"),
        ],
    ],
)
def test_cards_are_read_in_other_spellings(make: Make, text: str, card: str) -> None:
    assert make().read(text) == make().read(card)


@pytest.mark.parametrize("text", ["", "q", "1s", "qx", "s", "10", "qs qs", "11h"])
def test_what_is_no_card_is_refused(make: Make, text: str) -> None:
    with pytest.raises(MoveError, match="is not a card such as 'qs', '10h' or '2c'"):
        make().read(text)


def test_deals_are_read_as_they_are_written(make: Make) -> None:
    game = make()
    deal = game.draw(game.new(), np.random.default_rng(1))
    assert game.read(game.write(deal)) == deal
    seen = game.seen(game.new(), deal, 2)
    assert seen == (0, 0, deal[2], 0)
    assert game.read(game.write(seen)) == seen


def test_a_deal_with_a_card_twice_is_refused(make: Make, slow: type[Slow]) -> None:
    game = make()
    text = game.write(slow.to_deal(game, slow.fill()))
    with pytest.raises(MoveError, match="does not give each of 4 seats 13 cards"):
        game.read(text.replace("3c", "2c"))


def test_objections_name_the_rule(make: Make, slow: type[Slow]) -> None:
    game = make(preset="standard", passing="none")
    diamonds = "2d 3d 4d 5d 6d 7d 8d 9d 10d qs 3h 4h"
    hands = slow.fill("2c", f"{diamonds} jd", "4c", "5c 2h")

    def objection(card: str, *cards: str) -> str:
        with pytest.raises(MoveError) as caught:
            legal_move(game, slow.dealt(game, hands, *cards), card)
        return str(caught.value)

    first = sorted(hands[0] - {"2c"})[0]
    start = f"move '{first}' is not legal for seat 0: "
    assert objection(first) == start + "2c must be led first"
    assert "kc is not in the hand" in objection("kc", "2c", "2d") or "kc" in hands[2]
    other = next(card for card in sorted(hands[2]) if card[-1] != "c")
    assert objection(other, "2c", "2d").endswith("clubs must be followed")
    assert objection("qs", "2c").endswith("points are not allowed in the first trick")
    assert objection("2h", "2c", "2d", "4c", "5c").endswith("hearts are not broken yet")


def test_objection_to_a_card_passed_twice(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    state = slow.dealt(game, slow.fill("2c"), "2c")
    with pytest.raises(MoveError, match="2c was already chosen"):
        legal_move(game, state, "2c")


def test_a_pass_is_secret_and_a_card_is_not(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    state = slow.dealt(game, slow.fill("3c"))
    card = game.read("3c")
    assert [game.seen(state, card, seat) for seat in range(4)] == [card, None, None, None]
    state, _ = slow.random_deal(game, 1, until=3)
    move = game.moves(state)[0]
    assert [game.seen(state, move, seat) for seat in range(4)] == [move] * 4


PICTURE = """\
deal 1, trick 1 of 13; score + deal points
  seat 0    0 +  0   table 2c
  seat 1    0 +  0   table qs   has no c
> you       0 +  0   table -
      4c* 5c* 8c* jc* ac*   3s 6s 9s ks   3h 6h 9h qh
  seat 3    0 +  0   table -"""


def test_the_table_in_plain_text(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd", "4c")
    picture = game.picture(game.view(slow.dealt(game, hands, "2c", "qs"), 2))
    assert picture == PICTURE
    assert picture.isascii()


def test_the_table_in_colour_has_symbols_and_marks_legal_cards(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd", "4c")
    picture = game.picture(game.view(slow.dealt(game, hands, "2c", "qs"), 2), colour=True)
    assert "[bold underline][green]J♣[/green][/bold underline]" in picture
    assert "[dim][red]3♥[/red][/dim]" in picture


def test_chosen_cards_are_in_brackets_while_passing(make: Make, slow: type[Slow]) -> None:
    game = make(passing="across")
    state = slow.dealt(game, slow.fill("2c 3c"), "3c")
    picture = game.picture(game.view(state, 0))
    assert "passing across, you choose 2 more; score + deal points" in picture
    assert "2c* (3c)" in picture


def test_a_picture_of_a_view_shows_no_hidden_card(make: Make, slow: type[Slow]) -> None:
    game = make(preset="standard")
    state, _ = slow.random_deal(game, 3, until=18)
    s = game.record(state)
    for seat in range(4):
        words = set(game.picture(game.view(state, seat)).replace("*", "").split())
        for other in range(4):
            if other != seat:
                assert not words & slow.cards_of(game, s.hands[other])


def test_who_takes_a_trick_is_said_with_its_points(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd", "4c", "5c")
    state = slow.dealt(game, hands, "2c", "qs", "4c")
    assert game.remark(state, game.read("5c")) == "seat 3 takes the trick, 13 points"
    assert game.remark(slow.dealt(game, hands, "2c", "qs"), game.read("4c")) == ""
    after = game.play(state, game.read("5c"))
    assert "seat 3 took the last one" in game.picture(game.view(after, 0))
    assert "seat 3    0 + 13" in game.picture(game.view(after, 0))
    hands = slow.fill("2c", "qd 2d 3d 4d 5d 6d 7d 8d 9d 10d jd kd 2h", "4c", "5c")
    state = slow.dealt(game, hands, "2c", "2h", "4c")
    assert game.remark(state, game.read("5c")) == "seat 3 takes the trick, 1 point"
    # What a seat is known not to have stands above its own hand, not under it.
    own = game.svg(game.view(state, 1))
    (height,) = re.findall(r'y="(\d+)"[^>]*>no ♣<', own)
    assert int(height) < 428


def test_cards_that_were_passed_are_shown_to_who_knows_them(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    state, _ = slow.random_deal(game, 1, until=0)
    while game.record(state).count < 0:
        state = game.play(state, game.moves(state)[0])
    gave = [game.record(state).passed[seat] for seat in range(4)]
    shown = game.picture(game.view(state, 1)).splitlines()[1]
    words = {game.write(card) for card in slow_cards(gave[1])}
    assert words < set(shown.split())
    assert {game.write(card) for card in slow_cards(gave[0])} < set(shown.split())
    assert "to seat 2" in shown
    assert "from seat 0" in shown


def slow_cards(cards: int) -> list[int]:
    return [card for card in range(64) if int(cards) >> card & 1]


def faces(drawing: str) -> list[str]:
    """The cards that lie face up in a drawing, as their corners show them."""
    return re.findall(r'font-weight="bold" fill="[^"]*">((?:10|[2-9JQKA])[♣♦♠♥])<', drawing)


def test_the_drawing_shows_ones_own_cards_and_the_trick_and_backs_for_the_rest(make: Make) -> None:
    game = make()
    rng = np.random.default_rng(2)
    state = game.play(game.new(), game.draw(game.new(), rng))
    for _ in range(9):
        state = game.play(state, game.moves(state)[0])
    seat = game.mover(state)
    drawing = game.svg(game.view(state, seat), moves=game.moves(state))
    cards_left = [13 - played for played in (3, 2, 2, 2)]
    # A hand, the trick, and the last trick.
    assert len(faces(drawing)) == 11 + 1 + 4
    assert len(set(faces(drawing))) == 16
    assert drawing.count('fill="#7a3b46"') == sum(cards_left) - 11
    assert drawing.count("data-move=") == len(game.moves(state)) > 0
    assert len(faces(game.svg(state))) == sum(cards_left) + 1 + 4
    assert "data-move" not in game.svg(state)
    # With every hand open the mover's cards can be chosen wherever they lie.
    open_table = game.svg(state, moves=game.moves(state))
    assert set(re.findall('data-move="(\\w+)"', open_table)) == {
        game.write(move) for move in game.moves(state)
    }


def test_last_trick_and_taken_cards_are_those_of_the_oracle(make: Make, slow: type[Slow]) -> None:
    game = make()
    rng = np.random.default_rng(5)
    state = game.play(game.new(), game.draw(game.new(), rng))
    oracle = slow.Deal([set(slow.cards_of(game, hand)) for hand in game.record(state).hands])
    stages = []
    for _ in range(51):
        stages.append(game.stage(game.view(state, 1)))
        move = rng.choice(game.moves(state))
        oracle.play(game.write(int(move)))
        state = game.play(state, int(move))
        s = game.record(state)
        assert [sorted(slow.cards_of(game, s.taken[seat])) for seat in range(4)] == [
            sorted(cards) for cards in oracle.taken
        ]
        # Until the next card is led the trick that was taken lies on the table.
        complete = [trick for trick in oracle.tricks if len(trick) == 4]
        last = complete[:-1] if not oracle.tricks[-1] else complete
        cards = sorted(card for _, card in last[-1]) if last else []
        assert sorted(slow.cards_of(game, s.last)) == cards
        told = re.findall(r">took [\dQ]", game.svg(game.view(state, 0)))
        costly = [sum(slow.is_penalty(card) for card in cards) for cards in oracle.taken]
        assert len(told) == sum(count > 0 for count in costly)
    assert stages[:5] == ["deal 1, trick 1"] * 4 + ["deal 1, trick 2"]
    assert stages[-1] == "deal 1, trick 13"
