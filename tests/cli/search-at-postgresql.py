# SPDX-License-Identifier: GPL-3.0-or-later
"""A search at a PostgreSQL server that an export feeds: it finds what a search here finds, shows each user what he may
read, tells what the target cannot do, and believes nothing that a server answers."""
import base64, json, os, socket, struct, subprocess, sys, tempfile, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from postgresql import DIR, URL, server, sql
from search_at import TREE, check_printing, compare_searches, configure, paths
from tap import done_testing, ok, tarsier, wait_until

uid, host = os.getuid(), json.loads(tarsier('export', '--to', '-', '--no-text')[1].split('\n')[0])['host']
sql('CREATE ROLE ada LOGIN; CREATE ROLE bob LOGIN')
configure(team=f'to = {URL.replace("owner", "ada")}', bob=f'to = {URL.replace("owner", "bob")}', down='to = postgresql:///postgres?host=/nowhere&user=ada', nowhere='',
          clerk=f'to = {URL.replace("&user=owner", "")}\ncredentials = ~/secret')
code, _, err = tarsier('search', '--at', 'team', 'heron')
ok('a database without the function is refused with what to do', code == 2 and '--setup' in err, (code, err))
code, _, err = tarsier('export', '--to', URL, '--setup')
ok('the export is made', code in (0, 5), (code, err))
sql(f"INSERT INTO tarsier.principal VALUES('ada', 'u:{uid}@{host}')")
compare_searches('team')


def at(*words, **more):
    return tarsier('search', '--at', *words, **more)


check_printing('team', host)

# ---- what a target cannot do
for query, caret, why in [('her*n', 0, 'pattern'), ('water heron~', 6, 'wrong letters'), ('near:/x', 5, 'fingerprints'), ('water AND owner:root', 16, 'machines'), ('is:failed', 3, 'is:file'), ('anchor:heron', 7, 'links'),
                          ('heron NEAR water', 0, 'as they are written'), ('has:attachment', 4, 'does not know'), ('perm:644', 5, 'does not know'), ('group:root', 6, 'machines'), ('site:example.org', 5, 'parts of URLs'),
                          ('inurl:x', 6, 'parts of URLs'), ('dir:http://example.org/', 4, 'url:URL'), ('sum:' + '0' * 32, 4, 'fingerprints'), (f'dup:{TREE}/big.txt', 4, 'fingerprints'), ('related:/x', 8, 'fingerprints'), ('thread:/x', 7, 'fingerprints'), ('created:2026', 8, 'does not know'),
                          ('"a" NEAR "b" NEAR "c"', 0, 'only two'), ('heron OR (water AND -is:pending)', 24, 'is:file'), ('"a" NEAR/500 "b"', 0, '255')]:
    code, out, err = at('team', query)
    lines = err.split('\n')
    marked = next((i for i, line in enumerate(lines) if line.strip() and not line.strip(' ^')), None)
    ok(f'the target refuses {query}, and the caret shows where', code == 2 and out == '' and why in err and marked and lines[marked - 1].strip() == query and lines[marked].index('^') - 2 == caret, (code, err))
code, _, err = at('team', 'title:')
ok('a wrong query is told as in a search here', (code, err) == (tarsier('search', 'title:')[0], tarsier('search', 'title:')[2]) and code == 2, (code, err))
for option in (['-x', 'echo', '{}'], ['--open'], ['--passages'], ['--soft'], ['--meaning'], ['--explain'], ['--wait'], ['--dups=only'], ['-n', '20000']):
    code, out, err = at('team', 'heron', *option)
    ok(f'{option[0]} is refused with a reason', code == 2 and out == '' and '--at' in err, (code, err))
ok('an export that is not configured is refused', at('other', 'heron')[0] == 2 and '[export other]' in at('other', 'heron')[2])
ok('so is one without a target', at('nowhere', 'heron')[0] == 2 and 'to = TARGET' in at('nowhere', 'heron')[2], at('nowhere', 'heron'))
code, out, err = at('down', 'heron')
ok('a target that is away is an error that says so', code == 75 and out == '' and 'PostgreSQL' in err, (code, err))

