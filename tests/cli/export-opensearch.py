# SPDX-License-Identifier: GPL-3.0-or-later
"""Export to a server that speaks the API of OpenSearch and Elasticsearch strictly, and breaks in every way that the test
asks for: who finds what, what is sent, and that one good export brings everything into step again."""
import atexit, json, os, random, shutil, signal, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
if not os.path.exists(os.environ['TARSIER_TARGETS'] + '/opensearch.so'):
    print('1..0 # SKIP built without libcurl or jansson')
    sys.exit(0)
from opensearch import Server
from tap import done_testing, ok, tarsier, wait_until

TREE = tempfile.mkdtemp(prefix='tarsier-opensearch-')  # the test's own directory is closed to others
os.chmod(TREE, 0o755)
atexit.register(shutil.rmtree, TREE, ignore_errors=True)
UID = os.getuid()
HOST = subprocess.run(['hostname'], capture_output=True, text=True).stdout.strip()
OWNER, STRANGER = [f'u:{UID}@{HOST}'], [f'u:54321@{HOST}']
NOTHING = {'documents_missing': 0, 'documents_gone': 0, 'places_come': 0, 'places_gone': 0}
servers = []


def write(name, text, mode=0o644):
    path = os.path.join(os.fsencode(TREE), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + b'.new', 'wb') as f:
        f.write(text.encode() if isinstance(text, str) else text)
    os.chmod(path + b'.new', mode)
    os.rename(path + b'.new', path)


def new_server(*arguments, **options):
    servers.append(Server(*arguments, **options))
    return servers[-1]


def index():
    subprocess.run(['tarsier', '-q', 'index'], check=True)


def export(*options, to=None, env=None):
    code, out, err = tarsier('export', '--json', '--to', to or server.url, *options, env=env)
    return code, json.loads(out) if out.startswith('{') else None, err


def found(tokens, text, of=None):
    of = of or server
    paths = [p['path'] for id in of.search_as(tokens, text) for p in of.documents()[id]['places']]
    return sorted(os.path.relpath(path, TREE) for path in paths)


def actions(after=0):
    return [path.split('?')[0].split('/')[-1] for _, path in server.requests[after:]]


write('open.txt', 'The otter swims.\n')
write('copy/open.txt', 'The otter swims.\n', 0o600)
write('closed.txt', 'The otter sleeps.\n', 0o600)
write('heron-report.txt', 'Nothing to see.\n')
write('old.rtf', r'{\rtf1{\info{\title Marmot}{\creatim\yr13\mo5\dy2}{\revtim\yr13\mo5\dy2}}An old marmot.}')
write(b'bad-\xff\xed\xa0\x80-name.txt', 'A badger.\n')
write('quotes "\\ \n\t\u2028.html', '<title>x</title><p>A "quoted" weasel \\ &#0; &#xd83e; &#x1f9a6; &#x2028;')
write('title.html', '<title>' + 'endless ' * 9000 + '</title><p>A mongoose.')
write('tome.txt', 'A tome. ' + 'words without end ' * 4000)
LONG = '/'.join(''.join(random.Random(i).choices('abcdefghijklmnopqrstuvwxyz0123456789', k=200)) for i in range(18)) + '/vole.txt'
here = os.open(TREE, os.O_RDONLY)
for part in LONG.split('/')[:-1]:
    os.mkdir(part, dir_fd=here)
    here = os.open(part, os.O_RDONLY, dir_fd=here)
with open(os.open('vole.txt', os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=here), 'w') as f:
    f.write('The vole digs.')
for i in range(30):
    write(f'many/{i}.txt', f'Beast number {i}. ' + 'lorem ipsum ' * 200)
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
index()

# ---- what is refused before anything is sent
server = new_server('quickwit')
for to, why in ((server.url, 'Quickwit'), (server.url + '/api/v1/_elastic', 'Quickwit'), ('http://search.example.org/x', 'https://'), ('https://me:secret@localhost/x', 'credentials'),
                ('http://localhost/Big', 'small letters'), ('http://localhost/a/b', 'small letters'), ('http://localhost/a?b=c', 'small letters'), ('http://localhost/_all', 'small letters'),
                ('http://localhost/*', 'small letters'), ('http://localhost:99999/', 'address'), ('http:///x', 'https://')):
    code, _, err = export('--setup', to=to)
    ok(f'{to.replace(server.url, "Quickwit")} is refused', code == 2 and why in err and 'secret' not in err, (code, err))
