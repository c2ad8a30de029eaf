# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleted, excluded or removed text leaves the results at once and the disk with a scrub; no file
of ours keeps a word of it."""
import os, resource, shutil, signal, sqlite3, stat, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

CACHE = HOME + '/.cache/tarsier'
# The text index stores common prefixes of successive words once, so the search is for the rest of
# the word.
words = {name: f'q{letter}x{name}canary' for name, letter in (('deleted', 'b'), ('edited', 'c'), ('excluded', 'd'), ('root', 'f'), ('stays', 'g'))}


os.environ['TARSIER_DEBUG'] = 'all'


def start():
    """Starts the daemon with a umask that gives access to everybody, and with a full log."""
    before = os.umask(0)
    try:
        return Daemon('-v')
    finally:
        os.umask(before)


def traces(name):
    """Returns our files that contain the word."""
    wanted, found = words[name][2:].encode(), []
    for top in (Daemon.index, CACHE, os.environ['XDG_RUNTIME_DIR']):
        for dir, _, files in os.walk(top):
            for file in files:
                path = os.path.join(dir, file)
                if not stat.S_ISREG(os.stat(path).st_mode):
                    continue
                with open(path, 'rb') as f:
                    if wanted in f.read():
                        found.append(os.path.relpath(path, HOME))
    return found


def hits(name):
    return subprocess.run(['tarsier', 'search', '-l', words[name]], capture_output=True, text=True).stdout.split()


def compact(*options):
    return subprocess.run(['tarsier', 'compact', *options], capture_output=True, text=True)


other = HOME + '/other'
for i in range(300):
    write(f'filler/{i}', ' '.join(f'filler{i * 37 % 1000 + j} common{j}' for j in range(60)))
write(f'{words["deleted"]}.txt', f'a text with {words["deleted"]} in it')
write('edited.txt', f'a text with {words["edited"]} in it')
write('excluded/file.txt', f'a text with {words["excluded"]} in it')
write('stays.txt', f'a text with {words["stays"]} in it')
write('../other/file.txt', f'a text with {words["root"]} in it')
with zipfile.ZipFile(write(f'd.zip', b''), 'w') as z:
    z.writestr(f'{words["deleted"]}', f'{words["deleted"]} in an archive')
configure([TREE, other])
daemon = start()
daemon.sync()
equal([bool(hits(name)) for name in words], [True] * 5,
      'every word is found before anything is deleted')
ok(all(traces(name) for name in words),
   'every word lies on the disk before anything is deleted', [traces(name) for name in words])

os.unlink(f'{TREE}/{words["deleted"]}.txt')
os.unlink(f'{TREE}/d.zip')
write('edited.txt', 'another text')
write('excluded/.noindex', '')
daemon.sync()
equal([hits(name) for name in ('deleted', 'edited', 'excluded')], [[], [], []],
      'deleted, edited and excluded text is found no more')
done = compact('--scrub')
equal((done.returncode, done.stdout, done.stderr), (0, '', ''),
      'compact --scrub by the daemon exits with 0 and prints nothing')
for name in ('deleted', 'edited', 'excluded'):
    equal(traces(name), [], f'no file of ours has a trace of {name} text after a scrub')
ok(hits('stays') and hits('root'), 'text that was not deleted is found after a scrub')
configure([TREE])
request('reload')
wait_until('the removed root is scrubbed', lambda: not traces('root'), 20, 0.05)
equal(traces('root'), [], 'a removed root is scrubbed without a request')
equal(hits('root'), [], 'text below a removed root is found no more')
same_rows = differences()
equal([d for d in same_rows if '/excluded' not in d], [],
      'the index equals the file system after scrubs')
equal(faults_of_database(), [], 'the database is sound after scrubs')

# The next scrubs run without a daemon, and one is killed.
daemon.stop()
words['off'] = 'qhxoffcanary'
write('off.txt', f'a text with {words["off"]} in it')
subprocess.run(['tarsier', 'index', '-q'], check=True)
ok(hits('off') and traces('off'), 'text is indexed without a daemon')
os.unlink(TREE + '/off.txt')
equal(compact('--scrub', '-q').returncode, 0, 'compact --scrub without a daemon exits with 0')
equal((hits('off'), traces('off')), ([], []),
      'none of our files has a trace of the text after a scrub without a daemon')
# Without a daemon, a removed directory leaves the index and the disk, and nothing else is done.
words['left'] = 'qlxleftcanary'
write('../left/file.txt', f'a text with {words["left"]} in it')


def remove(*options):
    return subprocess.run(['tarsier', *options, 'remove', HOME + '/left'], capture_output=True, text=True, env={**os.environ, 'TARSIER_DEBUG': ''})


def index_left():
    subprocess.run(['tarsier', '-q', 'add', HOME + '/left'], check=True)
    subprocess.run(['tarsier', '-q', 'index'], check=True)
    return traces('left')


ok(hits('root') == [] and index_left() and hits('left'), 'text of a second directory is indexed without a daemon')
write('unseen.txt', 'a text that nobody was told of')
done = remove('-q')
equal((done.returncode, done.stdout, done.stderr), (0, '', ''), 'remove without a daemon exits with 0')
equal((hits('left'), traces('left')), ([], []), 'none of our files has a trace of a removed directory without a daemon')
equal(query("SELECT count(*) FROM node WHERE name = 'unseen.txt'"), [(0,)], 'remove without a daemon compares nothing')
ok(hits('stays'), 'remove without a daemon keeps the other directories')
index_left()
query_reader = sqlite3.connect(f'file:{Daemon.index}/index.db?mode=ro', uri=True)
query_reader.execute('BEGIN')
query_reader.execute('SELECT count(*) FROM node').fetchall()
done = remove()
ok(done.returncode == 0 and 'tarsier compact --scrub' in done.stderr and not hits('left'),
   'remove tells what erases the words while another process reads the index', done)
query_reader.close()
equal((compact('--scrub', '-q').returncode, traces('left')), (0, []), 'that erases them')
words['killed'] = 'qkxkilledcanary'
write('killed.txt', f'a text with {words["killed"]} in it')
daemon = start()
daemon.sync()
os.unlink(TREE + '/killed.txt')
daemon.sync()
scrub = subprocess.Popen(['tarsier', 'compact', '--scrub'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
let_time_pass(0.02, 'the daemon dies in the middle of a scrub')
daemon.stop(signal.SIGKILL)
scrub.wait(100)
daemon = start()
equal(compact('--scrub').returncode, 0,
      'compact --scrub exits with 0 after a scrub that was killed')
equal(traces('killed'), [], 'none of our files has a trace of the text after a scrub that was killed')
equal(compact().returncode, 0, 'compact with nothing to do exits with 0')
reader = sqlite3.connect(f'file:{Daemon.index}/index.db?mode=ro', uri=True)
reader.execute('BEGIN')
reader.execute('SELECT count(*) FROM node').fetchall()
done = compact('--scrub')
equal((done.returncode, done.stdout), (75, ''),
      'compact --scrub exits with 75 while another process reads the index')
reader.close()
equal(compact('--scrub').returncode, 0,
      'compact --scrub exits with 0 once no other process reads the index')

# With any umask, no other user may read our files.
open_to_others = []
for top in (Daemon.index, CACHE, os.environ['XDG_RUNTIME_DIR'] + '/tarsier'):
    for dir, dirs, files in os.walk(top):
        open_to_others += [p for p in [dir, *(os.path.join(dir, f) for f in files)] if os.stat(p).st_mode & 0o77]
equal(open_to_others, [], 'no other user can read any file of ours, whatever the umask')
with open('/proc/%d/limits' % daemon.process.pid) as f:
    ok([line.split()[4:6] for line in f if line.startswith('Max core')] == [['0', '0']],
       'the daemon dumps no core')
with open(f'/proc/{daemon.process.pid}/coredump_filter') as f:
    equal(int(f.read(), 16), 0, 'a core dump of the daemon would hold no memory')
with open(TMP + '/daemon.log', errors='replace') as f:
    log = f.read()
ok(all(line in log for line in (f'queue: {TREE}/edited.txt: compared', f': reads {TREE}/edited.txt', ': is up to date')),
   'a log of all topics tells step by step what becomes of a file', log[-2000:])
log = log.replace(f'{words["deleted"]}.txt', '')
equal([word for word in words.values() if word in log], [],
      'a log of all topics has no word of any content')
asked = subprocess.run(['tarsier', '-v', 'search', '-l', words['stays']], capture_output=True, text=True)
ok(asked.stdout and words['stays'] not in asked.stderr,
   'a client with -v logs no word of the query', asked)

# A client that crashes leaves no trace of the query and the hits.
limits = resource.getrlimit(resource.RLIMIT_CORE)
os.makedirs(TMP + '/crash')
with open('/proc/sys/kernel/core_pattern') as f:
    pattern = f.read().strip()
client = keep(subprocess.Popen(['tarsier', 'status', '--follow'], cwd=TMP + '/crash', stdout=subprocess.PIPE,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limits[1], limits[1]))))
client.stdout.readline()
client.send_signal(signal.SIGABRT)
client.wait(100)
if pattern.startswith(('|', '/')) or limits[1] == 0:
    skip('a client that crashes dumps no core', 'dumps go elsewhere here')
else:
    equal(os.listdir(TMP + '/crash'), [], 'a client that crashes dumps no core')
daemon.stop()
finish()
