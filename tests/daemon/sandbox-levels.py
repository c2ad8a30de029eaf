# SPDX-License-Identifier: GPL-3.0-or-later
"""On kernels with less of a sandbox the daemon converts less; status, its exit status and doctor
say so."""
import json, os, re, shutil, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

program = os.environ['TARSIER_EXTRACT']
weaken = os.path.join(os.environ['abs_top_builddir'], 'tests/extractors/weaken')
if not os.path.exists(weaken):
    skip_all('the kernel cannot be weakened here')


def lacking(what):
    """Makes the extractor program run on a kernel that lacks this."""
    path = TMP + '/weak-extract'
    with open(path, 'w') as f:
        f.write(f"#!/bin/sh\nexec '{weaken}' {what} '{program}' \"$@\"\n" if what else f"#!/bin/sh\nexec '{program}' \"$@\"\n")
    os.chmod(path, 0o700)
    os.environ['TARSIER_EXTRACT'] = path


def client(*command):
    done = subprocess.run(['tarsier', *command], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def found(word):
    return client('search', '-l', word)[1].split()


def sandbox_lines():
    lines = [re.match(r'(ok|!!)  sandbox: (\w+): ', line) for line in client('doctor')[1].splitlines()]
    return {match.group(2): match.group(1) for match in lines if match}


def look(what, level, read, complete, says, *options):
    lacking(what)
    daemon = Daemon(*options)
    daemon.sync()
    said = client('status')[1]
    equal(json.loads(client('status', '--json')[1])['sandbox'], level,
          f'kernel weakened by {what}: status --json names the level of the sandbox')
    ok(says in said, f'kernel weakened by {what}: tarsier status explains the level', said)
    code, problems = client('status', '--check')
    equal((code, 'sandbox' in problems), (0, False) if complete else (5, True),
          f'kernel weakened by {what}: status --check exits with 0 only if the sandbox is complete enough')
    judged = 'ok' if level == 'full' else '!!'
    equal(sandbox_lines(), {'tarsierd': judged, 'tarsier': judged}, f'kernel weakened by {what}: doctor judges the sandbox')
    lacking('')
    equal(sandbox_lines(), {'tarsierd': judged, 'tarsier': 'ok'}, f'kernel weakened by {what}: doctor asks the running daemon, not only itself')
    equal(found('plainword'), [text], f'kernel weakened by {what}: a plain text is converted')
    equal(found('innerword'), [page + '|inside.txt'] if read else [],
          f'kernel weakened by {what}: a member of an archive is ' + ('found' if read else 'not found'))
    equal(found('name:page.zip'), [page], f'kernel weakened by {what}: an archive is found by its name')
    daemon.stop()
    equal(daemon.process.returncode, 0, f'kernel weakened by {what}: SIGTERM ends the daemon with status 0')


text = write('text.txt', 'a plainword in a text')
page = write('page.zip', b'')
with zipfile.ZipFile(page, 'w') as z:
    z.writestr('inside.txt', 'a innerword in a container')
configure()
# With a better sandbox, files are converted that could not be converted before.
look('seccomp,landlock_create_ruleset', 'none', False, False, 'only plain text is converted')
look('seccomp', 'landlock', False, False, 'only plain text is converted')
look('landlock_create_ruleset', 'seccomp', True, True, 'without Landlock')
shutil.rmtree(Daemon.index)
configure(unsandboxed='true')
look('seccomp,landlock_create_ruleset', 'none', True, False, 'files are converted without a sandbox')
shutil.rmtree(Daemon.index)
configure()
for abi in (1, 3, 5):
    look(f'landlock={abi}', 'full', True, True, 'full')
for what, status in (('seccomp', 96), ('seccomp,landlock_create_ruleset', 96), ('landlock_create_ruleset', 0)):
    lacking(what)
    done = subprocess.run([os.environ['TARSIER_EXTRACT'], '--file', text], capture_output=True, text=True)
    equal((done.returncode, 'plainword' in done.stdout), (status, status == 0),
          f'kernel weakened by {what}: tarsier-extract --file converts only in a sandbox that confines')
    done = subprocess.run([os.environ['TARSIER_EXTRACT'], '--no-sandbox', '--file', text], capture_output=True, text=True)
    ok(done.returncode == 0 and 'plainword' in done.stdout,
       f'kernel weakened by {what}: tarsier-extract --no-sandbox --file converts', done)
# The sandbox does not need user name spaces.
lacking(None)
none = ['unshare', '-Ur', 'sh', '-c', 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"', 'sh']
if subprocess.run([*none, 'true'], capture_output=True).returncode == 0:
    shutil.rmtree(Daemon.index)
    daemon = Daemon(wrapper=none)
    daemon.sync()
    equal(daemon.status()['sandbox'], 'full', 'the sandbox is complete without user name spaces')
    equal(found('innerword'), [page + '|inside.txt'],
          'an archive is converted without user name spaces')
    daemon.stop()
else:
    skip('the sandbox is complete without user name spaces', 'they cannot be forbidden here')
finish()