ok('and nothing was made there', not server.indices and not server.roles)
server.fault = lambda method, path, body: (200, b'<html>', {}) if path == '/' else None
code, _, err = export('--setup')
ok('Quickwit is known by its second address too', code == 2 and 'neither' in err, (code, err))
for kind, version in (('elasticsearch', '7.17.0'), ('opensearch', '1.3.2'), ('elasticsearch', '0'), ('other', '9'), ('opensearch', 'x')):
    server = new_server(kind, version=version)
    code, _, err = export('--setup')
    ok(f'{kind} {version} is refused', code == 2 and 'OpenSearch 2' in err and not server.indices, (code, err))
for answer in (b'', b'[]', b'{"version":7}', b'{"version":{"distribution":{}}}', b'\x00\xff', b'{"version":{"number":"8.1"}}'):
    server = new_server()
    server.fault = lambda method, path, body: (200, answer, {})
    code, _, err = export('--setup')
    ok(f'a server that answers {answer} is refused', code in (2, 75) and 'Traceback' not in err, (code, err))
server = new_server()
server.fault = lambda method, path, body: (302, b'{}', {'Location': 'http://127.0.0.1:1/'})
ok('a server that sends elsewhere is not followed', export('--setup')[0] != 0)
server = new_server('elasticsearch')
server.has_security = False
code, _, err = export('--setup')
ok('a server without document-level security is refused before it has an index', code == 2 and 'document-level' in err and not server.indices, (code, err))
server.has_security = True
server.make_index('PUT', 'tarsier')
server.make_index('PUT', 'tarsier-state')
code, _, err = export()
ok('an index that somebody else has made is refused', code == 2 and '--setup' in err, (code, err))

# ---- credentials
server = new_server()
SECRET = os.environ['HOME'] + '/secret'


def with_credentials(text, *options):
    with open(os.open(SECRET, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as f:
        f.write(text)
    return export('--credentials', SECRET, *options)


server.user = ('clerk', 'a:b "c" ü')
code, _, err = export('--setup')
ok('without credentials the export says what is missing', code == 2 and 'credentials' in err, (code, err))
code, _, err = with_credentials('user = clerk\npassword = otter\n', '--setup')
ok('wrong ones are an error that does not show them', code == 2 and 'credentials' in err and 'otter' not in err, (code, err))
ok('user and password are used', with_credentials('user = clerk\npassword = a:b "c" ü\n', '--setup')[0] == 0)
server.user, server.api_key = None, 'a2V5OnNlY3JldA=='
ok('and so is an API key', with_credentials('api-key = a2V5OnNlY3JldA==\n', '--verify')[:2] == (0, NOTHING))

# ---- certificates
if shutil.which('openssl'):
    pem = os.environ['HOME'] + '/server.pem'
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', pem, '-out', pem + '.crt', '-days', '2', '-subj', '/CN=localhost',
                    '-addext', 'subjectAltName=IP:127.0.0.1'], check=True, capture_output=True)
    with open(pem, 'a') as f:
        f.write(open(pem + '.crt').read())
    server = new_server(certificate=pem)
    code, _, err = export('--setup')
    ok('a server with a certificate that nobody trusts gets nothing', code == 75 and not server.requests, (code, err))
    ok('one that SSL_CERT_FILE trusts is used', export('--setup', env={'SSL_CERT_FILE': pem + '.crt'})[0] == 0)

# ---- who finds what, in both kinds
for kind in ('elasticsearch', 'opensearch'):
    server = new_server(kind)
    code, first, err = export('--setup')
    ok(f'{kind}: the first export sends everything', code == 0 and first['documents_missing'] > 35 and first['documents_gone'] == 0, (code, first, err))
    ok(f'{kind}: then nothing differs', export('--verify')[:2] == (0, NOTHING), export('--verify'))
    before = len(server.requests)
    ok(f'{kind}: a second export changes nothing', export('--setup')[:2] == (0, NOTHING) and '_bulk' not in actions(before), actions(before))
    ok(f'{kind}: everybody finds what is open, and its open place alone', found(STRANGER, 'otter') == ['open.txt'], found(STRANGER, 'otter'))
    ok(f'{kind}: the owner finds his documents', found(OWNER, 'otter') == ['closed.txt', 'copy/open.txt', 'open.txt'], found(OWNER, 'otter'))
    ok(f'{kind}: a user without tokens finds nothing', found(None, 'otter') == [], found(None, 'otter'))
    ok(f'{kind}: a token cannot bring in a query', found([f'x"]}}}}]}}}},{{"match_all":{{"a":["b'], 'sleeps') == [])
