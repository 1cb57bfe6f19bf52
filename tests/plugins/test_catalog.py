"""Whatever is wrong with a plugin stays its own problem, and everything else works."""

import json
import re
import sys
from typing import Any

import attrs
import pytest
from support.site import PRELUDE, Site, core_points, mpsearch

from mpsearch._util import pick
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import Catalog, PluginInfo, load_catalog
from mpsearch.plugins.discovery import Problem
from mpsearch.plugins.hookspecs import HOOKS

#: A plugin that brings one of each.
SOUND = """
@hookimpl
def mpsearch_games():
    return [game("chase")]

@hookimpl
def mpsearch_evaluators():
    return [evaluator("plain", "chase")]

@hookimpl
def mpsearch_propagators():
    return [propagator("kind")]

@hookimpl
def mpsearch_opponent_models():
    return [model("trusting")]

@hookimpl
def mpsearch_search_algorithms():
    return [algorithm("lucky")]
"""


@pytest.fixture(scope="module")
def core() -> Catalog:
    """The catalog of the core alone."""
    return load_catalog(entry_points=core_points(), environ={})


def offers(catalog: Catalog) -> dict[str, set[object]]:
    """Everything a catalog offers, by kind, without who brought it."""
    return {
        "games": set(catalog.games),
        "evaluators": {(game, name) for game, of in catalog.evaluators.items() for name in of},
        "propagators": set(catalog.propagators),
        "opponent models": set(catalog.opponent_models),
        "search algorithms": set(catalog.search_algorithms),
    }


def info(plugin: str, *, distribution: str = "", disabled: bool = False) -> PluginInfo:
    distribution = distribution or f"dist-{plugin}"
    return PluginInfo(
        name=plugin,
        distribution=distribution,
        version="1.0",
        module=f"{distribution.replace('-', '_')}_code",
        disabled=disabled,
    )


def assert_core_works(catalog: Catalog) -> None:
    game = catalog.game("scramble", players=3)
    assert (game.players, game.mover(game.new())) == (3, 0)
    assert catalog.evaluator_offer("scramble").make(game).values(game.new()).tolist() == [0, 0, 0]


def test_core_alone_has_no_problems(core: Catalog) -> None:
    assert core.problems == ()
    assert_core_works(core)


def assert_brings(catalog: Catalog, core: Catalog, *, game: str, propagator: str) -> None:
    """A catalog has the offers of SOUND, with these names, beside those of the core."""
    mine: dict[str, set[object]] = {
        "games": {game},
        "evaluators": {(game, "plain")},
        "propagators": {propagator},
        "opponent models": {"trusting"},
        "search algorithms": {"lucky"},
    }
    there = offers(core)
    assert offers(catalog) == {kind: there[kind] | mine[kind] for kind in there}


def test_sound_plugin_brings_one_of_each(site: Site, core: Catalog) -> None:
    site.install("sound", SOUND)
    catalog = site.load()
    assert catalog.problems == ()
    assert catalog.plugins == (*core.plugins, info("sound"))
    assert_brings(catalog, core, game="chase", propagator="kind")
    assert catalog.origin["chase"] == info("sound")
    assert catalog.game("chase", players=3) == {"players": 3}
    assert catalog.evaluator_offer("chase").name == "plain"


