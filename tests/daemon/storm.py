# SPDX-License-Identifier: GPL-3.0-or-later
"""A random workload (seed printed; STORM_SEED repeats it, STORM_OPERATIONS sets the length) runs while the daemon crawls, is stopped and
continued, killed and started again. In the end rows equal the file system."""
import os, random, shutil, signal, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

seed = int(os.environ.get('STORM_SEED', random.randrange(1 << 32)))
operations = int(os.environ.get('STORM_OPERATIONS', 3000))
print(f'# STORM_SEED={seed} STORM_OPERATIONS={operations}', flush=True)
rng = random.Random(seed)
NAMES = ['a', 'b', 'c', 'd', 'e', 'f.txt', 'g.txt', 'h\nh', 'i', 'j']
OUTSIDE = HOME + '/outside'


def some_path(deep=4):
    return os.path.join(TREE, *rng.choices(NAMES, k=rng.randrange(1, deep)))


def make_text(path):
    if os.path.exists(path) and not os.path.isfile(path):
        return  # opening a FIFO would wait for a reader
    with open(path, rng.choice(['w', 'a'])) as f:
        for _ in range(rng.randrange(3)):
            f.write(f'words {rng.randrange(50)} ')
            if rng.random() < 0.2:
                f.flush()


def exchange(a, b):
    spare = OUTSIDE + '/spare'
    os.rename(a, spare)
    try:
        os.rename(b, a)
    finally:
        os.rename(spare, b)


def atomic_save(path):
    make_text(path + '.tmp')
    os.rename(path + '.tmp', path)


def remove_tree(path):
    if os.path.isdir(path):  # rmtree opens a FIFO, and waits
        shutil.rmtree(path)


def copy_tree(path, to):
    if not to.startswith(path + '/'):  # it would copy its copies
        shutil.copytree(path, to)


def cut(path):
    os.truncate(path, rng.randrange(20))


ONE = [(make_text, 30), (os.mkdir, 12), (os.unlink, 10), (os.rmdir, 3), (remove_tree, 2), (atomic_save, 10), (cut, 3),
       (lambda p: os.chmod(p, rng.choice([0o600, 0o644, 0o755])), 4), (lambda p: os.utime(p, (1, rng.randrange(1000))), 2),
       (lambda p: os.symlink('nowhere', p), 2), (os.mkfifo, 1), (os.makedirs, 3)]
TWO = [(os.rename, 16), (os.link, 5), (exchange, 3), (copy_tree, 2), (shutil.copy2, 5),
       (lambda a, b: os.rename(a, OUTSIDE + '/x%d' % rng.randrange(5)), 2),
       (lambda a, b: os.rename(OUTSIDE + '/x%d' % rng.randrange(5), a), 2)]


def operate():
    acts = [(f, w, 1) for f, w in ONE] + [(f, w, 2) for f, w in TWO]
    act, _, n = rng.choices(acts, [w for _, w, _ in acts])[0]
    try:
        act(*(some_path() for _ in range(n)))
    except (OSError, shutil.Error):
        pass


os.makedirs(TREE)
os.makedirs(OUTSIDE)
for _ in range(300):
    operate()
configure()
daemon = Daemon()
for i in range(operations):
    operate()
    chance = rng.random()
    if chance < 0.01:
        time.sleep(rng.random() * 0.1)
    elif chance < 0.013:
        daemon.send(signal.SIGSTOP)
        for _ in range(100):
            operate()
        daemon.send(signal.SIGCONT)
    elif chance < 0.016:
        daemon.stop(signal.SIGKILL)
        for _ in range(20):
            operate()
        daemon = Daemon()
    elif chance < 0.02:
        daemon.sync()
        if not same(f'after {i} operations'):
            break
daemon.sync()
same('in the end')
equal([r for r in query('PRAGMA integrity_check')], [(b'ok',)], 'the database is sound')
equal(query('SELECT count(*) FROM content c WHERE NOT EXISTS (SELECT 1 FROM inode i WHERE i.content = c.id)'), [(0,)],
      'no content is left over')
equal(query('SELECT count(*) FROM document d WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = d.content)'), [(0,)],
      'no document is left over')
equal(query('SELECT count(*) FROM inode i WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.inode = i.id)'), [(0,)],
      'no inode is left over')
ok(daemon.stop() < 2, 'the daemon stops')
equal(daemon.process.returncode, 0, 'well')
daemon = Daemon()
daemon.sync()
same('after a start with nothing changed')
equal(daemon.status()['extractions'], 0, 'without a conversion')
daemon.stop()
finish()
