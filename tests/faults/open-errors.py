# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that cannot be read at the start: opening or listing directories and files below the root fails for a while. Nothing that was known is
lost, nothing is converted again, and when the disk answers everything is found. OPENS sets how often, OPEN_SEED repeats the choices."""
import os, random, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

opens = int(os.environ.get('OPENS', 2))
seed = int(os.environ.get('OPEN_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # it cannot trace what is traced
if not shutil.which('strace') or subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', 'true'], capture_output=True).returncode != 0:
    skip_all('needs strace')
print(f'# OPENS={opens} OPEN_SEED={seed}', flush=True)
os.makedirs(TREE)
files = [write(f'{i % 9}/{i % 3}/{i}.txt', f'text of {i}') for i in range(200)]
configure()
daemon = Daemon()
daemon.sync()
known = set(rows())
daemon.stop()
for i in range(opens):
    call, error = rng.choice([('openat2', 'EIO'), ('openat2', 'ENOMEM'), ('getdents64', 'EIO'), ('statx', 'EIO'), ('openat2', 'EMFILE')])
    first, count = rng.choice([1, 2, 5, 20]), rng.choice([1, 4, 10])
    name = f'{call} fails with {error} from call {first} to {first + count}'
    changed = rng.sample(files, 5)
    for path in changed:
        with open(path, 'a') as f:
            f.write(f' and {i}')
    daemon = Daemon(wrapper=['strace', '-f', '-qq', '-o', '/dev/null', '-e', f'trace={call}', '-e',
                             f'inject={call}:error={error}:when={first}..{first + count}'])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        daemon.sync()  # who waits has what was put off tried again
        missing = known - set(rows())
        if missing or (daemon.status()['state'] == 'idle' and not differences()):
            break
        time.sleep(0.05)
    ok(not missing, f'{name}: nothing is lost meanwhile', len(missing), *list(missing)[:5])
    same(f'{name}: all is found')
    converted = daemon.status()['extractions']
    ok(converted <= len(changed), f'{name}: nothing is converted that did not change', converted)
    os.kill(daemon.status()['pid'], signal.SIGTERM)
    equal(daemon.process.wait(20), 0, f'{name}: it ends well')

# A file that cannot be read for so long that it counts as failed comes back with the next start.
path = write('unread.txt', 'cannot be read for a while')
daemon = Daemon()
daemon.sync()
daemon.stop()
db = sqlite3.connect(Daemon.index + '/index.db')
READ_ERROR = 15  # REASON_IO
db.execute('UPDATE inode SET state = 2, reason = ?, content = NULL WHERE id = (SELECT inode FROM node WHERE name = ?)', (READ_ERROR, b'unread.txt'))
db.commit()
db.close()
daemon = Daemon()
daemon.sync()
same('what could not be read is tried again at a start')
daemon.stop()
finish()
