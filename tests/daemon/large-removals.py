# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies below a directory that is not covered any more is removed in slices: files that are saved
meanwhile do not wait, and a killed daemon goes on at its next start."""
import os, shutil, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

N = 20000
SLOW = {'cpu': 1}  # per cent: the test sees the middle of a removal, however slow it is itself
BELOW = """(SELECT count(*) FROM node n JOIN node d ON d.id = n.parent AND d.name = CAST('big' AS BLOB)),
           (SELECT count(*) FROM node WHERE name = ?)"""


def counts(name):
    """Of rows below big, and of those with the name: both from one state of the index."""
    return query('SELECT ' + BELOW, name)[0]


def found(name):
    return subprocess.run(['tarsier', 'search', '-l', 'filename:' + name], capture_output=True, text=True, timeout=60).stdout.split()


def cpu_s():
    with open(f'/proc/{daemon.process.pid}/stat') as f:
        return sum(int(field) for field in f.read().rpartition(')')[2].split()[11:13]) / os.sysconf('SC_CLK_TCK')


def make_big(directory):
    os.makedirs(directory + '/big')
    for i in range(N):
        open(f'{directory}/big/name{i}', 'w').close()


def in_slices(why, name):
    """A file of this name is saved and found before all rows of big are removed."""
    write(name, 'while rows are removed')
    wait_until('the saved file is in the index', lambda: counts(name.encode())[1] == 1, 60, 0.001)
    left = counts(name.encode())[0]
    ok(0 < left < N + 2, f'a file that is saved while {why} is in the index before all rows are removed', left)


def use(*roots, **settings):
    configure(roots or (TREE,), **settings)
    request('reload')


def goes_on_after_a_kill(**settings):
    global daemon
    daemon.stop(signal.SIGKILL)
    left = counts(b'saved')[0]
    ok(left > 0, 'some rows are left when the daemon is killed', left)
    configure(**settings)
    daemon = Daemon()
    daemon.sync()
    equal(counts(b'saved')[0], 0, 'they are removed after the next start')


make_big(TREE)
configure()
daemon = Daemon()
daemon.sync()
equal(counts(b'saved'), (N, 0), 'all files are in the index')
use(**SLOW)
open(TREE + '/big/.nomedia', 'w').close()
in_slices('a marker excludes a directory', 'saved')
goes_on_after_a_kill()
os.unlink(TREE + '/big/.nomedia')
daemon.sync()
same('the files are back once the marker is gone')
use(**SLOW)
open(TREE + '/big/.nomedia', 'w').close()
in_slices('a marker excludes it again', 'saved-again')
os.unlink(TREE + '/big/.nomedia')
use()
daemon.sync()
same('all files are back if the marker goes while rows are removed')

use(exclude='big', **SLOW)
in_slices('a rule excludes a directory', 'saved-beside')
goes_on_after_a_kill(exclude='big')
use()
daemon.sync()
same('the files are back once no rule excludes them')
use(exclude='big', **SLOW)
in_slices('a rule excludes it again', 'saved-last')
use()
daemon.sync()
same('all files are back if the rule goes while rows are removed')

shutil.rmtree(TREE + '/big')
OTHER = TREE + '-other'
make_big(OTHER)
use(TREE, OTHER)
daemon.sync()
equal(counts(b'saved')[0], N, 'the files of another root are in the index')
use(**SLOW)
in_slices('a root is removed', 'saved-before')
goes_on_after_a_kill()
equal(query('SELECT count(*) FROM node WHERE parent = 0'), [(1,)], 'and so is the root')
use(TREE, OTHER)
daemon.sync()
equal(counts(b'saved')[0], N, 'they are back once the root is')
use(**SLOW)
in_slices('the root is removed again', 'saved-after')
use(TREE, OTHER)
daemon.sync()
equal(counts(b'saved')[0], N, 'all are back if the root is added while rows are removed')

equal(found('name7'), [OTHER + '/big/name7'], 'a file of the root is found')
use(**SLOW)
before = cpu_s()
let_time_pass(4, 'the CPU time of so long is compared')
equal((counts(b'saved')[0] > 0, found('name7')), (True, []), 'it is not while rows of the root are left')
spent = cpu_s() - before
ok(spent < 2, 'a daemon whose CPU limit is reached does not spin while rows are left', spent)
use()
daemon.sync()
equal(counts(b'saved')[0], 0, 'all are removed once there is no limit')
daemon.stop()
finish()
