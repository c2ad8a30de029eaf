# SPDX-License-Identifier: GPL-3.0-or-later
"""Overflow of the event queue, few watches, full disk, a second daemon, unreadable and vanishing files, damaged index, configuration, own
files inside a root, roots that come and go."""
import os, random, shutil, signal, subprocess, sys, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

os.makedirs(TREE)
for i in range(300):
    write(f'd{i % 30}/{i}.txt', f'text of {i}')
configure()
daemon = Daemon()
daemon.sync()

# ---- a second daemon
second = subprocess.run(['tarsierd'], capture_output=True, timeout=20)
equal(second.returncode, 3, 'a second daemon ends with status 3')
ok(second.stderr.strip(), 'and says why')
equal(daemon.status()['state'], 'idle', 'the first goes on')

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
ok(daemon.status()['overflows'] > 0, 'the event queue ran over')
same('rows are right after the overflow')

# ---- pause
write('before-pause', 'one')
daemon.sync()
watch = Stopwatch(daemon.process)
request('pause')
ok(watch.seconds() < 1, 'a pause is acknowledged within a second')
equal(daemon.status()['state'], 'paused', 'and shown')
write('paused', 'written while paused')
for _ in range(100):
    if query('SELECT 1 FROM node WHERE name = ?', b'paused'):
        break
    time.sleep(0.02)
equal(query('SELECT i.state FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', b'paused'), [(1,)],
      'names are indexed while it is paused, contents are not')
request('resume')
daemon.sync()
same('resumed')

# ---- SIGHUP and roots
other = HOME + '/other'
os.makedirs(other)
with open(other + '/file', 'w') as f:
    f.write('in another root')
configure([TREE, other])
daemon.send(signal.SIGHUP)
for _ in range(200):
    if len(daemon.status()['roots']) == 2:
        break
    time.sleep(0.02)
daemon.sync()
ok(os.fsencode(other) + b'/file' in rows(), 'a root is added by SIGHUP')
shutil.move(TREE + '/d1', other + '/d1')
daemon.sync()
ok(not differences(other) or all('ghost' in d for d in differences(other)), 'a directory moves from one root to another')
write('../other/d1/later', 'seen in its new root')
daemon.sync()
ok(os.fsencode(other) + b'/d1/later' in rows(), 'and is still watched there')
os.rename(other, HOME + '/away')
for _ in range(300):
    if [r['state'] for r in daemon.status()['roots']] == ['offline', 'watching']:
        break
    time.sleep(0.02)
equal([r['state'] for r in daemon.status()['roots']], ['offline', 'watching'], 'a root that is away is offline')
ok(os.fsencode(other) + b'/file' in rows(), 'and its rows are kept')
os.rename(HOME + '/away', other)
configure([TREE], poll='bad value')
daemon.send(signal.SIGHUP)
for _ in range(200):
    if daemon.status()['config_error']:
        break
    time.sleep(0.02)
ok(daemon.status()['config_error'], 'a bad configuration is told')
equal(len(daemon.status()['roots']), 2, 'and the old one stays')
configure([TREE])
request('reload')
daemon.sync()
ok(not [p for p in rows() if p.startswith(os.fsencode(other))], 'a removed root is purged')
same('after all that')

# ---- ignore files
write('d2/.tarsierignore', '*.txt\n')
daemon.sync()
equal([p for p in rows() if b'/d2/' in p and p.endswith(b'.txt')], [], 'a new .tarsierignore takes effect')
os.unlink(TREE + '/d2/.tarsierignore')
daemon.sync()
same('and so does its removal')

# ---- our own files, below a root
daemon.stop()
hidden = Daemon.index
configure([HOME], hidden='*')
daemon = Daemon()
os.link(hidden + '/index.db', TREE + '/link-to-index')
os.link(hidden + '/index.db-shm', TREE + '/link-to-shm')
daemon.sync()
time.sleep(0.1)
daemon.sync()
equal([r for r in rows() if b'/tarsier/index.db' in r], [], 'our directory is not entered')
links = query("SELECT i.state, i.content FROM node n JOIN inode i ON i.id = n.inode WHERE CAST(n.name AS TEXT) LIKE 'link-to-%'")
ok(links and all(state == 2 and content is None for state, content in links), 'our files are not read under another name', links)
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
time.sleep(2)
ok(daemon.status()['pid'] == daemon.process.pid, 'answers while files grow and vanish')
stop.set()
thread.join()
daemon.sync()
same('when it is over')

# ---- unreadable files
if os.geteuid() != 0:
    path = write('secret', 'can be read')
    daemon.sync()
    os.chmod(path, 0)
    daemon.sync()
    equal(query('SELECT i.state, i.reason, i.content FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ?', b'secret'),
          [(2, 14, None)], 'what cannot be read any more leaves the index')
    os.chmod(path, 0o600)
    daemon.sync()
    same('and comes back')
    os.chmod(TREE + '/d3', 0)
    daemon.sync()
    equal([p for p in rows() if b'/d3/' in p], [], 'nor is anything left of a directory that cannot be entered')
    os.chmod(TREE + '/d3', 0o700)
    daemon.sync()
    same('until it can again')
