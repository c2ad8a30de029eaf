# SPDX-License-Identifier: GPL-3.0-or-later
"""Without the extractor program names are indexed and no file counts as failed; once it is there
everything is converted."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

real = os.environ['TARSIER_EXTRACT']
os.environ['TARSIER_EXTRACT'] = TMP + '/extract'
os.makedirs(TREE)
for i in range(200):
    write(f'{i % 5}/{i}.txt', f'text {i}')
configure()
daemon = Daemon()
daemon.sync()
equal(len(query('SELECT 1 FROM node')), 206,
      'names are indexed without the program of the extractors')
equal(query('SELECT count(*) FROM inode WHERE state = 2'), [(0,)],
      'no file counts as failed without the program of the extractors')
status = daemon.status()
equal((status['state'], status['held']), ('degraded', 200),
      'the state is degraded and every file waits without the program of the extractors')
ok(status['reason'], 'the status says why the state is degraded')
ok(log_text().count('does not start') <= 3,
   'the daemon tries to start the extractors at most three times for 200 files', log_text())
os.symlink(real, TMP + '/extract')


def is_done():
    daemon.sync()  # makes the daemon retry postponed work
    return daemon.status()['state'] == 'idle' and not daemon.status()['held']


wait_until('every file is converted', is_done, 30, 0.2)
same('every file is converted once the program of the extractors is there')
equal(daemon.status()['state'], 'idle',
      'the daemon is idle once the program of the extractors is there')
daemon.stop()
finish()
