"""Native play: plies of players with a policy, played one after the other in compiled code.

A run of them ends where a player without a policy decides, a policy declines, or chance that the
rules cannot draw, so any players can be at the table. What comes of it is ply for ply what the
referee would have played, from the same streams. So where few plies are to be played, and their
machine code is not there yet, players are asked instead: see `PATIENCE`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    DECLINED,
    CompiledGame,
    Game,
    Move,
    Note,
    Player,
    Rules,
    ScratchPolicy,
    State,
    frozen_array,
    note_type,
)
from mpsearch.errors import ContractError
from mpsearch.gamekit import go_on, native_luck, stream_of
from mpsearch.jit import SLACK, Compiled, take_room

#: Plies of a table that a process asks players with a policy for before it compiles native play: to
#: compile takes 0.6 to 1.6 s, and saves 0.03 to 0.12 ms a ply. What is kept is used at once.
PATIENCE = 10_000
_patience = PATIENCE
#: The most plies of one run. Most callers want the whole game; one who leaves early loses this.
_PLIES = 64
#: What `which` says of a seat without a policy.
_NOBODY = -1
#: What a run answers instead of the number of its plies if rules or a policy are to blame.
_BAD_LIST = -1
_BAD_CHOICE = -2
#: The scratch of a policy that needs none.
_BARE = np.dtype([("nothing", "i8")])


@contextlib.contextmanager
def natively_at_once() -> Iterator[None]:
    """Compile native play before the first ply, as whoever compiles ahead of time does."""
    global _patience
    before, _patience = _patience, 0
    try:
        yield
    finally:
        _patience = before


class NativePly(NamedTuple):
    """One ply that was played natively."""

    #: A seat or CHANCE.
    seat: int
    move: Move
    #: The state after it.
    state: State
    #: What the policy left of what it was shown.
    known: State
    #: What it noted, if it has a scratch.
    note: Note | None


class NativePlay:
    """The seats of a game that are played natively, and their streams."""

    def __init__(
        self,
        game: CompiledGame,
        policies: Sequence[Compiled | ScratchPolicy | None],
        rngs: Sequence[np.random.Generator],
        chance: np.random.Generator,
    ) -> None:
        self.game = game
        seated = {
            seat: policy if isinstance(policy, ScratchPolicy) else _without_scratch(policy)
            for seat, policy in enumerate(policies)
            if policy is not None
        }
        distinct = list(
            dict.fromkeys((policy.choose, policy.scratch) for policy in seated.values())
        )
        self._run = _compiled_run(game.rules, game.hidden, tuple(choose for choose, _ in distinct))
        self._which = np.full(game.players, _NOBODY)
        #: What policies work in beside their scratches.
        self._memories: list[Any] = []
        # For every policy the scratches of all seats, of which it uses its own.
        scratches: list[Any] = [None] * len(distinct)
        for seat, policy in seated.items():
            which = self._which[seat] = distinct.index((policy.choose, policy.scratch))
            if scratches[which] is None:
                # Whatever is written beyond the last one does no harm.
                spare = SLACK * 8 // policy.scratch.itemsize + 1
                scratches[which] = np.zeros(game.players + spare, policy.scratch)[: game.players]
            memory = policy.lay(scratches[which][seat], seat)
            if memory is not None:
                self._memories.append(memory)
        self._scratches = tuple(scratches)
        # For each seat, and the last for chance.
        self._noting = [isinstance(policy, ScratchPolicy) for policy in (*policies, None)]
        self._streams = np.array([stream_of(rng) for rng in (*rngs, chance)])
        self._rngs, self._chance = rngs, chance
        #: The seats whose players were asked after a policy had declined, or until runs were ready.
        self._asked: set[int] = set()
        #: Whether runs are compiled, or worth it.
        self._ready: bool | None = None
        self._seats = np.empty(_PLIES, dtype=np.int64)
        self._moves = np.empty(_PLIES, dtype=np.int64)
        # The first is the state that a run begins with.
        self._states = np.empty(_PLIES + 1, dtype=game.rules.state)
        self._known = np.empty(_PLIES, dtype=game.rules.state)
        self._notes = np.zeros(_PLIES, note_type(game.players))
        self._start = self._states[:1].view(np.uint8).data

    def plays(self, seat: int) -> bool:
        """Whether a seat has a policy."""
        return bool(self._which[seat] != _NOBODY)

    def play(self, state: State, seat: int) -> list[NativePly]:
        """Play from `state`, where `seat` is to move, as long as possible.

        Without any ply its player is to be asked, and its generator is where the stream was.
        """
        if not self.plays(seat):
            return []
        rules = self.game.rules
        room = take_room(rules.most_moves)
        arguments = (
            self._states,
            self._known,
            self._which,
            self._streams,
            room.out,
            self._seats,
            self._moves,
            self._scratches,
            self._notes,
        )
        if not self._ready:
            self._ready = self._run.pays(arguments, first=self._ready is None)
            if not self._ready:
                room.listed(0, rules.moves)
                self._asked.add(seat)
                return []
        self._start[:] = state
        while self._asked:
            asked = self._asked.pop()
            self._streams[asked] = stream_of(self._rngs[asked])
        if rules.draw is not None:
            self._streams[-1] = stream_of(self._chance)  # the referee draws from it too
        plies = self._run.play(*arguments)
        for memory in self._memories:
            memory.check()
        room.listed(0, rules.moves)  # it notices if more were written than there is room for
        if plies == _BAD_LIST:
            raise ContractError(f"{rules.moves.where} listed no move, or more than most_moves")
        if plies == _BAD_CHOICE:
            raise ContractError("a policy chose a move that it was not given")
        if rules.draw is not None:
            go_on(self._chance, self._streams[-1])
        if plies == 0:
            go_on(self._rngs[seat], self._streams[seat])
            self._asked.add(seat)
        seats = self._seats[:plies].tolist()
        return list(
            map(
                NativePly,
                seats,
                self._moves[:plies].tolist(),
                _parts(self._states[1 : plies + 1]),
                _parts(self._known[:plies]),
                self._noted(seats),
            )
        )

    def _noted(self, seats: Sequence[int]) -> Sequence[Note | None]:
        """What was noted at each ply of a run in which these seats moved."""
        if not any(self._noting):
            return [None] * len(seats)
        notes = self._notes[: len(seats)]
        made = map(
            Note,
            frozen_array(notes["value"]),
            frozen_array(notes["outlook"]),
            notes["nodes"].tolist(),
            notes["luck"].copy(),
        )
        return [
            note if self._noting[seat] else None for seat, note in zip(seats, made, strict=True)
        ]


@functools.lru_cache(maxsize=64)
def _without_scratch(policy: Compiled) -> ScratchPolicy:
    """A policy that needs no scratch, as one that has a bare one."""
    from mpsearch.jit import njit

    def choose(s: Any, moves: Any, count: int, stream: Any, scratch: Any, note: Any) -> Any:
        return policy(s, moves, count, stream)

    choose = njit(choose, cached=False)
    return ScratchPolicy(choose=choose, scratch=_BARE, lay=lambda scratch, seat: None)


def _parts(records: np.ndarray[Any, Any]) -> list[bytes]:
    """Each of the records as a state."""
    whole, size = records.tobytes(), records.itemsize
    return [whole[at : at + size] for at in range(0, len(whole), size)]


def native_play(
    game: Game,
    players: Sequence[Player],
    rngs: Sequence[np.random.Generator],
    chance: np.random.Generator,
) -> NativePlay | None:
    """How the seats of these players are played natively; None if none of them can be."""
    if (
        not isinstance(game, CompiledGame)
        or (game.hidden and game.rules.hide is None)
        or not all(map(native_luck, (*rngs, chance)))
    ):
        return None
    # Last, because a policy is made when it is asked for.
    policies = [player.policy for player in players]
    if all(policy is None for policy in policies):
        return None
    return NativePlay(game, policies, rngs, chance)


class _Run:
    """What plays runs natively, and how many plies players were asked for meanwhile."""

    def __init__(self, dispatcher: Any) -> None:
        from mpsearch.jit import from_python

        #: Plays one run from states[0] and says how many plies it has.
        self.play: Callable[..., Any] = from_python(dispatcher)
        self._dispatcher = dispatcher
        self._asked = 0

    def pays(self, arguments: tuple[Any, ...], *, first: bool) -> bool:
        """Whether to play one more ply natively; at the `first` of a game it looks what is kept."""
        from mpsearch.jit import is_compiled

        self._asked += 1
        return self._asked > _patience or (first and is_compiled(self._dispatcher, *arguments))


@functools.lru_cache(maxsize=64)
def _compiled_run(rules: Rules, hidden: bool, policies: tuple[Any, ...]) -> _Run:
    """What plays runs of these policies."""
    from mpsearch.jit import njit

    mover, moves, play = rules.mover, rules.moves, rules.play

    def nothing_hidden(s: Any, seat: int) -> None:
        pass

    def nothing_drawn(s: Any, out: Any, stream: Any) -> int:
        return 0

    hide: Any = rules.hide if hidden else njit(nothing_hidden, cached=False)
    draw: Any = rules.draw or njit(nothing_drawn, cached=False)

    # One after the other and not all in a list: the compiler must know each.
    def either(first: Any, others: Any) -> Any:
        def choose(
            number: int,
            s: Any,
            out: Any,
            count: int,
            stream: Any,
            scratches: Any,
            seat: int,
            note: Any,
        ) -> Any:
            if number == 0:
                return first(s, out, count, stream, scratches[0][seat], note)
            return others(number - 1, s, out, count, stream, scratches[1:], seat, note)

        return njit(choose, cached=False)

    def nobody(
        number: int, s: Any, out: Any, count: int, stream: Any, scratches: Any, seat: int, note: Any
    ) -> Any:
        return DECLINED

    first, *rest = policies
    others = functools.reduce(
        lambda others, policy: either(policy, others), rest[::-1], njit(nobody, cached=False)
    )

    def run(
        states: Any,
        known: Any,
        which: Any,
        streams: Any,
        out: Any,
        seats: Any,
        chosen: Any,
        scratches: Any,
        notes: Any,
    ) -> int:
        for ply in range(len(seats)):
            states[ply + 1] = states[ply]
            s = states[ply + 1]
            seat = mover(s)
            index = 0
            if seat == CHANCE:
                if draw(s, out, streams[len(which)]) == 0:
                    return ply
            elif seat < 0 or which[seat] < 0:
                return ply
            else:
                count = int(moves(s, out))
                if count < 1 or count > len(out):
                    return _BAD_LIST
                known[ply] = s
                hide(known[ply], seat)
                stream, note = streams[seat], notes[ply]
                for k in range(len(stream)):  # assigned as a whole it takes a second to compile
                    note.luck[k] = stream[k]
                number, shown = which[seat], known[ply]
                if number == 0:
                    index = first(shown, out, count, stream, scratches[0][seat], note)
                else:
                    index = others(number - 1, shown, out, count, stream, scratches[1:], seat, note)
                if index == DECLINED:
                    for k in range(len(stream)):
                        stream[k] = note.luck[k]
                    return ply
                if index < 0 or index >= count:
                    return _BAD_CHOICE
            seats[ply] = seat
            chosen[ply] = out[index]
            play(s, out[index])
        return len(seats)

    return _Run(njit(run))
