# SPDX-License-Identifier: GPL-3.0-or-later
"""The wall clock jumps by hours and years, and files carry times from 1901 to 2106: every edit is
found, nothing else is converted, and the daemon does not spin. JUMPS sets how many, CLOCK_SEED
repeats the choices."""
import mmap, os, random, struct, sys, time
sys.path[:0] = [os.path.join(os.environ['abs_top_srcdir'], path) for path in ('tests/daemon', 'tests/faults')]
import machine
from daemontest import *

jumps = int(os.environ.get('JUMPS', 5))
seed = int(os.environ.get('CLOCK_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
YEAR = 365 * 86400
print(f'# JUMPS={jumps} CLOCK_SEED={seed}', flush=True)


class FakeClock:
    """A preloaded library shifts the daemon's clock; files have the true times."""
    library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/fake-clock.so')

    def __init__(self):
        if not os.path.exists(self.library):
            machine.skip_all('the clock cannot be replaced here')
        path = TMP + '/clock'
        with open(path, 'wb') as f:
            f.write(bytes(8))
        self.offset = mmap.mmap(os.open(path, os.O_RDWR), 8)
        self.wrapper = ['env', f'LD_PRELOAD={self.library}', f'FAKE_CLOCK={path}',
                        'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0']

    def jump(self, seconds):
        self.offset[:] = struct.pack('=q', seconds * 10**9)


class RealClock:
    """Sets the clock of a separate machine; it cannot be set to before 1970 at the start of that
    machine."""
    wrapper = []

    def __init__(self):
        self.start = time.time() - time.monotonic()

    def jump(self, seconds):
        time.clock_settime(time.CLOCK_REALTIME, max(self.start + seconds, 1) + time.monotonic())


clock = RealClock() if machine.inside() else FakeClock()
START = int(time.time())


def some_time():
    """Returns nanoseconds since 1970."""
    now = START
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
daemon = Daemon(wrapper=clock.wrapper)
daemon.sync()
same('the index has files with times of two centuries')
clock.jump(100 * YEAR)
write('probe', 'the clock is replaced')
daemon.sync()
ok(daemon.status()['last_reconcile'] > START + 99 * YEAR,
   'the daemon takes its time from the replaced clock', daemon.status()['last_reconcile'])
for i in range(jumps):
    seconds = rng.choice([3600, -3600, 86400, -86400, 10 * YEAR, -10 * YEAR, -START, -START - YEAR, 80 * YEAR, 0])
    name = f'clock off by {seconds} s'
    before = daemon.status()['extractions']
    clock.jump(seconds)
    spent = cpu_seconds()
    let_time_pass(0.3, 'CPU time is counted over so long')
    ok(cpu_seconds() - spent < 0.1,
       f'{name}: the daemon uses less than 0.1 s of CPU time in 0.3 s', cpu_seconds() - spent)
    changed = rng.sample(files, 6)
    for n, path in enumerate(changed):
        st = os.stat(path)
        with open(path, 'w') as f:
            f.write(f'edit {i}.{n}' if n % 2 else ('%*s' % (st.st_size, f'{i}{n}'))[:st.st_size])
        os.utime(path, ns=(0, rng.choice([st.st_mtime_ns - 10**9, st.st_mtime_ns, some_time()])))
    daemon.sync()
    same(f'{name}: edits are found, wherever the times of the files went')
    converted = daemon.status()['extractions'] - before
    ok(converted <= 2 * len(changed), f'{name}: nothing but edited files is converted', converted)
    if i % 3 == 2:
        daemon.stop()
        daemon = Daemon()
        daemon.sync()
        same(f'{name}: a start under another clock leaves the index equal to the file system')
        equal(daemon.status()['extractions'], 0,
              f'{name}: a start under another clock converts nothing')
        daemon.stop()
        daemon = Daemon(wrapper=clock.wrapper)
        daemon.sync()
ok(daemon.stop() < 1, 'SIGTERM ends the daemon within a second')
equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0')
finish()
