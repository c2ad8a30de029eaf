# SPDX-License-Identifier: GPL-3.0-or-later
"""A search at a PostgreSQL server that an export feeds: it finds what a search here finds, shows each user what he may
read, tells what the target cannot do, and believes nothing that a server answers."""
import base64, json, os, socket, struct, subprocess, sys, tempfile, threading, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from postgresql import DIR, URL, server, sql
from tap import done_testing, ok, tarsier, wait_until

TREE = os.environ['HOME'] + '/docs'
CONFIG = os.environ['HOME'] + '/.config/tarsier/tarsier.conf'
if 'XDG_CONFIG_HOME' in os.environ:
    CONFIG = os.environ['XDG_CONFIG_HOME'] + '/tarsier/tarsier.conf'


def write(name, text, mode=0o644, mtime=None):
    path = f'{TREE}/{name}'
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)
    if mtime:
        os.utime(path, (mtime, mtime))
    return path


def mail(subject, sender, body):
    return f'From: {sender}\nTo: Clara Marsh <clara@example.org>\nCc: Dan <dan@example.org>\nSubject: {subject}\nDate: Mon, 02 Mar 2026 10:00:00 +0000\nMessage-ID: <{abs(hash(subject))}@example.org>\n\n{body}\n'


DAY = 86400
write('birds/heron.txt', 'The grey heron walks slowly through the water. Its level was low.\n', mtime=1767225600)
write('birds/herons-2023.txt', 'Many herons were walking here. Water levels were measured.\n', mtime=1767225600 + 40 * DAY)
write('birds/pelican.md', '# Pelicans\n\nA pelican was seen near the river. It walked away.\n', mtime=1767225600 + 90 * DAY)
write('birds/deep/marsh report.txt', 'Report on the marsh: the water level rises; level water is rare. Draft.\n')
write('Quarterly_heron-report.txt', 'Nothing to see.\n')
write('QuarterlyReport2024.txt', 'Sales of the quarter, see ReadMe and readXMLFile for more.\n')
write('schedule.html', '<html lang=en><title>Bird walks</title><meta name=author content="Ada Lovelace"><meta name=keywords content="outing, marsh"><h1>River tour</h1><p>We are walking to the river to watch the pelicans and the gulls there.')
write('german.html', '<html lang=de><title>Die H&auml;user am Fluss</title><p>Die Häuser stehen am Fluss. In dem Haus wohnen die Kinder und lesen Bücher über große Straßen und die Müllerin.')
write('german2.html', '<html lang=de><title>Ein Kinderbuch</title><p>Das Buch liegt auf der Straße, und die Mueller sind mit den Kindern in ihrem Hause und lesen es zusammen.')
write('french.html', '<html lang=fr><title>Les chevaux</title><p>Les chevaux de la ferme mangent dans le jardin, et le cheval noir est rentré à la maison avec les élèves de l’école.')
write('cpp.txt', "We teach C++ and C# at AT&T; .NET too. The file is called main.c and costs $5.\n")
write('numbers.txt', 'Version 3.14 of foo_bar-baz was released on 2024-05-06 by o\'brien & sons, naïve café résumé.\n')
write('chinese.txt', '我们在河边看到了一只白鹭。水位很低。\n')
write('mail/one.eml', mail('Water level', 'Ada Lovelace <ada@example.org>', 'Dear Clara, the water level at the weir is falling.'))
write('mail/two.eml', mail('Invoice for boats', 'Bob Byron <bob@example.org>', 'The boats cost forty pounds. Ada knows.'))
write('src/main.c', '/* prints a heron */\nint main(void) { return heron_walk("water"); }\n')
write('src/.hidden.py', 'def heron():\n    return "hidden water"\n')
write("odd 'quote\\ % _ name.txt", 'An odd name; water \\ level.\n')
write('copies/a.txt', 'An exact copy about otters.\n')
write('copies/b.txt', 'An exact copy about otters.\n')
write('closed.txt', 'The secret otter.\n', 0o600)
write('empty.txt', '')
write('big.txt', ' '.join(f'filler{i % 50}' for i in range(30000)) + ' the last kingfisher dives deep\n')
write('binary.dat', bytes(range(256)) * 20)
with zipfile.ZipFile(f'{TREE}/boxed water.zip', 'w') as z:
    z.writestr('inner/heron-notes.txt', 'Notes on a boxed heron.\n')
    z.writestr('inner/plain.txt', 'Plain text about water.\n')
