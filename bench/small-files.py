#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""small-files.py --build BUILD: the cost of a small file for the extractors, which read and parse
it, and for the daemon. It is the CPU time of a first index of many generated files less that of
few, so that no start is counted, divided by the difference of their numbers; the median of some
runs."""
import argparse, os, random, shutil, statistics, subprocess, tempfile
import home

FEW, MANY, RUNS, WORDS = 200, 5200, 3, 250


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
        os.makedirs(f'{directory}/{i // 200}', exist_ok=True)
        with open(f'{directory}/{i // 200}/{i}.{kind}', 'w') as f:
            f.write(text_of(kind, i, rng.choices(vocabulary, k=WORDS)))


def cpu_ms(args, directory):
    """Returns the CPU time of the daemon, and that of its children."""
    path, env = home.make_home(args, directory)
    daemon = subprocess.Popen(['tarsierd', '--once'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.waitid(os.P_PID, daemon.pid, os.WEXITED | os.WNOWAIT)
    with open(f'/proc/{daemon.pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    if daemon.wait() != 0:
        raise SystemExit('tarsierd fails')
    shutil.rmtree(path)
    ms = 1000 / os.sysconf('SC_CLK_TCK')
    return ms * (int(fields[11]) + int(fields[12])), ms * (int(fields[13]) + int(fields[14]))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build')
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
print('| kind | converters ms a file | daemon ms a file |\n|---|---:|---:|')
for kind in ('txt', 'html', 'eml'):
    figures = []
    for n in (FEW, MANY):
        directory = f'{args.work}/{kind}.{n}'
        make_files(directory, n, kind)
        figures.append([statistics.median(of) for of in zip(*(cpu_ms(args, directory) for _ in range(RUNS)))])
    few, many = figures
    print(f'| {kind} | {(many[1] - few[1]) / (MANY - FEW):.2f} | {(many[0] - few[0]) / (MANY - FEW):.2f} |', flush=True)
shutil.rmtree(args.work)
