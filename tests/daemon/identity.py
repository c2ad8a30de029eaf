# SPDX-License-Identifier: GPL-3.0-or-later
"""Two files that were made to have the same length and XXH3-128 are different files: both are
converted, whichever comes first. An index of version 3, which took them for equal, is mended by
reading: nothing else is converted again, and a kill at any moment delays that only."""
import os, random, re, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

KILLS = 5
INDEX = Daemon.index + '/index.db'
data = os.path.join(os.environ['abs_top_srcdir'], 'tests/index/data')
library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/die-at.so')
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
genuine, evil = (open(f'{data}/{name}.html', 'rb').read() for name in ('genuine', 'evil'))


def once(*wrapper):
    return subprocess.run([*wrapper, 'tarsierd', '--once'], capture_output=True, text=True, timeout=100)


def names(*query):
    done = subprocess.run(['tarsier', *query], capture_output=True, text=True, timeout=60)
    return sorted(os.path.basename(line) for line in done.stdout.split('\n') if line)


def found(word):
    return names('search', '-l', '--dups=show', word)


def make_tree(first):
    """Makes a tree with first as the content of b.html."""
    write('a.html', genuine)
    write('b.html', first)
    for name in ('one', 'copy'):
        write(f'{name}.txt', 'these two are equal')
    for i in range(20):
        write(f'{i}.txt', f'common text number {i}')
    write('empty', '')
    write('void', '')


def forge_pair():
    """Makes an index in which b.html with other bytes has the content of a.html."""
    shutil.rmtree(Daemon.index, ignore_errors=True)
    shutil.rmtree(TREE)
    make_tree(genuine)
    ok(once().returncode == 0 and found('genuineword') == ['a.html', 'b.html'], 'an index of equal files is made')
    st = os.stat(TREE + '/b.html')
    with open(TREE + '/b.html', 'r+b') as f:
        f.write(evil)
    os.utime(TREE + '/b.html', ns=(st.st_atime_ns, st.st_mtime_ns))
    change_index(('UPDATE inode SET ctime_ns = ? WHERE ino = ?', os.stat(TREE + '/b.html').st_ctime_ns, st.st_ino))


def change_index(*statements):
    db = sqlite3.connect(INDEX)
    for sql, *values in statements:
        db.execute(sql, values)
    db.commit()
    db.close()


def forge_old_index():
    """The same with version 3, whose checksums had no key."""
    forge_pair()
    change_index(('UPDATE content SET checksum = randomblob(16)',), ("DELETE FROM meta WHERE key = 'checksum_key'",), ('PRAGMA user_version = 3',))


def documents():
    return {row[0]: row[1:] for row in query(
        'SELECT min(n.name), d.id FROM document d JOIN inode i ON i.content = d.content JOIN node n ON n.inode = i.id '
        "WHERE n.name NOT IN (x'612e68746d6c', x'622e68746d6c') GROUP BY d.id")}


def check_mended(name, before):
    same(f'{name}: files share a content if and only if they are equal')
    equal((found('genuineword'), found('evilword')), (['a.html'], ['b.html']), f'{name}: each file is found by its own words')
    equal(names('dups', '--exact'), ['copy.txt', 'one.txt'], f'{name}: only equal files are listed as equal')
    equal(documents(), before, f'{name}: no other file is converted again')
    equal(query('SELECT checksum FROM content WHERE length(checksum) <> 16'), [], f'{name}: every checksum is known')


os.makedirs(TREE)
configure()

# ---- a new index
make_tree(evil)
os.unlink(TREE + '/a.html')
equal(once().returncode, 0, 'the made file is indexed first')
write('a.html', genuine)
equal(once().returncode, 0, 'the genuine one follows')
check_mended('a new index', documents())
equal(names('search', '-l', f'dup:{TREE}/a.html'), ['a.html'], 'dup: of the genuine file does not find the made one')

# ---- a false pair in an index whose checksums are known
def tarsier(*arguments):
    return subprocess.run(['tarsier', *arguments], capture_output=True, text=True, timeout=100)


