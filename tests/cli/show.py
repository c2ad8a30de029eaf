# SPDX-License-Identifier: GPL-3.0-or-later
"""show reads as text on a terminal and in a pipe, and long texts go through the pager; search --long
prints in a pipe what a terminal shows."""
import fcntl, os, pty, re, select, struct, subprocess, sys, termios, time, xml.etree.ElementTree as xml, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok

home, scratch = os.environ['HOME'], os.environ['TEST_TMP']
docs = home + '/docs'


def pipe(*args, **environment):
    done = subprocess.run(['tarsier', *args], capture_output=True, text=True, env=dict(os.environ, **environment))
    return done.stdout


def terminal(*args, columns=80, lines=24, **environment):
    """Returns what the client prints on a terminal, and its exit code."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', lines, columns, 0, 0))
    env = dict({'TERM': 'xterm-256color'}, **environment)
    child = subprocess.Popen(['tarsier', *args], stdin=slave, stdout=slave, stderr=slave, env=dict(os.environ, **env), start_new_session=True)
    os.close(slave)
    output, begun = b'', time.monotonic()
    while time.monotonic() - begun < 60:
        if select.select([master], [], [], 0.05)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            output += piece
    os.close(master)
    return output.decode('utf-8', 'replace').replace('\r\n', '\n'), child.wait(100)


def bare(text):
    return re.sub('\x1b\\[[0-9;]*[mK]|\x1b\\]8;;[!-~]*\x1b\\\\', '', text)


def write(name, text):
    with open(docs + '/' + name, 'w') as f:
        f.write(text)
    return docs + '/' + name


os.makedirs(docs)
page = write('page.html', '<title>Lamps</title><h1>Of oil</h1><p>An oil <b>lamp</b> burns &lt;oil&gt; and ' + 'much more ' * 30 +
             '<p>Second paragraph.<table><tr><td>left<td>right</table><pre>  code\n\tdeep</pre>')
mail = write('letter.eml', 'From: Ada <ada@example.org>\nTo: bob@example.org\nSubject: Lanterns\nDate: Sun, 1 Mar 2026 10:00:00 +0000\n'
             'Content-Type: text/plain\n\nDear Bob,\nthe lanterns are here.\n')
plain = write('plain.txt', 'evil \x1b[31mred\n\nlast line of the lantern\n')
long = write('long.txt', ''.join('line %d of the lantern\n' % i for i in range(300)))
os.makedirs(scratch + '/bin')
with open(scratch + '/bin/my-pager', 'w') as f:
    f.write('#!/bin/sh\necho "paged with $1 and $LESS"; tail -n 1\necho "$HOME" >"$HOME/pager-was-here"\n')
os.chmod(scratch + '/bin/my-pager', 0o755)
os.environ['PATH'] = scratch + '/bin:' + os.environ['PATH']
os.environ.pop('PAGER', None)
os.environ.pop('LESS', None)
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)

# ---- in a pipe
text = pipe('show', page)
ok('show in a pipe has no tags and keeps the signs of the text', 'An oil lamp burns <oil> and' in text and '</' not in text, text)
ok('show separates title, heading and paragraphs by empty lines', text.startswith('Lamps\n\nOf oil\n\nAn oil lamp') and '\n\nSecond paragraph.\n\n' in text, text)
ok('show joins the cells of a table', '\nleft | right\n' in text, text)
ok('show keeps the lines and indents of code', '\n  code\n' in text and '\n\tdeep\n' in text, text)
ok('show in a pipe does not break long lines', max(map(len, text.split('\n'))) > 250, text)
text = pipe('show', mail)
ok('show begins with subject, sender, receivers and date of a mail',
   text.split('\n\n')[0].split('\n')[0] == 'Lanterns' and 'author: Ada' in text and 'recipient: bob@example.org' in text and 'date: 2026-03-01' in text, text)
tree = xml.fromstring(pipe('show', '--xml', page).encode())
ok('show --xml prints well-formed XML', [e.text for e in tree.iter('heading1')] == ['Of oil'], tree)
ok('show --meta prints a line for each fact', 'title: Lamps\n' in pipe('show', '--meta', page))
tree = xml.fromstring(pipe('show', '--xml', '--meta', page).encode())
ok('show --xml --meta prints the facts as XML', [e.text for e in tree.iter('title')] == ['Lamps'] and not list(tree.iter('text')))
ok('show --plain leaves headings and text alone', pipe('show', '--plain', page).startswith('Of oil\nAn oil lamp'), pipe('show', '--plain', page))

# ---- on a terminal
text, code = terminal('show', page, columns=40, lines=60)
ok('show on a terminal wraps paragraphs to its width', code == 0 and all(len(l) <= 40 for l in bare(text).split('\n')), text)
ok('show on a terminal prints headings in bold', '\x1b[1mOf oil\x1b[0m' in text, text)
text, code = terminal('show', plain)
ok('show on a terminal escapes control characters', '\x1b[31m' not in text and 'last line' in text, text)
text, code = terminal('show', '--color=never', page)
ok('show --color=never has no escapes', '\x1b' not in text and 'Of oil' in text, text)

# ---- the pager
text, code = terminal('show', long, PAGER='my-pager --plenty')
ok('a text longer than the terminal goes through PAGER, with its arguments', code == 0 and text == 'paged with --plenty and FRX\nline 299 of the lantern\n', text)
ok('the pager is not confined', os.path.exists(home + '/pager-was-here'))
text, code = terminal('show', plain, PAGER='my-pager')
ok('a short text does not', 'paged' not in text and 'last line' in text, text)
text, code = terminal('show', '--no-pager', long, PAGER='my-pager')
ok('--no-pager prints everything', 'paged' not in text and 'line 0 ' in text and 'line 299 ' in text, text)
for value in ('', 'cat'):
    text, code = terminal('show', long, PAGER=value)
    ok('PAGER=%s turns the pager off' % value, 'line 0 ' in text and 'line 299 ' in text, text)
text, code = terminal('show', long, PAGER='/no/such/pager')
ok('a pager that cannot be started is named, and the text is printed', code == 0 and '/no/such/pager cannot be started' in text and 'line 299 ' in text, text)
text, code = terminal('show', long, PAGER='true')
ok('a pager that ends early is not an error', code == 0 and text == '', (code, text))
text, code = terminal('show', docs + '/missing', PAGER='my-pager')
ok('no pager is started for an error', code == 1 and 'paged' not in text and 'does not exist' in text, text)

with zipfile.ZipFile(docs + '/without-text.zip', 'w') as z:
    z.writestr('inside.txt', 'a member')
subprocess.run(['tarsier', '-q', 'index'], check=True)
done = subprocess.run(['tarsier', 'show', docs + '/without-text.zip'], capture_output=True, text=True)
ok('a document without text is told to have none', done.returncode == 0 and done.stdout == '' and 'has no text' in done.stderr, done)

# ---- search --long
text = pipe('search', '--long', 'lantern')
for number in ('999999', 'id:999999'):
    done = subprocess.run(['tarsier', 'show', number], capture_output=True, text=True)
    ok('show of %s tells that there is no such document, and how a file of this name is written' % number,
       done.returncode == 1 and 'no document with the number 999999' in done.stderr and './' + number in done.stderr, done)
ok('--long prints blocks without escapes in a pipe', '  1 ' in text and docs + '/letter.eml\n' in text and '\x1b' not in text and 'lanterns are here' in text, text)
shown, code = terminal('search', '--color=never', 'lantern')
ok('--long prints what a terminal shows', re.sub(r'(?m)^\d–.*\n', '', shown) == text, (shown, text))
ok('--long --color=always has colours and links', '\x1b[1;33mlantern' in pipe('--long', '--color=always', 'lantern') and '\x1b]8;;file://' in pipe('--long', '--color=always', 'lantern'))
for i in range(30):
    write('many%d.txt' % i, 'plenty %d of these' % i + ' word%d' % i * 60)
subprocess.run(['tarsier', '-q', 'index'], check=True)
text = pipe('search', '--long', '--dups=show', 'plenty')
ok('--long prints as many hits as a pipe gets', len(re.findall(r'/many\d+\.txt\n', text)) == 30, text[-600:])
ok('--json wins over --long', pipe('--json', '--long', 'lantern').startswith('{"type":"begin"'))
ok('-l wins over --long', pipe('-l', '--long', 'oil') == page + '\n')
done_testing()
