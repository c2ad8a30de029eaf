# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel kills a process of the service at its memory limit (MemoryMax): the index stays sound
and equals the file system once there is memory. Needs root and the memory controller of control
groups. LIMITS sets how often, LIMIT_SEED repeats the choices."""
import os, random, signal, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

limits = int(os.environ.get('LIMITS', 3))
seed = int(os.environ.get('LIMIT_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
# control groups of version 1, of version 2
LIMIT_FILE, PARENTS = ('memory.limit_in_bytes', 'memory.max'), ('/sys/fs/cgroup/memory', '/sys/fs/cgroup')
GROUP = f'tarsier-test-{os.getpid()}'
JOIN = ['sh', '-c', 'echo $$ >"$0/cgroup.procs" && exec "$@"']


def make_group():
    """Returns the directory of the group and the file of the limit; None if there is none."""
    for name, parent in zip(LIMIT_FILE, PARENTS):
        try:
            os.mkdir(f'{parent}/{GROUP}')
        except OSError:
            continue
        if os.path.exists(f'{parent}/{GROUP}/{name}'):
            return f'{parent}/{GROUP}', f'{parent}/{GROUP}/{name}'
        os.rmdir(f'{parent}/{GROUP}')
    return None


group = make_group() if os.geteuid() == 0 else None
if not group or 'asan' in subprocess.run('ldd $(which tarsierd)', shell=True, capture_output=True, text=True).stdout:
    skip_all('memory cannot be limited here, or is not what it would be')
directory, limit_file = group


def remove_group():
    def is_removed():
        try:
            os.rmdir(directory)
            return True
        except OSError:
            return False
    wait_until('the control group is empty', is_removed, 5, 0.05)


atexit.register(remove_group)
print(f'# LIMITS={limits} LIMIT_SEED={seed}', flush=True)
os.makedirs(TREE)
configure()
ended = killed = 0


def crowd(i):
    """Writes large texts, many small ones, and some files that need a child of their own."""
    add_texts(rng, 60, 200)
    for k in range(3):
        write(f'large/{i}.{k}.txt', ' '.join(f'w{rng.randrange(1 << 20):x}' for _ in range(rng.choice([1000, 100000, 1000000]))))


def kills():
    try:
        with open(f'{directory}/memory.oom_control' if 'limit_in' in limit_file else f'{directory}/memory.events') as f:
            return next(int(line.split()[1]) for line in f if line.startswith('oom_kill '))
    except (OSError, StopIteration):
        return 0


for i in range(limits):
    mebibytes = rng.choice([3, 6, 9, 12, 18, 30, 60])
    with open(limit_file, 'w') as f:
        f.write(str(mebibytes << 20))
    crowd(i)
    daemon, before = None, kills()
    try:
        daemon = Daemon(wrapper=[*JOIN, directory])
        crowd(i + limits)
        daemon.sync(60)
        found = differences() if daemon.status()['state'] != 'degraded' else []
        ok(not found,
           f'the index equals the file system with {mebibytes} MiB, or the state is degraded', *found[:20], state_text())
        daemon.stop()
    except (RuntimeError, OSError, EOFError) as error:
        ended += 1
        if daemon:
            daemon.stop(signal.SIGKILL)
    killed += kills() - before
    daemon = Daemon()
    daemon.sync()
    same(f'the index equals the file system with memory again after {mebibytes} MiB')
    daemon.stop()
print(f'# the kernel killed {killed} processes, the daemon ended {ended} times', flush=True)
equal(faults_of_database(), [],
      'the database is sound after all limits of memory')
finish()
