# SPDX-License-Identifier: GPL-3.0-or-later
"""On a file system without locks, or on the network, the daemon does not start and says why, the
client says so too, and the index is not touched."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace


def tracing(*faults):
    return ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=flock,fcntl,statfs', *(word for fault in faults for word in ('-e', 'inject=' + fault))]


def run(wrapper, *command):
    return subprocess.run([*wrapper, *command], capture_output=True, text=True, timeout=60)


NFS = 'statfs:poke_exit=@arg2=6969000000000000'
if not shutil.which('strace') or run(tracing('flock:error=ENOLCK', NFS), 'true').returncode != 0:
    skip_all('needs a strace that can change what calls return')
os.makedirs(TREE)
for i in range(50):
    write(f'{i % 5}/{i}.txt', f'text number{i}')
configure()


def refused(name, faults, word):
    done = run(tracing(*faults), 'tarsierd')
    ok(done.returncode in (1, 4) and word in done.stderr,
       f'{name}: the daemon does not start and says why', done)


for made in (False, True):
    state = 'an index that is there' if made else 'a new index'
    refused(f'{state}, no flock()', ['flock:error=ENOLCK'], 'lock')
    refused(f'{state}, no fcntl() locks', ['fcntl:error=ENOLCK:when=1+'], 'lock')
    refused(f'{state} on NFS', [NFS], 'network file system')
    if not made:
        daemon = Daemon()
        daemon.sync()
        daemon.stop()
found = run(tracing('fcntl:error=ENOLCK:when=1+'), 'tarsier', 'search', '-l', 'number7')
ok(found.returncode in (4, 75) and found.stderr.startswith('tarsier: ') and not found.stdout,
   'a client that cannot lock says so and shows nothing', found)
daemon = Daemon()
daemon.sync()
same('the index equals the file system once locks work')
equal(daemon.status()['extractions'], 0, 'nothing is converted again once locks work')
equal([n for n in os.listdir(Daemon.index) if 'damaged' in n], [],
      'an index without locks is not put aside as damaged')
daemon.stop()
finish()
