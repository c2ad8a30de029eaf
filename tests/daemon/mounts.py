# SPDX-License-Identifier: GPL-3.0-or-later
"""File systems mounted below a root: walked and watched like the rest; kept while they are away; not entered when they are no place for
files or are covered already. In a name space of its own."""
import os, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from watched import *


def mount(*arguments):
    subprocess.run(['mount', *arguments], check=True)


def below(path):
    return sorted(os.path.relpath(os.fsdecode(p), path) for p in rows() if p.startswith(os.fsencode(path) + b'/'))


def check(name):
    """The oracle does not know what is away or may not be entered: it is told by the caller."""
    daemon.sync()
    return same(name)


usb = TREE + '/media/usb'
disk = HOME + '/disk'
os.makedirs(usb)
os.makedirs(disk)
mount('-t', 'tmpfs', 'none', disk)
write('../disk/dir/on-disk.txt', 'a file on the disk')
write('../disk/top.txt', 'another')
write('plain.txt', 'on the root itself')
mount('--bind', disk, usb)
configure()
daemon = Daemon()
check('a file system mounted before the start is walked')
equal(below(usb), ['dir', 'dir/on-disk.txt', 'top.txt'], 'all of it')
write('media/usb/dir/new.txt', 'written there')
os.makedirs(usb + '/deep/er')
write('media/usb/deep/er/file', 'deep')
check('and watched')
converted = daemon.status()['extractions']

umount(usb)
for _ in range(100):
    if daemon.status()['state'] == 'idle' and daemon.status()['directories']:
        break
    time.sleep(0.02)
daemon.sync()
equal(len(below(usb)), 7, 'its rows stay while it is away')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)
equal((status['roots'][0]['volumes'], status['offline']), ([{'path': usb, 'state': 'offline', 'files': 4}], 4), 'the status says that it is')
said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
ok('offline; the entries of 4 files are kept but hidden' in said, 'for a person too', said)
hits = subprocess.run(['tarsier', 'search', '-l', 'written'], capture_output=True, text=True)
equal((hits.returncode, hits.stdout), (1, ''), 'but are not shown')
write('../disk/dir/late.txt', 'written while it was away')
os.unlink(disk + '/top.txt')
mount('--bind', disk, usb)
check('back again it is brought up to date')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)
equal((status['roots'][0]['volumes'], status['offline']), ([{'path': usb, 'state': 'mounted', 'files': 4}], 0), 'the status says so')
equal(daemon.status()['extractions'], converted + 1, 'by what changed alone')
hits = subprocess.run(['tarsier', 'search', '-l', 'written there'], capture_output=True, text=True)
equal(hits.stdout, usb + '/dir/new.txt\n', 'and shown')
write('media/usb/again.txt', 'seen by a new watch')
check('and watched again')

umount(usb)
mount('--bind', disk, usb)
write('media/usb/quick.txt', 'after a short absence')
check('away and back before anybody looks')
write('media/usb/deep/er/quick.txt', 'after a short absence, deep')
check('all of it is watched')

daemon.stop()
umount(usb)
daemon = Daemon()
daemon.sync()
ok('dir/new.txt' in below(usb), 'a start without it forgets nothing')
os.rmdir(usb)
daemon.sync()
ok('dir/new.txt' in below(usb), 'nor does the loss of the mount point')
converted = daemon.status()['extractions']
os.makedirs(TREE + '/elsewhere')
mount('--bind', disk, TREE + '/elsewhere')
check('mounted elsewhere it is known')
equal(daemon.status()['extractions'], converted, 'without a conversion')
os.makedirs(TREE + '/twice')
mount('--bind', disk, TREE + '/twice')
daemon.sync()
equal(below(TREE + '/twice'), [], 'a second mount of it is not entered')
umount(TREE + '/twice')
check('and is an ordinary directory afterwards')

umount(TREE + '/elsewhere')
daemon.sync()
ok('dir/new.txt' in below(TREE + '/elsewhere'), 'away again')
write('elsewhere/in-the-bare-directory', 'what the mount had covered')
check('files in a bare mount point take the place')

os.makedirs(TREE + '/covered/sub')
write('covered/sub/file', 'soon covered')
check('a directory')
mount('-t', 'tmpfs', 'none', TREE + '/covered/sub')
write('covered/sub/cover', 'the cover')
check('that is covered by a mount')
umount(TREE + '/covered/sub')
check('and uncovered')

os.makedirs(TREE + '/proc')
mount('-t', 'tmpfs', 'none', TREE + '/proc')
os.makedirs(TREE + '/proc/nested')
mount('-t', 'tmpfs', 'none', TREE + '/proc/nested')
write('proc/nested/a/b', 'a mount in a mount')
check('a mount in a mount')
if subprocess.run(['mount', '--rbind', '/proc', TREE + '/proc'], capture_output=True).returncode == 0:
    daemon.sync()
    equal(below(TREE + '/proc'), [], 'a pseudo file system is not entered')
else:
    skip('a pseudo file system', '/proc cannot be mounted here')
equal(daemon.status()['state'], 'idle', 'nothing is left to do')
ok(daemon.stop() < 1, 'it stops')
finish()
