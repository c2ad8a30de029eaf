# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 of the daemon at random moments of the training of latent semantics: the client shows nothing false, and the next
idle time gives the words, the vectors and the answers of a training that nobody disturbed, also if documents were deleted
meanwhile, and after an upgrade from schema 11. TRAININGS sets how often it is killed, TRAININGS_SEED repeats the choices."""
import os, random, shutil, signal, subprocess, sys, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

kills = int(os.environ.get('TRAININGS', 4))
seed = int(os.environ.get('TRAININGS_SEED', random.randrange(1 << 32)))
print(f'# TRAININGS={kills} TRAININGS_SEED={seed}', flush=True)
rng = random.Random(seed)
INDEX, BASE = Daemon.index + '/index.db', TMP + '/base'
SUBJECTS, TEXTS, LATER = 24, 1600, 700
GONE = range(0, TEXTS, 16)  # of these the files are deleted, with the subject that nobody else has


def word(subject, i):
    return 'x' + chr(97 + subject // 26) + chr(97 + subject % 26) + chr(97 + i)


def text_of(i):
    """Each text has 30 words of its subject, without one in three, and some that are of no subject."""
    words, subject = random.Random(i), SUBJECTS if i in GONE else i % SUBJECTS
    known = [word(subject, k) for k in range(24) if k % 3 != i // SUBJECTS % 3]
    return ' '.join(words.choice(known) for _ in range(30)) + ' ' + ' '.join(f'word{words.randrange(20000)}' for _ in range(400)) + f' page{i}'


def words_of(path):
    with open(path) as f:
        return f.read().split()


def paths_of_texts():
    return [os.path.join(top, name) for top, _, names in os.walk(TREE) for name in names]


def write_texts(first, end):
    for i in range(first, end):
        write(f'{i % 8}/{i}.txt', text_of(i))


def delete_texts():
    """Moves the files to a place outside of the tree, so that put_back_texts() gives back the same inodes."""
    os.makedirs(TMP + '/gone', exist_ok=True)
    for i in GONE:
        os.rename(f'{TREE}/{i % 8}/{i}.txt', f'{TMP}/gone/{i}.txt')


def put_back_texts():
    for i in GONE:
        os.rename(f'{TMP}/gone/{i}.txt', f'{TREE}/{i % 8}/{i}.txt')


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(['cp', '-a', source, target], check=True)


def once(*options):
    return subprocess.run(['tarsierd', '--once', *options], capture_output=True, timeout=200).returncode


def model():
    """Returns what was learned: words, vectors, of how many documents."""
    return query('SELECT part, words FROM meaning_word ORDER BY part'), query('SELECT block, present, vectors FROM meaning_vector ORDER BY block'), \
        query("SELECT value FROM meta WHERE key = 'meaning'")


def stale():
    """Returns the documents that have a vector but do not exist."""
    blocks, known = query('SELECT block, present FROM meaning_vector'), {id for id, in query('SELECT id FROM document')}
    return sorted({block * 16 + i for block, present in blocks for i in range(16) if present >> i & 1} - known)


QUERIES = [['--meaning', word(3, 4)], ['--meaning', word(7, 1), word(7, 2)], ['-a', word(5, 0), word(6, 1), 'word77'], ['--meaning', word(SUBJECTS, 5)]]


def answers():
    return [subprocess.run(['tarsier', 'search', '-l', '--dups=show', '-n', '1000', *words], capture_output=True, text=True, timeout=60).stdout.splitlines()
            for words in QUERIES]


def same_answers(wanted, name):
    got = answers()
    ok(got == wanted, name, [(len(some), len(other), sorted(set(some) ^ set(other))[:3]) for some, other in zip(got, wanted)])


def check_client(name):
    """Checks the client while no daemon runs, whatever is left of the training."""
    for words in ([word(3, 4)], ['--meaning', word(3, 4)]):
        done = subprocess.run(['tarsier', 'search', '-l', '--dups=show', '-n', '5000', *words], capture_output=True, text=True, timeout=60)
        found = {path for path in done.stdout.splitlines() if os.path.exists(path)}
        holding = {path for path in paths_of_texts() if word(3, 4) in words_of(path)}
        ok(done.returncode in (0, 5) and holding <= found, f'{name}: the client finds every file with the word by {" ".join(words)}',
           done.returncode, done.stderr, sorted(holding - found)[:5])


def is_learning():
    try:
        return request('status', 60)['compaction'] == 'learn'
    except (OSError, EOFError):
        return True


def ask_to_compact():
    def ask():
        try:
            request('compact', 600)
        except (OSError, EOFError):
            pass  # the daemon was killed
    threading.Thread(target=ask, daemon=True).start()


def begin_training():
    """Asks for a compaction, and returns once it learns."""
    ask_to_compact()
    if not wait_until('the training begins', is_learning, 60, 0.002):
        raise RuntimeError('no training begins')


def has_learned(wanted):
    return query("SELECT value FROM meta WHERE key = 'meaning'") == wanted[2] and model() == wanted


def learn_at_idle(wanted):
    daemon = Daemon()
    learned = wait_until('the next idle time has learned', lambda: has_learned(wanted), 200, 0.1)
    daemon.stop()
    return learned


def check_after(name, wanted, at_idle):
    check_client(name)
    if at_idle:
        ok(learn_at_idle(wanted[0]), f'{name}: the next idle time learns the same words and vectors', query("SELECT * FROM meta WHERE key LIKE 'meaning%'"))
    else:
        equal(once('--compact'), 0, f'{name}: the next compaction ends with status 0')
        ok(model() == wanted[0], f'{name}: the next compaction learns the same words and vectors', query("SELECT * FROM meta WHERE key LIKE 'meaning%'"))
    same_answers(wanted[1], f'{name}: every query has the same answer')
    equal(stale(), [], f'{name}: no document that is gone has a vector')
    equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, f'{name}: the index is sound')


class State:
    """An index that waits for a training, and what one gives that nobody disturbs, with and without the files that the test
    deletes."""
    def __init__(self, name):
        self.name, self.place = name, f'{BASE}/{name}'
        copy(Daemon.index, self.place)
        equal(once('--compact'), 0, f'{name}: an undisturbed training ends with status 0')
        self.kept = model(), answers()
        self.put_back()
        delete_texts()
        equal(once('--compact'), 0, f'{name}: one after deletions ends with status 0')
        self.deleted = model(), answers()
        put_back_texts()
        ok(all(len(found) > 0 for found in self.kept[1]) and self.kept[0] != self.deleted[0] and self.kept[1] != self.deleted[1],
           f'{name}: every query has hits, and the deleted files change model and answers')

    def put_back(self):
        copy(self.place, Daemon.index)


def one_kill(state, how, i):
    """Returns whether it trained when it was killed."""
    name = f'{state.name}, kill {i + 1}, {how}'
    state.put_back()
    daemon = Daemon()
    begin_training()
    let_time_pass(rng.random() * state.takes, 'the kill, or the deletion, comes at any moment of the training')
    if how != 'alone':
        delete_texts()
    if how == 'purged':
        daemon.sync()
        ask_to_compact()
    if how != 'alone':
        let_time_pass(rng.random() * state.takes, 'the kill comes at any moment of the purge and the training')
    learning = is_learning()
    daemon.stop(signal.SIGKILL)
    check_after(name, state.kept if how == 'alone' else state.deleted, at_idle=how == 'alone')
    if how != 'alone':
        put_back_texts()
    return learning


def time_training(state):
    """Returns how long it takes, seconds."""
    state.put_back()
    daemon = Daemon()
    begin_training()
    began = time.monotonic()
    wait_until('the training ends', lambda: not is_learning(), 100, 0.002)
    took = time.monotonic() - began
    daemon.stop()
    return took


def try_deletions(state):
    """Files are deleted during a training that comes to its end: their vectors leave at once, their words with the next
    purge."""
    state.put_back()
    daemon = Daemon()
    begin_training()
    delete_texts()
    daemon.sync()
    wait_until('the compaction ends', lambda: request('status')['compaction'] == '', 100, 0.01)
    equal(stale(), [], f'{state.name}: no document that was deleted during a training has a vector')
    equal(subprocess.run(['tarsier', '-q', 'compact']).returncode, 0, f'{state.name}: a compaction after that ends with status 0')
    ok(model() == state.deleted[0], f'{state.name}: after it, what was learned is of the documents that are left')
    same_answers(state.deleted[1], f'{state.name}: so is every answer')
    daemon.stop()
    put_back_texts()


def to_schema_11():
    """Turns the index into one of schema 11, which differs in the tables of latent semantics alone."""
    db = sqlite3.connect(INDEX)
    vectors = []
    for block, present, packed in db.execute('SELECT block, present, vectors FROM meaning_vector'):
        places = [i for i in range(16) if present >> i & 1]
        vectors += [(block * 16 + place, packed[32 * k:32 * k + 32]) for k, place in enumerate(places)]
    parts = {}
    for part, words in db.execute('SELECT part, words FROM meaning_word ORDER BY part'):
        parts[part >> 3] = parts.get(part >> 3, b'') + words  # not what version 11 wrote, but blobs of the same rows
    db.execute('DELETE FROM meaning_word')
    db.executemany('INSERT INTO meaning_word VALUES(?, ?)', parts.items())
    db.execute('DROP TABLE meaning_vector')
    db.execute('CREATE TABLE meaning_document(\n\tdocument INTEGER PRIMARY KEY,\n\tvector BLOB NOT NULL\n)')
    db.executemany('INSERT INTO meaning_document VALUES(?, ?)', vectors)
    db.execute('PRAGMA user_version = 11')
    db.commit()
    left = db.execute('SELECT count(*) FROM meaning_document').fetchone()[0]
    db.close()
    return left


def try_upgrade(state):
    state.put_back()
    equal(once('--compact'), 0, f'{state.name}: a training before an upgrade ends with status 0')
    ok(to_schema_11() > 0, f'{state.name}: the index of schema 11 has vectors')
    wanted = state.kept
    ok(learn_at_idle(wanted[0]), f'{state.name}: the next idle time after an upgrade learns the same words and vectors',
       query("SELECT * FROM meta WHERE key LIKE 'meaning%'"))
    same_answers(wanted[1], f'{state.name}: every query has the same answer after an upgrade')
    equal(query("SELECT count(*) FROM meta WHERE key = 'rebuilt'"), [(0,)], f'{state.name}: the index was upgraded, not made anew')
    equal(query("SELECT count(*) FROM sqlite_schema WHERE name = 'meaning_document'"), [(0,)], f'{state.name}: the table of schema 11 is gone')


def try_state(state, first, end):
    state.takes = min(time_training(state) for _ in range(3))
    print(f'# {state.name}: takes {state.takes:.2f} s', flush=True)
    hit = sum(one_kill(state, ('alone', 'files deleted', 'purged')[i % 3], i) for i in range(first, end))
    print(f'# {state.name}: {hit} of {end - first} kills came during a training', flush=True)
    try_deletions(state)


os.makedirs(TREE)
os.makedirs(BASE)
configure()
write_texts(0, TEXTS)
equal(once(), 0, 'the first index ends with status 0')
first = State('first training')
try_state(first, 0, kills // 2)
try_upgrade(first)
first.put_back()
equal(once('--compact'), 0, 'a training before a growth ends with status 0')
write_texts(TEXTS, TEXTS + LATER)
equal(once(), 0, 'the index of more files ends with status 0')
grown = State('training after growth')
try_state(grown, kills // 2, kills)
finish()
