# SPDX-License-Identifier: GPL-3.0-or-later
"""A misspelt query is answered with the query that was meant: the right one first in most cases,
never one that finds no more, and none for a query that is spelt right."""
import json, os, shutil, subprocess, sys
sys.path[:0] = [os.path.join(os.environ['abs_top_srcdir'], 'tests', room) for room in ('daemon', 'cli')]
from daemontest import *
import spellinghome

FLOOR = 0.85
STRANGERS = 60


def run(*arguments, **env):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, timeout=60, env={**os.environ, **env})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def suggested(err):
    """Returns what a message on stderr suggests."""
    return [line[len('Did you mean: '):] for line in err.splitlines() if line.startswith('Did you mean: ')]


texts = HOME + '/texts'
ok(spellinghome.write_texts(texts) > 1000, 'the home has texts')
with open(texts + '/misspelt.txt', 'w') as f:
    f.write('The anual report of a club.\n')
run('-q', 'add', texts)
run('-q', 'index')

# ---- the whole set
ask, answered = spellinghome.ask, {}


def ask_once(query, env=None):
    """The index does not change meanwhile."""
    if query not in answered:
        answered[query] = ask(query, env)
    return answered[query]


spellinghome.ask = ask_once
asked = spellinghome.queries()
ok(len(asked) >= 150, 'there are at least 150 misspelt queries', len(asked))
right, needless, wrong = spellinghome.judge()
ok(right >= FLOOR * (right + len(wrong)), f'the first suggestion is right in {FLOOR:.0%} of them', right, wrong)
ok(needless < 10, 'few of them need no suggestion', needless)
equal(spellinghome.strangers(STRANGERS), [], 'pairs of words that are spelt right get no suggestion')
worse = [(typed, suggestion) for typed, _ in asked[::3] for suggestion, hits in [spellinghome.ask(typed)]
         if suggestion and spellinghome.ask(suggestion)[1] <= hits]
equal(worse, [], 'a suggested query finds more than the typed one')
spellinghome.ask = ask

# ---- words that exist, one letter from frequent ones
for name, text in (('prize', 'The prize is a cup; the prize of last year was a book.'), ('once', 'The prise of bread.')):
    with open(f'{texts}/{name}.txt', 'w') as f:
        f.write(text + '\n')
os.mkdir(texts + '/prices')
for i in range(40):
    with open(f'{texts}/prices/{i}.txt', 'w') as f:
        f.write(f'The price of thing {i} has changed.\n')
run('-q', 'index')
equal(suggested(run('search', 'prise')[2]), ['price'], 'a rare word that no text repeats may be a mistake')
equal(suggested(run('search', 'prize')[2]), [], 'a rare word that a text repeats is meant')
equal(suggested(run('search', 'price', 'prise')[2]), [], 'a word is not corrected to another one of the query')

# ---- long words and other suggestions
equal(suggested(run('search', 'shopping', 'lsit')[2]), ['shopping list'], 'swapped letters')
equal(suggested(run('search', 'acomodasion')[2]), ['accommodation'], 'a long word may have three wrong letters')
equal(suggested(run('search', 'lisd')[2]), ['list'], 'a short one may have one')
end = json.loads(run('search', '--json', 'mal')[1].splitlines()[-1])
others = [end.get('suggestion'), *end.get('other_suggestions', [])]
ok(len(set(others)) == len(others) <= 3 and all(spellinghome.ask(other)[1] for other in others if other), 'other suggestions differ and find something', others)
ok('other_suggestions' not in run('search', '--json', 'shopping', 'list')[1], 'there are none for a query that is right')

code, out, err = run('search', 'shopping', '--lits')
ok('did you mean --list' not in err and '"--lits" is not an option' in err and not suggested(err), 'a misspelt option is not corrected as a word', code, err)

# ---- how it is told
code, out, err = run('search', 'shoping', 'list')
equal((code, out, suggested(err)), (1, '', ['shopping list']), 'the corrected query stands on stderr')
ok('contains the word "shoping".' in err, 'the message names the word that nothing contains', err)
equal(suggested(run('shopping', 'list')[2]), [], 'a query with many hits gets no suggestion')
code, out, err = run('search', '--json', 'shoping', 'list')
equal(json.loads(out.splitlines()[-1])['suggestion'], 'shopping list', 'the end object has the corrected query')
ok('suggestion' not in run('search', '--json', 'shopping', 'list')[1], 'the end object has no suggestion else')
code, out, err = run('search', 'anual', 'report')
ok(code == 0 and out and suggested(err) == ['annual report'], 'a query with a few hits shows them, and the corrected query', out, err)
equal(run('search', '-q', 'shoping', 'list')[1:], ('', ''), '-q suggests nothing')
equal(suggested(run('search', '-c', 'shoping', 'list')[2]), ['shopping list'], '-c suggests a query if it counts nothing')
equal(suggested(run('search', '-0', 'anual', 'report')[2]), ['annual report'], '-0 suggests a query')
equal(suggested(run('search', '"shoping list"')[2]), ["'\"shopping list\"'"], 'a query with signs of the shell is quoted for it')
equal(suggested(run('search', '--', '-xyzzy', 'resturant')[2]), ['-- -xyzzy restaurant'], 'a query that begins with an exclusion is after --')
equal(suggested(run('search', 'Resturant', 'type:text')[2]), ['Restaurant type:text'], 'filters and capitals stay')
equal(suggested(run('search', '-t', 'image', 'resturant')[2]), [], 'a query that finds nothing under the same options is not suggested')
equal(suggested(run('search', '-o', '5', 'resturant')[2]), [], 'a later page suggests nothing')
code, out, err = run('search', 'wensday', 'xyzzyxyzzy')
ok('"wensday"; the nearest word is "wednesday".' in err and not suggested(err), 'if no correction finds anything, the nearest word is named', err)

