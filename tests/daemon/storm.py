# SPDX-License-Identifier: GPL-3.0-or-later
"""A random workload runs before, during and after the first crawl, while the daemon is stopped and continued, killed and started again. Every
now and then, and in the end, the index equals the file system. STORM_SEED repeats the choices, STORM_OPERATIONS sets their number, STORM_THREADS=1
their order too."""
import concurrent.futures, os, random, signal, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *
from workload import *

seed = int(os.environ.get('STORM_SEED', random.randrange(1 << 32)))
operations = int(os.environ.get('STORM_OPERATIONS', 3000))
threads = int(os.environ.get('STORM_THREADS', 8))
print(f'# STORM_SEED={seed} STORM_OPERATIONS={operations} STORM_THREADS={threads}', flush=True)
rng = random.Random(seed)
pool = concurrent.futures.ThreadPoolExecutor(threads)
os.makedirs(TREE)
os.makedirs(OUTSIDE)
settle(burst(pool, threads, rng, 300))
configure()
daemon = Daemon()
done = 0
while done < operations:
    n = rng.randrange(8, 80)
    running = burst(pool, threads, rng, n)
    done += n
    chance = rng.random()
    if chance < 0.3:
        time.sleep(rng.random() * 0.1)
    elif chance < 0.4:
        daemon.send(signal.SIGSTOP)
        settle(running)
        running = burst(pool, threads, rng, 100)
        time.sleep(rng.random() * 0.1)
        daemon.send(signal.SIGCONT)
    elif chance < 0.5:
        daemon.stop(signal.SIGKILL)
        watched_dirs.clear()
        unseen |= mapped
        time.sleep(rng.random() * 0.02)
        daemon = Daemon()
    settle(running)
    if 0.5 <= chance < 0.65:
        daemon.sync()
        note_watched()
        mapped.clear()
        if not same(f'after {done} operations', unseen=hidden()):
            break
daemon.sync()
same('in the end', unseen=hidden())
same_list('as the client lists it', unseen=hidden())
equal([r for r in query('PRAGMA integrity_check')], [(b'ok',)], 'the database is sound')
equal(query('SELECT count(*) FROM content c WHERE NOT EXISTS (SELECT 1 FROM inode i WHERE i.content = c.id)'), [(0,)],
      'no content is left over')
equal(query('SELECT count(*) FROM document d WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = d.content)'), [(0,)],
      'no document is left over')
equal(query('SELECT count(*) FROM inode i WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.inode = i.id)'), [(0,)],
      'no inode is left over')
print(f'# {len(hidden())} inodes that nobody could know, {len(aliases)} names where nobody watched', flush=True)
ok(daemon.stop() < 2, 'the daemon stops')
equal(daemon.process.returncode, 0, 'well')
daemon = Daemon()
daemon.sync()
same('after a start')
ok(daemon.status()['extractions'] <= len(unseen), 'without a conversion', daemon.status()['extractions'])
daemon.stop()
finish()