# ---- who sees what
ok('a user without a token finds nothing', at('bob', '-c', 'is:file')[:2] == (1, '0\n'), at('bob', '-c', 'is:file'))
sql(f"UPDATE tarsier.place SET allow = '{{world}}' WHERE path IN ('{TREE}/copies/a.txt', '{TREE}/boxed water.zip')")
seen = paths('--at', 'bob', '--', 'is:file OR is:member')
ok('somebody else finds only what is open to him', seen[1] == {(f'{TREE}/copies/a.txt'.encode(), None), (f'{TREE}/boxed water.zip'.encode(), None), (f'{TREE}/boxed water.zip'.encode(), 'inner/heron-notes.txt'), (f'{TREE}/boxed water.zip'.encode(), 'inner/plain.txt')}, seen)
hits = [h for h in map(json.loads, at('bob', '--json', 'exact otters')[1].split('\n')[:-1]) if h['type'] == 'hit']
ok('a closed place of an open document is neither shown nor found', [(h['path'], h['copies']) for h in hits] == [(TREE + '/copies/a.txt', [])] and at('bob', 'filename:b')[0] == 1 and at('bob', f'in:{TREE} is:file')[1] == f'{TREE}/boxed water.zip\n', hits)
sql(f"UPDATE tarsier.place SET deny = '{{world}}' WHERE path = '{TREE}/copies/a.txt'")
ok('deny wins', at('bob', 'exact otters')[0] == 1)
sql("REVOKE ALL ON FUNCTION tarsier.search(text, int, int) FROM bob")
for what in ("tarsier.condition('{}', '{}')", "tarsier.leaf_query('{}', '{}', '{}', true)", "tarsier.candidates('{}', '{}')", "tarsier.filter_condition(1, 'all')"):
    ok(f'a user may not call {what}', 'permission denied' in sql('SELECT ' + what, 'bob')[1], sql('SELECT ' + what, 'bob'))
LEAF = '{"scope":"any","tokens":["heron"],"prefix":false,"parts":[["heron"]],"gap":0,"ordered":true,"forms":[],"path":null}'
FORGED = ['{}', '[]', '1', 'null', '{"tree":{},"leaves":[],"filters":[]}', '{"tree":{"leaf":0},"leaves":[],"filters":[]}', '{"tree":{"not":{"leaf":7}},"leaves":[],"filters":[]}',
          '{"tree":{"leaf":"0) OR (true"},"leaves":[],"filters":[]}', '{"tree":{"filter":"0]) OR true --"},"leaves":[],"filters":[]}', '{"tree":{"filter":0},"leaves":[],"filters":[{"field":"all, true) OR (true"}]}',
          '{"tree":{"filter":0},"leaves":[],"filters":[{"field":"date","low":"0 OR 1=1","high":1}]}', '{"tree":{"filter":0},"leaves":[],"filters":[{"field":"dir","values":["\'"]}]}',
          '{"tree":{"or":[{"leaf":0},{"filter":0}]},"leaves":[' + LEAF.replace('"any"', '"a\' b"') + '],"filters":[{"field":"mime","values":["*"]}]}',
          '{"tree":{"leaf":0},"leaves":[' + LEAF.replace('["heron"]', '["\'", "\\\\", "(((("]') + '],"filters":[]}', '{"tree":{"leaf":0},"leaves":[' + LEAF.replace('"gap":0', '"gap":"0} OR {"') + '],"filters":[]}',
          '{"tree":' + '{"not":' * 5000 + '{"leaf":0}' + '}' * 5000 + ',"leaves":[],"filters":[]}', '{"tree":{"and":[]},"leaves":[],"filters":[]}', '{"tree":{"leaf":-1},"leaves":[' + LEAF + '],"filters":[]}',
          '{"tree":{"leaf":0},"leaves":[' + LEAF + '],"filters":[],"sort":"path; DROP TABLE x","rank":["\'", "| & !"],"languages":["\'"]}']
told = []
for forged in FORGED:
    shown_to_bob = [base64.b64decode(row).decode(errors='replace') for row in sql(f"SELECT coalesce(path, '') FROM tarsier.find($f${forged}$f$, 100, 0)", 'bob')[0]]
    told += [(forged[:80], path) for path in shown_to_bob if path not in ('', TREE + '/boxed water.zip')]
