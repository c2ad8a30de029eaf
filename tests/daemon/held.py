# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that wait to become quiet, or whose directory could not be entered for a moment, are not forgotten."""
import os, shutil, signal, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

os.makedirs(TREE)
write('first', 'the first')
configure()
daemon = Daemon()
daemon.sync()


def frozen(work):
    """What the daemon sees as a whole, not step by step."""
    daemon.send(signal.SIGSTOP)
    work()
    daemon.send(signal.SIGCONT)


# A file that is still open waits for the second in which it may become quiet. Meanwhile the name by which it was seen goes with its
# directory; its other name was found by a visit.
os.mkdir(TREE + '/one')
daemon.sync()
with open(TREE + '/one/name', 'w') as f:
    f.write('text of a file with two names')
    f.flush()
    time.sleep(0.2)

    def link():
        os.mkdir(TREE + '/two')
        os.link(TREE + '/one/name', TREE + '/two/name')
    frozen(link)
    for _ in range(50):
        if query('SELECT 1 FROM node WHERE name = ?', b'two'):
            break
        time.sleep(0.01)
    frozen(lambda: shutil.rmtree(TREE + '/one'))
    daemon.sync()
    daemon.sync()
same('a file that is being written loses the name it was seen by')

# A marker that comes and goes while the rules are known.
write('marked/a', 'text a')
daemon.sync()
for i in range(20):
    write('marked/.noindex', '')
    os.utime(TREE + '/marked')
    daemon.sync()
    if [p for p in rows() if p.endswith(b'/marked/a')]:
        ok(False, 'a marker is honoured')
        break
    os.unlink(TREE + '/marked/.noindex')
    write('marked/b', f'text b {i}')
    daemon.sync()
    if differences():
        break
same('a marker that comes and goes')

# A directory that is away when its turn comes, and back in its place before anybody looks again.
for i in range(30):
    os.makedirs(TREE + f'/p{i}/q/r')

    def away_and_back():
        write(f'p{i}/q/r/file', f'text {i}')
    away_and_back()
    for _ in range(20):
        os.rename(TREE + f'/p{i}', HOME + '/outside')
        write(f'../outside/q/r/more{_}', f'more {_} {i}')
        os.rename(HOME + '/outside', TREE + f'/p{i}')
daemon.sync()
same('directories that are away for a moment')
equal(daemon.status()['state'], 'idle', 'and nothing is left to do')
daemon.stop()
finish()
