# SPDX-License-Identifier: GPL-3.0-or-later
"""Two FUSE file systems without an identity, which number their files in the order in which they
are asked for: they are told apart, and after each mount files are known by their names."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

places = [HOME + '/one', HOME + '/two']
words = ('anteater', 'badger', 'caracal', 'dormouse', 'ermine', 'fossa')


def make_archive(number):
    """All files of the archive have one size and one time, so that only their names tell them apart."""
    content = f'{HOME}/content{number}'
    os.makedirs(content + '/dir')
    for i, word in enumerate(words):
        with open(f'{content}/dir/{word}.txt', 'w') as f:
            f.write(f'{word:10} of place {number}\n')
    subprocess.run(['tar', '-C', content, '--mtime=2020-01-01', '-cf', f'{HOME}/{number}.tar', 'dir'], check=True)


def mount(number, order=1):
    """Asks for the files in this order, so that they are numbered in it."""
    place = places[number]
    mounted = subprocess.run(['archivemount', '-o', 'readonly,nobackup', f'{HOME}/{number}.tar', place], capture_output=True).returncode == 0
    return mounted and [os.stat(f'{place}/dir/{word}.txt').st_ino for word in words[::order]][::order]


@atexit.register
def unmount(*which):
    for place in which or places:
        subprocess.run(['fusermount', '-u', '-z', place], stderr=subprocess.DEVNULL)


def found(word):
    said = subprocess.run(['tarsier', 'search', '-l', '--dups', 'show', word], capture_output=True, text=True).stdout
    return sorted(os.path.relpath(path, HOME) for path in said.split())


def all_found(name, *which):
    daemon.sync()
    got = {word: found('text:' + word) for word in words}
    equal(got, {word: [f'{place}/dir/{word}.txt' for place in which] for word in words}, name)


for number, place in enumerate(places):
    os.makedirs(place)
    make_archive(number)
if not shutil.which('archivemount') or not mount(0):
    skip_all('needs archivemount and FUSE')
before = [mount(1), None]
configure(roots=places)
daemon = Daemon()
all_found('files of two file systems with the same numbers are told apart', 'one', 'two')
equal(daemon.status()['extractions'], 12, 'each file is converted once')
unmount()
wait_until('the roots are away', lambda: all(root['state'] == 'offline' for root in daemon.status()['roots']), 20)
all_found('nothing is found of what is away')
mount(0, -1)
after = mount(1, -1)
ok(sorted(after) == sorted(before[0]) and after != before[0], 'the files have numbers of each other now', before[0], after)
wait_until('the roots are back', lambda: all(root['state'] == 'watching' for root in daemon.status()['roots']), 20)
all_found('files are known by their names after a mount', 'one', 'two')
equal(daemon.status()['extractions'], 12, 'nothing is converted again')
daemon.stop()
unmount()
mount(0)
mount(1)
daemon = Daemon()
all_found('files are known by their names after a start', 'one', 'two')
equal(daemon.status()['extractions'], 0, 'nothing is converted again after a start')
daemon.stop()
finish()
