"""Errors by cause: what the user can mend, what a plugin got wrong, what a record says."""


class MpsearchError(Exception):
    """Any failure that mpsearch explains in one or two lines."""

    #: What a command that fails with it exits with.
    exit_code = 1


class UsageError(MpsearchError):
    """The user asked for something that does not exist or does not fit."""

    exit_code = 2

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message, which says it all, without a traceback."""
        return [f"{type(self).__name__}: {self}"]


class MoveError(UsageError):
    """A move that cannot be read, or is not legal where it was made."""


class RecordError(UsageError):
    """A file that is not a record of a game."""


class DifferenceError(RecordError):
    """A record that contradicts the rules, or that comes out differently when played again."""

    exit_code = 1


class ForfeitError(MpsearchError):
    """A seat loses its game: the program that plays it hangs, has ended or plays illegally."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(seat, why)
        self.seat, self.why = seat, why

    def __str__(self) -> str:
        return f"seat {self.seat} forfeits the game: {self.why}"


class ContractError(MpsearchError):
    """A game, or a part of an agent such as its evaluator or search, broke its contract."""
