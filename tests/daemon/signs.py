# SPDX-License-Identifier: GPL-3.0-or-later
"""An index of a version without words with signs (c++) gets them while nothing else is to do:
nothing is indexed again, a search says until then that it reads such words without their signs, and
status tells how many texts are left."""
import json, os, re, shutil, sqlite3, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

INDEX = Daemon.index + '/index.db'


def search(*words):
    done = subprocess.run(['tarsier', 'search', '-l', '--dups=show', '--', *words], capture_output=True, text=True, timeout=60)
    return sorted(line.replace(TREE + '/', '') for line in done.stdout.splitlines()), done.stderr


def status():
    return json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True, timeout=60).stdout)


def change(*statements):
    db = sqlite3.connect(INDEX)
    for sql in statements:
        db.execute(sql)
    db.commit()
    db.close()


def forget_words():
    """Turns the term c++ into another one, as if the tokenizer had not known it. On a page it stands as a whole, or as two bytes more than the
    term before it; others may be 43 too."""
    db = sqlite3.connect(INDEX)
    pages = db.execute('SELECT id, block FROM text_data').fetchall()
    found = 0
    for page, block in pages:
        block, n = re.subn(rb'(?<=[c\x02])\+\+', b'**', block)
        found += n
        db.execute('UPDATE text_data SET block = ? WHERE id = ?', (block, page))
    db.commit()
    db.close()
    return found


write('a/primer.txt', 'Mary reads the C++ primer on the train')
write('a/vitamin.txt', 'Mary takes vitamin C on the train')
write('a/c++-notes.txt', 'nothing but words')
write('late.txt', 'A plan C that will change')
with zipfile.ZipFile(write('box.zip', b''), 'w') as z:
    z.writestr('inner.txt', 'Modern C++ in a box')
configure()
daemon = Daemon()
daemon.sync()
daemon.stop()
wanted = ['a/c++-notes.txt', 'a/primer.txt', 'box.zip|inner.txt']
plain = sorted(wanted + ['a/vitamin.txt', 'late.txt'])
equal(search('c++'), (wanted, ''), 'a new index knows words with signs')
equal(status()['signs_left'], 0, 'in a new index nothing is left to read')

# ---- before an older index is read
ok(forget_words() > 0, 'the term is taken out of the index')
change("INSERT INTO meta SELECT 'signs_last', max(id) FROM content", "INSERT INTO meta VALUES('signs_done', 0)")
left = query('SELECT count(*) FROM content')[0][0]
found, said = search('c++')
equal(found, plain, 'an index that is not read yet is searched without the signs')
ok('"c++"' in said and 'Older texts' in said, 'the search says so', said)
found, said = search('name:c++')
equal((found, said), (['a/c++-notes.txt'], ''), 'names have their words with signs already')
equal(status()['signs_left'], left, 'status tells how many texts are left')
text = subprocess.run(['tarsier', 'status'], capture_output=True, text=True, timeout=60).stdout
ok(f'{left} older texts' in text, 'status tells it in words', text)

# ---- the upgrade
change("DELETE FROM meta WHERE key LIKE 'signs%'", 'PRAGMA user_version = 4')
write('late.txt', 'Now it tells of C++ instead')
daemon = Daemon()
daemon.sync()
ok(wait_until('all texts are read', lambda: status()['signs_left'] == 0, 60), 'the daemon reads all texts', status(), log_text())
daemon.sync()
same('the index equals the file system after the upgrade')
equal(search('c++'), (sorted(wanted + ['late.txt']), ''), 'words with signs are found after the upgrade')
equal(search('"the c++ primer"')[0], ['a/primer.txt'], 'a phrase with such a word is found after the upgrade')
equal(search('c')[0], plain, 'the word without signs is found as before')
equal(daemon.status()['extractions'], 1, 'only the changed file is indexed again')
equal(query("SELECT count(*) FROM meta WHERE key LIKE 'signs%'")[0][0], 0, 'the index notes that it is done')
daemon.stop()

# ---- a file that cannot be read as it was
ok(forget_words() > 0, 'the term is taken out of the index again')
change("INSERT INTO meta SELECT 'signs_last', max(id) FROM content", "INSERT INTO meta VALUES('signs_done', 0)",
       "UPDATE document SET words = words + 1 WHERE content = (SELECT i.content FROM node n JOIN inode i ON i.id = n.inode "
       "WHERE n.name = CAST('primer.txt' AS BLOB))")
daemon = Daemon()
daemon.sync()
ok(wait_until('all texts are read', lambda: status()['signs_left'] == 0, 60), 'the daemon reads all texts', status(), log_text())
daemon.sync()
equal(search('c++'), (sorted(wanted + ['late.txt']), ''), 'a file whose text differs is indexed again')
equal(daemon.status()['extractions'], 1, 'and no other one')
daemon.stop()

# ---- without a converter
ok(forget_words() > 0, 'the term is taken out of the index again')
change("INSERT INTO meta SELECT 'signs_last', max(id) FROM content", "INSERT INTO meta VALUES('signs_done', 0)")
shutil.rmtree(HOME + '/.cache/tarsier', ignore_errors=True)
daemon = Daemon(wrapper=['env', 'TARSIER_EXTRACT=' + TMP + '/missing'])
daemon.sync()
daemon.sync()
ok(status()['signs_left'] > 0, 'texts wait for a converter', status())
equal(query('SELECT count(*) FROM inode WHERE state = 1')[0][0], 0, 'no file is to be indexed again for that')
daemon.stop()
daemon = Daemon()
daemon.sync()
ok(wait_until('all texts are read', lambda: status()['signs_left'] == 0, 60), 'with a converter all texts are read', status(), log_text())
equal(daemon.status()['extractions'], 0, 'and none is indexed again')
daemon.stop()

# ---- without the files
ok(forget_words() > 0, 'the term is taken out of the index again')
change("INSERT INTO meta SELECT 'signs_last', max(id) FROM content", "INSERT INTO meta VALUES('signs_done', 0)")
shutil.rmtree(HOME + '/.cache/tarsier', ignore_errors=True)
os.rename(TREE, TREE + '.away')
daemon = Daemon()


def left_for_later():
    return query("SELECT count(*) FROM meta WHERE key LIKE 'signs_left %'")[0][0]


ok(wait_until('all texts are looked at', lambda: left_for_later() > 1, 60), 'texts of files that are away wait', status(), log_text())
equal(query('SELECT count(*) FROM inode WHERE state = 1')[0][0], 0, 'their files are not to be indexed again')
ok(status()['signs_left'] >= left_for_later(), 'status counts them', status())
os.rename(TREE + '.away', TREE)
ok(wait_until('all texts are read', lambda: status()['signs_left'] == 0, 60), 'when the files are back all texts are read', status(), log_text())
equal(daemon.status()['extractions'], 0, 'and none is indexed again')
daemon.stop()

# ---- without a daemon
ok(forget_words() > 0, 'the term is taken out of the index again')
change("INSERT INTO meta SELECT 'signs_last', max(id) FROM content", "INSERT INTO meta VALUES('signs_done', 0)")
equal(subprocess.run(['tarsier', '-q', 'index'], timeout=100).returncode, 0, 'tarsier index ends with status 0')
equal(search('c++'), (sorted(wanted + ['late.txt']), ''), 'without a daemon, tarsier index reads the texts')
finish()
