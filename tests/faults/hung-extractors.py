# SPDX-License-Identifier: GPL-3.0-or-later
"""Extractors that hang, as by SIGSTOP, are killed at their time limit; their files are converted
again or recorded as failed, and others go on meanwhile. STOPS sets how many are stopped, STOPS_SEED
repeats the choices."""
import os, random, signal, subprocess, sys, threading, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

stops = int(os.environ.get('STOPS', 3))
seed = int(os.environ.get('STOPS_SEED', random.randrange(1 << 32)))
print(f'# STOPS={stops} STOPS_SEED={seed}', flush=True)
rng = random.Random(seed)
LIMIT_S = 16
written = 0


def sandboxed():
    return [child for program in children(daemon.process.pid) for child in children(program)]


def state_of(pid):
    try:
        with open(f'/proc/{pid}/stat') as f:
            return f.read().rsplit(')', 1)[1].split()[0]
    except OSError:
        return ''


def at_work():
    """Returns children at work: suspending an idle one would only delay its next file."""
    return [child for child in sandboxed() if state_of(child) == 'R']


def programs_at_work():
    return [program for program in children(daemon.process.pid) if children(program)]


def add(n):
    """Adds archives, each of which gets a child of its own."""
    global written
    for _ in range(n):
        written += 1
        with zipfile.ZipFile(write(f'{written % 5}/{written}.zip', b''), 'w') as z:
            for i in range(20):
                z.writestr(f'{i}.txt', ' '.join(f'word{rng.randrange(100000)}' for _ in range(400)))


def stop_one(victims):
    """Stops a child at work; it stays stopped."""
    def stopped_pid():
        for pid in victims():
            try:
                os.kill(pid, signal.SIGSTOP)
            except ProcessLookupError:
                continue
            if wait_until('the signal arrives', lambda: state_of(pid) in ('T', '', 'Z'), 1) and state_of(pid) == 'T':
                return pid
        return 0
    return wait_until('a process at work is stopped', stopped_pid, 10, 0.001)


def keep_stopped(pid):
    """The daemon suspends and resumes children itself when their time slices end, so one SIGSTOP
    would not last."""
    pidfd = os.pidfd_open(pid)

    def stop_again():
        try:
            while True:
                signal.pidfd_send_signal(pidfd, signal.SIGSTOP)
                let_time_pass(0.002, 'the daemon may resume the child at any moment')
        except ProcessLookupError:
            os.close(pidfd)
    threading.Thread(target=stop_again, daemon=True).start()


def found(word):
    return subprocess.run(['tarsier', 'search', '-l', word], capture_output=True, text=True).stdout.split()


os.makedirs(TREE)
configure()
with open(HOME + '/.config/tarsier/tarsier.conf', 'a') as f:
    f.write(f'[limits]\ntime={LIMIT_S}\n')
daemon = Daemon()
daemon.sync()
for n in range(stops):
    whole = n % 3 == 2  # the program that forks the children
    name = f'{n}: the program is stopped' if whole else f'{n}: a child is stopped'
    for attempt in range(4):
        add(1)
        daemon.sync()  # the program for archives has started, so that no child is one of its self-test
        add(20)
        pid = stop_one(programs_at_work if whole else at_work)
        if not pid:
            break
        if not whole:
            keep_stopped(pid)
        path = write(f'saved{n}.{attempt}.txt', f'saved meanwhile{n}x{attempt}')
        seen = wait_until('the saved file is found', lambda: found(f'meanwhile{n}x{attempt}') == [path], 60)
        if whole or not seen or state_of(pid) not in ('', 'Z'):
            break
        print(f'# {name}: it has ended, between two signals it seems')
        daemon.sync()
    if not pid:
        skip(f'{n}: a converter is stopped', 'none could be caught at work')
        daemon.sync()
        continue
    ok(seen and (whole or state_of(pid) not in ('', 'Z')), f'{name}: another file is found' + ('' if whole else ' while it is stopped'), seen, state_of(pid))
    watch = Stopwatch(daemon.process)
    daemon.status()
    ok(watch.seconds() < 1, f'{name}: the daemon answers within a second', watch.seconds())
    ok(wait_until('the stopped process is killed', lambda: not os.path.exists(f'/proc/{pid}') or state_of(pid) == 'Z', 60),
       f'{name}: the stopped process is killed')
    daemon.sync()
    same(f'{name}: the index equals the file system')
    failed = query('SELECT i.reason, i.detail FROM inode i WHERE i.state = 2')
    equal(failed, [], f'{name}: no file fails before its conversion')
    given_up = query('SELECT count(*) FROM content WHERE state <> 0')[0][0]
    ok(given_up <= (0 if whole else 1), f'{name}: at most one file is given up', given_up)
    print(f'# {name}: {given_up} given up', flush=True)
    subprocess.run(['tarsier', 'retry', '-q'])
    daemon.sync()
    equal(query('SELECT count(*) FROM content WHERE state <> 0'), [(0,)],
          f'{name}: retry converts every file')
ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds')
finish()
