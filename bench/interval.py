# SPDX-License-Identifier: GPL-3.0-or-later
"""interval.py: is the difference of two builds more than chance?"""
import random


def mean_interval(sets, draws=2000):
    """Returns the mean of paired differences and the ends of its 95 % confidence interval (bootstrap over queries).

    sets: for each set of queries, the difference of each query. The sets weigh the same."""
    dice = random.Random(1)
    means = sorted(sum(sum(dice.choices(s, k=len(s))) / len(s) for s in sets) / len(sets) for _ in range(draws))
    return sum(sum(s) / len(s) for s in sets) / len(sets), means[draws // 40], means[draws - draws // 40 - 1]