HOOK_LIST = ", ".join(HOOKS)
FAULTS = {
    "error at import": (
        "raise RuntimeError('the moon is in the wrong house')",
        "cannot be imported: RuntimeError: the moon is in the wrong house",
    ),
    "wrong syntax": (
        "def mpsearch_games(:",
        "cannot be imported: SyntaxError: invalid syntax (dist_broken_code.py, line 31)",
    ),
    "missing dependency": (
        "import no_such_library.part",
        "cannot be imported, module 'no_such_library' is missing",
    ),
    "nameless missing dependency": (
        "raise ModuleNotFoundError('install the other half')",
        "cannot be imported: ModuleNotFoundError: install the other half",
    ),
    "exit at import": ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
    "anything at import": ("raise BaseException('no')", "cannot be imported: BaseException: no"),
    "options that are no tuple": (
        """
        @hookimpl
        def mpsearch_evaluators():
            yield EvaluatorOffer(name="e", game="chase", summary="", make=dict, options=None)
        """,
        "mpsearch_evaluators failed: TypeError: options is a tuple of Options, not None",
    ),
    "branchings that are no tuple": (
        """
        @hookimpl
        def mpsearch_games():
            yield GameOffer(
                name="crowd", summary="", make=dict, players=(2, 3), default_players=2,
                evaluator="e", branchings=None,
            )
        """,
        "mpsearch_games failed: TypeError: branchings is a tuple of BranchingOffers, not None",
    ),
    "default that JSON cannot write": (
        """
        from mpsearch.contracts import Option

        @hookimpl
        def mpsearch_evaluators():
            wrong = Option(name="size", kind=int, default={1, 2})
            yield EvaluatorOffer(name="e", game="chase", summary="", make=dict, options=(wrong,))
        """,
        "mpsearch_evaluators: evaluator 'e', option 'size' has a default that JSON cannot "
        "represent: Object of type set is not JSON serializable",
    ),
    "default of another kind": (
        """
        from mpsearch.contracts import Option

        @hookimpl
        def mpsearch_evaluators():
            wrong = Option(name="size", kind=int, default="nine")
            yield EvaluatorOffer(name="e", game="chase", summary="", make=dict, options=(wrong,))
        """,
        "mpsearch_evaluators: evaluator 'e', option 'size' has the default 'nine', which is "
        "not of type int",
    ),
    "misspelt hook": (
        """
        @hookimpl
        def mpsearch_gmaes():
            return [game("chase")]
        """,
        "its hooks do not match their specifications: PluginValidationError: unknown "
        "hook 'mpsearch_gmaes' in plugin "
        "<module 'dist_broken_code' from 'FOLDER/dist_broken_code.py'>",
    ),
    "misspelt optional hook": (
        """
        @hookimpl(optionalhook=True)
        def mpsearch_gmaes():
            return [game("chase")]
        """,
        f"'mpsearch_gmaes' is not a hook; hooks are {HOOK_LIST}",
    ),
    "misspelt hook without mark": (
        """
        def mpsearch_gmaes():
            return [game("chase")]
        """,
        f"'mpsearch_gmaes' is not a hook; hooks are {HOOK_LIST}",
    ),
    "misspelt hook beside a sound one": (
        SOUND + "def mpsearch_gmaes(): return []",
        f"'mpsearch_gmaes' is not a hook; hooks are {HOOK_LIST}",
    ),
    "hook without mark beside a sound one": (
        """
        def mpsearch_games():
            return [game("chase")]

        @hookimpl
        def mpsearch_evaluators():
            return [evaluator("plain", "chase")]
        """,
        "'mpsearch_games' is not marked with mpsearch.hookimpl",
    ),
    "hook with an argument": (
        """
        @hookimpl
        def mpsearch_games(catalog):
            return [game("chase")]
        """,
        "its hooks do not match their specifications: PluginValidationError: "
        "Plugin 'broken' for hook 'mpsearch_games'\n"
        "hookimpl definition: mpsearch_games(catalog)\n"
        "Argument(s) {'catalog'} are declared in the hookimpl but can not be found in the hookspec",
    ),
    "half registered": (
        SOUND.replace("mpsearch_opponent_models()", "mpsearch_opponent_models(seat)"),
        "its hooks do not match their specifications: PluginValidationError: "
        "Plugin 'broken' for hook 'mpsearch_opponent_models'\n"
        "hookimpl definition: mpsearch_opponent_models(seat)\n"
        "Argument(s) {'seat'} are declared in the hookimpl but can not be found in the hookspec",
    ),
    "brings nothing": (
        "",
        "provides nothing: none of its functions is marked with mpsearch.hookimpl",
    ),
    "returns None": (
        """
        @hookimpl
        def mpsearch_games():
            game("chase")
        """,
        "mpsearch_games failed: TypeError: 'NoneType' object is not iterable",
    ),
    "returns a number": (
        """
        @hookimpl
        def mpsearch_propagators():
            return 7
        """,
        "mpsearch_propagators failed: TypeError: 'int' object is not iterable",
    ),
    "returns a text": (
        """
        @hookimpl
        def mpsearch_games():
            return "chase"
        """,
        "mpsearch_games returned a str, not GameOffers",
    ),
    "one wrong record among sound ones": (
        """
        @hookimpl
        def mpsearch_games():
            return [game("chase"), {"name": "hunt"}, game("hide")]
        """,
        "mpsearch_games returned a dict, not GameOffers",
    ),
    "an offer of another kind": (
        """
        @hookimpl
        def mpsearch_opponent_models():
            return [propagator("kind")]
        """,
        "mpsearch_opponent_models returned a PropagatorOffer, not OpponentModelOffers",
    ),
    "impossible record": (
        """
        @hookimpl
        def mpsearch_games():
            yield GameOffer(
                name="crowd", summary="", make=dict, players=(5, 3), default_players=4,
                evaluator="e",
            )
        """,
        "mpsearch_games failed: ValueError: game crowd: 4 players do not fit 5 to 3",
    ),
    "exit in a hook": (
        """
        @hookimpl
        def mpsearch_games():
            raise SystemExit("no licence")
        """,
        "mpsearch_games failed: SystemExit: no licence",
    ),
    "name that is no text": (
        """
        @hookimpl
        def mpsearch_propagators():
            return [propagator("kind"), propagator(["maxn"])]
        """,
        "mpsearch_propagators failed: TypeError: name is a text, not ['maxn']",
    ),
    "game of an evaluator that is no text": (
        """
        @hookimpl
        def mpsearch_evaluators():
            return [evaluator("plain", 7)]
        """,
        "mpsearch_evaluators failed: TypeError: game is a text, not 7",
    ),
    "attribute that fails": (
        """
        def __dir__():
            raise LookupError("nothing to see here")
        """,
        "its hooks do not match their specifications: LookupError: nothing to see here",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_plugin_is_its_own_problem(site: Site, core: Catalog, fault: str) -> None:
    code, what = FAULTS[fault]
    site.install("broken", code)
    site.install("zebra", SOUND.replace("chase", "race").replace("kind", "rude"))
    catalog = site.load()
    what = what.replace("FOLDER", str(site.folder))
    assert catalog.problems == (Problem(plugin="broken", what=what),)
    assert str(catalog.problems[0]) == f"broken: {what}"
    assert catalog.plugins == (*core.plugins, info("broken"), info("zebra"))
    assert_brings(catalog, core, game="race", propagator="rude")
    assert_core_works(catalog)
    with pytest.raises(
        UsageError, match=re.escape(f"(broken plugins: broken: {what.splitlines()[0]}")
    ):
        catalog.game("chase")


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ("no_such_module", "cannot be imported, module 'no_such_module' is missing"),
        (
            "dist_broken_code:nothing",
            "cannot be imported: AttributeError: "
            "module 'dist_broken_code' has no attribute 'nothing'",
        ),
    ],
)
def test_entry_point_to_nowhere_is_a_problem(
    site: Site, core: Catalog, target: str, what: str
) -> None:
    site.install("broken", SOUND, target=target)
    catalog = site.load()
    assert catalog.problems == (Problem(plugin="broken", what=what),)
    assert offers(catalog) == offers(core)
    assert_core_works(catalog)


