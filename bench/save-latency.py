#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""save-latency.py --build BUILD [KIND...]: how long a saved file waits until it is found while the
daemon writes a heavy file: 1.5 million different words as keywords of a mail, as a text, or as the
members of an archive, or 5 million one-letter words as a text; or while a program fills another
directory with small files, 5 ms apart (stream). The base is 20,000 small files.
Saves stand alone: a program that saves ten files a second makes a stream, which shares its commits
(daemon/engine/committer.h), and bench/streams.py measures that. They come .3 s after each other as
long as heavy files are in work, one after the other until there were SAVES; a save is found when
its document can be read from the index. The figures are milliseconds, beside those of the same
saves without a heavy file. With --build twice, the builds alternate."""
import argparse, io, os, random, shutil, signal, sqlite3, statistics, subprocess, tarfile, tempfile, threading, time
import home

WORDS, SAVES, PAUSE_S, STREAM_PAUSE_S = 1_500_000, 30, 0.3, 0.005


def words(n, seed):
    rng = random.Random(seed)
    return (' '.join(''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8)) for _ in range(10)) for _ in range(n // 10))


def heavy_mail(path, seed):
    with open(path, 'w') as f:
        f.write('From: a@example.org\nSubject: heavy\nDate: Mon, 2 Mar 2020 10:00:00 +0000\n')
        for line in words(WORDS, seed):
            f.write(f'Keywords: {line}\n')
        f.write('\ntext\n')


def heavy_text(path, seed):
    with open(path, 'w') as f:
        f.write('\n'.join(words(WORDS, seed)))


def heavy_letters(path, seed):
    rng = random.Random(seed)
    with open(path, 'w') as f:
        f.write('\n'.join(' '.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=100)) for _ in range(50000)))


def heavy_archive(path, seed):
    with tarfile.open(path, 'w:xz', preset=0) as tar:
        for i in range(200):
            data = '\n'.join(words(WORDS // 200, 1000 * seed + i)).encode()
            info = tarfile.TarInfo(f'{i}.txt')
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


class Stream(threading.Thread):
    """Fills the directory until it is stopped, and has written for a while when it is started."""
    def __init__(self, directory):
        super().__init__(daemon=True)
        self.directory, self.ended = directory, False
        self.start()
        time.sleep(3)

    def run(self):
        i = 0
        while not self.ended:
            with open(f'{self.directory}/{i}.txt', 'w') as f:
                f.write(f'file {i} of a stream')
            i += 1
            time.sleep(STREAM_PAUSE_S)

    def stop(self):
        self.ended = True
        self.join()


KINDS = {'none': None, 'stream': None, 'mail': heavy_mail, 'text': heavy_text, 'letters': heavy_letters, 'archive': heavy_archive}


def wait(condition, limit_s=120):
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > limit_s:
            return None
        time.sleep(0.002)
    return 1000 * (time.monotonic() - start)


class Run:
    def __init__(self, args, directory):
        self.home, self.env = home.make_home(args, directory)
        self.daemon = subprocess.Popen(['tarsierd'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.index = self.env.get('TARSIER_INDEX') or self.home + '/.local/share/tarsier'
        self.sync()

    def sync(self):
        while subprocess.run(['tarsier', 'status', '--wait'], env=self.env, capture_output=True).returncode != 0:
            time.sleep(0.05)

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()
        shutil.rmtree(self.home)


def is_done(db, name):
    return db.execute('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode JOIN document d ON d.content = i.content '
                      'WHERE n.name = ? AND i.state = 0', (name.encode(),)).fetchone() is not None


class Saves:
    def __init__(self, db, tree):
        self.db, self.tree, self.waits = db, tree, []

    def save(self, kind):
        name = f'saved-{kind}-{len(self.waits)}.txt'
        with open(f'{self.tree}/home/saved/{name}', 'w') as f:
            f.write(f'what was saved at {len(self.waits)} {kind}')
        self.waits.append(wait(lambda: is_done(self.db, name)))
        time.sleep(PAUSE_S)


def measure(run, tree, kind):
    """Returns the waiting times of saves, and the seconds until each heavy file is in the index."""
    db = sqlite3.connect(f'file:{run.index}/index.db?mode=ro', uri=True, isolation_level=None)
    saves, heavy_s = Saves(db, tree), []
    stream = Stream(f'{tree}/home/stream') if kind == 'stream' else None
    while len(saves.waits) < SAVES:
        if not KINDS[kind]:
            saves.save(kind)
            continue
        name, outside = f'heavy-{kind}-{len(heavy_s)}', tree + '.outside'
        KINDS[kind](outside, 1 + len(heavy_s))
        os.rename(outside, f'{tree}/home/{name}')
        start = time.monotonic()
        while not is_done(db, name):
            saves.save(kind)
        heavy_s.append(time.monotonic() - start)
        run.sync()
    if stream:
        stream.stop()
    return saves.waits, heavy_s


def size_mb(run):
    return sum(os.path.getsize(f'{run.index}/{name}') for name in os.listdir(run.index) if name.startswith('index.db')) / 1e6


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build', action='append')
parser.add_argument('kinds', nargs='*', default=list(KINDS))
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
print('| build | heavy file | saves | median | 95th | longest | heavy file after s | index MB |\n|---|---|---:|---:|---:|---:|---:|---:|')
for kind in args.kinds:
    for build in args.build or [None]:
        tree = args.work + '/tree'
        for name in ('saved', 'stream'):
            os.makedirs(f'{tree}/home/{name}')
        for i in range(20000):
            os.makedirs(f'{tree}/home/{i // 200}', exist_ok=True)
            with open(f'{tree}/home/{i // 200}/{i}.txt', 'w') as f:
                f.write(f'a small file {i} ' + ' '.join(f'word{(i * k) % 9973}' for k in range(40)))
        args_of_run = argparse.Namespace(build=build, work=args.work)
        run = Run(args_of_run, tree)
        waits, heavy_s = measure(run, tree, kind)
        waits = sorted(float('inf') if w is None else w for w in waits)
        heavy = f'{statistics.median(heavy_s):.1f}' if heavy_s else ''
        print(f'| {build or ""} | {kind} | {len(waits)} | {statistics.median(waits):.0f} | {waits[int(len(waits) * .95)]:.0f} | '
              f'{waits[-1]:.0f} | {heavy} | {size_mb(run):.1f} |', flush=True)
        run.stop()
        shutil.rmtree(tree)
shutil.rmtree(args.work)
