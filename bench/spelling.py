#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""spelling.py: how often is the suggested query the one that was meant?

  spelling.py [--build DIR] [--work DIR] [--seed N] [-v]
  spelling.py [--build DIR] --home HOME QUERY...

Writes the texts of tests/cli/spelling-texts.txt, asks the misspelt queries of
tests/cli/spelling-queries.txt, and prints the share of right answers. With --home, prints for each
query the suggestion of an index made before, and the CPU of the client beside that of a query for
the suggestion itself: the median of eleven runs."""
import argparse, os, resource, statistics, sys, tempfile
BENCH = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [BENCH, os.path.join(BENCH, '../tests/cli')]
import spellinghome
from home import environment, make_home, output

RUNS = 11
STRANGERS = 200


def cpu(query, env):
    """Returns the median of CPU milliseconds of the client."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        spellinghome.ask(query, env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times) * 1000


def share(args, work):
    spellinghome.write_texts(work + '/texts', args.seed)
    args.work = work
    home, env = make_home(args, work + '/texts')
    output(['tarsier', '-q', 'index'], env)
    right, needless, wrong = spellinghome.judge(env)
    strange = spellinghome.strangers(STRANGERS, env)
    total = right + len(wrong)
    if args.v:
        for typed, suggestion, meant in wrong:
            print(f'  {typed}: {suggestion}, not {" or ".join(meant)}')
        for typed, suggestion in strange:
            print(f'  {typed}: {suggestion}, but it is spelt right')
    print(f'{right} of {total} right first: {100 * right / total:.1f} %; {needless} more are found as they are')
    print(f'{len(strange)} of {STRANGERS} pairs of words that are spelt right got a suggestion')


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('--build')
parser.add_argument('--work')
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--home')
parser.add_argument('-v', action='store_true')
parser.add_argument('queries', nargs='*')
args = parser.parse_args()
if args.home:
    env = environment(args, args.home)
    for query in args.queries:
        suggestion = spellinghome.ask(query, env)[0]
        plain = cpu(suggestion or query, env)
        print(f'{query}: {suggestion}; {cpu(query, env):.0f} ms, without a mistake {plain:.0f} ms')
else:
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        share(args, work)
