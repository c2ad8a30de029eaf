# SPDX-License-Identifier: GPL-3.0-or-later
"""An export that follows the changes of the index into a PostgreSQL server: both sides are killed, connections cut, the
target is restored from a copy, the index is made anew, two exports run at a time. Afterwards a comparison finds no
difference. EXPORT_KILLS sets how often, EXPORT_SEED repeats the choices."""
import contextlib, json, os, random, shutil, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from postgresql import DIR, URL, server, sql

kills = int(os.environ.get('EXPORT_KILLS', 6))
seed = int(os.environ.get('EXPORT_SEED', random.randrange(1 << 32)))
print(f'# EXPORT_KILLS={kills} EXPORT_SEED={seed}', flush=True)
rng = random.Random(seed)
host = subprocess.run(['hostname'], capture_output=True, text=True).stdout.strip()
log = open(TMP + '/export.log', 'a')
number = 0


def path_of(name):
    return f'{TREE}/{name}'


def follow(*options):
    return keep(subprocess.Popen(['tarsier', '-q', 'export', '--to', URL, '--follow', *options], stderr=log, stdout=log))


def verify():
    return tarsier('export', '--json', '--to', URL, '--verify')


def in_step():
    return verify()[0] == 0


def comes_into_step(name, seconds=100):
    daemon.sync()
    ok(wait_until('the target is in step', in_step, seconds=seconds, every=.2), name, verify(), open(log.name).read()[-2000:])


def stop(process, number=signal.SIGTERM):
    process.send_signal(number)
    return process.wait(100)


def found(user, word):
    rows, err = sql(f"SELECT path FROM tarsier.search('{word}', 1000)", user)
    assert not err, err
    return sorted(os.path.relpath(row, TREE) for row in rows)


def change():
    """One change of some kind."""
    global number
    number += 1
    files = [os.path.join(dir, name) for dir, _, names in os.walk(TREE) for name in names]
    dirs = [dir for dir, _, _ in os.walk(TREE) if dir != TREE]
    kind = rng.randrange(8)
    if kind < 3 or len(files) < 20 or not dirs:
        write(f'd{rng.randrange(6)}/{number}.txt', f'Beast {number} common {rng.randrange(30)}\n'.encode())
    elif kind == 3:
        os.unlink(rng.choice(files))
    elif kind == 4:
        os.chmod(rng.choice(files), rng.choice((0o600, 0o644, 0o640)))
    elif kind == 5:
        os.chmod(rng.choice(dirs), rng.choice((0o700, 0o755, 0o750)))
    elif kind == 6:
        os.rename(rng.choice(files), f'{rng.choice(dirs)}/{number}.txt')
    else:
        old = rng.choice(dirs)
        os.rename(old, f'{TREE}/d{rng.randrange(6, 99)}-{number}')


# The directory of the test is closed to others; what is open below it is so to nobody else.
configure()
os.makedirs(TREE, exist_ok=True)
for i in range(40):
    write(f'd{i % 6}/first{i}.txt', f'Beast first {i}\n'.encode())
write('heron.txt', b'The heron waits.\n')
daemon = Daemon()
daemon.sync()
tarsier('export', '--to', URL, '--setup')
sql(f"CREATE ROLE ada LOGIN; INSERT INTO tarsier.principal VALUES('ada', 'u:{os.getuid()}@{host}')")
export = follow('--name', 'team')
comes_into_step('an export that follows brings the target into step')

# ---- permissions and names go without texts
ok(found('ada', 'heron') == ['heron.txt'], 'its owner finds a file', found('ada', 'heron'))
sql("INSERT INTO tarsier.principal VALUES('bob', 'u:54321@" + host + "'); CREATE ROLE bob LOGIN")
os.chmod(path_of('heron.txt'), 0o600)
if os.getuid() == 0:
    os.chown(path_of('heron.txt'), 54321, -1)
else:
    os.chmod(path_of('heron.txt'), 0)
ok(wait_until('the file is refused', lambda: found('ada', 'heron') == []), 'a file that changes its owner is refused to the former one')
os.chown(path_of('heron.txt'), os.getuid(), -1) if os.getuid() == 0 else os.chmod(path_of('heron.txt'), 0o600)
ok(wait_until('the file is there again', lambda: found('ada', 'heron') == ['heron.txt']), 'and found again by him')
os.makedirs(path_of('away'), exist_ok=True)
os.rename(path_of('d0'), path_of('away/d0'))
ok(wait_until('the new paths are there', lambda: 'away/d0/first0.txt' in found('ada', 'first')), 'a directory that moves takes its files along')
os.unlink(path_of('heron.txt'))
ok(wait_until('the file is gone', lambda: found('ada', 'heron') == []), 'a file that is deleted is found no more')
write('otter.txt', b'The otter swims.\n')
ok(wait_until('the new file is there', lambda: found('ada', 'otter') == ['otter.txt']), 'a new file is found')
comes_into_step('then nothing differs')

code, _, err = tarsier('export', '--to', URL)
ok(code == 75 and 'another export' in err, 'a second export of the same index is refused', code, err)

# ---- one session for all: its connection to the daemon may be idle, and status tells of it
sessions = children(export.pid)
let_time_pass(12, 'the daemon drops connections that are idle for 5 s, and is told of exposures every 10 s')
os.chmod(path_of('otter.txt'), 0o600)
told = lambda: [each for each in json.loads(tarsier('status', '--json')[1])['exports'] if each['name'] == 'team' and each['exposure_ms'] is not None]
ok(wait_until('the daemon is told', told), 'status tells how long permissions took while the export runs', tarsier('status', '--json')[1])
equal(children(export.pid), sessions, 'the session goes on')

