# SPDX-License-Identifier: GPL-3.0-or-later
"""The wall clock jumps, by hours, years, to 1970 and back, and files carry times from 1901 to 2106: every edit is found, nothing else is converted,
and nothing spins. JUMPS sets how many, CLOCK_SEED repeats the choices."""
import mmap, os, random, struct, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

jumps = int(os.environ.get('JUMPS', 5))
seed = int(os.environ.get('CLOCK_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/fake-clock.so')
if not os.path.exists(library):
    print('1..0 # SKIP the clock cannot be replaced here')
    sys.exit(0)
print(f'# JUMPS={jumps} CLOCK_SEED={seed}', flush=True)
YEAR = 365 * 86400
clock_file = TMP + '/clock'
with open(clock_file, 'wb') as f:
    f.write(bytes(8))
clock = mmap.mmap(os.open(clock_file, os.O_RDWR), 8)


def jump(seconds):
    clock[:] = struct.pack('=q', seconds * 10**9)


def some_time():
    """Nanoseconds since 1970."""
    now = int(time.time())
    return rng.choice([rng.randrange(-2**31, 2**32), now + rng.randrange(100 * YEAR), now - rng.randrange(20 * YEAR), 0, 1, 2**31]) * 10**9


def cpu_seconds():
    with open(f'/proc/{daemon.process.pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


os.makedirs(TREE)
files = [write(f'{i % 7}/{i}.txt', f'text of {i}') for i in range(120)]
for path in files[::2]:
    os.utime(path, ns=(0, some_time()))
configure()
daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'FAKE_CLOCK={clock_file}',
                         'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'])
daemon.sync()
same('files of all times')
jump(100 * YEAR)
write('probe', 'the clock is replaced')
daemon.sync()
ok(daemon.status()['last_reconcile'] > time.time() + 99 * YEAR, 'the clock is replaced', daemon.status()['last_reconcile'])
for i in range(jumps):
    seconds = rng.choice([3600, -3600, 86400, -86400, 10 * YEAR, -10 * YEAR, -int(time.time()), -int(time.time()) - YEAR, 80 * YEAR, 0])
    name = f'clock off by {seconds} s'
    before = daemon.status()['extractions']
    jump(seconds)
    spent = cpu_seconds()
    time.sleep(0.3)
    ok(cpu_seconds() - spent < 0.1, f'{name}: nothing spins', cpu_seconds() - spent)
    changed = rng.sample(files, 6)
    for n, path in enumerate(changed):
        st = os.stat(path)
        with open(path, 'w') as f:
            f.write(f'edit {i}.{n}' if n % 2 else ('%*s' % (st.st_size, f'{i}{n}'))[:st.st_size])
        os.utime(path, ns=(0, rng.choice([st.st_mtime_ns - 10**9, st.st_mtime_ns, some_time()])))
    daemon.sync()
    same(f'{name}: edits are found, wherever their times went')
    converted = daemon.status()['extractions'] - before
    ok(converted <= 2 * len(changed), f'{name}: nothing else is converted', converted)
    if i % 3 == 2:
        daemon.stop()
        daemon = Daemon()
        daemon.sync()
        same(f'{name}: started under another clock')
        equal(daemon.status()['extractions'], 0, 'nothing is converted for it')
        daemon.stop()
        daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'FAKE_CLOCK={clock_file}',
                                 'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'])
        daemon.sync()
ok(daemon.stop() < 1, 'it stops')
equal(daemon.process.returncode, 0, 'well')
finish()