server.crashes = []
documents = server.documents()
ok('ids are the instance and a number', all(id.split(':')[1].replace('.', '').isdigit() and len(id) < 80 for id in documents), list(documents)[:3])
ok('a path longer than a file system allows at once is found', found(OWNER, 'vole') == [LONG], found(OWNER, 'vole'))
ok('a date before the calendar keeps nobody out', found(OWNER, 'marmot') == ['old.rtf'], found(OWNER, 'marmot'))
badger = [d for d in documents.values() if 'badger' in d['text']]
ok('a name that is not UTF-8 has its bytes beside it', len(badger) == 1 and badger[0]['places'][0]['path_b64'], badger)
ok('signs that JSON must write otherwise arrive', len(found(OWNER, 'weasel')) == 1, [(d['text'], d['places']) for d in documents.values() if any('quotes' in p['path'] for p in d['places'])])
ok('a title of 70,000 letters is one', found(OWNER, 'mongoose') == ['title.html'], found(OWNER, 'mongoose'))

# ---- changes
at = len(server.requests)
before = server.snapshot()
os.chmod(TREE + '/open.txt', 0o600)
os.rename(TREE + '/heron-report.txt', TREE + '/heron-letter.txt')
os.unlink(TREE + '/many/0.txt')
index()
code, differs, _ = export('--verify')
ok('verify tells what differs', code == 1 and differs['documents_gone'] == 1 and differs['places_come'] >= 2 and differs['documents_missing'] == 0, (code, differs))
ok('and changes nothing', server.snapshot().keys() == before.keys() and '_bulk' not in actions(at), actions(at))
ok('an export closes what was closed', export()[0] == 0 and found(STRANGER, 'otter') == [] and found(OWNER, 'otter') == ['closed.txt', 'copy/open.txt', 'open.txt'], found(OWNER, 'otter'))
ok('a renamed file is found by its new name', found(OWNER, 'nothing') == ['heron-letter.txt'], found(OWNER, 'nothing'))
ok('what was deleted is gone', len(found(OWNER, 'beast')) == 29)
ok('texts were read from the server, not sent by conversion', '_mget' in actions(at), actions(at))
ok('then nothing differs', export('--verify')[:2] == (0, NOTHING), export('--verify'))
os.chmod(TREE + '/open.txt', 0o644)
index()
ok('what is opened again is found again', export()[0] == 0 and found(STRANGER, 'otter') == ['open.txt'], found(STRANGER, 'otter'))

# ---- faults that pass


def change():
    """Takes away half of the documents, and gives others wrong permissions."""
    with server.lock:
        docs = server.indices['tarsier'].docs
        for n, id in enumerate(sorted(docs)):
            if n % 3 == 0:
                del docs[id]
            elif n % 3 == 1:
                docs[id]['source'] = {**docs[id]['source'], 'allow': ['world'], 'access': '00' * 16}
        server.indices['tarsier'].refresh()


def times(n, answer):
    """An answer to the next n requests that write."""
    left = [n]

    def fault(method, path, body):
        if not path.endswith(('_bulk', '_refresh', '_search', '_mget')) or left[0] == 0:
            return None
        left[0] -= 1
        return answer
    return fault


def item_times(n, *answer):
    left = [n]

    def fault(action, id):
        left[0] -= 1
        return answer if left[0] >= 0 else None
    return fault


def mended(name, code, err):
    server.heal()
    now = export('--verify')
    good = code == 0 and now[:2] == (0, NOTHING) and found(STRANGER, 'otter') == ['open.txt'] and not server.crashes and not server.naked
    ok(name, good, (code, err, now, server.crashes[:1], server.naked))


BUSY = {'error': {'type': 'es_rejected_execution_exception', 'reason': 'rejected execution'}, 'status': 429}
for name, fault in (('a server that is busy (429)', times(3, (429, BUSY))), ('one that tells how long', times(1, (429, BUSY, {'Retry-After': '1'}))),
                    ('one that is restarted (503)', times(2, (503, b'upstream', {}))), ('a connection that is cut', times(1, 'cut'))):
    change()
    server.fault = fault
    code, _, err = export()
    mended(f'{name} is asked again', code, err)
for name, path in (('many documents', '_bulk'), ('the state', '_doc')):
    change()
    lost = []
    server.after = lambda method, where: 'cut' if (path in where and method != 'GET' and not lost and lost.append(1) is None) else None
    code, _, err = export()
    ok(f'the answer was lost: {name}', lost == [1])
    mended(f'an answer to {name} that is lost does not matter', code, err)
for status in (429, 503):
    change()
    server.item_fault = item_times(7, status, 'unavailable_shards_exception', 'primary shard is not active')
    code, _, err = export()
    mended(f'documents that are refused for now ({status}) inside of a success are sent again', code, err)
