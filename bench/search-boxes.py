#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""search-boxes.py --build BUILD [--runs N] [NUMBER]: how long the search box of a desktop waits for
tarsier-bus, beside "tarsier search -l -n 10", in a tree of bench/scale.py with so many files (65000).

ms, medians of N runs that alternate. "search" is a whole process; "ids" the answer to
GetInitialResultSet and "facts" that to GetResultMetas for five hits, of which at most 40 ms are
waiting for passages. CPU of the bus service includes both of its processes, but neither the
extractors nor the bus. The first row is the first search after the start of the service. --keep
leaves tree and index in --work, where the next run finds them."""
import argparse, os, resource, shutil, statistics, struct, subprocess, sys, tempfile, time
import home, scale
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/ui-bus'))
import busclient

IDS = 5


def client(query, env):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(['tarsier', 'search', '-l', '-n', '10', query], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * wall, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def used(pids):
    """ms of CPU of the processes, threads that ended included."""
    return sum(1000 * time.clock_gettime((~pid << 3) | 2) for pid in pids)


def texts(body):
    """The strings of a body of type as."""
    out, at, end = [], 4, 4 + struct.unpack('<I', body[:4])[0]
    while at < end:
        at += -at % 4
        n = struct.unpack('<I', body[at:at + 4])[0]
        out.append(body[at + 4:at + 4 + n].decode())
        at += 5 + n
    return out


class Boxes:
    def __init__(self, program, env):
        self.service = subprocess.Popen([program], env=env)
        self.connection = busclient.Connection()
        while self.ask('org.freedesktop.DBus.Peer', 'Ping', '')[0]:
            pass

    def ask(self, *call):
        serial = self.connection.ask(*call)
        return self.connection.replies(1)[serial]

    def pids(self):
        with open(f'/proc/{self.service.pid}/task/{self.service.pid}/children') as f:
            return [self.service.pid] + [int(pid) for pid in f.read().split()]

    def timed(self, *call):
        pids, start = self.pids(), time.monotonic()
        before = used(pids)
        error, body = self.ask(*call)
        wall = 1000 * (time.monotonic() - start)
        assert not error, error
        return body, wall, used(pids) - before

    def search(self, query):
        body, *ids = self.timed(busclient.SHELL, 'GetInitialResultSet', 'as', query.split())
        facts = self.timed(busclient.SHELL, 'GetResultMetas', 'as', texts(body)[:IDS])[1:]
        return len(texts(body)), ids, facts


def measure(args, env):
    boxes, words = Boxes(os.path.abspath(args.build) + '/ui-bus/tarsier-bus', env), scale.words(args.seed)
    first = boxes.search(words[3001])
    print('| query | hits | search, wall | CPU | ids, wall | CPU | CPU, ratio | facts, wall | CPU |')
    print(f'| the first | {first[0]} | | | {first[1][0]:.1f} | | | {first[2][0]:.1f} | |')
    for name, query in (('a rare word', words[30000]), ('a word', words[3000]), ('its first four letters', words[3000][:4]), ('a common word', 'could'),
                        ('two common words', 'could new'), ('two letters', 'co')):
        rows = []
        for _ in range(args.runs):
            hits, ids, facts = boxes.search(query)
            rows.append([*client(query, env), *ids, *facts])
        search_wall, search, ids_wall, ids, facts_wall, facts = (statistics.median(column) for column in zip(*rows))
        print(f'| {name} | {hits} | {search_wall:.1f} | {search:.1f} | {ids_wall:.1f} | {ids:.1f} | {ids / search:.2f} | {facts_wall:.1f} | {facts:.1f} |', flush=True)
    boxes.service.terminate()
    boxes.service.wait()


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', required=True)
parser.add_argument('--work', help='directory for tree and index; default: one in TMPDIR')
parser.add_argument('--keep', action='store_true')
parser.add_argument('--runs', type=int, default=15)
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('number', nargs='?', type=int, default=65000)
if 'BUS_OF_BENCH' not in os.environ:
    parser.parse_args()
    os.environ['BUS_OF_BENCH'] = 'here'
    os.execvp('dbus-run-session', ['dbus-run-session', '--', sys.executable, *sys.argv])
args = parser.parse_args()
args.work = args.work or tempfile.mkdtemp(prefix='tarsier-bench.')
tree, mark = f'{args.work}/tree.{args.number}', f'{args.work}/home.{args.number}'
if os.path.exists(mark):
    with open(mark) as f:
        env = home.environment(args, f.read())
else:
    scale.make(tree, args.number, args.seed)
    path, env = home.make_home(args, tree)
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stderr=subprocess.DEVNULL)
    with open(mark, 'w') as f:
        f.write(path)
os.environ['PATH'] = env['PATH']
measure(args, env)
if not args.keep:
    shutil.rmtree(args.work)
