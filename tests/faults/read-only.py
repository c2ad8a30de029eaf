# SPDX-License-Identifier: GPL-3.0-or-later
"""The disk of the index becomes read-only, before the start or during work: searches are answered,
the status says why nothing is indexed, and all goes on when it is writable. Needs root and a loop
device. READ_ONLY sets how often, READ_ONLY_SEED repeats the choices."""
import atexit, os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
import daemontest

times = int(os.environ.get('READ_ONLY', 1))
seed = int(os.environ.get('READ_ONLY_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
DISK, IMAGE = TMP + '/disk', TMP + '/image'
INDEX = DISK + '/index'


def run(*command):
    return subprocess.run(command, capture_output=True).returncode == 0


def mount():
    return run('mount', '-o', 'loop,errors=remount-ro', IMAGE, DISK)


def can_mount():
    if os.geteuid() != 0 or not shutil.which('mkfs.ext4'):
        return False
    with open(IMAGE, 'wb') as f:
        f.truncate(64 << 20)
    return run('mkfs.ext4', '-q', '-F', IMAGE) and mount()


def break_it():
    """Makes the file system read-only as after an error. False: that is not possible here."""
    device = subprocess.run(['findmnt', '-no', 'SOURCE', DISK], capture_output=True, text=True).stdout.strip()
    try:
        with open(f'/sys/fs/ext4/{os.path.basename(device)}/trigger_fs_error', 'w') as f:
            f.write('1')
    except OSError:
        return False
    return True


def client(*command):
    return subprocess.run(['tarsier', '--index', INDEX, *command], capture_output=True, text=True, timeout=60)


def finds(name):
    done = client('search', '-q', 'word1*')
    equal(done.returncode, 0, f'{name}: a search is answered')


os.makedirs(DISK)
if not can_mount():
    skip_all('needs root, ext4 and a loop device')
atexit.register(subprocess.run, ['umount', '-l', DISK], capture_output=True)
print(f'# READ_ONLY={times} READ_ONLY_SEED={seed}', flush=True)
os.makedirs(INDEX, mode=0o700)
os.makedirs(TREE)
configure()
daemontest.SOCKET = INDEX + '/ctl'
add_texts(rng, 100, 50)
for i in range(times):
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    daemon.stop(rng.choice([signal.SIGTERM, signal.SIGKILL]))
    for name in os.listdir(INDEX):
        if name == 'ctl':
            os.unlink(f'{INDEX}/{name}')
    subprocess.run(['mount', '-o', 'remount,ro', DISK], check=True)
    finds('on a disk that was read-only before the start')
    refused = subprocess.run(['tarsierd', '--index', INDEX], capture_output=True, text=True, timeout=100)
    ok(refused.returncode == 75 and 'ead-only' in refused.stderr,
       'the daemon does not start on a read-only disk and says why', refused)
    subprocess.run(['mount', '-o', 'remount,rw', DISK], check=True)
    add_texts(rng, 30, 50)
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    same('the index equals the file system when the disk is writable again', index=INDEX)
    known = len(rows(INDEX))
    if not break_it():
        skip('the state is degraded when the disk becomes read-only during work', 'it cannot be made here')
        daemon.stop()
        continue
    add_texts(rng, 100, 100)
    ok(wait_until('the state is degraded', lambda: daemon.status()['state'] == 'degraded', 30),
       'the state is degraded when the disk becomes read-only during work', daemon.status())
    ok('ead-only' in daemon.status()['reason'],
       'the status says that the disk is read-only', daemon.status())
    finds('on a disk that became read-only during work')
    done = client('status', '--check')
    ok(done.returncode == 5 and 'degraded' in done.stdout,
       'status --check exits with 5 when the disk is read-only', done)
    ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds when the disk is read-only')
    umount(DISK)
    # Mount name spaces that other programs have made meanwhile keep it mounted, as it is: a copy is repaired.
    broken, IMAGE = IMAGE, f'{TMP}/repaired{i}'
    shutil.copyfile(broken, IMAGE)
    subprocess.run(['fsck.ext4', '-p', '-f', IMAGE], capture_output=True)
    ok(mount(), 'the repaired file system can be mounted')
    daemon = Daemon('--index', INDEX)
    daemon.sync()
    same('the index equals the file system on the mended disk', index=INDEX)
    ok(len(rows(INDEX)) >= known, 'no row is lost on the repaired disk')
    equal(faults_of_database(INDEX), [],
          'the database is sound on the repaired disk')
    daemon.stop()
finish()
