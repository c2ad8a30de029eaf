# SPDX-License-Identifier: GPL-3.0-or-later
"""A stick with exFAT, which finds a name in any letters and has no inode numbers: the index has the
names that the stick has. Needs root and loop devices."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import ownmounts
from daemontest import *

image, device = HOME + '/stick', None


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


@atexit.register
def detach():
    run('umount', '-l', TREE)
    run('losetup', '-d', device or '')


def mount():
    return run('mount.exfat-fuse', device, TREE).returncode == 0


def same_names(name):
    daemon.sync()
    equal(sorted(rows()), sorted(truth()), name)


def found(word):
    return [os.path.relpath(path, TREE) for path in run('tarsier', 'search', '-l', '--dups', 'show', '--sort', 'path', word).stdout.split()]


os.makedirs(TREE)
with open(image, 'wb') as f:
    f.truncate(8 << 20)
if run('mkfs.exfat', image).returncode != 0 or not (device := run('losetup', '-f', '--show', image).stdout.strip()) or not mount():
    skip_all('needs exFAT, root and loop devices')
write('Docs/Letter.TXT', 'a walrus')
write('Docs/other.txt', 'a narwhal')
write('Größe.txt', 'a kiwi')
configure()
daemon = Daemon()
same_names('a stick is indexed')
os.rename(TREE + '/Docs/Letter.TXT', TREE + '/Docs/letter.txt')
same_names('a file gets a name that differs in case')
equal(found('walrus'), ['Docs/letter.txt'], 'it is found by its new name alone')
os.rename(TREE + '/Größe.txt', TREE + '/GRÖSSE.txt')
os.rename(TREE + '/Docs', TREE + '/Other')
os.rename(TREE + '/Other', TREE + '/docs')
same_names('a directory gets a name that differs in case')
equal(found('walrus OR kiwi'), ['GRÖSSE.txt', 'docs/letter.txt'], 'its files are found at their new places alone')
daemon.stop()
os.rename(TREE + '/docs/letter.txt', TREE + '/docs/LETTER.txt')
daemon = Daemon()
same_names('a start finds a name that differs in case')
daemon.stop()
umount(TREE)
mount()
daemon = Daemon()
same_names('a stick is known again')
equal(daemon.status()['extractions'], 0, 'nothing of it is converted again')
daemon.stop()
finish()
