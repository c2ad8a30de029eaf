# SPDX-License-Identifier: GPL-3.0-or-later
"""Many directories without a watch: a client that asks again and again whether all of them have
been visited gets its answer. Runs in a name space of its own, which has few watches."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

DIRS, WATCHES = 1500, 20
try:
    with open('/proc/sys/user/max_inotify_watches', 'w') as f:
        f.write(str(WATCHES))
except OSError as error:
    skip_all(f'the number of watches cannot be set here: {error}')


def entry(key, value, kind):
    head = key.encode() + b'\0'
    return head + b'\0' * (pad(len(head), 8) - len(head)) + value + b'\0' + kind + bytes([len(head)])


def sync_ms(ms, again):
    first, second = entry('timeout_ms', struct.pack('=q', ms), b'x'), entry('again', bytes([again]), b'b')
    items = first + b'\0' * (pad(len(first), 8) - len(first)) + second
    return send_request('sync', b'sync\0\0\0\0' + items + bytes([len(first), len(items)]) + bytes([5]))['done']


for i in range(DIRS):
    write(f'{i // 50}/{i % 50}/file', f'text {i % 7}')
configure(poll=3600)
daemon = Daemon()
daemon.sync()
same('directories without a watch are indexed')
ok(daemon.status()['polled'] > DIRS - WATCHES, 'most directories are polled', daemon.status())
for i in range(0, DIRS, 100):
    write(f'{i // 50}/{i % 50}/late', f'late {i}')
asked = 1
while not sync_ms(2, asked > 1) and asked < 10000:
    asked += 1
ok(asked < 10000, 'a client that asks again and again gets an answer')
same('every change before its first question is found')
write('3/7/later', 'written later')
equal(subprocess.run(['tarsier', 'index', '-q'], timeout=300).returncode, 0, 'tarsier index ends')
same('and finds a change')
daemon.stop()
finish()
