# SPDX-License-Identifier: GPL-3.0-or-later
"""A completion evaluates nothing: whatever a root, a saved search, a directory or a file is called,
the shell takes it for a name, when it is offered and when the line is run."""
import os, shutil, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/cli'))
from daemontest import *
import completing

RAN = TMP + '/ran'
RUN = 'touch${IFS}' + RAN.replace('/', '${R}')  # a name has no slash; R holds one
HOSTILE = [f'$({RUN})', f'`{RUN}`', f';{RUN};', f'"$({RUN})"', f"'$({RUN})'", f'a b$({RUN})', f'\\$({RUN})', f'*$({RUN})',
           f'a\n$({RUN})\nb', f'{{a,$({RUN})}}', f'!!$({RUN})', f'~$({RUN})']
if not shutil.which('bash'):
    skip_all('needs bash')
if not shutil.which('tarsier'):
    skip_all('needs tarsier')
completing.begin()


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
    shell = completing.Shell(tree)
    offered('a file', name, shell, ['show', 'f'], f'f{name}')
    offered('a directory', name, shell, ['list', 'd'], f'd{name}/')
    offered('a root', name, shell, ['remove', tree[:-1]], f'{tree}/d{name}' + '/')
    if '\n' not in name and '\\' not in name:
        with open(HOME + '/.config/tarsier/saved-searches', 'w') as f:
            f.write(f'[saved]\ns{name}=query\n')
        got = shell.run('saved', 'remove', 's')
        ok(not ran() and f's{name}' not in got, f'a saved search that an edited file calls {name.replace(RUN, "COMMAND")!r} is left out', got)
    shell.end()
finish()
