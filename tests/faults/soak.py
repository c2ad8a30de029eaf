# SPDX-License-Identifier: GPL-3.0-or-later
"""Random work for a long time while the daemon is paused, reloaded, compacted, stopped and
killed: the index equals the file system at every look; memory, descriptors and the log do not
grow. SOAK_MINUTES sets how long, SOAK_SEED repeats the choices, SOAK_LOAD is the share of time
with work."""
import concurrent.futures, os, random, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from workload import *

minutes = float(os.environ.get('SOAK_MINUTES', 0.4))
load = float(os.environ.get('SOAK_LOAD', 0.5))
seed = int(os.environ.get('SOAK_SEED', random.randrange(1 << 32)))
print(f'# SOAK_MINUTES={minutes} SOAK_SEED={seed}', flush=True)
rng = random.Random(seed)
THREADS, MOST_ENTRIES, WAL_BYTES = 4, 20000, 64 << 20
pool = concurrent.futures.ThreadPoolExecutor(THREADS)
done = {'operations': 0, 'looks': 0, 'kills': 0}


def kill_converters():
    for child in children(daemon.process.pid):
        for victim in rng.choice([[child], children(child)]):
            os.kill(victim, signal.SIGKILL)
            done['kills'] += 1


def stop_for_a_moment():
    daemon.send(signal.SIGSTOP)
    finish_burst(burst(pool, THREADS, rng, 200))
    daemon.send(signal.SIGCONT)


def pause():
    request('pause')
    finish_burst(burst(pool, THREADS, rng, 50))
    request('resume')


def client(*command):
    def run():
        try:
            subprocess.run(['tarsier', *command], capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            ok(False, f'tarsier {command[0]} ends within 120 s', daemon.status(), log_text())
    return run


DISTURBANCES = [kill_converters, kill_converters, stop_for_a_moment, pause, lambda: request('reload'), client('compact', '--scrub'),
                client('search', '-n', '50', 'words'), client('check'), client('retry')]


def kill_daemon():
    global daemon
    daemon.stop(signal.SIGKILL)
    done['kills'] += 1
    watched_dirs.clear()
    torn.update(mapped)
    mapped.clear()
    daemon = Daemon()


def keep_small():
    """Removes files, because copies of copies would fill the disk."""
    n = sum(len(names) + len(files) for _, names, files in os.walk(TREE))
    n += sum(len(names) + len(files) for _, names, files in os.walk(OUTSIDE))
    if n > MOST_ENTRIES:
        for top in [os.path.join(TREE, name) for name in os.listdir(TREE)][::2] + [OUTSIDE]:
            subprocess.run(['rm', '-rf', top])
        os.makedirs(OUTSIDE, exist_ok=True)


def own_descriptors():
    """Counts descriptors except those to extractors: one for each program and two for each child,
    of which the number varies."""
    programs = children(daemon.process.pid)
    return len(os.listdir(f'/proc/{daemon.process.pid}/fd')) - len(programs) - 2 * sum(len(children(program)) for program in programs)


def measure():
    with open(f'/proc/{daemon.process.pid}/smaps_rollup') as f:
        kib = {line.split(':')[0]: int(line.split()[1]) for line in f if line.split()[-1] == 'kB'}
    out = {'PSS KiB': kib['Pss'], 'RSS KiB': kib['Rss'], 'descriptors': own_descriptors(),
           'threads': len(os.listdir(f'/proc/{daemon.process.pid}/task')), 'log KiB': os.stat(Daemon.index + '/index.db-wal').st_size >> 10,
           'index KiB': os.stat(Daemon.index + '/index.db').st_size >> 10, 'files': daemon.status()['files']}
    print(f'# {(time.monotonic() - began) / 60:.1f} min: ' + ', '.join(f'{key} {value}' for key, value in out.items()) +
          ', ' + ', '.join(f'{key} {value}' for key, value in done.items()), flush=True)
    return out


def look():
    """Compares twice: the changes that raised events, and after a rescan also those that did
    not."""
    daemon.sync()
    done['looks'] += 1
    good = same(f'the index equals the file system after {done["operations"]} operations', unseen=hidden() | torn)
    subprocess.run(['tarsier', 'index', '-q'], timeout=300)
    daemon.sync()
    good &= same(f'the index equals the file system after {done["operations"]} operations and a comparison', unseen=torn)
    note_watched()
    for known in (mapped, unseen, aliases):
        known.clear()
    return good


torn = set()  # mapped files whose last write raised no event
os.makedirs(TREE)
os.makedirs(OUTSIDE)
finish_burst(burst(pool, THREADS, rng, 2000))
configure(verify='1h')
daemon = Daemon()
began = time.monotonic()
look()
steady = []  # of the same process
good, next_look, greatest_log = True, 0, 0
while good and (passed := (time.monotonic() - began) / 60) < minutes:
    n = rng.randrange(20, 200)
    started = time.monotonic()
    finish_burst(burst(pool, THREADS, rng, n))
    done['operations'] += n
    if rng.random() < 0.2:
        rng.choice(DISTURBANCES)()
    if passed > minutes * 2 / 3 and rng.random() < 0.2:
        kill_daemon()
    let_time_pass((time.monotonic() - started) * (1 / load - 1) * rng.random() * 2, 'SOAK_LOAD is the share of work')
    greatest_log = max(greatest_log, os.stat(Daemon.index + '/index.db-wal').st_size)
    if passed >= next_look:
        keep_small()
        good = look()
        next_look = passed + minutes / 40
        let_time_pass(1.5, 'the daemon comes to rest before it is measured')
        facts = measure()
        if passed < minutes * 2 / 3 and passed > minutes / 10:
            steady.append(facts)
look()
measure()
if len(steady) >= 4:
    third = len(steady) // 3
    first, last = ({key: sorted(facts[key] for facts in part)[len(part) // 2] for key in facts} for part in (steady[:third], steady[-third:]))
    print(f'# steady: first {first}, last {last}', flush=True)
    if 'asan' not in open(f'/proc/{daemon.process.pid}/maps').read():
        ok(last['PSS KiB'] < first['PSS KiB'] * 1.25 + 2048,
           'the memory of the daemon grows by less than a quarter and 2 MiB', first, last)
    ok(last['descriptors'] <= first['descriptors'] + 2 and last['threads'] == first['threads'],
       'descriptors and threads of the daemon do not grow', first, last)
print(f'# greatest log {greatest_log >> 10} KiB', flush=True)
ok(greatest_log <= WAL_BYTES, 'the write-ahead log stays below 64 MiB', greatest_log)
equal(faults_of_database(), [], 'the database is sound after all operations')
ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds')
equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0')
finish()