change()
server.shuffled = True
code, _, err = export()
mended('results that come in another order are understood', code, err)
change()
server.delay = .05
code, _, err = export()
mended('a slow server is waited for', code, err)
change()
with server.lock:
    large, = [id for id, d in server.indices['tarsier'].docs.items() if 'tome' in d['source']['text']] or [None]
    server.indices['tarsier'].docs.pop(large, None)
    server.indices['tarsier'].refresh()
server.max_content = 30000
code, _, err = export()
server.max_content = 100 << 20
ok('a document that is too large by itself is left out, and the rest is sent', code == 5 and 'left out' in err and found(OWNER, 'vole') == [LONG], (code, err))
code, _, err = export()
mended('and it is sent when there is room', code, err)

# ---- faults that stay until they are mended
refusing = [id for id in server.documents()][0]
change()
with server.lock:
    server.indices['tarsier'].docs.pop(refusing, None)
    server.indices['tarsier'].refresh()
server.item_fault = lambda action, id: (400, 'document_parsing_exception', 'failed to parse') if id == refusing else None
code, _, err = export()
ok('a document that the server cannot hold is left out and told', code == 5 and 'left out' in err, (code, err))
ok('it is missing afterwards', export('--verify')[0] == 1)
code, _, err = export()
server.heal()
code, _, err = export()
mended('and comes when the server takes it', code, err)
INSTANCE = refusing.split(':')[0]
FULL = (429, 'cluster_block_exception', 'index [tarsier] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];')
for name, fault, why in (('a disk that is full', {'item_fault': lambda action, id: FULL if action == 'index' else None}, 'flood-stage'),
                         ('an index that is closed for writing', {'item_fault': lambda action, id: (403, 'cluster_block_exception', 'blocked by: [FORBIDDEN/8/index write (api)]')}, 'FORBIDDEN'),
                         ('a shard that is lost', {'lost_shard': True}, 'does not answer'),
                         ('an answer that is not JSON', {'fault': lambda method, path, body: (200, b'{"items":[', {}) if path.endswith('_search') else None}, 'no JSON'),
                         ('an answer that leaves documents out', {'cut_items': 1}, 'every document'),
                         ('an answer without results', {'fault': lambda method, path, body: (200, {'took': 1, 'errors': False}) if path.endswith('_bulk') else None}, 'every document'),
                         ('results of others', {'fault': lambda method, path, body: (200, {'items': [{'index': {'_id': 'x', 'status': 200}}, 7, {'index': []}]}) if path.endswith('_bulk') else None}, 'every'),
                         ('hits in the wrong order', {'fault': lambda method, path, body: (200, {'_shards': {'total': 1, 'successful': 1, 'failed': 0}, 'timed_out': False, 'hits': {'total': {'value': 2}, 'hits': [
                             {'_id': f'{INSTANCE}:9', 'fields': {'number': [9], 'class': [0]}}, {'_id': f'{INSTANCE}:2', 'fields': {'number': [2], 'class': [0]}}]}}) if path.endswith('tarsier/_search') else None}, 'order'),
                         ('a server that always breaks the connection', {'fault': lambda method, path, body: 'cut' if path.endswith('_bulk') else None}, 'OpenSearch'),
                         ('an error without a reason', {'fault': lambda method, path, body: (500, b'', {}) if path.endswith('_bulk') else None}, 'status 500'),
                         ('a reason that is not text for a terminal', {'fault': lambda method, path, body: (500, {'error': {'reason': 'a\x1b[31mb\n\u202ec'}}) if path.endswith('_bulk') else None}, 'status 500')):
    change()
    for key, value in fault.items():
        setattr(server, key, value)
    code, _, err = export()
    ok(f'{name} is an error that says so', code == 75 and why in err and '\x1b' not in err and err.count('\n') == 1, (code, err))
    server.heal()
    code, _, err = export()
    mended(f'after {name}, one export brings all into step', code, err)

# ---- the past, and others
past = server.snapshot()
os.chmod(TREE + '/open.txt', 0o600)
write('new.txt', 'A new newt.\n')
index()
ok('more is exported', export()[0] == 0 and found(OWNER, 'newt') == ['new.txt'])
server.restore(past)
ok('what was restored to the past differs', export('--verify')[0] == 1 and found(STRANGER, 'otter') == ['open.txt'])
ok('and is closed again by one export', export()[0] == 0 and found(STRANGER, 'otter') == [] and found(OWNER, 'newt') == ['new.txt'] and export('--verify')[:2] == (0, NOTHING))
os.chmod(TREE + '/open.txt', 0o644)
index()
with server.lock:
    server.indices['tarsier-state'].docs.clear()
