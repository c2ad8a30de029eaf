#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""search-cost.py --build BUILD [--build BEFORE] [--runs N] [NUMBER...]: what a search costs as a
whole process, by kind of query, in trees of bench/scale.py with so many files.

The figures are the CPU time of the client in that of /bin/true in the same run, the median of N
runs; the builds alternate, each on an index that it makes of the same tree. --keep leaves trees and
indexes in --work, where the next run finds them."""
import argparse, hashlib, os, resource, shutil, statistics, subprocess, tempfile
import home, scale


def queries(seed):
    words = scale.words(seed)
    top, below = scale.directory_of(scale.FILES_IN_DIRECTORY * 41, words).split('/')[:2]
    listed = {'--version': None, 'a rare word': ['rareword4711'], 'a word': [words[3000]], 'a common word': ['could'],
              'two common words': ['could', 'new'], '--sort date': ['--sort', 'date', 'could'],
              '--sort date, the most common': ['--sort', 'date', 'the'], 'd*': ['d*'], 'pr*': ['pr*'],
              'common, large dir:': ['could', f'dir:{top}'], 'common, small dir:': ['could', f'dir:{top}/{below}'],
              'common, ext:': ['could', 'ext:h'], '*vice*': ['*vice*'], '-q, a rare word': ['-q', 'rareword4711'],
              '-q, a common word': ['-q', 'could'], '-c, a rare word': ['-c', 'rareword4711'], '-c, a common word': ['-c', 'could']}
    return {name: ['tarsier', 'search', '-n', '20', '--no-snippets'] + args if args else ['tarsier', '--version']
            for name, args in listed.items()}


def cost(command, env):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code


def made(args, n):
    """Environments of the builds, each with an index of n files."""
    tree = f'{args.work}/tree.{n}'
    if not os.path.exists(tree):
        scale.make(tree, n, args.seed)
    environments = []
    for build in args.build:
        mark = f'{args.work}/home.{n}.{hashlib.sha256(os.path.realpath(build).encode()).hexdigest()[:8]}'
        options = argparse.Namespace(build=build, work=args.work)
        if os.path.exists(mark):
            path = open(mark).read()
        else:
            path, env = home.make_home(options, tree)
            seconds, _ = cost(['tarsierd', '--once'], env)
            print(f'# {build}: {seconds:.1f} s for the index of {n} files', flush=True)
            with open(mark, 'w') as f:
                f.write(path)
        environments.append(home.environment(options, path))
    return environments


def measure(args, n):
    environments = made(args, n)
    for name, command in queries(args.seed).items():
        figures, codes = [[] for _ in environments], set()
        empty = []
        for _ in range(args.runs):
            empty.append(cost(['/bin/true'], environments[0])[0])
            for of, env in zip(figures, environments):
                seconds, code = cost(command, env)
                of.append(seconds)
                codes.add(code)
        floor = statistics.median(empty)
        cells = ' | '.join(f'{statistics.median(of) / floor:.1f}' for of in figures)
        failed = f' (exits {sorted(codes)})' if codes - {0} else ''
        print(f'| {n} | {name}{failed} | {1000 * floor:.2f} | {cells} |', flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', action='append', required=True)
parser.add_argument('--work', help='directory for trees and indexes; default: one in TMPDIR')
parser.add_argument('--keep', action='store_true')
parser.add_argument('--runs', type=int, default=11)
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('numbers', nargs='*', type=int, default=[79000])
args = parser.parse_args()
args.work = args.work or tempfile.mkdtemp(prefix='tarsier-bench.')
print('| files | query | /bin/true ms |' + ' '.join(f' {build} |' for build in args.build))
for n in args.numbers:
    measure(args, n)
if not args.keep:
    shutil.rmtree(args.work)
