# SPDX-License-Identifier: GPL-3.0-or-later
"""The index of the log is mapped, and there is no room for what is written to it, as on some file systems when a quota is used up: here the file is cut,
and gets its length back. The daemon says that the disk is full, goes on answering, stops when it is told, and goes on by itself."""
import os, random, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

rng = random.Random(5)
SHM = Daemon.index + '/index.db-shm'
os.makedirs(TREE)
add_texts(rng, 50, 50)
configure()


def cut():
    """Until somebody runs into it."""
    size = os.stat(SHM).st_size
    os.truncate(SHM, 0)
    add_texts(rng, 5, 50)
    ok(wait_for(lambda: request('status', 5)['disk_full'], 30), 'no room: the status says so', daemon.status())
    equal(daemon.status()['state'], 'degraded', 'it is degraded')
    return size


daemon = Daemon()
daemon.sync()
follower = keep(subprocess.Popen(['tarsier', 'status', '--follow', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE))
follower.stdout.readline()
size = cut()
said = follower.communicate(timeout=60)[1]
ok(follower.returncode == 75 and b'the disk of the index is full' in said, 'a client that has read before says so, and that it may be tried again', follower.returncode, said)
time.sleep(1)
ok(daemon.process.poll() is None and daemon.status()['pid'] == daemon.process.pid, 'it goes on answering')
os.truncate(SHM, size)
ok(wait_for(lambda: not daemon.status()['disk_full'], 30), 'there is room again: it goes on by itself', daemon.status())
daemon.sync()
same('and all is there')
inject = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=EDQUOT:when=1+']
if shutil.which('strace') and subprocess.run([*inject, 'true'], capture_output=True).returncode == 0:
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # it cannot trace what is traced
    found = subprocess.run([*inject, 'tarsier', 'search', '-l', 'word1*'], capture_output=True, text=True)
    ok(found.returncode == 0 and found.stdout, 'who may write nothing finds all the same', found)
else:
    skip('a client that may write nothing', 'needs strace')
cut()
ok(daemon.stop() < 2, 'it stops while it waits')
equal(daemon.process.returncode, 0, 'well')
daemon = Daemon()
daemon.sync()
same('nothing is lost')
equal(query('PRAGMA integrity_check'), [(b'ok',)], 'the database is sound')
daemon.stop()
finish()
