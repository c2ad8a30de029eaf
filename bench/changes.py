#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""changes.py --build BUILD [NUMBER]: what the log of changes costs while an export follows, on a tree of small texts
(bench/scale.py): processor time of the first index (user and system, tarsierd and its children), and size of the index,
with and without a consumer, by turns. The consumer has read nothing, so that nothing is trimmed. RUNS pairs; the ratio is
that of the medians."""
import argparse, os, resource, shutil, sqlite3, statistics, subprocess, sys, tempfile
import home, scale

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build')
parser.add_argument('number', nargs='?', type=int, default=20000)
parser.add_argument('--runs', type=int, default=5)
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
TREE = args.work + '/tree'


def index(env):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(consumer):
    """The index is made empty, so that a consumer can be known before the first file."""
    os.makedirs(TREE)
    path, env = home.make_home(args, TREE)
    index(env)
    file = path + '/.local/share/tarsier/index.db'
    if consumer:
        with sqlite3.connect(file) as db:
            db.execute("INSERT INTO change(kind, id) VALUES(0, 0)")
            db.execute("INSERT INTO meta VALUES('changes_floor', 1)")
            db.execute("INSERT INTO consumer VALUES('bench', 1, 0, 0, NULL, NULL, NULL)")
        db.close()
    os.rmdir(TREE)
    os.rename(args.work + '/files', TREE)
    seconds = index(env)
    os.rename(TREE, args.work + '/files')
    with sqlite3.connect(f'file:{file}?mode=ro', uri=True) as db:
        rows = db.execute('SELECT count(*) FROM change').fetchone()[0]
        files = db.execute('SELECT count(*) FROM document').fetchone()[0]
    db.close()
    if files < args.number or (rows > 1) != consumer:
        sys.exit(f'{files} documents, {rows} changes')
    size = os.path.getsize(file)
    shutil.rmtree(path)
    return seconds, size


try:
    scale.make(args.work + '/files', args.number, 1)
    measure(False)  # the tree comes into the cache
    pairs = [(measure(False), measure(True)) for _ in range(args.runs)]
    plain, logged = ([statistics.median(pair[side][i] for pair in pairs) for i in (0, 1)] for side in (0, 1))
    print('| | without | with | ratio |\n|---|---:|---:|---:|')
    print(f'| first index, CPU s | {plain[0]:.2f} | {logged[0]:.2f} | {logged[0] / plain[0]:.3f} |')
    print(f'| size, MB | {plain[1] / 1e6:.2f} | {logged[1] / 1e6:.2f} | {logged[1] / plain[1]:.3f} |')
    print('pairs: ' + ', '.join(f'{b[0] / a[0]:.3f}' for a, b in pairs))
finally:
    shutil.rmtree(args.work, ignore_errors=True)
