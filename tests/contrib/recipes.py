# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes of contrib/ find documents and open them: each is started as its host would start it, where the host is
installed."""
import fcntl, importlib.util, os, pty, select, shutil, struct, subprocess, sys, termios, types
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, wait_until

CONTRIB = os.environ['abs_top_srcdir'] + '/contrib/'
HOME = os.environ['HOME']
DOCS, OPENED = HOME + '/docs', HOME + '/opened'
os.makedirs(HOME + '/bin')
os.makedirs(DOCS)
for opener in ('gio', 'xdg-open'):
    with open(f'{HOME}/bin/{opener}', 'w') as f:
        f.write(f'#!/bin/sh\n[ "$1" != mime ] || exit 1\nfor path; do :; done\nprintf "%s\\n" "$path" >>{OPENED}\n')
    os.chmod(f'{HOME}/bin/{opener}', 0o755)
os.environ.update(PATH=HOME + '/bin:' + os.environ['PATH'], TERM='xterm')
for name, text in (('river notes.txt', 'one\ntwo\nAn otter swims.\n'), ("it's; $(touch x).txt", 'A badger digs.\n'), ('page.html', '<title>Herons</title><p>A heron waits.')):
    with open(f'{DOCS}/{name}', 'w') as f:
        f.write(text)
with open(os.fsencode(DOCS) + b'/odd\xff.txt', 'w') as f:
    f.write('A stoat.\n')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)


def installed(program):
    if shutil.which(program):
        return True
    ok(f'{program} # SKIP it is not installed', True)
    return False


def run(*command, **env):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, env=dict(os.environ, **env))
    return done.stdout, done.stderr


def opened():
    if not os.path.exists(OPENED):
        return []
    with open(OPENED) as f:
        return f.read().splitlines()


# ---- rofi: the protocol of rofi-script(5)
def rofi(*words, **env):
    return [line.split('\0') for line in run(CONTRIB + 'rofi/tarsier-rofi', *words, **env)[0].splitlines()]


ok('rofi is told the prompt, and no entry', [entry[0] for entry in rofi()] == ['', ''], rofi())
entries = rofi('otter', ROFI_RETV='2')
ok('rofi shows the hit for the text that was typed', len(entries) == 3 and 'river notes.txt' in entries[2][0] and f'info\x1f{DOCS}/river notes.txt' in entries[2][1], entries)
ok('rofi shows, but cannot choose, a name that it cannot carry', 'nonselectable\x1ftrue' in rofi('stoat', ROFI_RETV='2')[2][1], rofi('stoat', ROFI_RETV='2'))
ok('rofi says that nothing is found', len(rofi('walrus', ROFI_RETV='2')) == 3 and 'nonselectable' in rofi('walrus', ROFI_RETV='2')[2][1], rofi('walrus', ROFI_RETV='2'))
rofi('badger', ROFI_RETV='1', ROFI_INFO=f"{DOCS}/it's; $(touch x).txt")
ok('the hit that is chosen in rofi opens', wait_until('it is opened', lambda: opened() == [f"{DOCS}/it's; $(touch x).txt"]), opened())

# ---- the key of bash, as docs/RECIPES.md has it, with another program in place of fzf
with open(HOME + '/bin/tarsier-fzf', 'w') as f:
    f.write("#!/bin/sh\nprintf 'ein Gr\\303\\274n.txt\\0two\\nlines\\0'\n")
os.chmod(HOME + '/bin/tarsier-fzf', 0o755)
with open(os.environ['abs_top_srcdir'] + '/docs/RECIPES.md') as f:
    recipe = f.read().split('into the line:\n', 1)[1].split('\n## ', 1)[0]
with open(HOME + '/bashrc', 'w') as f:
    f.write(recipe + "\nPS1=\nset +o history\nbind 'set enable-bracketed-paste off'\n")
pid, terminal = pty.fork()
if pid == 0:
    os.environ['LC_ALL'] = 'C.UTF-8'
    os.execvp('bash', ['bash', '--noprofile', '--rcfile', HOME + '/bashrc', '-i'])
os.write(terminal, f"printf '%s\\0' é  last >'{HOME}/inserted.part' && mv '{HOME}/inserted.part' '{HOME}/inserted'".encode())
os.write(terminal, b'\x01' + b'\x1b[C' * len("printf '%s\\0' é ") + b'\x14before\r')


def is_inserted():
    if select.select([terminal], [], [], 0)[0]:
        os.read(terminal, 4096)
    return os.path.exists(HOME + '/inserted')


got = ''
if wait_until('the line is run', is_inserted):
    with open(HOME + '/inserted') as f:
        got = f.read()
ok('Ctrl-T in bash inserts the paths, and goes on behind them', got == 'é\0ein Grün.txt\0two\nlines\0before\0last\0', repr(got))
os.close(terminal)
os.waitpid(pid, 0)
os.unlink(HOME + '/bin/tarsier-fzf')

# ---- fzf, on a pseudo terminal
if installed('fzf'):
    with open(HOME + '/chosen', 'w') as chosen:
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 160, 0, 0))
            os.dup2(chosen.fileno(), 1)
            os.execv(CONTRIB + 'fzf/tarsier-fzf', ['tarsier-fzf', 'badger'])
        seen = b''

        def is_seen(text):
            global seen
            try:
                while select.select([terminal], [], [], 0)[0]:
                    seen += os.read(terminal, 65536)
            except OSError:  # it has ended
                pass
            return text in seen
        ok('fzf lists the hit', wait_until('the hit is listed', lambda: is_seen(b"it's; $(touch x).txt")), seen[-500:])
        ok('fzf shows its text', wait_until('the text is shown', lambda: is_seen(b'digs')), seen[-500:])
        os.write(terminal, b'\r')
        wait_until('fzf ends', lambda: is_seen(b'') or os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
        os.waitpid(pid, 0)
    with open(HOME + '/chosen') as f:
        ok('fzf prints the path that is chosen', f.read() == f"{DOCS}/it's; $(touch x).txt\n", seen[-500:])

# ---- Emacs
if installed('emacs'):
    out, err = run('emacs', '-Q', '--batch', '-l', CONTRIB + 'emacs/tarsier.el', '--eval',
                   '''(let ((hits (tarsier-search "otter")))
                        (princ (format "%d %s" (length hits) (car hits)))
                        (tarsier-visit (car hits))
                        (princ (format " | %s %d" (buffer-file-name) (line-number-at-pos))))''')
    ok('Emacs lists the hit and visits its line', out.startswith('1 ~/docs/river notes.txt  ') and out.endswith(f' | {DOCS}/river notes.txt 3'), (out, err))
    before = len(opened())
    run('emacs', '-Q', '--batch', '-l', CONTRIB + 'emacs/tarsier.el', '--eval', '(tarsier-visit (car (tarsier-search "heron")))')
    ok('Emacs leaves a page to its viewer', wait_until('it is opened', lambda: opened()[before:] == [DOCS + '/page.html']), opened())

# ---- Neovim
if installed('nvim'):
    lua = '''package.path = %r .. ';' .. package.path
        local tarsier = require('tarsier')
        local hits = tarsier.hits('otter')
        vim.ui.select = function(items, options, choose)
          io.stdout:write(#items .. ' ' .. options.format_item(items[1]))
          choose(items[1])
        end
        tarsier.search('otter')
        io.stdout:write(' | ' .. vim.fn.expand('%%:p') .. ' ' .. vim.fn.line('.'))''' % (CONTRIB + 'nvim/?.lua')
    with open(HOME + '/try.lua', 'w') as f:
        f.write(lua)
    out, err = run('nvim', '--headless', '-u', 'NONE', '-c', f'luafile {HOME}/try.lua', '-c', 'qa!')
    ok('Neovim lists the hit and visits its line', out.startswith('1 ~/docs/river notes.txt  ') and out.endswith(f' | {DOCS}/river notes.txt 3'), (out, err))

# ---- GNOME Files: what it makes of a file and of a folder
started = []
nautilus = types.SimpleNamespace(MenuProvider=object, MenuItem=lambda **facts: types.SimpleNamespace(connect=lambda signal, f: started.append((facts, f))))
repository = types.ModuleType('gi.repository')
repository.GObject, repository.Nautilus = types.SimpleNamespace(GObject=type('GObject', (), {})), nautilus
sys.modules.update({'gi': types.ModuleType('gi'), 'gi.repository': repository})
spec = importlib.util.spec_from_file_location('tarsier_nautilus', CONTRIB + 'nautilus/tarsier.py')
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
commands = []
module.run_in_terminal = commands.append


def file(path, is_directory=False):
    return types.SimpleNamespace(get_location=lambda: types.SimpleNamespace(get_path=lambda: path), is_directory=lambda: is_directory)


menu = module.TarsierMenu()
ok('GNOME Files has an entry for a file and for a folder, and none for a place that is not a path',
   [len(menu.get_file_items([file(DOCS + '/page.html')])), len(menu.get_background_items(file(DOCS, True))), len(menu.get_file_items([file(None)])), len(menu.get_background_items(file(None)))] == [1, 1, 0, 0])
for _, activate in started:
    activate(None)
with open(HOME + '/copy.txt', 'w') as f:
    f.write('An otter swims.\n')
ok('they run tarsier', [command[:2] for command in commands] == [['tarsier', 'similar'], ['tarsier', 'tui']], commands)
found = subprocess.run(['tarsier', 'search', '--', commands[1][-1] + 'otter'], capture_output=True, text=True).stdout
ok('the query of a folder finds what is in it', found == DOCS + '/river notes.txt\n', (commands, found))

# ---- Dolphin
with open(CONTRIB + 'dolphin/tarsier.desktop') as f:
    verbs = [line.split(' tarsier ')[1].split()[0] for line in f if line.startswith('Exec=')]
for verb in verbs:
    done = subprocess.run(['tarsier', verb, '--', DOCS + '/page.html'], capture_output=True)
    ok(f'the entry of Dolphin for {verb} runs a verb of the client', done.returncode in (0, 1), done)

# ---- what RECIPES.md promises of all
for recipe in sorted(os.path.relpath(os.path.join(place, name), CONTRIB) for place, _, names in os.walk(CONTRIB) for name in names
                     if name != 'icon.svg' and '__pycache__' not in place):
    with open(CONTRIB + recipe) as f:
        ok(f'{recipe} has at most 60 lines', len(f.readlines()) <= 60)
done_testing()