def test_hook_that_fails_half_way_brings_nothing_and_the_others_do(
    site: Site, core: Catalog
) -> None:
    site.install(
        "broken",
        """
        @hookimpl
        def mpsearch_games():
            yield game("chase", evaluator="progress")
            raise KeyError("hunt")

        @hookimpl
        def mpsearch_propagators():
            return [propagator("kind")]
        """,
    )
    catalog = site.load()
    assert catalog.problems == (
        Problem(plugin="broken", what="mpsearch_games failed: KeyError: 'hunt'"),
    )
    there = offers(core)
    assert offers(catalog) == {**there, "propagators": there["propagators"] | {"kind"}}
    assert_core_works(catalog)


def test_generator_that_ends_well_brings_all(site: Site) -> None:
    site.install(
        "lazy",
        """
        @hookimpl
        def mpsearch_propagators():
            yield propagator("kind")
            yield propagator("rude")
        """,
    )
    catalog = site.load()
    assert catalog.problems == ()
    assert {"kind", "rude"} <= set(catalog.propagators)


#: For each kind: the hook, and the code of an offer called 'twin'.
KINDS = {
    "game": ("mpsearch_games", "game('twin', evaluator='plain')"),
    "evaluator": ("mpsearch_evaluators", "evaluator('twin', 'scramble')"),
    "propagator": ("mpsearch_propagators", "propagator('twin')"),
    "opponent model": ("mpsearch_opponent_models", "model('twin')"),
    "search algorithm": ("mpsearch_search_algorithms", "algorithm('twin')"),
}


