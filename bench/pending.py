#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pending.py --build BUILD [--build BEFORE] [NUMBER...]: what a search for a rare word and `status` cost while files wait.

A daemon that is paused lists 500 texts, which it has converted, and NUMBER files, which wait. The figures are milliseconds of CPU and wall time of
the client as a whole process, the median of 15 runs; the builds alternate on one index, which the first one makes."""
import argparse, os, resource, shutil, sqlite3, statistics, subprocess, tempfile, time
import home

TEXTS, RUNS = 500, 15


def pending(index):
    db = sqlite3.connect(f'file:{index}/index.db?mode=ro', uri=True)
    n = db.execute('SELECT count(*) FROM inode WHERE state <> 0 AND state = 1').fetchone()[0]
    db.close()
    return n


def make_files(tree, n):
    for i in range(n):
        os.makedirs(f'{tree}/{i // 1000}', exist_ok=True)
        with open(f'{tree}/{i // 1000}/waiting-{i}.txt', 'w') as f:
            f.write(str(i))


def cost(command, env):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), 1000 * wall


def measure(args, n):
    tree = tempfile.mkdtemp(prefix='tree.', dir=args.work)
    for i in range(TEXTS):
        with open(f'{tree}/{i}.txt', 'w') as f:
            f.write(f'words that all texts have, and one of its own: rareword{i}\n')
    environments = [home.make_home(argparse.Namespace(build=build, work=args.work), tree) for build in args.build or [None]]
    path, env = environments[0]
    index = path + '/.local/share/tarsier'
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stderr=subprocess.DEVNULL)
    daemon = subprocess.Popen(['tarsierd'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while subprocess.run(['tarsier', 'pause'], env=env, capture_output=True).returncode != 0:
        time.sleep(0.1)
    make_files(tree, n)
    while pending(index) < n:
        time.sleep(0.5)
    time.sleep(5)
    commands = {'a rare word': ['tarsier', 'rareword7'], 'status': ['tarsier', 'status']}
    figures = {}
    for _ in range(RUNS):
        for build, (_, own) in zip(args.build or [None], environments):
            for name, command in commands.items():
                figures.setdefault((name, build), []).append(cost(command, {**own, 'TARSIER_INDEX': index, 'XDG_RUNTIME_DIR': env['XDG_RUNTIME_DIR']}))
    for (name, build), runs in sorted(figures.items(), key=lambda item: item[0][0]):
        cpu, wall = (statistics.median(of) for of in zip(*runs))
        print(f'| {n} | {name} | {build or ""} | {cpu:.1f} | {wall:.1f} |', flush=True)
    daemon.terminate()
    daemon.wait()
    for made, _ in environments:
        shutil.rmtree(made)
    shutil.rmtree(tree)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', action='append')
parser.add_argument('--work', help='directory for the homes; default: TMPDIR')
parser.add_argument('numbers', nargs='*', type=int, default=[0, 100000])
args = parser.parse_args()
print('| waiting | command | build | CPU ms | wall ms |\n|---:|---|---|---:|---:|')
for n in args.numbers:
    measure(args, n)
