# SPDX-License-Identifier: GPL-3.0-or-later
"""The file system of the index has no inode left, or no byte for the checkpoint: the daemon goes on
or says why not, searches are answered, nothing is lost. Runs in a name space of its own."""
import os, random, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

rng = random.Random(7)
DISK = os.path.dirname(Daemon.index)
FILLER = DISK + '/filler'
os.makedirs(DISK)
os.makedirs(TREE)
subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=24m,nr_inodes=80', 'none', DISK], check=True)
configure()


def fill_inodes():
    try:
        os.makedirs(FILLER, exist_ok=True)
        for i in range(1000):
            open(f'{FILLER}/{time.monotonic()}', 'x').close()
    except OSError:
        pass


def fill_bytes():
    os.makedirs(FILLER)
    with open(FILLER + '/bytes', 'wb', buffering=0) as f:
        try:
            while f.write(b'\0' * 65536):
                pass
        except OSError:
            pass


def search():
    return subprocess.run(['tarsier', 'search', '-l', 'word1*'], capture_output=True, text=True, timeout=60)


def found():
    return len(search().stdout.split())


def sound(name):
    same(f'{name}: the index equals the file system')
    equal(faults_of_database(), [], f'{name}: the database is sound')


def add_texts_until_full(n):
    """Adds this many texts at a time, since the log may have room for the first ones."""
    for _ in range(30):
        add_texts(rng, n, 400)
        wait_until('the texts are indexed or the disk is full', lambda: daemon.status()['disk_full'] or up_to_date(), 60)
        if daemon.status()['disk_full']:
            return


add_texts(rng, 80, 100)
daemon = Daemon()
daemon.sync()
before = found()
ok(before > 0, 'a search has hits before the disk is full')

# ---- no free inode
fill_inodes()
add_texts(rng, 10, 100)
waited = subprocess.run(['tarsier', 'status', '--wait=60', '--check'], capture_output=True, text=True, timeout=100)
ok(found() >= before, 'a search has the same hits without a free inode', waited)
ok(daemon.process.poll() is None and daemon.status()['pid'] == daemon.process.pid,
   'the daemon answers without a free inode')
daemon.stop()
fill_inodes()  # the files of the daemon
process = subprocess.run(['timeout', '-s', 'TERM', '20', 'tarsierd'], capture_output=True, text=True)
ok(process.returncode == 75 and 'No space left' in process.stderr,
   'a daemon that is started without a free inode ends with status 75 and says why', process)
done = search()
ok(len(done.stdout.split()) >= before or (not done.stdout and done.returncode > 1 and done.stderr),
   'a search without a daemon or a free inode has the same hits or says why not', done)
shutil.rmtree(FILLER)
daemon = Daemon()
daemon.sync()
sound('inodes are free again')

# ---- no free byte when the log is checkpointed
add_texts(rng, 60, 400)
daemon.sync()
before = found()
fill_bytes()
ok(daemon.stop() < 20, 'SIGTERM ends the daemon within 20 s on a full disk')
ok(found() == before, 'a search has the same hits on a full disk')
shutil.rmtree(FILLER)
daemon = Daemon()
daemon.sync()
sound('the disk has room again')
fill_bytes()
add_texts_until_full(60)
ok(daemon.status()['disk_full'], 'the status reports a disk that gets full during work', daemon.status())
daemon.stop(signal.SIGKILL)
shutil.rmtree(FILLER)
daemon = Daemon()
daemon.sync()
sound('the disk has room again after the daemon was killed')

# ---- the index and its log fill the disk by themselves
LOG = Daemon.index + '/index.db-wal'
subprocess.run(['mount', '-o', 'remount,size=16m', DISK], check=True)
add_texts_until_full(200)
ok(wait_until('the log is short', lambda: os.path.getsize(LOG) < 2 << 20), 'the log gives its room back on a full disk', os.path.getsize(LOG))
subprocess.run(['mount', '-o', 'remount,size=32m', DISK], check=True)
daemon.sync()
sound('the disk is made larger')
daemon.stop()
finish()
