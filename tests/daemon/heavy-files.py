# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose words are all different: a file that is saved meanwhile is found first, and words
after the limit are left out and said to be."""
import io, os, random, sqlite3, subprocess, sys, tarfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

MEMBERS, WORDS, LIMIT = 100, 8000, 200000


def words(prefix, n):
    return ' '.join(f'{prefix}{i:x}' for i in range(n))


def found(*query):
    done = subprocess.run(['tarsier', 'search', '-l', *query], capture_output=True, text=True)
    return len(done.stdout.splitlines())


def is_done(name):
    return query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state = 0 AND i.content IS NOT NULL', name.encode())


def heavy_archive(path):
    with tarfile.open(path, 'w') as tar:
        for i in range(MEMBERS):
            data = words(f'm{i}x', WORDS).encode()
            info = tarfile.TarInfo(f'{i}.txt')
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


for i in range(1500):  # so that the archive is not a first index
    write(f'base/{i}.txt', f'a small text {i}')
configure()
daemon = Daemon()
daemon.sync()
heavy_archive(HOME + '/heavy.tar')
os.rename(HOME + '/heavy.tar', TREE + '/heavy.tar')
wait_until('the archive is in work', lambda: query("SELECT 1 FROM content WHERE state = 3"), 20, 0.002)
for i in range(3):
    write(f'saved{i}', f'saved meanwhile {i}')
    wait_until('the saved file is indexed', lambda: is_done(f'saved{i}'), 20, 0.002)
ok(not is_done('heavy.tar'), 'files that are saved while a heavy archive is written are found before it')
equal(found('"saved meanwhile"'), 3, 'the client finds them')
daemon.sync()
equal(found(f'm{MEMBERS - 1}x{WORDS - 1:x}'), 1, 'the last word of the last member is found at last')

def configure_while_written(name):
    heavy_archive(f'{HOME}/{name}')
    os.rename(f'{HOME}/{name}', f'{TREE}/{name}')
    wait_until('the archive is in work', lambda: query('SELECT 1 FROM content WHERE state = 3'), 20, 0.002)
    request('reload')


os.unlink(TREE + '/heavy.tar')
daemon.sync()
configure_while_written('again.tar')
daemon.sync()
equal(found(f'm{MEMBERS - 1}x{WORDS - 1:x}'), 1, 'an archive is indexed though the configuration is read again meanwhile')
os.unlink(TREE + '/again.tar')
daemon.sync()
configure_while_written('gone.tar')
os.unlink(TREE + '/gone.tar')
daemon.sync()
equal(query('SELECT count(*) FROM content WHERE state = 3'), [(0,)], 'nothing is left of one that is removed then')
ok('cannot be written' not in log_text(), 'no error of the index is logged', log_text())
heavy_archive(TREE + '/heavy.tar')
daemon.sync()

with sqlite3.connect(f'file:{HOME}/.cache/tarsier/text.db?mode=ro', uri=True) as cache:
    kept = {row[0] for row in cache.execute('SELECT document FROM entry')}
members = {row[0] for row in query("SELECT document FROM fact WHERE member LIKE '%.txt'")}
equal(len(members - kept), 0, 'the texts of all members of an expensive archive are kept, also of the first ones')

write('huge.txt', words('h', LIMIT) + '\nbeyond h7 beyond\n')
daemon.sync()
equal(found(f'h{LIMIT - 1:x}'), 1, 'the last different word within the limit is found')
equal(found('beyond'), 0, 'a word that is new after the limit is not found')
equal(found('is:truncated', 'name:huge.txt'), 1, 'a file with left-out words is said to be truncated')
info = json.loads(subprocess.run(['tarsier', 'info', '--json', TREE + '/huge.txt'], capture_output=True, text=True).stdout)
equal((info['state'], info['reason']), ('truncated', 'words-limit'), 'info says why words are missing')


def failed(name):
    done = subprocess.run(['tarsier', 'failed', '--json'], capture_output=True, text=True)
    return [(line['state'], line['reason']) for line in map(json.loads, done.stdout.splitlines()) if line['path'] == f'{TREE}/{name}']


with tarfile.open(TMP + '/huge.tar', 'w') as tar:
    for name, n in (('huge', LIMIT + 1), ('small', 10)):
        data = words(name, n).encode()
        info = tarfile.TarInfo(name + '.txt')
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
os.rename(TMP + '/huge.tar', TREE + '/huge.tar')
daemon.sync()
info = json.loads(subprocess.run(['tarsier', 'info', '--json', TREE + '/huge.tar'], capture_output=True, text=True).stdout)
equal([info[key] for key in ('members', 'members_failed', 'members_truncated')], [2, 0, 1], 'info of a container counts such members')
told = subprocess.run(['tarsier', 'info', TREE + '/huge.tar'], capture_output=True, text=True).stdout
ok('2; 0 failed, 1 read in part' in told, 'and says so in words', told)
equal(failed('huge.tar'), [('truncated', 'words-limit')], 'failed lists the member')
equal(failed('huge.txt'), [('truncated', 'words-limit')], 'failed lists it with the reason')
head = 'From: a@example.org\nSubject: keywords\n'
write('long.eml', head + 'Keywords: ' + 'keyword ' * 20000 + '\n\ntext\n')
write('many.eml', head + 'Keywords: ' + ', '.join(f'k{i}' for i in range(1000)) + '\n\ntext\n')
write('some.eml', head + 'Keywords: ' + ', '.join(f's{i}' for i in range(100)) + '\n\ntext\n')
daemon.sync()
for name, wanted in (('long.eml', [('truncated', 'text-limit')]), ('many.eml', [('truncated', 'text-limit')]), ('some.eml', [])):
    equal(failed(name), wanted, f'facts that do not fit are told ({name})')
same('the index equals the file system with heavy files')
daemon.stop()
finish()
