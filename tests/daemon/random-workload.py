# SPDX-License-Identifier: GPL-3.0-or-later
"""The index equals the file system after a random workload before, during and after the first
crawl, while the daemon is stopped, killed and started again. STORM_SEED repeats the choices,
STORM_OPERATIONS sets their number, STORM_THREADS=1 their order too."""
import concurrent.futures, os, random, signal, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from workload import *

seed = int(os.environ.get('STORM_SEED', random.randrange(1 << 32)))
operations = int(os.environ.get('STORM_OPERATIONS', 3000))
threads = int(os.environ.get('STORM_THREADS', 8))
print(f'# STORM_SEED={seed} STORM_OPERATIONS={operations} STORM_THREADS={threads}', flush=True)
rng = random.Random(seed)
pool = concurrent.futures.ThreadPoolExecutor(threads)
os.makedirs(TREE)
os.makedirs(OUTSIDE)
finish_burst(burst(pool, threads, rng, 300))
configure()
daemon = Daemon()
done = 0
while done < operations:
    n = rng.randrange(8, 80)
    running = burst(pool, threads, rng, n)
    done += n
    chance = rng.random()
    if chance < 0.3:
        let_time_pass(rng.random() * 0.1, 'the daemon works beside the operations')
    elif chance < 0.4:
        daemon.send(signal.SIGSTOP)
        finish_burst(running)
        running = burst(pool, threads, rng, 100)
        let_time_pass(rng.random() * 0.1, 'operations go on while the daemon is stopped')
        daemon.send(signal.SIGCONT)
    elif chance < 0.5:
        daemon.stop(signal.SIGKILL)
        watched_dirs.clear()
        unseen |= mapped
        let_time_pass(rng.random() * 0.02, 'operations go on while no daemon runs')
        daemon = Daemon()
    finish_burst(running)
    if 0.5 <= chance < 0.65:
        daemon.sync()
        note_watched()
        mapped.clear()
        if not same(f'the index equals the file system after {done} operations', unseen=hidden()):
            break
daemon.sync()
same('the index equals the file system after all operations', unseen=hidden())
same_list('list --json prints what the file system holds after all operations', unseen=hidden())
equal(faults_of_database(), [],
      'the database is sound after all operations')
equal(query('SELECT count(*) FROM content c WHERE NOT EXISTS (SELECT 1 FROM inode i WHERE i.content = c.id)'), [(0,)],
      'no content is left over without an inode')
equal(query('SELECT count(*) FROM document d WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = d.content)'), [(0,)],
      'no document is left over without a content')
equal(query('SELECT count(*) FROM inode i WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.inode = i.id)'), [(0,)],
      'no inode is left over without a node')
print(f'# {len(hidden())} inodes that nobody could know, {len(aliases)} names where nobody watched', flush=True)
ok(daemon.stop() < 2, 'SIGTERM ends the daemon within two seconds')
equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0')
daemon = Daemon()
daemon.sync()
same('the index equals the file system after a restart')
ok(daemon.status()['extractions'] <= len(unseen),
   'a restart converts no file but those with unseen changes', daemon.status()['extractions'])
daemon.stop()
finish()
