# SPDX-License-Identifier: GPL-3.0-or-later
"""A root that is a file system of its own goes and comes back as another device: nothing is deleted
or converted again, its files are hidden while it is away, and an empty mount point is not taken for
it. Needs root, mke2fs and loop devices."""
import atexit, os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

rng = random.Random(11)
IMAGE, OTHER = TMP + '/image', TMP + '/other'


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def make(image):
    with open(image, 'wb') as f:
        f.truncate(24 << 20)
    return run('mke2fs', '-q', '-F', '-t', 'ext4', image).returncode == 0


def mount():
    return run('mount', '-o', 'loop', IMAGE, TREE).returncode == 0


def state():
    return [root['state'] for root in daemon.status()['roots']]


def found(word):
    done = run('tarsier', 'search', '-l', '--', word)
    return done.returncode, len(done.stdout.split())


def away(name):
    ok(wait_until('the root is offline', lambda: state() == ['offline'], 30), f'{name}: the root is offline', state())
    daemon.sync()
    equal(len(rows()), everything, f'{name}: no row is deleted')
    equal(found('word1*'), (1, 0), f'{name}: no file of the root is shown')


def back(name, converted):
    ok(wait_until('the root is watched', lambda: state() == ['watching'], 30), f'{name}: the root is watched', state())
    daemon.sync()
    same(f'{name}: the index equals the file system')
    equal(daemon.status()['extractions'], converted, f'{name}: only new files are converted')
    ok(found('word1*')[1] > 0, f'{name}: files of the root are shown')


os.makedirs(TREE)
if os.geteuid() != 0 or not shutil.which('mke2fs') or not make(IMAGE) or not make(OTHER) or not mount():
    skip_all('needs root, mke2fs and a loop device')
atexit.register(subprocess.run, ['umount', '-l', TREE], capture_output=True)
shutil.rmtree(TREE + '/lost+found')
add_texts(rng, 60, 30)
configure(poll=1)
daemon = Daemon()
daemon.sync()
same('the first crawl indexes the root on a loop device')
everything, converted, device = len(rows()), daemon.status()['extractions'], os.stat(TREE).st_dev

umount(TREE)
away('taken away')


def mount_elsewhere():
    """Mounts the root as another device. The old device number is taken sooner or later, since
    other tests take and free some too."""
    for _ in range(10):
        loop = run('losetup', '-f', '--show', OTHER).stdout.strip()
        atexit.register(subprocess.run, ['losetup', '-d', loop], capture_output=True)
        mount()
        if os.stat(TREE).st_dev != device:
            return
        umount(TREE)


mount_elsewhere()
ok(os.stat(TREE).st_dev != device, 'the root is mounted as another device')
back('back again', converted)
umount(TREE)
away('taken away again')
daemon.stop()
daemon = Daemon()
away('after a start')
mount()
add_texts(rng, 3, 30)
back('back with more', 3)
umount(TREE)
daemon.stop()
mount()
daemon = Daemon()
back('mounted while the daemon was off', 0)
daemon.stop()
finish()
