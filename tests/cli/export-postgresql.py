# SPDX-License-Identifier: GPL-3.0-or-later
"""Export to a real PostgreSQL server, which the test starts without root: what is found by whom, what an export
changes, and what it survives."""
import json, os, random, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from postgresql import BIN, DIR, URL, server, sql
from tap import done_testing, ok, tarsier, wait_until

TREE = os.environ['HOME'] + '/docs'


def found(user, query):
    rows, err = sql("SELECT path, member FROM tarsier.search($q$" + query + "$q$, 100)", user)
    assert not err, err
    return sorted(os.path.relpath(row.split('\t')[0], TREE) + ('|' + row.split('\t')[1]).rstrip('|') for row in rows)


def write(name, text, mode=0o644):
    path = f'{TREE}/{name}'
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + '.new', 'w') as f:
        f.write(text)
    os.chmod(path + '.new', mode)
    os.rename(path + '.new', path)


def export(*options):
    code, out, err = tarsier('export', '--json', '--to', URL, *options, env={'PGCLIENTENCODING': 'LATIN1'})
    return code, json.loads(out) if out.startswith('{') else None, err


def index():
    subprocess.run(['tarsier', '-q', 'index'], check=True)


NOTHING = {'documents_missing': 0, 'documents_gone': 0, 'places_come': 0, 'places_gone': 0}
write('open.txt', 'The otter swims.\n')
write('copy/open.txt', 'The otter swims.\n', 0o600)
write('closed.txt', 'The otter sleeps.\n', 0o600)
write('Quarterly_heron-report.txt', 'Nothing to see.\n')
write('schedule.html', '<html lang=en><title>Bird walks</title><p>We are walking to the river to watch the pelicans and the gulls there.')
write('old.rtf', r'{\rtf1{\info{\title Marmot}{\creatim\yr13\mo5\dy2}{\revtim\yr13\mo5\dy2}}An old marmot.}')
LONG = '/'.join(''.join(random.Random(i).choices('abcdefghijklmnopqrstuvwxyz0123456789', k=200)) for i in range(18)) + '/vole.txt'
os.makedirs(TREE, exist_ok=True)
here = os.open(TREE, os.O_RDONLY)
for part in LONG.split('/')[:-1]:
    os.mkdir(part, dir_fd=here)
    here = os.open(part, os.O_RDONLY, dir_fd=here)
with open(os.open('vole.txt', os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=here), 'w') as f:
    f.write('The vole digs.')
write('big.txt', 'otter ' + ' '.join(f'word{i:07d}x' for i in range(120000)) + '\n' + 'lorem ipsum\n' * 100000)
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
index()
uid, host = os.getuid(), json.loads(tarsier('export', '--to', '-', '--no-text')[1].split('\n')[0])['host']
sql(f"CREATE ROLE ada LOGIN; CREATE ROLE bob LOGIN")