# ---- what status tells
equal(stop(export), 0, 'SIGTERM ends an export in order')
status = json.loads(tarsier('status', '--json')[1])
mine = [each for each in status.get('exports', []) if each['name'] == 'team']
ok(mine and mine[0]['behind'] == 0 and not mine[0]['lapsed'], 'status shows the export and that it has all changes', status.get('exports'))
ok(mine and 0 <= mine[0]['exposure_ms'] <= 10000, 'status shows how long permissions took', mine)
ok('team' in tarsier('status')[1], 'status names it', tarsier('status')[1])

# ---- it goes on where it was
for _ in range(10):
    change()
daemon.sync()
export = follow('--name', 'team')
comes_into_step('what changed meanwhile is sent when it starts again')
ok('0' == sql("SELECT count(*) FROM tarsier.instance WHERE seq IS NULL")[0][0], 'the target knows how far it has come')

# ---- faults
for i in range(kills):
    for _ in range(rng.randrange(1, 8)):
        change()
    what = rng.randrange(3)
    if what == 0:
        pids = children(export.pid)
        if pids:
            with contextlib.suppress(ProcessLookupError):  # it may just have ended
                os.kill(rng.choice(pids), signal.SIGKILL)
        else:
            stop(export, signal.SIGKILL)
    elif what == 1:
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
    else:
        server('stop')
        change()
        server('start')
    if rng.randrange(4) == 0:
        stop(export, signal.SIGKILL)
    if export.poll() is not None:
        export = follow('--name', 'team')
    if rng.randrange(3) == 0:
        daemon.sync()
# An export that failed often waits up to seven and a half minutes before it tries again.
comes_into_step(f'after {kills} kills, cuts and restarts of the server nothing differs', seconds=600)

daemon.stop(signal.SIGKILL)
change()
daemon = Daemon()
comes_into_step('an export outlives the daemon')

stop(export)
server('stop')
shutil.copytree(DIR + '/data', DIR + '/old', symlinks=True)
server('start')
export = follow('--name', 'team')
for _ in range(20):
    change()
comes_into_step('before the target is restored nothing differs')
stop(export)
server('stop')
shutil.rmtree(DIR + '/data')
subprocess.run(['cp', '-a', DIR + '/old', DIR + '/data'], check=True)
subprocess.run(['chown', '-R', '--reference=' + DIR, DIR + '/data'], check=True)
server('start')
code, out, _ = verify()
equal(code, 1, 'a target that was restored from a copy differs')
export = follow('--name', 'team')
comes_into_step('an export notices that the target was restored')

daemon.stop()
for name in os.listdir(Daemon.index):
    if name.startswith('index.db'):
        os.unlink(os.path.join(Daemon.index, name))
daemon = Daemon()
comes_into_step('an index that was made anew is compared whole')
rows = sql('SELECT count(DISTINCT instance) FROM tarsier.place')[0]
equal(rows, ['1'], 'what the former index sent is gone')
equal(stop(export), 0, 'the export ends in order')

# ---- the stream
def stream(*options):
    code, out, err = tarsier('export', '--to', '-', '--name', 'stream', *options)
    return code, [json.loads(line) for line in out.splitlines()], err


write('vole.txt', b'The vole digs.\n')
daemon.sync()
code, lines, err = stream('--since', '0')
ok(code == 0 and lines[0]['type'] == 'begin' and lines[1]['type'] == 'all' and lines[-1]['type'] == 'reached', 'a stream without a known beginning is whole', code, err, lines[:2])
seq = lines[-1]['seq']
code, lines, err = stream('--since', str(seq))
equal([line['type'] for line in lines], ['begin', 'reached'], 'where nothing changed nothing is sent')
write('stoat.txt', b'The stoat runs.\n')
os.unlink(path_of('vole.txt'))
daemon.sync()
code, lines, err = stream('--since', str(seq))
kinds = [line['type'] for line in lines]
ok(kinds.index('document') > len(kinds) - 1 - kinds[::-1].index('content'), 'permissions and deletions come before texts', kinds)
texts = [part['text'] for line in lines if line['type'] == 'document' for part in line['text'] or []]
ok(texts == ['The stoat runs.\n'], 'only what changed is sent', texts)
ok(any(line['type'] == 'content' and line['documents'] == [] for line in lines), 'a deletion is a content without documents', lines)
ok(stream('--since', str(seq))[1] == lines, 'the same changes can be read again', stream('--since', str(seq))[1])
code, lines, err = stream('--since', str(lines[-1]['seq'] + 1000))
equal(lines[1]['type'], 'all', 'a number from the future is not believed')
running = keep(subprocess.Popen(['tarsier', 'export', '--to', '-', '--name', 'stream', '--since', str(lines[-1]['seq']), '--follow'], stdout=subprocess.PIPE, text=True))
equal(json.loads(running.stdout.readline())['type'], 'begin', 'a stream that follows begins')
write('lynx.txt', b'The lynx hides.\n')
kinds = []
while 'document' not in kinds or kinds[-1] != 'reached':
    kinds.append(json.loads(running.stdout.readline())['type'])
ok(set(kinds) == {'content', 'document', 'reached'}, 'a change comes down the stream', kinds)
equal(stop(running), 0, 'SIGTERM ends the stream in order')
for bad in ('', '-1', 'x', '1x'):
    equal(stream('--since', bad)[0], 2, f'--since {bad!r} is refused')

equal(tarsier('export', '--forget', 'team')[0], 0, 'an export can be forgotten')
equal(tarsier('export', '--forget', 'team')[0], 1, 'and is then not known')
equal(tarsier('export', '--forget', 'stream')[0], 0, 'so can the last one')
equal(query('SELECT count(*) FROM change'), [(0,)], 'without exports no changes are kept')
daemon.stop()
finish()
