# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is renamed over another, as editors save, takes over its row: the name is not written again, and the
old text is found until the new one is converted. A file that may turn up elsewhere, or that has another name or other
permissions, keeps its own row. The converter is held up meanwhile, so that the state between is seen."""
import os, signal, sqlite3, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

NAMES = 'saved', 'created', 'shared', 'linked', 'renamed'
HELD_UP = TMP + '/held-up'
with open(TMP + '/extract', 'w') as f:
    f.write(f'#!/bin/sh\nwhile [ -e {HELD_UP} ]; do sleep .05; done\nexec {os.environ["TARSIER_EXTRACT"]} "$@"\n')
os.chmod(TMP + '/extract', 0o755)
os.environ['TARSIER_EXTRACT'] = TMP + '/extract'
os.makedirs(TREE)
configure()
for name in NAMES:
    os.chmod(write(f'{name}.txt', f'old{name} text'), 0o600 if name == 'shared' else 0o644)
os.link(TREE + '/linked.txt', TREE + '/link.txt')
daemon = Daemon()
daemon.sync()
db = sqlite3.connect(f'file:{HOME}/.local/share/tarsier/index.db?mode=ro', uri=True)


def row_of(name):
    """Returns node, inode and state of a name."""
    return db.execute('SELECT n.id, i.id, i.state FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', (name.encode(),)).fetchone()


def is_pending(name):
    PENDING = 1
    row = row_of(name)
    return row and row[2] == PENDING


def found(word):
    return sorted(os.path.basename(path) for path in tarsier('search', '-l', word)[1].split())


def save(name):
    """Writes the new file where nobody looks, with the permissions that it will have."""
    path = f'{TMP}/new.{name}'
    with open(path, 'w') as f:
        f.write(f'new{name} text')
    os.chmod(path, 0o644)
    os.rename(path, f'{TREE}/{name}.txt')


before = {name: row_of(f'{name}.txt') for name in NAMES}
with open(HELD_UP, 'w'):
    pass
converters = children(daemon.process.pid)
for pid in converters:
    os.kill(pid, signal.SIGKILL)
wait_until('the daemon knows that they have ended', lambda: not set(converters) & set(all_children(daemon.process.pid)))
save('saved')
os.unlink(TREE + '/created.txt')  # which may be seen before the next line has an effect
os.chmod(write('created.txt', 'newcreated text'), 0o644)
save('shared')
save('linked')
os.rename(TREE + '/renamed.txt', TREE + '/backup.txt')
save('renamed')
ok(wait_until('all are pending', lambda: all(is_pending(f'{name}.txt') for name in NAMES)), 'all new files wait for an extractor')
between = {name: row_of(f'{name}.txt') for name in NAMES}
equal(found('oldsaved'), ['saved.txt'], 'the old text of a file that was saved over is found until the new one is there')
equal(found('oldshared'), [], 'the old text of a private file is not found under other permissions')
equal(found('oldlinked'), ['link.txt'], 'a file with another name keeps its text')
equal(found('oldrenamed'), ['backup.txt'], 'so does one that was renamed')
equal([between[name][:2] == before[name][:2] for name in NAMES if name != 'created'], [True, False, False, False], 'the row of the first alone is taken over')
os.unlink(HELD_UP)
daemon.sync()
for name in NAMES:
    equal(found(f'new{name}'), [f'{name}.txt'], f'the new text is found: {name}')
equal([found(f'old{name}') for name in ('saved', 'created', 'shared')], [[], [], []], 'old texts without a file are gone')
equal([found('oldlinked'), found('oldrenamed')], [['link.txt'], ['backup.txt']], 'those with a file are not')
daemon.stop()
finish()
