# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies below a directory that a marker excludes is removed in slices: files that are saved
meanwhile do not wait, and a killed daemon goes on at its next start."""
import os, signal, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

N = 8000
BELOW = """(SELECT count(*) FROM node n JOIN node d ON d.id = n.parent AND d.name = CAST('big' AS BLOB)),
           (SELECT count(*) FROM node WHERE name = ?)"""


def counts(name):
    """Of rows below big, and of those with the name: both from one state of the index."""
    return query('SELECT ' + BELOW, name)[0]


os.makedirs(TREE + '/big')
for i in range(N):
    open(f'{TREE}/big/name{i}', 'w').close()
configure()
daemon = Daemon()
daemon.sync()
equal(counts(b'saved'), (N, 0), 'all files are in the index')
open(TREE + '/big/.nomedia', 'w').close()
write('saved', 'while rows are removed')
wait_until('the saved file is in the index', lambda: counts(b'saved')[1] == 1, 60, 0.001)
left = counts(b'saved')[0]
ok(0 < left < N + 2, 'a file that is saved meanwhile is in the index before all rows are removed', left)
daemon.stop(signal.SIGKILL)
left = counts(b'saved')[0]
ok(left > 0, 'some rows are left when the daemon is killed', left)
daemon = Daemon()
daemon.sync()
equal(counts(b'saved'), (0, 1), 'they are removed after the next start')

os.unlink(TREE + '/big/.nomedia')
daemon.sync()
same('the files are back once the marker is gone')
open(TREE + '/big/.nomedia', 'w').close()
write('saved-again', 'while rows are removed')
wait_until('the saved file is in the index', lambda: counts(b'saved-again')[1] == 1, 60, 0.001)
os.unlink(TREE + '/big/.nomedia')
daemon.sync()
same('all files are back if the marker goes while rows are removed')
daemon.stop()
finish()
