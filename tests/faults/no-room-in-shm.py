# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared memory file of the log has no room on the disk, as with some quotas (here it is cut):
the daemon reports a full disk, answers, stops when told to, and recovers by itself."""
import os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

rng = random.Random(5)
SHM = Daemon.index + '/index.db-shm'
os.makedirs(TREE)
add_texts(rng, 50, 50)
configure()


def cut():
    """Truncates the file and waits until the daemon notices it."""
    size = os.stat(SHM).st_size
    os.truncate(SHM, 0)
    add_texts(rng, 5, 50)
    ok(wait_until('the disk is full', lambda: request('status', 5)['disk_full'], 30),
       'the status reports a full disk when the shared memory file is cut', daemon.status())
    equal(daemon.status()['state'], 'degraded',
          'the state is degraded when the shared memory file is cut')
    return size


daemon = Daemon()
daemon.sync()
follower = keep(subprocess.Popen(['tarsier', 'status', '--follow', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE))
follower.stdout.readline()
size = cut()
said = follower.communicate(timeout=60)[1]
ok(follower.returncode == 75 and b'the disk of the index is full' in said,
   'a client that follows the status exits with 75 and says that there is no room', follower.returncode, said)
let_time_pass(1, 'the daemon may end for lack of room')
ok(daemon.process.poll() is None and daemon.status()['pid'] == daemon.process.pid,
   'the daemon answers while there is no room')
os.truncate(SHM, size)
ok(wait_until('there is room', lambda: not daemon.status()['disk_full'], 30),
   'the daemon goes on by itself when there is room', daemon.status())
daemon.sync()
same('the index equals the file system when there is room')
inject = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=EDQUOT:when=1+']
if shutil.which('strace') and subprocess.run([*inject, 'true'], capture_output=True).returncode == 0:
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
    found = subprocess.run([*inject, 'tarsier', 'search', '-l', 'word1*'], capture_output=True, text=True)
    ok(found.returncode == 0 and found.stdout,
       'a client that may write nothing finds documents', found)
else:
    skip('a client that may write nothing finds documents', 'needs strace')
cut()
ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds while there is no room')
equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0 while there is no room')
daemon = Daemon()
daemon.sync()
same('the index equals the file system after a start with room')
equal(faults_of_database(), [], 'the database is sound after a start with room')
daemon.stop()
finish()
