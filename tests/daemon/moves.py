# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves: cascades of renames, exchanges during a crawl, out of a root and in again, to another
root, over other files. The index equals the file system after each, and nothing below a root is
converted again. MOVES sets how many documents move, MOVES_SEED repeats the choices."""
import ctypes, os, random, shutil, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

moved = int(os.environ.get('MOVES', 300))
seed = int(os.environ.get('MOVES_SEED', random.randrange(1 << 32)))
print(f'# MOVES={moved} MOVES_SEED={seed}', flush=True)
rng = random.Random(seed)
OUTSIDE, OTHER = HOME + '/outside', HOME + '/other'
os.makedirs(OUTSIDE)
libc = ctypes.CDLL(None, use_errno=True)


def exchange(a, b):
    RENAME_EXCHANGE, AT_FDCWD = 2, -100
    if libc.renameat2(AT_FDCWD, os.fsencode(a), AT_FDCWD, os.fsencode(b), RENAME_EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), 'renameat2')


def fill(directory, n):
    for i in range(n):
        write(f'{directory}/{i % 17}/{i}.txt', f'document {i} of {directory} {rng.randrange(1 << 30)}')


def appear(path, text):
    """The file is there with all of its text at once: one that is found empty is converted twice."""
    write(OUTSIDE + '/new', text)
    os.rename(OUTSIDE + '/new', os.path.join(TREE, path))


def conversions():
    return daemon.status()['extractions']


def check(name, wanted=0):
    """Also checks how many documents were converted since the last call."""
    global before
    daemon.sync(600)
    same(f'{name}: the index equals the file system')
    now = conversions()
    equal(now - before, wanted, f'{name}: only new content is converted')
    before = now


# ---- exchanges while the first crawl runs, and one after a start
fill('a', moved)
fill('b', moved)
configure()
before = 0
for name, wanted in (('first', 2 * moved), ('second', 0)):
    daemon = Daemon()
    n = 0
    while n < 5 or (daemon.status()['state'] != 'idle' and n < 2000):
        exchange(TREE + '/a', TREE + '/b')
        k = rng.randrange(17)
        exchange(f'{TREE}/a/{k}', f'{TREE}/b/{k}')
        n += 1
        let_time_pass(rng.random() * 0.01, 'an exchange comes at any moment of the crawl')
    print(f'# {n} exchanges', flush=True)
    before = 0
    check(f'directories exchange their names during the {name} crawl', wanted)
    if name == 'first':
        daemon.stop()

# ---- cascades
deep = TREE + '/a'
for i in range(20):
    deep += f'/level{i}'
os.makedirs(deep)
appear(deep + '/bottom.txt', 'at the bottom of all levels')
check('a deep directory is made', 1)
for i in range(500):  # renames each level, in random order, many times
    level = rng.randrange(20)
    path, depth = TREE + '/a', 0
    while depth <= level:
        above, path = path, next(e.path for e in os.scandir(path) if e.name.startswith('level'))
        depth += 1
    os.rename(path, f'{above}/level{rng.randrange(1000)}')
check('20 levels of directories are renamed 500 times')
for i in range(500):
    os.makedirs(f'{TREE}/chain/{i}')
os.rename(TREE + '/a', TREE + '/chain/0/a')
for i in range(499):
    os.rename(f'{TREE}/chain/{i}/a', f'{TREE}/chain/{i + 1}/a')
check('a directory passes through 500 others')
for i in range(min(499, moved // 3), 0, -1):
    os.rename(f'{TREE}/chain/{i}', f'{TREE}/chain/{i - 1}/{i}')
check('directories are nested into each other')
os.rename(TREE + '/chain', TREE + '/b/chain')
check('the nested directories move together')

# ---- out and in
for i in range(20):
    os.rename(TREE + '/b', OUTSIDE + '/b')
    os.rename(OUTSIDE + '/b', TREE + '/b')
check('a directory moves out of the root and in again, 20 times')
os.rename(TREE + '/b', OUTSIDE + '/b')
fill('../outside/b/late', 5)
os.rename(OUTSIDE + '/b', TREE + '/in-again')
check('files were written while their directory was outside of the root', 5)

# ---- what lies below a directory that is renamed
os.makedirs(TREE + '/project/src/deep')
appear('project/src/deep/first.txt', 'the first text of the project')
check('a project is made', 1)
for i in range(20):
    os.rename(TREE + '/project', TREE + '/project2')
    appear(f'project2/src/deep/{i}.txt', f'text {i} of the project')
    os.rename(TREE + '/project2', TREE + '/project')
check('files appear below a directory between two renames', 20)
os.rename(TREE + '/project', OUTSIDE + '/project')
appear('../outside/project/src/deep/outside.txt', 'a text that was written outside')
let_time_pass(0.1, 'the events of the directory are read while it is outside')
os.rename(OUTSIDE + '/project', TREE + '/project3')
check('a file appeared while its directory was outside, which has another name now', 1)
write(TREE + '/ruled/.tarsierignore', '/project/src/deep\n')
daemon.sync()
os.rename(TREE + '/project3', TREE + '/ruled/project')
daemon.sync(600)
equal([path for path in rows() if b'/ruled/project/' in os.fsencode(path) and b'deep' in os.fsencode(path)], [],
      'patterns above the new place hold for what lies below a directory that was moved')
os.rename(TREE + '/ruled/project', TREE + '/project')
os.remove(TREE + '/ruled/.tarsierignore')
daemon.sync(600)
same('the patterns do not hold any more where the directory moves next')
before = conversions()

# ---- onto others
os.makedirs(TREE + '/empty/0')
os.rename(TREE + '/in-again', TREE + '/empty/0')
check('a directory replaces an empty one')
os.rename(TREE + '/empty/0', TREE + '/b')
appear('one.txt', 'the one text')
appear('two.txt', 'the other text')
check('two files are made', 2)
exchange(TREE + '/one.txt', TREE + '/two.txt')
check('two files exchange their names')
exchange(TREE + '/one.txt', TREE + '/b')
check('a file and a directory exchange their names')
exchange(TREE + '/one.txt', TREE + '/b')
os.rename(TREE + '/one.txt', TREE + '/two.txt')
check('a file replaces another')

# ---- another root
os.makedirs(OTHER)
configure((TREE, OTHER))
request('reload')
daemon.sync()
for i in range(5):
    os.rename(TREE + '/b', OTHER + '/b')
    os.rename(OTHER + '/b', TREE + '/b')
daemon.sync(600)
os.rename(TREE + '/b', OTHER + '/b')
daemon.sync(600)
equal(sorted(rows().keys() ^ (truth(OTHER).keys() | truth(TREE).keys())), [],
      'a directory that moves to another root and back is indexed where it ends')
equal(conversions() - before, 0, 'a directory that moves to another root is not converted again')
for roots, way in (((TREE, OTHER + '/b'), 'inside of it'), ((TREE, OTHER), 'around it'), ((os.path.dirname(TREE),), 'around all'), ((TREE, OTHER), 'inside of it again')):
    configure(roots)
    request('reload')
    daemon.sync(600)
    there = set().union(*(truth(root).keys() for root in roots))
    equal(sorted(path for path in rows().keys() ^ there if b'/.' not in path), [], f'a root that gives way to one {way}: the index equals the file system')
    equal(conversions() - before, 0, f'a root that gives way to one {way} is not converted again')
daemon.stop()
daemon = Daemon()
daemon.sync(600)
equal(daemon.status()['extractions'], 0, 'a start after the moves converts nothing')
daemon.stop()
finish()
