# SPDX-License-Identifier: GPL-3.0-or-later
"""search and show confine themselves before they read the index: what they must not do fails inside
of them, and all that users do with them goes on."""
import json, os, pty, shutil, socket, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

build = os.environ['abs_top_builddir']
library = os.path.join(build, 'tests/daemon/.libs/probe-confinement.so')
if not os.path.exists(library):
    skip_all('there is no library to preload')
if 'libasan' in subprocess.run(['ldd', 'ui-cli/tarsier'], cwd=build, capture_output=True, text=True).stdout:
    skip_all('a library is preloaded, which the sanitizer does not allow')

names = ('file', 'movable', 'removable')
secret = os.path.join(HOME, 'secret')
os.makedirs(TREE)
with open(secret, 'w') as f:
    f.write('a marmoset outside of all roots, in a text that is long enough to have a print of its own words')
listener = socket.socket(socket.AF_UNIX)
listener.bind(os.path.join(TREE, 'listener'))
listener.listen()
abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
abstract.bind('\0' + os.path.join(TREE, 'abstract'))
for name in names:
    write(name + '.txt', f'a marmoset in the {name} below a root')
    write(name, 'bytes')
configure()
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
text = os.path.join(TREE, 'file.txt')


def client(*words, **environment):
    return subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=60, env={**os.environ, **environment})


def probe(*words):
    """Returns the tries that succeeded inside of the client, and what it printed."""
    output = TMP + '/probe'
    done = client(*words, LD_PRELOAD=library, PROBE_OUTPUT=output, PROBE_DIRECTORY=TREE, PROBE_SECRET=secret)
    with open(output) as f:
        return sorted(line.split()[0] for line in f if 'allowed' in line), done


did, done = probe('search', '-l', 'marmoset')
equal(did, [], 'search is refused what it does not need')
equal(sorted(done.stdout.split()), sorted(os.path.join(TREE, name + '.txt') for name in names), 'and finds the files')
did, done = probe('show', '--plain', text)
equal(did, [], 'show is refused what it does not need')
ok('in the file below' in done.stdout, 'and shows the text', done)
did, done = probe('search', '--json', 'marmoset')
equal(did, [], 'search with passages is refused what it does not need')
ok('in the file below' in done.stdout, 'and shows the passages', done)
did, done = probe('search', '-l', f'near:{secret}')
equal(did, ['list', 'read'], 'near:FILE may read the file that it names, wherever it is, and nothing more is allowed')
equal(done.returncode, 1, 'near:FILE outside of the roots is answered')
did, done = probe('info', text)
equal(did, [], 'info is refused what it does not need')
ok('file.txt' in done.stdout and 'ok' in done.stdout, 'and tells about the file', done)
for verb in ('list', 'failed'):
    did, done = probe(verb)
    equal(did, [], verb + ' is refused what it does not need')
did, done = probe('info', secret)
equal(did, [], 'so it is for a file outside of the roots')
ok('watched' in done.stdout, 'and says why it is not in the index', done)
did, done = probe('mcp')
if 'jansson' not in done.stderr:
    equal((did, done.returncode, done.stdout), ([], 0, ''), 'mcp is refused what it does not need, before it reads a request')
shutil.copy(text, text + '.copy')
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
did, done = probe('dups')
equal(did, [], 'dups is refused what it does not need')
ok('file.txt.copy' in done.stdout, 'and compares the bytes of the files', done)
did, done = probe('similar', text)
equal(did, ['list', 'read'], 'similar may read the file that it is given, wherever it is, and nothing more is allowed')
ok('file.txt.copy' in done.stdout, 'and finds its copy', done)
os.remove(text + '.copy')
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
did, done = probe('search', '-x', 'true', '{}', ';', 'marmoset')
equal((did, done.returncode), ([], 0), 'so is a search that starts programs of the user')
written = os.path.join(HOME, 'written')
done = client('search', '-x', 'sh', '-c', f'cat "$1" "{secret}" >"{written}"', 'sh', '{}', ';', 'name:file.txt')
with open(written) as f:
    ok('in the file below' in f.read(), 'to which it hands no confinement down', done)