# ---- verbs
for words, verb in ((['staus'], 'status'), (['serach', 'shopping'], 'search shopping'), (['opn', '3'], 'open 3')):
    ok(run(*words)[2].endswith(f'is not a verb, so it was read as a search; to run the verb, write: tarsier {verb}\n'), f'a misspelt verb is named: {words}')
ok('not a verb' not in run('search', 'staus')[2], 'a search for a word like a verb is one')
code, _, err = run('lists', 'parts')
ok(code == 0 and 'not a verb' not in err, 'a search that finds something is not a misspelt verb', code, err)

# ---- what may be told
for name, text in (('closed', 'floccinaucinihilipilification'), ('gone', 'antidisestablishmentarianism')):
    with open(f'{texts}/{name}.txt', 'w') as f:
        f.write(text + '\n')
run('-q', 'index')
equal(suggested(run('floccinaucinihilipilificaton')[2]), ['floccinaucinihilipilification'], 'a rare word is suggested while it may be read')
equal(suggested(run('floccinaucinihilipilificaton', f'dup:{texts}/closed.txt')[2]), [], 'a query that names a file is not corrected')
os.unlink(texts + '/gone.txt')
equal(suggested(run('antidisestablishmentarianizm')[2]), [], 'a word of a deleted file is not suggested, although it is still in the index')

# ---- words that exist in texts of their own, and keep no company with the others
os.mkdir(texts + '/spanish')
for i in range(12):
    with open(f'{texts}/spanish/{i}.txt', 'w') as f:
        f.write(f'El informe anual {i} del consejo, y otro informe anual.\n')
run('-q', 'index')
equal(suggested(run('search', 'anual', 'leave')[2]), ['annual leave'], 'a word that texts repeat may be wrong beside one that it is never with')
equal(suggested(run('search', 'informe', 'anual')[2]), [], 'it is right beside those that it is with')
equal(suggested(run('search', 'anual')[2]), [], 'it is right alone')
equal(suggested(run('search', 'consejo', 'leave')[2]), [], 'words that are never together are right if no slip makes others of them')

# ---- a vocabulary of words that are all near each other
with open(texts + '/near.txt', 'w') as f:
    letters = 'abcdefghijklmnopqrstuvwxyz'
    f.write(' '.join('qu' + a + b + 'n' + c + 'ity' for a in letters for b in letters for c in letters))
run('-q', 'index')
code, out, err = run('search', 'quanntittyy')
ok(code == 1 and len(suggested(err)) == 1, 'a vocabulary full of near words is answered', code, err)
# ---- compounds that begin with a word that is missing
shutil.rmtree(texts)
os.makedirs(texts + '/german')
for name, text in (('Sommerfest', 'Das Sommerfest beginnt um drei.'), ('zimmer', 'Das Arbeitszimmer ist neu.'), ('frist', 'Die Kündigungsfrist ist lang.'),
                   ('apfelkuchen', 'Rezept'), ('jahreszeit', 'A summer in orbit needs funding.')):
    with open(f'{texts}/german/{name}.txt', 'w') as f:
        f.write(text + '\n')
for i in range(20):
    with open(f'{texts}/german/summer{i}.txt', 'w') as f:
        f.write('The summer, the orbit, the funding.\n')
run('-q', 'index')
for typed, meant in (('Sommer', 'Sommerfest'), ('sommer', 'sommerfest'), ('Arbeit', 'Arbeitszimmer'), ('Kündigung', 'Kündigungsfrist')):
    equal(suggested(run('search', typed)[2]), [meant], f'{typed} begins {meant}, which is nearer than a word of other letters')
equal(suggested(run('search', 'sommerfes')[2]), ['sommerfest'], 'a last letter may be missing')
code, out, err = run('search', 'Kündigung', 'xyzzyxyzzy')
ok('"Kündigung"; the nearest word is "Kündigungsfrist".' in err, 'a compound is told in the spelling that was typed', err)
code, out, err = run('search', 'kuchen')
ok('contains the word "kuchen"; the nearest word is "apfelkuchen".' in err and not suggested(err), 'of a word that others end with, one of them is told', err)
finish()