def twin(catalog: Catalog, kind: str) -> str:
    """Who made the offer called 'twin'."""
    table = {
        "game": catalog.games,
        "evaluator": catalog.evaluators["scramble"],
        "propagator": catalog.propagators,
        "opponent model": catalog.opponent_models,
        "search algorithm": catalog.search_algorithms,
    }[kind]
    return table["twin"].summary


def offering(kind: str, *, times: int = 1) -> str:
    """Code of a plugin that offers 'twin', and the evaluator that a game needs."""
    hook, made = KINDS[kind]
    code = f"@hookimpl\ndef {hook}():\n    return [{', '.join([made] * times)}]\n"
    if kind == "game":
        needed = "evaluator('plain', 'twin')"
        code += f"@hookimpl\ndef mpsearch_evaluators():\n    return [{needed}]\n"
        code += "if '_b_' in __name__:\n    del mpsearch_evaluators\n"
    return code


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backwards", [False, True])
def test_name_offered_by_two_plugins_stays_with_the_first(
    site: Site, kind: str, backwards: bool
) -> None:
    site.install("a", offering(kind))
    site.install("b", offering(kind))
    catalog = site.load(backwards=backwards)
    what = f"{kind} 'twin' is already offered by plugin a; using that one"
    assert catalog.problems == (Problem(plugin="b", what=what),)
    assert twin(catalog, kind) == "made by dist_a_code"
    assert_core_works(catalog)


@pytest.mark.parametrize("kind", KINDS)
def test_name_offered_twice_by_one_plugin_counts_once(site: Site, kind: str) -> None:
    site.install("a", offering(kind, times=2))
    catalog = site.load()
    what = f"{kind} 'twin' is already offered by plugin a; using that one"
    assert catalog.problems == (Problem(plugin="a", what=what),)
    assert twin(catalog, kind) == "made by dist_a_code"


def test_origin_of_a_game_offered_twice_is_the_plugin_whose_game_is_used(site: Site) -> None:
    site.install("a", offering("game"))
    site.install("b", offering("game"))
    assert site.load().origin["twin"] == info("a")


def test_core_keeps_its_names_whatever_a_plugin_is_called(site: Site) -> None:
    site.install(
        "aardvark",
        """
        @hookimpl
        def mpsearch_propagators():
            return [propagator("maxn")]
        """,
    )
    catalog = site.load()
    what = "propagator 'maxn' is already offered by plugin core; using that one"
    assert catalog.problems == (Problem(plugin="aardvark", what=what),)
    assert_core_works(catalog)


def test_evaluators_of_one_name_for_two_games_do_not_clash(site: Site) -> None:
    site.install(
        "a",
        """
        @hookimpl
        def mpsearch_games():
            return [game("chase", evaluator="progress")]

        @hookimpl
        def mpsearch_evaluators():
            return [evaluator("progress", "chase")]
        """,
    )
    catalog = site.load()
    assert catalog.problems == ()
    assert catalog.evaluator_offer("chase").game == "chase"
    assert catalog.evaluator_offer("scramble").game == "scramble"


@pytest.mark.parametrize("backwards", [False, True])
def test_two_distributions_with_one_plugin_name_are_a_problem(
    site: Site, core: Catalog, backwards: bool
) -> None:
    site.install("same", SOUND, distribution="dist-one")
    site.install("same", SOUND.replace("chase", "hunt"), distribution="dist-two")
    catalog = site.load(backwards=backwards)
    what = "dist-two and dist-one both register a plugin of this name; using the one from dist-one"
    assert catalog.problems == (Problem(plugin="same", what=what),)
    assert catalog.plugins == (*core.plugins, info("same", distribution="dist-one"))
    assert set(catalog.games) == {*core.games, "chase"}
    assert "dist_two_code" not in sys.modules
    assert_core_works(catalog)


def test_distribution_without_name_and_version_still_loads(site: Site, core: Catalog) -> None:
    site.install("same", SOUND, distribution="dist-one", metadata="Metadata-Version: 2.1\n")
    site.install("same", SOUND, distribution="dist-two")
    catalog = site.load()
    what = "dist-two and ? both register a plugin of this name; using the one from ?"
    assert catalog.problems == (Problem(plugin="same", what=what),)
    nameless = attrs.evolve(info("same", distribution="dist-one"), distribution="?", version="?")
    assert catalog.plugins == (*core.plugins, nameless)


