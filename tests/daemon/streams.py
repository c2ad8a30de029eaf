# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of saved files shares its commits, whatever the machine's speed; all of its files are
found, whoever waits is answered at once, and what was committed survives the death of the
daemon. A file that is saved in another directory meanwhile is not part of it."""
import os, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

FILES = int(os.environ.get('FILES', 400))
EVERY_S = 0.1  # the least time between two commits of a stream
FREE = 3  # commits that may follow each other at once
os.environ['TARSIER_DEBUG'] = 'commit,job'


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

# ---- beside a stream, below the same entry of the root
def of_stream(directory):
    with open(TMP + '/daemon.log', errors='replace') as f:
        return [line for line in f if f'reads of a stream {TREE}/third/{directory}/' in line]


def add_to_stream():
    global added
    write(f'third/busy/{added}.txt', f'a thirdword with the number {added}\n')
    added += 1


def is_known(name):
    return bool(query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0', name.encode()))


added = 0
for directory in ('busy', 'quiet'):
    write(f'third/{directory}/before.txt', f'what was there before in {directory}\n')
daemon.sync()
let_time_pass(0.4, 'these directories are older than the next stream')
wait_until('the stream is long', lambda: add_to_stream() or of_stream('busy'), 60, 0.005)
for i in range(5):
    for name in (f'quiet/quiet{i}', f'made{i}/first{i}', f'made{i}/second{i}'):
        let_pass = time.monotonic() + 0.4  # more than the longest gap in a stream
        write(f'third/{name}.txt', f'what is saved as {name}\n')
        known = os.path.basename(name) + '.txt'
        wait_until('it is found', lambda: add_to_stream() or (time.monotonic() > let_pass and is_known(known)), 60, 0.005)
for text in ('once', 'twice'):
    write('third/quiet/again.txt', f'a file that is saved {text}\n')
    wait_until('it is found', lambda: add_to_stream() or found('saved ' + text), 60, 0.005)
ok(of_stream('busy'), 'files that follow each other in a directory are a stream')
equal(of_stream('quiet'), [], 'what is saved in another directory is not part of it')
ok(any(of_stream(f'made{i}') for i in range(5)), 'what comes in a new directory is')
daemon.sync()
equal(differences(), [], 'the index is right after all')
daemon.stop()
finish()
