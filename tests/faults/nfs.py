# SPDX-License-Identifier: GPL-3.0-or-later
"""A root on NFS, which the machine serves to itself: an agent makes all calls there, changes of the server are found by the clock, a server that does not
answer holds up nothing else, and an index on it is refused. Needs root and a kernel with NFS, else Debian's user-mode-linux with nfs-kernel-server:
then this runs in a machine of its own that sees the files of this one."""
import os, shutil, subprocess, sys
sys.path[:0] = [os.path.join(os.environ['abs_top_srcdir'], path) for path in ('tests/daemon', 'tests/faults')]
import machine
from machine import skip_all

TOOLS = ('exportfs', 'rpc.nfsd', 'rpc.mountd', 'mount.nfs4')


def has_nfs():
    with open('/proc/filesystems') as f:
        kinds = f.read().split()
    return 'nfsd' in kinds and 'nfs4' in kinds


if os.geteuid() != 0 or any(not shutil.which(tool) for tool in TOOLS):
    skip_all('needs root and nfs-kernel-server')
if not has_nfs():
    if machine.inside():
        skip_all('no NFS in the machine')
    machine.boot(empty=['/var/lib/nfs'], modules=['nfsd', 'nfsv4'])
from daemontest import *

SERVED, ASIDE = TMP + '/served', HOME + '/aside'
STATE = '/proc/fs/nfsd'


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def serve(threads):
    """Starts this number of server threads; 0: the server does not answer any more."""
    run('rpc.nfsd', '-N', '3', str(threads))
    if threads:
        with open(STATE + '/v4_end_grace', 'w') as f:
            f.write('Y')


def set_up():
    for path in (SERVED, TREE, ASIDE, '/var/lib/nfs/v4recovery'):
        os.makedirs(path, exist_ok=True)
    for name in ('etab', 'rmtab'):
        open('/var/lib/nfs/' + name, 'a').close()
    if not os.path.ismount(STATE):
        run('mount', '-t', 'nfsd', 'nfsd', STATE)
    run('mount', '-t', 'tmpfs', 'none', SERVED)
    keep(subprocess.Popen(['rpc.mountd', '-N', '2', '-N', '3', '-F'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    run('exportfs', '-o', 'rw,fsid=0,no_root_squash,insecure,no_subtree_check,async', '127.0.0.1:' + SERVED)
    serve(4)
    return run('mount', '-t', 'nfs4', '-o', 'proto=tcp,sec=sys,actimeo=1', '127.0.0.1:/', TREE)


def put(path, text):
    """Writes a file on the server."""
    path = os.path.join(SERVED, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def found(word):
    return run('tarsier', 'search', '-l', word).stdout.split()


def seen(name, word, path):
    """Waits by the clock only: there is no sync."""
    ok(wait_until(name, lambda: found(word) == ([path] if path else []), 60), name, found(word), state_text())


def root_states():
    return {root['path'].decode(): root['state'] for root in request('status')['roots']}


if run('tarsierd', '--version').returncode != 0:
    skip_all('the programs do not run in this machine')
mounted = set_up()
if mounted.returncode != 0:
    skip_all('NFS cannot be mounted: ' + mounted.stderr.strip().replace('\n', ' '))
atexit.register(subprocess.run, ['umount', '-l', TREE])
for i in range(60):
    put(f'd{i % 6}/{i}.txt', f'served number{i}')
with open(ASIDE + '/near.txt', 'w') as f:
    f.write('a nearby file')
configure((TREE, ASIDE), poll=1)
daemon = Daemon()
daemon.sync()
same_tree = [d for d in differences() if ASIDE not in d]
equal(same_tree, [], 'a root on NFS is indexed')
ok(agents(daemon.process.pid), 'an agent makes the calls on NFS')
ok(daemon.status()['polled'] >= 7, 'a root on NFS is polled', daemon.status())
equal(found('number7'), [f'{TREE}/d1/7.txt'], 'a file on NFS is found')

# ---- changes
write('d0/mine.txt', 'written by this machine, sparrow')
daemon.sync()
equal(found('sparrow'), [TREE + '/d0/mine.txt'], 'a file that this machine writes to NFS is found')
before = daemon.status()['extractions']
put('d0/late.txt', 'written by the server, heron')
seen('polling finds a file that the server writes', 'heron', TREE + '/d0/late.txt')
put('d0/late.txt', 'written by the server again, cormorant')
seen('polling finds a file that the server writes again', 'cormorant', TREE + '/d0/late.txt')
equal(daemon.status()['extractions'] - before, 2, 'two writes by the server lead to two conversions')
os.rename(SERVED + '/d1', SERVED + '/renamed')
seen('polling finds a file in a directory that the server renames', 'number7', TREE + '/renamed/7.txt')
os.unlink(SERVED + '/renamed/7.txt')
seen('polling finds out that the server removed a file', 'number7', None)
equal(daemon.status()['extractions'] - before, 2,
      'renames and removals by the server lead to no conversion')
daemon.sync()
equal([d for d in differences() if ASIDE not in d], [],
      'the index equals the root on NFS after a sync')

# ---- the server does not answer
serve(0)
with open(ASIDE + '/other.txt', 'w') as f:
    f.write('while the server is away, plover')
ok(wait_until('the root is stuck', lambda: root_states()[TREE] == 'stuck', 60),
   'the status says that the root of a silent server is stuck', state_text())
ok(wait_until('the file is found', lambda: found('plover') == [ASIDE + '/other.txt'], 20),
   'a file in another root is found while the server is silent')
equal(query('SELECT count(*) FROM inode WHERE state = 3'), [(0,)],
      'no row of the silent server counts as deleted')
put('d2/meanwhile.txt', 'written while nobody could see it, curlew')
serve(4)
seen('a file written while the server was silent is found when it answers again', 'curlew', TREE + '/d2/meanwhile.txt')
daemon.sync()
equal([d for d in differences() if ASIDE not in d], [],
      'the index equals the root on NFS when the server answers again')
ok(daemon.stop() < 5, 'SIGTERM ends the daemon within 5 s with a root on NFS')

# ---- an index on it
refused = run('tarsierd', '--index', TREE + '/index', '--once')
ok(refused.returncode in (1, 4) and 'network file system' in refused.stderr,
   'an index on NFS is refused with the reason', refused)
refused = run('tarsier', '--index', TREE + '/index', 'search', 'number8')
ok(refused.returncode == 3 and not refused.stdout,
   'a search in a refused index exits with 3', refused)
finish()
