# SPDX-License-Identifier: GPL-3.0-or-later
"""A converter program that is not there, and comes: names are indexed, nothing is blamed on the files, and it is not tried for each of them."""
import os, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

real = os.environ['TARSIER_EXTRACT']
os.environ['TARSIER_EXTRACT'] = TMP + '/extract'
os.makedirs(TREE)
for i in range(200):
    write(f'{i % 5}/{i}.txt', f'text {i}')
configure()
daemon = Daemon()
daemon.sync()
equal(len(query('SELECT 1 FROM node')), 206, 'names are indexed')
equal(query('SELECT count(*) FROM inode WHERE state = 2'), [(0,)], 'no file is said to have failed')
status = daemon.status()
equal((status['state'], status['held']), ('degraded', 200), 'the state is told')
ok(status['reason'], 'with a reason')
ok(log_text().count('does not start') <= 3, 'it is not tried for each file', log_text())
os.symlink(real, TMP + '/extract')
deadline = time.monotonic() + 30
while time.monotonic() < deadline and (daemon.status()['state'] != 'idle' or daemon.status()['held']):
    daemon.sync()  # who waits has what was put off tried again
    time.sleep(0.2)
same('when it is there everything is converted')
equal(daemon.status()['state'], 'idle', 'and nothing is wrong any more')
daemon.stop()
finish()