def test_game_whose_evaluator_nobody_offers_is_a_problem(site: Site) -> None:
    site.install("broken", "@hookimpl\ndef mpsearch_games():\n    return [game('chase')]\n")
    catalog = site.load()
    what = "game 'chase' names the evaluator 'plain', which no plugin offers"
    assert catalog.problems == (Problem(plugin="broken", what=what),)
    assert catalog.game("chase") == {"players": 2}
    with pytest.raises(UsageError) as raised:
        catalog.evaluator_offer("chase")
    assert str(raised.value) == (
        "unknown evaluator for chase 'plain'; there are none "
        "(broken plugins: broken: game 'chase' names the evaluator 'plain', which no plugin offers)"
    )
    assert_core_works(catalog)


def test_evaluator_for_another_plugins_game_works(site: Site) -> None:
    site.install(
        "judge",
        """
        from mpsearch.contracts import Bounds, Evaluator
        import numpy as np

        class Level(Evaluator):
            bounds = Bounds()

            def __init__(self, game):
                self.players = game.players

            def values(self, state):
                return np.full(self.players, 50.0)

        @hookimpl
        def mpsearch_evaluators():
            return [EvaluatorOffer(name="level", game="scramble", summary="", make=Level)]
        """,
    )
    catalog = site.load()
    assert catalog.problems == ()
    game = catalog.game("scramble", players=3)
    level = catalog.evaluator_offer("scramble", "level").make(game)
    assert level.values(game.new()).tolist() == [50, 50, 50]
    assert catalog.evaluator_offer("scramble").name == "progress"


def test_disabled_plugin_is_not_imported(site: Site, core: Catalog) -> None:
    site.install("loud", "raise RuntimeError('imported')")
    catalog = site.load(MPSEARCH_DISABLE="loud")
    assert catalog.problems == ()
    assert catalog.plugins == (*core.plugins, info("loud", disabled=True))
    assert offers(catalog) == offers(core)
    assert "dist_loud_code" not in sys.modules


def test_plugin_not_asked_for_is_not_imported(site: Site) -> None:
    site.install("loud", "raise RuntimeError('imported')")
    site.install("sound", SOUND)
    catalog = site.load(MPSEARCH_PLUGINS="core, sound")
    assert catalog.problems == ()
    assert {p.name: p.disabled for p in catalog.plugins} == {
        "core": False,
        "loud": True,
        "sound": False,
    }
    assert "chase" in catalog.games
    assert_core_works(catalog)


def test_disabling_wins_over_asking(site: Site) -> None:
    site.install("sound", SOUND)
    catalog = site.load(MPSEARCH_PLUGINS="core,sound", MPSEARCH_DISABLE="sound")
    assert "chase" not in catalog.games
    assert catalog.problems == ()


def test_core_can_be_disabled_like_any_plugin(site: Site) -> None:
    site.install("sound", SOUND)
    catalog = site.load(MPSEARCH_DISABLE="core")
    assert set(catalog.games) == {"chase"}
    assert catalog.problems == ()


@pytest.mark.parametrize("variable", ["MPSEARCH_PLUGINS", "MPSEARCH_DISABLE"])
def test_unknown_name_in_a_variable_is_a_problem(site: Site, variable: str) -> None:
    site.install("sound", SOUND)
    names = "core,sound,ghost" if variable == "MPSEARCH_PLUGINS" else "ghost"
    environ: dict[str, Any] = {variable: names}
    catalog = site.load(**environ)
    what = f"named in {variable}, but not installed"
    assert catalog.problems == (Problem(plugin="ghost", what=what),)
    assert "chase" in catalog.games
    assert_core_works(catalog)


def test_empty_variables_leave_nothing_out(site: Site) -> None:
    site.install("sound", SOUND)
    catalog = site.load(MPSEARCH_PLUGINS=" , ", MPSEARCH_DISABLE="")
    assert catalog.problems == ()
    assert "chase" in catalog.games


def test_order_does_not_depend_on_discovery(site: Site) -> None:
    site.install("zebra", SOUND.replace("chase", "race"))
    site.install("ant", SOUND)
    site.install("bee", "raise RuntimeError('buzz')")
    forwards, backwards = site.load(), site.load(backwards=True)
    assert [plugin.name for plugin in forwards.plugins] == ["core", "ant", "bee", "zebra"]
    assert [plugin.name for plugin in backwards.plugins] == ["core", "ant", "bee", "zebra"]
    assert forwards.problems == backwards.problems
    offer_tables = ("games", "evaluators", "propagators", "opponent_models", "search_algorithms")
    for kind in (*offer_tables, "origin"):
        assert list(getattr(forwards, kind)) == list(getattr(backwards, kind))


