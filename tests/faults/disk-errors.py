# SPDX-License-Identifier: GPL-3.0-or-later
"""The Nth call of a kind on the database fails once: the daemon goes on, reports it and recovers by
itself. IO_FAULTS sets how many faults are tried, IO_SEED repeats the choices."""
import os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

FAULTS = [(call, error) for call in ('pwrite64', 'fdatasync', 'ftruncate', 'pread64', 'fsync') for error in ('EIO', 'ENOSPC', 'EDQUOT')] + \
         [(call, error) for call in ('openat', 'unlink', 'newfstatat', 'fcntl', 'mmap') for error in ('EIO', 'ENOMEM')]
OURS = [word for side in ('', '-wal', '-shm') for word in ('-P', f'{Daemon.index}/index.db{side}')]  # only these calls, because errors of other calls end any program
n = int(os.environ.get('IO_FAULTS', 5))
seed = int(os.environ.get('IO_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
probe = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO:when=1', 'true']
if not shutil.which('strace') or subprocess.run(probe, capture_output=True).returncode != 0:
    skip_all('needs strace')
print(f'# IO_FAULTS={n} IO_SEED={seed}', flush=True)
os.makedirs(TREE)
configure()
for i in range(n):
    call, error = rng.choice(FAULTS)
    when = rng.choice((1, 2, 3, 5, 8, 20, 60, 200))
    name = f'{call} fails with {error} at call {when}'
    for k in range(60):
        write(f'{rng.randrange(5)}/{rng.randrange(200)}', ' '.join(f'word{rng.randrange(5000)}' for _ in range(rng.randrange(200))))
    wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', f'trace={call}', '-e', f'inject={call}:error={error}:when={when}']
    if call in ('openat', 'unlink', 'newfstatat', 'fcntl', 'mmap'):
        wrapper += OURS
    try:
        daemon = Daemon(wrapper=wrapper)
    except RuntimeError as e:  # at the start the daemon may end with a message
        ok('tarsierd:' in str(e), f'{name}: the daemon says why it does not start', e)
        continue
    for k in range(20):
        write(f'{rng.randrange(5)}/{rng.randrange(200)}', f'later {i} {k}')

    def is_up_to_date():
        daemon.sync()  # makes the daemon retry postponed work
        return up_to_date()

    wait_until('the index is up to date', is_up_to_date, 40, 0.1)
    same(f'{name}: the index equals the file system')
    pid = daemon.status()['pid']
    os.kill(pid, signal.SIGTERM)
    daemon.process.wait(100)
    equal(daemon.process.returncode, 0, f'{name}: SIGTERM ends the daemon with status 0')
daemon = Daemon()
daemon.sync()
same('the index equals the file system without errors of the disk')
equal(faults_of_database(), [], 'the database is sound after errors of the disk')
daemon.stop()
finish()
