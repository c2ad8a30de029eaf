# SPDX-License-Identifier: GPL-3.0-or-later
"""The hit that everybody expects is the first one: bench/obvious_home.py writes the files and says
which. Every class has its own floor, so that one cannot pay for another."""
import json, os, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'bench'))
sys.dont_write_bytecode = True
from daemontest import *
from obvious import open_ended, score
from obvious_home import build, pdf

# The mean of 1 / rank that each class reaches.
FLOORS = {'title': 1, 'title begins': 1, 'name': 1, 'pasted name': 1, 'same order': 0.96,
          'live': 1, 'recency': 1, 'directory': 1, 'path': 1, 'same signs': 1, 'rubbish title': 1}
# The same while the last word is still being typed.
TYPED_FLOORS = {'title': 1, 'title begins': 1, 'name': 1, 'same order': 0.95, 'live': 1, 'recency': 1, 'rubbish title': 1}


def run(*arguments):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors='replace')


tree = os.path.join(HOME, 'people')
os.mkdir(tree)
pairs = build(tree)
ok(len(pairs) >= 150, 'there are at least 150 pairs', len(pairs))
equal(len({(query, wanted) for _, query, wanted in pairs}), len(pairs), 'every pair is another')
with open(os.path.join(tree, 'Documents/plain.pdf'), 'wb') as f:
    f.write(pdf('Untitled', 'A gannet is in this text, and all of it has one size. ' * 9))
run('-q', 'add', tree)
run('-q', 'index')

environment = dict(os.environ, HOME=tree, XDG_CONFIG_HOME=os.environ.get('XDG_CONFIG_HOME', HOME + '/.config'),
                   XDG_DATA_HOME=os.environ.get('XDG_DATA_HOME', HOME + '/.local/share'),
                   XDG_CACHE_HOME=os.environ.get('XDG_CACHE_HOME', HOME + '/.cache'))
classes = score(pairs, tree, environment, verbose=True)
for name, floor in FLOORS.items():
    mean = sum(classes[name]) / len(classes[name])
    ok(mean >= floor - 0.0005, f'the expected hit is first: {name}', f'{mean:.3f} of {floor}')
typed = score(open_ended(pairs), tree, environment, verbose=True)
for name, floor in TYPED_FLOORS.items():
    mean = sum(typed[name]) / len(typed[name])
    ok(mean >= floor - 0.0005, f'it is first while the last word is typed: {name}', f'{mean:.3f} of {floor}')


def answer(query):
    """Returns the exit code, the notes and the paths that were found."""
    code, out, err = run('search', '--json', '--no-snippets', '--', query)
    lines = [json.loads(line) for line in out.splitlines()]
    return code, lines[0].get('notes', []) if lines else err, [os.path.relpath(l['path'], tree) for l in lines if l['type'] == 'hit']


# ---- titles that nobody chose
def title_of(query, path):
    """Returns the title that is shown for a file."""
    _, out, _ = run('search', '--json', '--no-snippets', '--', query)
    return [l['title'] for l in map(json.loads, out.splitlines()) if l['type'] == 'hit' and l['path'] == os.path.join(tree, path)]


equal(title_of('glacier retreat figures', 'Documents/scans/s002.odt'), ['Glacier retreat figures'], 'the heading is shown instead of a title that nobody chose')
equal(title_of('harbour cranes inspection', 'Documents/scans/s000.pdf'), ['Harbour cranes inspection'], 'without bookmarks, what stands largest on the first page is the heading of a PDF')
equal(title_of('comment:final3', 'Documents/scans/s000.pdf'), ['Harbour cranes inspection'], 'the words of such a title are a comment')
equal(title_of('gannet', 'Documents/plain.pdf'), [None], 'no title is shown if there is no heading either')
equal(title_of('title:final3', 'Documents/scans/s000.pdf'), [], 'and no title')
equal(title_of('microsoft word shortcuts', 'Documents/tips/word.html'), ['Microsoft Word shortcuts'], 'a title that somebody chose is shown')


# ---- names that begin with the query or match its pattern, before texts that mention it
desk = os.path.join(tree, 'desk')
for name, text in (('lease_v2.1.txt', 'Between the parties the following is agreed.\n'), ('leases.txt', 'Of the lease, and of a lease again: lease.\n'),
                   ('lease.txt', 'Nothing is written here.\n'), ('ledger-north.txt', 'figures\n'), ('ledger-south.jpg', 'no picture\n'),
                   ('ledgers.txt', 'The ledger of the north, ledger of the south; ledger-east.jpg and ledger-west.jpg, ledger, ledger jpg.\n'),
                   ('other.txt', 'ledgers ledger ledger-north, ledger-north, ledger-east.jpg\n')):
    os.makedirs(desk, exist_ok=True)
    with open(os.path.join(desk, name), 'w') as f:
        f.write(text)
for i in range(12):
    with open(os.path.join(desk, f'terms{i}.txt'), 'w') as f:
        f.write(f'The tenant of house {i} has read the lease, and all other terms of the contract that he signs.\n')
run('-q', 'index')
equal([os.path.basename(path) for path in answer('lease dir:desk')[2][:3]], ['lease.txt', 'leases.txt', 'lease_v2.1.txt'],
      'a name that is the word comes first, then other forms of it and names that go on, then texts that mention it')
equal([os.path.basename(path) for path in answer('ledger*.jpg dir:desk')[2][:1]], ['ledger-south.jpg'], 'the name that matches a pattern comes before texts that match it')
equal([os.path.basename(path) for path in answer('ledg?r-north dir:desk')[2][:1]], ['ledger-north.txt'], 'so does a name that matches without its ending')
equal(sorted(os.path.basename(path) for path in answer('ledger* dir:desk')[2][:3]), ['ledger-north.txt', 'ledger-south.jpg', 'ledgers.txt'],
      'so do names that begin with the word before a star')

with zipfile.ZipFile(os.path.join(desk, 'notes.zip'), 'w') as z:
    for name in ('aaa', 'meteors', 'sky', 'zzz'):
        z.writestr(f'{name}.txt', f'The meteor of {name} was seen by all. ' + 'It burnt out over the northern sea. ' * 3)
run('-q', 'index')
equal(run('search', '-l', '--dups=show', '*eteor* dir:desk')[1].split('\n')[0], desk + '/notes.zip|meteors.txt',
      'a member whose name matches a pattern comes before those whose text alone does')


# ---- paths that do not exist, and what is not a path
code, notes, found = answer(tree + '/elsewhere/birthdays.txt')
ok(found[:1] == ['Documents/private/birthdays.txt'] and len(notes) == 1 and 'no file' in notes[0], 'a file of the name of a missing path is found, with a note', notes, found)
code, notes, found = answer(tree + '/src/tool/main.c:12:5: error: expected token')
ok(found[:1] == ['src/tool/main.c'] and len(notes) == 1 and 'error: expected token' in notes[0], 'what is left out after a path is told', notes, found)
equal(answer(tree + '/src/tool/main.c:12:')[1], [], 'a line number after a path needs no note')
for query in ('/', '//', '/a', '/a/', '/*', 'file://', 'file:///%00', 'file:///%zz/b', '~/', './', '../..', '/x/' + 'y' * 3000, '"/a/b', '/a/b OR', '/\u2014/\u2014'):
    code, notes, found = answer(query)
    ok(code in (0, 1) or (code == 2 and '^' in notes), f'an odd path is answered or told: {query[:20]}', code, notes)
finish()