def test_catalog_is_immutable(core: Catalog) -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        core.problems = ()  # type: ignore[misc]
    tables = [core.games, core.evaluators, core.evaluators["scramble"], core.propagators]
    for table in [*tables, core.opponent_models, core.search_algorithms, core.origin]:
        before = dict(table)
        with pytest.raises(TypeError, match="does not support item assignment"):
            table["mine"] = None  # type: ignore[index]
        with pytest.raises(TypeError, match="does not support item deletion"):
            del table[next(iter(table))]  # type: ignore[attr-defined]
        assert dict(table) == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("scrambel", "unknown game 'scrambel'; did you mean 'scramble'?"),
        ("chess", "unknown game 'chess'; choose from plunder, scramble"),
    ],
)
def test_failed_look_up_names_what_there_is(core: Catalog, name: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        core.game(name)
    assert str(raised.value) == message


def test_failed_look_up_among_many_names_the_first_of_them() -> None:
    """With the OpenSpiel bridge there are 35 games: all of them would fill the screen."""
    games = {f"g{number:02}": number for number in range(28)}
    with pytest.raises(UsageError) as raised:
        pick(games, "chess", kind="game")
    assert str(raised.value).startswith("unknown game 'chess'; choose from g00, g01, ")
    assert str(raised.value).endswith(", g24 and 3 more")
    del games["g07"], games["g08"], games["g09"]
    with pytest.raises(UsageError, match=r"g23, g24, g25, g26, g27$"):
        pick(games, "chess", kind="game")


def test_failed_look_up_says_what_is_wrong_with_the_plugins(site: Site) -> None:
    site.install("bad", "raise RuntimeError")
    site.install("worse", offering("game", times=3))
    catalog = site.load()
    assert len(catalog.problems) == 3
    with pytest.raises(UsageError) as raised:
        catalog.evaluator_offer("scramble", "progres")
    assert str(raised.value) == (
        "unknown evaluator for scramble 'progres'; did you mean 'progress'? "
        "(broken plugins: bad: cannot be imported: RuntimeError: ; worse: game 'twin' is already "
        "offered by plugin worse; using that one; worse: game 'twin' is already "
        "offered by plugin worse; using that one)"
    )


def test_plugin_that_prints_is_named_and_standard_output_stays_clean(site: Site) -> None:
    site.install("broken", "print('hello   world')\n" + SOUND)
    [problem] = site.load().problems
    assert problem == Problem(plugin="broken", what="prints while loading: hello world")
    shown = mpsearch(site, "games", "--json")
    assert "chase" in {game["name"] for game in json.loads(shown.stdout)}


def test_interrupt_while_plugins_load_is_no_problem_of_theirs(site: Site) -> None:
    site.install("broken", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        site.load()


def test_command_line_shows_the_problem_and_goes_on(site: Site) -> None:
    site.install("broken", "import no_such_library")
    problem = "problem: broken: cannot be imported, module 'no_such_library' is missing"

    plugins = mpsearch(site, "plugins")
    assert (plugins.returncode, plugins.stderr) == (0, "")
    assert problem in plugins.stdout.splitlines()
    rows = [line.split() for line in plugins.stdout.splitlines()]
    assert ["broken", "dist-broken", "1.0", "broken"] in rows

    games = mpsearch(site, "games")
    assert (games.returncode, games.stderr) == (0, "")
    assert problem in games.stdout.splitlines()
    names = {line.split()[0] for line in games.stdout.splitlines() if line.strip()}
    assert {"plunder", "scramble"} <= names

    checked = mpsearch(site, "plugins", "--check", "--quick")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert [line for line in checked.stdout.splitlines() if "problem" in line] == [problem]


def test_command_line_check_of_sound_plugins_ends_well(site: Site) -> None:
    site.install("broken", "import no_such_library")
    (site.folder / "no_such_library.py").write_text("")
    (site.folder / "dist_broken_code.py").write_text(
        PRELUDE + "@hookimpl\ndef mpsearch_propagators():\n    return [propagator('kind')]\n"
    )
    checked = mpsearch(site, "plugins", "--check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == "all plugins keep the contract"
