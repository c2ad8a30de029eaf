# SPDX-License-Identifier: GPL-3.0-or-later
"""A file whose converter fails after some of its members: these are found, and the file by its name; all verbs know it."""
import json, os, subprocess, sys
os.environ['TARSIER_PLUGINS'] = os.path.join(os.environ['abs_top_builddir'], 'tests/extractors/.libs')
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *


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
    equal(tarsier('search', '-l', f'name:box-{verb}').splitlines(), [path], f'{verb}: found by its name')
    found = tarsier('search', '-l', '--dups=show', '-n', '1000', '"all is fine"').splitlines()
    ok(any(line.startswith(path + '|000') for line in found), f'{verb}: what it held is found', found)
    info = json.loads(tarsier('info', '--json', path))
    equal((info['state'], info['reason']), ('failed', reason), f'{verb}: info tells why')
    listed = [json.loads(line) for line in tarsier('list', '--json', path).splitlines()]
    equal([entry['member'] for entry in listed if entry['state'] != 'ok'], [None], f'{verb}: list has it')
    ok(len(listed) > 1, f'{verb}: and what it held', listed)
    failed = [json.loads(line) for line in tarsier('failed', '--json').splitlines()]
    equal([entry['member'] for entry in failed if entry['path'] == path], [None], f'{verb}: failed has it once')
status = json.loads(tarsier('status', '--json'))
equal(status['failed'], 2, 'and status counts them')
daemon.stop()
finish()
