# SPDX-License-Identifier: GPL-3.0-or-later
"""libtarsier finds for other programs what "tarsier search" finds, and its interface stays as it is."""
import base64, json, os, re, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier

TOP, BUILD, HOME = os.environ['abs_top_srcdir'], os.environ['abs_top_builddir'], os.environ['HOME']
DOCS, LIBRARY = HOME + '/docs', BUILD + '/library/.libs/libtarsier.so.0'
INDEX = HOME + '/.local/share/tarsier'
os.environ['TARSIER_INDEX'] = INDEX
OK, END, QUERY, ABSENT, DAMAGED, TYPED = '0', '1', '2', '3', '4', 1


class Client:
    """A program with the library: each call is a command, and returns its answer."""
    def __init__(self, **env):
        self.process = subprocess.Popen([BUILD + '/tests/library/client'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, errors='surrogateescape', env=dict(os.environ, **env))

    def __call__(self, *words):
        self.process.stdin.write(' '.join(str(word) for word in words) + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip('\n')

    def paths(self, text, flags=0, first=0, count=100):
        if self('query', flags, first, count, text) != OK:
            return self('error')
        found = []
        while self('next') == OK:
            member = self('field member')
            found.append(self('field path') + ('' if member == '-' else '|' + member))
        return found

    def end(self):
        out, notes = self.process.communicate()
        return self.process.returncode, out + notes


def write(name, text):
    path = os.path.join(os.fsencode(DOCS), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def in_client(text):
    lines = [json.loads(line) for line in tarsier('search', '--json', '--no-snippets', '-n100', text)[1].splitlines()]
    return [base64.b64decode(hit['path_b64']).decode(errors='surrogateescape') if hit['path_b64'] else hit['path'] for hit in lines if hit['type'] == 'hit']


# ---- an index that comes, and goes
client = Client()
ok('without an index the code says so', client('open') == ABSENT and 'there is no index yet' in client('error'), client('error'))
ok('and so does that of a query', client('query 0 0 10 otter') == ABSENT and client('next') == END)
for number in range(30):
    write(f'rivers/{number}.txt', f'An otter swims in river {number}. ' + 'It rains. ' * number)
write('page.html', '<html lang=en><title>The Heron</title><meta name=author content="A. Lind"><p>A heron waits at the river with an otter.</p></html>')
write('copy/page.html', '<html lang=en><title>The Heron</title><meta name=author content="A. Lind"><p>A heron waits at the river with an otter.</p></html>')
write(b'odd\xff.txt', 'A stoat hides.')
tarsier('-q', 'add', DOCS)
ok('the files of the test are indexed', tarsier('-q', 'index')[0] == 0)
ok('a handle from before finds what was indexed since', client.paths('stoat') == [DOCS + '/odd\udcff.txt'] and client('error') == '', client.paths('stoat'))

# ---- what it finds
for text in ('otter', 'otter rain', 'heron OR stoat', 'ot*', '"river 7"', 'title:heron', 'dir:rivers size:>200', 'walrus', 'NOT otter'):
    ok(f'"{text}" finds what the client finds, in its order', client.paths(text) == in_client(text), (client.paths(text), in_client(text)))
ok('hits can be taken from where the last page ended', client.paths('otter rain', first=10, count=5) == in_client('otter rain')[10:15] != [])
ok('no hits may be wanted, and are counted', client.paths('otter', count=0) == [] and client('total').split()[0] == '31', client('total'))
ok('a word that is being typed finds what it begins', client.paths('hero', flags=TYPED) == client.paths('heron') != [])
ok('a blank text that is being typed finds nothing', client.paths(' ', flags=TYPED) == [])
ok('a query that cannot be read has its code and its reason', client('query 0 0 10 size:>much') == QUERY and 'size' in client('error'), client('error'))
ok('and leaves no hits of the query before', client('next') == END and client('total') == '0 1')
ok('a misspelt word is corrected', client('query 0 0 10 hreon') == OK and client('suggestion') == 'heron', client('suggestion'))
ok('what was read otherwise is noted', client('query 0 0 10 otter )') == OK and client('note 0') != '-' and client('note 9') == '-', client('note 0'))

# ---- a hit
client('query 0 0 10 heron')
client('next')
hit = [json.loads(line) for line in tarsier('search', '--json', 'heron')[1].splitlines()][1]
ok('texts of a hit are those of --json', all(client('field', name) == str(hit[name]) for name in
   ('path', 'uri', 'source', 'title', 'author', 'mime', 'kind', 'lang', 'size', 'checksum', 'id', 'state')), hit)
ok('its score is that of --json', abs(float(client('field score')) - hit['score']) < 0.01, (client('field score'), hit['score']))
ok('its time is in seconds', client('field mtime') == str(int(os.stat(hit['path']).st_mtime)))
ok('what it has not, and what no hit has, is NULL', client('field member') == client('field date') == client('field colour') == '-')
ok('its exact copy is told', [client('copy 0'), client('copy 1')] == hit['copies'] + ['-'], hit['copies'])
passage = hit['snippets'][0]
ok('its passage is that of --json', client('snippet 0') == passage['text'] and client('snippet 9') == '-', client('snippet 0'))
ok('with the words marked', client('marks').split() == [str(at) for mark in passage['marks'] for at in mark], client('marks'))
ok('and without a page, as a page on the web has none', client('page 0') == '0')
ok('after the last hit there is none', client.paths('heron')[1:] == [] and client('field path') == client('snippet 0') == client('copy 0') == '-')

# ---- several handles
with open(HOME + '/.config/tarsier/tarsier.conf', 'a'):
    pass
ok('a connection holds its lock on the index', client('query 0 0 1 otter') == OK and client('attached', INDEX + '/index.db-shm') == '1')
ok('another one of the same program does not drop it', client('open') == OK and client('query 0 0 1 otter') == OK and
   client('close') == 'closed' and client('attached', INDEX + '/index.db-shm') == '1')
answers = client('threads', 'otter rain').split(';')[:-1]
ok('threads with a handle each find the same', len(answers) == 4 and set(answers) == {' '.join(in_client('otter rain')) + ' '}, answers)
ok('nothing was printed, and nothing is left behind', client.end() == (0, ''))

# ---- languages, damage
german = Client(LANGUAGE='de', LC_ALL='C.UTF-8', TARSIER_LOCALE=os.environ.get('TARSIER_LOCALE', ''))
german('open', HOME + '/nowhere')
ok('a message is one line', '\n' not in german('error') and german('error') != '')
german.end()
shutil.copytree(INDEX, HOME + '/damaged')
for name in os.listdir(HOME + '/damaged'):
    if name.startswith('index.db-'):
        os.remove(f'{HOME}/damaged/{name}')
with open(HOME + '/damaged/index.db', 'r+b') as f:
    f.write(b'no database here' * 64)
damaged = Client()
ok('a damaged index has its code and its reason', damaged('open', HOME + '/damaged') == DAMAGED and damaged('error') != '', damaged('error'))
ok('and is left as it is', os.path.exists(HOME + '/damaged/index.db') and damaged('query 0 0 1 otter') == DAMAGED)
hostile = ['"' * 4000, '(' * 3000, 'a* ' * 1000, '\udcff\udcfe', 'x' * 5000, 'NEAR/5', 'size:' + '9' * 50, 'dir:..', '*' * 200]
damaged('open')
ok('hostile queries are answered or refused', all(damaged('query', flags, 0, 10, text) in (OK, QUERY) for text in hostile for flags in (0, TYPED)))
ok('and the library goes on', damaged.paths('stoat') == [DOCS + '/odd\udcff.txt'], damaged.paths('stoat'))
ok('a program that closes in the middle of hits leaves nothing behind', damaged('query 0 0 10 otter') == OK and damaged('next') == OK and damaged.end()[0] == 0)

# ---- the examples
found = in_client('otter rain')[:10]
example = subprocess.run([BUILD + '/library/examples/search', 'otter rain'], capture_output=True, text=True)
ok('the example in C prints hits with passages', [line for line in example.stdout.splitlines() if line[0] == '/'] == found and '    An otter' in example.stdout, example)
sanitized = b'libasan' in subprocess.run(['readelf', '-d', os.path.realpath(LIBRARY)], capture_output=True).stdout
if sanitized:
    ok('the example in Python # SKIP the sanitizer must be loaded before Python', True)
else:
    example = subprocess.run([sys.executable, TOP + '/library/examples/search.py', 'otter rain'], capture_output=True, text=True,
                             env=dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(LIBRARY)))
    ok('the example in Python prints hits with passages', [line for line in example.stdout.splitlines() if line[:1] == '/'] == found and '    An otter' in example.stdout, example)

# ---- the interface
header = open(TOP + '/library/tarsier.h').read()
declared = re.findall(r'^[a-z][^;{}/]*\b(tarsier_\w+)\([^;]*\);', re.sub(r'/\*.*?\*/', '', header, flags=re.S), re.M)
names = subprocess.run(['nm', '-D', '--defined-only', '--with-symbol-versions', os.path.realpath(LIBRARY)], capture_output=True, text=True).stdout
exported = re.findall(r' T (tarsier_\w+)@@(TARSIER_[0-9.]+)$', names, re.M)
ok('what the header declares is exported, and nothing else', sorted(declared) == sorted(name for name, _ in exported) == sorted(
   line.split()[2].split('@')[0] for line in names.splitlines() if ' A ' not in line), names)
plain = ' '.join(re.sub(r'/\*.*?\*/', '', header, flags=re.S).split()).replace('( ', '(')
with open(TOP + '/tests/library/interface.txt') as f:
    promised = [line.rstrip('\n') for line in f if not line.startswith('#')]
for promise in promised:
    name, version, prototype = promise.split(' ', 2)
    ok(f'{name} is as it was promised', (name, version) in exported and prototype in plain, prototype)
ok('every function is promised', sorted(promise.split()[0] for promise in promised) == sorted(declared), declared)
soname = subprocess.run(['readelf', '-d', os.path.realpath(LIBRARY)], capture_output=True, text=True).stdout
ok('programs ask for libtarsier.so.0', '[libtarsier.so.0]' in soname, soname)
for command in (['cc', '-std=c99', '-pedantic', '-x', 'c'], ['c++', '-x', 'c++']):
    done = subprocess.run([*command, '-Wall', '-Wextra', '-Werror', '-fsyntax-only', TOP + '/library/tarsier.h'], capture_output=True, text=True)
    ok(f'{command[0]} takes the header by itself', done.returncode == 0, done.stderr)
done_testing()
