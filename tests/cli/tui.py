# SPDX-License-Identifier: GPL-3.0-or-later
"""The search as one types, on a terminal that can be read (tmux): finds while a word grows, previews, opens, never shows what a
name or text could do to a terminal, survives narrow windows, and gives the terminal back."""
import os, re, shutil, subprocess, sys, time

if not shutil.which('tmux'):
    print('1..0 # SKIP no tmux')
    sys.exit(0)
home, scratch = os.environ['HOME'], os.environ['TEST_TMP']
docs = home + '/docs'
tests = screens = 0


def ok(good, name, why=''):
    global tests
    tests += 1
    print(f'{"ok" if good else "not ok"} {tests} - {name}', flush=True)
    if not good:
        print('# ' + str(why).replace('\n', '\n# '), flush=True)


def tmux(*args):
    return subprocess.run(['tmux', '-S', f'{scratch}/tmux-{screens}', '-f', '/dev/null', *args], capture_output=True, text=True, timeout=30).stdout


def begin(command, columns=80, lines=24):
    """On a terminal of its own."""
    global screens
    if screens:
        tmux('kill-server')
    screens += 1
    tmux('new-session', '-d', '-x', str(columns), '-y', str(lines), f'{command}; echo "ended with $?"; sleep 600')


def press(*keys):
    tmux('send-keys', *keys)


def sees(name, condition):
    """Waits until the screen is as it should be; then it is returned."""
    end = time.monotonic() + 30
    while True:
        screen = tmux('capture-pane', '-p')
        if condition(screen) or time.monotonic() > end:
            ok(condition(screen), name, screen)
            return screen
        time.sleep(0.05)


def write(name, text):
    with open(f'{docs}/{name}'.encode('utf-8', 'surrogateescape'), 'w') as f:
        f.write(text)


os.makedirs(docs)
write('harbour.txt', 'The ships of the harbour carry lanterns.\n')
write('mountain.html', '<title>A mountain</title><body><p>Lanterns on the path up.</body>')
write('bad\x1b[31m\nname\udcff.txt', 'A lantern in a dark place: \x1b]0;title\x07 ends here.\n')
write('long.txt', 'The first line is not the last.\n' + 'words of no matter\n' * 200 + 'At the end a foghorn.\n')
# a viewer that tells what it was given
os.makedirs(scratch + '/bin')
with open(scratch + '/bin/gio', 'w') as f:
    f.write(f'#!/bin/sh\nprintf "%s\\n" "$2" >>"{scratch}/opened"\n')
os.chmod(scratch + '/bin/gio', 0o755)
os.environ['PATH'] = scratch + '/bin:' + os.environ['PATH']
os.environ['TERM'] = 'xterm-256color'

code = subprocess.run(['tarsier', 'tui'], capture_output=True).returncode
ok(code == 3, 'without an index it says so', code)
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
code = subprocess.run(['tarsier', 'tui'], capture_output=True, text=True, stdin=subprocess.DEVNULL)
ok(code.returncode == 2 and 'terminal' in code.stderr, 'in a pipe it is wrong', code)

begin('tarsier tui')
sees('it begins with an empty query', lambda s: 'Type a search' in s and 'Esc: quit' in s)
press('harb')
sees('half a word finds', lambda s: 'harbour.txt' in s and '1 of 1' in s)
sees('and shows where', lambda s: 'l. 1: The ships of the harbour' in s)
press('C-u', 'lanterns')
screen = sees('the other forms of a word too', lambda s: '1 of 3' in s and 'A mountain' in s)
ok('bad\\x1b[31m\\nname\\xff.txt' in screen, 'a name is escaped', screen)
for _ in range(3):
    press('Down')
screen = sees('the last one is chosen', lambda s: '3 of 3' in s)
press('C-u', 'dark place')
sees('text has nothing for the terminal', lambda s: '1 of 1' in s and 'dark place: ends' in s)
press('Enter')
end = time.monotonic() + 30
while not os.path.exists(scratch + '/opened') and time.monotonic() < end:
    time.sleep(0.05)
with open(scratch + '/opened', 'rb') as f:
    opened = f.read()
ok(opened == docs.encode() + b'/bad\x1b[31m\nname\xff.txt\n', 'Enter opens the file, by its exact name', opened)
sees('and the search is there again', lambda s: '> dark place' in s and '1 of 1' in s)

press('C-u', 'foghorn', 'Tab')
sees('Tab waits for nothing', lambda s: 'foghorn' in s)
press('C-u', 'foghorn')
sees('found', lambda s: '1 of 1' in s and 'long.txt' in s)
press('Tab')
sees('the whole text from its beginning', lambda s: 'The first line is not the last' in s and 'Tab: back' in s)
for _ in range(12):
    press('NPage')
sees('to its end', lambda s: 'At the end a foghorn' in s)
press('Escape')
sees('back to the hits', lambda s: 'Esc: quit' in s and '1 of 1' in s)

press('C-u', 'title:(')
sees('what is wrong with a query is said', lambda s: 'The query ends where a word is expected' in s)
press('C-u', 'lantrens')
sees('what may have been meant too', lambda s: 'did you mean "lanterns"?' in s)
press('C-u', 'mountain', 'C-w', 'harbour', 'Home', 'x', 'DC', 'BSpace', 'h')
sees('keys of the line', lambda s: s.startswith('> harbour\n') and '1 of 1' in s)
write('harbour-two.txt', 'Another harbour.\n')
subprocess.run(['tarsier', '-q', 'index'], check=True)
press('C-u', 'harbour')
sees('what was saved meanwhile is found', lambda s: '1 of 2' in s)

tmux('resize-window', '-x', '24', '-y', '9')
sees('in a narrow window', lambda s: '1 of 2' in s and 'harbour' in s)
tmux('resize-window', '-x', '5', '-y', '2')
sees('in no window at all', lambda s: s.startswith('> ') or s.startswith('>'))
tmux('resize-window', '-x', '80', '-y', '24')
sees('and large again', lambda s: '1 of 2' in s and 'Esc: quit' in s)
press('Escape')
sees('Escape ends it well', lambda s: 'ended with 0' in s)

begin('tarsier tui lanterns', 60, 20)
sees('words on the command line are the first query', lambda s: '1 of 3' in s and '> lanterns' in s)
press('C-c')
sees('an interrupt is 130', lambda s: 'ended with 130' in s)
press('x')
sees('and the terminal echoes again', lambda s: s.rstrip().endswith('x'))
begin('NO_COLOR=1 tarsier tui harbour')
sees('without colours', lambda s: '1 of 2' in s)
styled = tmux('capture-pane', '-p', '-e')
ok('\x1b[1m' in styled and not re.search('\x1b\\[[0-9;]*3[0-7]m', styled), 'there are none', repr(styled))
begin('TERM=nonsense tarsier tui')
sees('a terminal that is not known', lambda s: 'TERM is not set or unknown' in s and 'ended with 2' in s)
tmux('kill-server')
print(f'1..{tests}')
