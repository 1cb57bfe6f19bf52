"""What this plugin offers: a game for each of OpenSpiel's, without importing it."""

from __future__ import annotations

from mpsearch.contracts import EvaluatorOffer, GameOffer, Option
from mpsearch_openspiel.foreign import DEAL, FACE_UP, FILTER, OPEN, Foreign
from mpsearch_openspiel.foreign import GAMES as FOREIGN

#: What users are told of how secrets are kept.
_SECRECY = {
    OPEN: "nothing is hidden",
    DEAL: "hidden; worlds by dealing out what a seat has not seen",
    FILTER: "hidden; worlds by filtering what a seat knows",
    FACE_UP: "FACE UP: all cards and choices are seen, OpenSpiel draws no worlds for it",
}

#: The evaluators of own affairs, by game; what they read is in `features`.
OWN = {
    "bridge": ("tricks", "tricks of one's side"),
    "chinese_checkers": ("hops", "hops nearer to the far corner"),
    "crazy_eights": ("cards", "cards to be rid of"),
    "cribbage": ("score", "points of 121"),
    "dou_dizhu": ("cards", "cards still to be played"),
    "go_fish": ("books", "books made"),
    "goofspiel": ("prizes", "points of the prizes won"),
    "hearts": ("points", "points not taken"),
    "kuhn_poker": ("money", "money won, or not paid in"),
    "leduc_poker": ("money", "money in hand"),
    "maedn": ("steps", "steps of all pieces"),
    "oh_hell": ("tricks", "tricks won, and ten if as many as said"),
    "pig": ("banked", "points banked"),
    "skat": ("taken", "points of the cards taken by one's side"),
    "snake": ("fed", "food eaten, and being alive"),
    "spades": ("tricks", "tricks of one's side"),
    "yacht": ("boxes", "total of the boxes filled"),
}


def _game(foreign: Foreign) -> GameOffer:
    return GameOffer(
        name=f"os_{foreign.name}",
        summary=f"OpenSpiel's {foreign.name}: {foreign.summary} ({_SECRECY[foreign.secrecy]})",
        make=f"mpsearch_openspiel.game:{foreign.name}",
        players=foreign.players,
        default_players=foreign.usual_players,
        options=tuple(
            Option(name=name, kind=type(default), default=default, help="OpenSpiel's parameter")
            for name, default in foreign.options.items()
        ),
        evaluator=OWN[foreign.name][0] if foreign.name in OWN else "rollouts",
        # Rules, worlds and evaluators are Python here, and roll-outs are whole games.
        defaults={"nodes": 1000, "worlds": 4} if foreign.name in OWN else {"depth": 1, "worlds": 4},
    )


def _evaluators(foreign: Foreign) -> list[EvaluatorOffer]:
    game = f"os_{foreign.name}"
    found = [
        EvaluatorOffer(
            name="returns",
            summary="OpenSpiel's returns so far, from the least to the greatest",
            game=game,
            make="mpsearch_openspiel.evaluators:Returns",
        ),
        EvaluatorOffer(
            name="rollouts",
            summary="mean result of random games from here (noisy)",
            game=game,
            make="mpsearch_openspiel.evaluators:Rollouts",
            options=(Option.whole("number", 4, least=1, greatest=1000, help="of games"),),
        ),
    ]
    if foreign.name in OWN:
        name, summary = OWN[foreign.name]
        found.append(
            EvaluatorOffer(
                name=name,
                summary=f"{summary}: one's own affairs",
                game=game,
                make="mpsearch_openspiel.evaluators:Own",
            )
        )
    return found


GAMES = [_game(foreign) for foreign in FOREIGN]
EVALUATORS = [offer for foreign in FOREIGN for offer in _evaluators(foreign)]
