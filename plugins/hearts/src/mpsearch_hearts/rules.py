"""The rules, compiled: passing, playing to a trick, and the end of a deal."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CHANCE, OVER, Rules, compiled
from mpsearch.gamekit import lowest, population
from mpsearch_hearts.cards import (
    ALL_HEARTS,
    DEAL_POINTS,
    DECK,
    HAND,
    HEARTS,
    JACK_BIT,
    JACK_POINTS,
    LANE,
    PENALTIES,
    QUEEN_OF_SPADES,
    QUEEN_POINTS,
    RANKS,
    SEATS,
    SUIT_SHIFT,
    TWO_OF_CLUBS,
)
from mpsearch_hearts.state import (
    BREAKING,
    JACK,
    MOON_ADD,
    MOON_SUBTRACT,
    NOBODY,
    PASSED,
    PASSING_STARTS,
    SAFE_FIRST,
    SINGLE,
    STATE,
    TRICK_ENDS,
)
from mpsearch_hearts.worlds import hide, world


@compiled
def penalty(cards: Any) -> Any:
    """The penalty points of a set of cards: hearts 1 each, the queen of spades 13."""
    return population(cards & ALL_HEARTS) + QUEEN_POINTS * ((cards >> QUEEN_OF_SPADES) & 1)


@compiled
def mover(s: Any) -> Any:
    return s.mover


@compiled
def hearts_broken(s: Any) -> Any:
    return ((s.played[0] | s.played[1] | s.played[2] | s.played[3]) & ALL_HEARTS) != 0


@compiled
def legal_cards(s: Any) -> Any:
    """The cards that the mover may play or pass, as a set."""
    hand = s.hands[s.mover]
    if s.count < 0:
        return hand & ~s.passed[s.mover]
    if s.count == 0:
        return 1 << TWO_OF_CLUBS
    legal = hand
    if s.count & 3 == 0:
        if s.variant & BREAKING and not hearts_broken(s) and hand & ~ALL_HEARTS:
            legal = hand & ~ALL_HEARTS
        return legal
    follows = hand & (RANKS << ((s.best >> SUIT_SHIFT) * LANE))
    if follows:
        legal = follows
    elif s.variant & SAFE_FIRST and s.count < SEATS and hand & ~PENALTIES:
        legal = hand & ~PENALTIES
    return legal


@compiled
def list_cards(cards: Any, out: Any) -> int:
    """Write the cards of a set in rising order and return their number."""
    count = 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def moves(s: Any, out: Any) -> Any:
    return list_cards(legal_cards(s), out)


@compiled
def play(s: Any, move: int) -> None:
    if s.count < 0:
        pass_card(s, move)
    else:
        play_card(s, move)


@compiled
def pass_card(s: Any, card: int) -> None:
    """Choose a card to pass; after the last one all hands change."""
    s.passed[s.mover] |= 1 << card
    s.count += 1
    s.mover = (s.count - PASSING_STARTS) // PASSED
    if s.count == 0:
        for seat in range(SEATS):
            s.hands[seat] &= ~s.passed[seat]
        for seat in range(SEATS):
            s.hands[(seat + s.direction) & 3] |= s.passed[seat]
        begin_play(s)


@compiled
def begin_play(s: Any) -> None:
    """The holder of the two of clubs leads."""
    s.count = 0
    for seat in range(SEATS):
        if s.hands[seat] >> TWO_OF_CLUBS & 1:
            s.mover = seat


@compiled
def play_card(s: Any, card: int) -> None:
    me = s.mover
    if s.count & 3 == 0:
        if s.variant & BREAKING and card >> SUIT_SHIFT == HEARTS and not hearts_broken(s):
            s.cannot[me] |= DECK & ~ALL_HEARTS
        s.best = card
        s.winner = me
        s.last = s.pile
        s.pile = 0
    elif card >> SUIT_SHIFT == s.best >> SUIT_SHIFT:
        if card > s.best:
            s.best = card
            s.winner = me
    else:
        s.cannot[me] |= RANKS << ((s.best >> SUIT_SHIFT) * LANE)
        if s.variant & SAFE_FIRST and s.count < SEATS and PENALTIES >> card & 1:
            s.cannot[me] |= DECK & ~PENALTIES
    bit = 1 << card
    s.hands[me] &= ~bit
    s.played[me] |= bit
    s.pile |= bit
    s.count += 1
    s.mover = (me + 1) & 3
    if s.count & 3 == 0:
        end_trick(s)


@compiled
def end_trick(s: Any) -> None:
    s.points[s.winner] += penalty(s.pile)
    s.taken[s.winner] |= s.pile
    if s.pile & JACK_BIT:
        s.jack = s.winner
    s.mover = s.winner
    if s.count == SEATS * HAND:
        shoot_moon(s)
        end_deal(s)
    elif s.variant & TRICK_ENDS and limit_reached(s):
        end_deal(s)


@compiled
def limit_reached(s: Any) -> Any:
    """Whether a seat has reached the limit, including this deal so far."""
    highest = 0
    for seat in range(SEATS):
        highest = max(highest, s.scores[seat] + deal_points(s, seat))
    return highest >= s.limit


@compiled
def moon_shooter(s: Any) -> int:
    """The seat that has taken every point of this deal; NOBODY if there is none."""
    for seat in range(SEATS):
        if s.points[seat] == DEAL_POINTS:
            return seat
    return NOBODY


@compiled
def shoot_moon(s: Any) -> None:
    """Apply shooting the moon to the points of a whole deal."""
    shooter = moon_shooter(s)
    if shooter != NOBODY and s.variant & (MOON_ADD | MOON_SUBTRACT):
        for seat in range(SEATS):
            s.points[seat] = DEAL_POINTS if s.variant & MOON_ADD else 0
        s.points[shooter] = 0 if s.variant & MOON_ADD else -DEAL_POINTS


@compiled
def end_deal(s: Any) -> None:
    """Add the points to the scores and clear the table for the next deal, or end the game."""
    if s.variant & JACK and s.jack != NOBODY:
        s.points[s.jack] += JACK_POINTS
    finished = s.variant & SINGLE != 0
    for seat in range(SEATS):
        s.scores[seat] += s.points[seat]
        finished = finished or s.scores[seat] >= s.limit
        s.points[seat] = 0
        # Cards may be left if the game ends within a deal.
        s.hands[seat] = 0
        s.played[seat] = 0
        s.cannot[seat] = 0
        s.passed[seat] = 0
        s.taken[seat] = 0
    s.deals += 1
    s.count = 0
    s.pile = 0
    s.last = 0
    s.best = 0
    s.winner = 0
    s.direction = 0
    s.jack = NOBODY
    s.mover = OVER if finished else CHANCE


@compiled
def payoff(s: Any, out: Any) -> None:
    """The lowest score wins."""
    for seat in range(SEATS):
        out[seat] = -s.scores[seat]


@compiled
def taken_points(s: Any, seat: int) -> Any:
    """A seat's points in this deal, from complete tricks."""
    points = s.points[seat]
    if s.variant & JACK and s.jack == seat:
        points += JACK_POINTS
    return points


@compiled
def deal_points(s: Any, seat: int) -> Any:
    """A seat's points in this deal; the open trick counts for the seat that is winning it."""
    points = s.points[seat]
    open_trick = s.count > 0 and s.count & 3 != 0 and s.winner == seat
    if open_trick:
        points += penalty(s.pile)
    if s.variant & JACK and (s.jack == seat or (open_trick and s.pile & JACK_BIT)):
        points += JACK_POINTS
    return points


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    most_moves=HAND,
    hide=hide,
    world=world,
)
