# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 of the daemon, the extractor program and its children during conversions: nothing is
lost, nothing fails, no process is left. KILLS sets how many, KILLS_SEED repeats the choices."""
import os, random, signal, subprocess, sys, time, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

kills = int(os.environ.get('KILLS', 20))
TRIES = 4  # a file is given up if it is in progress at more deaths of the daemon (daemon/ingest/journal.h)
seed = int(os.environ.get('KILLS_SEED', random.randrange(1 << 32)))
print(f'# KILLS={kills} KILLS_SEED={seed}', flush=True)
rng = random.Random(seed)
written = 0


def programs():
    return children(daemon.process.pid)


def sandboxed():
    return [child for program in programs() for child in children(program)]


def words(n):
    return ' '.join(f'word{rng.randrange(100000)}' for _ in range(n))


def add(n):
    """Adds texts of the cheap lane, and archives, each of which gets a child of its own."""
    global written
    for _ in range(n):
        written += 1
        if written % 8 == 0:
            with zipfile.ZipFile(write(f'z/{written}.zip', b''), 'w') as z:
                for i in range(5):
                    z.writestr(f'{i}.txt', words(200))
        else:
            write(f't{written % 9}/{written}.txt', words(300))


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def kill_one(what):
    global daemon
    if what == 'daemon':
        orphans = programs() + sandboxed()
        daemon.stop(signal.SIGKILL)
        daemon = Daemon()
        return orphans
    victims = programs() if what == 'program' else sandboxed()
    if victims:
        kill(rng.choice(victims))
    return []


os.makedirs(TREE)
add(200)
configure()
daemon = Daemon()
orphans, deaths = [], 0
for i in range(kills):
    add(40)
    let_time_pass(rng.random() * 0.15, 'the kill comes at any moment of the work')
    victim = rng.choice(['daemon', 'program', 'child', 'child'])
    deaths += victim == 'daemon'
    orphans += kill_one(victim if deaths <= TRIES else 'child')
    if i % 10 == 9:
        daemon.sync()
        deaths = 0
        failed = query('SELECT n.name, i.reason, i.tries, i.detail FROM inode i JOIN node n ON n.inode = i.id WHERE i.state = 2')
        if not same(f'after {i + 1} kills the index equals the file system') or not equal(failed, [],
                                                         f'after {i + 1} kills no file counts as failed'):
            break
daemon.sync()
same('the index equals the file system after all kills')
equal(query('SELECT count(*) FROM content WHERE state <> 0'), [(0,)],
      'every content is complete after all kills')
equal(faults_of_database(), [], 'the database is sound after all kills')


def left():
    return [pid for pid in orphans if os.path.exists(f'/proc/{pid}/exe') and 'tarsier' in os.readlink(f'/proc/{pid}/exe')]


wait_until('the processes of killed daemons end', lambda: not left(), 5, 0.05)
equal(left(), [], 'no process of a killed daemon is left')

# The extractor program is killed again and again: it restarts, but with pauses.
write('stubborn.txt', 'a file that is converted in the end')
for _ in range(6):
    for pid in programs():
        kill(pid)
    let_time_pass(0.05, 'the daemon may start the program again')
daemon.sync()
same('the daemon starts the extractors again after they were killed six times')

# SIGTERM comes during a bulk load.
for number in (signal.SIGTERM, signal.SIGINT):
    add(400)
    let_time_pass(0.15, 'the signal comes in the middle of conversions')
    took = daemon.stop(number)
    ok(took < 1, f'signal {number} ends the daemon within a second during conversions', took)
    equal(daemon.process.returncode, 0,
          f'signal {number} ends the daemon with status 0 during conversions')
    daemon = Daemon()
daemon.sync()
same('the index equals the file system after stops during conversions')
daemon.stop()

# Many daemons start at once; one of them runs.
many = [keep(subprocess.Popen(['tarsierd'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)) for _ in range(50)]
wait_until('one daemon is left', lambda: sum(p.poll() is None for p in many) <= 1, 20, 0.05)
running = [p for p in many if p.poll() is None]
equal((len(running), sorted({p.returncode for p in many if p.poll() is not None})), (1, [3]),
      'of fifty daemons one runs, the others end with status 3')
running[0].kill()
running[0].wait()
daemon = Daemon()
daemon.sync()
same('the successor of a killed daemon has the whole index')
daemon.stop()

# An index of a newer version is not changed.
index = Daemon.index + '/index.db'
db = sqlite3.connect(index)
db.execute('PRAGMA user_version = 99')
db.close()
with open(index, 'rb') as f:
    before = f.read()
newer = subprocess.run(['tarsierd'], capture_output=True, text=True, timeout=100)
equal(newer.returncode, 4, 'the daemon ends with status 4 at an index of a newer version')
ok(newer.stderr.strip(), 'the daemon says why it refuses an index of a newer version', newer.stderr)
with open(index, 'rb') as f:
    ok(f.read() == before, 'the daemon does not change an index of a newer version')
finish()
