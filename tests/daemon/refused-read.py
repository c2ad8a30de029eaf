# SPDX-License-Identifier: GPL-3.0-or-later
"""A file could not be read for a moment, and the event of its permissions is handled before the loader tells of the
failure: no other event will come, so the file is read again."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

library = os.path.join(os.environ['abs_top_builddir'], 'tests/daemon/.libs/refuse-open.so')
asan = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
for name in ('reached', 'go'):
    os.mkfifo(f'{TMP}/{name}')
reached, go = [os.open(f'{TMP}/{name}', os.O_RDWR | os.O_NONBLOCK) for name in ('reached', 'go')]
os.makedirs(TREE)
configure()
daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'ASAN_OPTIONS={asan}', f'REFUSE_OPEN={TMP}'])
daemon.sync()


def has_come():
    try:
        return os.read(reached, 1)
    except BlockingIOError:
        return False


def mode_in_index():
    KIND, MODE = 0, 7
    return [facts[MODE] & 0o777 for facts in rows().values() if facts[KIND] == 0]


write('closed.txt', 'text of a file that was closed for a moment')
ok(wait_until('the file is opened', has_come), 'the loader opens the new file')
os.chmod(TREE + '/closed.txt', 0o600)
ok(wait_until('the event is handled', lambda: mode_in_index() == [0o600]), 'new permissions are known while the file is read', rows())
os.write(go, b'x')
daemon.sync()
equal(tarsier('search', '-l', 'moment')[1].split(), [TREE + '/closed.txt'], 'the file is found')
daemon.stop()
finish()
