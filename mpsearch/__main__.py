"""`mpsearch` and `python -m mpsearch`: the first line of ours that Python reaches.

Nothing is imported before Ctrl-C has its answer: until then it would show Python's traceback.
"""

import sys


def main() -> None:
    """The command line."""
    try:
        from mpsearch import cli

        cli.main()
    except KeyboardInterrupt:  # before the command line watches for it
        sys.stderr.write("mpsearch: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
