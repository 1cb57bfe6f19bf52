"""Names of agents: the same text has the same name, and says what the agent is like."""

import pytest

from mpsearch.agents import names_of
from mpsearch.plugins import installed


def test_a_text_has_one_name_and_two_of_a_kind_have_two() -> None:
    catalog = installed()
    offer = catalog.game_offer("scramble")
    [alone] = names_of(catalog, offer, ["maxn:depth=2"])
    first, second, third = names_of(catalog, offer, ["maxn:depth=2", "paranoid", "maxn:depth=2"])
    assert alone == first != third
    assert [name.split(" ", 1)[1] for name in (first, second)] == [
        "the independent",
        "the suspicious",
    ]
    table = names_of(catalog, offer, ["random"] * 60)
    assert len(set(table)) == 60


def test_who_is_not_known_has_a_name_all_the_same() -> None:
    catalog = installed()
    names = names_of(catalog, catalog.game_offer("scramble"), ["human", "nobody:depth=1", ":", ""])
    assert all(name and " the " not in name for name in names)


@pytest.mark.parametrize("name", sorted(installed().propagators))
def test_every_propagator_of_the_core_says_what_it_is_like(name: str) -> None:
    catalog = installed()
    if catalog.propagators[name].make.__module__.startswith("mpsearch.builtin"):
        assert catalog.propagators[name].character.isalpha()
