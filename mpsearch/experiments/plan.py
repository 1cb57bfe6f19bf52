"""Plans: what a store is bound to when it is created, and the design in a store."""

from __future__ import annotations

import attrs

from mpsearch.agents import check_agents
from mpsearch.errors import UsageError
from mpsearch.experiments.design import Design, stored_seating
from mpsearch.experiments.design_file import make_design, stored_text
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.plugins import Catalog


@attrs.frozen(kw_only=True)
class Plan:
    """Games and looks, fixed before the first game."""

    looks: int
    games: int


#: Notes of a store: its plan, the last requested number of games, and that of every run which
#: extended a finished one.
_PLAN, _GAMES, STAGES = "plan", "games", "stages"


def store_plan(store: Store) -> Plan | None:
    """The plan of a store; None for a new one."""
    noted, about = store.noted(_PLAN), store.about
    if noted is not None:
        return Plan(**noted)
    if about is None or store.noted(_GAMES) is None:
        return None
    # A store from before plans were noted: its design file has the looks.
    file = TomlFile(store.text, name=f"{store.name}: its design")
    return Plan(looks=file.values.get("looks", 1), games=store.noted(_GAMES))


def bind_design(store: Store, design: Design, *, text: str = "") -> Design:
    """Bind a store to a design and return the design with the store's seating.

    Agents that are programs must have been allowed. Looks, and with several looks the number of
    games, are fixed from the start: changing them after a look inflates the error rate.
    """
    check_agents(seat.text for arm in design.arms for seat in arm.seated)
    known = store.about
    if known is not None and {"rotate", "seating"} & set(known):
        seating = stored_seating(known)
        if design.seating not in (None, seating):
            raise UsageError(
                f"{store.name} holds a different experiment: seating is '{seating}' there and "
                f"'{design.seating}' here; choose another file"
            )
        design = attrs.evolve(design, seating=seating)
    store.bind(design.document(), text=text)
    _bind_plan(store, design)
    return design


def _bind_plan(store: Store, design: Design) -> None:
    ours, plan = Plan(looks=design.looks, games=design.games), store_plan(store)
    done = store.done()
    if plan is not None and done and plan != ours and max(plan.looks, ours.looks) > 1:
        raise UsageError(
            f"{store.name} was planned with looks = {plan.looks} and games = {plan.games}, here "
            f"they are {ours.looks} and {ours.games}: changing them after games were seen inflates "
            "the error rate; continue as planned, or choose another file"
        )
    if plan is None or not done:
        store.note(_PLAN, attrs.asdict(ours))
    stages: list[int] = store.noted(STAGES) or [store.noted(_GAMES) or ours.games]
    whole = all((arm.label, n) in done for arm in design.arms for n in range(stages[-1]))
    if not done or (design.games > stages[-1] and not whole):
        stages[-1] = design.games  # nobody has seen its result yet
    elif design.games > stages[-1]:
        stages.append(design.games)
    store.note(STAGES, stages)
    store.note(_GAMES, design.games)


def stored_design(store: Store, catalog: Catalog) -> Design:
    """The design in a store; UsageError if it holds something else."""
    text = store.text or stored_text(store.about or {})
    if not text:
        raise UsageError(f"{store.name} holds no design; rerun the command that created it")
    file = TomlFile(text, name=f"{store.name}: its design")
    games, about = store.noted(_GAMES), store.about
    if games is not None:
        file.values["games"] = games
    design = make_design(file, catalog)
    return design if about is None else attrs.evolve(design, seating=stored_seating(about))