write(os.fsdecode(b'bytes-\xff-water.txt'), 'A name that is not UTF-8.\n')
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
uid, host = os.getuid(), json.loads(tarsier('export', '--to', '-', '--no-text')[1].split('\n')[0])['host']
sql('CREATE ROLE ada LOGIN; CREATE ROLE bob LOGIN')


def configure(**sections):
    with open(CONFIG) as f:
        text = f.read().split('\n# exports\n')[0]
    with open(CONFIG, 'w') as f:
        f.write(text + '\n# exports\n' + ''.join(f'[export {name}]\n{lines}\n' for name, lines in sections.items()))


configure(team=f'to = {URL.replace("owner", "ada")}', bob=f'to = {URL.replace("owner", "bob")}', down='to = postgresql:///postgres?host=/nowhere&user=ada', nowhere='',
          clerk=f'to = {URL.replace("&user=owner", "")}\ncredentials = ~/secret')
code, _, err = tarsier('search', '--at', 'team', 'heron')
ok('a database without the function is refused with what to do', code == 2 and '--setup' in err, (code, err))
code, _, err = tarsier('export', '--to', URL, '--setup')
ok('the export is made', code in (0, 5), (code, err))
sql(f"INSERT INTO tarsier.principal VALUES('ada', 'u:{uid}@{host}')")


def paths(*words):
    code, out, err = tarsier('search', '--json', '--no-snippets', '--dups=show', *words)
    hits = [json.loads(line) for line in out.split('\n') if line]
    return code, {(base64.b64decode(h['path_b64']) if h['path_b64'] else h['path'].encode(), h['member']) for h in hits if h['type'] == 'hit' and h['kind'] != 'folder'}, hits, err


QUERIES = '''heron
herons
walk
walking
walked
HERON
=heron
=walk
"herons"
water level
"water level"
"level water"
"water levels"
"the water level rises"
"last kingfisher"
"kingfisher dives"
"filler49 the last"
heron OR pelican
heron AND water
heron -grey
heron NOT walk
-heron water
heron (pelican OR water)
(heron OR pelican) walk
heron pelican
heron OR pelican OR otter
her*
pel* wat*
"water lev*"
2023
report 2023
heron report
report
quarterly
QuarterlyReport2024
quarterly report
Report2024
readXMLFile
xml
title:bird
title:"bird walks"
title:walk
title:"walks bird"
title:water
author:ada
author:lovelace
author:"ada lovelace"
author:ada,bob
author:ada/bob
from:bob
to:clara
to:marsh
cc:dan
keyword:marsh
keyword:outing
heading:river
heading:pelicans
heading:"river tour"
body:heron
body:ada
body:"water level"
filename:heron
filename:report
filename:water
filename:notes
filename:"heron report"
name:her*
subject:water
subject:invoice
ext:txt
ext:txt,md
ext:c
ext:py
ext:eml water
-ext:txt
type:message
type:message water
type:archive
type:code
type:text heron
-type:text heron
mime:text/*
mime:text/html
mime:text/plain water
lang:de
lang:en heron
lang:fr
is:file heron
is:member
is:member heron
-is:member heron
is:hidden
is:hidden water
size:>1k
size:<1k heron
size:30..100
size:>10k
size:0
date:2026
date:2026-01
date:2026-03-02
date:2026-01..2026-02
date:>2026-02-01 heron
modified:2026-01
modified:2026-02 heron
sent:2026-03
dir:birds heron
dir:birds
dir:deep
dir:birds/deep
in:TREE
in:TREE/birds
dir:TREE/src
dir:TREE water
dir:TREE/birds OR dir:TREE/src
dir:/nowhere heron
haus
häuser
hauser
haeuser
Kinder
kind
buch
bücher
strasse
straße
müllerin
mueller
müller
cheval
chevaux
ecole
école
élève
cafe
café
naive resume
C++
C#
AT&T
.NET
main.c
src/main.c
3.14
foo_bar-baz
foo bar
o'brien
"o'brien"
water-level
白鹭
河边
水
"水位"
otter
otters
odd
quote
odd name
"quote name"
bytes
"a NEAR b" OR otter
"water" NEAR/3 "level"
"level" NEAR/1 "water"
"water" ADJ/2 "low"
"grey water"p
"water grey"p
"water grey"o5
"grey water"o5
source:file heron
notes boxed
boxed
secret
filler7
kingfisher -filler7
the
the heron'''.replace('TREE', TREE).splitlines()
wrong, some, errors = [], 0, 0
for query in QUERIES:
    here, there = paths('--', query), paths('--at', 'team', '--', query)
    some += here[0] == 0 and bool(here[1])
    errors += here[0] > 1
    if here[:2] != there[:2]:
        wrong.append((query, here[0], there[0], 'only here', here[1] - there[1], 'only there', there[1] - here[1], there[3]))
