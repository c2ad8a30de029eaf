# SPDX-License-Identifier: GPL-3.0-or-later
"""A root that is a mount point, of which an empty directory is left while its file system is away:
all commands say so. Runs in a name space of its own."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

stick = HOME + '/stick'
os.makedirs(stick)
os.makedirs(TREE)


def mount():
    subprocess.run(['mount', '--bind', disk, stick], check=True)


def run(*command):
    return subprocess.run(['tarsier', *command], capture_output=True, text=True)


def offline(*query):
    return json.loads(run('search', '--json', *query).stdout.splitlines()[-1])['offline']


disk = HOME + '/disk'
os.makedirs(disk)
subprocess.run(['mount', '-t', 'tmpfs', 'none', disk], check=True)
mount()
write('../disk/a.txt', 'walrus')
write('../disk/dir/b.txt', 'walrus too')
write('here.txt', 'narwhal')
configure(roots=(TREE, stick))
daemon = Daemon()
daemon.sync()
equal((offline('walrus'), run('search', '-c', 'walrus').stdout), (0, '2\n'), 'nothing is away at first')
umount(stick)
for name in ('while a daemon runs', 'without a daemon'):
    hits = run('search', 'walrus')
    ok(hits.returncode == 1 and 'Incomplete: 2 offline.' in hits.stderr, f'a search says how many files are away {name}', hits)
    equal((offline('walrus'), offline('walrus', '--dir', stick), offline('walrus', '--dir', TREE)), (2, 2, 0),
          f'files that are away are counted in the scope {name}')
    hits = run('search', '--dir', stick, 'walrus')
    ok(f'{stick} is offline' in hits.stderr, f'a search below the root says that it is offline {name}', hits)
    equal(json.loads(run('status', '--json').stdout)['offline'], 2, f'status counts them {name}')
    equal(run('search', '-l', 'is:offline', 'walrus').stdout.split(), [stick + '/a.txt', stick + '/dir/b.txt'],
          f'is:offline finds them {name}')
    ok('offline' in run('info', stick + '/a.txt').stdout, f'info says that a file is offline {name}')
    if daemon:
        daemon.stop()
        daemon = None
mount()
equal((offline('walrus'), run('search', '-c', 'walrus').stdout), (0, '2\n'), 'all is found when it is back')
daemon = Daemon()
daemon.sync()
for path in ('dir/b.txt', 'a.txt'):
    os.unlink(f'{stick}/{path}')
os.rmdir(stick + '/dir')
daemon.sync()
equal((offline('walrus'), json.loads(run('status', '--json').stdout)['offline']), (0, 0), 'a root without files is not away')
daemon.stop()
finish()
