# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, notes and errors on terminals of 80 and 40 columns, in English and German: no line is wider than
the screen, and no word is broken. In a pipe, a note is one line."""
import fcntl, os, pty, struct, subprocess, sys, termios, unicodedata
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import *

home = os.environ['HOME']
docs = home + '/docs'
languages = {'English': {'LANGUAGE': ''}}
if in_german := german_variables():
    languages['German'] = in_german


def on_terminal(args, columns, env):
    """What the client shows on a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    child = subprocess.Popen(['tarsier', *args], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, start_new_session=True,
                             env=dict(os.environ, TERM='xterm', NO_COLOR='1', PAGER='cat', **env))
    os.close(slave)
    output = b''
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.close(master)
    child.wait(100)
    return output.decode().replace('\r\n', '\n')


def in_pipe(args, env):
    done = subprocess.run(['tarsier', *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, **env))
    return done.stdout.decode()


def cells(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


def too_wide(text, columns):
    """Lines that are wider than the screen though they could be folded."""
    return [line for line in text.split('\n') if cells(line) > columns and may_fold(line, columns)]


def may_fold(line, columns):
    """A word, a quotation and a command are not broken, and a path stands beside its label."""
    text = line.strip()
    if len(text.split()) == 2 and text.split()[1].startswith('/'):
        return False
    return ' ' in text and not text.startswith(('tarsier ', '"', '„')) and not line.startswith('    ')


def words_of(text):
    return text.replace('|', ' ').split()


def whole(name, args, columns, env):
    shown, plain = on_terminal(args, columns, env), in_pipe(args, env)
    ok(f'{name}: no word is broken', words_of(shown) == words_of(plain), [a for a in words_of(shown) if a not in words_of(plain)] or (shown, plain))
    ok(f'{name}: no line is too wide', not too_wide(shown, columns), too_wide(shown, columns))


code, out, _ = tarsier('help')
lines = out.splitlines()
verbs = [line.split()[0] for line in lines[lines.index('Verbs:') + 1:lines.index('Topics:')] if line.strip()]
topics = ['query', 'formats', 'configuration', 'output', 'web']
ok('there are verbs', len(verbs) > 25, verbs)
os.makedirs(docs)
with open(docs + '/a.txt', 'w') as f:
    f.write('The otter swims.\n')
with open(docs + '/broken.pdf', 'w') as f:
    f.write('%PDF-1.4\nbroken\n')
messages = (['search', 'otter', '-n', 'zwei'], ['add', home + '/missing'], ['roots'], ['search', 'otter'], ['nosuchfield:x'], ['pause'], ['open', '7'], ['open', 'milk'],
            ['index'], ['add', 'milk', 'and', 'eggs'], ['staus'], ['similar', home + '/missing'], ['config', 'get', 'nothing'], ['--jsn'], ['list', '--jsn'],
            ['remove'], ['retry'], ['show', '99'], ['--json', 'check'], ['add', '--site'], ['export'], ['web', 'visit', 'https://a.example/'])
for language, env in languages.items():
    for columns in (80, 40):
        for verb in verbs + ['']:
            whole(f'help {verb} in {language} at {columns}', ['help', *([verb] if verb else [])] if verb not in topics else [verb, '--help'], columns, env)
        for topic in topics:
            shown = on_terminal(['help', topic], columns, env)
            ok(f'help {topic} in {language} at {columns}: no line is too wide', not too_wide(shown, columns), too_wide(shown, columns))
        for args in messages:
            whole(f'{" ".join(args)} in {language} at {columns}', args, columns, env)
tarsier('-q', 'add', docs)
tarsier('-q', 'index')
for language, env in languages.items():
    for columns in (80, 40):
        for args in (['otter', 'qqqqzzz'], ['search', 'qqqzzz', '-d', docs], ['wombat', '&', 'eggs'], ['list', 'milk', 'eggs'], ['show', '99'], ['similar', docs + '/a.txt'],
                     ['info', '/x'], ['show', docs + '/missing'], ['saved', 'add', 'x'], ['search', '--passages', '-c', 'x'], ['dups']):
            whole(f'{" ".join(args)} with an index in {language} at {columns}', args, columns, env)
        for args in (['status'], ['doctor'], ['failed'], ['config', 'list'], ['info', docs + '/broken.pdf'], ['formats'], ['roots']):
            shown = on_terminal(args, columns, env)
            ok(f'{" ".join(args)} with an index in {language} at {columns}: no line is too wide', not too_wide(shown, columns), too_wide(shown, columns))

# ---- paths: what is wider than the screen is broken after a slash or a blank, and all of it is shown
deep = docs + '/a directory/with another one below it/and one more/whose name has more than thirty letters'
for name in ('one', 'another'):
    os.makedirs(f'{deep}/{name}')
    with open(f'{deep}/{name}/copied.txt', 'w') as f:
        f.write('Two copies of a text about the heron.\n')
with open(deep + '/broken too.pdf', 'w') as f:
    f.write('%PDF-1.4\nbroken\n')
tarsier('-q', 'index')
for language, env in languages.items():
    for args in (['failed'], ['dups', '--exact'], ['heron', '--dups', 'show', '--no-snippets']):
        narrow, wide = (on_terminal(args, columns, env) for columns in (40, 300))
        name = f'{" ".join(args)} in {language} at 40'
        ok(f'{name}: no line is wider than the screen', max(map(cells, narrow.split('\n'))) <= 40, [l for l in narrow.split('\n') if cells(l) > 40])
        lines = [line.strip() for line in narrow.split('\n')]
        ok(f'{name}: paths are whole', ''.join(lines).replace(' ', '').count((deep + '/').replace(' ', '')) == wide.count(deep + '/') > 0, narrow)
        ok(f'{name}: no word is broken', all(word in wide.replace('/', ' ').split() for line in lines for word in line.replace('/', ' ').split() if word.isalpha()), narrow)
done_testing()
