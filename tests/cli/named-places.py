# SPDX-License-Identifier: GPL-3.0-or-later
"""Every verb that takes a file or directory takes it as other programs write it too: as a file:// URI, and with
a "~" that no shell has expanded."""
import os, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from tap import tarsier

docs = HOME + '/my docs'
os.makedirs(docs)
words = 'The heron waits beside the water until a careless frog swims near its feet.\n'
for name in ('a 1.txt', 'b%.txt'):
    with open(f'{docs}/{name}', 'w') as f:
        f.write(words)
with zipfile.ZipFile(docs + '/box.zip', 'w') as box:
    box.writestr('in.txt', words)
dir_uri = 'file://' + HOME + '/my%20docs'
uri = dir_uri + '/a%201.txt'
ok(tarsier('-q', 'add', dir_uri)[0] == 0, 'add takes a URI')
tarsier('-q', 'index')
hits = [json.loads(line) for line in tarsier('search', '--json', 'heron', 'name:a')[1].splitlines()]
equal([hit['uri'] for hit in hits if hit['type'] == 'hit'], [uri], 'a search in JSON prints it')

path = docs + '/a 1.txt'
for verb in ('info', 'show', 'similar', 'extract', 'list', 'failed', 'index', 'dups'):
    plain, by_uri = tarsier(verb, path), tarsier(verb, uri)
    ok(plain == by_uri and plain[0] <= 1, f'{verb} answers for a URI as for the path', plain, by_uri)
ok(path in tarsier('list', dir_uri)[1], 'list takes the URI of a directory')
ok(docs + '/b%.txt' in tarsier('list', dir_uri + '/b%25.txt')[1], 'a percent sign is decoded once')
for host in ('localhost', 'LOCALHOST', os.uname().nodename):
    ok(tarsier('show', uri.replace('file://', 'file://' + host))[:2] == (0, words), f'the host may be {host}')
ok(tarsier('show', dir_uri + '/box.zip|in.txt')[:2] == (0, words), 'a member may follow')
got = tarsier('show', uri.replace('file://', 'file://other.example'))
ok(got[0] == 2 and got[1] == '' and 'on another computer, other.example' in got[2], 'the URI of another computer is an error', got)
got = tarsier('info', 'file:///a%zz')
ok(got[0] == 2 and 'file:///a%zz' in got[2], 'so is one that is no URI', got)
ok(tarsier('search', 'heron', '-d', dir_uri)[0] == 0, '-d takes a URI')
equal(tarsier('open', uri), tarsier('open', path), 'open takes a URI, with or without a viewer')

ok(tarsier('info', '~/my docs/a 1.txt')[:2] == tarsier('info', path)[:2], 'info takes "~"')
ok(tarsier('search', 'heron', '--dir=~/my docs')[0] == 0, '--dir takes "~"')
ok(tarsier('search', 'heron', '--dir=~/other')[0] == 1, 'and means it')
os.makedirs(HOME + '/here/~')
with open(HOME + '/here/~/c.txt', 'w') as f:
    f.write('in a directory of this name\n')
equal(tarsier('extract', '--plain', '~/c.txt', cwd=HOME + '/here')[1], 'in a directory of this name\n\n', 'a file of that very name is meant first')
finish()
