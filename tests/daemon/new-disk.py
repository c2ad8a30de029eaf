# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of a root are copied to a new disk, as by a restore from a backup: they are read, and
only what differs is converted. Runs in a name space of its own."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

STAYS = HOME + '/stays'


def mount(source, place):
    os.makedirs(place, exist_ok=True)
    subprocess.run(['mount', *source, place], check=True)


def extractions():
    return daemon.status()['extractions']


def both_same(name):
    """Compares two roots, each of which the listing of the other one lacks."""
    found = [d for top in (TREE, STAYS) for d in differences(top) if not d.startswith('ghost') or os.fsencode(top) + b'/' in d.encode()]
    ok(not found, name, *found)


for disk in ('old', 'new', 'newer'):
    mount(['-t', 'tmpfs', 'none'], f'{HOME}/{disk}')
for i in range(40):
    write(f'../old/tree/dir{i % 4}/sub/{i}.txt', f'document {i}')
os.makedirs(HOME + '/old/tree/empty')
os.makedirs(HOME + '/old/tree/gone/below')
write('../old/tree/gone/below/gone.txt', 'is not copied')
write('../old/tree/trap.txt', 'walrus')
os.link(HOME + '/old/tree/trap.txt', HOME + '/old/tree/linked.txt')
write('../old/stays/first.txt', 'a root that stays where it is')
mount(['--bind', HOME + '/old/stays'], STAYS)
mount(['--bind', HOME + '/old/tree'], TREE)
configure(roots=(STAYS, TREE))
daemon = Daemon()
daemon.sync()
both_same('a disk is indexed')
daemon.stop()

# one root moves to another disk, the other one stays
umount(TREE)
subprocess.run(['cp', '-a', HOME + '/old/tree', HOME + '/new/tree'], check=True)
mount(['--bind', HOME + '/new/tree'], TREE)
daemon = Daemon()
daemon.sync()
both_same('a root that moved to another disk is indexed')
ok(not query('SELECT 1 FROM filesystem WHERE identity LIKE ?', '% on %'), 'no disk was taken for a copy')
daemon.stop()

# all roots move
umount(STAYS)
configure()
daemon = Daemon()
daemon.sync()
daemon.stop()
umount(TREE)
subprocess.run(['cp', '-a', HOME + '/new/tree', HOME + '/newer/tree'], check=True)
subprocess.run(['rm', '-r', HOME + '/newer/tree/gone'], check=True)
trap = HOME + '/newer/tree/trap.txt'
before = os.stat(trap)
with open(trap, 'r+') as f:
    f.write('kraken')
os.utime(trap, ns=(before.st_atime_ns, before.st_mtime_ns))
write('../newer/tree/dir1/more.txt', 'more')
mount(['--bind', HOME + '/newer/tree'], TREE)
daemon = Daemon()
daemon.sync()
same('all that was copied to a new disk is indexed')
equal(extractions(), 2, 'only what differs is converted')
found = subprocess.run(['tarsier', 'search', '-l', 'text:kraken'], capture_output=True, text=True).stdout.split()
ok(found in ([TREE + '/linked.txt'], [TREE + '/trap.txt']), 'a copy with the same size and time is not believed', found)
daemon.stop()

# the old disk comes back while the daemon runs
daemon = Daemon()
daemon.sync()
umount(TREE)
mount(['--bind', HOME + '/new/tree'], TREE)
daemon.sync()
wait_until('the root is back', lambda: daemon.status()['roots'][0]['state'] == 'watching', 20)
daemon.sync()
same('the old disk in its place is indexed')
daemon.stop()
finish()
