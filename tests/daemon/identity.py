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


def once(*wrapper, verify=()):
    return subprocess.run([*wrapper, 'tarsierd', '--once', *verify], capture_output=True, text=True, timeout=100)


def mend(*wrapper):
    return once(*wrapper, verify=['--verify'])


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


def replace_unseen(name, change):
    """Changes a file in a way that the index cannot tell."""
    before = os.stat(f'{TREE}/{name}')
    with open(f'{TREE}/{name}', 'r+b') as f:
        change(f)
    os.utime(f'{TREE}/{name}', ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(f'{TREE}/{name}')
    change_index(('UPDATE inode SET ctime_ns = ?, size = ? WHERE ino = ?', after.st_ctime_ns, after.st_size, after.st_ino))


def make_index(*more):
    """Makes an index of the tree in which a.html, b.html and more are equal."""
    shutil.rmtree(Daemon.index, ignore_errors=True)
    shutil.rmtree(TREE)
    make_tree(genuine)
    for name in more:
        write(name, genuine)
    ok(once().returncode == 0 and found('genuineword') == sorted(['a.html', 'b.html', *more]), 'an index of equal files is made')


def forge_pair():
    """Makes an index in which b.html with other bytes has the content of a.html."""
    make_index()
    replace_unseen('b.html', lambda f: f.write(evil))


def change_index(*statements):
    db = sqlite3.connect(INDEX)
    for sql, *values in statements:
        db.execute(sql, values)
    db.commit()
    db.close()


def make_old():
    """Makes the index one of version 3, whose checksums had no key."""
    change_index(('UPDATE content SET checksum = randomblob(16)',), ("DELETE FROM meta WHERE key = 'checksum_key'",), ('PRAGMA user_version = 3',))


def forge_old_index():
    forge_pair()
    make_old()


def unknown():
    """Returns the names of the files whose checksum is unknown."""
    return sorted(os.fsdecode(name) for name, in query(
        'SELECT n.name FROM content c JOIN inode i ON i.content = c.id JOIN node n ON n.inode = i.id WHERE length(c.checksum) <> 16'))


def is_idle():
    return request('status')['state'] == 'idle'


def documents():
    return {row[0]: row[1:] for row in query(
        'SELECT min(n.name), d.id FROM document d JOIN inode i ON i.content = d.content JOIN node n ON n.inode = i.id '
        "WHERE n.name NOT IN (x'612e68746d6c', x'622e68746d6c') GROUP BY d.id")}


def check_mended(name, before):
    same(f'{name}: files share a content if and only if they are equal')
    equal((found('genuineword'), found('evilword')), (['a.html'], ['b.html']), f'{name}: each file is found by its own words')
    equal(names('dups', '--exact'), ['copy.txt', 'one.txt'], f'{name}: only equal files are listed as equal')
    equal(documents(), before, f'{name}: no other file is converted again')
    equal(unknown(), [], f'{name}: every checksum is known')


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
wait_until('the daemon is idle', is_idle)
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
wait_until('the daemon is idle', is_idle)
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
done = mend('env', 'TARSIER_DEBUG=job')
equal(done.returncode, 0, 'an old index without one of its roots: --once --verify ends')
equal(unknown(), ['copy.txt', 'one.txt', 'one.txt'], 'an old index without one of its roots: a content with a file in it waits, and no other one')
read = [line for line in done.stderr.splitlines() if ': reads /' in line]
ok(any('/0.txt' in line for line in read) and not any('/copy.txt' in line or '/one.txt' in line for line in read),
   'an old index without one of its roots: no file of such a content is read', done.stderr)
os.rename(HOME + '/away', other)
equal(mend().returncode, 0, 'an old index with its root again: --once --verify ends')
equal(unknown(), [], 'an old index with its root again: every checksum is known')
equal(sorted(line.split('/')[-1] for line in tarsier('dups', '--exact').stdout.split()), ['copy.txt', 'one.txt', 'one.txt'],
      'an old index with its root again: the copies are listed')
shutil.rmtree(other)
configure()

# ---- a content of which one file cannot be read
if shutil.which('strace'):
    make_index('c.html')
    first, _, last = (os.fsdecode(name) for name, in query("SELECT n.name FROM node n JOIN inode i ON i.id = n.inode WHERE CAST(n.name AS TEXT) LIKE '%.html' ORDER BY i.id"))
    replace_unseen(last, lambda f: f.write(evil))
    make_old()
    daemon = Daemon(wrapper=['strace', '-f', '-qq', '-o', '/dev/null', '-P', first, '-e', 'trace=openat2', '-e', 'inject=openat2:error=EIO'])
    ok(wait_until('the false pair is found', lambda: found('evilword') == [last], 30),
       'a file that cannot be read: the others of its content are compared', log_text())
    os.kill(daemon.status()['pid'], signal.SIGTERM)
    daemon.process.wait(100)
else:
    skip('a file that cannot be read: the others of its content are compared', 'needs strace')

# ---- a rehash that takes long
LARGE, SAVED = 3 << 30, 40 << 20
configure()
with open(os.path.join(HOME, '.config/tarsier/tarsier.conf'), 'a') as f:
    f.write('[limits]\nfile=4 GiB\n')
make_index()
replace_unseen('0.txt', lambda f: f.truncate(LARGE))
make_old()
equal(once().returncode, 0, 'a large file of an old index: --once ends')
ok('0.txt' in unknown(), 'a large file of an old index: --once does not wait until it is read', unknown())
os.environ['TARSIER_DEBUG'] = 'job'
daemon = Daemon()
del os.environ['TARSIER_DEBUG']


def files_read():
    return re.findall(r': reads /.*/(.*)$', log_text(), re.M)


wait_until('the large file is being read', lambda: '0.txt' in files_read())
with open(write('saved', b''), 'r+b') as f:
    f.truncate(SAVED)
daemon.sync()
ok('0.txt' in unknown() and not is_idle(), 'a large file of an old index: sync does not wait until it is read', state_text())
ok(wait_until('the large file is read on', lambda: 'saved' in files_read() and '0.txt' in files_read()[files_read().index('saved'):]),
   'a large file of an old index: what was saved meanwhile is read between two slices of it', files_read())
ok(wait_until('all checksums are known', lambda: not unknown(), 100), 'a large file of an old index: it is read to its end', unknown())
same_bytes = query("SELECT c.checksum FROM content c JOIN inode i ON i.content = c.id WHERE i.size = ?", LARGE)
daemon.stop()
with open(f'{TREE}/again', 'wb') as f:
    f.write(b'common text number 0')
    f.truncate(LARGE)
equal(once().returncode, 0, 'a copy of the large file is indexed')
equal(query("SELECT c.checksum FROM content c JOIN inode i ON i.content = c.id WHERE i.size = ?", LARGE), 2 * same_bytes,
      'a large file of an old index: its checksum is the one of the whole file')
configure()

# ---- files that join a content which is to be converted again
make_index()
kept, = query("SELECT i.content FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = CAST('one.txt' AS BLOB)")[0]
change_index(('CREATE TEMP TABLE known AS SELECT * FROM content WHERE id = ?', kept),
             ('UPDATE content SET checksum = CAST(printf(\'rehash:%020d\', id) AS BLOB) WHERE id = ?', kept),
             ('UPDATE temp.known SET id = (SELECT max(id) + 1 FROM content), tries = -1',),
             ('INSERT INTO content SELECT * FROM temp.known',))
daemon = Daemon()
ok(wait_until('the files are converted', lambda: not unknown() and not query('SELECT id FROM inode WHERE state = 1') and is_idle(), 30),
   'files that join an outdated content are converted without another event', unknown(), query('SELECT id FROM inode WHERE state = 1'))
same('files that join an outdated content: the index equals the file system')
daemon.stop()

# ---- kills
if not os.path.exists(library):
    skip('a kill while files are read again', 'needs a library to be preloaded')
    finish()
seed = int(os.environ.get('IDENTITY_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# IDENTITY_SEED={seed}', flush=True)
forge_old_index()
calls = int(re.search(r'^calls (\d+)$', mend('env', f'LD_PRELOAD={library}', 'DIE_AT=0,0').stderr, re.M)[1])
for i in range(KILLS):
    call = int((i + rng.random()) * calls / KILLS) + 1
    forge_old_index()
    before = documents()
    done = mend('env', f'LD_PRELOAD={library}', f'DIE_AT={call},{rng.randrange(2)}')
    ok(done.returncode in (0, -signal.SIGKILL), f'killed at call {call}: the daemon ends, or is killed', done)
    equal(mend().returncode, 0, f'killed at call {call}: the next start ends well')
    check_mended(f'killed at call {call} of some {calls}', before)
finish()