code, _, err = export()
mended('if only the state is lost, newer versions are used all the same', code, err)
with server.lock:
    for doc in server.indices['tarsier'].docs.values():
        doc['source'] = {'instance': doc['source']['instance'], **random.choice(({'number': doc['source']['number'], 'class': 0}, {'number': 7, 'class': 0}, {}))}
    server.indices['tarsier'].refresh()
code, _, err = export()
mended('documents that somebody has emptied are sent again', code, err)
with server.lock:
    foreign = {'instance': 'other', 'number': 1, 'class': 0, 'content': 1, 'allow': ['world'], 'deny': [], 'text': 'The otter of others.', 'places': []}
    server.indices['tarsier'].write('other:1', foreign, {})
    server.indices['tarsier'].refresh()
code, _, err = export()
mended('documents of other indexes are left alone', code if 'other:1' in server.documents() else 1, err)

overtaken = []


def overtake(method, path, body):
    if path.endswith('_bulk') and not overtaken:
        overtaken.append(None)
        overtaken[0] = export()
    return None


change()
server.fault = overtake
code, _, err = export()
ok('of two exports at a time the earlier is told that another took over', code == 75 and 'taken over' in err, (code, err))
ok('and the later one has done its work', overtaken and overtaken[0][0] == 0, overtaken)
mended('nothing differs afterwards', 0, err)

seed = random.randrange(1 << 30)
random.seed(seed)
print('# seed', seed)
for _ in range(10):
    change()
    running = subprocess.Popen(['tarsier', '-q', 'export', '--to', server.url])
    try:
        running.wait(random.random() * .3)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
    running.wait()
code, _, err = export()
mended('after exports were killed, one brings all into step', code, err)

# ---- confinement


def lines_of(pid):
    with open(f'/proc/{pid}/status') as f:
        return dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)


def children_of(pid):
    with open(f'/proc/{pid}/task/{pid}/children') as f:
        return [int(each) for each in f.read().split()]


server.delay = .5
at = len(server.requests)
running = subprocess.Popen(['tarsier', '-q', 'export', '--to', server.url])
wait_until('the index is read', lambda: '_refresh' in actions(at))
asking = children_of(running.pid)
confined = [(each['Seccomp'], each['NoNewPrivs']) for each in map(lines_of, [running.pid] + asking)]
ok('the process that reads the index and the one that asks the server are confined', len(asking) == 1 and confined == [('2', '1')] * 2, (asking, confined))
running.send_signal(signal.SIGKILL)
running.wait()
ok('the one that asks ends with the other', wait_until('it has ended', lambda: not os.path.exists(f'/proc/{asking[0]}') or lines_of(asking[0])['State'].startswith('Z')))
server.heal()

# ---- limits
LONG_WORD = 'x' * 40  # the size counts, not the number of words
write('big.txt', 'leviathan ' + ' '.join(f'word{i:07d}{LONG_WORD}' for i in range(140000)) + '\n')
for i in range(12):
    write(f'large/{i}.txt', f'large number {i} ' + ' '.join(f'word{i}x{n}{LONG_WORD}' for n in range(13000)) + '\n')
index()
code, _, err = export()
mended('texts of many megabytes are sent', code, err)
ok('a request has at most 5 MB, but for a document that has more by itself', server.largest_bulk < 30 << 20 and found(OWNER, 'leviathan') == ['big.txt'], server.largest_bulk)
server.largest_bulk = 0
os.chmod(TREE + '/big.txt', 0o600)
os.unlink(TREE + '/big.txt')
index()
change()
code, _, err = export()
mended('without it too', code, err)
ok('no request is larger then', 1 << 20 < server.largest_bulk <= 5_000_000, server.largest_bulk)

# ---- an index that was made anew
shutil.rmtree(os.environ['HOME'] + '/.local/share/tarsier', ignore_errors=True)
index()
with server.lock:
    server.indices['tarsier'].write('other:1', foreign, {})
    server.indices['tarsier'].refresh()
former = {d.get('instance') for d in server.documents().values()} - {None}
code, _, err = export()
now = {d.get('instance') for d in server.documents().values()} - {None}
ok('what the former index sent is removed, and nothing of others', code == 0 and (now & former == {'other'} and len(now) == 2 or not os.path.getsize('/etc/machine-id')), (code, err, former, now))
ok('the server of the test has no fault itself', not any(each.crashes for each in servers), [each.crashes[:1] for each in servers if each.crashes])
ok('no document was ever sent without its permissions', not any(each.naked for each in servers))
done_testing()