ok('a forged query shows nobody more', not told, told)
attack = """CREATE FUNCTION pg_temp.evil(q pg_catalog.tsquery) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN INSERT INTO pg_temp.loot SELECT current_user; RETURN true; END $$;
CREATE TEMP TABLE loot(who text);
GRANT ALL ON loot TO PUBLIC;
CREATE DOMAIN pg_temp.tsquery AS pg_catalog.tsquery CHECK (pg_temp.evil(value));
CREATE FUNCTION pg_temp.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS $$ SELECT 'heron' $$;
SELECT count(*) FROM tarsier.find('{"tree":{"leaf":0},"leaves":[LEAF],"filters":[],"rank":["heron"]}', 100, 0) WHERE path IS NOT NULL;
SELECT 'loot', who FROM loot""".replace('LEAF', LEAF)
rows_of, error = sql(attack, 'bob')
ok('types and functions that a user makes are not run by the search', rows_of == ['1'] and not error, (rows_of, error))
plans = [sql("EXPLAIN SELECT * FROM tarsier.find('{}', 10, 0)".replace('{}', '{"tree":{"leaf":0},"leaves":[' + LEAF.replace('heron', word) + '],"filters":[]}'), 'bob')[0] for word in ('secret', 'nowhere')]
ok('plans are the same whatever is hidden', plans[0] == plans[1] and plans[0], plans)
ok('and all this leaves everything as it was', paths('--at', 'team', '--', 'heron')[:2] == paths('--', 'heron')[:2])

# ---- credentials
with open(DIR + '/data/pg_hba.conf') as f:
    rules = f.read()
with open(DIR + '/data/pg_hba.conf', 'w') as f:
    f.write('local all clerk scram-sha-256\n' + rules)
sql("CREATE ROLE clerk LOGIN PASSWORD 'otter'; SELECT pg_reload_conf()")
SECRET = os.environ['HOME'] + '/secret'
wait_until('the server asks for a password', lambda: 'fe_sendauth' in tarsier('export', '--to', URL.replace('owner', 'clerk'), '--verify')[2])


