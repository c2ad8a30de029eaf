# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon dies right before a call that changes or locks a file, or in the middle of a write:
during a first index, an update, a scrub and a run with events. The client shows nothing false, and
the next start makes the index equal to the file system. POINTS sets how many calls of each are
tried, POINTS_SEED repeats the choices."""
import collections, os, random, re, shutil, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

points = int(os.environ.get('POINTS', 4))
seed = int(os.environ.get('POINTS_SEED', random.randrange(1 << 32)))
library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/die-at.so')
CACHE, BASE = HOME + '/.cache/tarsier', TMP + '/base'
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
print(f'# POINTS={points} POINTS_SEED={seed}', flush=True)
rng = random.Random(seed)
words = random.Random(seed + 1)  # the same choices in every run
ended_at = collections.Counter()


def dying_at(call, half=0):
    return ['env', f'LD_PRELOAD={library}', f'DIE_AT={call},{half}']


def text(name):
    return f'common {name} ' + ' '.join(f'word{words.randrange(3000)}' for _ in range(60))


def archive(path, *members):
    with zipfile.ZipFile(write(path, b''), 'w') as z:
        for member in members:
            z.writestr(member, text(member))


def make_tree():
    for i in range(40):
        write(f'{i % 4}/{i}.txt', text(f'file{i}'))
    for i in range(4):
        archive(f'zip/{i}.zip', *(f'm{i}x{k}.txt' for k in range(4)))


def change_tree(pause=lambda: None):
    """Makes some changes of every kind."""
    for i in range(5):
        write(f'0/{i * 4}.txt', text(f'edited{i}'))
        pause()
        write(f'new/{i}.txt', text(f'new{i}'))
        pause()
        os.unlink(f'{TREE}/1/{i * 4 + 1}.txt')
        pause()
    os.rename(TREE + '/2', TREE + '/moved')
    pause()
    archive('zip/0.zip', 'm0x0.txt', 'another.txt')
    os.unlink(TREE + '/zip/1.zip')
    pause()
    write('new/large.txt', text('large') + ''.join(f' large{i:x}' for i in range(60000)))  # written in pieces
    pause()
    shutil.copy(TREE + '/3/3.txt', TREE + '/new/copy.txt')
    os.link(TREE + '/3/7.txt', TREE + '/new/link.txt')


STAY = {f'{TREE}/3/{i}.txt' for i in range(3, 40, 4)}  # change_tree() does not change these


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    if os.path.exists(source):
        subprocess.run(['cp', '-a', source, target], check=True)


def set_aside(name):
    os.makedirs(f'{BASE}/{name}')
    copy(Daemon.index, f'{BASE}/{name}/index')
    copy(CACHE, f'{BASE}/{name}/cache')


def put_back(name):
    """Restores the index, not the tree, so that the files stay the same."""
    copy(f'{BASE}/{name}/index', Daemon.index)
    copy(f'{BASE}/{name}/cache', CACHE)


def shown(word):
    done = subprocess.run(['tarsier', 'search', '-l', '--dups=show', '-n', '1000', word], capture_output=True, text=True, timeout=60)
    return done.returncode, {line.split('|')[0] for line in done.stdout.splitlines()}, done.stderr


def text_of(path):
    if not path.endswith('.zip'):
        with open(path) as f:
            return f.read()
    with zipfile.ZipFile(path) as z:
        return ' '.join(z.read(name).decode() for name in z.namelist())


def all_with(word):
    paths = [os.path.join(top, name) for top, _, names in os.walk(TREE) for name in names]
    return {path for path in paths if word in re.findall(r'\w+', text_of(path))}


def check_client(name, before):
    """Checks the client while no daemon runs: files indexed before are found, and no deleted
    ones."""
    code, found, said = shown('common')
    if not before and code == 3:
        return  # there is no index yet
    ok(code in (0, 1, 5), f'{name}: the client answers a search', code, said)
    ok(STAY <= found or not before,
       f'{name}: the client shows every file that did not change since it was indexed', sorted(STAY - found))
    equal(sorted(path for path in found if not os.path.exists(path)), [],
          f'{name}: the client shows no file that is gone')


def check_rows(name):
    same(f'{name}: the index equals the file system')
    equal(faults_of_database(), [], f'{name}: the database is sound')
    left = [query(f'SELECT count(*) FROM {what}')[0][0] for what in (
        'content c WHERE state <> 0 OR NOT EXISTS (SELECT 1 FROM inode i WHERE i.content = c.id)',
        'document d WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = d.content)',
        'inode i WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.inode = i.id)')]
    equal(left, [0, 0, 0], f'{name}: no content, document or inode is left over')
    equal([n for n in os.listdir(Daemon.index) if 'damaged' in n], [],
          f'{name}: the index is not taken for damaged')
    for word in ('common', 'edited1', 'another', 'm0x0', 'file13', 'large7', 'largeea5f'):
        equal(shown(word)[1], all_with(word), f'{name}: {word} is found exactly where it is')


def check_after(name, before):
    """Checks everything after the daemon has ended."""
    check_client(name, before)
    daemon = Daemon()
    done = subprocess.run(['tarsier', 'status', '--wait=100', '-q'])
    equal(done.returncode, 0, f'{name}: the next daemon becomes idle')
    daemon.sync()  # rows that were seen to disappear are removed
    check_rows(name)
    daemon.stop()


def calls_in(said):
    return int(re.search(r'^calls (\d+)$', said, re.M)[1])


def note_end(said):
    where = re.search(r'^ended before (.*)$', said, re.M)
    if where:
        call, path = where[1].rsplit(' ', 1)
        ended_at[f'{call} {os.path.basename(path) if "cookie" not in path else "cookie"}'] += 1
    return where


def chosen(calls):
    """Returns points spread over all calls."""
    if points >= calls:
        return [(n, rng.randrange(2)) for n in range(1, calls + 1)]
    return [(int((i + rng.random()) * calls / points) + 1, rng.randrange(2)) for i in range(points)]


def run_once(call, half, *options):
    done = subprocess.run([*dying_at(call, half), 'tarsierd', '--once', *options], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr


def try_points(name, base, before, *options):
    """Runs tarsierd --once from that state, killed at the chosen calls."""
    put_back(base)
    status, said = run_once(0, 0, *options)
    equal(status, 0, f'{name}: --once exits with 0 without a kill')
    calls = calls_in(said)
    survived = 0
    for call, half in chosen(calls):
        put_back(base)
        status, said = run_once(call, half, *options)
        if note_end(said):
            equal(status, -signal.SIGKILL,
                  f'{name}: the daemon dies at call {call} of some {calls}')
        else:
            equal(status, 0, f'{name}: --once exits with 0 if call {call} is not reached')
            survived += 1
        check_after(f'{name} {call}{"+" if half else ""}', before)
    print(f'# {name}: some {calls} calls, {survived} runs came to their end before', flush=True)


def live(call, half):
    """Makes the events one after the other. Returns whether the daemon ended, and its output."""
    shutil.rmtree(TREE)
    make_tree()
    equal(subprocess.run(['tarsierd', '--once']).returncode, 0,
          '--once exits with 0 before the run with events')
    with open(TMP + '/live.log', 'w+') as log:
        process = keep(subprocess.Popen([*dying_at(call, half), 'tarsierd'], stderr=log, stdout=log))
        wait_until('the daemon listens', lambda: process.poll() is not None or os.path.exists(SOCKET), 20)
        change_tree(lambda: let_time_pass(0.01, 'the events come one after the other'))
        try:
            request('sync', 20)
        except (OSError, EOFError):
            pass
        ended = process.poll() is not None
        process.terminate()
        process.wait(100)
        log.seek(0)
        return ended, log.read()


def try_live():
    calls = calls_in(live(0, 0)[1])
    survived = 0
    for call, half in chosen(calls):
        ended, said = live(call, half)
        survived += not note_end(said)
        check_after(f'live {call}{"+" if half else ""}', True)
    print(f'# live: some {calls} calls, {survived} runs came to their end before', flush=True)


if not os.path.exists(library):
    skip_all('needs a library to be preloaded')
configure()
make_tree()
set_aside('nothing')
try_points('first', 'nothing', False)
try_live()
shutil.rmtree(TREE)
make_tree()
equal(subprocess.run(['tarsierd', '--once']).returncode, 0,
      '--once exits with 0 before the tree changes')
change_tree()
set_aside('changed')
try_points('changes', 'changed', True)
try_points('scrub', 'changed', True, '--scrub')
for where, n in ended_at.most_common():
    print(f'# ended before {where}: {n}', flush=True)
finish()
