# SPDX-License-Identifier: GPL-3.0-or-later
"""A root on a FUSE mount, which does not tell of all changes, is polled: changes from below are
found."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

below = HOME + '/below'
os.makedirs(TREE)
os.makedirs(below + '/dir')


def put(path, text):
    with open(os.path.join(below, path), 'w') as f:
        f.write(text)


put('first.txt', 'there from the start')
if not shutil.which('bindfs') or subprocess.run(['bindfs', '--no-allow-other', below, TREE], capture_output=True).returncode != 0:
    skip_all('needs bindfs and FUSE')


@atexit.register
def unmount():
    subprocess.run(['fusermount', '-u', '-z', TREE], stderr=subprocess.DEVNULL)


def seen(name):
    """Waits by the clock only: there is no sync."""
    return wait_until(f'polling finds {name}', lambda: query(
        'SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0', name.encode()), 20, 0.05)


configure(poll=1)
daemon = Daemon()
daemon.sync()
same('a root on FUSE is indexed')
ok(daemon.status()['polled'] >= 2, 'a root on FUSE is polled', daemon.status())
said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
ok('2 directories, polled, as not all changes' in said, 'status says that it is polled', said)
put('dir/late.txt', 'written below, without an event')
put('top.txt', 'another')
ok(seen('late.txt') and seen('top.txt'), 'polling finds files that were written without an event')
os.rename(below + '/dir', below + '/renamed')
put('renamed/more.txt', 'and more')
ok(seen('more.txt'), 'polling finds a directory that was renamed without an event')
# Of many directories, one that changes often is visited far more often than the one above it.
for i in range(150):
    os.mkdir(f'{below}/quiet{i}')
name = 'renamed'
wait_until('all are found', lambda: query("SELECT count(*) FROM node WHERE CAST(name AS TEXT) LIKE 'quiet%'") == [(150,)], 60)
converted = []
for i in range(4):
    for n in range(8):
        put(f'{name}/more.txt', f'changed {n} times in round {i}')
        let_time_pass(0.3, 'a directory must have changed in many intervals')
    put(f'{name}/more.txt', f'changed for the last time in round{i}')
    wait_until('that is found', lambda: subprocess.run(['tarsier', 'search', '-q', f'round{i} last'], capture_output=True).returncode == 0)
    before, former, name = daemon.status()['extractions'], name, f'moved{i}'
    os.rename(f'{below}/{former}', f'{below}/{name}')
    ok(seen(name), 'polling finds a directory that was renamed again')
    wait_until('its files are there', lambda: query('SELECT 1 FROM node n JOIN node d ON d.id = n.parent JOIN inode i ON i.id = n.inode WHERE d.name = ? AND n.name = ? AND i.state = 0', name.encode(), b'more.txt'))
    converted.append(daemon.status()['extractions'] - before)
equal(converted, [0] * 4, 'no file is converted again because its directory was renamed without an event')
put('first.txt', 'other words')
os.unlink(below + '/top.txt')
let_time_pass(3.5, 'FUSE forgets the names and facts that it keeps for a second, here and there')
daemon.sync()
same('a sync finds every change without an event')
daemon.stop()
finish()
