#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""obvious.py: is the hit that everybody expects the first one?

  obvious.py [--build DIR] [--work DIR] [--typed] [-v]

Writes the home of obvious_home.py, indexes it and prints, for all pairs and for each class, the share of first hits and the mean of
1 / rank (MRR) among the first 20. A copy below the hit does not count: its own line must show the file. -v: the pairs that are not first.
--typed: asks as tui does while the last word is typed ("bread baking OR baking*"), where that word is plain and long enough."""
import argparse, json, os, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from home import make_home
from obvious_home import build

DEPTH = 20


def ask(home, query, env):
    """Returns the paths of the first hits, relative to home, and what stands on stderr."""
    done = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', '-n', str(DEPTH), '--', query], env=env, cwd=home, capture_output=True)
    hits = [h for h in map(json.loads, done.stdout.splitlines()) if h['type'] == 'hit']
    return [os.path.relpath(h['path'], home) + ('|' + h['member'] if h['member'] else '') for h in hits], done.stderr.decode()


def open_ended(pairs):
    last_words = ((pair, pair[1].split(' ')[-1]) for pair in pairs)
    return [(group, f'{query} OR {last}*', wanted) for (group, query, wanted), last in last_words if len(last) > 3 and last.isalnum()]


def score(pairs, home, env, verbose=False):
    """Returns the reciprocal ranks by class."""
    classes = {}
    for group, query, wanted in pairs:
        found, err = ask(home, query, env)
        rank = found.index(wanted) + 1 if wanted in found else 0
        classes.setdefault(group, []).append(1 / rank if rank else 0)
        if verbose and rank != 1:
            print(f'# {group}: "{query}": {wanted} is {rank or "not found"}; first: {", ".join(found[:2])} {err.strip()[:100]}')
    return classes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build')
    parser.add_argument('--work', default=tempfile.gettempdir())
    parser.add_argument('--typed', action='store_true')
    parser.add_argument('-v', action='store_true')
    args = parser.parse_args()
    tree = tempfile.mkdtemp(dir=args.work, prefix='tree.')
    home, env = make_home(args, tree)
    env['HOME'] = tree # for "~"
    env.update(XDG_CONFIG_HOME=home + '/.config', XDG_DATA_HOME=home + '/.data', XDG_CACHE_HOME=home + '/.cache')
    pairs = build(tree)
    subprocess.run(['tarsierd', '--once'], env=env, check=True)
    classes = score(open_ended(pairs) if args.typed else pairs, tree, env, args.v)
    print('| class | pairs | first | MRR |\n|---|---:|---:|---:|')
    for name, ranks in [*classes.items(), ('all', sum(classes.values(), []))]:
        print(f'| {name} | {len(ranks)} | {sum(r == 1 for r in ranks)} | {sum(ranks) / len(ranks):.3f} |')
    print(f'home: {home}, {tree}')


if __name__ == '__main__':
    main()