for one in wrong:
    print('#', *one)
ok(f'{len(QUERIES)} queries find the same here and there', not wrong and some > 150 and errors == 0, (some, errors))
OPTIONS = [['-a', 'heron', 'pelican'], ['-w', 'walk'], ['-f', 'heron'], ['-t', 'message', 'water'], ['-e', 'txt', 'heron'], ['-m', 'text/html', 'river'], ['-d', TREE + '/birds', 'heron'], ['-t', 'text'], ['-e', 'eml']]
wrong = [(o, paths(*o)[:2], paths('--at', 'team', *o)[:2]) for o in OPTIONS if paths(*o)[:2] != paths('--at', 'team', *o)[:2]]
ok('so do the options that narrow a search', not wrong, wrong)

# ---- what is printed
def at(*words, **more):
    return tarsier('search', '--at', *words, **more)


code, out, err = at('team', 'kingfisher')
ok('a pipe gets paths', (code, out) == (0, TREE + '/big.txt\n'), (code, out, err))
code, out, err = at('team', '-0', 'bytes water')
ok('paths are exact', (code, out) == (0, os.fsdecode(os.fsencode(TREE) + b'/bytes-\xff-water.txt\0')), (code, out))
code, out, err = at('team', '-c', 'heron')
here = tarsier('search', '-c', '--', 'heron -is:dir')
ok('the number of all is that of a search here', (code, out) == here[:2] and int(out) >= 5, (out, here))
ok('a quiet search answers by its exit code', at('team', '-q', 'heron') == (0, '', '') and at('team', '-q', 'nowheretobefound') == (1, '', ''))
code, out, err = at('team', 'nowheretobefound')
ok('what is not found is told', code == 1 and out == '' and 'team' in err, (code, err))
code, out, err = at('team', '-n', '2', '-s', 'path', 'heron')
first = out.splitlines()
rest = at('team', '-o', '2', '-s', 'path', 'heron')[1].splitlines()
ok('pages follow each other', len(first) == 2 and first + rest == sorted(first + rest) == at('team', '-s', 'path', 'heron')[1].splitlines(), (first, rest))
ok('a page after the last is empty', at('team', '-o', '1000', 'heron')[0] == 1 and at('team', '-c', '-o', '3', 'heron')[1] == at('team', '-c', 'heron')[1])
ok('an order is turned round', at('team', '-r', '-s', 'path', 'heron')[1].splitlines() == (first + rest)[::-1])
sizes = [os.path.getsize(p) for p in at('team', '-s', 'size', 'is:file')[1].split('\n') if os.path.exists(p)]
ok('the order by size is that of sizes', len(sizes) > 10 and sizes == sorted(sizes, reverse=True), sizes)
hit = [h for h in paths('--at', 'team', '--', 'title:"bird walks"')[2] if h['type'] == 'hit'][0]
snippet = json.loads(at('team', '--json', 'pelicans gulls')[1].split('\n')[1])['snippets']
ok('a hit has what is known of it', (hit['path'], hit['title'], hit['author'], hit['mime'], hit['lang'], hit['host'], hit['uri'], hit['id'], hit['uid'], hit['mode'], hit['source'], hit['state'], hit['size'])
   == (TREE + '/schedule.html', 'Bird walks', 'Ada Lovelace', 'text/html', 'en', host, f'file://{host}{TREE}/schedule.html', None, None, None, 'file', 'ok', os.path.getsize(TREE + '/schedule.html')), hit)
