# SPDX-License-Identifier: GPL-3.0-or-later
"""Overflow of the event queue, few watches, a full disk, a second daemon, unreadable and vanishing
files, a damaged index, configuration, own files below a root, and roots that come and go."""
import os, random, shutil, signal, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

os.makedirs(TREE)
for i in range(300):
    write(f'd{i % 30}/{i}.txt', f'text of {i}')
configure()
daemon = Daemon()
daemon.sync()

# ---- a second daemon
second = subprocess.run(['tarsierd'], capture_output=True, timeout=100)
equal(second.returncode, 3, 'a second daemon ends with status 3')
ok(second.stderr.strip(), 'a second daemon says why it ends')
equal(daemon.status()['state'], 'idle', 'the first daemon goes on when a second one ends')

# ---- overflow
for _ in range(3):
    daemon.send(signal.SIGSTOP)
    for i in range(9000):
        write(f'storm/{i % 20}', f'version {i}')
    for i in range(0, 300, 2):
        os.rename(f'{TREE}/d{i % 30}/{i}.txt', f'{TREE}/d{i % 30}/{i}.tmp')
        os.rename(f'{TREE}/d{i % 30}/{i}.tmp', f'{TREE}/d{i % 30}/{i}.txt')
    daemon.send(signal.SIGCONT)
    daemon.sync()
ok(daemon.status()['overflows'] > 0, 'the status counts overflows of the event queue')
same('the index equals the file system after an overflow')

# ---- pause
write('before-pause', 'one')
daemon.sync()
watch = Stopwatch(daemon.process)
request('pause')
ok(watch.seconds() < 1, 'a pause is acknowledged within a second')
equal(daemon.status()['state'], 'paused', 'the status says that the daemon is paused')
write('paused', 'written while paused')
wait_until('the name is indexed', lambda: query('SELECT 1 FROM node WHERE name = ?', b'paused'), 2)
equal(query('SELECT i.state FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', b'paused'), [(1,)],
      'a paused daemon indexes names but not contents')
request('resume')
daemon.sync()
same('a resumed daemon indexes the contents it left out')

# ---- SIGHUP and roots
other = HOME + '/other'
os.makedirs(other)
with open(other + '/file', 'w') as f:
    f.write('in another root')
configure([TREE, other])
daemon.send(signal.SIGHUP)
wait_until('there are two roots', lambda: len(daemon.status()['roots']) == 2, 4)
daemon.sync()
ok(os.fsencode(other) + b'/file' in rows(), 'SIGHUP adds a root from the configuration')
shutil.move(TREE + '/d1', other + '/d1')
daemon.sync()
ok(not differences(other) or all('ghost' in d for d in differences(other)),
   'a directory can move from one root to another')
write('../other/d1/later', 'seen in its new root')
daemon.sync()
ok(os.fsencode(other) + b'/d1/later' in rows(),
   'a directory that moved to another root is watched there')
os.rename(other, HOME + '/away')


def root_states():
    return [r['state'] for r in daemon.status()['roots']]


wait_until('one root is offline', lambda: root_states() == ['offline', 'watching'], 6)
equal(root_states(), ['offline', 'watching'],
      'a root that is missing is offline')
ok(os.fsencode(other) + b'/file' in rows(), 'the rows of an offline root are kept')
os.rename(HOME + '/away', other)
configure([TREE], poll='bad value')
daemon.send(signal.SIGHUP)
wait_until('the configuration is read', lambda: daemon.status()['config_error'], 4)
ok(daemon.status()['config_error'], 'the status reports a malformed configuration')
equal(len(daemon.status()['roots']), 2, 'a malformed configuration leaves the old roots in force')
configure([TREE])
request('reload')
daemon.sync()
ok(not [p for p in rows() if p.startswith(os.fsencode(other))],
   'a root that is removed from the configuration is purged')
same('the index equals the file system after all changes of roots')

# ---- ignore files
write('d2/.tarsierignore', '*.txt\n')
daemon.sync()
equal([p for p in rows() if b'/d2/' in p and p.endswith(b'.txt')], [],
      'a new .tarsierignore takes effect')
os.unlink(TREE + '/d2/.tarsierignore')
daemon.sync()
same('a removed .tarsierignore lets the files in again')

