# SPDX-License-Identifier: GPL-3.0-or-later
"""A btrfs quota is used up during work: the daemon reports it, answers, keeps its rows, and
recovers when the quota is raised. Needs root and a loop device. QUOTAS sets how often, QUOTA_SEED
repeats the choices."""
import atexit, os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
import daemontest

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
    # The limit is set by number and from outside: inside, the change itself might exceed the
    # limit.
    number = subprocess.run(['btrfs', 'inspect-internal', 'rootid', DISK + '/limited'], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(['btrfs', 'qgroup', 'limit', size, '0/' + number, DISK], check=True, capture_output=True)


def used():
    return sum(os.stat(f'{INDEX}/{name}').st_blocks * 512 for name in os.listdir(INDEX))


def checked():
    return subprocess.run(['tarsier', '--index', INDEX, 'status', '--check'], capture_output=True, text=True)


def degraded():
    """Whether both tell of the trouble now. An attempt that finds room ends it at any time."""
    status, found = daemon.status(), checked()
    return status['state'] == 'degraded' and status['reason'] and found.returncode == 5 and 'degraded' in found.stdout


os.makedirs(DISK)
if not can_limit():
    subprocess.run(['umount', DISK], capture_output=True)
    skip_all('needs root, btrfs and a loop device')
atexit.register(subprocess.run, ['umount', '-l', DISK], capture_output=True)
print(f'# QUOTAS={quotas} QUOTA_SEED={seed}', flush=True)
os.makedirs(INDEX, mode=0o700)
os.makedirs(TREE)
daemontest.SOCKET = INDEX + '/ctl'  # an index in another directory has its socket there
configure()
add_texts(rng, 100, 50)
for i in range(quotas):
    limit('none')
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    known = len(rows(INDEX))
    os.sync()  # a quota counts only bytes that have reached the disk
    limit(str(used() + rng.choice([200000, 500000, 1000000])))
    for _ in range(30):
        add_texts(rng, 100, 200)
        os.sync()  # mapped pages are clean then, and need room again for the next write
        if seen := wait_until('the quota is used up', degraded, 1):
            break
    ok(seen, 'the daemon and status --check say that the state is degraded once the quota is used up', daemon.status(), checked())
    ok(len(rows(INDEX)) >= known, 'no row is lost when the quota is used up')
    found = subprocess.run(['tarsier', '--index', INDEX, 'search', '-q', 'word1*'], capture_output=True, text=True)
    equal(found.returncode, 0, 'a search is answered when the quota is used up')
    codes = set()
    for _ in range(10):
        os.sync()
        codes.add(subprocess.run(['tarsier', '--index', INDEX, 'search', '-q', 'word1*'], capture_output=True).returncode)
    equal(codes, {0}, 'ten searches are answered although mapped pages need room')
    add_texts(rng, 20, 30)
    limit('none')
    ok(wait_until('the index is up to date', lambda: up_to_date(INDEX), 60),
       'the daemon goes on by itself when the quota is raised', *differences(index=INDEX)[:10], daemon.status())
    ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds after a quota')
    equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0 after a quota')
equal(faults_of_database(INDEX), [],
      'the database is sound after all quotas')
finish()
