# SPDX-License-Identifier: GPL-3.0-or-later
"""Allocations fail, one or many: the daemon goes on or ends, the index stays sound and equals the
file system once there is memory. MEMORY_FAULTS sets how often, MEMORY_SEED repeats the choices."""
import os, random, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

faults = int(os.environ.get('MEMORY_FAULTS', 5))
seed = int(os.environ.get('MEMORY_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/no-malloc.so')
linked = subprocess.run(['ldd', subprocess.run(['which', 'tarsierd'], capture_output=True, text=True).stdout.strip()], capture_output=True, text=True).stdout
if not os.path.exists(library) or 'asan' in linked:
    skip_all('memory cannot run out here')
print(f'# MEMORY_FAULTS={faults} MEMORY_SEED={seed}', flush=True)
os.makedirs(TREE)
configure()
ended = 0
for i in range(faults):
    first, many = int(10 ** rng.uniform(2, 5.5)), rng.choice([1, 1, 10, 1000])
    add_texts(rng, 30, 100)
    daemon = None
    try:
        daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'NO_MALLOC={first},{many}'])
        for _ in range(10):
            add_texts(rng, 10, 100)
            daemon.status()
        daemon.sync(20)
        same(f'the daemon goes on although {many} allocations from number {first} on fail')
        daemon.stop()
        ok(daemon.process.returncode in (0, -signal.SIGTRAP, -signal.SIGABRT),
           f'SIGTERM ends the daemon although {many} allocations from number {first} on fail', daemon.process.returncode, log_text())
    except (RuntimeError, OSError, EOFError) as error:
        ended += 1
        if daemon:
            daemon.stop(signal.SIGKILL)
            ok(daemon.process.returncode in (-signal.SIGKILL, -signal.SIGTRAP, -signal.SIGABRT, 1, 2, 4),
               f'the daemon ends with a known status when {many} allocations from number {first} on fail',
               daemon.process.returncode, error, log_text())
    equal([n for n in os.listdir(Daemon.index) if 'damaged' in n] if os.path.exists(Daemon.index) else [], [],
          f'an index is not taken for damaged when allocations from number {first} on fail')
    daemon = Daemon()
    daemon.sync()
    same(f'the index equals the file system with memory after number {first}')
    daemon.stop()
print(f'# ended {ended} times', flush=True)
equal(faults_of_database(), [],
      'the database is sound after all failed allocations')
finish()
