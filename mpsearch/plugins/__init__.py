"""Plugins: hook specifications, discovery, and the catalog of offers."""

from mpsearch.plugins.blame import (
    GROUP,
    check_numbers,
    checked_payoff,
    checked_values,
    part_name,
    plugin_fault,
)
from mpsearch.plugins.catalog import Catalog, add_plugin, installed, load_catalog
from mpsearch.plugins.discovery import Problem
from mpsearch.plugins.hookspecs import hookimpl
from mpsearch.plugins.weights import names_file
