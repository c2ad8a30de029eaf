# SPDX-License-Identifier: GPL-3.0-or-later
"""An export that follows the changes of the index into a server that speaks the API of OpenSearch: it is killed, the server
refuses, cuts, forgets, fills up and is restored to the past. Afterwards a comparison finds no difference, and nobody finds
what was closed. EXPORT_KILLS sets how often, EXPORT_SEED repeats the choices."""
import json, os, random, shutil, signal, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
if not os.path.exists(os.environ['TARSIER_TARGETS'] + '/opensearch.so'):
    print('1..0 # SKIP built without libcurl or jansson')
    sys.exit(0)
from daemontest import *
from opensearch import Server

kills = int(os.environ.get('EXPORT_KILLS', 8))
seed = int(os.environ.get('EXPORT_SEED', random.randrange(1 << 32)))
print(f'# EXPORT_KILLS={kills} EXPORT_SEED={seed}', flush=True)
rng = random.Random(seed)
HOST = subprocess.run(['hostname'], capture_output=True, text=True).stdout.strip()
OWNER, OTHER = [f'u:{os.getuid()}@{HOST}'], [f'u:54321@{HOST}']
log = open(TMP + '/export.log', 'a')
number = 0
server = Server(rng.choice(('opensearch', 'elasticsearch')))


def path_of(name):
    return f'{TREE}/{name}'


def follow():
    return keep(subprocess.Popen(['tarsier', '-q', 'export', 'team', '--follow'], stderr=log, stdout=log))


def verify():
    return tarsier('export', '--json', 'team', '--verify')


def comes_into_step(name, seconds=100):
    daemon.sync()
    good = wait_until('the target is in step', lambda: verify()[0] == 0, seconds=seconds, every=.2)
    ok(good and not server.crashes and not server.naked, name, verify(), server.crashes[:1], server.naked[:3], open(log.name).read()[-2000:])


def stop(process, number=signal.SIGTERM):
    process.send_signal(number)
    return process.wait(100)


def found(tokens, word):
    documents = server.documents()
    return sorted(os.path.relpath(p['path'], TREE) for id in server.search_as(tokens, word) for p in documents[id]['places'])


def change():
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
        shutil.copy(rng.choice(files), f'{rng.choice(dirs)}/copy{number}.txt')


def at_random(answer):
    """A fault of one in three requests."""
    return lambda *arguments: answer if rng.randrange(3) == 0 else None


def disturb():
    what = rng.randrange(7)
    if what == 0:
        server.fault = at_random('cut')
    elif what == 1:
        server.after = at_random('cut')
    elif what == 2:
        server.fault = at_random((429, {'error': {'type': 'es_rejected_execution_exception', 'reason': 'busy'}}, {'Retry-After': '0'}))
    elif what == 3:
        server.item_fault = at_random((503, 'unavailable_shards_exception', 'not active'))
    elif what == 4:
        server.lost_shard = True
    elif what == 5:
        server.item_fault = lambda action, id: (429, 'cluster_block_exception', 'disk usage exceeded flood-stage watermark')
    else:
        server.shuffled = True


configure()
with open(os.environ['TARSIER_CONFIG'] if 'TARSIER_CONFIG' in os.environ else tarsier('config', 'path')[1].strip(), 'a') as f:
    f.write(f'\n[export team]\nto = {server.url}\n')
os.makedirs(TREE, exist_ok=True)
for i in range(40):
    write(f'd{i % 6}/first{i}.txt', f'Beast first {i}\n'.encode())
write('heron.txt', b'The heron waits.\n')
daemon = Daemon()
daemon.sync()
code, out, err = tarsier('export', 'team', '--setup')
ok(code == 0, 'the first export sends everything', code, out, err)
export = follow()
comes_into_step('an export that follows brings the target into step')

# ---- permissions and names go without texts
ok(found(OWNER, 'heron') == ['heron.txt'], 'its owner finds a file', found(OWNER, 'heron'))
if os.getuid() == 0:
    os.chown(path_of('heron.txt'), 54321, -1)
    os.chmod(path_of('heron.txt'), 0o600)
else:
    os.chmod(path_of('heron.txt'), 0)