def password(word, mode=0o600):
    with open(os.open(SECRET, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as f:
        f.write(f'user = clerk\npassword = {word}\n')
    os.chmod(SECRET, mode)
    return at('clerk', 'heron')


ok('user and password of the credentials are used', password('otter')[0] == 0, password('otter'))
code, out, err = password('stoat')
ok('a wrong password is an error that says so, and does not show it', code == 75 and out == '' and 'password' in err and 'stoat' not in err, (code, err))
code, out, err = password('otter', 0o644)
ok('credentials that others may read are refused', code == 2 and '600' in err, (code, err))


# ---- a server that lies
def message(kind, body=b''):
    return kind + struct.pack('>i', len(body) + 4) + body


NAMES = 'total path source copies member kind mime title author lang date mtime size state pages seconds score snippet host'.split()
PLAIN = dict(total='1', path=base64.b64encode(b'/x/y.txt').decode(), source='file', mime='text/plain', kind='text', title='T', mtime='1767225600', size='7', state='ok', score='0.5', host='files1')


def rows(*values, names=NAMES):
    described = struct.pack('>h', len(names)) + b''.join(n.encode() + b'\0' + struct.pack('>ihihih', 0, 0, 25, -1, -1, 0) for n in names)
    told = b''.join(message(b'D', struct.pack('>h', len(names)) + b''.join(struct.pack('>i', -1) if v.get(n) is None else struct.pack('>i', len(d)) + d
                                                                             for n in names for d in [v[n] if isinstance(v.get(n), bytes) else str(v.get(n)).encode()])) for v in values)
    return message(b'1') + message(b'2') + message(b'T', described) + told + message(b'C', b'SELECT 1\0') + message(b'Z', b'I')


def receive(connection, n):
    data = b''
    while len(data) < n:
        more = connection.recv(n - len(data))
        if not more:
            raise EOFError
        data += more
    return data


class Liar:
    """Answers the search with these bytes; None: never."""
    def __init__(self, answer):
        self.dir = tempfile.mkdtemp(prefix='liar-', dir=os.environ['HOME'])
        self.answer, self.asked = answer, False
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.dir + '/.s.PGSQL.5432')
        self.listening.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        connection, _ = self.listening.accept()
        self.asked = True
        try:
            receive(connection, struct.unpack('>i', receive(connection, 4))[0] - 4)
            connection.sendall(message(b'R', struct.pack('>i', 0)) + message(b'S', b'server_encoding\0UTF8\0') + message(b'S', b'client_encoding\0UTF8\0') + message(b'Z', b'I'))
            while True:
                kind, length = struct.unpack('>ci', receive(connection, 5))
                receive(connection, length - 4)
                if kind == b'Q':
                    connection.sendall(message(b'C', b'SET\0') + message(b'Z', b'I'))
                elif kind == b'S' and self.answer is not None:
                    for part in self.answer if not isinstance(self.answer, bytes) else [self.answer]:
                        connection.sendall(part)
        except (EOFError, OSError):
            pass

    def config(self):
        return f'to = postgresql:///x?host={self.dir}&user=u&gssencmode=disable'


silent = Liar(None)
configure(silent=silent.config())
waiting = subprocess.Popen(['tarsier', 'search', '--at', 'silent', 'heron'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
wait_until('the configuration has been read', lambda: silent.asked)


def lied(*values, answer=None, options=('--json',), **names):
    liar = Liar(answer if answer is not None else rows(*values, **names))
    configure(liar=liar.config(), silent=silent.config())
    return at('liar', *options, 'heron', env={'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':allocator_may_return_null=1'})


code, out, err = lied(PLAIN)
ok('a right answer is printed', code == 0 and json.loads(out.split('\n')[1])['path'] == '/x/y.txt', (code, out, err))
b64 = lambda data: base64.b64encode(data).decode()
for what, more in {'a path that is relative': dict(path=b64(b'x/y')), 'an empty path': dict(path=''), 'a path that is not base64': dict(path='////='), 'a path with a zero byte': dict(path=b64(b'/x\0y')),
                   'a path without an end': dict(path=b64(b'/' * 100000)), 'a source that does not exist': dict(source='dream'), 'a page that is a file': dict(source='web'), 'a size below zero': dict(size='-1'),
                   'a size that is not a number': dict(size='7x'), 'a size that is too large': dict(size='9' * 30), 'a time after all calendars': dict(mtime='9' * 18), 'a date before all calendars': dict(date='-' + '9' * 18),
                   'a score that is not a number': dict(score='nan'), 'a score without end': dict(score='1e999'), 'a title that is not UTF-8': dict(title=b'\xff\xfe'), 'a title without an end': dict(title='x' * 100000),
                   'a host that is missing': dict(host=None), 'a host without an end': dict(host='h' * 300), 'a copy that is not a path': dict(copies=b64(b'../x')), 'a total that is less than its hits': dict(total='0'),
                   'a total that is not a number': dict(total='many'), 'a total that is missing': dict(total=None), 'pages below zero': dict(pages='-4'), 'a snippet that is not UTF-8': dict(snippet=b'\xc0\x80')}.items():
    code, out, err = lied(PLAIN | more)
    ok(f'an answer with {what} is refused', code == 75 and out == '' and 'malformed' in err and '\x1b' not in err, (code, out[:200], err[:300]))
EVIL = 'a\x1b]0;evil\x07\x1b[2J\u202e\u2028\r\n\tb'
code, out, err = lied(PLAIN | dict(path=b64(b'/x/' + EVIL.encode() + b'\xff'), title=EVIL, author=EVIL, mime=EVIL, member=EVIL, host='h' + EVIL, snippet='\3\2' + EVIL + '\2\3 \2c'), options=('--long', '--color=always'))
ok('controls of an answer do not reach a terminal', code == 0 and not [bad for bad in ('\x1b]0;', '\x1b[2J', '\x07', '\r', '\u202e', '\u2028') if bad in out], repr(out))
code, out, err = lied(PLAIN | dict(snippet='\2one\3 \2two'))
ok('marks that do not end are none', code == 0 and json.loads(out.split('\n')[1])['snippets'][0]['marks'] == [[0, 3]], (code, out))
ok('more hits than were asked for are refused', lied(*[PLAIN | dict(total='9')] * 3, options=('-n', '2'))[0] == 75)
ok('another table is refused', lied(dict(PLAIN), names=NAMES[:-1])[0] == 75 and lied(answer=message(b'1') + message(b'2') + message(b'n') + message(b'C', b'SELECT 0\0') + message(b'Z', b'I'))[0] == 75)
ok('an answer that breaks off is an error', lied(answer=rows(PLAIN)[:-30] + b'\xff' * 40)[0] == 75 and lied(answer=b'\0' * 100)[0] == 75)
code, out, err = lied(answer=message(b'E', b'SERROR\0CXX000\0M\x1b[2Jbad\nsecond\0\0') + message(b'Z', b'I'))
ok('the message of an error is escaped', code == 75 and '\x1b' not in err and 'bad' in err, (code, repr(err)))
code, out, err = lied(answer=[message(b'1') + message(b'2'), b'D' + struct.pack('>i', (1 << 30) - 1)] + [b'x' * (1 << 20)] * 700)
ok('an answer without an end is an error', code == 75 and out == '', (code, err[:300]))
server('stop')
server('start')
out, err = waiting.communicate(timeout=60)
ok('a server that never answers is given up', waiting.returncode == 75 and out == '' and '30 seconds' in err, (waiting.returncode, err))
done_testing()
