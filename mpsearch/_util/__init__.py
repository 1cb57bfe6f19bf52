"""Small tools that know nothing of games: arrays, tolerance, text, lazy imports."""

from mpsearch._util.arrays import (
    Array,
    array_field,
    frozen_array,
    frozen_mapping,
    mapping_field,
    optional_array_field,
    plain,
)
from mpsearch._util.did_you_mean import instead, pick
from mpsearch._util.lazy_import import deferred, optional_import
from mpsearch._util.text import WIDTH, cut, filled, printable
from mpsearch._util.text_tables import html_table, text_table
from mpsearch._util.timer import alarm
from mpsearch._util.tolerance import GRID, SHIFT, snap
