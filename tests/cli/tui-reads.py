# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier tui: the text begins at the hit, $(tarsier tui) prints the choice, narrow windows, F1, Ctrl-Z,
terminals that are dumb, have no UTF-8 or go away."""
import fcntl, os, pty, re, select, shutil, signal, struct, subprocess, sys, termios, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/cli'))
from tmuxtest import *

need('tmux', 'bash')
home = os.environ['HOME']
docs = home + '/docs'


def begin(command, columns=80, lines=24):
    """Starts the command in an interactive shell on a terminal of its own."""
    terminal('PS1="shell> " exec bash --norc --noprofile -i', columns, lines, '-u')
    wait_until('the shell is there', lambda: 'shell>' in tmux('capture-pane', '-p'), 30)
    tmux('send-keys', command + '; echo "ended with $?"', 'Enter')


def write(name, text):
    os.makedirs(os.path.dirname(f'{docs}/{name}'), exist_ok=True)
    with open(f'{docs}/{name}', 'w') as f:
        f.write(text)


filler = 'words of no matter\n' * 60
write('long.txt', 'The first line is not the last.\n' + filler + 'Here a foghorn sounds.\n' + filler + 'Two foghorns: one foghorn and another.\n' + filler)
write('recipes/tartlet.txt', 'Flour and butter.\n')
write('none/report.txt', 'a zeppelin of the year 2019\n')
for year in ('2021', '2022'):
    write(f'archive-of-the-office/annual-papers-and-more/{year}/quarter/final/report.txt', f'a zeppelin of the year {year}\n')
write('grün.txt', 'Grüße aus Köln — ein Nebelhorn…\n')
write('shattered.pdf', '%PDF-1.4 this is none')
write('vacant.txt', '')
os.environ['TERM'] = 'xterm-256color'
for name in ('LC_ALL', 'LC_CTYPE'):
    os.environ.pop(name, None)
os.environ['LANG'] = 'C.UTF-8'
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)

# ---- the text
begin('tarsier tui foghorn')
sees('the hit is found', lambda s: 'long.txt' in s and '1 of 1' in s and 'Here a foghorn' in s)
press('Tab')
sees('Tab shows the text at the first match', lambda s: 'Here a foghorn sounds' in s and 'match 1 of 3' in s and 'The first line' not in s)
ok(re.search('\x1b\\[[0-9;]*7[0-9;]*m(\x1b\\[[0-9;]*m)*foghorn', tmux('capture-pane', '-p', '-e')), 'the current match stands out', repr(tmux('capture-pane', '-p', '-e'))[:1500])
press('n')
sees('n goes to the next match', lambda s: 'Two foghorns' in s and 'match 2 of 3' in s)
press('n', 'n')
sees('after the last match comes the first', lambda s: 'match 1 of 3' in s and 'Here a foghorn' in s)
press('N')
sees('N goes to the match before', lambda s: 'match 3 of 3' in s and 'Two foghorns' in s)
press('x', 'y')
press('Escape')
sees('letters in the text do not change the query', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s)
press('F1')
sees('F1 explains the keys', lambda s: 'next and previous match' in s and 'Any key: back' in s)
press('q')
sees('a key ends the help and does nothing else', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s)

press('C-u', 'shattered')
sees('a file that could not be read is found by its name', lambda s: '1 of 1' in s and 'shattered.pdf' in s)
press('Tab')
sees('Tab says why it has no text, and the hits stay', lambda s: 'it is damaged' in s and 'shattered.pdf' in s and 'Enter: open' in s)
press('C-u', 'vacant')
sees('so is an empty file', lambda s: '1 of 1' in s and 'vacant.txt' in s)
press('Tab')
sees('of which Tab says that it has no text', lambda s: 'It has no text' in s and 'vacant.txt' in s)
press('C-u', 'foghorn')
sees('the hit is found again', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s and 'Here a foghorn' in s)

# ---- job control and size
press('C-z')
sees('Ctrl-Z stops the program and restores the terminal', lambda s: 'Stopped' in s and 'shell>' in s)
press('fg', 'Enter')
sees('fg brings it back', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s)
for columns, lines in ((1, 1), (2, 1), (1, 5), (3, 3), (80, 2)):
    tmux('resize-window', '-x', str(columns), '-y', str(lines))
    wait_until('the window has its size', lambda: tmux('display-message', '-p', '#{pane_width}x#{pane_height}').strip() == f'{columns}x{lines}')
    press('Tab', 'n', 'Tab', 'F1', 'Space')
tmux('resize-window', '-x', '80', '-y', '24')
sees('windows down to one cell do no harm', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s)
press('Escape')
sees('it ends after all that', lambda s: '> foghorn' not in s and s.rstrip().endswith('shell>'))

begin('tarsier tui zeppelin', 44, 12)
screen = sees('a narrow window shows the years that tell two files apart', lambda s: '1 of 3' in s and '2021' in s and '2022' in s)
tmux('resize-window', '-x', '40', '-y', '12')
sees('a narrower one does too', lambda s: '1 of 3' in s and '2021' in s and '2022' in s)

# ---- the choice
begin('chosen=$(tarsier tui foghorn); echo "code $?, chosen <$chosen>"', 100)
sees('in $(...) it draws on the terminal', lambda s: '1 of 1' in s and 'Enter: choose' in s)
press('C-z')
press('Enter')
sees('Enter prints the path of the hit and ends', lambda s: f'code 0, chosen <{docs}/long.txt>' in s)
begin('chosen=$(tarsier tui foghorn); echo "code $?, chosen <$chosen>"', 100)
sees('it draws again', lambda s: '1 of 1' in s)
press('Escape')
sees('Escape chooses nothing', lambda s: 'code 1, chosen <>' in s)
begin('echo input | tarsier tui foghorn -0 | od -c | tail -n 2')
sees('it works between pipes', lambda s: '1 of 1' in s)
press('Enter')
sees('-0 ends the path with NUL', lambda s: 't   x   t  \\0' in s)

begin('chosen=$(tarsier tui); echo "code $?, chosen <$chosen>"', 100)
sees('it draws without a query', lambda s: 'Enter: choose' in s)
press('zeppelin')
screen = sees('three reports are found', lambda s: '1 of 3' in s and sum('report.txt' in line for line in s.split('\n')) >= 3)
third = [line for line in screen.split('\n') if 'report.txt' in line][2]
third = next(name for name in ('2021', '2022', 'none') if name in third)
press('Escape')
sees('nothing is chosen', lambda s: 'code 1, chosen <>' in s)
begin('chosen=$(tarsier tui); echo "code $?, chosen <$chosen>"', 100)
sees('it draws once more', lambda s: 'Enter: choose' in s)
press('zeppelin', 'Down', 'Down', 'Enter')
sees('keys that move wait for the hits', lambda s: 'code 0, chosen <' in s and third in s.replace('\n', '').split('chosen <')[-1])
begin('chosen=$(tarsier tui foghorn); echo "code $?, chosen <$chosen>"', 100)
sees('a hit of a good query', lambda s: '1 of 1' in s)
press('Space', 'size:big')
sees('a query with a fault', lambda s: 'size:big' in s and '1 of 1' not in s)
press('Enter', 'Escape')
sees('Enter chooses no hit of another query', lambda s: 'code 1, chosen <>' in s)

# ---- directories
begin('tarsier tui')
sees('an empty query before words of directories', lambda s: 'Type a search' in s)
press('recipes tartlet')
sees('a word that only the directory has finds the file below it', lambda s: '1 of 1' in s and 'tartlet.txt' in s)
press('Escape')

# ---- a viewer in the terminal
bin = scratch + '/bin'
os.makedirs(bin)
with open(bin + '/gio', 'w') as f:
    f.write('#!/bin/sh\n[ "$1" = open ] || exit 1\ntrap "echo interrupted" INT\necho "viewing $2"; read -r line || read -r line; echo "read <$line>"; read -r line\n')
os.chmod(bin + '/gio', 0o755)
begin(f'PATH={bin}:$PATH DISPLAY= WAYLAND_DISPLAY= tarsier tui foghorn </dev/null', 100)
sees('the input of the client is not a terminal', lambda s: '1 of 1' in s)
press('Enter')
sees('the viewer has the screen', lambda s: f'viewing {docs}/long.txt' in s)
press('C-c')
press('typed', 'Enter')
sees('Ctrl-C ends neither, and the viewer reads from the terminal', lambda s: 'interrupted' in s and 'read <typed>' in s)
press('Enter')
sees('after it, the client is there again', lambda s: s.startswith('> foghorn\n') and '1 of 1' in s)
press('Escape')
sees('it ends as always', lambda s: 'ended with' in s)

with open(bin + '/gio', 'w') as f:
    f.write('#!/bin/sh\nexit 3\n')
begin(f'PATH={bin}:$PATH DISPLAY= WAYLAND_DISPLAY= tarsier tui foghorn </dev/null', 100)
sees('a search before a viewer that fails', lambda s: '1 of 1' in s)
press('Enter')
sees('a viewer that fails is named, and the search stays', lambda s: 'gio failed with status 3' in s and '> foghorn' in s)
press('Escape')
os.remove(bin + '/gio')
os.symlink(shutil.which('tarsier'), bin + '/tarsier')
begin(f'env PATH={bin} DISPLAY= WAYLAND_DISPLAY= tarsier tui foghorn </dev/null', 100)
sees('a search where no viewer is', lambda s: '1 of 1' in s)
press('Enter')
sees('it is told that no viewer is installed, and the search stays', lambda s: 'neither gio nor xdg-open' in s and '> foghorn' in s)
press('Escape')

# ---- terminals
begin('TERM=dumb tarsier tui')
sees('a dumb terminal is refused with its name', lambda s: 'cannot place the cursor' in s and 'TERM=dumb' in s and 'ended with 2' in s)
begin('LC_ALL=C tarsier tui Nebelhorn')
screen = sees('without UTF-8 everything is ASCII', lambda s: '1 of 1' in s and 'aus K' in s)
ok(' bytes - text/plain' in screen, 'the sign between facts is a hyphen then', screen)
ok(all(ord(c) < 128 for c in screen), 'no other character is on the screen', screen)
press('Tab')
screen = sees('so is the text', lambda s: 'match 1 of 1' in s and 'Nebelhorn' in s)
ok(all(ord(c) < 128 for c in screen), 'no other character is in the text', screen)
tmux('kill-server')


def hang_up(name, ignore, wait_for):
    """Closes the terminal under the program; returns how it ends."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))

    def lead():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        if ignore:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
    child = subprocess.Popen(['tarsier', 'tui', 'foghorn'], stdin=slave, stdout=slave, stderr=slave, preexec_fn=lead)
    os.close(slave)
    output = b''

    def is_there():
        nonlocal output
        while select.select([master], [], [], 0)[0]:
            output += os.read(master, 65536)
        return wait_for in output
    wait_until('the program draws', is_there, 30)
    os.close(master)
    ended = wait_until('the program ends', lambda: child.poll() is not None, 10)
    if not ended:
        child.kill()
    ok(ended, name, output[-500:])


