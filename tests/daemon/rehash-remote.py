# SPDX-License-Identifier: GPL-3.0-or-later
"""On a file system that may not answer, a file is read again for its checksum in parts: no copy of
the whole is made, and a saved file passes between two of them."""
import os, re, shutil, sqlite3, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

PART, PARTS = 8 << 20, 5
INDEX = Daemon.index + '/index.db'
below = HOME + '/below'
for path in (TREE, below):
    os.makedirs(path)


def put(name, size, text):
    with open(f'{below}/{name}', 'wb') as f:
        f.truncate(size)
        f.seek(size - len(text))
        f.write(text)


def checksums():
    return query('SELECT n.name, hex(c.checksum) FROM content c JOIN inode i ON i.content = c.id JOIN node n ON n.inode = i.id ORDER BY n.name')


def once(*arguments):
    return subprocess.run(['tarsierd', '--once', *arguments], capture_output=True, text=True, timeout=100, env={**os.environ, 'TARSIER_DEBUG': 'job'})


def make_unknown():
    db = sqlite3.connect(INDEX)
    db.execute("UPDATE content SET checksum = CAST(printf('rehash:%020d', id) AS BLOB)")
    db.commit()
    db.close()


if not shutil.which('bindfs') or subprocess.run(['bindfs', '--no-allow-other', below, TREE], capture_output=True).returncode != 0:
    skip_all('needs bindfs and FUSE')


@atexit.register
def unmount():
    subprocess.run(['fusermount', '-u', '-z', TREE], stderr=subprocess.DEVNULL)


# A size of whole parts, one that is a byte more, and small ones.
put('whole', PARTS * PART, b'whole')
put('more', PARTS * PART + 1, b'a byte more')
put('small', 5, b'small')
put('part', PART, b'part')
configure()
equal(once().returncode, 0, 'a root on FUSE is indexed')
before = checksums()
equal([name for name, _ in before], [b'more', b'part', b'small', b'whole'], 'with all its files')
make_unknown()
done = once('--verify')
reads = {name: re.findall(r': reads /.*/(.*)$', done.stderr, re.M).count(name) for name in ('whole', 'more', 'part', 'small')}
equal(done.returncode, 0, 'the files are read again')
ok(reads['whole'] >= PARTS and reads['more'] > PARTS, 'each large file is read in parts', reads)  # a start may begin one anew
ok(1 <= reads['part'] <= 2 and 1 <= reads['small'] <= 2, 'a file that fits into a part is read at once', reads)
equal(checksums(), before, 'and its checksum is that of the whole file')

os.truncate(f'{below}/more', PART)
make_unknown()
equal(once('--verify').returncode, 0, 'a file that was cut meanwhile ends the work too')
same('the index equals the file system')
finish()
