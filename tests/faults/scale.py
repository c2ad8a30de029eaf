# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of SCALE documents: overflows, once and OVERFLOWS times in a row, a rename of everything,
few watches. Each time the index equals the file system within seconds, and only changed files are
converted. The seconds are printed."""
import os, random, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

scale = int(os.environ.get('SCALE', 1500))
in_a_row = int(os.environ.get('OVERFLOWS', 4))
seed = int(os.environ.get('SCALE_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
directories = scale // 100
print(f'# SCALE={scale} OVERFLOWS={in_a_row} SCALE_SEED={seed}', flush=True)
os.makedirs(TREE)


def path_of(i):
    return f'all/{i % directories}/{i}.txt'


def measure(name, limit_s, done):
    """Measures the seconds until done() is true."""
    watch = Stopwatch(daemon.process)

    def is_done():
        watch.seconds()  # measures the time in which other processes had the processors
        return done()
    wait_until(name, is_done, limit_s * 3, 0.01)
    took = watch.seconds()
    print(f'# {name}: {took:.2f} s', flush=True)
    return ok(took <= limit_s, f'{name} within {limit_s} s', took)


def wait():
    return daemon.sync(600)


for i in range(scale):
    write(path_of(i), f'document {i} with a few words, {rng.randrange(100000)}')
configure()
daemon = Daemon()
wait()
same('the first crawl indexes the tree')


def conversions():
    return daemon.status()['extractions']


# ---- overflow
before, overflows = conversions(), daemon.status()['overflows']
changed = rng.sample(range(scale), 100)
daemon.send(signal.SIGSTOP)
for i in range(9000):  # two events for each file; the queue of the kernel holds 16,384
    os.rename(f'{TREE}/{path_of(changed[0])}', f'{TREE}/{path_of(changed[0])}x')
    os.rename(f'{TREE}/{path_of(changed[0])}x', f'{TREE}/{path_of(changed[0])}')
for i in changed:
    write(path_of(i), f'another text {i} {rng.randrange(100000)}')
daemon.send(signal.SIGCONT)
measure('the sync after an overflow ends', 10, wait)
same('the index equals the file system after an overflow')
ok(daemon.status()['overflows'] > overflows, 'the status counts the overflow')
equal(conversions() - before, len(changed),
      'exactly the changed files are converted after an overflow')

# ---- overflows in a row: the daemon is stopped again as soon as it has noticed one, long before
# everything is compared
def fill_queue():
    with open('/proc/sys/fs/inotify/max_queued_events') as f:
        events = int(f.read())
    for i in range(events // 4 + 100):  # two events for each file
        os.rename(f'{TREE}/{path_of(i % 7)}', f'{TREE}/{path_of(i % 7)}x')
        os.rename(f'{TREE}/{path_of(i % 7)}x', f'{TREE}/{path_of(i % 7)}')


def change_some(n):
    """Makes changes of all kinds, different ones each time; returns the number of new texts."""
    for i in rng.sample(range(7, scale), 20):
        rewritten.add(i)
        write(path_of(i), f'text {i} of round {n} {rng.randrange(100000)}')
    for k in range(10):
        write(f'all/made/{n}/{k}/file', f'made in round {n}, {k}')
    if n > 0:
        os.rename(f'{TREE}/all/made/{n - 1}', f'{TREE}/all/made/{n}/0/moved')
        subprocess.run(['rm', '-rf', f'{TREE}/all/made/{n}/{rng.randrange(1, 10)}'], check=True)
    a, b = rng.sample(range(directories), 2)
    for old, new in ((a, 'x'), (b, a), ('x', b)):
        os.rename(f'{TREE}/all/{old}', f'{TREE}/all/{new}')
    for old, new in ((a, 'x'), (b, a), ('x', b)):
        os.rename(f'{TREE}/all/{old}', f'{TREE}/all/{new}')
    return 30


before, overflows, new_texts = conversions(), daemon.status()['overflows'], 0
rewritten = set()
for n in range(in_a_row):
    daemon.send(signal.SIGSTOP)
    new_texts += change_some(n)
    fill_queue()
    daemon.send(signal.SIGCONT)
    if not wait_until('the overflow is counted', lambda: daemon.status()['overflows'] > overflows + n, 60):
        break
measure(f'the sync after {in_a_row} overflows in a row ends', 10, wait)
same('the index equals the file system after overflows in a row')
equal(daemon.status()['overflows'] - overflows, in_a_row, 'the status counts each overflow once')
ok(conversions() - before <= new_texts,
   'at most the new texts are converted after overflows in a row', conversions() - before, new_texts)

# ---- a directory with all documents is renamed
before = conversions()
unchanged = next(i for i in range(scale) if i not in changed and i not in rewritten)
os.rename(TREE + '/all', TREE + '/renamed')
new = f'{TREE}/{path_of(unchanged)}'.replace('/all/', '/renamed/')


def found():
    return new in subprocess.run(['tarsier', 'search', '-l', '-n', '5', f'"document {unchanged} with"'], capture_output=True, text=True).stdout


measure('a document below a renamed directory is found', 1, found)
wait()
same('the index equals the file system after the directory of all documents was renamed')
equal(conversions() - before, 0, 'renaming the directory of all documents converts nothing')
os.rename(TREE + '/renamed', TREE + '/all')
wait()
daemon.stop()

# ---- twenty watches
def write_at_once(path, text):
    """Writes in place, so that nobody sees an empty file before."""
    with open(f'{TREE}/{path}', 'r+b', buffering=0) as f:
        f.write(text.ljust(os.fstat(f.fileno()).st_size).encode())


few = ['unshare', '-r', '-U', 'sh', '-c', 'echo 20 >/proc/sys/user/max_inotify_watches && exec "$@"', 'sh']
if subprocess.run([*few, 'true'], capture_output=True).returncode == 0:
    interval = max(2, directories // 50)
    configure(poll=interval)
    daemon = Daemon(wrapper=few)
    wait()
    status = daemon.status()
    ok(status['watches_used'] <= 10 and status['polled'] >= directories - 10,
       f'few of {directories} directories are watched', status)
    before = conversions()
    for n in range(3):  # the changes come at different times of an interval
        let_time_pass(rng.random() * interval, 'the changes come at any moment of an interval')
        for d in range(directories):
            write_at_once(path_of(d), f'changed without an event {n} {d}')
        watch = Stopwatch(daemon.process)
        wait_until('the daemon had a whole interval', lambda: watch.seconds() >= interval, 10 * interval, 0.05)
        daemon.send(signal.SIGSTOP)  # the daemon gets no more time than that, however long the comparison takes
        same(f'polling makes the index equal to the file system after an interval of {interval} s', owners=False)
        daemon.send(signal.SIGCONT)
        wait()
    equal(conversions() - before, 3 * directories,
          'exactly the changed files are converted by polling')
    daemon.stop()
else:
    skip('few directories are watched', 'no user name spaces with limits of their own')
finish()
