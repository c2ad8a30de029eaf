# SPDX-License-Identifier: GPL-3.0-or-later
"""A start reads no row of a directory whose entries have the digest that the index knows, and finds
every change that was made while no daemon ran."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

DIRECTORIES, FILES = 'abcd', 6


def once():
    return subprocess.run(['tarsierd', '--once'], capture_output=True, text=True, timeout=250).returncode


def at(path):
    return os.path.join(TREE, path)


def digests():
    return query('SELECT count(*) FROM digest')[0][0]


def directories_with_entries():
    return query('SELECT count(DISTINCT parent) FROM node WHERE parent <> 0')[0][0]


def settle(name):
    """The first start after a change visits what changed, the second finds it unchanged."""
    once()
    once()
    equal(digests(), directories_with_entries(), f'two starts give each directory a digest: {name}')


def is_found(change, name):
    change()
    once()
    same(f'a start finds: {name}')
    settle(f'after {name}')


def overwrite(path, text):
    """Writes as much as before, and sets the time back."""
    before = os.stat(at(path))
    with open(at(path), 'r+') as f:
        f.write(text.ljust(before.st_size)[:before.st_size])
    os.utime(at(path), ns=(before.st_atime_ns, before.st_mtime_ns))


def swap(one, other):
    os.rename(at(one), at('swap'))
    os.rename(at(other), at(one))
    os.rename(at('swap'), at(other))


def replace(path, text):
    with open(at('a/.new'), 'w') as f:
        f.write(text)
    os.rename(at('a/.new'), at(path))


def file_for_directory(path):
    os.unlink(at(path))
    os.makedirs(at(path))
    write(path + '/inner.txt', 'a file in what was a file')


def with_rule(rule, name):
    configure(exclude=rule)
    once()
    left = [row for row in query('SELECT name FROM node') if row[0] in (b'b', b'inner')]
    ok(not left, f'a rule removes directories: {name}', left)
    once()
    once()
    configure()
    once()
    same(f'a start finds what the rule excluded: {name}')
    settle(f'after {name}')


for directory in DIRECTORIES:
    for i in range(FILES):
        write(f'{directory}/inner/{i}.txt', f'inner text {directory} {i}')
        write(f'{directory}/{i}.txt', f'text {directory} {i}')
os.symlink('0.txt', at('a/link'))
configure()
once()
same('everything is indexed')
settle('the first')

is_found(lambda: write('a/new.txt', 'a new one'), 'a new file')
is_found(lambda: os.unlink(at('a/new.txt')), 'a deleted file')
is_found(lambda: os.rename(at('a/0.txt'), at('a/renamed.txt')), 'a renamed file')
is_found(lambda: os.rename(at('a/renamed.txt'), at('b/moved.txt')), 'a moved file')
is_found(lambda: swap('a/1.txt', 'a/2.txt'), 'two files that exchanged their names')
is_found(lambda: swap('a/inner', 'b/inner'), 'two directories that exchanged their places')
is_found(lambda: write('a/1.txt', 'another text than before'), 'a changed file')
is_found(lambda: overwrite('a/2.txt', 'unseen'), 'a change with the old size and time')
is_found(lambda: replace('a/3.txt', 'text a 3'), 'a file that was replaced by an equal one')
is_found(lambda: os.chmod(at('a/4.txt'), 0o600), 'new permissions')
is_found(lambda: os.link(at('a/5.txt'), at('c/other-name.txt')), 'another name')
is_found(lambda: write('c/other-name.txt', 'written by its other name'), 'a change by another name')
is_found(lambda: os.unlink(at('c/other-name.txt')), 'a name that is gone')
is_found(lambda: file_for_directory('a/5.txt'), 'a directory in place of a file')
is_found(lambda: os.rename(at('d'), at('c/d')), 'a directory that moved')
is_found(lambda: (os.unlink(at('a/link')), os.symlink('1.txt', at('a/link'))), 'another link')
is_found(lambda: os.mkdir(at('empty')), 'an empty directory')
with_rule('b;inner', 'two names')

# files that wait for their conversion are found, though their directory is as it was
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute("UPDATE inode SET state = 1, content = NULL WHERE id IN (SELECT inode FROM node WHERE name = CAST('1.txt' AS BLOB))")
db.execute("UPDATE meta SET value = (SELECT count(*) FROM inode i JOIN node n ON n.inode = i.id WHERE i.state = 1) WHERE key = 'pending'")
db.commit()
db.close()
once()
same('a start converts files that wait')

# a directory with more entries than a digest is for
for i in range(1100):
    write(f'large/{i}', '')
once()
once()
equal(digests(), directories_with_entries() - 1, 'a large directory has no digest')
os.rename(at('large/7'), at('large/seven'))
once()
same('a start finds a change in a large directory')
finish()
