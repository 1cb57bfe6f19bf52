"""Dice: exact probabilities of a round, a battle and a whole campaign."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch_risk_lite.state import ARRIVED, LIKELIEST, source_of, step_of, steps_of

ATTACK_DICE = 3
DEFENCE_DICE = 2

#: ODDS[a, d]: a dice against d; the defender loses all, both lose one, the attacker loses all.
ODDS = np.zeros((ATTACK_DICE + 1, DEFENCE_DICE + 1, 3))
ODDS[1, 1] = 15 / 36, 0, 21 / 36
ODDS[2, 1] = 125 / 216, 0, 91 / 216
ODDS[3, 1] = 855 / 1296, 0, 441 / 1296
ODDS[1, 2] = 55 / 216, 0, 161 / 216
ODDS[2, 2] = 295 / 1296, 420 / 1296, 581 / 1296
ODDS[3, 2] = 2890 / 7776, 2611 / 7776, 2275 / 7776


@compiled
def fight(w: Any, row: int, below: int, most: int, defenders: int, stalled: int) -> int:
    """One battle to the end, for all numbers of attackers at once.

    w[row + a] is the chance that `a` attackers begin it. Two rows of `most + 1` at `below`
    are workspace. Adds the chance that d defenders hold out to w[stalled + d], and returns
    the row in which the chances of winning with `a` attackers left are.
    """
    size = most + 1
    here, one, two = row, below, below + size
    for a in range(size):
        w[one + a] = 0.0
        w[two + a] = 0.0
    for d in range(defenders, 0, -1):
        dice = min(d, DEFENCE_DICE)
        for a in range(most, 0, -1):
            p = w[here + a]
            if p == 0.0:
                continue
            attack = min(a, ATTACK_DICE)
            if a == 1 or d == 1:
                w[one + a] += p * ODDS[attack, dice, 0]
                w[here + a - 1] += p * ODDS[attack, dice, 2]
            else:
                w[two + a] += p * ODDS[attack, dice, 0]
                w[one + a - 1] += p * ODDS[attack, dice, 1]
                w[here + a - 2] += p * ODDS[attack, dice, 2]
        w[stalled + d] += w[here]
        here, one, two = one, two, here
        for a in range(size):
            w[two + a] = 0.0
    return here


@compiled
def defence(s: Any, campaign: int) -> int:
    """All armies that defend the path of a campaign."""
    total = 0
    for step in range(steps_of(campaign)):
        total += s.armies[step_of(campaign, step)]
    return total


@compiled
def campaign_odds(s: Any, w: Any) -> Any:
    """The exact probabilities of the current campaign; returns the number of defending armies.

    With that number D and A free armies: w[y] for 0 < y <= D is the chance to stall with y
    defenders left, and w[D + a] for 0 < a <= A the chance to arrive with a.
    """
    campaign = s.campaign
    steps = steps_of(campaign)
    total = defence(s, campaign)
    free = s.armies[source_of(campaign)] - 1
    for i in range(total + free + 1):
        w[i] = 0.0
    row = total + free + 1
    below = row + free + 1
    for a in range(free + 1):
        w[row + a] = 0.0
    w[row + free] = 1.0
    rest = total
    for step in range(steps):
        defenders = s.armies[step_of(campaign, step)]
        rest -= defenders
        # No attackers left: all defenders of this step remain.
        w[rest + defenders] += w[row]
        w[row] = 0.0
        won = fight(w, row, below, free, defenders, rest)
        # One army stays in the conquered territory.
        for a in range(free):
            w[row + a] = w[won + a + 1]
        w[row + free] = 0.0
    for a in range(free):
        w[total + a + 1] = w[row + a]
    return total


@compiled
def gather(w: Any, first: int, last: int, groups: int, at: int, out: Any, count: int) -> int:
    """Merge the chances w[first..last] into neighbouring pairs, one pair per group.

    Groups are equally likely; each becomes the two whole numbers around its mean, weighted so
    that the mean stays exactly as it was. Indices go to `out`, each once, chances to w from `at`.
    """
    start = count
    mass = 0.0
    for i in range(first, last + 1):
        mass += w[i]
    share = mass / groups
    i = first
    left = w[i] if first <= last else 0.0
    for group in range(groups):
        filled = 0.0
        # The mean is counted from the group's own first outcome, so that rounding cannot carry
        # it below, into outcomes of another kind; nor does it pass the group's last.
        low = i
        high = i
        moment = 0.0
        while i <= last and (filled < share or group == groups - 1):
            take = left if group == groups - 1 else min(left, share - filled)
            if take > 0.0:
                low = i if filled == 0.0 else low
                high = i
                filled += take
                moment += take * (i - low)
            left -= take
            if left <= 0.0:
                i += 1
                left = w[i] if i <= last else 0.0
        if filled <= 0.0:
            continue
        lower = min(low + int(moment / filled), high)
        upper_part = moment - filled * (lower - low) if lower < high else 0.0
        for k in range(2):
            part = filled - upper_part if k == 0 else upper_part
            if part <= 0.0:
                continue
            place = start
            while place < count and out[place] != lower + k:
                place += 1
            if place == count:
                out[place] = lower + k
                w[at + place] = 0.0
                count += 1
            w[at + place] += part
    return count


@compiled
def likeliest(w: Any, total: int, last: int) -> int:
    """The likelier of stalling, w[1..total], and arriving, w[total + 1..last], at its mean.

    The mean is rounded to a whole number, and from there to the next outcome that can be.
    """
    first, end = 1, total
    for _ in range(2):
        mass = 0.0
        for i in range(first, end + 1):
            mass += w[i]
        # The two masses sum to 1, and a tie goes to stalling.
        if mass >= 0.5 or first > total:
            break
        first, end = total + 1, last
    moment = 0.0
    for i in range(first, end + 1):
        moment += w[i] * (i - first)
    middle = first + int(moment / mass + 0.5)
    best = -1
    for i in range(first, end + 1):
        if w[i] > 0.0 and (best < 0 or abs(i - middle) < abs(best - middle)):
            best = i
    return best


@compiled
def list_outcomes(s: Any, groups: int, out: Any, probabilities: Any) -> int:
    """The outcomes of the current campaign: all, merged into groups, or only the likeliest."""
    total = campaign_odds(s, probabilities)
    last = total + s.armies[source_of(s.campaign)] - 1
    count = 0
    if groups == 0:
        for i in range(1, last + 1):
            if probabilities[i] > 0.0:
                out[count] = i
                probabilities[count] = probabilities[i]
                count += 1
    elif groups == LIKELIEST:
        out[0] = likeliest(probabilities, total, last)
        probabilities[0] = 1.0
        count = 1
    else:
        at = last + 1
        # Plain numbers here would be literals to the compiler, which it compiles once more for.
        first, none = np.int64(1), np.int64(0)
        count = gather(probabilities, first, total, groups, at, out, none)
        count = gather(probabilities, total + 1, last, groups, at, out, count)
        for k in range(count):
            probabilities[k] = probabilities[at + k]
    for k in range(count):
        out[k] = ARRIVED + out[k] - total if out[k] > total else -out[k]
    return count
