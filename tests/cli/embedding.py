#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""embedding.py: word vectors that the configuration names tell the subjects of words: a document is found by a synonym that no
document has together with its words. Another file, a removed key and a damaged file count at the next idle time, and doctor says
what is used."""
import json, os, random, signal, sqlite3, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

SUBJECTS, SYNONYMS, DIMENSIONS = 20, 4, 60
VECTORS = HOME + '/vectors.vec'
rng = random.Random(1)
subjects = [[rng.gauss(0, 1) for _ in range(DIMENSIONS)] for _ in range(SUBJECTS)]


def word(subject, i):
    return 'x' + chr(97 + subject) + chr(97 + i)


def near(subject):
    return [x + rng.gauss(0, 0.1) for x in subject]


def line(word, numbers):
    return word + ' ' + ' '.join(f'{x:.4f}' for x in numbers) + '\n'


def vectors(words=None):
    """Returns the lines of a file in which the words of a subject are near each other; they are never in one document."""
    known = [(word(s, i), near(subjects[s])) for s in range(SUBJECTS) for i in range(SYNONYMS)]
    return [line(w, v) for w, v in known if words is None or w in words] + [line(f'unknown{i}', near(subjects[0])) for i in range(50)]


def put(lines, head=True, path=VECTORS):
    with open(path, 'w') as f:
        f.write((f'{len(lines)} {DIMENSIONS}\n' if head else '') + ''.join(lines))


def learn():
    return subprocess.run(['tarsierd', '--once', '--compact'], capture_output=True, text=True)


def set_key(value):
    subprocess.run(['tarsier', '-q', 'config', 'set', 'search.embedding', value], check=True)


def search(*arguments):
    out = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', '--dups', 'show', '-n', '500', *arguments], capture_output=True, text=True)
    return [hit for hit in map(json.loads, out.stdout.splitlines()) if hit['type'] == 'hit']


def subjects_found(word):
    """Returns the subjects of the documents that --meaning adds."""
    return {os.path.basename(hit['path']).split('-')[0] for hit in search('--meaning', word) if hit.get('by_meaning')}


def doctor():
    out = subprocess.run(['tarsier', 'doctor', '--json'], capture_output=True, text=True).stdout
    return next(((line['ok'], line['detail']) for line in map(json.loads, out.splitlines()) if line['check'] == 'vectors'), None)


def status():
    """Returns what status tells of the word vectors as JSON."""
    return json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True).stdout)['vectors']


def status_line():
    out = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
    return next((line.split(None, 1)[1] for line in out.splitlines() if line.startswith('Vectors')), None)


def model():
    return query('SELECT part, words FROM meaning_word ORDER BY part'), query('SELECT block, present, vectors FROM meaning_vector ORDER BY block')


def vectors_in_index():
    return query('SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector')[0][0]


os.makedirs(TREE)
configure()

# ---- an index of few documents, which is not trained
write('few.txt', 'few words')
learn()
for name, path, text, says in (('a file that is not there', HOME + '/missing.vec', None, 'No such file'),
                               ('a directory', HOME, None, 'not a regular file'),
                               ('a path that is not absolute', 'vectors.vec', None, 'does not begin with /'),
                               ('bytes that are not text', VECTORS, 'word2vec\0\1\2\3 1 2 3\n', 'not text'),
                               ('a file that is cut off', VECTORS, f'9 {DIMENSIONS}\n' + line('one', subjects[0])[:-9], 'cut off')):
    if text:
        with open(VECTORS, 'w') as f:
            f.write(text)
    set_key(path)
    learn()
    told = doctor()
    ok(told and not told[0] and path in told[1] and says in told[1], f'{name}: doctor tells it, however few documents there are', told)
put(vectors())
equal(doctor()[0], True, 'doctor has nothing against a good file')
set_key('')
learn()
os.unlink(TREE + '/few.txt')
for s in range(SUBJECTS):
    for i in range(SYNONYMS):
        for n in range(5):
            own = f'own{s}x{i}'
            write(f'{s}-{i}-{n}.txt', f'{word(s, i)} {own} the other{rng.randrange(3000)} other{rng.randrange(3000)} page{s}x{i}x{n}')
equal(learn().returncode, 0, 'an index without word vectors is made')
learned = model()
equal(doctor(), None, 'doctor is silent about word vectors that nobody named')
equal((status(), status_line()), (None, None), 'so is status')
equal(subjects_found(word(3, 1)) & {'3'}, set(), 'what the index itself tells does not lead to a synonym')

put(vectors())
set_key(VECTORS)
equal(doctor()[0], True, 'doctor says that a file is yet to be read')
equal(status(), {'path': VECTORS, 'state': 'waiting', 'words': 0, 'reason': None}, 'so does status')
equal(learn().stderr, '', 'a good file is read without a message')
equal(subjects_found(word(3, 1)), {'3'}, '--meaning finds the documents of a synonym, and no others')
equal(len([h for h in search('--meaning', word(3, 1)) if h.get('by_meaning')]), 15, 'all of them')
equal(subjects_found('own3x1'), {'3'}, 'a word that the file lacks has the direction of its documents')
equal({os.path.basename(h['path']).split('-')[0] for h in search(f'related:{TREE}/5-0-0.txt')}, {'5'}, 'related: finds them, too')
equal(doctor(), (True, f'{VECTORS}, for {SUBJECTS * SYNONYMS} words of the index'), 'doctor says which file is in use')
equal(status_line(), f'{VECTORS}, for {SUBJECTS * SYNONYMS} words of the index', 'so does status')
equal(status(), {'path': VECTORS, 'state': 'used', 'words': SUBJECTS * SYNONYMS, 'reason': None}, 'as JSON too')
said = subprocess.run(['tarsier', '-a', '--explain', '--no-snippets', word(3, 1), 'own3x1', word(3, 2)], capture_output=True, text=True).stderr
ok('word vectors of search.embedding' in said, '--explain says that they have the share', said)
good = model()
learn()
equal(model(), good, 'the same file is not read again')

os.unlink(TREE + '/3-0-0.txt')
before = vectors_in_index()
learn()
equal(vectors_in_index(), before - 1, 'a deleted document leaves no vector')
equal(len([h for h in search('--meaning', word(3, 1)) if h.get('by_meaning')]), 14, 'and is not found')
write('new.txt', f'{word(3, 0)} own3x0 in a new document')
learn()
ok(any(h['path'].endswith('new.txt') for h in search('--meaning', word(3, 1))), 'a new document is folded in')
os.unlink(TREE + '/new.txt')
write('3-0-0.txt', f'{word(3, 0)} own3x0 the other text')

# ---- without the line at the top, with other endings, repeated words, a few odd lines
whole = vectors()
put([one.upper().replace('\n', ' \r\n') for one in whole] + [line(word(3, 1), near(subjects[4])), 'cut 0.1 0.2\n'], head=False)
equal(learn().stderr, '', 'a file as GloVe writes it is read')
equal(subjects_found(word(3, 1)), {'3'}, 'of a word that is there twice the first counts, whatever its case')

# ---- files that are refused
for name, lines, head, says in (
        ('a file that is cut off', whole[:-5], f'{len(whole)} {DIMENSIONS}\n', 'cut off'),
        ('numbers that are none', [one.replace(' ', ' nan ', 1).rsplit(' ', 1)[0] + '\n' for one in whole], '', 'not a word with numbers'),
        ('numbers that are infinite', [one.replace(' ', ' 1e999 ', 1).rsplit(' ', 1)[0] + '\n' for one in whole], '', 'not a word with numbers'),
        ('lines of another length', [one if i % 9 else one.rsplit(' ', 1)[0] + '\n' for i, one in enumerate(whole)], '', 'not a word with numbers'),
        ('too many dimensions', ['a' + ' 1' * 600 + '\n'], '', '2 to 512'),
        ('dimensions that are promised', whole, f'{len(whole)} 100000000\n', '2 to 512'),
        ('a line of a megabyte', ['a' * (1 << 20) + '\n'], '', '32 KiB'),
        ('bytes that are not text', ['word2vec\0\1\2\3 1 2 3\n'], '', 'not text'),
        ('no words', ['\n'], '', 'not a word'),
        ('no word of the index', [line(f'strange{i}', near(subjects[1])) for i in range(9)], '', 'no word of the index'),
        ('equal vectors', [line(word(s, 0), subjects[0]) for s in range(SUBJECTS)], '', 'do not differ')):
    with open(VECTORS, 'w') as f:
        f.write(head + ''.join(lines))
    done = learn()
    ok(done.returncode == 0 and says in done.stderr, f'{name}: the service tells it', done.stderr)
    told = doctor()
    ok(told and not told[0] and VECTORS in told[1] and says in told[1], f'{name}: doctor tells it', told)
    told = status()
    ok((told['path'], told['state']) == (VECTORS, 'refused') and says in told['reason'] and says in status_line(), f'{name}: status tells it', told)
    ok(subjects_found(word(3, 1)).isdisjoint({'3'}) and vectors_in_index() > 0, f'{name}: what the index itself tells counts')
    equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, f'{name}: the index is sound')
for name, path, says in (('a file that is not there', HOME + '/missing.vec', 'No such file'), ('a directory', HOME, 'not a regular file'),
                         ('a path that is not absolute', 'vectors.vec', 'does not begin with /')):
    set_key(path)
    ok(says in learn().stderr and not doctor()[0] and says in doctor()[1], f'{name}: both tell it', doctor())
os.mkfifo(HOME + '/pipe')
set_key(HOME + '/pipe')
ok('not a regular file' in learn().stderr, 'a pipe does not hold the service up')

# ---- a daemon that runs and is killed while it reads
put(whole + [line(f'much{i}', near(subjects[0])) for i in range(6000)])
set_key(VECTORS)
equal(learn().stderr, '', 'a larger file is read')
wanted = model()
set_key('')
equal(status()['state'], 'leaving', 'status says that a file is in use which is not named any more')
for i in range(4):
    set_key('')
    learn()
    set_key(VECTORS)
    process = keep(subprocess.Popen(['tarsierd', '--once', '--compact'], stderr=subprocess.DEVNULL))
    let_time_pass(rng.random() * 0.4, 'the kill comes at any moment')
    process.send_signal(signal.SIGKILL)
    process.wait()
    learn()
    ok(model() == wanted, f'kill {i + 1}: the next run has the same words and vectors')
set_key('')
daemon = Daemon()
wait_until('the vectors leave', lambda: query("SELECT value FROM meta WHERE key = 'vectors'") == [(b'',)], 30, 0.1)
ok(subjects_found(word(3, 1)).isdisjoint({'3'}), 'without the key the next idle time learns from the index')
equal(doctor(), None, 'doctor is silent again')
set_key(VECTORS)
daemon.send(signal.SIGHUP)
ok(wait_until('the file is read', lambda: subjects_found(word(3, 1)) == {'3'}, 60, 0.2), 'a running service reads a file that it is told of', log_text(), doctor())
daemon.stop()
finish()
