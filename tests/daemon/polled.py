# SPDX-License-Identifier: GPL-3.0-or-later
"""A root on a file system that does not tell all changes: a real FUSE mount, changed from below."""
import os, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

below = HOME + '/below'
os.makedirs(TREE)
os.makedirs(below + '/dir')


def put(path, text):
    with open(os.path.join(below, path), 'w') as f:
        f.write(text)


put('first.txt', 'there from the start')
if not shutil.which('bindfs') or subprocess.run(['bindfs', '--no-allow-other', below, TREE], capture_output=True).returncode != 0:
    skip_all('needs bindfs and FUSE')


@atexit.register
def unmount():
    subprocess.run(['fusermount', '-u', '-z', TREE], stderr=subprocess.DEVNULL)


def seen(name):
    """By the clock alone: nobody waits for a sync."""
    for _ in range(400):
        if query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0', name.encode()):
            return True
        time.sleep(0.05)
    return False


configure(poll=1)
daemon = Daemon()
daemon.sync()
same('a root on FUSE')
ok(daemon.status()['polled'] >= 2, 'is polled', daemon.status())
put('dir/late.txt', 'written below, without an event')
put('top.txt', 'another')
ok(seen('late.txt') and seen('top.txt'), 'changes from below are found by the clock')
os.rename(below + '/dir', below + '/renamed')
put('renamed/more.txt', 'and more')
ok(seen('more.txt'), 'a directory renamed from below, too')
put('first.txt', 'other words')
os.unlink(below + '/top.txt')
time.sleep(3.5)  # FUSE keeps names and facts for a second, here and there
daemon.sync()
same('a sync visits all of it')
daemon.stop()
finish()
