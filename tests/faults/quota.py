# SPDX-License-Identifier: GPL-3.0-or-later
"""A real quota (of btrfs) is used up in the middle of work: the daemon says so, goes on answering, keeps what it has, and goes on by itself when
there is more. Needs root and a loop device. QUOTAS sets how often, QUOTA_SEED repeats the choices."""
import atexit, os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *
import watched

quotas = int(os.environ.get('QUOTAS', 1))
seed = int(os.environ.get('QUOTA_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
DISK, IMAGE = TMP + '/disk', TMP + '/image'
INDEX = DISK + '/limited/index'


def run(*command):
    return subprocess.run(command, capture_output=True).returncode == 0


def can_limit():
    if os.geteuid() != 0 or not shutil.which('mkfs.btrfs'):
        return False
    with open(IMAGE, 'wb') as f:
        f.truncate(256 << 20)
    return (run('mkfs.btrfs', '-q', IMAGE) and run('mount', '-o', 'loop', IMAGE, DISK) and run('btrfs', 'quota', 'enable', DISK) and
            run('btrfs', 'subvolume', 'create', DISK + '/limited'))


def limit(size):
    # Named by its number, from outside: from within, the change of the limit may itself be over it.
    number = subprocess.run(['btrfs', 'inspect-internal', 'rootid', DISK + '/limited'], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(['btrfs', 'qgroup', 'limit', size, '0/' + number, DISK], check=True, capture_output=True)


def used():
    return sum(os.stat(f'{INDEX}/{name}').st_blocks * 512 for name in os.listdir(INDEX))


os.makedirs(DISK)
if not can_limit():
    subprocess.run(['umount', DISK], capture_output=True)
    skip_all('needs root, btrfs and a loop device')
atexit.register(subprocess.run, ['umount', '-l', DISK], capture_output=True)
print(f'# QUOTAS={quotas} QUOTA_SEED={seed}', flush=True)
os.makedirs(INDEX, mode=0o700)
os.makedirs(TREE)
watched.SOCKET = INDEX + '/ctl'  # an index elsewhere has its socket beside it
configure()
add_texts(rng, 100, 50)
for i in range(quotas):
    limit('none')
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    known = len(rows(INDEX))
    os.sync()  # a quota counts what has reached the disk
    limit(str(used() + rng.choice([200000, 500000, 1000000])))
    for _ in range(30):
        add_texts(rng, 100, 200)
        os.sync()  # what is mapped is clean then, and needs room again when it is written to
        if wait_for(lambda: daemon.status()['state'] == 'degraded', 1):
            break
    status = daemon.status()
    ok(status['state'] == 'degraded' and status['reason'], 'the quota is used up: the status says so', status)
    ok(len(rows(INDEX)) >= known, 'what was indexed is kept')
    found = subprocess.run(['tarsier', '--index', INDEX, 'search', '-q', 'word1*'], capture_output=True, text=True)
    equal(found.returncode, 0, 'and found')
    codes = set()
    for _ in range(10):
        os.sync()
        codes.add(subprocess.run(['tarsier', '--index', INDEX, 'search', '-q', 'word1*'], capture_output=True).returncode)
    equal(codes, {0}, 'and found again, each time what is mapped needs room')
    found = subprocess.run(['tarsier', '--index', INDEX, 'status', '--check'], capture_output=True, text=True)
    ok(found.returncode == 5 and 'degraded' in found.stdout, 'a client is told', found)
    add_texts(rng, 20, 30)
    limit('none')
    ok(wait_for(lambda: up_to_date(INDEX), 60), 'there is more: it goes on by itself', *differences(index=INDEX)[:10], daemon.status())
    ok(daemon.stop() < 2, 'it stops')
    equal(daemon.process.returncode, 0, 'well')
equal(query('PRAGMA integrity_check', index=INDEX), [(b'ok',)], 'the database is sound')
finish()
