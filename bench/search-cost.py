#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""search-cost.py --build BUILD [--build BEFORE] [--runs N] [NUMBER...]: what a search costs as a
whole process, by kind of query, in trees of bench/scale.py with so many files.
search-cost.py --build BUILD [--build BEFORE] [--runs N] --home HOME...: in homes that
`bench/collection --spread HOME NUMBER WORDS TREE` has made of the texts of such a tree; in ms.

The figures are the CPU time of the client in that of /bin/true in the same run, the median of N
runs; the builds alternate, each on an index that it makes of the same tree. --keep leaves trees and
indexes in --work, where the next run finds them."""
import argparse, hashlib, os, resource, shutil, statistics, subprocess, tempfile
import home, scale


def queries(seed, top, below, other, rare):
    words = scale.words(seed)
    listed = {'--version': None, 'a rare word': [rare], 'a word': [words[3000]], 'a common word': ['could'],
              'the most common word': ['the'], 'two common words': ['could', 'new'], 'a phrase': ['"of the"'],
              '--sort date': ['--sort', 'date', 'could'], '--sort date, oldest': ['--sort', 'date', '--reverse', 'could'],
              '--sort date, the most common': ['--sort', 'date', 'the'],
              '--sort date, oldest, the most common': ['--sort', 'date', '--reverse', 'the'], 'd*': ['d*'], 'pr*': ['pr*'],
              'pro*': ['pro*'], 'z*': ['z*'], 'common, large dir:': ['could', f'dir:{top}'],
              'common, small dir:': ['could', f'dir:{top}/{below}'], 'common, dir: of one file': ['could', f'dir:{other}'],
              'most common, large dir:': ['the', f'dir:{top}'], 'most common, dir: of one file': ['the', f'dir:{other}'],
              'common, ext:': ['could', 'ext:h'], 'common, ext: that no file has': ['could', 'ext:zzz'], '*vice*': ['*vice*'],
              'fuzzy': [words[3000] + '~'], '-q, a rare word': ['-q', rare], '-q, a common word': ['-q', 'could'],
              '-c, a rare word': ['-c', rare], '-c, a common word': ['-c', 'could']}
    commands = {name: ['tarsier', 'search', '-n', '20', '--no-snippets'] + args if args else ['tarsier', '--version']
                for name, args in listed.items()}
    return commands | {'status': ['tarsier', 'status']}


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


def queries_of_tree(args, n):
    path = scale.directory_of(scale.FILES_IN_DIRECTORY * 41, scale.words(args.seed)).split('/')
    return queries(args.seed, path[0], path[1], f'{args.work}/tree.{n}/{"/".join(path)}', 'rareword4711')


def first_directory(path):
    return min(os.listdir(path), key=lambda name: (len(name), name))


def queries_of_home(args, path):
    top = first_directory(f'{path}/files')
    below = first_directory(f'{path}/files/{top}')
    lowest = first_directory(f'{path}/files/{top}/{below}')
    return queries(args.seed, top, below, f'{path}/files/{top}/{below}/{lowest}', args.rare)


def measure(args, label, environments, commands):
    for name, command in commands.items():
        if args.only and args.only not in name:
            continue
        figures, codes = [[] for _ in environments], set()
        empty = []
        for _ in range(args.runs):
            empty.append(cost(['/bin/true'], environments[0])[0])
            for of, env in zip(figures, environments):
                seconds, code = cost(command, env)
                of.append(seconds)
                codes.add(code)
        floor = statistics.median(empty)
        unit = .001 if args.home else floor
        cells = ' | '.join(f'{statistics.median(of) / unit:.1f}' for of in figures)
        failed = f' (exits {sorted(codes)})' if codes - {0} else ''
        print(f'| {label} | {name}{failed} | {1000 * floor:.2f} | {cells} |', flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', action='append', required=True)
parser.add_argument('--work', help='directory for trees and indexes; default: one in TMPDIR')
parser.add_argument('--keep', action='store_true')
parser.add_argument('--runs', type=int, default=11)
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--home', nargs='+', default=[])
parser.add_argument('--rare', default='rareword4711', help='a word that few documents of the homes have')
parser.add_argument('--only', help='queries whose kind contains this')
parser.add_argument('numbers', nargs='*', type=int)
args = parser.parse_args()
args.work = args.work or tempfile.mkdtemp(prefix='tarsier-bench.')
print('| files | query | /bin/true ms |' + ' '.join(f' {build} |' for build in args.build))
for path in args.home:
    environments = [home.environment(argparse.Namespace(build=build), os.path.realpath(path)) for build in args.build]
    measure(args, os.path.basename(path), environments, queries_of_home(args, os.path.realpath(path)))
for n in [] if args.home else args.numbers or [79000]:
    measure(args, n, made(args, n), queries_of_tree(args, n))
if not args.keep:
    shutil.rmtree(args.work)
