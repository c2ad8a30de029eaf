# SPDX-License-Identifier: GPL-3.0-or-later
"""One daemon an index: of fifty that start at once one runs, and is the one that answers; the others end with status 3, a single one within a second.
It is killed, and its successor takes over within a second, whatever it left behind. STARTS sets how often, STARTS_SEED repeats the choices."""
import os, random, signal, socket, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

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
    """Who answers, or 0."""
    try:
        return request('status', 5)['pid']
    except (OSError, EOFError):
        return 0


def until(process, condition):
    """The seconds it needed for that, at most 20."""
    watch, latest = Stopwatch(process), time.monotonic() + 20
    while not condition() and time.monotonic() < latest:
        watch.seconds()
        time.sleep(0.002)
    return watch.seconds()


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait(20)


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
ok(until(first, lambda: answering() == first.pid) < 20, 'one runs')
for n in range(rounds):
    left = LEFT[n] if n < len(LEFT) else rng.choice(LEFT)

    # one that is not needed
    second = start()
    took = until(second, lambda: second.poll() is not None)
    equal(second.returncode, 3, f'{n}: a second one ends with status 3')
    ok(took < 10, f'{n}: soon', took)
    equal(answering(), first.pid, f'{n}: the first one answers')

    # the first is killed
    kill(first)
    left()
    first = start()
    took = until(first, lambda: answering() == first.pid)
    ok(took < 10, f'{n}: its successor takes over soon ({left.__name__})', took)
    ok(answers_those_who_wait(), f'{n}: and tells who waits')
    ok(wait_for(up_to_date, 60), f'{n}: with all it had')

    # many at once, while nobody runs
    kill(first)
    left()
    many = [start() for _ in range(50)]
    wait_for(lambda: sum(p.poll() is None for p in many) <= 1 and answering(), 60)
    running = [p for p in many if p.poll() is None]
    equal((len(running), {p.returncode for p in many if p not in running}), (1, {3}), f'{n}: of fifty one runs, the others end with 3')
    if len(running) != 1:
        break
    first = running[0]
    equal(answering(), first.pid, f'{n}: it is the one that answers')
request('sync', 60)
same('all is there')
equal(query('PRAGMA integrity_check'), [(b'ok',)], 'the database is sound')
equal([name for name in os.listdir(Daemon.index) if 'damaged' in name], [], 'and was never taken for damaged')
first.terminate()
equal(first.wait(20), 0, 'it stops')
finish()
