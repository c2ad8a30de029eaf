# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms of output that scripts rely on: the keys of each JSON object and the types of their values,
limits on a terminal and in a pipe, exit codes, and what stdout and stderr have."""
import json, os, pty, re, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import *

HOME = os.environ['HOME']
docs = HOME + '/docs'
os.mkdir(docs)


def put(path, data):
    os.makedirs(os.path.dirname(f'{docs}/{path}'), exist_ok=True)
    with open(f'{docs}/{path}', 'wb') as f:
        f.write(data)


def rows(*arguments):
    return [json.loads(line) for line in tarsier(*arguments, '--json')[1].splitlines()]


def on_terminal(*arguments):
    """Returns what the client prints on a terminal, without escapes, notes included."""
    master, slave = pty.openpty()
    with subprocess.Popen(['tarsier', *arguments], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                          env=dict(os.environ, TERM='xterm')) as child:
        os.close(slave)
        text = b''
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:
            pass
    os.close(master)
    return text.decode('utf-8', 'replace').replace('\r\n', '\n')


letter = ' '.join(f'letter{i}' for i in range(40)).encode()
put('fox.txt', b'quick brown fox\n')
put('dog.txt', b'lazy brown dog\n')
put('dog2.txt', b'lazy brown dog\n')
put('near1.txt', letter + b' one')
put('near2.txt', letter + b' two')
put('broken.pdf', b'%PDF-1.4\nbroken\n')
put('page.html', b'<html lang=en><title>Brown paper</title><meta name=author content="Ada"><p>brown and the paper of it')
with zipfile.ZipFile(docs + '/many.zip', 'w') as box:
    for i in range(1005):
        box.writestr(f'{i}.txt', f'manyword number{i}')
with open(os.fsencode(docs) + b'/odd\xff.txt', 'wb') as f:
    f.write(b'oddword')
tarsier('-q', 'add', docs)
code, out, err = tarsier('index')
ok('index succeeds and says on stderr what it has', code == 0 and out == '' and 'The index has' in err, (code, out, err))

# ---- JSON: each object has these keys, with values of these types
text, number, truth, none = str, (int, float), bool, type(None)
TIME = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$')
forms = {
    'begin': {'type': text, 'format': int, 'query': text, 'total': int, 'total_exact': truth},
    'end': {'type': text, 'shown': int, 'ms': int, 'pending': int, 'failed': int, 'offline': int},
    'hit': {'type': text, 'rank': int, 'id': int, 'path': text, 'path_b64': (text, none), 'member': (text, none), 'uri': text, 'title': (text, none),
            'author': (text, none), 'mime': (text, none), 'kind': text, 'lang': (text, none), 'size': (int, none), 'mtime': text, 'date': (text, none),
            'uid': int, 'gid': int, 'mode': text, 'checksum': (text, none), 'score': number, 'snippets': list, 'copies': list, 'state': text},
    'snippet': {'field': text, 'page': (int, none), 'line': (int, none), 'text': text, 'marks': list},
    'list': {'path': text, 'path_b64': (text, none), 'member': (text, none), 'kind': text, 'mime': (text, none), 'size': int, 'mtime_ns': int,
             'inode': int, 'uid': int, 'gid': int, 'mode': text, 'checksum': (text, none), 'simhash': (text, none), 'state': text, 'reason': (text, none)},
    'status': {'state': text, 'reason': (text, none), 'daemon': dict, 'roots': list, 'files': int, 'documents': int, 'pending': int, 'failed': int,
               'offline': int, 'truncated': int, 'index_bytes': int, 'text_bytes': int, 'watches': dict, 'overflows': int, 'extractions': int,
               'sandbox': (text, none), 'last_reconcile': (text, none)},
    'root': {'path': text, 'state': text, 'directories': int, 'watched': int, 'polled': int, 'files': int},
    'failed': {'path': text, 'member': (text, none), 'mime': (text, none), 'reason': text, 'detail': (text, none), 'tries': int,
               'extractor': (text, none), 'version': int},
    'dups': {'kind': text, 'distance': int, 'paths': list, 'bytes_reclaimable': int},
}


def has_form(form, row):
    return [key for key, kind in forms[form].items() if key not in row or not isinstance(row[key], kind)
            or (isinstance(row[key], bool) and kind is not truth)]


def check(name, form, objects, more=lambda row: True):
    wrong = [(row, has_form(form, row)) for row in objects if has_form(form, row) or not more(row)]
    ok(name, objects and not wrong, wrong[:2] or 'no object')


hits = rows('search', '--dups', 'show', 'brown OR oddword')
check('search --json begins with its begin object', 'begin', hits[:1], lambda row: row['type'] == 'begin' and row['format'] == 1)
check('and ends with its end object', 'end', hits[-1:], lambda row: row['type'] == 'end' and row['shown'] == len(hits) - 2)
check('hits have their keys', 'hit', hits[1:-1],
      lambda row: TIME.match(row['mtime']) and re.match('0[0-7]{3}$', row['mode']) and row['uri'].startswith('file:///') and row['state'] == 'ok')
check('and snippets', 'snippet', [snippet for row in hits[1:-1] for snippet in row['snippets']],
      lambda row: all(row['text'].encode()[a:b].decode().lower() in ('brown', 'oddword') for a, b in row['marks']))
odd = [row for row in hits if row.get('path_b64')]
ok('a path that is not UTF-8 is exact in path_b64', len(odd) == 1 and odd[0]['uri'].endswith('/odd%FF.txt')
   and __import__('base64').b64decode(odd[0]['path_b64']) == os.fsencode(docs) + b'/odd\xff.txt', odd)
page = [row for row in hits if row.get('path', '').endswith('page.html')][0]
ok('a page has title, author and kind', (page['title'], page['author'], page['kind'], page['mime']) == ('Brown paper', 'Ada', 'document', 'text/html'), page)
entries = rows('list')
check('list --json has its keys', 'list', entries, lambda row: row['kind'] in ('file', 'dir', 'member'))
ok('a long text has a simhash of 16 hexadecimal digits', [re.match('[0-9a-f]{16}$', row['simhash']) is not None for row in entries
   if row['path'].endswith('near1.txt')] == [True])
check('status --json has its keys', 'status', rows('status'), lambda row: not has_form('root', row['roots'][0])
      and set(row['daemon']) == {'running', 'pid', 'version'} and set(row['watches']) == {'used', 'budget', 'limit'})
check('failed --json has its keys', 'failed', rows('failed'), lambda row: row['reason'] == 'damaged')
groups = rows('dups')
check('dups --json has its keys', 'dups', groups, lambda row: row['kind'] in ('exact', 'near'))
ok('an exact group has distance 0, and space that can be freed', [(row['distance'], row['bytes_reclaimable'], len(row['paths'])) for row in groups
   if row['kind'] == 'exact'] == [(0, 15, 2)], groups)
ok('--exact and --near restrict them', {row['kind'] for row in rows('dups', '--exact')} == {'exact'} and
   {row['kind'] for row in rows('dups', '--near')} == {'near'})

# ---- limits
ok('a pipe gets at most 1000 hits', len(tarsier('manyword')[1].splitlines()) == 1000)
ok('a terminal gets 20', len(re.findall(r'many\.zip\|\d+\.txt', on_terminal('-l', 'manyword'))) == 20)
ok('-n is obeyed in a pipe', len(tarsier('-n', '1003', 'manyword')[1].splitlines()) == 1003)
ok('-o goes on', len(tarsier('-o', '1000', 'manyword')[1].splitlines()) == 5)

# ---- one row for each way to ask: arguments, exit code, stdout, part of stderr
d = docs + '/'
for arguments, status, wanted, note in (
        (['brown', '-c', '--dups', 'show'], 0, '4\n', ''),
        (['-q', 'brown'], 0, '', None),
        (['-q', 'nosuchword'], 1, '', None),
        (['-qc', 'brown'], 0, '', None),
        (['search', 'fox'], 0, d + 'fox.txt\n', ''),
        (['fox', '--', '-quick'], 1, '', 'Nothing found in ' + docs),
        (['fox', '-quick'], 1, '', 'Nothing found in ' + docs),
        (['fox', '-dog'], 0, d + 'fox.txt\n', ''),
        (['foks'], 1, '', 'Did you mean: fox'),
        (['-x', 'echo', 'hit', '{}', ';', 'fox'], 0, f'hit {d}fox.txt\n', ''),
        (['fox', '--exec', 'printf %s: {}'], 0, d + 'fox.txt:', ''),
        (['-0', 'fox'], 0, d + 'fox.txt\0', ''),
        (['-s', 'size', '-r', '-l', 'brown', '-t', 'text'], 0, None, ''),
        (['-m', 'text/html', 'brown'], 0, d + 'page.html\n', ''),
        (['-d', docs + '/none', '-d', docs, 'fox'], 0, d + 'fox.txt\n', ''),
        (['--sort=none', 'fox'], 2, '', 'relevance'),
        (['-n', 'x', 'fox'], 2, '', '--limit needs a number'),
        (['kiwi OR'], 2, '', '^'),
        (['index', HOME], 2, '', 'tarsier add'),
        (['show', docs + '/fox.txt'], 0, 'quick brown fox\n', ''),
        (['list', docs + '/none'], 1, '', ''),
        (['pause'], 3, '', 'tarsierd is not running'),
        (['status', '--wait=1'], 3, '', 'tarsierd is not running'),
        (['--index', HOME + '/none', 'fox'], 3, '', 'tarsier add'),
        (['info', docs + '/none'], 1, None, ''),
        (['similar', docs + '/near1.txt'], 0, d + 'near2.txt\n', ''),
        (['roots'], 0, docs + '\n', ''),
        (['config', 'path'], 0, HOME + '/.config/tarsier/tarsier.conf\n', '')):
    code, out, err = tarsier(*arguments)
    ok(f'{" ".join(arguments).replace(HOME, "~")} exits with {status}', code == status and wanted in (None, out) and
       (err == '' if note is None else note in err), (code, out, err))

# ---- the time limit of a wait
daemon = subprocess.Popen(['tarsierd'], stderr=subprocess.DEVNULL)
wait_until('the daemon answers', lambda: rows('status')[0]['daemon']['running'])
ok('status --wait returns 0 when all is searchable', tarsier('status', '--wait=60')[0] == 0)
tarsier('pause')
put('late.txt', b'lateword')
ok('it returns 75 at the time limit', tarsier('status', '--wait=1')[0] == 75)
ok('nothing is found before', tarsier('-q', 'lateword')[0] == 1)
tarsier('resume')
ok('search --wait finds what was written before', tarsier('search', '--wait', 'lateword')[1] == docs + '/late.txt\n')
check('status --json has the same keys beside a daemon', 'status', rows('status'), lambda row: row['state'] == 'idle' and TIME.match(row['last_reconcile']))
daemon.terminate()
daemon.wait()
done_testing()
