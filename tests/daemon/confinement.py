# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsierd confines itself: what it must not do fails inside of it, and its work goes on, on kernels
with less too."""
import json, os, shutil, signal, socket, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

build = os.environ['abs_top_builddir']
library = os.path.join(build, 'tests/daemon/.libs/probe-confinement.so')
weaken = os.path.join(build, 'tests/extractors/weaken')
if not os.path.exists(library):
    skip_all('there is no library to preload')
calls = ('inet', 'inet6', 'netlink', 'connect', 'executable-memory', 'unshare', 'clone', 'ptrace', 'read-process', 'key',
         'link', 'symlink', 'times', 'owner', 'personality', 'terminal')
files = ('write', 'cut', 'create', 'rename', 'remove', 'execute', 'read', 'list')
scoped = ('signal', 'abstract')
# These succeed in every unconfined process.
sure = ('inet', 'connect', 'executable-memory', 'ptrace', 'read-process', 'link', 'symlink', 'times', 'owner', 'personality', *files, *scoped)

os.makedirs(TREE)
secret = os.path.join(HOME, 'secret')
with open(secret, 'w') as f:
    f.write('outside of all roots')
listener = socket.socket(socket.AF_UNIX)
listener.bind(os.path.join(TREE, 'listener'))
listener.listen()
abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
abstract.bind('\0' + os.path.join(TREE, 'abstract'))
configure()


def probe(*wrapper):
    """Returns what a daemon could do inside, and its status."""
    for name in os.listdir(TREE):
        if name != 'listener':
            os.remove(os.path.join(TREE, name))
    for name in ('file', 'movable', 'removable'):
        write(name, 'a file below a root')
    output = TMP + '/probe'
    daemon = Daemon(wrapper=[*wrapper, shutil.which('env'), f'LD_PRELOAD={library}', f'PROBE_OUTPUT={output}', f'PROBE_DIRECTORY={TREE}',
                             f'PROBE_SECRET={secret}'])
    daemon.sync()
    status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True).stdout)
    doctor = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
    equal([line for line in doctor.splitlines() if 'confinement: tarsierd: ' + status['confinement'] in line
           and line.startswith('ok' if status['confinement'] == 'full' else '!!')] != [], True, f'doctor judges the daemon: {status["confinement"]}')
    daemon.stop()
    with open(output) as f:
        return dict(line.split() for line in f), status


def refused(name, *wrapper, names=(*calls, *files, *scoped), level='full'):
    did, status = probe(*wrapper)
    equal([each for each in names if did[each] != 'refused'], [], f'{name}: the daemon is refused what it does not need')
    equal(status['confinement'], level, f'{name}: status --json names the level of the daemon')
    equal(status['roots_launcher'], level, f'{name}: and that of its launcher of agents')
    same(f'{name}: the index equals the file system')


if 'libasan' in subprocess.run(['ldd', 'daemon/tarsierd'], cwd=build, capture_output=True, text=True).stdout:
    skip_all('a library is preloaded, which the sanitizer does not allow')
refused('this kernel')
if os.path.exists(weaken):
    for abi in (1, 3, 5):
        refused(f'Landlock {abi}', weaken, f'landlock={abi}', names=(*calls, *files) if abi >= 3 else [n for n in (*calls, *files) if n != 'cut'])
    refused('no Landlock', weaken, 'landlock_create_ruleset', names=calls, level='seccomp')
    refused('no seccomp', weaken, 'seccomp', names=(*files, *scoped), level='landlock')
    did, status = probe(weaken, 'seccomp,landlock_create_ruleset')
    equal([name for name in sure if did[name] != 'allowed'], [], 'without a confinement the same tries succeed')
    equal(status['confinement'], 'none', 'status --json says that the daemon is not confined')

# ---- a single pass reads its roots and nothing else
for name in os.listdir(TREE):
    if name != 'listener':
        os.remove(os.path.join(TREE, name))
for name in ('file', 'movable', 'removable'):
    write(name, 'a file below a root')
output = TMP + '/probe-pass'


def probe_pass(**environment):
    done = subprocess.run(['tarsierd', '--once'], capture_output=True, text=True,
                          env={**os.environ, 'LD_PRELOAD': library, 'PROBE_OUTPUT': output, 'PROBE_DIRECTORY': TREE, 'PROBE_SECRET': secret, **environment})
    with open(output) as f:
        return sorted(line.split()[0] for line in f if 'allowed' in line), done


did, done = probe_pass()
equal((did, done.returncode), ([], 0), 'a single pass is refused what it does not need, reading outside of the roots too')
same('and indexes all that is below them')
did, done = probe_pass(PROBE_SECRET=TREE + '/file')
equal(did, ['read'], 'it reads below its roots')
link, linked = os.path.join(HOME, 'link'), os.path.join(HOME, 'linked')
os.mkdir(linked)
with open(linked + '/text.txt', 'w') as f:
    f.write('a marmoset behind a link')
os.symlink(linked, link)
configure(roots=[TREE, link, HOME + '/not-there'])
did, done = probe_pass()
found = subprocess.run(['tarsier', 'search', '-l', '"behind a link"'], capture_output=True, text=True).stdout
equal((did, done.returncode, found), ([], 0, link + '/text.txt\n'), 'a root may be a link, and a missing one changes nothing')
configure()

# ---- an update of the package puts another file in the place of the extractors' program
program = os.environ['TARSIER_EXTRACT'] = TMP + '/update/tarsier-extract'
original = os.path.join(build, 'extractors/tarsier-extract')
os.mkdir(os.path.dirname(program))
shutil.copy(original, program)
daemon = Daemon()
write('before.html', '<p>a marmoset before the update')
daemon.sync()
shutil.copy(original, program + '.new')
os.rename(program + '.new', program)
for each in children(daemon.process.pid):
    os.kill(each, signal.SIGKILL)
write('after.html', '<p>a marmoset after the update')
daemon.sync()
same('the daemon starts the program that an update put there')
daemon.stop()
finish()