ok('its snippet marks the words', [snippet[0]['text'].encode()[a:b] for a, b in snippet[0]['marks']] == [b'pelicans', b'gulls'], snippet)
begin, *_, end = [json.loads(line) for line in at('team', '--json', 'heron')[1].split('\n') if line]
ok('JSON begins and ends as that of a search here', begin['type'] == 'begin' and begin['query'] == 'heron' and begin['total'] == end['shown'] and begin['total_exact'] and end['type'] == 'end', (begin, end))
copies = [h for h in map(json.loads, at('team', '--json', 'title:none OR exact otters')[1].split('\n')[:-1]) if h['type'] == 'hit']
ok('equal files are one hit', [(h['path'], h['copies']) for h in copies] == [(TREE + '/copies/a.txt', [TREE + '/copies/b.txt'])], copies)
code, out, err = at('team', '--long', '--color=always', 'kingfisher')
ok('a terminal shows title, path, machine and snippet, and no link to a file here', code == 0 and TREE + '/big.txt' in out and host in out and 'dives' in out and ']8;;' not in out, out)
code, out, err = at('team', 'heron', env={'TARSIER_INDEX': os.environ['HOME'] + '/none'})
ok('no index is needed here', code == 0 and 'heron' in out, (code, err))

# ---- what a target cannot do
for query, caret, why in [('her*n', 0, 'pattern'), ('water heron~', 6, 'wrong letters'), ('near:/x', 5, 'fingerprints'), ('water AND owner:root', 16, 'machines'), ('is:failed', 3, 'is:file'), ('anchor:heron', 7, 'links'),
                          ('heron NEAR water', 0, 'as they are written'), ('has:attachment', 4, 'does not know'), ('perm:644', 5, 'does not know'), ('group:root', 6, 'machines'), ('site:example.org', 5, 'does not know'),
                          ('inurl:x', 6, 'does not know'), ('sum:' + '0' * 32, 4, 'fingerprints'), (f'dup:{TREE}/big.txt', 4, 'fingerprints'), ('related:/x', 8, 'fingerprints'), ('thread:/x', 7, 'fingerprints'), ('created:2026', 8, 'does not know'),
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
ok('who has no token finds nothing', at('bob', '-c', 'is:file')[:2] == (1, '0\n'), at('bob', '-c', 'is:file'))
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
for what, more in {'a path that is relative': dict(path=b64(b'x/y')), 'an empty path': dict(path=''), 'a path that is no base64': dict(path='////='), 'a path with a zero byte': dict(path=b64(b'/x\0y')),
                   'a path without an end': dict(path=b64(b'/' * 100000)), 'a source that does not exist': dict(source='dream'), 'a page that is a file': dict(source='web'), 'a size below zero': dict(size='-1'),
                   'a size that is no number': dict(size='7x'), 'a size that is too large': dict(size='9' * 30), 'a time after all calendars': dict(mtime='9' * 18), 'a date before all calendars': dict(date='-' + '9' * 18),
                   'a score that is no number': dict(score='nan'), 'a score without end': dict(score='1e999'), 'a title that is no UTF-8': dict(title=b'\xff\xfe'), 'a title without an end': dict(title='x' * 100000),
                   'a host that is missing': dict(host=None), 'a host without an end': dict(host='h' * 300), 'a copy that is no path': dict(copies=b64(b'../x')), 'a total that is less than its hits': dict(total='0'),
                   'a total that is no number': dict(total='many'), 'a total that is missing': dict(total=None), 'pages below zero': dict(pages='-4'), 'a snippet that is no UTF-8': dict(snippet=b'\xc0\x80')}.items():
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