os.mkdir(TMP + '/bin')
for name in ('gio', 'xdg-open'):
    with open(f'{TMP}/bin/{name}', 'w') as f:
        f.write(f'#!/bin/sh\nfor file; do :; done\ncat "$file" "{secret}" >"{written}.$$" && mv "{written}.$$" "{written}"\n')
    os.chmod(f'{TMP}/bin/{name}', 0o700)
os.environ['PATH'] = TMP + '/bin:' + os.environ['PATH']
for words in (['search', '--open', 'name:file.txt'], ['open', f'id:{json.loads(client("info", "--json", text).stdout)["id"]}']):
    os.remove(written)
    did, done = probe(*words)
    equal((set(did) - {'list', 'read'}, done.returncode), (set(), 0), f'{words[0]} that opens a file is refused what it does not need')
    wait_until('the viewer is called', lambda: os.path.exists(written))
    with open(written) as f:
        ok('outside of all roots' in f.read(), 'and its viewer is not', done)
output = TMP + '/probe'
process, terminal = pty.fork()
if process == 0:
    os.environ.update(LD_PRELOAD=library, PROBE_OUTPUT=output, PROBE_DIRECTORY=TREE, PROBE_SECRET=secret, TERM='xterm')
    os.execlp('tarsier', 'tarsier', 'tui')
screen = b''
while b'Esc' not in screen:
    screen += os.read(terminal, 65536)
os.write(terminal, b'\x1b')
try:
    while os.read(terminal, 65536):
        pass
except OSError:
    pass  # it ended
code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
with open(output) as f:
    did = sorted(line.split()[0] for line in f if 'allowed' in line)
equal((did, code), (['list', 'read'], 0), 'tui is refused what it does not need')

said = client('doctor').stdout
ok('ok  confinement: tarsier: full\n' in said, 'doctor names the level of the client', said)
for name in ('tarsier-bus', 'tarsier-browse'):
    program = f'{build}/ui-{name[8:].replace("browse", "web")}/{name}'
    variable = name.upper().replace('-', '_')
    wanted = 'full' if os.path.exists(program) else 'not installed'
    said = subprocess.run(['tarsier', 'doctor'], env=dict(os.environ, **{variable: program}), capture_output=True, text=True, timeout=60).stdout
    ok(f'ok  confinement: {name}: {wanted}\n' in said, f'of {name}', said)
    said = subprocess.run(['tarsier', 'doctor'], env=dict(os.environ, **{variable: '/bin/true'}), capture_output=True, text=True, timeout=60).stdout
    ok(f'!!  confinement: {name}: none' in said, f'and that another program in place of {name} has none', said)
built = os.path.exists(os.path.join(build, 'fetch/tarsier-fetch'))
ok(('ok  confinement: tarsier-fetch: full\n' if built else 'ok  sites and feeds: not built') in said, 'and of the program that asks the network', said)

# ---- the user's work
done = client('search', '-x', 'cat', '{}', ';', 'name:file.txt')
equal(done.stdout, 'a marmoset in the file below a root', '-x runs a program')
shutil.rmtree(os.path.join(os.environ['XDG_RUNTIME_DIR'], 'tarsier'), ignore_errors=True)
done = client('search', '--json', 'marmoset')
equal(os.path.exists(os.path.join(os.environ['XDG_RUNTIME_DIR'], 'tarsier', 'last-search')), True, 'the last search is kept in a directory that was missing')

link = os.path.join(HOME, 'link')
os.symlink(TREE, link)
configure(roots=[link])
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
done = client('show', '--plain', os.path.join(link, 'file.txt'))
ok('in the file below' in done.stdout, 'show reads below a root that is a symbolic link', done)

other = os.path.join(HOME, 'other')
shutil.copytree(Daemon.index, other)
configure(roots=[os.path.join(HOME, 'elsewhere')])
done = client('show', '--plain', '--index', other, os.path.join(link, 'file.txt'))
ok('in the file below' in done.stdout, 'show reads below the roots of an index that was chosen without its configuration', done)
daemon = Daemon()
done = client('search', '--wait', '-l', 'nothinglikethis')
equal(done.returncode, 1, 'search --wait asks the daemon')
daemon.stop()
done = client('search', '--wait', '-l', 'nothinglikethis')
equal(done.returncode, 3, 'search --wait says that there is no daemon')
finish()
