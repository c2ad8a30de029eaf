# SPDX-License-Identifier: GPL-3.0-or-later
"""File systems mounted below a root are indexed and watched, kept while they are away, and not
entered if they hold no files or are covered already. Runs in a name space of its own."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *


def mount(*arguments):
    subprocess.run(['mount', *arguments], check=True)


def below(path):
    return sorted(os.path.relpath(os.fsdecode(p), path) for p in rows() if p.startswith(os.fsencode(path) + b'/'))


def check(name):
    """Compares the index with the file system. The caller names the entries that are offline or
    must not be entered, because the comparison cannot know them."""
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
check('a file system that was mounted before the start is indexed')
equal(below(usb), ['dir', 'dir/on-disk.txt', 'top.txt'],
      'every entry of a mounted file system is indexed')
write('media/usb/dir/new.txt', 'written there')
os.makedirs(usb + '/deep/er')
write('media/usb/deep/er/file', 'deep')
check('a mounted file system is watched')
converted = daemon.status()['extractions']

umount(usb)
wait_until('the daemon is idle', lambda: (status := daemon.status())['state'] == 'idle' and status['directories'], 2)
daemon.sync()
equal(len(below(usb)), 7, 'the rows of an unmounted file system are kept')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)
equal((status['roots'][0]['volumes'], status['offline']), ([{'path': usb, 'state': 'offline', 'files': 4}], 4),
      'status --json says that a volume is offline')
said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
ok('offline; the entries of 4 files are kept but hidden' in said, 'tarsier status says that a volume is offline', said)
hits = subprocess.run(['tarsier', 'search', '-l', 'written'], capture_output=True, text=True)
equal((hits.returncode, hits.stdout), (1, ''), 'files of an offline volume are not shown')
ok('Incomplete: 4 offline.' in hits.stderr, 'a search says how many files of an offline volume it lacks', hits.stderr)
for scope, away in ((usb + '/dir', 2), (HOME, 4), (TREE + '/other', 0)):
    answer = subprocess.run(['tarsier', 'search', '--json', '--dir', scope, 'written'], capture_output=True, text=True).stdout
    equal(json.loads(answer.splitlines()[-1])['offline'], away, f'a search below {scope.replace(HOME, "~")} counts those in its scope')
write('../disk/dir/late.txt', 'written while it was away')
os.unlink(disk + '/top.txt')
mount('--bind', disk, usb)
check('a volume that is mounted again is brought up to date')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)
equal((status['roots'][0]['volumes'], status['offline']), ([{'path': usb, 'state': 'mounted', 'files': 4}], 0),
      'status --json says that a volume is mounted')
equal(daemon.status()['extractions'], converted + 1,
      'only changed files are converted when a volume is mounted again')
hits = subprocess.run(['tarsier', 'search', '-l', 'written there'], capture_output=True, text=True)
equal(hits.stdout, usb + '/dir/new.txt\n', 'files of a volume that is mounted again are shown')
write('media/usb/again.txt', 'seen by a new watch')
check('a volume that is mounted again is watched')

umount(usb)
mount('--bind', disk, usb)
write('media/usb/quick.txt', 'after a short absence')
check('a volume that is away for a moment is brought up to date')
write('media/usb/deep/er/quick.txt', 'after a short absence, deep')
check('every directory of a volume that was away for a moment is watched')

daemon.stop()
umount(usb)
daemon = Daemon()
daemon.sync()
ok('dir/new.txt' in below(usb), 'a start without a volume keeps its rows')
os.rmdir(usb)
daemon.sync()
ok('dir/new.txt' in below(usb), 'a volume whose mount point is removed keeps its rows')
converted = daemon.status()['extractions']
os.makedirs(TREE + '/elsewhere')
mount('--bind', disk, TREE + '/elsewhere')
check('a volume that is mounted elsewhere is indexed there')
equal(daemon.status()['extractions'], converted,
      'a volume that is mounted elsewhere is not converted again')
os.makedirs(TREE + '/twice')
mount('--bind', disk, TREE + '/twice')
daemon.sync()
equal(below(TREE + '/twice'), [], 'a second mount of a volume is not entered')
umount(TREE + '/twice')
check('a directory is indexed once a second mount is off it')

umount(TREE + '/elsewhere')
daemon.sync()
ok('dir/new.txt' in below(TREE + '/elsewhere'),
   'the rows of a volume are kept when it is unmounted again')
write('elsewhere/in-the-bare-directory', 'what the mount had covered')
check('files in a bare mount point replace the rows of the volume')

os.makedirs(TREE + '/covered/sub')
write('covered/sub/file', 'soon covered')
check('a directory is indexed before a file system covers it')
mount('-t', 'tmpfs', 'none', TREE + '/covered/sub')
write('covered/sub/cover', 'the cover')
check('a file system that covers a directory replaces its rows')
umount(TREE + '/covered/sub')
check('a directory is indexed again when the cover is gone')

wide = HOME + '/wide'
os.makedirs(wide)
mount('-t', 'tmpfs', 'none', wide)
for i in range(10000):
    os.mknod(f'{wide}/{i}')
for i in range(3):
    os.makedirs(f'{TREE}/wide{i}')
    mount('--bind', wide, f'{TREE}/wide{i}')
    wait_until('the visit has begun', lambda: query('SELECT 1 FROM node WHERE parent IN (SELECT id FROM node WHERE name = ?)',
                                                    b'wide%d' % i), 20, 0.001)
    subprocess.run(['umount', '-l', f'{TREE}/wide{i}'], check=True)  # files of it may just be read
    daemon.sync()
    write(f'wide{i}/here', 'below the mount')
check('a file system may go away while it is visited')

write('bound.txt', 'a file of its own')
check('a file is indexed before another one is mounted on it')
mount('--bind', disk + '/dir/new.txt', TREE + '/bound.txt')
subprocess.run(['tarsier', 'index', '-q'], timeout=100)
sql = "SELECT i.state, i.content FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = CAST('bound.txt' AS BLOB)"
equal(query(sql), [(0, None)], 'a file that is mounted on another one is recorded by its name alone')
daemon.stop()
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE inode SET state = 1 WHERE id = (SELECT inode FROM node WHERE name = CAST(? AS BLOB))', ('bound.txt',))
db.commit()
db.close()
daemon = Daemon()
daemon.sync()
equal(query(sql), [(0, None)], 'an index in which it waits to be read recovers')
umount(TREE + '/bound.txt')
subprocess.run(['tarsier', 'index', '-q'], timeout=100)
check('a file is indexed again when nothing is mounted on it')

os.makedirs(TREE + '/proc')
mount('-t', 'tmpfs', 'none', TREE + '/proc')
os.makedirs(TREE + '/proc/nested')
mount('-t', 'tmpfs', 'none', TREE + '/proc/nested')
write('proc/nested/a/b', 'a mount in a mount')
check('a mount inside of a mount is indexed')
if subprocess.run(['mount', '--rbind', '/proc', TREE + '/proc'], capture_output=True).returncode == 0:
    daemon.sync()
    equal(below(TREE + '/proc'), [], 'a pseudo file system is not entered')
else:
    skip('a pseudo file system is not entered', '/proc cannot be mounted here')
equal(daemon.status()['state'], 'idle', 'the daemon is idle after all mounts')
ok(daemon.stop() < 1, 'SIGTERM ends the daemon within a second')
finish()
