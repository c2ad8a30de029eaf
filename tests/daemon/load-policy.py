# SPDX-License-Identifier: GPL-3.0-or-later
"""The CPU limit holds over any 10 s of a first crawl, a file saved meanwhile is found soon, the log
stays short, and an idle daemon does not wake. LOAD_SECONDS sets how long it is measured,
LOAD_PERCENT the limit."""
import os, random, shutil, subprocess, sys, time, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

seconds = float(os.environ.get('LOAD_SECONDS', 16))
percent = int(os.environ.get('LOAD_PERCENT', 30))
WINDOW, SAMPLE, TICK = 10, 0.2, os.sysconf('SC_CLK_TCK')
rng = random.Random(7)
words = [f'{rng.randrange(1 << 40):x}' for _ in range(60000)]


def calm():
    """Waits, because other tests may keep the disks of the machine busy, and then the backlog
    would wait too."""
    with open(TMP + '/calm', 'w') as f:
        f.write(''.join(f'{who} avg10=0.00 avg60=0.00 avg300=0.00 total=0\n' for who in ('some', 'full')))
    for what in ('io', 'memory'):
        if os.path.exists('/proc/pressure/' + what):
            subprocess.run(['mount', '--bind', TMP + '/calm', '/proc/pressure/' + what], check=True)


def of(pid):
    """Returns the CPU time of a process with its ended descendants, and of those that run."""
    try:
        with open(f'/proc/{pid}/stat') as f:
            fields = f.read().rpartition(')')[2].split()
        own = sum(int(field) for field in fields[11:15])
        for tid in os.listdir(f'/proc/{pid}/task'):
            with open(f'/proc/{pid}/task/{tid}/children') as f:
                own += sum(of(child) for child in f.read().split())
        return own
    except OSError:
        return 0


def switches():
    n = 0
    for tid in os.listdir(f'/proc/{daemon.process.pid}/task'):
        with open(f'/proc/{daemon.process.pid}/task/{tid}/status') as f:
            n += sum(int(line.split()[1]) for line in f if 'ctxt_switches' in line)
    return n


def text(n):
    start = rng.randrange(len(words) - n)
    return ' '.join(words[start:start + n])


calm()
for i in range(20):  # each of these takes a while in one piece
    with zipfile.ZipFile(write(f'big/{i}.zip', b''), 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for k in range(60):
            z.writestr(f'{k}.txt', text(20000 - k))
with open(shutil.which('tarsierd'), 'rb') as f:
    slow = b'__asan_init' in f.read()  # many times
for i in range(4):  # and what is written of these does
    write(f'large/{i}.txt', f'{i} ' + ' '.join(text(50000) for _ in range(2 if slow else 8)))
for i in range(4000):
    write(f'small/{i % 40}/{i}.txt', text(300))
for top, _, names in os.walk(TREE):  # the newest go first: half of the large ones, then all mixed; with sanitizers the large ones go last
    for name in names:
        small = 'small' in top
        first = small if slow else not small and rng.random() < 0.5
        os.utime(os.path.join(top, name), (0, rng.randrange(10) + 10 * first))
configure(cpu=percent)
daemon = Daemon()
began = time.monotonic()
samples, greatest, log, saved, cost, waited = [], 0, 0, None, None, 0
while (now := time.monotonic()) < began + seconds:
    greatest = max(greatest, of(daemon.process.pid))
    waited = max(waited, waited_s(daemon.process.pid))
    samples.append((now, greatest / TICK))
    log = max(log, os.stat(Daemon.index + '/index.db-wal').st_size)
    if saved is None and now > began + seconds / 2:
        write('saved.txt', 'saved in the middle')
        saved = greatest
    if saved and cost is None and query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0', b'saved.txt'):
        cost = (greatest - saved) / TICK
    let_time_pass(SAMPLE, 'the CPU time is sampled at intervals')
busiest = max(b[1] - a[1] for a in samples for b in samples if 0 < b[0] - a[0] <= WINDOW)
all_together = samples[-1][1] / (samples[-1][0] - began) * 100
waited *= 100 / (samples[-1][0] - began)  # other processes had the processors
print(f'# a ceiling of {percent} %: the busiest 10 s took {busiest:.2f} s, all together {all_together:.0f} %; greatest log {log >> 10} KiB', flush=True)
# the kernel counts the time of each process in ticks; without a limit it would be ten seconds or
# more
ok(busiest <= WINDOW * percent / 100 * 1.05,
   'the CPU limit holds over any 10 s of a first crawl', busiest)
ok(all_together + waited > percent / 3,
   'a first crawl uses at least a third of the CPU limit', all_together, waited, daemon.status(), log_text())
ok(cost is not None and cost < 1,
   'a file saved during a first crawl is found before a CPU second of other work is done', cost)
ok(daemon.status()['pending'] > 0,
   'the first crawl has work left at the end of the measurement', daemon.status())
ok(log <= 64 << 20, 'the write-ahead log stays below 64 MiB during a first crawl', log)
for path in ('big', 'large', *(f'small/{i}' for i in range(5, 40))):  # converting the rest would take long
    shutil.rmtree(f'{TREE}/{path}')
request('pause')
for _ in range(40):  # retried: conversions in work end first, throttled like the rest
    before = switches()
    let_time_pass(2, 'wakeups are counted over so long')
    few = switches() - before
    if few < 20:
        break
ok(few < 20, 'a paused daemon with a backlog wakes less than 20 times in 2 s', few)
request('resume')
configure(cpu=0)
request('reload')
daemon.sync(250)
print(f'# {time.monotonic() - began:.0f} s', flush=True)
equal(query('SELECT count(*) FROM inode WHERE state <> 0'), [(0,)],
      'every file is converted although conversions were throttled')
still = 1
for _ in range(40):  # retried: maintenance ends first
    before = switches()
    let_time_pass(5, 'wakeups are counted over so long')
    still = switches() - before
    if still == 0:
        break
print(f'# {time.monotonic() - began:.0f} s', flush=True)
equal(still, 0, 'an idle daemon does not wake for 5 s')
daemon.stop()
finish()