equal(tarsier('check').returncode, 0, 'check finds nothing wrong with two different files')
forge_pair()
before = documents()
equal(found('genuineword'), ['a.html', 'b.html'], 'a false pair: both files are found by the words of one')
done = tarsier('dups', '--exact')
equal(sorted(os.path.basename(line) for line in done.stdout.split()), ['copy.txt', 'one.txt'],
      'dups --exact lists no false pair as equal')
ok('a.html' in done.stderr and 'b.html' in done.stderr and 'differ' in done.stderr, 'dups --exact names a false pair', done.stderr)
done = tarsier('dups')
ok('a.html' not in done.stdout, 'dups lists no false pair as equal', done.stdout)
done = tarsier('check')
ok(done.returncode == 5 and 'a.html' in done.stdout and 'b.html' in done.stdout, 'check names a false pair and exits with 5', done)
equal(tarsier('check', '--repair').returncode, 0, 'check --repair of a false pair exits with 0')
check_mended('check --repair', before)
equal(tarsier('check').returncode, 0, 'check finds nothing wrong after check --repair')

# ---- an old index
forge_old_index()
before = documents()
daemon = Daemon()
daemon.sync()
equal(daemon.status()['extractions'], 2, 'an old index: only the two files that differ are converted')
check_mended('an old index', before)
daemon.stop()
ok(re.search(r'/[ab]\.html: was taken for equal', log_text()), 'an old index: the log names a file that was mistaken', log_text())
daemon = Daemon()
daemon.sync()
equal(daemon.status()['extractions'], 0, 'an old index: nothing is left to do at the next start')
daemon.stop()

# ---- a change while the files are read again
forge_old_index()
before = documents()
write('b.html', evil + b'more')
daemon = Daemon()
write('new.txt', 'common text number 7')
daemon.sync()
same('an old index and a change: files share a content if and only if they are equal')
equal((found('genuineword'), found('evilword')), (['a.html'], ['b.html']), 'an old index and a change: each file is found by its own words')
daemon.stop()

# ---- a file that cannot be read
other = HOME + '/other'
os.makedirs(other)
with open(other + '/one.txt', 'w') as f:
    f.write('these two are equal')
configure([TREE, other])
forge_old_index()
os.rename(other, HOME + '/away')
equal(once().returncode, 0, 'an old index without one of its roots: --once ends')
equal(query("SELECT count(*) FROM inode i JOIN content c ON c.id = i.content WHERE length(c.checksum) <> 16"), [(3,)],
      'an old index without one of its roots: a content with a file in it waits, and no other one')
os.rename(HOME + '/away', other)
equal(once().returncode, 0, 'an old index with its root again: --once ends')
equal(query('SELECT checksum FROM content WHERE length(checksum) <> 16'), [], 'an old index with its root again: every checksum is known')
equal(sorted(line.split('/')[-1] for line in tarsier('dups', '--exact').stdout.split()), ['copy.txt', 'one.txt', 'one.txt'],
      'an old index with its root again: the copies are listed')
shutil.rmtree(other)
configure()

# ---- kills
if not os.path.exists(library):
    skip('a kill while files are read again', 'needs a library to be preloaded')
    finish()
seed = int(os.environ.get('IDENTITY_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# IDENTITY_SEED={seed}', flush=True)
forge_old_index()
calls = int(re.search(r'^calls (\d+)$', once('env', f'LD_PRELOAD={library}', 'DIE_AT=0,0').stderr, re.M)[1])
for i in range(KILLS):
    call = int((i + rng.random()) * calls / KILLS) + 1
    forge_old_index()
    before = documents()
    done = once('env', f'LD_PRELOAD={library}', f'DIE_AT={call},{rng.randrange(2)}')
    ok(done.returncode in (0, -signal.SIGKILL), f'killed at call {call}: the daemon ends, or is killed', done)
    equal(once().returncode, 0, f'killed at call {call}: the next start ends well')
    check_mended(f'killed at call {call} of some {calls}', before)
finish()
