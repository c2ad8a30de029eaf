# SPDX-License-Identifier: GPL-3.0-or-later
"""A search at a strict server that speaks the API of OpenSearch and Elasticsearch: it finds what a search here finds, shows
each user what the server lets him read, tells what does not answer, and believes nothing that the server says."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
if not os.path.exists(os.environ['TARSIER_TARGETS'] + '/opensearch.so'):
    print('1..0 # SKIP built without libcurl or jansson')
    sys.exit(0)
from opensearch import Server
from search_at import TREE, check_printing, compare_searches, configure, paths, write
from tap import SANITIZED, done_testing, ok, tarsier

write('numerous.txt', 'Many ' + ' '.join(f'numerous{chr(97 + i // 26)}{chr(97 + i % 26)}' for i in range(600)))
subprocess.run(['tarsier', '-q', 'index'], check=True)
HOST = json.loads(tarsier('export', '--to', '-', '--no-text')[1].split('\n')[0])['host']
server, other = Server('opensearch'), Server('elasticsearch')


def at(*words, **more):
    return tarsier('search', '--at', *words, **more)


def secret(url, user, password):
    with open(os.open(f'{os.environ["HOME"]}/{user}', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as f:
        f.write(f'user = {user}\npassword = {password}\n')
    return f'to = {url}\ncredentials = ~/{user}'


configure(team=f'to = {server.url}')
code, out, err = at('team', 'heron')
ok('an index that is not there is refused with what to do', code == 2 and out == '' and '--setup' in err, (code, err))
server.make_index('PUT', 'tarsier')
server.indices['tarsier'].refresh()
code, out, err = at('team', 'heron')
ok('so is one that nobody has set up', code == 2 and out == '' and '--setup' in err, (code, err))
for each in (server, other):
    code, _, err = tarsier('export', '--to', each.url, '--setup')
    ok('the export is made', code in (0, 5), (code, err))
ok('an index that was there has got the analyzers', server.indices['tarsier'].analysis == other.indices['tarsier'].analysis and not server.indices['tarsier'].closed)

# ---- the same here and there
compare_searches('team', some_suffice=True)
check_printing('team', HOST)
ok('a search asks for nothing but searches', not [r for r in server.requests[-50:] if not r[1].endswith('/_search')])
ok('words of many kinds are one query', at('team', ' OR '.join(f'word{i}x' for i in range(63)) + ' OR kingfisher')[0] == 0)
code, out, err = at('team', '"many numerous*"')
ok('the beginning of more words in a phrase than the server takes is an error that says so', code == 2 and 'beginnings of words' in err, (code, err))
code, out, err = at('team', '-n', '100', '-o', '9950', 'heron')
ok('what is after the first 10,000 hits is refused', code == 2 and '10000' in err, (code, err))

# ---- who sees what: the server decides, by its own users
OWN, WORLD = TREE + '/closed.txt', {f'{TREE}/copies/b.txt', f'{TREE}/boxed water.zip'}
for each in (server, other):
    kind, each.user = each.kind, ('clerk', 'x')
    each.readers = {('ada', 'otter'): [f'u:{os.getuid()}@{HOST}'], ('bob', 'stoat'): [f'u:54321@{HOST}'], ('eve', 'vole'): []}
    with each.lock:
        for source in each.indices['tarsier'].visible.values():
            if source['places'][0]['path'] in WORLD:
                source['allow'] = ['world']
    configure(ada=secret(each.url, 'ada', 'otter'), bob=secret(each.url, 'bob', 'stoat'), eve=secret(each.url, 'eve', 'vole'))
    ok(f'{kind}: the owner finds his own', at('ada', 'secret')[:2] == (0, OWN + '\n'), at('ada', 'secret'))
    for user in ('bob', 'eve'):
        seen = paths('--at', user, '--', 'is:file OR is:member')
        ok(f'{kind}: {user} finds only what is open to all', {os.fsdecode(path) for path, _ in seen[1]} == WORLD, seen)
    hits = [h for h in map(json.loads, at('bob', '--json', 'exact otters')[1].split('\n')[:-1]) if h['type'] == 'hit']
    ok(f'{kind}: the closed place of an open document is neither shown nor found', [(h['path'], h['copies']) for h in hits] == [(TREE + '/copies/b.txt', [])] and at('bob', 'filename:a')[0] == 1 and at('bob', '-c', 'exact otters')[1] == '1\n', hits)
    configure(bob=secret(each.url, 'bob', 'wrong'))
    code, out, err = at('bob', 'heron')
    ok(f'{kind}: wrong credentials are an error that does not show them', code == 2 and out == '' and 'credentials' in err and 'wrong' not in err, (code, err))
    each.user, each.readers = None, {}

# ---- what does not answer
server = other
configure(team=f'to = {server.url}')


def faulty(name, *words, **fault):
    for key, value in fault.items():
        setattr(server, key, value)
    done = at(name, *words, env={'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':allocator_may_return_null=1'})
    server.heal()
    return done


for name, fault in (('a part of the index', {'lost_shard': True}), ('a search that the server ended', {'late': True})):
    code, out, err = faulty('team', 'heron', **fault)
    ok(f'{name} makes the answer partial', code == 5 and out and 'missing' in err, (code, out, err))
    code, out, err = faulty('team', '--json', 'nowheretobefound', **fault)
    ok(f'{name} does not make nothing of it', code == 5 and not json.loads(out.split('\n')[0])['total_exact'], (code, out, err))
BUSY = (429, {'error': {'type': 'es_rejected_execution_exception', 'reason': 'rejected execution'}, 'status': 429})


def times(n, answer):
    left = [n]

    def fault(method, path, body):
        left[0] -= 1
        return answer if left[0] >= 0 else None
    return fault


for name, answer in (('busy (429)', BUSY), ('restarted (503)', (503, b'upstream', {})), ('cut off', 'cut')):
    code, out, err = faulty('team', '-c', 'heron', fault=times(2, answer))
    ok(f'a server that is {name} is asked again', code == 0 and int(out) >= 5, (code, out, err))
for name, answer, wanted, why in (('is busy for long', (*BUSY, {'Retry-After': '3600'}), 75, 'rejected'), ('always breaks the connection', 'cut', 75, 'OpenSearch'), ('has a fault (500)', (500, {'error': {'reason': 'a\x1b[31mb\n\u202ec'}}), 75, 'status 500'),
                                  ('knows nobody (401)', (401, {'error': {'reason': 'no'}}), 2, 'credentials'), ('lets nobody read (403)', (403, {'error': {'type': 'security_exception', 'reason': 'no permissions'}}), 2, 'read'),
                                  ('has no such index (404)', (404, {'error': {'type': 'index_not_found_exception'}}), 2, '--setup'), ('sends elsewhere', (302, b'{}', {'Location': 'http://127.0.0.1:1/'}), 75, '302'),
                                  ('counts clauses', (500, {'error': {'type': 'search_phase_execution_exception', 'root_cause': [{'type': 'too_many_clauses'}]}}), 2, 'more words'),
                                  ('does not like the query', (400, {'error': {'type': 'parsing_exception', 'reason': 'unknown query'}}), 75, 'unknown query')):
    code, out, err = faulty('team', 'heron', fault=lambda method, path, body: answer)
    ok(f'a server that {name} is an error that says so', code == wanted and out == '' and why in err and '\x1b' not in err and err.count('\n') == 1, (code, err))

# ---- a server that lies
SOURCE = {'places': [{'path': '/x/y.txt', 'source': 'file'}], 'member': None, 'kind': 'text', 'mime': 'text/plain', 'title': 'T', 'size': 7, 'state': 'ok', 'host': 'files1', 'find': {'document': 'a:1', 'modified': 1767225600}}
HIT = {'_id': 'a:1', '_score': 0.5, '_source': SOURCE}
GOOD = {'timed_out': False, '_shards': {'total': 1, 'successful': 1, 'failed': 0}, 'hits': {'total': {'value': 1, 'relation': 'eq'}, 'hits': [HIT]}, 'aggregations': {'documents': {'value': 1}}}


def changed(path, value, of=GOOD):
    """A copy in which the value at a path of keys is another; DEL: none."""
    keys = path.split('.')
    new = json.loads(json.dumps(of))
    inner = new
    for key in keys[:-1]:
        inner = inner[int(key) if key.isdigit() else key]
    last = int(keys[-1]) if keys[-1].isdigit() else keys[-1]
    if value == 'DEL':
        del inner[last]
    else:
        inner[last] = value
    return new


def lied(answer, *options):
    return faulty('team', *(options or ('--json',)), 'heron', fault=lambda method, path, body: (200, answer, {}))


code, out, err = lied(GOOD)
ok('a right answer is printed', code == 0 and json.loads(out.split('\n')[1])['path'] == '/x/y.txt', (code, out, err))
WRONG = [('timed_out', 'DEL'), ('timed_out', 'no'), ('_shards', 'DEL'), ('_shards', []), ('_shards.failed', '0'), ('_shards.failed', -1), ('_shards.successful', 7), ('_shards.total', 1.5), ('hits', 'DEL'), ('hits', 7), ('hits.hits', {}), ('hits.hits', None),
         ('hits.hits', [7]), ('hits.hits', [[]]), ('hits.hits', [HIT] * 1001), ('hits.total', 'DEL'), ('hits.total', 5), ('hits.total.value', '1'), ('hits.total.value', 0), ('hits.total.value', -5), ('hits.total.relation', 'gte'),
         ('aggregations', 'DEL'), ('aggregations.documents.value', 'x'), ('hits.hits.0._source', 'DEL'), ('hits.hits.0._source', []), ('hits.hits.0._source.places', []), ('hits.hits.0._source.places', 'x'), ('hits.hits.0._source.places.0', 7),
         ('hits.hits.0._source.places.0.path', 7), ('hits.hits.0._source.places.0.path', ''), ('hits.hits.0._source.places.0.path', 'x/y'), ('hits.hits.0._source.places.0.path', '/x\0y'), ('hits.hits.0._source.places.0.path', '/' + 'x' * 100000),
         ('hits.hits.0._source.places.0.path_b64', '////='), ('hits.hits.0._source.places.0.source', 'dream'), ('hits.hits.0._source.places.0.source', 'web'), ('hits.hits.0._source.places.0.source', []), ('hits.hits.0._source.size', -1),
         ('hits.hits.0._source.size', 'x'), ('hits.hits.0._source.size', 1.5), ('hits.hits.0._source.size', {}), ('hits.hits.0._source.size', True), ('hits.hits.0._source.find.modified', 10 ** 18), ('hits.hits.0._source.find.dated', -10 ** 18),
         ('hits.hits.0._source.title', 'x' * 100000), ('hits.hits.0._source.title', {}), ('hits.hits.0._source.title', 'a\0b'), ('hits.hits.0._source.host', 'DEL'), ('hits.hits.0._source.host', 'h' * 300), ('hits.hits.0._source.pages', -4),
         ('hits.hits.0._score', 'nan'), ('hits.hits.0._score', []), ('hits.hits.0._score', '1e999')]
for path, value in WRONG:
    code, out, err = lied(changed(path, value))
    ok(f'an answer with another {path} ({repr(value)[:20]}) is refused', code == 75 and out == '' and 'malformed' in err and err.count('\n') == 1, (code, out[:200], err[:300]))
code, out, err = lied(changed('hits.hits.0.highlight', {'text': [{}]}))
ok('so is one whose snippet is not text', code == 75 and 'malformed' in err, (code, err))
for name, answer in (('no JSON', b'{"hits":['), ('a list', b'[]'), ('nothing', b''), ('no text', b'\xff\xfe'), ('a surrogate alone', json.dumps(changed('hits.hits.0._source.title', '\ud800')).encode()), ('a number without end', b'{"timed_out":1' + b'0' * 400 + b'}'),
                     ('a depth without end', b'{"a":' * 100000), ('many lists', b'{"a":[' + b'[],' * 9000000 + b'[]]}'), ('more than fits', b'{"a":"' + b'x' * (40 << 20) + b'"}')):
    if name == 'many lists' and SANITIZED:
        continue  # their small blocks end the program when memory does
    code, out, err = lied(answer)
    ok(f'an answer that is {name} is an error', code == 75 and out == '' and err.count('\n') == 1, (code, out[:100], err[:300]))
EVIL = 'a\x1b]0;evil\x07\x1b[2J\u202e\u2028\r\n\tb'
hostile = changed('hits.hits.0', {**HIT, '_source': {**SOURCE, 'places': [{'path': '/x/' + EVIL, 'source': 'file'}], 'title': EVIL, 'author': EVIL, 'mime': EVIL, 'member': EVIL, 'host': 'h' + EVIL}, 'highlight': {'text': ['\3\2' + EVIL + '\2\3 \2c']}})
code, out, err = lied(hostile, '--long', '--color=always')
ok('controls of an answer do not reach a terminal', code == 0 and not [bad for bad in ('\x1b]0;', '\x1b[2J', '\x07', '\r', '\u202e', '\u2028') if bad in out], repr(out))

code, out, err = lied(changed('hits.hits.0.highlight', {'text': ['\2a \3\2 \3']}))
ok('marks do not lie after the end of a snippet', code == 0 and [(one['text'], one['marks']) for one in json.loads(out.split('\n')[1])['snippets']] == [('a', [[0, 1]])], (code, out, err))

# ---- copies that never end


def endless(method, path, body):
    request = json.loads(body)
    if 'collapse' in request:
        return 200, changed('hits.total.value', 9), {}
    return 200, {**GOOD, 'hits': {'hits': [{**HIT, 'sort': ['a:1', '/x/y.txt', 0]}] * 5000}}, {}


code, out, err = faulty('team', 'heron', fault=endless)
ok('copies without an end are refused', code == 75 and 'sort' in err, (code, err))
NUMEROUS = json.dumps({**GOOD, 'hits': {'hits': [{**HIT, 'sort': ['a:1', '/x/y.txt', 0]}] * 4999 + ['LAST']}})
pages = []


def numerous(method, path, body):
    request = json.loads(body)
    if 'collapse' in request:
        return 200, changed('hits.total.value', 120000), {}
    pages.append(1)
    return 200, NUMEROUS.replace('"LAST"', json.dumps({**HIT, 'sort': ['a:1', '/x/y.txt', len(pages)]})).encode() if len(pages) < 24 else GOOD, {}


code, out, err = faulty('team', '--json', 'heron', fault=numerous)
ok('copies that are very many do not use up the memory', code == 0 and json.loads(out.split('\n')[1])['path'] == '/x/y.txt', (code, out[:100], err))
stranger = changed('hits.hits.0._source.find.document', 'b:2')
code, out, err = faulty('team', 'heron', fault=lambda method, path, body: (200, changed('hits.total.value', 9) if 'collapse' in json.loads(body) else stranger, {}))
ok('copies of what was not asked for are refused', code == 75 and 'document' in err, (code, err))
LARGE = {**HIT, '_source': {**SOURCE, 'places': [{'path': '/' + 'x' * 100000, 'source': 'file'}]}}
code, out, err = faulty('team', 'heron', fault=lambda method, path, body: (200, changed('hits.total.value', 9) if 'collapse' in json.loads(body) else {**GOOD, 'hits': {'hits': [HIT, LARGE]}}, {}))
ok('a copy whose path no system has is refused', code == 75 and 'path' in err, (code, err))
ok('the server of the test has no fault itself', not server.crashes and not other.crashes, (server.crashes + other.crashes)[:1])
done_testing()
