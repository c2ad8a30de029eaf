#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""small-files.py --build BUILD [--build BEFORE] [--kind KIND...] [--many N]: the cost of a small file
for the extractors, which read and parse it, and for the daemon. It is the CPU time of a first index
of many generated files less that of few, so that no start is counted, divided by the difference of
their numbers; the median of some runs, in which the builds alternate. Directories of the root hold
200 files each; of the kind "spread", those that are next to each other in time lie in 40 of them."""
import argparse, os, random, shutil, statistics, subprocess, tempfile
import home

FEW, RUNS, WORDS, SPREAD = 200, 3, 250, 40


def text_of(kind, i, words):
    line = ' '.join(words)
    if kind == 'html':
        return f'<!DOCTYPE html><html><head><title>{line[:40]}</title></head><body><h1>{line[:60]}</h1><p>{line}</p></body></html>'
    if kind == 'eml':
        return (f'From: a@example.org\nTo: b@example.org\nSubject: {line[:40]}\nDate: Mon, 2 Mar 2020 10:00:00 +0000\n'
                f'Message-ID: <{i}@example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{line}\n')
    return line


def make_files(directory, n, kind):
    rng = random.Random(5)
    vocabulary = [''.join(rng.choices('etaoinshrdlucmfw', k=rng.randrange(2, 11))) for _ in range(30000)]
    for i in range(n):
        where = f'{directory}/{i % SPREAD if kind == "spread" else i // 200}'
        os.makedirs(where, exist_ok=True)
        with open(f'{where}/{i}.{"txt" if kind == "spread" else kind}', 'w') as f:
            f.write(text_of(kind, i, rng.choices(vocabulary, k=WORDS)))


def cpu_ms(args, build, directory):
    """Returns the CPU time of the daemon, and that of its children."""
    path, env = home.make_home(argparse.Namespace(build=build, work=args.work), directory)
    daemon = subprocess.Popen(['tarsierd', '--once'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.waitid(os.P_PID, daemon.pid, os.WEXITED | os.WNOWAIT)
    with open(f'/proc/{daemon.pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    if daemon.wait() != 0:
        raise SystemExit('tarsierd fails')
    shutil.rmtree(path)
    ms = 1000 / os.sysconf('SC_CLK_TCK')
    return ms * (int(fields[11]) + int(fields[12])), ms * (int(fields[13]) + int(fields[14]))


def measure(args, kind):
    """Prints a row for each build."""
    runs = {}
    for n in (FEW, args.many):
        directory = f'{args.work}/{kind}.{n}'
        make_files(directory, n, kind)
        for _ in range(RUNS):
            for build in args.build:
                runs.setdefault((build, n), []).append(cpu_ms(args, build, directory))
    for build in args.build:
        few, many = ([statistics.median(of) for of in zip(*runs[build, n])] for n in (FEW, args.many))
        daemon, below = ((many[i] - few[i]) / (args.many - FEW) for i in (0, 1))
        print(f'| {kind} | {build or ""} | {below:.3f} | {daemon:.3f} |', flush=True)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build', action='append')
parser.add_argument('--kind', action='append')
parser.add_argument('--many', type=int, default=5200)
args = parser.parse_args()
args.build = args.build or [None]
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
print('| kind | build | converters ms a file | daemon ms a file |\n|---|---|---:|---:|')
for kind in args.kind or ('txt', 'spread', 'html', 'eml'):
    measure(args, kind)
shutil.rmtree(args.work)
