# SPDX-License-Identifier: GPL-3.0-or-later
"""An index of the first schema version is upgraded by a daemon that is killed at any call that
changes or locks a file: the client answers rightly or says what to do, the next start completes the
upgrade, nothing is lost or converted again. UPGRADES sets how often it is killed, UPGRADES_SEED
repeats the choices. --make FILE writes index-1.db.xz with the programs of that version."""
import lzma, os, random, re, shutil, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

kills = int(os.environ.get('UPGRADES', 6))
seed = int(os.environ.get('UPGRADES_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/die-at.so')
kept = os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon/index-1.db.xz')
INDEX = Daemon.index + '/index.db'
ZIPPED = 5
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'


def make_tree():
    """Makes files with the same bytes each time."""
    words = random.Random(1)
    for i in range(40):
        text = f'common file{i} ' + ' '.join(f'word{words.randrange(500)}' for _ in range(40))
        if i % 4 == 3:
            write(f'{i % 3}/{i}.html', f'<title>Leaf {i}</title><p>{text} <a href="../{(i - 1) % 3}/{i - 1}.txt">link{i}</a>')
        else:
            write(f'{i % 3}/{i}.txt', text)
    with zipfile.ZipFile(write('box.zip', b''), 'w') as z:
        for k in range(ZIPPED):
            z.writestr(zipfile.ZipInfo(f'inner{k}.txt'), f'common inner{k} in a box')
    shutil.copy(TREE + '/0/0.txt', TREE + '/copy.txt')
    os.link(TREE + '/0/6.txt', TREE + '/linked.txt')
    write('empty', '')


def rows_of(sql):
    db = sqlite3.connect(INDEX)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def filesystem_of_today():
    """Returns the file system as the daemon identifies it now."""
    shutil.rmtree(Daemon.index, ignore_errors=True)
    equal(subprocess.run(['tarsierd', '--once']).returncode, 0,
          '--once makes an index of the present schema')
    return rows_of('SELECT identity, type FROM filesystem')[0], rows_of('SELECT path.name, i.ino, i.birth_ns FROM node path JOIN inode i ON i.id = path.inode')


def put_old(filesystem, births):
    """Restores the kept index as if it had been made of the files of this test. This needs no
    tokenizer."""
    shutil.rmtree(Daemon.index, ignore_errors=True)
    os.makedirs(Daemon.index, mode=0o700)
    with lzma.open(kept) as f, open(INDEX, 'wb', opener=lambda path, flags: os.open(path, flags, 0o600)) as g:
        shutil.copyfileobj(f, g)
    db = sqlite3.connect(INDEX)
    nodes = {node: (parent, name, inode) for node, parent, name, inode in db.execute('SELECT id, parent, name, inode FROM node')}

    def path_of(node):
        parent, name, _ = nodes[node]
        return os.fsencode(TREE) if parent == 0 else path_of(parent) + b'/' + name
    db.execute('UPDATE filesystem SET identity = ?, type = ?', filesystem)
    db.execute('UPDATE node SET name = ? WHERE parent = 0', (os.fsencode(TREE),))
    db.execute('UPDATE inode SET ino = -ino')  # a number may belong to another inode now
    for node in nodes:
        st = os.stat(path_of(node))
        db.execute('UPDATE inode SET ino = ?, birth_ns = ?, size = ?, mtime_ns = ?, ctime_ns = ?, uid = ?, gid = ?, mode = ? WHERE id = ?',
                   (st.st_ino, births[st.st_ino], st.st_size, st.st_mtime_ns, st.st_ctime_ns, st.st_uid, st.st_gid, st.st_mode & 0o7777, nodes[node][2]))
    db.commit()
    db.close()


def version():
    return rows_of('PRAGMA user_version')[0][0]


def contents():
    """Returns the extractor and its version of each content, by the name of its first file."""
    return {name: facts for name, *facts in rows_of(
        'SELECT min(n.name), c.extractor, c.version FROM content c JOIN inode i ON i.content = c.id JOIN node n ON n.inode = i.id GROUP BY c.id')}


def search(*query):
    done = subprocess.run(['tarsier', 'search', '-l', '--dups=show', '-n', '1000', *query], capture_output=True, text=True, timeout=60)
    return done.returncode, sorted(line for line in done.stdout.splitlines()), done.stderr


QUERIES = [['common'], ['file7'], ['inner3'], ['"Leaf 11"'], ['title:leaf'], ['word1*'], ['name:empty'], ['anchor:link7'], ['ext:html', 'common'],
           ['name:*mpt*'], ['name:*nner1*']]


def answers():
    return [search(*query)[:2] for query in QUERIES]


def start(*wrapper):
    return subprocess.run([*wrapper, 'tarsierd', '--once'], capture_output=True, text=True, timeout=100)


def check_client(name, wanted):
    """Checks the client after the daemon was killed."""
    code, found, said = search('common')
    if code == 4:
        ok('older' in said and 'daemon' in said,
           f'{name}: the client says that a daemon must upgrade the index', said)
    else:
        equal((code, found), wanted[0], f'{name}: the client answers from the old index')


def check_whole(name, wanted, converted):
    daemon = Daemon()
    daemon.sync()
    same(f'{name}: the index equals the file system')
    equal(answers(), wanted, f'{name}: every query has the same answer')
    ok(daemon.status()['extractions'] <= converted,
       f'{name}: no file is converted again', daemon.status()['extractions'])
    wait_until('the daemon is idle', lambda: daemon.status()['state'] == 'idle')
    equal(query('SELECT checksum FROM content WHERE length(checksum) <> 16'), [],
          f'{name}: the new checksum of every content is known')
    equal(faults_of_database(), [], f'{name}: the database is sound')
    equal([n for n in os.listdir(Daemon.index) if 'damaged' in n], [],
          f'{name}: the index is not taken for damaged')
    daemon.stop()


os.makedirs(TREE)
make_tree()
configure()
if sys.argv[1:2] == ['--make']:
    equal(start().returncode, 0, '--once makes an index of the present schema')
    with open(INDEX, 'rb') as f, lzma.open(sys.argv[2], 'wb', preset=9 | lzma.PRESET_EXTREME) as g:
        shutil.copyfileobj(f, g)
    finish()
if not os.path.exists(library):
    skip_all('needs a library to be preloaded')
print(f'# UPGRADES={kills} UPGRADES_SEED={seed}', flush=True)
filesystem, known = filesystem_of_today()
births = {ino: birth for _, ino, birth in known}
today, wanted = version(), answers()
ok(all(code == 0 and found for code, found in wanted),
   'every query has hits before the upgrade', wanted)

# ---- without a kill
put_old(filesystem, births)
equal(version(), 1, 'the kept index has the first version of the schema')
before = contents()
check_client('before the upgrade', wanted)
counted = start('env', f'LD_PRELOAD={library}', 'DIE_AT=0,0')
equal(counted.returncode, 0, 'the upgrade ends with status 0')
equal(version(), today, 'the upgrade leaves the present version of the schema')
converted = sum(before.get(name) != facts for name, facts in contents().items())
print(f'# version {today}, {converted} documents are of older converters', flush=True)
check_whole('after an upgrade in one go', wanted, 0)

# ---- with kills
calls = int(re.search(r'^calls (\d+)$', counted.stderr, re.M)[1])
for i in range(kills):
    call, half = int((i + rng.random()) * calls / kills) + 1, rng.randrange(2)
    name = f'killed at call {call} of some {calls}'
    put_old(filesystem, births)
    done = start('env', f'LD_PRELOAD={library}', f'DIE_AT={call},{half}')
    ok(done.returncode in (0, -signal.SIGKILL), f'{name}: the upgrade ends, or is killed', done)
    check_client(name, wanted)
    check_whole(name, wanted, converted)
finish()
