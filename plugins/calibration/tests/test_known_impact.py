"""The games have the impact they were made to have."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.api.game_table import table, table_of
from mpsearch.studies.impact import READINGS, GameSample, make_surveys, survey_games, tabulate


def samples(game: str, depths: tuple[int, ...], games: int, **options: Any) -> list[GameSample]:
    surveys = make_surveys(
        table(game, players=3, **options), ["random"], games=games, depths=depths, seed=21
    )  # fmt: skip
    return list(survey_games([surveys]))


def test_bingo_has_no_impact_at_all() -> None:
    found = samples("bingo", (1, 2, 3, 4), 3, cells=4, numbers=10)
    assert sum(len(sample.movers) for sample in found) > 20
    assert not any(sample.touched.any() for sample in found)
    shares = [row.total.oi for row in tabulate(found) if row.reading in READINGS]
    assert shares == [0.0] * 8


def test_go_fish_has_impact_nearly_always() -> None:
    found = samples("go_fish", (1, 2), 4, ranks=6, hand=4)
    for row in tabulate(found):
        if row.reading not in READINGS:
            continue
        # With few cards left there may be one question only, which varies nothing but robs.
        assert row.total.oi > {"variation": 0.9, "reduction": 0.97}[row.reading]
        assert all(share.oi == 1.0 for share in row.stages[:6])


def test_asking_only_for_what_one_holds_lowers_the_impact() -> None:
    free, held = (
        tabulate(samples("go_fish", (1,), 4, ranks=6, hand=4, ask=ask))[0].total.oi
        for ask in ("any", "held")
    )
    assert 0.5 < held < free


def test_two_phase_has_impact_in_contact_and_none_after() -> None:
    found = samples("two_phase", (1, 2, 3), 4)
    touched = {True: 0, False: 0}
    states = {True: 0, False: 0}
    for sample in found:
        setting = sample.survey.setting
        place = table_of(setting)
        game: Any = place.game
        plies = [ply for ply in place.plies(setting) if ply.seat >= 0]
        for ply, whom in zip(plies, sample.touched, strict=True):
            contact = game.contact(ply.before)
            touched[contact] += int(whom.any())
            states[contact] += 1
    assert states[False] > 20
    assert touched[False] == 0
    assert touched[True] > 0.2 * states[True]
    curve = [share.oi for share in tabulate(found)[0].stages]
    assert np.mean(curve[:4]) > 0.15 > curve[-1] == 0.0
