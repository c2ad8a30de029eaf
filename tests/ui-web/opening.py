# SPDX-License-Identifier: GPL-3.0-or-later
"""Viewers that the page of tarsier browse starts: each as often as it is asked for, while other requests
are answered, and without the terminal in which the program runs"""
import os, pty, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

for name in ('one', 'two', 'three', 'four'):
    doc(name + '.txt', f'The marmoset of file {name}.\n')
index()
bin, opened, release = TMP + '/bin', TMP + '/opened', TMP + '/release'
os.makedirs(bin)
os.makedirs(HOME + '/.local/share/applications')


def program(name, script):
    with open(f'{bin}/{name}', 'w') as f:
        f.write('#!/bin/sh\n' + script)
    os.chmod(f'{bin}/{name}', 0o755)


# a viewer in the terminal, for all text; and an opener that ends when somebody writes to "release", or fails at once:
# one that fails after ten seconds counts as one that works
os.mkfifo(release)
with open(HOME + '/.local/share/applications/vi.desktop', 'w') as f:
    f.write('[Desktop Entry]\nType=Application\nName=vi\nExec=vi\nTerminal=true\n')
WAIT = f'cat "{release}"\n'
program('vi', f'echo "vi $*" >>"{opened}"\n{WAIT}')
program('gio', f"""if [ "$1" = mime ]; then echo "Default application for $2: vi.desktop"; exit; fi
tty=no; if ( : </dev/tty ) 2>/dev/null; then tty=yes; fi
interrupts=$(awk '/^SigIgn/ {{ print substr($2, length($2)) }}' /proc/$$/status)
echo "$2 $tty $interrupts" >>"{opened}"
[ "${{2##*/}}" != four.txt ] || exit 1
{WAIT}""")
desktop = {'PATH': bin + ':' + os.environ['PATH'], 'DISPLAY': ':nowhere', 'XDG_DATA_HOME': HOME + '/.local/share'}


def lines():
    return open(opened).read().splitlines() if os.path.exists(opened) else []


def can_be_released():
    """Releases the openers that wait."""
    try:
        os.close(os.open(release, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


class Asked(threading.Thread):
    """An opening, which is waited for beside all else."""

    def __init__(self, page, one, **fields):
        super().__init__(daemon=True)
        self.reply, self.ask = None, lambda: page.post('/open', id=one, fragment=1, **fields)
        self.start()

    def run(self):
        self.reply = self.ask()

    def status(self):
        self.join(120)
        return self.reply and self.reply.status


def release_until_answered(openings):
    """Releases again and again: an opener that has begun need not wait yet."""
    def answered():
        can_be_released()
        return not any(opening.is_alive() for opening in openings)
    wait_until('all are answered', answered, 120)


# in a session of its own, whose terminal is the one that it writes to
master, slave = pty.openpty()
page = Page(env={**desktop, 'TARSIER_BROWSE': PROGRAM}, terminal=(slave, master), through=('sh', '-c', 'shift; exec tarsier browse "$@"', 'sh'))
number = dict(zip(titles(page.search('marmoset')), ids(page.search('marmoset'))))

# ---- others are answered meanwhile
first = Asked(page, number['one.txt'], line=7, q='marmoset')
ok(wait_until('the opener runs', lambda: len(lines()) == 1), 'a file whose viewer needs a terminal is left to the opener')
equal(lines(), [DOCS + '/one.txt no 0'], 'which has no terminal to interrupt it, and takes interrupts')
equal(page.search('marmoset').status, 200, 'while it runs, a search is answered')
ok(first.is_alive(), 'before it has ended')

# ---- each is opened
asked = [Asked(page, number[name + '.txt'], tab='a', q='marmoset') for name in ('two', 'three', 'two')]
ok(wait_until('all run', lambda: len(lines()) == 4), 'what is asked for while it runs is opened too', lines())
equal(sorted(line.split()[0] for line in lines()[1:]), [DOCS + '/' + name for name in ('three.txt', 'two.txt', 'two.txt')], 'each as often as it was asked for')
fourth = Asked(page, number['four.txt'])
ok(wait_until('the last one runs', lambda: len(lines()) == 5), 'as is the next one')
release_until_answered([first, *asked])
equal([first.status(), *(one.status() for one in asked)], [204] * 4, 'all are answered')
equal(fourth.status(), 500, 'one that fails says so')
ok('four.txt could not be opened' in fourth.reply.text, 'and what', fourth.reply.text)
chosen = open(HOME + '/.local/share/tarsier/opened', 'rb').read()
equal(sorted(re.findall(rb'/(\w+)[.]txt', chosen)), [b'one', b'three', b'two', b'two'], 'those that were opened are remembered for their words')



def ended_children(pid):
    """The states of all processes below it that have ended, and that nobody waits for."""
    found = []
    try:
        for child in open(f'/proc/{pid}/task/{pid}/children').read().split():
            stat = open(f'/proc/{child}/stat').read()
            found += [stat] if stat.rsplit(')', 1)[1].split()[0] == 'Z' else ended_children(child)
    except FileNotFoundError:
        pass  # it has been reaped meanwhile
    return found


ok(wait_until('all that ended is reaped', lambda: not ended_children(page.process.pid)), 'no process of them is left', ended_children(page.process.pid))

# ---- the end
last = Asked(page, number['one.txt'])
ok(wait_until('the opener runs again', lambda: len(lines()) == 6), 'an opener runs')
os.kill(page.process.pid, signal.SIGINT)
try:
    code = page.process.wait(60)
except subprocess.TimeoutExpired:
    code = 'it goes on'
equal(code, 130, 'Ctrl-C ends the program at once')
ok(wait_until('the opener still waits', lambda: can_be_released()), 'and not after the opener')
last.join(60)
finish()
