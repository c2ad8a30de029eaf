# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile names (every byte, terminal escapes, bidirectional controls, broken UTF-8, 255 bytes,
paths longer than PATH_MAX): programs get every byte back, a terminal gets no control character.
NAMES sets how many, DEPTH how deep, NAMES_SEED repeats the choices."""
import os, random, re, subprocess, sys, unicodedata
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

n, depth = int(os.environ.get('NAMES', 600)), int(os.environ.get('DEPTH', 300))
seed = int(os.environ.get('NAMES_SEED', random.randrange(1 << 32)))
print(f'# NAMES={n} DEPTH={depth} NAMES_SEED={seed}', flush=True)
rng = random.Random(seed)
sys.setrecursionlimit(100000)
PARTS = [b'\n', b'\t', b'\r', b'\x1b[31m', b'\x1b]0;title\x07', b'\x1b]8;;http:x\x1b\\', b'\x9b31m', '\u009b31m'.encode(), b'\x7f', '\u202e'.encode(),
         '\u2066'.encode(), '\u2069'.encode(), '\u061c'.encode(), '\u200b'.encode(), '\u2028'.encode(), '\ufeff'.encode(), b'\xff', b'\xc3', b'\xed\xa0\x80',
         b'\xf4\x90\x80\x80', b'\xc0\xaf', b'-rf', b' ', b'|', b'\\', b'"', b"'", b'$(id)', b'%s%n', b'..', b'*', b'{}', 'é'.encode(), 'e\u0301'.encode(),
         'ﬁ'.encode(), 'İ'.encode(), 'ß'.encode(), '漢字'.encode(), '👩‍👩‍👧'.encode(), b'Case', b'case', b'x' * 40]


def some_name():
    if rng.random() < 0.3:
        name = bytes(rng.choice([b for b in range(1, 256) if b != 0x2f]) for _ in range(rng.randrange(1, 256)))
    else:
        name = b''.join(rng.choices(PARTS, k=rng.randrange(1, 8)))[:255]
    return name if name not in (b'.', b'..') and not name.startswith(b'.') else b'_' + name[:254]


top = os.fsencode(TREE)
os.makedirs(top)
names = {bytes([b]) for b in range(1, 256) if b not in (0x2e, 0x2f)} | {b'x' * 255, 'NFC é'.encode(), 'NFC e\u0301'.encode(), b'TWIN', b'twin'}
while len(names) < n:
    names.add(some_name())
wanted = set()
for i, name in enumerate(sorted(names)):
    dir = top + b'/%d' % (i % 20)
    os.makedirs(dir, exist_ok=True)
    path = dir + b'/' + name
    with open(path, 'wb') as f:
        f.write(b'needle and text %d' % i)
    wanted.add(path)
deep = top + b'/deep' + b'/d' * depth
os.makedirs(deep)
wanted.add(deep + b'/bottom')
with open(deep + b'/bottom', 'w') as f:
    f.write('needle at the bottom')
configure()
daemon = Daemon()
daemon.sync()
same('the index equals the file system with hostile names')
ok(len(rows()) > n, 'the index has a row for every hostile name')


def output(*command):
    return subprocess.run(['tarsier', *command], capture_output=True, timeout=100).stdout


found = set(output('search', '-0', '--dups=show', '-n', '100000', '--no-snippets', 'needle').split(b'\0')) - {b''}
ok(found == wanted,
   'search -0 prints every byte of every name', len(found), sorted(found ^ wanted)[:5])
listed = set(output('list', '-0', TREE).split(b'\0')) & wanted
ok(listed == wanted, 'list -0 prints every byte of every name', sorted(wanted - listed)[:5])
exact = set()
for line in output('list', '--json', TREE).splitlines():
    row = json.loads(line)
    exact.add(base64.b64decode(row['path_b64']) if row.get('path_b64') else os.fsencode(row['path']))
ok(wanted <= exact, 'list --json prints every byte of every name', sorted(wanted - exact)[:5])
for command in (['search', '--color=always', '--dups=show', '-n', '100000', 'needle'], ['list', '--color=always', TREE]):
    text = output(*command).decode()  # it is UTF-8
    text = re.sub('\x1b\\[[0-9;]*m|\x1b\\]8;;[!-~]*\x1b\\\\', '', text)
    bad = {c for c in text if c != '\n' and (unicodedata.category(c) in ('Cc', 'Zl', 'Zp') or c in '\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff')}
    ok(not bad,
       f'{command[0]} sends no control character of a name to a terminal', [hex(ord(c)) for c in bad])

# The next path is longer than any path that a system call accepts.
name = b'y' * 200
fd = os.open(top, os.O_PATH)
for _ in range(60):
    os.mkdir(name, dir_fd=fd)
    below = os.open(name, os.O_PATH, dir_fd=fd)
    os.close(fd)
    fd = below
leaf = os.open('leaf', os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=fd)
os.write(leaf, b'a pebble in a very long path')
os.close(leaf)
ok(daemon.sync(), 'a sync ends with a path longer than PATH_MAX')
equal(len([p for p in rows() if p.endswith(b'/leaf')]), 1,
      'a file whose path is longer than PATH_MAX has a row')
equal(query('SELECT i.state FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', b'leaf'), [(0,)],
      'a file whose path is longer than PATH_MAX is converted')
os.unlink('leaf', dir_fd=fd)
os.close(fd)
daemon.sync()
equal([p for p in rows() if p.endswith(b'/leaf')], [],
      'a deleted file whose path is longer than PATH_MAX has no row')
subprocess.run(['rm', '-rf', os.path.join(TREE, os.fsdecode(name)), os.path.join(TREE, 'deep')], check=True)
daemon.sync()
same('the index equals the file system after the longest paths are removed')
daemon.stop()
finish()
