# SPDX-License-Identifier: GPL-3.0-or-later
"""Directories become links, files FIFOs and names other names as fast as possible while the daemon
reads them: it reads nothing outside of the root and never blocks. RACES sets the seconds."""
import ctypes, os, sys, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

seconds = float(os.environ.get('RACES', 4))
outside = HOME + '/outside'
SECRET = 'qvsecretword'
libc = ctypes.CDLL(None)


def exchange(a, b):
    libc.renameat2(-100, os.fsencode(a), -100, os.fsencode(b), 2)


os.makedirs(outside + '/deep')
for path in ('secret.txt', 'deep/file.txt', 'a'):
    with open(f'{outside}/{path}', 'w') as f:
        f.write(f'{SECRET} {path}')
for i in range(20):
    write(f'flip/dir{i}/file.txt', f'inside {i}')
    write(f'flip/dir{i}/deep/file.txt', f'inside, deep {i}')
    write(f'flip/dir{i}/secret.txt', f'harmless {i}')
    os.symlink(outside, f'{TREE}/flip/link{i}')
    write(f'flip/dir{i}/a', 'a')
    os.mkfifo(f'{TREE}/flip/dir{i}/fifo')
    os.symlink(outside + '/secret.txt', f'{TREE}/flip/dir{i}/b')
configure()
stop = threading.Event()
flips = 0


def flip():
    global flips
    while not stop.is_set():
        for i in range(20):
            top = f'{TREE}/flip'
            exchange(f'{top}/dir{i}', f'{top}/link{i}')
            exchange(f'{top}/dir{i}/a', f'{top}/dir{i}/fifo')
            exchange(f'{top}/link{i}/a', f'{top}/link{i}/b')
            exchange(f'{top}/link{i}/secret.txt', f'{top}/link{i}/fifo')
            flips += 4


def touch():
    """Makes work for the daemon in the directories that are being swapped. It never follows a
    link: that would lead outside."""
    n = 0
    while not stop.is_set():
        for i in range(20):
            n += 1
            try:
                fd = os.open(f'{TREE}/flip/dir{i}', os.O_DIRECTORY | os.O_NOFOLLOW)
            except OSError:
                continue
            try:
                with open(os.open('file.txt', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644, dir_fd=fd), 'w') as f:
                    f.write(f'inside {i} {n}')
            finally:
                os.close(fd)


threads = [threading.Thread(target=flip), threading.Thread(target=touch)]
daemon = Daemon()
for thread in threads:
    thread.start()
deadline = time.monotonic() + seconds
slowest = 0
while time.monotonic() < deadline:
    watch = Stopwatch(daemon.process)
    daemon.status()
    slowest = max(slowest, watch.seconds())
    let_time_pass(0.05, 'the status is asked again and again')
stop.set()
for thread in threads:
    thread.join()
print(f'# {flips} exchanges', flush=True)
ok(slowest < 2, 'the daemon answers within two seconds during the races', slowest)
ok(daemon.sync(), 'the daemon becomes idle after the races')
same('the index equals the file system after the races')
found = subprocess.run(['tarsier', 'search', '--no-snippets', '-l', SECRET], capture_output=True, text=True)
equal((found.returncode, found.stdout), (1, ''), 'no text from outside of the root is found')
sums = {row[0] for row in query('SELECT checksum FROM content')}
os.rename(outside + '/secret.txt', TREE + '/now-inside.txt')
daemon.sync()
row = query('SELECT c.checksum FROM node n JOIN inode i ON i.id = n.inode JOIN content c ON c.id = i.content WHERE n.name = ?', b'now-inside.txt')
ok(row and row[0][0] not in sums, 'no file outside of the root was ever converted', row)
ok(daemon.stop() < 1, 'SIGTERM ends the daemon within a second after the races')
finish()
