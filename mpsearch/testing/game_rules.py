"""The contract's rules for games. Each is a function of a game, a seed and a number of plies."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.contracts import CHANCE, OVER, CompiledGame, Game, Move
from mpsearch.errors import ContractError, MoveError
from mpsearch.jit import guarded, jit_enabled
from mpsearch.testing.feature_rules import FEATURE_RULES
from mpsearch.testing.non_interference import NON_INTERFERENCE_RULES
from mpsearch.testing.random_play import (
    LONGEST_GAME,
    GameRule,
    Step,
    rule_of,
    turns,
    viewed,
    walk,
    world_at,
)
from mpsearch.testing.skip_rules import SKIP_RULES
from mpsearch.testing.solve_rules import SOLVE_RULES
from mpsearch.testing.svg_marks import objection_to_marks, read_marks
from mpsearch.testing.view_rules import VIEW_RULES
from mpsearch.testing.world_rules import WORLD_RULES

#: Every rule for games, by name.
GAME_RULES: dict[str, GameRule] = {}
rule = rule_of(GAME_RULES)


@rule
def start_is_fixed(game: Game, seed: int, plies: int) -> None:
    """`new` always returns the same state: a random start is chance."""
    if game.new() != game.new():
        raise ContractError("new() returned two different states")


@rule
def declared_moves_suffice(game: Game, seed: int, plies: int) -> None:
    """Compiled rules never list more moves or outcomes than `most_moves`."""
    if game.rules is None:
        return
    # With more, machine code would write beyond its buffer. So this is the first rule that walks,
    # in plain Python and with room to spare.
    declared = game.rules.most_moves
    roomy = copy.copy(game)
    roomy.rules = attrs.evolve(game.rules, most_moves=2 * declared + 64)
    with guarded():
        for step in walk(roomy, seed, plies=min(plies, 40)):
            listed = roomy.tree_chance(step.state) if step.mover == CHANCE else ()
            count = len(roomy.moves(step.state)) if step.mover >= 0 else len(listed)
            if count > declared:
                step.fail(f"{count} moves are listed; most_moves is {declared}")


@rule
def states_are_values(game: Game, seed: int, plies: int) -> None:
    """States are hashable, and playing a move does not change the state it is played from."""
    for step in walk(game, seed, plies=plies):
        try:
            before = hash(step.state)
        except TypeError:
            step.fail("the state is not hashable")
        if step.move is None:
            continue
        first, second = (game.play(step.state, step.move) for _ in range(2))
        if first != second:
            step.fail(f"playing {step.move!r} twice from one state gives different states")
        if hash(step.state) != before:
            step.fail(f"playing {step.move!r} changed the state it was played from")


@rule
def mover_is_a_seat(game: Game, seed: int, plies: int) -> None:
    """`mover` is a seat, CHANCE or OVER."""
    for step in walk(game, seed, plies=plies):
        if step.mover not in (CHANCE, OVER, *range(game.players)):
            step.fail(f"mover is {step.mover!r} in a game for {game.players}")


@rule
def moves_are_listed_once(game: Game, seed: int, plies: int) -> None:
    """A seat to move has moves, all different and always in the same order."""
    for step in turns(game, seed, plies):
        moves = list(game.moves(step.state))
        if len(set(moves)) != len(moves):
            step.fail(f"some move is listed twice: {moves}")
        if list(game.moves(step.state)) != moves:
            step.fail("the moves change when they are listed again")


@rule
def games_end(game: Game, seed: int, plies: int) -> None:
    """Random games end."""
    for step in walk(game, seed, plies=LONGEST_GAME):
        if step.move is None and step.mover != OVER:
            raise ContractError(f"no end after {LONGEST_GAME} plies (seed {seed})")


@rule
def payoff_is_by_seat(game: Game, seed: int, plies: int) -> None:
    """A finished game has a finite payoff for each seat."""
    for step in walk(game, seed, plies=LONGEST_GAME):
        if step.mover == OVER:
            payoff = np.asarray(game.payoff(step.state))
            if payoff.shape != (game.players,):
                step.fail(f"the payoff has shape {payoff.shape}, not ({game.players},)")
            if not np.isfinite(payoff).all():
                step.fail(f"the payoff {payoff.tolist()} is not finite")


@rule
def chance_is_a_distribution(game: Game, seed: int, plies: int) -> None:
    """Listed outcomes are different, with positive probabilities that sum to 1."""
    for step in walk(game, seed, plies=plies):
        if step.mover != CHANCE:
            continue
        listings = game.chance(step.state), game.tree_chance(step.state)
        if any(listings) != all(listings):
            step.fail("chance is listed for the game or for the search, but not for both")
        for outcomes in filter(None, listings):
            if not game.lists_chance:
                step.fail("chance lists outcomes, but lists_chance says that it does not")
            if len({outcome for outcome, _ in outcomes}) != len(outcomes):
                step.fail("an outcome of chance is listed twice")
            probabilities = [probability for _, probability in outcomes]
            if not (min(probabilities) > 0 and abs(sum(probabilities) - 1) <= 1e-9):
                step.fail(f"probabilities {probabilities} are not positive or do not sum to 1")


@rule
def draws_are_reproducible(game: Game, seed: int, plies: int) -> None:
    """`draw` depends on the state and the generator alone."""
    for step in walk(game, seed, plies=plies):
        if step.mover == CHANCE:
            first, second = (game.draw(step.state, np.random.default_rng(seed)) for _ in range(2))
            if first != second:
                step.fail("draw gives different outcomes from equal generators")


@rule
def draws_are_possible(game: Game, seed: int, plies: int) -> None:
    """`possible` accepts outcomes that are drawn or listed, and rejects nonsense."""
    rng = np.random.default_rng(seed)
    for step in walk(game, seed, plies=plies):
        if step.mover != CHANCE:
            continue
        outcomes = [game.draw(step.state, rng) for _ in range(3)]
        outcomes += [outcome for outcome, _ in game.chance(step.state)]
        for outcome in outcomes:
            if not game.possible(step.state, outcome):
                step.fail(
                    f"{game.write_in(step.state, outcome)} can be drawn, but is not possible: "
                    "where outcomes are not listed, define `possible(state, outcome)`"
                )
        for nothing in (None, (), -(2**62), 2**62):
            if nothing not in outcomes and game.possible(step.state, nothing):
                step.fail(f"{nothing!r} is said to be a possible outcome")


@rule
def texts_are_inverse(game: Game, seed: int, plies: int) -> None:
    """`read` inverts `write`, with and without a state; different moves have different texts."""
    for step in walk(game, seed, plies=plies):
        if step.move is None:
            continue
        moves = [step.move] if step.mover == CHANCE else list(game.moves(step.state))
        write_in = functools.partial(game.write_in, step.state)
        read_in = functools.partial(game.read_in, step.state)
        for write, reads in ((game.write, (game.read, read_in)), (write_in, (read_in,))):
            texts = [write(move) for move in moves]
            if len(set(texts)) != len(moves):
                step.fail(f"two moves have the same text: {texts}")
            for move, text in zip(moves, texts, strict=True):
                for read in reads:
                    _check_text(step, move, text, read)


def _check_text(step: Step, move: Move, text: str, read: Callable[[str], Move]) -> None:
    if text != text.strip() or not text or "\n" in text or ";" in text:
        step.fail(f"the text {text!r} is empty, has white space at its ends, or a semicolon")
    try:
        found = read(text)
    except MoveError as error:
        step.fail(f"{move!r} is written {text!r}, which is refused: {error}")
    if found != move:
        step.fail(f"{move!r} is written {text!r}, which is read as {found!r}")


@rule
def nonsense_is_refused(game: Game, seed: int, plies: int) -> None:
    """`read` raises a MoveError for text that is no move."""
    for text in ("", "no such move", "\x00", "-", "9" * 40):
        for read in (game.read, functools.partial(game.read_in, game.new())):
            try:
                move = read(text)
            except MoveError:
                continue
            except Exception as error:
                raise ContractError(f"read({text!r}) raised {error!r}, not a MoveError") from error
            for step in walk(game, seed, plies=plies):
                if step.mover >= 0 and move in game.moves(step.state):
                    step.fail(f"read({text!r}) is the legal move {move!r}")


@rule
def pictures_are_text(game: Game, seed: int, plies: int) -> None:
    """Every view has a text picture, with and without colour."""
    for step in walk(game, seed, plies=min(plies, 40)):
        for seat in range(game.players):
            for colour in (False, True):
                picture = game.picture(game.view(step.state, seat), colour=colour)
                if not isinstance(picture, str) or not picture:
                    step.fail(f"the picture for seat {seat} is {picture!r}")


@rule
def drawings_mark_the_legal_moves(game: Game, seed: int, plies: int) -> None:
    """An SVG drawing is plain and marks exactly the given moves."""
    for step in walk(game, seed, plies=min(plies, 40)):
        for seat in range(game.players):
            view = game.view(step.state, seat)
            given = tuple(game.moves(step.state)) if seat == step.mover else ()
            for moves in {(), given}:
                drawing = game.svg(view, moves=moves)
                if drawing is None:
                    return
                try:
                    marks = read_marks(drawing)
                except ValueError as error:
                    step.fail(f"the drawing for seat {seat} {error}")
                objection = objection_to_marks(marks, [game.write_in(step.state, m) for m in moves])
                if objection is not None:
                    step.fail(f"the drawing for seat {seat} {objection}")


@rule
def actions_are_numbers(game: Game, seed: int, plies: int) -> None:
    """Action numbers of legal moves are distinct, fixed and below `actions`."""
    if game.actions is None:
        return
    numbers: dict[Move, int] = {}
    for step in turns(game, seed, plies):
        moves = list(game.moves(step.state))
        found = [game.action(move) for move in moves]
        if not all(0 <= number < game.actions for number in found):
            step.fail(f"actions {found} are not all below {game.actions}")
        if len(set(found)) != len(found):
            step.fail(f"two moves have the same action: {found}")
        for move, number in zip(moves, found, strict=True):
            if numbers.setdefault(move, number) != number:
                step.fail(f"{move!r} is action {number} here and {numbers[move]} elsewhere")


@rule
def observations_are_arrays_of_one_shape(game: Game, seed: int, plies: int) -> None:
    """Observations have one shape and depend on the view alone."""
    shape: tuple[int, ...] | None = None
    with_worlds = {step.ply for step in viewed(game, seed, plies)}
    for step in turns(game, seed, plies):
        for seat in range(game.players):
            view = game.view(step.state, seat)
            found = game.observation(view, seat)
            if found is None:
                return
            shape = found.shape if shape is None else shape
            if found.shape != shape or not np.isfinite(found).all():
                step.fail(f"the observation has shape {found.shape}, not {shape}, or no numbers")
            if step.ply not in with_worlds:
                continue
            alike = game.view(world_at(game, step, seat), seat)
            if not np.array_equal(np.asarray(game.observation(alike, seat)), found):
                step.fail(f"seat {seat} observes what its view does not tell")


@rule
def compiled_rules_play_as_plain_ones(game: Game, seed: int, plies: int) -> None:
    """Compiled rules agree with the Python functions they are compiled from."""
    if not isinstance(game, CompiledGame) or not jit_enabled():
        return
    rules, record = game.rules, game.record
    for step in walk(game, seed, plies=min(plies, 200)):
        if int(rules.mover.plain(record(step.state))) != step.mover:
            step.fail("mover differs between compiled and plain rules")
        count = 0
        out = np.zeros(rules.most_moves, dtype=np.int64)
        numbers = np.zeros(max(rules.most_moves, game.players))
        if step.mover == OVER:
            rules.payoff.plain(record(step.state), numbers[: game.players])
            if not _close(numbers[: game.players], game.payoff(step.state)):
                step.fail("payoff differs between compiled and plain rules")
        elif step.mover == CHANCE:
            for chance, listing in (
                (rules.merged_chance, game.tree_chance),
                (rules.chance, game.chance),
            ):
                if chance is None:
                    continue
                count = int(chance.plain(record(step.state), out, numbers))
                listed = [outcome for outcome, _ in listing(step.state)]
                expected = [probability for _, probability in listing(step.state)]
                if out[:count].tolist() != listed or not _close(numbers[:count], expected):
                    step.fail("chance differs between compiled and plain rules")
        elif step.mover >= 0:
            count = int(rules.moves.plain(record(step.state), out))
            if out[:count].tolist() != list(game.moves(step.state)):
                step.fail("moves differ between compiled and plain rules")
        # An outcome that is drawn and not listed, such as a deal, need not be a compiled move.
        if step.move is not None and count > 0:
            s = record(step.state)
            rules.play.plain(s, step.move)
            if s.tobytes() != game.play(step.state, step.move):
                step.fail(f"play {step.move!r} differs between compiled and plain rules")


def _close(first: npt.ArrayLike, second: npt.ArrayLike) -> bool:
    return bool(np.allclose(first, second, rtol=1e-12, atol=1e-12))


GAME_RULES |= VIEW_RULES | NON_INTERFERENCE_RULES | WORLD_RULES
GAME_RULES |= SKIP_RULES | SOLVE_RULES | FEATURE_RULES