else:
    skip('unreadable files', 'root reads all')

# ---- a damaged index
daemon.stop()
with open(Daemon.index + '/index.db', 'r+b') as f:
    f.write(b'\0' * 4096)
daemon = Daemon()
daemon.sync()
same('a damaged index is made anew')
ok([n for n in os.listdir(Daemon.index) if 'damaged' in n], 'the damaged one is put aside')
said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
ok('Rebuilt' in said, 'and the status says so', said)
equal(os.stat(Daemon.index).st_mode & 0o77, 0, 'nobody else may look')
equal([n for n in os.listdir(Daemon.index) if os.stat(f'{Daemon.index}/{n}').st_mode & 0o77], [], 'into any file')
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
    ok(0 < status['watched'] <= 10, 'takes half of few watches', status['watched'])
    ok(status['polled'] >= 30, 'and polls the rest', status['polled'])
    for i in range(40):
        write(f'few/{i}/file', f'number {i} changed')
    daemon.sync()
    same('a sync visits what is polled', owners=False)
    write('few/5/late', 'seen by polling')
    write('few/35/late', 'seen by polling too')
    for _ in range(200):
        if len(query('SELECT 1 FROM node WHERE name = ?', b'late')) == 2:
            break
        time.sleep(0.05)
    equal(len(query('SELECT 1 FROM node WHERE name = ?', b'late')), 2, 'and so does the clock')
    (root,) = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)['roots']
    ok(0 < root['watched'] <= 10 and root['watched'] + root['polled'] == root['directories'], 'the status says so of the root', root)
    said = subprocess.run(['tarsier', 'status'], capture_output=True, text=True).stdout
    ok(f"{root['watched']} watched, the others polled" in said, 'for a person too', said)
    said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
    ok('allow more: sysctl fs.inotify.max_user_watches=524288' in said, 'and what to do', said)
    raised = subprocess.run(['nsenter', '-U', '--preserve-credentials', '-t', str(daemon.process.pid), 'sh', '-c',
                             'echo 10000 >/proc/sys/user/max_inotify_watches'], capture_output=True)
    equal(raised.returncode, 0, 'the limit is raised')
    for _ in range(400):
        status = daemon.status()
        if status['polled'] == 0:
            break
        time.sleep(0.05)
    equal((status['polled'], status['watches_limit']), (0, 10000), 'and all is watched without a restart')
    daemon.stop()
    none = in_namespace('echo 0 >/proc/sys/user/max_inotify_instances', '-U')
    daemon = Daemon(wrapper=none)
    write('without', 'inotify')
    daemon.sync()
    same('works without inotify', owners=False)
    daemon.stop()
    shutil.rmtree(TREE + '/few')
    configure()
else:
    skip('few watches', 'no user name spaces with limits of their own')

disk = TMP + '/disk'
os.makedirs(disk, exist_ok=True)
full = in_namespace(f'mount -t tmpfs -o size=9m none {disk} && mkdir -m 700 {disk}/index && '
                    f'head -c 7000000 /dev/zero >{disk}/filler', '-Um')
if full:
    for i in range(1500):
        write(f'full/{i}', ' '.join(f'{random.randrange(1 << 30):x}' for _ in range(300)))
    # The socket of an index elsewhere lies beside it, inside the name space: reached through /proc.
    process = keep(subprocess.Popen([*full, 'tarsierd', '--index', f'{disk}/index'], stderr=open(TMP + '/daemon.log', 'ab')))
    import watched
    inside = f'/proc/{process.pid}/root{disk}'
    watched.SOCKET = f'{inside}/index/ctl'

    def state():
        try:
            return request('status', 5)
        except (OSError, EOFError):
            return {'state': '', 'disk_full': False}
    for _ in range(600):
        if state()['disk_full']:
            break
        time.sleep(0.05)
    status = state()
    ok(status['disk_full'] and status['state'] == 'degraded' and status['reason'], 'a full disk is told', status)
    time.sleep(1)
    ok(state()['pid'] == process.pid, 'and it goes on answering')
    shutil.rmtree(TREE + '/full')
    write('after', 'the disk was full')
    os.unlink(f'{inside}/filler')
    request('sync', 200)
    copy = TMP + '/copy'  # SQLite would follow the link of /proc back out of the name space
    os.makedirs(copy)
    for name in ('index.db', 'index.db-wal'):
        shutil.copy(f'{inside}/index/{name}', copy)
    found = differences(index=copy, owners=False)
    ok(not found, 'goes on by itself when there is room', *found, state())
    process.terminate()
    equal(process.wait(20), 0, 'and stops')
else:
    skip('full disk', 'no user name spaces')

finish()