ok(wait_until('the file is refused', lambda: found(OWNER, 'heron') == []), 'a file that is closed is found no more')
os.chown(path_of('heron.txt'), os.getuid(), -1) if os.getuid() == 0 else os.chmod(path_of('heron.txt'), 0o600)
ok(wait_until('the file is there again', lambda: found(OWNER, 'heron') == ['heron.txt']), 'and found again when it is opened')
os.rename(path_of('d0'), path_of('d9'))
ok(wait_until('the new paths are there', lambda: 'd9/first0.txt' in found(OWNER, 'first')), 'a directory that moves takes its files along')
os.unlink(path_of('heron.txt'))
ok(wait_until('the file is gone', lambda: found(OWNER, 'heron') == []), 'a file that is deleted is found no more')
write('otter.txt', b'The otter swims.\n')
ok(wait_until('the new file is there', lambda: found(OWNER, 'otter') == ['otter.txt']), 'a new file is found')
comes_into_step('then nothing differs')
equal(stop(export), 0, 'SIGTERM ends an export in order')
mine = [each for each in json.loads(tarsier('status', '--json')[1])['exports'] if each['name'] == 'team']
ok(mine and mine[0]['behind'] == 0 and 0 <= mine[0]['exposure_ms'] < 10000, 'status shows how long permissions took', mine)
for _ in range(10):
    change()
daemon.sync()
before = len(server.requests)
export = follow()
ok(wait_until('the export has begun', lambda: any(path.endswith('_bulk') for _, path in server.requests[before:])), 'what changed meanwhile is sent when it starts again')
comes_into_step('and nothing differs')

# ---- faults
for i in range(kills):
    disturb()
    for _ in range(rng.randrange(1, 8)):
        change()
    daemon.sync()
    if rng.randrange(2) == 0:
        pids = children(export.pid)
        os.kill(rng.choice(pids), signal.SIGKILL) if pids else None
    if rng.randrange(4) == 0:
        stop(export, signal.SIGKILL)
    if export.poll() is not None:
        export = follow()
    change()
    daemon.sync()
    server.heal()
server.heal()
# An export that failed often waits up to seven and a half minutes before it tries again.
comes_into_step(f'after {kills} faults of the server and kills nothing differs', seconds=600)
past = server.snapshot()
for _ in range(20):
    change()
comes_into_step('before the target is restored nothing differs')
stop(export)
server.restore(past)
equal(verify()[0], 1, 'a target that was restored from a copy differs')
export = follow()
comes_into_step('an export notices that the target was restored')
stop(export)
with server.lock:
    docs = server.indices['tarsier'].docs
    for id in list(docs)[::2]:
        del docs[id]
    server.indices['tarsier'].refresh()
export = follow()
comes_into_step('and that it has lost a part')

# ---- signals
ends = []
for i in range(40):
    stop(export, signal.SIGINT if i % 2 else signal.SIGTERM)
    ends.append(export.returncode)
    export = follow()
    let_time_pass(rng.random() * .15, 'the signal comes at any moment of the start')
stop(export)
ok(set(ends) <= {0, 130, -signal.SIGTERM, -signal.SIGINT}, 'SIGTERM and SIGINT end an export at any moment of its start', ends)
with server.lock:
    server.indices['tarsier'].docs.clear()
held, go_on = threading.Event(), threading.Event()


def hold(method, path, body):
    """Lets the comparison wait for its first answer."""
    if path.endswith('/_search'):
        held.set()
        go_on.wait(60)


server.fault = hold
export = follow()
ok(held.wait(100), 'an export compares everything')
before = len(server.requests)
export.send_signal(signal.SIGTERM)
go_on.set()
equal(export.wait(100), 0, 'SIGTERM ends a comparison')
ok(not any(path.endswith('_bulk') for _, path in server.requests[before:]), 'and what it missed is not sent', server.requests[before:])
server.heal()
export = follow()
comes_into_step('the next export sends it')
second = follow()
for _ in range(5):
    change()
comes_into_step('two exports at a time do no harm')
stop(second)
stop(export)
equal(tarsier('export', '--forget', 'team')[0], 0, 'an export can be forgotten')
daemon.stop()
finish()
