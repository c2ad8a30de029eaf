# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of docs/EXPORT.md that lead from an empty machine to a search for the team are run as they stand there,
with a server, users and directories of the test."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from postgresql import BIN, DIR
from tap import done_testing, ok, tarsier

HOME = os.environ['HOME']
with open(os.environ['abs_top_srcdir'] + '/docs/EXPORT.md') as f:
    part = f.read().split('## From an empty machine')[1].split('\n## ')[0]
commands = [line.strip() for line in part.split('\n') if line.startswith('    ')]
ok('ten commands lead to a search', len(commands) == 10 and commands[0].startswith('sudo apt install') and commands[-1].startswith('tarsier search --at team'), commands)
os.makedirs(HOME + '/files')
for name, text, mode in [('open.txt', 'A heron at a high water level.', 0o644), ('draft.txt', 'Draft: a heron and the water level.', 0o644), ('closed.txt', 'A secret heron, water level unknown.', 0o600)]:
    with open(f'{HOME}/files/{name}', 'w') as f:
        f.write(text + '\n')
    os.chmod(f'{HOME}/files/{name}', mode)
host = os.uname().nodename


def run(command, user):
    for there, here in [('sudo -u postgres ', ''), ('sudo ', ''), ('/etc/xdg', HOME + '/xdg'), ('/srv/files', HOME + '/files'), ('1001@files1', f'{os.getuid()}@{host}')]:
        command = command.replace(there, here)
    return subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, PATH=BIN + ':' + os.environ['PATH'], PGHOST=DIR, PGUSER=user, XDG_CONFIG_DIRS=HOME + '/xdg'))


for i, command in enumerate(commands[1:9]):
    done = run(command, 'owner' if i < 3 else 'keeper')
    ok('this is done: ' + command.replace('#', ''), done.returncode == 0, (done.stdout, done.stderr))
done = run(commands[9], 'ada')
ok('and ada finds what she may read', done.returncode == 0 and sorted(done.stdout.split()) == sorted([HOME + '/files/open.txt', HOME + '/files/closed.txt']), (done.stdout, done.stderr))
run("psql search -c 'DELETE FROM tarsier.principal'", 'keeper')
done = run(commands[9], 'ada')
ok('without her token she finds nothing in a directory that is closed', done.returncode == 1 and done.stdout == '', (done.stdout, done.stderr))
done_testing()
