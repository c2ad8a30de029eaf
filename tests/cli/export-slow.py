# SPDX-License-Identifier: GPL-3.0-or-later
"""A target that takes longer over what it is sent than a conversion may last: the time in which an export waits for it does
not count for the extractors, so that no text is lost."""
import os, subprocess, sys, time, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
if not os.path.exists(os.environ['TARSIER_TARGETS'] + '/opensearch.so'):
    print('1..0 # SKIP built without libcurl or jansson')
    sys.exit(0)
from opensearch import Server
from tap import done_testing, let_time_pass, ok, tarsier

TREE = os.environ['HOME'] + '/docs'
LIMIT_S, WAIT_S, MEMBERS, SMALL = 4, 3, 40, 100
os.makedirs(TREE)


def words(seed, bytes):
    return ' '.join(f'word{seed}x{i % 977}' for i in range(bytes // 12)) + '\n'


with zipfile.ZipFile(TREE + '/large.zip', 'w') as z:
    for i in range(MEMBERS):
        z.writestr(f'{i}.txt', words(i, 200000))
for i in range(SMALL):
    os.makedirs(f'{TREE}/{i % 4}', exist_ok=True)
    with open(f'{TREE}/{i % 4}/{i}.txt', 'w') as f:
        f.write(words(i, 30000))
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
with open(os.environ['HOME'] + '/.config/tarsier/tarsier.conf', 'a') as f:
    f.write('[daemon]\ntext-cache=0\n')
subprocess.run(['tarsier', '-q', 'index'], check=True)
with open(os.environ['HOME'] + '/.config/tarsier/tarsier.conf', 'a') as f:
    f.write(f'[limits]\ntime={LIMIT_S}\n')
server, waits = Server(), []


def slow(method, path, body):
    if path.endswith('/_bulk') and body.count(b'\n') > 3:
        waits.append(path)
        let_time_pass(WAIT_S, 'the target is slow')


server.fault = slow
code, out, err = tarsier('export', '--to', server.url, '--setup')
without = sorted(d['find']['document'] for d in server.documents().values() if d['kind'] == 'text' and not d['text'])
ok('the target was waited for longer than a conversion may last', len(waits) * WAIT_S > 2 * LIMIT_S, len(waits))
ok('an export to a slow target sends every document', code == 0 and len(server.documents()) == 1 + MEMBERS + SMALL, (code, err, len(server.documents())))
ok('with its text', without == [], (len(without), without[:5]))
done_testing()