code, _, err = export()
ok('a database without tables is refused with what to do', code == 2 and '--setup' in err, (code, err))
code, first, err = export('--setup')
ok('the first export sends everything', (code, first) == (0, {'documents_missing': 7, 'documents_gone': 0, 'places_come': 8, 'places_gone': 0}), (code, first, err))
ok('then nothing differs', export('--verify')[:2] == (0, NOTHING), export('--verify'))
ok('a second export changes nothing', export('--setup')[:2] == (0, NOTHING))
# the test's own directory is closed to others
ok('a user without a token finds nothing that is closed', found('ada', 'otter') == [], found('ada', 'otter'))
sql(f"INSERT INTO tarsier.principal VALUES('ada', 'u:{uid}@{host}')")
ok('a user with the token of the owner finds his documents', found('ada', 'otter') == ['big.txt', 'closed.txt', 'copy/open.txt'], found('ada', 'otter'))
ok('another user still finds nothing', found('bob', 'otter') == [], found('bob', 'otter'))
ok('other forms of a word are found in the language of the document', found('ada', 'walked pelican') == ['schedule.html'], found('ada', 'walked pelican'))
ok('names are found', found('ada', 'heron report') == ['Quarterly_heron-report.txt'], found('ada', 'heron report'))
ok('a path longer than a row of an index is found', found('ada', 'vole') == [LONG], found('ada', 'vole'))
ok('a date before the calendar keeps nobody out', found('ada', 'marmot') == ['old.rtf'], found('ada', 'marmot'))
ok('of a text with more words than a tsvector holds the first part is searched', found('ada', 'word0000001x') == ['big.txt'], found('ada', 'word0000001x'))
of_terms = sql("SELECT terms @@ 'word0000001x'::tsquery, terms @@ 'word0119999x'::tsquery FROM tarsier.document WHERE length(text) > 1000000")[0]
ok('so is it by the words of Tarsier', of_terms == ['t\tf'], of_terms)
# in numbers that the server counts, since times depend on the machine
sql("INSERT INTO tarsier.instance VALUES('many', 'many');"
    "INSERT INTO tarsier.document(instance, number, content, text, words) SELECT 'many', n, n, '', to_tsvector('simple', 'sandpiper') FROM generate_series(1, 2000) n;"
    "INSERT INTO tarsier.place(instance, content, path, exact, source, allow, deny) "
    "SELECT 'many', n, '/many/' || n, '', 'file', CASE WHEN n % 2 = 0 THEN '{world}' ELSE '{u:0@many}' END::text[], '{}' FROM generate_series(1, 2000) n;"
    "ANALYZE tarsier.document, tarsier.place")
page, looked = sql("SELECT count(*), array_agg(path = '/many/' || (2002 - 2 * n)) FROM tarsier.search('sandpiper') WITH ORDINALITY s(id, path, member, title, "
                   "mime, mtime, size, score, snippet, n); SELECT pg_stat_get_xact_numscans('tarsier.place_key'::regclass)")[0]
ok('the best that a user may read are found', page == '20\t{' + ','.join('t' * 20) + '}', page)
ok('permissions are looked up for what is shown, not for all that match', 0 < int(looked) < 100, looked)
sql("DELETE FROM tarsier.place WHERE instance = 'many'; DELETE FROM tarsier.document WHERE instance = 'many'; DELETE FROM tarsier.instance WHERE instance = 'many'")
PASTED = ("'", '"', '(((', '& | !', '\\', '<->', ':*', 'a:b*', 'é' * 3000)
errors = [(q, err) for q in PASTED if (err := sql(f"SELECT * FROM tarsier.search($q${q}$q$)", 'ada')[1])]
ok('pasted text is not an error', not errors, errors)

# ---- a batch of lines
LINES = '\n'.join('{"id":"x:%d","content":1,"text":[{"text":"%s"}],"words":{"body":" %s"}}' % line for line in ((1, 'first', 'first'), (2, 'a\\u0000b', 'a'), (3, 'third', 'third'), (1, 'again', 'again'))) + '\n'
ok('what the database cannot hold is left out of a batch, the rest is taken, and of two lines the last', sql(f"SELECT tarsier.put_documents('x', $l${LINES}$l$)")[0] == ['1']
   and sql("SELECT text FROM tarsier.document WHERE instance = 'x' ORDER BY number")[0] == ['again', 'third'], sql("SELECT number, text FROM tarsier.document WHERE instance = 'x'"))
sql("DELETE FROM tarsier.document WHERE instance = 'x'")

# ---- what is closed
for what in ('SELECT * FROM tarsier.document', 'SELECT count(*) FROM tarsier.place', 'SELECT * FROM tarsier.principal', 'SELECT tarsier.tokens()', 'SELECT * FROM tarsier.instance',
             "INSERT INTO tarsier.principal VALUES('bob', 'world')", 'TRUNCATE tarsier.place', "SELECT tarsier.put_documents('x', '{}')",
             "SELECT * FROM pg_stats WHERE schemaname = 'tarsier' AND 1 / (SELECT count(*) FROM tarsier.place) > 0"):
    ok(f'a user may not: {what}', 'permission denied' in sql(what, 'bob')[1], sql(what, 'bob'))
