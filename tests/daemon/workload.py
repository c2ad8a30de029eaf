# SPDX-License-Identifier: GPL-3.0-or-later
"""workload.py - random work on files for tests of tarsierd: everything that can happen in a tree,
by several threads at once"""
import concurrent.futures, ctypes, mmap, os, random, shutil, subprocess, threading
from daemontest import HOME, TREE, let_time_pass

NAMES = ['a', 'b', 'c', 'd', 'e', 'f.txt', 'g.txt', 'h\nh', 'i', 'j']
OUTSIDE = HOME + '/outside'
DEEP = 12
cutting = threading.Lock()  # a write after the end of a file that another thread has cut would kill this process
libc = ctypes.CDLL(None, use_errno=True)


def some_path(rng):
    return os.path.join(TREE, *rng.choices(NAMES, k=rng.randrange(1, 4 if rng.random() < 0.9 else DEEP)))


def open_file(path, flags):
    """Never blocks: another thread may have put a FIFO there."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW, 0o644)


unseen = set()
aliases = set()  # names by which files with other names were changed, in directories that may have had no watch yet
watched_dirs = set()  # inodes of directories that were known at the last sync
mapped = set()  # since the last sync: the second write to a page changes no time, so that only the close raises an event


def note_unseen(fd):
    """Notes a change without an event: a write by a name that is outside now, or is removed,
    while the inode has another name inside. Only a rescan finds it."""
    st = os.fstat(fd)
    path = os.readlink(f'/proc/self/fd/{fd}')
    if st.st_nlink > 0 and (path.endswith(' (deleted)') or not path.startswith(TREE + '/')):
        unseen.add(st.st_ino)
    elif st.st_nlink > 1:
        note_alias(path, st.st_ino)


def note_alias(path, inode):
    """Notes a change by one of several names. The event of a name leads to the file even if the
    name is gone, but a directory without a watch raises no event."""
    if inode_at(os.path.dirname(path)) not in watched_dirs:
        aliases.add((path, inode))


def change_facts(change, path, *values):
    if os.lstat(path).st_nlink > 1:
        note_alias(path, inode_at(path))
    change(path, *values)


def note_watched():
    watched_dirs.clear()
    for top, _, _ in os.walk(TREE):
        watched_dirs.add(inode_at(top))


def note_unwatched(path):
    for top, _, _ in os.walk(path):
        watched_dirs.discard(inode_at(top))


make_directory = os.mkdir


def mkdir(path, *mode, **options):
    make_directory(path, *mode, **options)
    watched_dirs.discard(inode_at(path))  # the number of a deleted inode


os.mkdir = mkdir


def inode_at(path):
    try:
        return os.lstat(path).st_ino
    except OSError:
        return 0


def hidden():
    """Returns inodes whose state the daemon cannot know: the name by which one was changed may
    have disappeared before its directory was watched."""
    unseen.update(inode for path, inode in aliases if inode_at(path) != inode)
    return unseen


# ---- one path

def make_text(rng, path):
    with cutting:
        fd = open_file(path, os.O_WRONLY | os.O_CREAT | rng.choice([os.O_TRUNC, os.O_APPEND]))
    with open(fd, 'w') as f:
        for _ in range(rng.randrange(3)):
            f.write(f'words {rng.randrange(50)} ')
            if rng.random() < 0.2:
                f.flush()
        f.flush()
        note_unseen(fd)


def cut(rng, path):
    with cutting:
        with open(open_file(path, os.O_WRONLY), 'wb') as f:
            os.truncate(f.fileno(), rng.randrange(20))
            note_unseen(f.fileno())


def map_text(rng, path):
    with cutting, open(open_file(path, os.O_RDWR), 'r+b') as f:
        mapped.add(os.fstat(f.fileno()).st_ino)
        with mmap.mmap(f.fileno(), 0) as m:
            m[0] = rng.choice(b'xyz')
            let_time_pass(rng.random() * 0.01, 'the daemon may read between the two writes')
            m[-1] = rng.choice(b'xyz')
        note_unseen(f.fileno())


def make_nameless(rng, path):
    """O_TMPFILE and linkat() raise one event, and the file is complete."""
    fd = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_WRONLY, 0o644)
    try:
        os.write(fd, b'nameless %d' % rng.randrange(50))
        os.link(f'/proc/self/fd/{fd}', path, follow_symlinks=True)
    finally:
        os.close(fd)


def save(rng, path):
    make_text(rng, path + '.tmp')
    os.rename(path + '.tmp', path)


def remove_tree(rng, path):
    subprocess.run(['rm', '-rf', path], stderr=subprocess.DEVNULL)


def leave(rng, path):
    target = f'{OUTSIDE}/x{rng.randrange(5)}'
    os.rename(path, target)
    note_unwatched(target)


def come(rng, path):
    os.rename(f'{OUTSIDE}/x{rng.randrange(5)}', path)
    note_unwatched(path)


def change_outside(rng, path):
    make_text(rng, f'{OUTSIDE}/x{rng.randrange(5)}')


# ---- two paths

def exchange(rng, a, b):
    RENAME_EXCHANGE, AT_FDCWD = 2, -100
    libc.renameat2(AT_FDCWD, os.fsencode(a), AT_FDCWD, os.fsencode(b), RENAME_EXCHANGE)


def copy_file(source, target, **_):
    with open(open_file(source, os.O_RDONLY), 'rb') as f, open(open_file(target, os.O_WRONLY | os.O_CREAT), 'wb') as g:
        g.write(f.read() or b'')  # a FIFO may be empty
        g.flush()
        note_unseen(g.fileno())
        os.utime(g.fileno(), ns=(0, os.fstat(f.fileno()).st_mtime_ns))
    return target


def copy_tree(rng, a, b):
    if not b.startswith(a + '/'):
        shutil.copytree(a, b, symlinks=True, copy_function=copy_file)


ONE = [(make_text, 30), (lambda r, p: os.mkdir(p), 12), (lambda r, p: os.unlink(p), 10), (lambda r, p: os.rmdir(p), 3), (remove_tree, 1),
       (save, 10), (cut, 3), (lambda r, p: change_facts(os.chmod, p, r.choice([0o600, 0o644, 0o755])), 4),
       (lambda r, p: change_facts(os.utime, p, (1, r.randrange(1000))), 2), (lambda r, p: os.symlink('nowhere', p), 2), (lambda r, p: os.mkfifo(p), 1),
       (lambda r, p: os.makedirs(p), 3), (make_nameless, 3), (map_text, 2), (leave, 2), (come, 2), (change_outside, 1)]
TWO = [(lambda r, a, b: os.rename(a, b), 16), (lambda r, a, b: os.link(a, b, follow_symlinks=False), 5), (exchange, 4), (copy_tree, 2),
       (lambda r, a, b: copy_file(a, b), 5)]
ACTS = [(f, w, 1) for f, w in ONE] + [(f, w, 2) for f, w in TWO]


def operate(rng, n):
    for _ in range(n):
        act, _, paths = rng.choices(ACTS, [w for _, w, _ in ACTS])[0]
        try:
            act(rng, *(some_path(rng) for _ in range(paths)))
        except (OSError, ValueError, shutil.Error):
            pass


def burst(pool, threads, rng, n):
    """Runs all threads at once. The caller may do something else meanwhile, and then wait for
    them."""
    return [pool.submit(operate, random.Random(rng.random()), n // threads + 1) for _ in range(threads)]


def finish_burst(running):
    for one in running:
        one.result()
