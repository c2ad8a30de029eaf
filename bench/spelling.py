#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""spelling.py: how often is the suggested query the one that was meant?

  spelling.py [--build DIR] [--work DIR] [--seed N] [-v]
  spelling.py [--build DIR] [--work DIR] [--seed N] [-v] --errors FILE [--texts DIR] [--words N]
  spelling.py [--build DIR] --home HOME QUERY...

Writes the texts of tests/cli/spelling-texts.txt, asks the misspelt queries of
tests/cli/spelling-queries.txt, and prints the share of right answers. With --errors, asks words of a
list of errors that people made ("wrong->right, right", as dictionary.txt of Debian's codespell) over
an index of the texts, /usr/share/doc by default: words that no text has, one of whose right
spellings some text has. Prints the share of those that are right first, and among three. With --home, prints for each
query the suggestion of an index made before, and the CPU of the client beside that of a query for
the suggestion itself: the median of eleven runs."""
import argparse, os, random, resource, statistics, subprocess, sys, tempfile
BENCH = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [BENCH, os.path.join(BENCH, '../tests/cli')]
import spellinghome
from home import environment, make_home, output

RUNS = 11
STRANGERS = 200


def is_found(word, env):
    return subprocess.run(['tarsier', 'search', '-q', '--', '=' + word], env=env, capture_output=True).returncode == 0


def errors_of(path, seed):
    """Returns (wrong, [right]) in an order that the seed decides."""
    with open(path, encoding='utf-8') as f:
        rows = [line.strip().split('->') for line in f if '->' in line]
    errors = [(wrong, [word.strip().lower() for word in right.split(',') if word.strip()]) for wrong, right in rows]
    errors = [(wrong, right) for wrong, right in errors if all(word.isalpha() for word in [wrong, *right])]
    random.Random(seed).shuffle(errors)
    return errors


def share_of_errors(args, work):
    args.work = work
    _, env = make_home(args, args.texts)
    output(['tarsier', '-q', 'index'], env)
    first, three, asked = 0, 0, 0
    for wrong, right in errors_of(args.errors, args.seed):
        if asked == args.words:
            break
        if not any(is_found(word, env) for word in right):
            continue
        answers = spellinghome.answers(wrong, env)
        if answers[0]['total'] > 0:
            continue
        asked += 1
        suggestions = [s.lower() for s in [answers[-1].get('suggestion') or '', *answers[-1].get('other_suggestions', [])]]
        first += suggestions[0] in right
        three += any(word in right for word in suggestions)
        if args.v and suggestions[0] not in right:
            print(f'  {wrong}: {", ".join(suggestions)}, not {" or ".join(right)}')
    print(f'{asked} words: {100 * first / max(asked, 1):.1f} % right first, {100 * three / max(asked, 1):.1f} % among three')


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
parser.add_argument('--errors')
parser.add_argument('--texts', default='/usr/share/doc')
parser.add_argument('--words', type=int, default=500)
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
        (share_of_errors if args.errors else share)(args, work)