sql('ANALYZE')
ok('statistics of the columns are hidden', sql("SELECT * FROM pg_stats WHERE schemaname = 'tarsier'", 'bob')[0] == [])
sql('GRANT ada TO bob')
ok('a role that is only set gives no tokens', sql("SET ROLE ada; SELECT path FROM tarsier.search('otter')", 'bob')[0] == [])
sql('REVOKE ada FROM bob')
plans = [sql(f"EXPLAIN SELECT * FROM tarsier.search('{word}')", 'bob')[0] for word in ('otter', 'nowhere')]
ok('plans are the same whatever is hidden', plans[0] == plans[1], plans)
logged = sql("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; "
             "ALTER FUNCTION tarsier.search(text, int, int) SET client_min_messages = log; SELECT path FROM tarsier.search('otter')")[1]
sql('ALTER FUNCTION tarsier.search(text, int, int) SET client_min_messages = warning')
ok('a search reads neither all places nor all documents', 'document_words' in logged and 'Seq Scan on document' not in logged and 'Seq Scan on place' not in logged, logged)

attack = '''CREATE FUNCTION pg_temp.evil(q pg_catalog.tsquery) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN INSERT INTO pg_temp.loot SELECT current_user; RETURN true; END $$;
CREATE TEMP TABLE loot(who text);
GRANT ALL ON loot TO PUBLIC;
CREATE DOMAIN pg_temp.tsquery AS pg_catalog.tsquery CHECK (pg_temp.evil(value));
CREATE FUNCTION pg_temp.websearch_to_tsquery(text, text) RETURNS pg_catalog.tsquery LANGUAGE sql AS $$ SELECT NULL::pg_catalog.tsquery $$;
SELECT count(*) FROM tarsier.search('otter');
SELECT 'loot', who FROM loot'''
out = sql(attack, 'bob')
ok('types and functions that a user makes are not run by the search', out[0] == ['0'] and not out[1], out)
sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
code, _, err = tarsier('export', '--setup', '--to', URL.replace('/postgres?', '/latin?'))
ok('a database with another encoding is refused', code == 2 and 'UTF8' in err, (code, err))

# ---- changes
os.unlink(TREE + '/closed.txt')
write('open.txt', 'The stoat runs.\n')
index()
code, found_now, _ = export('--verify')
ok('verify tells what differs and changes nothing', (code, found_now) == (1, {'documents_missing': 1, 'documents_gone': 1, 'places_come': 1, 'places_gone': 2}), (code, found_now))
ok('an export removes what is gone', export()[0] == 0 and found('ada', 'otter') == ['big.txt', 'copy/open.txt'] and found('ada', 'stoat') == ['open.txt'], found('ada', 'otter'))
os.rename(TREE + '/big.txt', TREE + '/Otter-book.txt')
index()
code, moved, _ = export()
ok('a moved file sends no text again', (code, moved) == (0, {'documents_missing': 0, 'documents_gone': 0, 'places_come': 1, 'places_gone': 1}), moved)

# ---- faults
sql("DELETE FROM tarsier.document WHERE number % 2 = 0; UPDATE tarsier.place SET allow = '{world}'; DELETE FROM tarsier.place WHERE path LIKE '%schedule%'")
ok('a target that was changed or restored is mended', export()[0] == 0 and export('--verify')[:2] == (0, NOTHING) and found('bob', 'stoat') == [])
sql("CREATE FUNCTION public.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$; "
    "CREATE TRIGGER fill BEFORE INSERT ON tarsier.document EXECUTE FUNCTION public.fill(); DELETE FROM tarsier.document")
code, _, err = export()
ok('a database whose disk is full is an error that says so', code == 75 and 'No space left' in err, (code, err))
sql('DROP TRIGGER fill ON tarsier.document')
ok('and is mended when it has room', export()[0] == 0 and export('--verify')[:2] == (0, NOTHING))
for i in range(60):
    write(f'many/{i}.txt', f'Beast number {i}. ' + 'lorem ipsum ' * 200)
