"""The terminal shows of a hidden game what its viewers saw, and not a byte more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.cli import run
from mpsearch.contracts import (
    CHANCE,
    OVER,
    Array,
    Bounds,
    Decision,
    Evaluator,
    EvaluatorOffer,
    Game,
    GameOffer,
    Memory,
    Player,
    PlayerOffer,
    Stance,
    Turn,
)
from mpsearch.plugins.catalog import load_catalog

#: What seat 0, 1 and 2 are dealt. Words that are found nowhere else in the output.
WORDS = ("aardvark", "bandicoot", "capybara")
MASK = "?"
#: The label of every agent's stance.
STANCE = "spiteful"
#: The game, move by move: who moves, and the move. `{}` stands for the mover's word.
SCRIPT = (
    (CHANCE, "/".join(WORDS)),  # the deal: everybody sees their own word
    (CHANCE, "six"),  # a die, for all to see
    (0, "bury-{}"),  # in secret
    (1, "swap-{}"),  # all see that something is swapped, seat 1 alone what
    (2, "wave"),  # openly
)

State = tuple[str, ...]


class Whispers(Game):
    """A game of one line of play, whose moves are of every degree of secrecy."""

    hidden = True

    def __init__(self, *, players: int) -> None:
        self.players = players

    def new(self) -> State:
        return ()

    def mover(self, state: State) -> int:
        return SCRIPT[len(state)][0] if len(state) < len(SCRIPT) else OVER

    def moves(self, state: State) -> Sequence[str]:
        seat, move = SCRIPT[len(state)]
        return [move.format(WORDS[seat])]

    def draw(self, state: State, rng: np.random.Generator) -> str:
        return SCRIPT[len(state)][1]

    def play(self, state: State, move: str) -> State:
        return (*state, move)

    def payoff(self, state: State) -> Array:
        return np.array([1.0, 0.0, 0.0])

    def view(self, state: State, seat: int) -> State:
        return tuple(
            str(self.seen(state[:ply], move, seat) or MASK) for ply, move in enumerate(state)
        )

    def world(self, view: State, rng: np.random.Generator) -> State:
        state: State = ()
        while len(state) < len(view):
            state = self.play(
                state, self.draw(state, rng) if self.mover(state) < 0 else self.moves(state)[0]
            )
        return state

    def seen(self, state: State, move: str, seat: int) -> str | None:
        mover = SCRIPT[len(state)][0]
        if not state:
            hands = move.split("/")
            return "/".join(hand if owner == seat else MASK for owner, hand in enumerate(hands))
        if mover == 0 and seat != 0:
            return None
        if mover == 1 and seat != 1:
            return f"swap-{MASK}"
        return move

    def read(self, text: str) -> str:
        return text

    def picture(self, view: State, *, colour: bool = False) -> str:
        return "the end" if self.mover(view) == OVER else " ".join(view)


class Nothing(Evaluator):
    bounds = Bounds()

    def values(self, state: State) -> Array:
        return np.zeros(3)


class Obedient(Player):
    """Expects something, as whoever searches does; what it expects would tell of its word.

    Its stance would tell whom it takes for strong, and so what it holds itself.
    """

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        stance = Stance(matrix=np.eye(3), label=STANCE, target=(turn.seat + 1) % 3)
        return Decision(move=turn.moves[0], stance=stance, value=np.array([12.5, 25.0, 50.0]))


@pytest.fixture(autouse=True)
def _with_whispers(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = GameOffer(
        name="whispers",
        summary="secrets",
        make=Whispers,
        players=(3, 3),
        default_players=3,
        evaluator="nothing",
        bots=(PlayerOffer(name="obedient", summary="does as told", make=lambda game: Obedient()),),
    )
    value = EvaluatorOffer(
        name="nothing", game="whispers", summary="nothing", make=lambda game: Nothing()
    )
    catalog = load_catalog()
    catalog = attrs.evolve(
        catalog,
        games={**catalog.games, "whispers": offer},
        evaluators={**catalog.evaluators, "whispers": {"nothing": value}},
    )
    monkeypatch.setattr("mpsearch.cli.options.installed", lambda: catalog)


def printed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *seats: str,
    answers: Sequence[str] = (),
) -> tuple[list[str], str]:
    """The lines that plies were shown in, and every byte that was put out, prompts included."""
    left, prompts = iter(answers), []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return next(left)

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answer)
    arguments: list[Any] = [word for seat in seats for word in ("--seat", seat)]
    # Where several people sit, nobody chooses the seed.
    monkeypatch.setattr("mpsearch.match.secret_seed", lambda: 1)
    assert run(["play", "--game", "whispers", *arguments]) == 0
    captured = capsys.readouterr()
    plies = [line.strip() for line in captured.out.splitlines() if line[:4].strip().isdecimal()]
    return plies, captured.out + captured.err + "".join(prompts)


def test_without_people_only_what_all_seats_see_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plies, everything = printed(capsys, monkeypatch, "obedient", "obedient", "obedient")
    expects = "expects 12.5 25.0 50.0"
    assert [" ".join(ply.split()) for ply in plies] == [
        "0 chance (hidden)",
        "1 chance six",
        f"2 seat 0 (secret) {STANCE} -> seat 1 {expects}",
        f"3 seat 1 (secret) {STANCE} -> seat 2 {expects}",
        f"4 seat 2 wave {STANCE} -> seat 0 {expects}",
    ]
    assert [word for word in WORDS if word in everything] == []


@pytest.mark.parametrize(
    ("person", "answers", "shown"),
    [
        (0, ["bury-aardvark", ""], ("aardvark/?/?", "bury-aardvark", "swap-?")),
        (1, ["swap-bandicoot", ""], ("?/bandicoot/?", "(secret)", "swap-bandicoot")),
        (2, ["wave", ""], ("?/?/capybara", "(secret)", "swap-?")),
    ],
)
def test_a_person_is_shown_what_its_seat_sees(
    person: int,
    answers: list[str],
    shown: tuple[str, str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats = ["human" if seat == person else "obedient" for seat in range(3)]
    plies, everything = printed(capsys, monkeypatch, *seats, answers=answers)
    deal, bury, swap = shown
    told = ["seat 0", "seat 1", "seat 2"]
    told[person] = "you   "
    assert plies == [
        f"0  chance  {deal}",
        "1  chance  six",
        f"2  {told[0]}  {bury}",
        f"3  {told[1]}  {swap}",
        f"4  {told[2]}  wave",
    ]
    assert [word for word in WORDS if word in everything] == [WORDS[person]]
    assert STANCE not in everything
    assert "expects" not in everything


def test_people_at_one_terminal_are_shown_what_they_all_see(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats 0 and 2 both see that something is swapped; their words are in their views alone."""
    plies, everything = printed(
        capsys, monkeypatch, "human", "obedient", "human", answers=["bury-aardvark", "", "wave", ""]
    )
    assert plies == [
        "0  chance  (hidden)",
        "1  chance  six",
        "2  seat 0  (secret)",
        "3  seat 1  swap-?",
        "4  seat 2  wave",
    ]
    assert WORDS[1] not in everything


def test_a_person_who_asks_why_is_told_to_wait_for_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the page, whose words these are."""
    answers = ["why", "wave", ""]
    _, everything = printed(
        capsys, monkeypatch, "obedient", "obedient", "human:forced=no", answers=answers
    )
    assert "the others' thinking is shown after the game, because it reveals cards" in everything
    assert STANCE not in everything


def test_nothing_is_remarked_of_what_was_made_in_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Whispers, "remark", lambda self, state, move: f"so it was {move}")
    _, everything = printed(
        capsys, monkeypatch, "human", "obedient", "obedient", answers=["bury-aardvark", ""]
    )
    assert [word for word in WORDS if word in everything] == [WORDS[0]]
    assert "so it was wave" in everything
