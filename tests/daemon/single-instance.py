# SPDX-License-Identifier: GPL-3.0-or-later
"""One daemon runs for an index: of fifty that start at once 49 end with status 3, and the successor
of a killed one takes over whatever it left behind. STARTS sets how often, STARTS_SEED repeats the
choices."""
import os, random, signal, socket, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

rounds = int(os.environ.get('STARTS', 2))
seed = int(os.environ.get('STARTS_SEED', random.randrange(1 << 32)))
print(f'# STARTS={rounds} STARTS_SEED={seed}', flush=True)
rng = random.Random(seed)
LOCK = Daemon.index + '/lock'
add_texts(rng, 100, 60)
configure()


def start():
    return keep(subprocess.Popen(['tarsierd'], stdout=subprocess.DEVNULL, stderr=open(TMP + '/daemon.log', 'ab')))


def answering():
    """Returns the process ID of the daemon that answers, or 0."""
    try:
        return request('status', 5)['pid']
    except (OSError, EOFError):
        return 0


def until(what, process, condition):
    """Returns the seconds until that is true, at most 20."""
    watch = Stopwatch(process)

    def is_so():
        watch.seconds()  # measures the time in which other processes had the processors
        return condition()
    wait_until(what, is_so, 20, 0.002)
    return watch.seconds()


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait(100)


def stale_socket():
    if os.path.lexists(SOCKET):
        os.unlink(SOCKET)
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(SOCKET)


def stale_lock():
    with open(LOCK, 'w') as f:
        f.write('99999\n')


def no_lock():
    os.unlink(LOCK)


def stale_cookies():
    for number in range(1, 5):
        with open(f'{Daemon.index}/cookies/{number}', 'w'):
            pass


def nothing():
    pass


def answers_those_who_wait():
    try:
        return request('sync', 60)['done']
    except (OSError, EOFError):
        return False


LEFT = [stale_cookies, stale_socket, stale_lock, no_lock, nothing]
first = start()
ok(until('the daemon answers', first, lambda: answering() == first.pid) < 20, 'a daemon starts and answers')
for n in range(rounds):
    left = LEFT[n] if n < len(LEFT) else rng.choice(LEFT)

    # a second daemon, which is not needed
    second = start()
    took = until('the second daemon ends', second, lambda: second.poll() is not None)
    equal(second.returncode, 3, f'{n}: a second daemon ends with status 3')
    ok(took < 10, f'{n}: a second daemon ends within 10 s', took)
    equal(answering(), first.pid, f'{n}: the first daemon still answers')

    # the first daemon is killed
    kill(first)
    left()
    first = start()
    took = until('the successor answers', first, lambda: answering() == first.pid)
    ok(took < 10,
       f'{n}: the successor of a killed daemon answers within 10 s ({left.__name__})', took)
    ok(answers_those_who_wait(), f'{n}: the successor of a killed daemon answers a sync')
    ok(wait_until('the index is up to date', up_to_date, 60), f'{n}: the successor of a killed daemon has the whole index')

    # many daemons start at once while none runs
    kill(first)
    left()
    many = [start() for _ in range(50)]
    wait_until('one daemon is left and answers', lambda: sum(p.poll() is None for p in many) <= 1 and answering(), 60)
    running = [p for p in many if p.poll() is None]
    equal((len(running), {p.returncode for p in many if p not in running}), (1, {3}),
          f'{n}: of fifty daemons one runs, the others end with status 3')
    if len(running) != 1:
        break
    first = running[0]
    equal(answering(), first.pid, f'{n}: the daemon that runs is the one that answers')
request('sync', 60)
same('the index equals the file system after all starts')
equal(faults_of_database(), [], 'the database is sound after all starts')
equal([name for name in os.listdir(Daemon.index) if 'damaged' in name], [],
      'the database was never taken for damaged')
first.terminate()
equal(first.wait(100), 0, 'SIGTERM ends the last daemon with status 0')
finish()
