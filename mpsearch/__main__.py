"""`python -m mpsearch` is `mpsearch`."""

from mpsearch.cli import main

main()
