# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of saved files shares its commits, whatever the machine's speed; all of its files are
found, whoever waits is answered at once, and what was committed survives the death of the
daemon."""
import os, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

FILES = int(os.environ.get('FILES', 400))
EVERY_S = 0.1  # the least time between two commits of a stream
FREE = 3  # commits that may follow each other at once
os.environ['TARSIER_DEBUG'] = 'commit'


def commits():
    with open(TMP + '/daemon.log', errors='replace') as f:
        return f.read().count('commit: ')


def stream(directory):
    os.makedirs(f'{TREE}/{directory}')
    daemon.sync()
    before, begun = commits(), time.monotonic()
    for i in range(FILES):
        write(f'{directory}/{i}.txt', f'a saved {directory}word with the number {i}\n')
        let_time_pass(0.005, 'files of a stream come one after the other')
    return commits() - before, time.monotonic() - begun


def found(word):
    output = subprocess.run(['tarsier', 'search', '-c', word], capture_output=True, text=True).stdout
    return int(output.split()[0]) if output.strip() else 0


configure()
daemon = Daemon()
daemon.sync()
n, seconds = stream('first')
ok(n <= seconds / EVERY_S + FREE + 1, f'{FILES} saved files need at most ten commits a second', f'{n} in {seconds:.1f} s')
ok(daemon.sync(), 'a client that waits is answered')
equal(found('firstword'), FILES, 'all files of the stream are found then')
equal(differences(), [], 'the index is right')

n, seconds = stream('second')
daemon.stop(signal.SIGKILL)
daemon = Daemon()
daemon.sync()
equal(found('secondword'), FILES, 'after the death of the daemon in a stream all files are found')
equal(differences(), [], 'the index is right then too')
daemon.stop()
finish()