hang_up('it ends when the terminal goes away', False, b'sounds')
hang_up('it ends when the terminal goes away and SIGHUP is ignored', True, b'sounds')
hang_up('it ends at once during the first search', True, b'>')


def signalled(number, name, busy=False):
    """Ends the program from outside: the terminal shows what was there before, and pastes are not in brackets any more.
    busy: while it does not wait for a key, but for a viewer."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
    child = subprocess.Popen(['tarsier', 'tui', 'foghorn'], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    output = b''

    def shows(text):
        nonlocal output
        while select.select([master], [], [], 0)[0]:
            output += os.read(master, 65536)
        return text in output
    wait_until('the passage is shown', lambda: shows(b'sounds'), 30)
    if busy:
        os.write(master, b'\r')
        wait_until('the viewer runs', lambda: shows(b'viewing'), 30)
    child.send_signal(number)
    ok(wait_until('the program ends', lambda: child.poll() is not None, 10) and child.returncode == -number, f'{name} ends it as that signal does', child.returncode)
    shows(b'')
    ok(b'\x1b[?2004l' in output and b'\x1b[?1049l' in output.split(b'\x1b[?2004l')[-1], f'and the terminal is restored after {name}', output[-300:])
    child.kill()
    os.close(master)
    os.close(slave)


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signalled(number, number.name)
os.remove(bin + '/tarsier')
with open(bin + '/gio', 'w') as f:
    f.write('#!/bin/sh\n[ "$1" = open ] || exit 1\necho viewing; read -r line\n')
os.chmod(bin + '/gio', 0o755)
os.environ.update(PATH=f'{bin}:{os.environ["PATH"]}', DISPLAY='', WAYLAND_DISPLAY='')
signalled(signal.SIGTERM, 'SIGTERM beside a viewer', True)
done = subprocess.run(['tarsier', 'tui', 'x'], capture_output=True, text=True, stdin=subprocess.DEVNULL, start_new_session=True)
ok(done.returncode == 2 and 'needs a terminal' in done.stderr, 'without any terminal it says so', done)
done_testing()