index()
seed = random.randrange(1 << 30)
random.seed(seed)
print('# seed', seed)
killed = 0
for _ in range(8):
    sql("DELETE FROM tarsier.document WHERE random() < .5")
    running = subprocess.Popen(['tarsier', '-q', 'export', '--to', URL])
    try:
        running.wait(random.random() * .4)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
        killed += 1
    running.wait()
    wait_until('the server has noticed', lambda: sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")[0] == [])
ok('after exports were killed, one export brings all into step', export()[0] == 0 and export('--verify')[:2] == (0, NOTHING), killed)
counts = [int(sql(f'SELECT count(*) FROM tarsier.{table}')[0][0]) for table in ('document', 'place')]
killed = 0
for _ in range(6):
    sql("DELETE FROM tarsier.document; DELETE FROM tarsier.place; UPDATE tarsier.instance SET seq = 7")
    running = subprocess.Popen(['tarsier', '-q', 'export', '--to', URL])
    wait_until('the first documents are there', lambda: running.poll() is not None or sql('SELECT 1 FROM tarsier.document LIMIT 1')[0] == ['1'])
    running.send_signal(signal.SIGKILL)
    killed += running.wait() != 0
    wait_until('the server has noticed', lambda: sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")[0] == [])
    ok('a first export that was killed has forgotten the number of a change', sql('SELECT seq FROM tarsier.instance')[0] == [''])
    ok('the next one sends the rest', export()[0] == 0 and export('--verify')[:2] == (0, NOTHING), killed)
sql("DELETE FROM tarsier.document; DELETE FROM tarsier.place; INSERT INTO tarsier.instance SELECT 'former', host, NULL, origin FROM tarsier.instance; "
    "INSERT INTO tarsier.document(instance, number, content, text, words) VALUES('former', 1, 1, '', '')")
ok('a former index goes when the target has nothing of this one', export()[:2] == (0, NOTHING | {'documents_missing': counts[0], 'places_come': counts[1]}) and sql("SELECT count(*) FROM tarsier.document WHERE instance = 'former'")[0] == ['0'])
holder = subprocess.Popen([BIN + '/psql', '-h', DIR, '-U', 'owner', '-d', 'postgres', '-AtXq'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
holder.stdin.write("SELECT pg_advisory_lock(hashtextextended(instance, 0)) FROM tarsier.instance;\n\\echo locked\n")
holder.stdin.flush()
wait_until('the lock is held', lambda: 'locked' in holder.stdout.readline())
code, _, err = export()
ok('a second exporter of the same index is refused', code == 75 and 'another export' in err, (code, err))
holder.communicate('')
code, _, err = tarsier('export', '--to', URL.replace('?', '?password=secret&'))
ok('a password in the address is refused', code == 2 and '.pgpass' in err and 'secret' not in err, (code, err))
with open(DIR + '/data/pg_hba.conf') as f:
    rules = f.read()
with open(DIR + '/data/pg_hba.conf', 'w') as f:
    f.write('local all clerk scram-sha-256\n' + rules)
sql("CREATE ROLE clerk LOGIN SUPERUSER PASSWORD 'a \\ \"b\" = c'; SELECT pg_reload_conf()")
SECRET, CLERK = os.environ['HOME'] + '/secret', URL.replace('&user=owner', '')


def with_password(password):
    with open(os.open(SECRET, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as f:
        f.write(f'user = clerk\npassword = {password}\n')
    return tarsier('export', '--to', CLERK, '--credentials', SECRET, '--verify')


wait_until('the server asks for a password', lambda: 'fe_sendauth' in tarsier('export', '--to', URL.replace('owner', 'clerk'), '--verify')[2])
code, _, err = with_password('a \\ "b" = c')
ok('user and password of the credentials are used', code == 0, (code, err))
code, _, err = with_password('otter')
ok('a wrong password is an error that says so, and does not show it', code == 75 and 'password' in err and 'otter' not in err, (code, err))
code, _, err = tarsier('export', '--to', 'mysql://x')
ok('an unknown target is refused', code == 2 and 'postgresql://' in err, (code, err))
server('stop')
code, _, err = export()
ok('a server that is away is an error that says so', code == 75 and 'PostgreSQL' in err, (code, err))
server('start')
ok('and nothing was lost', export('--verify')[:2] == (0, NOTHING))
done_testing()
