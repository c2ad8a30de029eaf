#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""meaning.py: documents about the subject of a query come earlier once the index has learned it, and the configuration and a
small index switch that off."""
import json, os, re, sqlite3, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok


def is_(what, got, wanted):
    ok(what, got == wanted, (got, wanted))


HOME = os.environ['HOME']
DOCS = HOME + '/docs'
INDEX = os.environ.get('XDG_DATA_HOME', HOME + '/.local/share') + '/tarsier/index.db'
SUBJECTS, WORDS = 30, 10


def word(subject, i):
    return 'x' + chr(97 + subject // 6) + chr(97 + subject % 6) + chr(97 + i % WORDS)


def write(name, text):
    with open(f'{DOCS}/{name}', 'w') as f:
        f.write(text + '\n')


def learn():
    subprocess.run(['tarsierd', '--once', '--compact'], check=True)


def names(*options):
    out = subprocess.run(['tarsier', 'search', '-n', '30', '--json', '--no-snippets', '--dups', 'show', *options, '--', 'lamp xaaa'], stdout=subprocess.PIPE).stdout.decode()
    return [os.path.basename(h['path']) for h in map(json.loads, out.splitlines()) if h['type'] == 'hit']


def ask(sql):
    db = sqlite3.connect(f'file:{INDEX}?mode=ro', uri=True)
    (answer,) = db.execute(sql).fetchone()
    db.close()
    return answer


def ships(found):
    return sum(name.startswith('ship') for name in found)


os.makedirs(DOCS)
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
for i in range(60):
    first, other = i < 10, 10 <= i < 35
    write(f'{"other" if other else "ship"}{i}.txt', (
        'lamp xaaa lamp xaaa lamp xaaa xaab xaac xaad' if first else 'lamp xaaa in another text' if other else
        'lamp xaaa xaab xaac xaad xaae xaaf xaag') + f' page{i}')
learn()
before = names()
is_('a small index learns nothing', ask('SELECT count(*) FROM meaning_word'), 0)
def note(*arguments):
    run = subprocess.run(['tarsier', 'search', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, run.stderr.decode()


code, err = note('--meaning', 'lamp')
ok('--meaning says that nothing was learned, and finds words', code == 0 and 'finds nothing yet' in err and '300' in err, (code, err))
code, err = note(f'related:{DOCS}/ship0.txt')
ok('so does related:', code == 2 and 'finds nothing yet' in err and '300' in err, (code, err))
ok('--explain says that nothing was learned', 'not learned' in subprocess.run(
    ['tarsier', '--explain', 'lamp', 'xaaa'], stdout=subprocess.PIPE, stderr=subprocess.PIPE).stderr.decode())

for i in range(SUBJECTS * WORDS):
    write(f'subject{i}.txt', ' '.join('the ' + word(i % SUBJECTS, i // SUBJECTS + k) for k in (1, 2, 4, 5, 7, 8)) + f' page {i}')
subprocess.run(['tarsierd', '--once'], check=True)
before = names()
learn()
after = names()
is_('every document has a vector', ask('SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector'), 360)
ok('texts about the subject come earlier', ships(after) > ships(before))
is_('the index is consistent', subprocess.run(['tarsier', 'check'], stdout=subprocess.DEVNULL).returncode, 0)

def explain(*options):
    run = subprocess.run(['tarsier', '--explain', '--no-snippets', '--dups', 'show', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    head, _, tail = run.stderr.decode().partition('Latent semantics:\n')
    return tail.splitlines()


def hits(*arguments):
    out = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', *arguments], stdout=subprocess.PIPE).stdout.decode()
    return [line for line in map(json.loads, out.splitlines()) if line['type'] == 'hit']


lines = explain('lamp', 'xaaa')
shares = [h.get('meaning_share', 0) for h in hits('--dups', 'show', 'lamp', 'xaaa')]
ok('JSON has the share of latent semantics in the score', len(shares) == 60 and max(shares) > 0.05 and max(shares) <= 1 / 3 + 1e-9, shares)
ok('texts of the subject have a larger one', shares[0] > shares[-1], shares)
is_('--explain tells the share in each score', [re.sub(r' of the score.*', '', line) for line in lines],
    [f'  hit {i + 1}: {share * 100:.0f} %' for i, share in enumerate(shares)])
for what, words, reason in (('a single word', ['lamp'], 'several plain words'), ('few matches', ['xabb', 'xacc'], 'too few matches'),
                            ('another order', ['-s', 'date', 'lamp', 'xaaa'], 'another order')):
    lines = explain(*words)
    ok(f'--explain says why {what} has none', len(lines) >= 1 and reason in lines[0], lines)

def search(*arguments):
    run = subprocess.run(['tarsier', 'search', '--no-snippets', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def text(hit):
    with open(hit['path']) as f:
        return f.read()


# Document i is about subject i % 30; word i / 30 of the subject is not in it.
found = hits('--dups', 'show', '--meaning', 'xbba')
plain = hits('--dups', 'show', 'xbba')
by_meaning = [h for h in found if h.get('by_meaning')]
is_('--meaning keeps the hits that have the word first', [h['id'] for h in found[:len(plain)]], [h['id'] for h in plain])
is_('and says of each other one that it has not', [h['id'] for h in found if 'xbba' not in text(h)], [h['id'] for h in by_meaning])
ok('these are the documents of the subject', len(plain) + len(by_meaning) == WORDS and all('xbb' in text(h) for h in by_meaning), found)
ok('the nearest first', [h['likeness'] for h in by_meaning] == sorted((h['likeness'] for h in by_meaning), reverse=True), by_meaning)
is_('--count counts them', search('--meaning', '-c', '--dups', 'show', 'xbba')[1], f'{WORDS}\n')
is_('the page goes on with them', [h['id'] for h in hits('--dups', 'show', '--meaning', '-o', str(len(plain)), 'xbba')], [h['id'] for h in by_meaning])
is_('filters hold for them', [h['id'] for h in hits('--dups', 'show', '--meaning', 'xbba', 'ext:pdf')], [])
excluded = hits('--dups', 'show', '--meaning', 'xbba', '-xbbd')
ok('excluded words do, too', any(h.get('by_meaning') for h in excluded) and not any('xbbd' in text(h) for h in excluded), excluded)
two = hits('--dups', 'show', '--meaning', 'xbba', 'xbbb')
is_('what has some of the words is found by meaning', [bool(h.get('by_meaning')) for h in two], [not ('xbba' in text(h) and 'xbbb' in text(h)) for h in two])
code, out, err = search('--long', '--dups', 'show', '--meaning', 'xbba')
is_('each block says it', out.count('by meaning, not all the words'), len(by_meaning))
ok('and a note how many they are', f'{len(by_meaning)} hits were found by meaning' in err, err)
for wrong in ('--soft', '--passages', '--reverse', '--sort=date'):
    is_(f'--meaning refuses {wrong}', search('--meaning', wrong, 'xbba')[0], 2)
ok('names have no meaning', 'needs words' in search('--meaning', 'filename:xbba')[2])

some = plain[0]['path']
subject = hits('--dups', 'show', 'related:' + some)
ok('related: finds the documents of the subject of a file', len(subject) == WORDS and all('xbb' in text(h) for h in subject), subject)
nearest = [h['path'] for h in subject if round(h['likeness'], 6) == 1]
ok('the file itself is among the nearest', some in nearest and nearest[0] == subject[0]['path'], (some, subject[:3]))
ok('and the others follow by likeness', [h['likeness'] for h in subject] == sorted((h['likeness'] for h in subject), reverse=True))
without = hits('--dups', 'show', 'related:' + some, '-xbbc')
is_('without some word the order stays', [h['id'] for h in without], [h['id'] for h in subject if 'xbbc' not in text(h)])
is_('with words they rank', sorted(h['id'] for h in hits('--dups', 'show', 'xbbc', 'related:' + some)), sorted(h['id'] for h in subject if 'xbbc' in text(h)))
is_('NOT related: finds the rest', len(hits('--dups', 'show', 'xbbc OR xcca', f'-related:{some}')), len(hits('--dups', 'show', 'xcca')))
with open(HOME + '/outside.txt', 'w') as f:
    f.write('notes about xbbd and xbbe and xbbg\n')
is_('a file need not be in the index', {h['id'] for h in hits('--dups', 'show', f'related:{HOME}/outside.txt')}, {h['id'] for h in subject})
subprocess.run(['tarsier', 'search', '-n', '5', 'xbba'], stdout=subprocess.DEVNULL)
is_('related:1 is the first hit of the last search', len(hits('--dups', 'show', 'related:1')), WORDS)
with open(HOME + '/strange.txt', 'w') as f:
    f.write('nothing that anybody learned\n')
code, out, err = search(f'related:{HOME}/strange.txt')
ok('a file without known words is an error', code == 2 and 'no words whose subject' in err, (code, err))
ok('so is a file that is not there', search(f'related:{HOME}/missing.txt')[0] != 0)

subprocess.run(['tarsier', '-q', 'config', 'set', 'search.meaning', 'false'], check=True)
ok('--explain says that the configuration leaves it out', 'search.meaning' in explain('lamp', 'xaaa')[0])
is_('the configuration leaves it out', names(), before)
subprocess.run(['tarsier', '-q', 'config', 'set', 'search.meaning', 'true'], check=True)
is_('and in', names(), after)

write('new.txt', 'the xabb the xabc the xabd')
subprocess.run(['tarsierd', '--once'], check=True)
is_('a new document is folded in', ask('SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector'), 361)
os.unlink(DOCS + '/new.txt')
subprocess.run(['tarsierd', '--once'], check=True)
is_('the vector of a deleted one is gone', ask('SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector'), 360)

for i in range(100):
    os.unlink(f'{DOCS}/subject{i}.txt')
learn()
is_('an index that became small forgets', ask('SELECT count(*) FROM meaning_word') + ask('SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector'), 0)
done_testing()
