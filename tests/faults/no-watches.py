# SPDX-License-Identifier: GPL-3.0-or-later
"""inotify gives no watches, or no more: unwatched directories are polled, the status says so, and
the index equals the file system after an interval. WATCH_FAULTS sets how often, WATCH_SEED repeats
the choices."""
import os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

n = int(os.environ.get('WATCH_FAULTS', 2))
seed = int(os.environ.get('WATCH_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
if not shutil.which('strace') or subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', 'true'], capture_output=True).returncode != 0:
    skip_all('needs strace')
print(f'# WATCH_FAULTS={n} WATCH_SEED={seed}', flush=True)
os.makedirs(TREE)
for i in range(200):
    write(f'{i % 40}/{i}.txt', f'text of {i}')
configure(poll=1)
for i in range(n):
    call, error = [('inotify_init1', 'EMFILE'), ('inotify_add_watch', 'ENOSPC'), ('inotify_init1', 'EPERM'), ('inotify_add_watch', 'EACCES'),
                   ('inotify_add_watch', 'ENOMEM')][i % 5]
    first = 1 if call == 'inotify_init1' else rng.choice([1, 5, 20, 38])
    name = f'{call} fails with {error} from call {first} on'
    daemon = Daemon(wrapper=['strace', '-f', '-qq', '-o', '/dev/null', '-e', f'trace={call}', '-e', f'inject={call}:error={error}:when={first}+'])
    daemon.sync()
    same(f'{name}: the first crawl leaves the index equal to the file system')
    status = daemon.status()
    ok(status['polled'] >= 41 - first, f'{name}: the status counts the polled directories', status)
    for k in range(40):
        write(f'{k}/{rng.choice(range(k, 200, 40))}.txt', f'changed {i} {k} {rng.randrange(1000)}')
    os.rename(f'{TREE}/{i}', f'{TREE}/renamed{i}')
    os.rename(f'{TREE}/renamed{i}', f'{TREE}/{i}')
    write(f'new{i}/deep/er/file.txt', f'new {i}')
    ok(wait_until('the index is up to date', up_to_date, 40),
       f'{name}: polling alone makes the index equal to the file system', *differences()[:10], daemon.status())
    os.kill(daemon.status()['pid'], signal.SIGTERM)
    equal(daemon.process.wait(100), 0, f'{name}: SIGTERM ends the daemon with status 0')
finish()
