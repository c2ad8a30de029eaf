# SPDX-License-Identifier: GPL-3.0-or-later
"""tap.py - waiting in the Python tests

A test waits in these two ways only; tests/check-style.sh refuses every other sleep."""
import time


def wait_until(what, predicate, seconds=20, every=0.02):
    """Waits until predicate() is true, at most for this many seconds, and returns its last value.
    what completes the sentence "waited in vain until"."""
    deadline = time.monotonic() + seconds
    while not (value := predicate()):
        if time.monotonic() >= deadline:
            print(f'# waited {seconds} s in vain until {what}', flush=True)
            return predicate()
        time.sleep(every)
    return value


def let_time_pass(seconds, why):
    """Sleeps. Use it only for promises about time itself, and for disturbances that come at a
    random moment. why tells the reader which."""
    assert why
    time.sleep(seconds)
