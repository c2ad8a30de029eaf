# SPDX-License-Identifier: GPL-3.0-or-later
"""Power cuts: the file system is shut down during work without flushing its log
(EXT4_IOC_SHUTDOWN), mounted again, and the daemon started on it; nothing is damaged. Needs root and
a loop device. CUTS sets how many, CUTS_SEED repeats the choices."""
import atexit, fcntl, os, random, shutil, signal, struct, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
import daemontest

cuts = int(os.environ.get('CUTS', 6))
seed = int(os.environ.get('CUTS_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
DISK, IMAGE = TMP + '/disk', TMP + '/image'
INDEX = DISK + '/index'
EXT4_IOC_SHUTDOWN, NOLOGFLUSH = 0x8004587d, 2


def mount():
    return subprocess.run(['mount', '-o', 'loop', IMAGE, DISK], capture_output=True).returncode == 0


def mount_again():
    """Mounts a copy of the image. A name space of another process may still hold the old mount,
    which is shut down, and mounting the same image would join it."""
    umount(DISK)
    os.sync()
    shutil.copy(IMAGE, IMAGE + '.new')
    os.rename(IMAGE + '.new', IMAGE)
    return mount()


def can_mount():
    if os.geteuid() != 0 or not shutil.which('mke2fs'):
        return False
    with open(IMAGE, 'wb') as f:
        f.truncate(96 << 20)
    return subprocess.run(['mke2fs', '-q', '-F', '-t', 'ext4', IMAGE], capture_output=True).returncode == 0 and mount()


def cut():
    fd = os.open(DISK, os.O_RDONLY)
    fcntl.ioctl(fd, EXT4_IOC_SHUTDOWN, struct.pack('I', NOLOGFLUSH))
    os.close(fd)


os.makedirs(DISK)
if not can_mount():
    skip_all('needs root, mke2fs and a loop device')
atexit.register(subprocess.run, ['umount', '-l', DISK], capture_output=True)
print(f'# CUTS={cuts} CUTS_SEED={seed}', flush=True)
os.makedirs(INDEX, mode=0o700)
os.sync()
os.makedirs(TREE)
configure()
daemontest.SOCKET = INDEX + '/ctl'  # an index in another directory has its socket there
written = 0
for i in range(cuts):
    for _ in range(rng.randrange(20, 300)):
        written += 1
        write(f'd{written % 7}/{written % 900}.txt', ' '.join(f'word{rng.randrange(20000)}' for _ in range(rng.randrange(5, 400))))
    daemon = Daemon('--index', INDEX)
    for _ in range(rng.randrange(40)):
        written += 1
        write(f'd{written % 7}/{written % 900}.txt', f'again {written}')
    let_time_pass(rng.random() * 0.6, 'the power is cut at any moment of the work')
    if rng.random() < 0.3:
        daemon.sync()
    cut()
    let_time_pass(rng.random() * 0.1, 'the daemon works on without a disk')
    daemon.stop(signal.SIGKILL)
    mount_again()
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    good = same(f'the index equals the file system after power cut {i + 1}', index=INDEX)
    good &= equal(faults_of_database(INDEX), [],
                  f'the database is sound after power cut {i + 1}')
    rebuilt = query("SELECT value FROM meta WHERE key = 'rebuilt'", index=INDEX)
    print(f'# rebuilt: {rebuilt}')
    daemon.stop()
    if not good:
        break
umount(DISK)
finish()
