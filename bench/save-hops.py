#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""save-hops.py [--build BUILD [--build BEFORE]] [--files N] [--saves N] [PHASE...]: where the time of a saved file goes.

Files are saved one by one, .3 s after the last one was found: while nothing else is done (quiet), during a first index of N small
files (first), while N files are loaded that a renamed directory brought (load), while nothing else is done with twice the files
(loaded: what a search beside the load is compared with), and while as many are removed, purged and merged (purge). The daemon's debug lines tell when a save passed from one thread to the next one; "found" is when its document can be
read from the index. A search for a rare word follows each save. All times are milliseconds: median / 99th percentile. Saves that
began before the end of the phase count; with --saves 0 there are none, and the last two columns tell what the phase itself costs.
With --build twice, the builds alternate. Output: Markdown."""
import argparse, os, re, shutil, signal, sqlite3, subprocess, tempfile, time
import home, measure

PAUSE_S, LIMIT_S = 0.3, 60
HOPS = ('compared', 'started', 'read', 'taken', 'in pool', 'sent', 'converted', 'added', 'committed', 'found')
PHASES = ('quiet', 'first', 'load', 'loaded', 'purge')
LINE = re.compile(r'\[(\d+\.\d+)\] (.*)')


def fill(directory, n, first=0):
    for i in range(first, first + n):
        if i % 200 == 0:
            os.makedirs(f'{directory}/{i // 200}')
        with open(f'{directory}/{i // 200}/{i}.txt', 'w') as f:
            f.write(f'a small file {i} ' + ' '.join(f'word{(i * k) % 9973}' for k in range(60)))


def saved_directory(db):
    """The id of the directory the saves go to, once it is in the index. A search for a name alone scans all names."""
    row = db.execute("SELECT id FROM node WHERE name = CAST('saved' AS BLOB)").fetchone()
    return row and row[0]


def is_found(db, directory, name):
    return db.execute('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode JOIN document d ON d.content = i.content '
                      'WHERE n.parent = ? AND n.name = ? AND i.state = 0', (directory, name.encode())).fetchone() is not None


class Log:
    """The debug lines of a daemon: of each save, the times at which it passed a hop."""
    def __init__(self, path):
        self.lines = []
        with open(path, errors='replace') as f:
            for line in f:
                m = LINE.search(line)
                if m:
                    self.lines.append((float(m[1]), m[2]))

    def passed(self):
        """Returns {name: {hop: time}}, and the long steps as (end, name, ms, CPU ms)."""
        saves, inodes, steps, uncommitted = {}, {}, [], []
        for at, text in self.lines:
            name = re.search(r'save-[a-z]+-\d+\.txt', text)
            inode = re.search(r'job: inode (\d+): (.*)', text)
            step = re.match(r'tick: ([a-z ]+): (\d+) us, (\d+) us of CPU', text)
            if step:
                steps.append((at, step[1], int(step[2]) / 1000, int(step[3]) / 1000))
            elif text.startswith('commit: '):
                for hops in uncommitted:
                    hops.setdefault('committed', at)
                uncommitted = []
            elif inode and inode[1] in inodes and not name:
                hops = inodes[inode[1]]
                if inode[2] == 'is to be converted':
                    hops['taken'] = at
                elif inode[2] == 'is up to date':
                    hops['added'] = at
                    uncommitted.append(hops)
            elif name:
                hops = saves.setdefault(name[0], {})
                if inode:
                    inodes[inode[1]] = hops
                for hop, words in (('compared', 'compared with'), ('started', ': reads'), ('read', ' is read'), ('in pool', 'waits for a child'),
                                   ('sent', 'is sent to a child'), ('converted', ' is done')):
                    if words in text:
                        hops[hop] = at
        return saves, steps


class Run:
    def __init__(self, args, build):
        self.args = args
        self.tree = tempfile.mkdtemp(dir=args.work, prefix='tree.')
        self.outside = tempfile.mkdtemp(dir=args.work, prefix='outside.')
        os.mkdir(self.tree + '/saved')
        self.home, self.env = home.make_home(argparse.Namespace(build=build, work=args.work), self.tree)
        self.env['TARSIER_DEBUG'] = 'queue,job,converter,commit,tick'
        self.index = self.home + '/.local/share/tarsier'
        self.log, self.daemon, self.saved, self.searches = self.home + '/log', None, {}, {}
        self.cost, self.directory = {}, None

    def start(self):
        with open(self.log, 'w') as log:
            self.daemon = subprocess.Popen(['tarsierd'], env=self.env, stdout=subprocess.DEVNULL, stderr=log)

    def wait(self):
        while subprocess.run(['tarsier', 'status', '--wait=600', '-q'], env=self.env, stderr=subprocess.DEVNULL).returncode != 0:
            time.sleep(0.05)

    def is_busy(self):
        """Has the tree used more than a tenth of a processor for a while?"""
        before = measure.tree_cpu(self.daemon.pid)
        time.sleep(1)
        return measure.tree_cpu(self.daemon.pid) - before > 0.1

    def save(self, db, phase):
        name = f'save-{phase}-{len(self.saved.setdefault(phase, {}))}.txt'
        with open(f'{self.tree}/saved/{name}', 'w') as f:
            f.write(f'what was saved as {name.replace("-", "")}')
        start = time.monotonic()
        while not self.directory or not is_found(db, self.directory, name):
            self.directory = self.directory or saved_directory(db)
            if time.monotonic() - start > LIMIT_S:
                break
            time.sleep(0.001)
        self.saved[phase][name] = (start, time.monotonic())
        begun = time.monotonic()
        subprocess.run(['tarsier', 'search', '-l', 'word17 small'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.searches.setdefault(phase, []).append(1000 * (time.monotonic() - begun))

    def saves(self, phase, goes_on):
        db = sqlite3.connect(f'file:{self.index}/index.db?mode=ro', uri=True, isolation_level=None)
        begun, cpu = time.monotonic(), measure.tree_cpu(self.daemon.pid)
        while len(self.saved.get(phase, {})) < self.args.saves and goes_on(db):
            self.save(db, phase)
            time.sleep(PAUSE_S)
        while goes_on(db) and phase not in ('quiet', 'loaded'):
            time.sleep(0.1)
        self.cost[phase] = time.monotonic() - begun, measure.tree_cpu(self.daemon.pid) - cpu
        db.close()

    def first(self):
        fill(self.tree + '/files', self.args.files)
        self.start()
        while not os.path.exists(self.index + '/index.db') or subprocess.run(['tarsier', 'status', '-q'], env=self.env, stderr=subprocess.DEVNULL).returncode > 1:
            time.sleep(0.02)
        n = self.args.files
        self.saves('first', lambda db: self.documents(db) < n)

    def documents(self, db):
        return db.execute('SELECT max(id) FROM document').fetchone()[0] or 0

    def load(self):
        fill(self.outside + '/more', self.args.files, first=self.args.files)
        db = sqlite3.connect(f'file:{self.index}/index.db?mode=ro', uri=True, isolation_level=None)
        until = self.documents(db) + self.args.files
        db.close()
        os.rename(self.outside + '/more', self.tree + '/more')
        self.saves('load', lambda db: self.documents(db) < until)

    def purge(self):
        os.rename(self.tree + '/more', self.outside + '/gone')
        idle = [0, time.monotonic() + 5]

        def goes_on(db):
            if time.monotonic() > idle[1]:
                idle[0] = 0 if self.is_busy() else idle[0] + 1
                idle[1] = time.monotonic() + 3
            return idle[0] < 2
        self.saves('purge', goes_on)

    def run(self):
        self.first()
        self.wait()
        time.sleep(5)
        for phase in self.args.phases:
            if phase in ('quiet', 'loaded'):
                self.saves(phase, lambda db: True)
            elif phase != 'first':
                getattr(self, phase)()
                self.wait()
                time.sleep(5)
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()
        shutil.rmtree(self.tree)
        shutil.rmtree(self.outside)


def cell(values):
    return f'{measure.percentile(values, 50):.1f} / {measure.percentile(values, 99):.1f}' if values else ''


def report(build, run):
    passed, steps = Log(run.log).passed()
    shutil.rmtree(run.home)
    for phase in run.cost:
        saved = run.saved.get(phase, {})
        waits = {hop: [] for hop in HOPS}
        for name, (start, found) in saved.items():
            hops, before = dict(passed.get(name, {}), found=found), start
            for hop in HOPS:
                if hop in hops:
                    waits[hop].append(1000 * (hops[hop] - before))
                    before = hops[hop]
        total = [1000 * (found - start) for start, found in saved.values()]
        wall, cpu = run.cost[phase]
        print(f'| {build} | {phase} | {len(saved)} | {cell(total)} | ' + ' | '.join(cell(waits[hop]) for hop in HOPS) +
              f' | {cell(run.searches.get(phase, []))} | {wall:.1f} | {cpu:.1f} |', flush=True)
        if run.args.steps:
            spans = list(saved.values())
            inside = {}
            for at, step, ms, cpu_ms in steps:
                if any(start < at and at - ms / 1000 < found for start, found in spans):
                    inside.setdefault(step, []).append((ms, cpu_ms))
            for step, times in sorted(inside.items(), key=lambda item: -len(item[1])):
                print(f'    {phase}: while a save waited: {step}: {len(times)} steps of 5 ms or more: {cell([ms for ms, _ in times])}, '
                      f'CPU {cell([cpu_ms for _, cpu_ms in times])}')


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', action='append')
parser.add_argument('--files', type=int, default=50000)
parser.add_argument('--saves', type=int, default=200)
parser.add_argument('--runs', type=int, default=1)
parser.add_argument('--steps', action='store_true', help='also tell the long steps of the engine during the saves')
parser.add_argument('phases', nargs='*', default=list(PHASES))
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
print('| build | phase | saves | all | ' + ' | '.join(HOPS) + ' | search | wall s | CPU s |\n|---|---|' + '---:|' * (len(HOPS) + 5))
for _ in range(args.runs):
    for build in args.build or [None]:
        run = Run(args, build)
        run.run()
        report(build or '', run)
shutil.rmtree(args.work)
