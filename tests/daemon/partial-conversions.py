# SPDX-License-Identifier: GPL-3.0-or-later
"""If a conversion fails after some members of a container, these members are found and the
container is found by its name; every verb shows both."""
import json, os, subprocess, sys
os.environ['TARSIER_PLUGINS'] = os.path.join(os.environ['abs_top_builddir'], 'tests/extractors/.libs')
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *


def tarsier(*arguments):
    return subprocess.run(['tarsier', *arguments], capture_output=True, text=True).stdout


os.makedirs(TREE)
configure()
for verb in ('dies', 'lies'):
    write(f'box-{verb}.md', f'container-{verb}\n')
daemon = Daemon()
daemon.sync()
for verb, reason in (('dies', 'crashed'), ('lies', 'protocol')):
    path = f'{TREE}/box-{verb}.md'
    equal(tarsier('search', '-l', f'name:box-{verb}').splitlines(), [path],
          f'{verb}: a container whose conversion fails is found by its name')
    found = tarsier('search', '-l', '--dups=show', '-n', '1000', '"all is fine"').splitlines()
    ok(any(line.startswith(path + '|000') for line in found),
       f'{verb}: members that came before the failure are found', found)
    info = json.loads(tarsier('info', '--json', path))
    equal((info['state'], info['reason']), ('failed', reason),
          f'{verb}: info tells state and reason of the failure')
    listed = [json.loads(line) for line in tarsier('list', '--json', path).splitlines()]
    equal([entry['member'] for entry in listed if entry['state'] != 'ok'], [None],
          f'{verb}: list shows the container as the only failed entry')
    ok(len(listed) > 1, f'{verb}: list shows the members that came before the failure', listed)
    failed = [json.loads(line) for line in tarsier('failed', '--json').splitlines()]
    equal([entry['member'] for entry in failed if entry['path'] == path], [None],
          f'{verb}: failed shows the container once')
status = json.loads(tarsier('status', '--json'))
equal(status['failed'], 2, 'status counts each failed container once')
daemon.stop()
finish()
