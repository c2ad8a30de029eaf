# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk and its copy have one UUID, and their files the same inode numbers: they are told apart.
Needs root and loop devices."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import ownmounts
from daemontest import *

places = [HOME + '/one', HOME + '/two', TREE + '/one', TREE + '/two']
images = [HOME + '/disk', HOME + '/copy']


def mount(number, place):
    return subprocess.run(['mount', '-o', 'loop', images[number % 2], place], capture_output=True).returncode == 0


def found(*words):
    daemon.sync()
    return {word: [os.path.relpath(path, HOME) for path in subprocess.run(
        ['tarsier', 'search', '-l', '--dups', 'show', '--sort', 'path', 'text:' + word], capture_output=True, text=True).stdout.split()]
        for word in words}


def all_found(name, one, other):
    equal(found('walrus', 'narwhals', 'kiwi'), {'walrus': [f'{one}/first.txt'], 'narwhals': [f'{other}/first.txt'],
                                               'kiwi': [f'{place}/second.txt' for place in (one, other)]}, name)


for place in places:
    os.makedirs(place)
with open(images[0], 'wb') as f:
    f.truncate(8 << 20)
if subprocess.run(['mke2fs', '-q', '-t', 'ext4', images[0]], capture_output=True).returncode != 0 or not mount(0, places[0]):
    skip_all('needs root and loop devices')
write('../one/first.txt', 'a walrus')
write('../one/second.txt', 'a kiwi')
umount(places[0])
shutil.copy(*images)
for number in (0, 1):
    mount(number, places[number])
with open(places[1] + '/first.txt', 'r+') as f:
    f.write('narwhals')
configure(roots=places[:2])
daemon = Daemon()
all_found('the files of two roots are told apart', 'one', 'two')
daemon.stop()
daemon = Daemon()
all_found('they stay apart after a start', 'one', 'two')
equal(daemon.status()['extractions'], 0, 'nothing is converted again after a start')
daemon.stop()
umount(places[0])
daemon = Daemon()
daemon.sync()
mount(0, places[0])
wait_until('the root is back', lambda: all(root['state'] == 'watching' for root in daemon.status()['roots']), 20)
all_found('each keeps its files while the other is away', 'one', 'two')
equal(daemon.status()['extractions'], 0, 'nothing is converted again when it is back')
daemon.stop()
for number in (0, 1):
    umount(places[number])
    mount(number, places[number + 2])
configure()
daemon = Daemon()
all_found('the files of two volumes below a root are told apart', 'tree/one', 'tree/two')
daemon.stop()
finish()
