# SPDX-License-Identifier: GPL-3.0-or-later
"""A completion evaluates nothing: whatever a root, a saved search, a directory or a file is called,
the shell takes it for a name, when it is offered and when the line is run."""
import os, pty, shutil, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

RAN = TMP + '/ran'
RUN = 'touch${IFS}' + RAN.replace('/', '${R}')  # a name has no slash; R holds one
HOSTILE = [f'$({RUN})', f'`{RUN}`', f';{RUN};', f'"$({RUN})"', f"'$({RUN})'", f'a b$({RUN})', f'\\$({RUN})', f'*$({RUN})',
           f'a\n$({RUN})\nb', f'{{a,$({RUN})}}', f'!!$({RUN})', f'~$({RUN})']
real = shutil.which('tarsier')
if not shutil.which('bash'):
    skip_all('needs bash')
if not real:
    skip_all('needs tarsier')

# A program of the same name answers the completions, and records the arguments of all else.
os.makedirs(TMP + '/bin')
with open(TMP + '/bin/tarsier', 'w') as f:
    f.write(f'''#!/bin/sh
case "$*" in
*list | *roots | saved) exec '{real}' "$@" ;;
*) printf '%s\\0' "$@" >'{TMP}/arguments.new'; mv '{TMP}/arguments.new' '{TMP}/arguments' ;;
esac
''')
os.chmod(TMP + '/bin/tarsier', 0o755)
with open(TMP + '/rc', 'w') as f:
    f.write(f'''PS1=; R=/; set +o history; PATH={TMP}/bin:$PATH
. {os.environ['abs_top_srcdir']}/data/completions/bash
bind 'set enable-bracketed-paste off' 'set bell-style none'
''')


class Bash:
    """An interactive shell on a terminal of its own."""
    def __init__(self, cwd):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvp('bash', ['bash', '--noprofile', '--rcfile', TMP + '/rc', '-i'])
        self.run('ready')

    def run(self, *words):
        """Types a line with Tab after its last word; returns the arguments that the program gets."""
        if os.path.exists(TMP + '/arguments'):
            os.unlink(TMP + '/arguments')
        os.write(self.fd, ('tarsier ' + ' '.join(words) + '\t\r').encode())
        if not wait_until('the line is run', lambda: self.drain() or os.path.exists(TMP + '/arguments'), 20):
            return []
        with open(TMP + '/arguments') as f:
            return f.read().split('\0')[:-1]

    def drain(self):
        os.set_blocking(self.fd, False)
        try:
            while os.read(self.fd, 4096):
                pass
        except OSError:
            pass

    def end(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def ran():
    """Says whether the command in a name was run since the last question."""
    was = os.path.exists(RAN)
    if was:
        os.unlink(RAN)
    return was


def offered(what, name, begin, words, wanted):
    """Each name stands in a directory or list of its own, where nothing else begins so."""
    got, called = begin.run(*words), repr(name.replace(RUN, 'COMMAND'))
    ok(not ran(), f'{what} called {called} is not evaluated')
    equal(got[-1:], [wanted], f'{what} called {called} is completed as it is called')


for i, name in enumerate(HOSTILE):
    tree = f'{TMP}/{i}'
    os.makedirs(f'{tree}/d{name}')
    write(f'{tree}/f{name}', 'a text')
    configure([f'{tree}/d{name}'.replace('\\', '\\\\').replace('\n', '\\n').replace(';', '\\;')])
    shell = Bash(tree)
    offered('a file', name, shell, ['show', 'f'], f'f{name}')
    offered('a directory', name, shell, ['list', 'd'], f'd{name}/')
    offered('a root', name, shell, ['remove', tree[:-1]], f'{tree}/d{name}' + '/')
    if '\n' not in name and '\\' not in name:
        with open(HOME + '/.config/tarsier/saved-searches', 'w') as f:
            f.write(f'[saved]\ns{name}=query\n')
        offered('a saved search', name, shell, ['saved', 'remove', 's'], f's{name}')
    shell.end()
finish()
