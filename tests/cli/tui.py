# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier tui in tmux: it searches with each key, previews and opens hits, escapes control characters,
fits windows of any size and restores the terminal."""
import os, re, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/cli'))
from tmuxtest import *

need('tmux')
home = os.environ['HOME']
docs = home + '/docs'


def begin(command, columns=80, lines=24):
    """Starts the client on a terminal of its own."""
    terminal(f'{command}; echo "ended with $?"; exec cat', columns, lines)


def write(name, text):
    with open(f'{docs}/{name}'.encode('utf-8', 'surrogateescape'), 'w') as f:
        f.write(text)


os.makedirs(docs)
write('harbour.txt', 'The ships of the harbour carry lanterns.\n')
write('mountain.html', '<title>A mountain</title><body><p>Lanterns on the path up.</body>')
write('bad\x1b[31m\nname\udcff.txt', 'A lantern in a dark place: \x1b]0;title\x07 ends here.\n')
write('long.txt', 'The first line is not the last.\n' + 'words of no matter\n' * 200 + 'At the end a foghorn.\n')
# a viewer that records its arguments
os.makedirs(scratch + '/bin')
with open(scratch + '/bin/gio', 'w') as f:
    f.write(f'#!/bin/sh\n[ "$1" = open ] && printf "%s\\n" "$2" >"{scratch}/opened.part" && mv "{scratch}/opened.part" "{scratch}/opened"\n')
os.chmod(scratch + '/bin/gio', 0o755)
os.environ['PATH'] = scratch + '/bin:' + os.environ['PATH']
os.environ['TERM'] = 'xterm-256color'

code = subprocess.run(['tarsier', 'tui'], capture_output=True).returncode
ok(code == 3, 'tui without an index exits with 3', code)
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
code = subprocess.run(['tarsier', 'tui'], capture_output=True, text=True, stdin=subprocess.DEVNULL, start_new_session=True)
ok(code.returncode == 2 and 'terminal' in code.stderr,
   'tui outside of a terminal exits with 2 and says why', code)

begin('tarsier tui')
sees('tui begins with an empty query and names its keys', lambda s: 'Type a search' in s and 'Esc: quit' in s)
press('harb')
sees('the beginning of a word finds documents', lambda s: 'harbour.txt' in s and '1 of 1' in s)
sees('the snippet of the chosen hit shows where the word stands', lambda s: 'l. 1: The ships of the harbour' in s)
press('C-u', 'harbour & lanterns')
sees('what was left out is told beside the count', lambda s: '1 of 1' in s and 'Left out, because it has no letter or digit: &' in s)
press('C-u', 'qqqzzz & lanterns')
sees('and if nothing is found', lambda s: 'Left out' in s and '1 of' not in s)
write('map.txt', 'words of no matter\n' * 100 + 'The map of it all.\n')
write('maple.txt', 'Maple, maple, maples and a mapping.\n')
for i in range(60):
    write(f'many-{i}.txt', f'A quokka, and number {i}.\n')
subprocess.run(['tarsier', '-q', 'index'], check=True)
press('C-u', 'map')
screen = sees('a short word finds documents with words that it begins', lambda s: '1 of 2' in s and 'maple.txt' in s)
ok(screen.index('map.txt') < screen.index('maple.txt'), 'and those that have the word itself come first', screen)
press('C-u', 'quokka')
sees('more hits are found than a screen has', lambda s: '1 of 60' in s)
for _ in range(12):
    press('NPage')
sees('Page Down leads beyond the first hits to the last one', lambda s: '60 of 60' in s)
press('C-u', 'quok', 'C-u', 'map', 'Enter')
wait_until('the viewer is called', lambda: os.path.exists(scratch + '/opened'), 30)
with open(scratch + '/opened', 'rb') as f:
    opened = f.read()
os.remove(scratch + '/opened')
ok(opened == docs.encode() + b'/map.txt\n', 'Enter right after a word opens what that word finds', opened)
sees('and the search is shown again', lambda s: '> map' in s and 'maple.txt' in s)
press('C-u', 'lanterns')
screen = sees('a word finds documents with its inflected forms', lambda s: '1 of 3' in s and 'A mountain' in s)
ok('bad\\x1b[31m\\nname\\xff.txt' in screen, 'control characters in a name are escaped', screen)
for _ in range(3):
    press('Down')
screen = sees('Down moves to the last hit', lambda s: '3 of 3' in s)
press('C-u', 'dark place')
sees('control characters in a text do not reach the terminal', lambda s: '1 of 1' in s and 'dark place: ends' in s)
press('Enter')
wait_until('the viewer is called', lambda: os.path.exists(scratch + '/opened'), 30)
with open(scratch + '/opened', 'rb') as f:
    opened = f.read()
ok(opened == docs.encode() + b'/bad\x1b[31m\nname\xff.txt\n',
   'Enter opens the chosen file by its exact name', opened)
sees('the search is shown again after a file was opened', lambda s: '> dark place' in s and '1 of 1' in s)

press('C-u', 'foghorn', 'Tab')
sees('Tab is taken before the answer to the query has arrived', lambda s: 'foghorn' in s)
press('C-u', 'foghorn')
sees('a word at the end of a long text finds it', lambda s: '1 of 1' in s and 'long.txt' in s)
press('Tab')
sees('Tab shows the whole text at the word', lambda s: 'At the end a foghorn' in s and 'Tab: back' in s)
for _ in range(12):
    press('PPage')
sees('Page Up leads to the beginning of the text', lambda s: 'The first line is not the last' in s)
press('Escape')
sees('Escape leads from the text back to the hits', lambda s: 'Esc: quit' in s and '1 of 1' in s)

def paste(text):
    """As a terminal sends it: a paste in brackets if the program asks for that."""
    tmux('set-buffer', text)
    tmux('paste-buffer', '-p')


before = os.stat(scratch + '/opened').st_mtime_ns
press('C-u')
paste('\nthe first line\tis\r\n  not the last\n')
sees('a pasted text is one query, whose lines and columns are words', lambda s: s.startswith('> the first line is not the last') and 'long.txt' in s)
ok(os.stat(scratch + '/opened').st_mtime_ns == before, 'the end of a pasted line opens nothing')
press('Tab')
sees('the text of the hit is shown', lambda s: 'Tab: back' in s)
paste('foghorn')
sees('a paste into the text changes the query', lambda s: s.startswith('> the first line is not the last foghorn') and 'Esc: quit' in s)
press('C-u')
paste('quokka ' * 700)
sees('a paste that is too long for a query is cut, and told', lambda s: 'left out' in s)
press('C-u', 'quokka')
sees('keys after a paste are keys', lambda s: s.startswith('> quokka\n') and '1 of 60' in s)
press('C-u', 'title:(')
sees('a query with a syntax error is explained', lambda s: 'The query ends where a word is expected' in s)
press('C-u', 'lantrens')
sees('a misspelt word is answered with a suggestion', lambda s: 'Did you mean: lanterns\n' in s)
press('C-u', 'mountain', 'C-w', 'harbour', 'Home', 'x', 'DC', 'BSpace', 'h')
sees('the editing keys change the query at the cursor', lambda s: s.startswith('> harbour\n') and '1 of 1' in s)
write('harbour-two.txt', 'Another harbour.\n')
subprocess.run(['tarsier', '-q', 'index'], check=True)
press('C-u', 'harbour')
sees('a file indexed meanwhile is found by the next query', lambda s: '1 of 2' in s)
os.makedirs(home + '/coast')
with open(home + '/coast/beacon.txt', 'w') as f:
    f.write('A beacon on the cliff.\n')
subprocess.run(['tarsier', '-q', 'add', home + '/coast'], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
press('C-u', 'beacon')
sees('a passage of a file below a root that was added meanwhile is shown', lambda s: 'l. 1: A beacon on the cliff' in s)
press('C-u', 'harbour')
sees('the hits before it are found again', lambda s: '1 of 2' in s)

tmux('resize-window', '-x', '40', '-y', '12')
sees('on 40 columns the last keys are named whole', lambda s: re.search(r'(?m)^(?!.*Enter).*Esc: quit  F1: all keys$', s))
tmux('resize-window', '-x', '36', '-y', '24')
press('F1')
screen = sees('on 36 columns all keys are listed', lambda s: 'Esc, Ctrl-D: go back, quit' in s)
ok('…' not in screen and 'scroll the text' in re.sub(r'\s+', ' ', screen) and 'Ctrl-C quits at once' in re.sub(r'\s+', ' ', screen), 'and their lines are folded, not cut', screen)
press('Space')
sees('a key leads back from the list of keys', lambda s: '1 of 2' in s and 'go back, quit' not in s)
tmux('resize-window', '-x', '40', '-y', '9')
press('F1')
seen = sees('on few lines the keys are told in pages', lambda s: 'Enter: open the hit' in s and 'Any key: back  F1: more' in s)
for page in range(5):
    press('F1')
    seen = sees(f'F1 leads to page {page + 2}', lambda s: s != seen)
    if 'quits at once' in re.sub(r'\s+', ' ', seen):
        break
ok('quits at once' in re.sub(r'\s+', ' ', seen) and 'F1: more' not in seen, 'the last page has the last key', seen)
press('F1')
sees('and F1 leads back', lambda s: '1 of 2' in s)
tmux('resize-window', '-x', '20', '-y', '9')
sees('on 20 columns the key that leads to all others is named', lambda s: s.rstrip().endswith('F1: all keys'))
press('F1')
sees('and in the list the key that leads on', lambda s: s.rstrip().endswith('F1: more'))
press('Space')
tmux('resize-window', '-x', '40', '-y', '14')
press('C-u', 'nosuchfield:x')
screen = sees('a long message takes the rows of the hits', lambda s: 'Unknown field' in s and 'in quotes' in s)
ok('…' not in screen.split('quotes')[0], 'and is not cut', screen)
press('C-u', 'harb')
sees('hits take its place', lambda s: '1 of 2' in s and 'Unknown field' not in s)
tmux('resize-window', '-x', '24', '-y', '9')
sees('a window of 24 columns shows the query and a hit', lambda s: '1 of 2' in s and 'harbour' in s)
tmux('resize-window', '-x', '5', '-y', '2')
sees('a window of 5 columns and 2 lines shows the prompt', lambda s: s.startswith('> ') or s.startswith('>'))
tmux('resize-window', '-x', '80', '-y', '24')
sees('a window that grows again shows everything', lambda s: '1 of 2' in s and 'Esc: quit' in s)
press('Escape')
sees('Escape ends tui with status 0', lambda s: 'ended with 0' in s)

begin('tarsier tui lanterns', 60, 20)
sees('words on the command line are the first query', lambda s: '1 of 3' in s and '> lanterns' in s)
press('C-c')
sees('an interrupt ends tui with status 130', lambda s: 'ended with 130' in s)
press('x')
sees('the terminal echoes again after an interrupt', lambda s: s.rstrip().endswith('x'))
begin('NO_COLOR=1 tarsier tui harbour')
sees('tui works with NO_COLOR', lambda s: '1 of 2' in s)
styled = tmux('capture-pane', '-p', '-e')
ok('\x1b[1m' in styled and not re.search('\x1b\\[[0-9;]*3[0-7]m', styled),
   'tui uses bold but no colours with NO_COLOR', repr(styled))
begin('TERM=nonsense tarsier tui')
sees('tui exits with 2 on an unknown terminal', lambda s: 'TERM is not set or unknown' in s and 'ended with 2' in s)
tmux('kill-server')
done_testing()