# ---- our own files, below a root
daemon.stop()
hidden = Daemon.index
configure([HOME], hidden='*')
daemon = Daemon()
os.link(hidden + '/index.db', TREE + '/link-to-index')
os.link(hidden + '/index.db-shm', TREE + '/link-to-shm')
daemon.sync()
let_time_pass(0.1, 'the daemon has had time to read its own files')
daemon.sync()
equal([r for r in rows() if b'/tarsier/index.db' in r], [],
      'the directory of the index is not indexed')
links = query("SELECT i.state, i.content FROM node n JOIN inode i ON i.id = n.inode WHERE CAST(n.name AS TEXT) LIKE 'link-to-%'")
ok(links and all(state == 2 and content is None for state, content in links),
   'files of the index are not read through hard links', links)
os.unlink(TREE + '/link-to-index')
os.unlink(TREE + '/link-to-shm')
daemon.stop()
configure()

# ---- vanishing and growing files
daemon = Daemon()
stop = threading.Event()


def grow():
    while not stop.is_set():
        with open(TREE + '/growing', 'ab') as f:
            f.write(b'more words ' * 1000)
        path = write('vanishing', 'x' * random.randrange(100000))
        os.unlink(path)


thread = threading.Thread(target=grow)
thread.start()
let_time_pass(2, 'files grow and vanish')
ok(daemon.status()['pid'] == daemon.process.pid, 'the daemon answers while files grow and vanish')
stop.set()
thread.join()
daemon.sync()
same('the index equals the file system once the files rest')
os.unlink(TREE + '/growing')  # tens of megabytes, which would be converted again below

# ---- unreadable files
if os.geteuid() != 0:
    path = write('secret', 'can be read')
    daemon.sync()
    os.chmod(path, 0)
    daemon.sync()
    equal(query('SELECT i.state, i.reason, i.content FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', b'secret'),
          [(2, 14, None)], 'a file that cannot be read any more loses its content')
    os.chmod(path, 0o600)
    daemon.sync()
    same('a file that can be read again is converted again')
    os.chmod(TREE + '/d3', 0)
    daemon.sync()
    equal([p for p in rows() if b'/d3/' in p], [],
          'no row is left below a directory that cannot be entered any more')
    os.chmod(TREE + '/d3', 0o700)
    daemon.sync()
    same('a directory that can be entered again is indexed again')
else:
    skip('a file that cannot be read any more loses its content', 'root reads all')

# ---- a damaged index
daemon.stop()
with open(Daemon.index + '/index.db', 'r+b') as f:
    f.write(b'\0' * 4096)
daemon = Daemon()
daemon.sync()
same('a damaged index is rebuilt')
ok([n for n in os.listdir(Daemon.index) if 'damaged' in n],
   'a damaged index is kept under another name')
said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
ok('Rebuilt' in said, 'tarsier status says that the index was rebuilt', said)
equal(os.stat(Daemon.index).st_mode & 0o77, 0, 'no other user can enter the directory of the index')
equal([n for n in os.listdir(Daemon.index) if os.stat(f'{Daemon.index}/{n}').st_mode & 0o77], [],
      'no other user can read a file of the index')
daemon.stop()


# ---- few watches, and a full disk: in name spaces of our own
def in_namespace(script, *flags):
    wrapper = ['unshare', '-r', *flags, 'sh', '-c', script + ' && exec "$@"', 'sh']
    if subprocess.run([*wrapper, 'true'], capture_output=True).returncode != 0:
        return None
    return wrapper


