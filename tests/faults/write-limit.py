# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing can be written any more though the disk has room: a limit of file size (EFBIG), a quota (EDQUOT). The daemon says so, goes on
answering, keeps what it has, and goes on by itself when it may. LIMITS sets how often, LIMIT_SEED repeats the choices."""
import os, random, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

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
    ok(wait_for(lambda: daemon.status()['state'] == 'degraded', 30), 'files may not grow: the status says so', daemon.status())
    ok(daemon.status()['reason'], 'with a reason')
    ok(len(rows()) >= known, 'what was indexed is kept')
    found = subprocess.run(['tarsier', 'status', '--check'], capture_output=True, text=True)
    ok(found.returncode == 5 and 'degraded' in found.stdout, 'and a client is told', found)
    add_texts(rng, 20, 30)
    subprocess.run(['prlimit', '--pid', str(daemon.process.pid), '--fsize=unlimited'], check=True)
    ok(wait_for(up_to_date, 40), 'they may: it goes on by itself', *differences()[:10], daemon.status())
    ok(daemon.stop() < 1, 'it stops')
    equal(daemon.process.returncode, 0, 'well')

if shutil.which('strace') and subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', 'true'], capture_output=True).returncode == 0:
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # it cannot trace what is traced
    for i in range(limits):
        first = rng.randrange(1, 60)
        last = first + rng.randrange(1, 30)
        try:
            daemon = Daemon(wrapper=['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e',
                                     f'inject=pwrite64:error=EDQUOT:when={first}..{last}'])
        except RuntimeError as e:  # at the start: it may refuse, and say why
            ok('tarsierd:' in str(e), f'over quota from write {first}: it refuses to start', e)
            continue
        add_texts(rng, 60, 100)
        ok(wait_for(up_to_date, 60), f'over quota from write {first} to {last}: it gets over it', *differences()[:10], daemon.status())
        os.kill(daemon.status()['pid'], signal.SIGTERM)
        equal(daemon.process.wait(20), 0, 'and stops well')
else:
    skip('a quota', 'needs strace')
daemon = Daemon()
daemon.sync()
same('in the end')
equal(query('PRAGMA integrity_check'), [(b'ok',)], 'the database is sound')
daemon.stop()
finish()
