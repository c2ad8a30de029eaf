# SPDX-License-Identifier: GPL-3.0-or-later
"""A root on FUSE stops to answer with requests that its server has read: the daemon serves the
other root, reports the stuck one, stops and starts at once, and catches up when it answers. HANGS
sets how often, HANG_SEED repeats the choices."""
import os, random, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

hangs = int(os.environ.get('HANGS', 1))
seed = int(os.environ.get('HANG_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
below, middle, mounted = HOME + '/below', HOME + '/middle', HOME + '/mounted'
for path in (TREE, below, middle, mounted):
    os.makedirs(path)
remote = mounted
if rng.random() < 0.5 or 'HANG_LINK' in os.environ:  # the path of the root leads over symbolic links on an ordinary file system
    remote = HOME + '/remote'
    os.symlink('mounted', HOME + '/link')
    os.symlink(HOME + '/link', remote)


def bindfs(source, target):
    """Mounts two in a row: the outer one reads requests and waits for the inner one, which is
    stopped."""
    process = keep(subprocess.Popen(['bindfs', '-f', '--no-allow-other', source, target], stderr=subprocess.DEVNULL))
    wait_until('bindfs has mounted', lambda: os.path.ismount(target) or process.poll() is not None, 2)
    if os.path.ismount(target):
        return process
    skip_all('needs bindfs and FUSE')


@atexit.register
def unmount():
    if 'inner' in globals():
        inner.send_signal(signal.SIGCONT)
    for target in (mounted, middle):
        subprocess.run(['fusermount', '-u', '-z', target], stderr=subprocess.DEVNULL)


if not shutil.which('bindfs'):
    skip_all('needs bindfs and FUSE')
inner = bindfs(below, middle)
outer = bindfs(middle, mounted)
print(f'# HANGS={hangs} HANG_SEED={seed}', flush=True)


def put(path, text):
    path = os.path.join(below, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def state():
    return {r['path']: r['state'] for r in daemon.status()['roots']}[os.fsencode(remote)]


def found(name):
    return bool(query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0', name.encode()))


def remote_rows():
    return {p for p in rows() if p.startswith(os.fsencode(remote))}


def same_both(name):
    """Compares each root by itself."""
    out = []
    for top, other in ((TREE, remote), (remote, TREE)):
        out += [d for d in differences(top) if not d.startswith(f'ghost: {os.fsencode(other)!r}'[:-1])]
    return ok(not out, f'{name}: the index equals the file system', *out[:20], daemon.status())


for i in range(60):
    put(f'{i % 6}/{i % 2}/{i}.txt', f'remote {i}')
    write(f'{i % 5}/{i}.txt', f'local {i}')
configure([TREE, remote], poll=1)
daemon = Daemon()
daemon.sync()
same_both('a root on FUSE and one on a disk')
for i in range(hangs):
    known = remote_rows()
    if rng.random() < 0.5:  # during work
        for k in range(200):
            put(f'new{i}/{k % 9}/{k}.txt', f'while it hangs {i} {k}')
        let_time_pass(rng.random() * 1.5, 'the root hangs at any moment of the work')
    inner.send_signal(signal.SIGSTOP)
    slowest = 0
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        watch = Stopwatch(daemon.process)
        daemon.status()
        slowest = max(slowest, watch.seconds())
        let_time_pass(0.01, 'the status is asked again and again')
    ok(slowest < 0.5, 'the daemon answers within 0.5 s while a root hangs', slowest)
    ok(wait_until('the root is stuck', lambda: state() == 'stuck', 20),
       'the status says that a root is stuck', daemon.status())
    worst = 0
    for k in range(10):
        watch = Stopwatch(daemon.process)
        write(f'local{i}.{k}', f'while the other hangs {i} {k}')
        good = wait_until('the saved file is found', lambda: watch.seconds() and found(f'local{i}.{k}'), 30)
        worst = max(worst, watch.seconds())
    ok(good and worst < 2.5,
       'a file saved in another root is found within 2.5 s while a root hangs', worst)
    ok(remote_rows() >= known, 'the rows of a root that hangs are kept')
    said = subprocess.run(['tarsier', 'status', '--check'], capture_output=True, text=True, timeout=60)
    ok(f'{remote}: stuck' in said.stdout, 'status --check says that a root is stuck', said)
    started = time.monotonic()
    hits = subprocess.run(['tarsier', 'search', '-l', 'local'], capture_output=True, text=True, timeout=100)
    ok(hits.stdout.startswith(TREE) and time.monotonic() - started < 5,
       'a search is answered within 5 s while a root hangs', hits, time.monotonic() - started)
    hits = subprocess.run(['tarsier', 'search', '-l', 'remote'], capture_output=True, text=True, timeout=100)
    equal((hits.returncode, hits.stdout), (1, ''), 'files of a root that hangs are not shown')
    took = daemon.stop()
    ok(took < 1, 'SIGTERM ends the daemon within a second while a root hangs', took)
    equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0 while a root hangs')
    daemon = Daemon()
    write(f'after-start{i}', 'saved after a start')
    ok(wait_until('the file is found', lambda: found(f'after-start{i}'), 10),
       'a daemon that starts while a root hangs indexes the other root', daemon.status())
    ok(wait_until('the root is stuck', lambda: state() == 'stuck', 10),
       'a daemon that starts while a root hangs says that it is stuck', daemon.status())
    ok(remote_rows() >= known, 'a daemon that starts while a root hangs keeps its rows')
    took = daemon.stop()
    ok(took < 1, 'SIGTERM ends a daemon that started while a root hung within a second', took)
    daemon = Daemon()
    put(f'meanwhile{i}.txt', f'written while it hung {i}')
    let_time_pass(rng.random() * 3, 'the root answers at any moment after a start')
    inner.send_signal(signal.SIGCONT)
    ok(wait_until('the root is watched', lambda: found(f'meanwhile{i}.txt') and state() == 'watching', 30),
       'files written while a root hung are found when it answers again', daemon.status())
    let_time_pass(1.2, 'FUSE forgets the facts that it keeps for a second')
    daemon.sync()
    same_both('a root answers again')
    ok(daemon.status()['extractions'] <= 230,
       'only new files are converted when a root answers again', daemon.status()['extractions'])
daemon.stop()
finish()