few = in_namespace('echo 20 >/proc/sys/user/max_inotify_watches', '-U')
if few:
    configure(poll=1)
    for i in range(40):
        write(f'few/{i}/file', f'number {i}')
    daemon = Daemon(wrapper=few)
    daemon.sync()
    status = daemon.status()
    ok(0 < status['watches_used'] <= 10,
       'the daemon takes at most half of the watches it may have', status['watches_used'])
    ok(status['polled'] >= 30,
       'the daemon polls directories for which it has no watch', status['polled'])
    for i in range(40):
        write(f'few/{i}/file', f'number {i} changed')
    daemon.sync()
    same('a sync visits polled directories', owners=False)
    write('few/5/late', 'seen by polling')
    write('few/35/late', 'seen by polling too')
    wait_until('polling finds both files', lambda: len(query('SELECT 1 FROM node WHERE name = ?', b'late')) == 2, 10)
    equal(len(query('SELECT 1 FROM node WHERE name = ?', b'late')), 2,
          'a poll finds new files without a sync')
    (root,) = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)['roots']
    ok(0 < root['watched'] <= 10 and root['watched'] + root['polled'] == root['directories'],
       'status --json counts watched and polled directories of a root', root)
    said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
    ok(f"{root['watched']} watched, the others polled" in said,
       'tarsier status says how many directories are polled', said)
    said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
    ok('allow more: sysctl fs.inotify.max_user_watches=524288' in said,
       'doctor names the sysctl that raises the limit of watches', said)
    raised = subprocess.run(['nsenter', '-U', '--preserve-credentials', '-t', str(daemon.process.pid), 'sh', '-c',
                             'echo 10000 >/proc/sys/user/max_inotify_watches'], capture_output=True)
    equal(raised.returncode, 0, 'the limit of watches can be raised in the name space')
    wait_until('nothing is polled', lambda: daemon.status()['polled'] == 0, 20)
    status = daemon.status()
    equal((status['polled'], status['watches_limit']), (0, 10000),
          'the daemon watches every directory once the limit is raised')
    daemon.stop()
    none = in_namespace('echo 0 >/proc/sys/user/max_inotify_instances', '-U')
    daemon = Daemon(wrapper=none)
    write('without', 'inotify')
    daemon.sync()
    same('the daemon works without inotify', owners=False)
    daemon.stop()
    shutil.rmtree(TREE + '/few')
    configure()
else:
    skip('the daemon takes at most half of the watches it may have', 'no user name spaces with limits of their own')

# Without the filler there is room for the index of all files, with its log: under load, many of them are added before
# the disk is full.
disk = TMP + '/disk'
os.makedirs(disk, exist_ok=True)
read_only = in_namespace(f'mount -t tmpfs none {disk} && mkdir -m 700 {disk}/index {disk}/index/cache && mount -o remount,ro {disk}', '-Um')
if read_only:
    for command in (['tarsierd', '--once', '--index', disk + '/index'], ['tarsier', '--index', disk + '/index', 'index']):
        done = subprocess.run([*read_only, *command], capture_output=True, text=True, timeout=60)
        ok(done.returncode == 75 and 'Read-only file system' in done.stderr, f'{command[0]} does not call an index damaged that it may not write', done)
else:
    skip('an index on a read-only file system is not called damaged', 'no user name spaces')
full = in_namespace(f'mount -t tmpfs -o size=64m none {disk} && mkdir -m 700 {disk}/index && '
                    f'head -c 65000000 /dev/zero >{disk}/filler', '-Um')
if full:
    for i in range(1500):
        write(f'full/{i}', ' '.join(f'{random.randrange(1 << 30):x}' for _ in range(300)))
    # An index in another directory has its socket there, inside the name space, so the path leads
    # through /proc.
    process = keep(subprocess.Popen([*full, 'tarsierd', '--index', f'{disk}/index'], stderr=open(TMP + '/daemon.log', 'ab')))
    import daemontest
    inside = f'/proc/{process.pid}/root{disk}'
    daemontest.SOCKET = f'{inside}/index/ctl'

    def state():
        try:
            return request('status')
        except (OSError, EOFError):
            return {'state': '', 'disk_full': False, 'pid': 0}
    wait_until('the disk is full', lambda: state()['disk_full'], 120)
    status = state()
    ok(status['disk_full'] and status['state'] == 'degraded' and status['reason'],
       'the status reports a full disk', status)
    let_time_pass(1, 'the daemon may end for lack of space')
    ok(state()['pid'] == process.pid, 'the daemon answers while the disk is full')
    shutil.rmtree(TREE + '/full')
    write('after', 'the disk was full')
    os.unlink(f'{inside}/filler')
    request('sync', 200)
    copy = TMP + '/copy'  # SQLite would resolve the link of /proc to a path outside of the name space
    os.makedirs(copy)
    backup = 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))'
    subprocess.run(['nsenter', '-U', '-m', '--preserve-credentials', '-t', str(process.pid), sys.executable, '-c', backup,
                    f'{disk}/index/index.db', f'{copy}/index.db'], check=True)
    found = differences(index=copy, owners=False)
    ok(not found, 'the daemon goes on by itself when the disk has room again', *found, state())
    process.terminate()
    equal(process.wait(100), 0, 'SIGTERM ends the daemon with status 0 after a full disk')
else:
    skip('the status reports a full disk', 'no user name spaces')

finish()
