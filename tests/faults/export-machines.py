# SPDX-License-Identifier: GPL-3.0-or-later
"""Three machines, which are hosts with names, daemons and indexes of their own, export into one PostgreSQL server while the
permissions of their files change. Users search over all of them without a pause: nobody is ever shown what was never open to
him, nor what the server has closed. EXPORT_QUERIES says how many searches."""
import atexit, os, random, shutil, subprocess, sys, tempfile, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
if os.getuid() != 0 or subprocess.run(['unshare', '--uts', 'true'], capture_output=True).returncode != 0:
    print('1..0 # SKIP needs root, for hosts with other names')
    sys.exit(0)
from postgresql import BIN, DIR, URL, sql
from tap import done_testing, ok, wait_until

queries, seed = int(os.environ.get('EXPORT_QUERIES', 300)), int(os.environ.get('EXPORT_SEED', random.randrange(1 << 32)))
print(f'# EXPORT_QUERIES={queries} EXPORT_SEED={seed}', flush=True)
MACHINES, FILES, ENOUGH = 3, 20, 100
TOP = tempfile.mkdtemp(prefix='tarsier-machines-')  # the test's own directory is closed to others
os.chmod(TOP, 0o755)
atexit.register(shutil.rmtree, TOP, ignore_errors=True)
quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}


class Machine:
    def __init__(self, n):
        self.name, self.home = f'machine{n}', f'{TOP}/machine{n}'
        self.tree = f'{TOP}/docs{n}'
        self.env = {**{k: v for k, v in os.environ.items() if not k.startswith('XDG_')}, 'HOME': self.home, 'XDG_RUNTIME_DIR': self.home + '/run'}
        os.makedirs(self.home + '/run', mode=0o700)
        os.makedirs(self.tree)
        self.closed, self.flipping = [], []
        for i in range(FILES):
            path = f'{self.tree}/{i}.txt'
            with open(path, 'w') as f:
                f.write(f'A common beast, number {i} of {self.name}.\n')
            os.chmod(path, 0o644 if i % 2 else 0o600)
            (self.flipping if i % 2 else self.closed).append(path)

    def command(self, *words):
        return ['unshare', '--uts', 'sh', '-c', f'hostname {self.name}; exec "$@"', 'sh', *words]

    def run(self, *words):
        return subprocess.run(self.command(*words), env=self.env, capture_output=True, text=True, timeout=100)

    def start(self, *words):
        process = subprocess.Popen(self.command(*words), env=self.env, **quiet)
        atexit.register(process.kill)
        return process


class Session:
    """One connection, which answers a line for each statement."""
    def __init__(self, user):
        self.psql = subprocess.Popen([BIN + '/psql', '-h', DIR, '-U', user, '-d', 'postgres', '-AtXq'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.psql.kill)

    def ask(self, statement):
        self.psql.stdin.write(statement + ';\n')
        self.psql.stdin.flush()
        return self.psql.stdout.readline().rstrip('\n')


machines = [Machine(n) for n in range(MACHINES)]
for machine in machines:
    machine.run('tarsier', '-q', 'add', machine.tree)
    machine.run('tarsier', '-q', 'index')
done = machines[0].run('tarsier', '-q', 'export', '--to', URL, '--setup')
ok('the first machine makes the database', done.returncode == 0, done.stderr)
USERS = {'ada': [machines[0]], 'bea': [machines[1], machines[2]], 'bob': []}
for user, own in USERS.items():
    sql(f'CREATE ROLE {user} LOGIN;' + ''.join(f"INSERT INTO tarsier.principal VALUES('{user}', 'u:0@{machine.name}');" for machine in own))
daemons = [machine.start('tarsierd') for machine in machines]
exports = []
for machine in machines:
    ok(f'{machine.name} has an index that is up to date', wait_until('its daemon answers', lambda: machine.run('tarsier', 'status', '--wait').returncode == 0, seconds=100))
    exports.append(machine.start('tarsier', '-q', 'export', '--to', URL, '--follow', '--name', machine.name))
ok('all export', wait_until('they are in step', lambda: sql('SELECT count(*) FROM tarsier.instance WHERE seq IS NOT NULL')[0] == [str(MACHINES)], seconds=200), sql('SELECT * FROM tarsier.instance'))

lock = threading.Lock()
closed = {}  # {path: a number that is never used again}: what the server has closed
shown, exposures, asked = [], [], [0]
finished = threading.Event()


def flip(machine, rng):
    """Closes a file, waits until the server has done so, opens it again, and waits again: else the server would seem to have
    closed it when it has not opened it yet."""
    session, number = Session('owner'), 0

    def becomes(path, is_open):
        while not finished.is_set() and session.ask(f"SELECT 'world' = ANY(allow) FROM tarsier.place WHERE path = '{path}'") != is_open:
            finished.wait(.005)
        return not finished.is_set()

    while not finished.is_set():
        path = rng.choice(machine.flipping)
        began = time.monotonic()
        os.chmod(path, 0o600)
        if not becomes(path, 'f'):
            break
        number += 1
        with lock:
            exposures.append(time.monotonic() - began)
            closed[path] = number
        finished.wait(rng.random() * .2)
        with lock:
            del closed[path]
        os.chmod(path, 0o644)
        becomes(path, 't')
        finished.wait(rng.random() * .1)


def read(user, own):
    session = Session(user)
    mine = {path for machine in own for path in machine.closed + machine.flipping}
    never = {path for machine in machines for path in machine.closed} - mine
    while not finished.is_set():
        with lock:
            before = dict(closed)
        found = set(session.ask("SELECT coalesce(string_agg(path, E'\\t'), '') FROM tarsier.search('common', 1000)").split('\t'))
        with lock:
            still = {path for path, number in before.items() if closed.get(path) == number} - mine
            shown.extend((user, path) for path in found & (never | still))
            asked[0] += 1
            if asked[0] >= queries:
                finished.set()


threads = [threading.Thread(target=flip, args=(machine, random.Random(f'{seed}/{machine.name}')), daemon=True) for machine in machines]
threads += [threading.Thread(target=read, args=each, daemon=True) for each in USERS.items()]
for thread in threads:
    thread.start()
ok('all searches are answered', wait_until('they are', finished.is_set, seconds=60 + queries), asked)
finished.set()
for thread in threads:
    thread.join(60)
ok(f'no search of {asked[0]} shows a file that is closed to its user', not shown, shown[:5])
exposures.sort()
told = exposures[len(exposures) * 95 // 100] if exposures else None
print(f'# {len(exposures)} files were closed; exposure time: 95 % within {told} s', flush=True)
ok('files were closed meanwhile', exposures)
if len(exposures) >= ENOUGH:
    ok('the exposure time is at most a second for 95 %', told <= 1, exposures[-10:])
for machine in machines:
    for path in machine.flipping:
        os.chmod(path, 0o644)


def found(user):
    return set(sql("SELECT path FROM tarsier.search('common', 1000)", user)[0])


def may_see(own):
    return {path for machine in machines for path in machine.flipping + (machine.closed if machine in own else [])}


for user, own in USERS.items():
    ok(f'{user} finds his own and what is open, over all machines', wait_until('the exports have followed', lambda: found(user) == may_see(own), seconds=100), found(user) ^ may_see(own))
for machine, export in zip(machines, exports):
    export.terminate()
    export.wait(100)
    done = machine.run('tarsier', 'export', '--to', URL, '--verify')
    ok(f'nothing differs from {machine.name} afterwards', done.returncode == 0, done.stdout + done.stderr)
for daemon in daemons:
    daemon.terminate()
    daemon.wait(100)
done_testing()
