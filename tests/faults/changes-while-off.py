# SPDX-License-Identifier: GPL-3.0-or-later
"""While the daemon is off OFF_OPERATIONS of all kinds happen, files keep size and times, parts are
restored from a backup: a start makes the index equal to the file system and converts no text that
it has. OFF_SEED repeats the choices."""
import concurrent.futures, os, random, shutil, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from workload import *

operations = int(os.environ.get('OFF_OPERATIONS', 2000))
seed = int(os.environ.get('OFF_SEED', random.randrange(1 << 32)))
print(f'# OFF_OPERATIONS={operations} OFF_SEED={seed}', flush=True)
rng = random.Random(seed)
BACKUP, KEPT = HOME + '/backup', TREE + '/kept'
pool = concurrent.futures.ThreadPoolExecutor(4)


def files_below(top):
    return sorted(os.path.join(dir, name) for dir, _, names in os.walk(top) for name in names)


def work(n):
    finish_burst(burst(pool, 4, rng, n))


def rewrite(path):
    """Writes other bytes of the same size and restores the times: only ctime shows the change."""
    st = os.stat(path)
    with open(path, 'r+b') as f:
        f.write(rng.randbytes(st.st_size // 2).hex().encode())
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))


def restore_in_place(path, old):
    """Restores a file as rsync --inplace --times does."""
    with open(old, 'rb') as f, open(path, 'wb') as g:
        g.write(f.read())
    st = os.stat(old)
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))


def copy_back(name):
    shutil.rmtree(f'{KEPT}/{name}')
    subprocess.run(['cp', '-a', f'{BACKUP}/{name}', f'{KEPT}/{name}'], check=True)


def texts():
    return {facts[8] for facts in truth().values() if facts[0] == 0}


def start_and_compare(name, known):
    """known: the texts that are in the index."""
    new = len(texts() - known)
    daemon = Daemon()
    daemon.sync(3000)
    same(f'{name}: the index equals the file system after a start')
    done = daemon.status()['extractions']
    print(f'# {name}: {done} conversions', flush=True)
    ok(done <= new * 1.1 + 2,
       f'{name}: little more than the new texts is converted', done, new)  # a file may be read by two names at once
    daemon.stop()
    again = Daemon()  # finds everything unchanged, so that directories get digests
    again.sync(3000)
    again.stop()


os.makedirs(TREE)
os.makedirs(OUTSIDE)
for i in range(operations // 5):
    path = write(f'kept/{i % 10}/{i % 3}/{i}.txt', f'kept {i} ' + ' '.join(f'word{rng.randrange(5000)}' for _ in range(20)))
    os.utime(path, ns=(0, rng.randrange(10**18)))
work(operations // 4)
configure()
start_and_compare('the tree is new', set())
subprocess.run(['cp', '-a', KEPT, BACKUP], check=True)

known = texts()
work(operations)
start_and_compare(f'{operations} operations while the daemon was off', known)

# Edited files are restored in four ways.
known = texts()
before = {path: digest(path) for path in files_below(BACKUP)}
for path in files_below(KEPT):
    if rng.random() < 0.3:
        rewrite(path)
start_and_compare('files got other bytes with the old sizes and times', known)
edited = texts()
for name in ('0', '1', '2'):
    copy_back(name)
for path in files_below(KEPT + '/3') + files_below(KEPT + '/4'):
    restore_in_place(path, path.replace(KEPT, BACKUP))
os.rename(KEPT + '/5', HOME + '/5')
os.rename(BACKUP + '/5', KEPT + '/5')
for path in files_below(KEPT + '/6'):
    subprocess.run(['cp', '-p', path.replace(KEPT, BACKUP), path + '.part'], check=True)
    os.rename(path + '.part', path)
start_and_compare('files were restored from a backup', edited)
restored = [path for name in '0123456' for path in files_below(f'{KEPT}/{name}')]
equal([path for path in restored if digest(path) != before[path.replace(KEPT, BACKUP)]], [],
      'files restored from a backup equal the originals')

# Only the dates change, to the past and to the future.
for path in files_below(KEPT):
    os.utime(path, ns=(0, rng.choice([0, 1, 10**18, 4 * 10**18, -10**18])))
start_and_compare('files were touched', texts())

# The whole tree is replaced by a copy.
for name in os.listdir(TREE):
    subprocess.run(['cp', '-a', f'{TREE}/{name}', HOME + '/copy'], check=True)
    subprocess.run(['rm', '-rf', f'{TREE}/{name}'], check=True)
    os.rename(HOME + '/copy', f'{TREE}/{name}')
start_and_compare('all files were replaced by copies', texts())
finish()
