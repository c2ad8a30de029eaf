# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes fail though the disk has room (EFBIG, EDQUOT): the daemon reports it, answers, keeps its
rows and recovers by itself. LIMITS sets how often, LIMIT_SEED repeats the choices."""
import os, random, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

limits = int(os.environ.get('LIMITS', 1))
seed = int(os.environ.get('LIMIT_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# LIMITS={limits} LIMIT_SEED={seed}', flush=True)


os.makedirs(TREE)
add_texts(rng, 100, 50)
configure()
for i in range(limits):
    daemon = Daemon()
    daemon.sync()
    known = len(rows())
    limit = rng.choice([0, 4096, 65536, 200000])
    subprocess.run(['prlimit', '--pid', str(daemon.process.pid), f'--fsize={limit}:unlimited'], check=True)
    add_texts(rng, rng.randrange(300, 600), 200)
    ok(wait_until('the state is degraded', lambda: daemon.status()['state'] == 'degraded', 30),
       'the state is degraded when files may not grow', daemon.status())
    ok(daemon.status()['reason'], 'the status says why the state is degraded')
    ok(len(rows()) >= known, 'no row is lost when files may not grow')
    found = subprocess.run(['tarsier', 'status', '--check'], capture_output=True, text=True)
    ok(found.returncode == 5 and 'degraded' in found.stdout,
       'status --check says that the state is degraded', found)
    add_texts(rng, 20, 30)
    subprocess.run(['prlimit', '--pid', str(daemon.process.pid), '--fsize=unlimited'], check=True)
    ok(wait_until('the index is up to date', up_to_date, 40),
       'the daemon goes on by itself when files may grow', *differences()[:10], daemon.status())
    ok(daemon.stop() < 1, 'SIGTERM ends the daemon within a second after a limit')
    equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0 after a limit')

if shutil.which('strace') and subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', 'true'], capture_output=True).returncode == 0:
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
    for i in range(limits):
        first = rng.randrange(1, 60)
        last = first + rng.randrange(1, 30)
        try:
            daemon = Daemon(wrapper=['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e',
                                     f'inject=pwrite64:error=EDQUOT:when={first}..{last}'])
        except RuntimeError as e:  # at the start the daemon may end with a message
            ok('tarsierd:' in str(e),
               f'over quota from write {first}: the daemon says why it does not start', e)
            continue
        add_texts(rng, 60, 100)
        ok(wait_until('the index is up to date', up_to_date, 60),
           f'over quota from write {first} to {last}: the index equals the file system in the end', *differences()[:10], daemon.status())
        os.kill(daemon.status()['pid'], signal.SIGTERM)
        equal(daemon.process.wait(100), 0,
              f'over quota from write {first} to {last}: SIGTERM ends the daemon with status 0')
else:
    skip('over quota: the index equals the file system in the end', 'needs strace')
daemon = Daemon()
daemon.sync()
same('the index equals the file system without limits')
equal(faults_of_database(), [], 'the database is sound after all limits')
daemon.stop()
finish()
