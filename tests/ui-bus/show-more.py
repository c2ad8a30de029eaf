# SPDX-License-Identifier: GPL-3.0-or-later
"""What "more" in the search box opens: the terminal that is there, else the page in a browser, else a message that
says what to install. The only programs in PATH are those of this test, so that its machine does not matter."""
import http.cookiejar, os, shutil, signal, subprocess, sys, urllib.parse, urllib.request
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *

bin, log = TMP + '/bin', TMP + '/log'
UNIQUE = 'OR <b>' + os.path.basename(TMP)  # no other test has started a page with it
BROWSE = os.path.join(os.environ['abs_top_builddir'], 'ui-web/tarsier-browse')
# The beginning of the command line of each terminal program; the command that it runs comes after it.
TERMINALS = {'xdg-terminal-exec': [], 'x-terminal-emulator': ['-e'], 'kgx': ['--'], 'ptyxis': ['--'], 'gnome-terminal': ['--'], 'konsole': ['-e'],
             'xfce4-terminal': ['-x'], 'mate-terminal': ['-x'], 'alacritty': ['-e'], 'kitty': [], 'foot': [], 'xterm': ['-e']}
RECORD = f'printf "%s\\n" "${{0##*/}}" "$@" >"{log}.part"; mv "{log}.part" "{log}"\n'
if not os.environ.get('BUS_OF_TEST'):
    os.makedirs(bin)
    for name in ('dbus-run-session', 'dbus-daemon', 'gdbus', 'sh', 'mv', 'tarsier'):
        if shutil.which(name):
            os.symlink(shutil.which(name), f'{bin}/{name}')
os.environ.update(PATH=bin, XDG_CONFIG_HOME=HOME + '/.config', XDG_CURRENT_DESKTOP='', DISPLAY=':bus-test', TARSIER_BROWSE=BROWSE)
os.environ.pop('WAYLAND_DISPLAY', None)
begin()


def program(name, script):
    with open(f'{bin}/{name}', 'w') as f:
        f.write('#!/bin/sh\n' + script)
    os.chmod(f'{bin}/{name}', 0o755)


def recorded():
    """The words of the program that was started; removes the record."""
    if not os.path.exists(log):
        return []
    with open(log) as f:
        words = f.read().split('\n')[:-1]
    os.remove(log)
    return words


def look(text, *options):
    """What the bus starts for "more": its status, what was started and what was said."""
    done = subprocess.run([PROGRAM, *options, '--look', '--', text], capture_output=True, text=True, timeout=60)
    return done.returncode, recorded(), done.stderr


def processes(word):
    """The processes that were started with this word."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/cmdline', 'rb') as f:
                found += [int(pid)] if word.encode() in f.read().split(b'\0') else []
        except OSError:  # it has ended
            pass
    return found


def more(*terms):
    """"More" by the bus; what was started."""
    call(SHELL, 'LaunchSearch', strings(terms), 'uint32 7')
    wait_until('a program is started', lambda: os.path.exists(log))
    return recorded()


os.makedirs(DOCS)
with open(DOCS + '/marmoset.txt', 'w') as f:
    f.write('A marmoset eats <b>apples</b>.\n')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)

# ---- each terminal takes the command in its own way; those that come earlier are missing
for name, option in reversed(TERMINALS.items()):
    program(name, RECORD)
    equal(look("--index it's $HOME"), (0, [name, *option, bin + '/tarsier', 'tui', '--', "--index it's $HOME"], ''), f'{name} runs tui with the words, which are not options')
equal(look('apples', '--index', HOME + '/elsewhere')[1], ['xdg-terminal-exec', bin + '/tarsier', 'tui', '--index', HOME + '/elsewhere', '--', 'apples'], 'the index of the search box is searched')
equal(more('marmoset', 'eats'), ['xdg-terminal-exec', bin + '/tarsier', 'tui', '--', 'marmoset eats'], 'GNOME Shell opens it by the bus')

# ---- terminals that cannot be started
program('xdg-terminal-exec', 'echo "no terminal is configured" >&2; exit 1\n')
os.remove(bin + '/x-terminal-emulator')
os.symlink('/nonexistent/terminal', bin + '/x-terminal-emulator')
status, words, said = look('apples')
equal((status, words[:2]), (0, ['kgx', '--']), 'after a terminal that fails, and one that a link does not lead to, the next one is started')
ok('no terminal is configured' in said and 'xdg-terminal-exec failed with status 1' in said, 'and the log says which failed', said)
for name in TERMINALS:
    os.remove(f'{bin}/{name}')

# ---- without a terminal
status, words, said = look('apples')
ok((status, words) == (5, []) and 'xterm' in said and 'browser' in said, 'with neither a terminal nor a browser, a message says what to install', (status, words, said))
os.makedirs(data + '/applications')
os.makedirs(HOME + '/.config', exist_ok=True)
with open(data + '/applications/browser.desktop', 'w') as f:
    f.write('[Desktop Entry]\nType=Application\nName=Browser\nExec=browser %u\nMimeType=x-scheme-handler/http;\n')
with open(HOME + '/.config/mimeapps.list', 'w') as f:
    f.write('[Default Applications]\nx-scheme-handler/http=browser.desktop\n')
ok(look('apples')[0] == 5, 'so it is if the program of the browser is missing')
program('browser', '')
program('gio', RECORD)
if not os.path.exists(BROWSE):
    skip('without a terminal, the page is opened', 'tarsier was built without libmicrohttpd')
else:
    words = more('marmoset', UNIQUE)
    ok(words[:2] == ['gio', 'open'] and words[2].startswith('http://127.0.0.1:'), 'without a terminal, the page is opened in the browser', words)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    answer = opener.open(words[2], timeout=60)
    page = answer.read().decode()
    ok(urllib.parse.unquote(answer.geturl()).endswith(f'/?q=marmoset {UNIQUE}') and 'marmoset.txt' in page, 'it shows the hits of the search', (answer.geturl(), page[:500]))
    pages = processes(f'marmoset {UNIQUE}')
    for pid in pages:
        os.kill(pid, signal.SIGTERM)
    ok(pages, 'the page is a process of its own')
finish()
