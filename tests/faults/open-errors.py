# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening or listing directories and files fails for a while at the start: no row is lost, nothing
is converted again, everything is found once the disk answers. OPENS sets how often, OPEN_SEED
repeats the choices."""
import os, random, shutil, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

opens = int(os.environ.get('OPENS', 2))
seed = int(os.environ.get('OPEN_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
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
    missing = set()

    def is_decided():
        global missing
        daemon.sync()  # makes the daemon retry postponed work
        missing = known - set(rows())
        return missing or up_to_date()

    wait_until('the index is up to date', is_decided, 60, 0.05)
    ok(not missing, f'{name}: no row is lost', len(missing), *list(missing)[:5])
    same(f'{name}: the index equals the file system')
    converted = daemon.status()['extractions']
    ok(converted <= len(changed), f'{name}: only changed files are converted', converted)
    os.kill(daemon.status()['pid'], signal.SIGTERM)
    equal(daemon.process.wait(100), 0, f'{name}: SIGTERM ends the daemon with status 0')

# A file that could not be read for so long that it counts as failed is retried at the next start.
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
same('a file that failed by a read error is tried again at the next start')
daemon.stop()
finish()
