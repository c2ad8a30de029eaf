# SPDX-License-Identifier: GPL-3.0-or-later
"""A guest: a ceiling of processor time holds over any ten seconds of a first crawl, whatever is converted, and what is saved meanwhile is found all
the same; the log stays short; and when all is done nothing wakes. GUEST_SECONDS sets how long it is measured, GUEST_PERCENT the ceiling."""
import os, random, shutil, subprocess, sys, time, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from watched import *

seconds = float(os.environ.get('GUEST_SECONDS', 16))
percent = int(os.environ.get('GUEST_PERCENT', 30))
WINDOW, SAMPLE, TICK = 10, 0.2, os.sysconf('SC_CLK_TCK')
rng = random.Random(7)
words = [f'{rng.randrange(1 << 40):x}' for _ in range(60000)]


def calm():
    """The disks of the machine may be busy with other tests, for which a guest would wait."""
    with open(TMP + '/calm', 'w') as f:
        f.write(''.join(f'{who} avg10=0.00 avg60=0.00 avg300=0.00 total=0\n' for who in ('some', 'full')))
    for what in ('io', 'memory'):
        if os.path.exists('/proc/pressure/' + what):
            subprocess.run(['mount', '--bind', TMP + '/calm', '/proc/pressure/' + what], check=True)


def of(pid):
    """Of a process, and of those below it that have ended; and of those that have not."""
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
for i in range(20):  # each takes a while in one piece
    with zipfile.ZipFile(write(f'big/{i}.zip', b''), 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for k in range(60):
            z.writestr(f'{k}.txt', text(20000 - k))
with open(shutil.which('tarsierd'), 'rb') as f:
    slow = b'__asan_init' in f.read()  # many times
for i in range(4):  # and what is written of these does
    write(f'large/{i}.txt', f'{i} ' + ' '.join(text(50000) for _ in range(2 if slow else 8)))
for i in range(4000):
    write(f'small/{i % 40}/{i}.txt', text(300))
for top, _, names in os.walk(TREE):  # the newest go first: half of the great ones, then all mixed; with sanitizers the great ones last
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
    time.sleep(SAMPLE)
busiest = max(b[1] - a[1] for a in samples for b in samples if 0 < b[0] - a[0] <= WINDOW)
all_together = samples[-1][1] / (samples[-1][0] - began) * 100
waited *= 100 / (samples[-1][0] - began)  # others had the processors
print(f'# a ceiling of {percent} %: the busiest 10 s took {busiest:.2f} s, all together {all_together:.0f} %; greatest log {log >> 10} KiB', flush=True)
# the kernel counts the time of each process in ticks; without a ceiling it would be ten seconds and more
ok(busiest <= WINDOW * percent / 100 * 1.05, 'the ceiling holds over any 10 s', busiest)
ok(all_together + waited > percent / 3, 'and is made use of', all_together, waited, daemon.status(), log_text())
ok(cost is not None and cost < 1, 'a saved file is found before much else is done', cost)
ok(daemon.status()['pending'] > 0, 'there was work all the time', daemon.status())
ok(log <= 64 << 20, 'the log is short', log)
for path in ('big', 'large', *(f'small/{i}' for i in range(5, 40))):  # the rest of it would take its time
    shutil.rmtree(f'{TREE}/{path}')
request('pause')
for _ in range(40):  # what is in work ends, as slowly as the rest
    before = switches()
    time.sleep(2)
    few = switches() - before
    if few < 20:
        break
ok(few < 20, 'a backlog that is paused does not wake for its pace', few)
request('resume')
configure(cpu=0)
request('reload')
daemon.sync(250)
print(f'# {time.monotonic() - began:.0f} s', flush=True)
equal(query('SELECT count(*) FROM inode WHERE state <> 0'), [(0,)], 'all is indexed, and nothing failed for being held')
still = 1
for _ in range(40):  # it tidies up
    before = switches()
    time.sleep(5)
    still = switches() - before
    if still == 0:
        break
print(f'# {time.monotonic() - began:.0f} s', flush=True)
equal(still, 0, 'then nothing wakes')
daemon.stop()
finish()
