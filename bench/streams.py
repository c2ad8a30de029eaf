#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""streams.py --build BUILD [--build BEFORE] [STREAM...]: what single saves and streams of new files cost the daemon.

In a home of 5,000 texts: new files that are saved one by one; texts that are edited and saved as most editors do, by a rename over the old file;
2,000 mails that come 5 ms apart; 10,000 small files that are unpacked in ten seconds. "Written" is what the kernel counts for the daemon (write_bytes: log, database, cache, journal), from before the stream until the maintenance after it is done;
--work must not lie on a tmpfs. CPU seconds are those of the daemon and all its children. "Found" is the time from the last byte of a file until
its document can be read from the index: of every save, of every 20th mail, and of the first and the last file. With --build twice, the builds
alternate, each on a home of its own. Output: a Markdown table of the medians of all runs."""
import argparse, os, random, shutil, signal, sqlite3, statistics, subprocess, tempfile, threading, time
import home, measure

TEXTS, SAVES, MAILS, FILES = 5000, 60, 2000, 10000
SAVE_PAUSE_S, MAIL_PAUSE_S, FILE_PAUSE_S = 0.3, 0.005, 0.001
LIMIT_S, QUIET_S = 300, 5  # maintenance begins after three quiet seconds


class Words:
    def __init__(self):
        self.rng = random.Random(1)
        self.words = [''.join(self.rng.choices('etaoinshrdlucmfw', k=self.rng.randrange(2, 11))) for _ in range(30000)]
        self.weights, total = [], 0
        for i in range(len(self.words)):
            total += 1 / (i + 3)  # Zipf
            self.weights.append(total)

    def text(self, size):
        lines = []
        while size > 0:
            lines.append(' '.join(self.rng.choices(self.words, cum_weights=self.weights, k=12)))
            size -= len(lines[-1]) + 1
        return '\n'.join(lines) + '\n'

    def mail(self, i):
        subject = self.text(40).split('\n')[0]
        return (f'From: Person {i % 97} <person{i % 97}@example.org>\nTo: me@example.org\nSubject: {subject}\nDate: Mon, 2 Mar 2020 10:{i // 60 % 60:02}:{i % 60:02} +0000\n'
                f'Message-ID: <{i}.{self.rng.random()}@example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{self.text(1500)}')


class Finder(threading.Thread):
    """Waits until files are found, and keeps the milliseconds that it took."""
    def __init__(self, index):
        super().__init__(daemon=True)
        self.index, self.todo, self.found_ms, self.ended = index, [], [], False
        self.start()

    def add(self, path):
        self.todo.append((os.path.basename(path), os.stat(path).st_mtime_ns, time.monotonic()))

    def run(self):
        db = sqlite3.connect(f'file:{self.index}/index.db?mode=ro', uri=True, isolation_level=None)
        while self.todo or not self.ended:
            if self.todo and is_done(db, *self.todo[0][:2]):
                self.found_ms.append(1000 * (time.monotonic() - self.todo.pop(0)[2]))
                continue
            time.sleep(0.001)

    def end(self):
        self.ended = True
        self.join(LIMIT_S)
        return sorted(self.found_ms)


def is_done(db, name, mtime_ns):
    return db.execute('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode JOIN document d ON d.content = i.content '
                      'WHERE n.name = ? AND i.state = 0 AND i.mtime_ns = ?', (name.encode(), mtime_ns)).fetchone() is not None


def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(content)


class Run:
    def __init__(self, args, build):
        self.tree = tempfile.mkdtemp(dir=args.work, prefix='tree.')
        self.words = Words()
        for i in range(TEXTS):
            put(f'{self.tree}/texts/{i % 40}/{i}.txt', self.words.text(self.words.rng.choice([1000, 2000, 4000, 8000])))
        for name in ('mail/tmp', 'mail/new', 'saved', 'unpacked'):
            os.makedirs(f'{self.tree}/{name}')
        self.home, self.env = home.make_home(argparse.Namespace(build=build, work=args.work), self.tree)
        subprocess.run(['tarsierd', '--once'], env=self.env, check=True, stderr=subprocess.DEVNULL)
        self.daemon = subprocess.Popen(['tarsierd'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.index = self.home + '/.local/share/tarsier'
        self.sync()
        time.sleep(QUIET_S)

    def sync(self):
        while subprocess.run(['tarsier', 'status', f'--wait={LIMIT_S}', '-q'], env=self.env, stderr=subprocess.DEVNULL).returncode != 0:
            time.sleep(0.05)

    def saves(self, finder):
        for i in range(SAVES):
            put(f'{self.tree}/saved/save-{i}.txt', self.words.text(2000))
            finder.add(f'{self.tree}/saved/save-{i}.txt')
            time.sleep(SAVE_PAUSE_S)
        return SAVES

    def edits(self, finder):
        for i in range(SAVES):
            path = f'{self.tree}/texts/{i % 40}/{i}.txt'
            with open(path) as f:
                put(path + '.new', f.read() + self.words.text(80))
            os.rename(path + '.new', path)
            finder.add(path)
            time.sleep(SAVE_PAUSE_S)
        return SAVES

    def mails(self, finder):
        mails = [self.words.mail(i) for i in range(MAILS)]
        begun = time.monotonic()
        for i, mail in enumerate(mails):
            put(f'{self.tree}/mail/tmp/mail-{i}', mail)
            os.rename(f'{self.tree}/mail/tmp/mail-{i}', f'{self.tree}/mail/new/mail-{i}')
            if i % 20 == 0:
                finder.add(f'{self.tree}/mail/new/mail-{i}')
            time.sleep(max(0, begun + (i + 1) * MAIL_PAUSE_S - time.monotonic()))
        return MAILS

    def files(self, finder):
        texts = [self.words.text(600) for i in range(FILES)]
        begun = time.monotonic()
        for i, text in enumerate(texts):
            put(f'{self.tree}/unpacked/{i // 100}/file-{i}.txt', text)
            if i in (0, FILES - 1):
                finder.add(f'{self.tree}/unpacked/{i // 100}/file-{i}.txt')
            time.sleep(max(0, begun + (i + 1) * FILE_PAUSE_S - time.monotonic()))
        return FILES

    def measure(self, stream):
        """Returns the number of files, MB written, CPU seconds and the sorted waits."""
        finder = Finder(self.index)
        written, cpu = measure.written_bytes(self.daemon.pid), measure.tree_cpu(self.daemon.pid)
        n = STREAMS[stream](self, finder)
        waits = finder.end()
        time.sleep(QUIET_S)
        return n, (measure.written_bytes(self.daemon.pid) - written) / 1e6, measure.tree_cpu(self.daemon.pid) - cpu, waits

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()
        shutil.rmtree(self.home)
        shutil.rmtree(self.tree)


STREAMS = {'saves': Run.saves, 'edits': Run.edits, 'mails': Run.mails, 'files': Run.files}
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', action='append')
parser.add_argument('--runs', type=int, default=1)
parser.add_argument('--work', help='directory for the homes; default: TMPDIR')
parser.add_argument('streams', nargs='*', default=list(STREAMS), metavar='STREAM', help=', '.join(STREAMS))
args = parser.parse_args()
figures = {}
for _ in range(args.runs):
    for build in args.build or [None]:
        run = Run(args, build)
        for stream in args.streams:
            figures.setdefault((stream, build), []).append(run.measure(stream))
        run.stop()
print('| stream | build | files | written MB | KB a file | CPU s | found ms: median | 95th | longest |\n|---|---|---:|---:|---:|---:|---:|---:|---:|')
for (stream, build), runs in sorted(figures.items(), key=lambda item: args.streams.index(item[0][0])):
    n, waits = runs[0][0], sorted(wait for run in runs for wait in run[3])
    written, cpu = (statistics.median(run[i] for run in runs) for i in (1, 2))
    print(f'| {stream} | {build or ""} | {n} | {written:.1f} | {1000 * written / n:.1f} | {cpu:.2f} | {statistics.median(waits):.1f} | '
          f'{measure.percentile(waits, 95):.1f} | {waits[-1]:.1f} |')
