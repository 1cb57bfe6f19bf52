"""Errors by cause: what the user can mend, what a plugin got wrong, what a record says."""


class MpsearchError(Exception):
    """Any failure that mpsearch explains in one or two lines."""

    #: What a command that fails with it exits with.
    exit_code = 1


class UsageError(MpsearchError):
    """The user asked for something that does not exist or does not fit."""

    exit_code = 2


class MoveError(UsageError):
    """A move that cannot be read, or is not legal where it was made."""


class RecordError(UsageError):
    """A file that is not a record of a game."""


class DifferenceError(RecordError):
    """A record that contradicts the rules, or that comes out differently when played again."""

    exit_code = 1


class ContractError(MpsearchError):
    """A game, or a part of an agent such as its evaluator or search, broke its contract."""
