# SPDX-License-Identifier: GPL-3.0-or-later
"""Three users, an index each, over the same directories, whose owners and permissions change all the time: nobody is shown what he could not open
at that moment, nor is it kept for him. Needs root. FLIPS sets how many changes, USERS_SEED repeats the choices."""
import json, os, random, stat, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import watched
from watched import *

if os.geteuid() != 0:
    print('1..0 # SKIP needs root, to be three users')
    sys.exit(0)
flips = int(os.environ.get('FLIPS', 40))
seed = int(os.environ.get('USERS_SEED', random.randrange(1 << 32)))
print(f'# FLIPS={flips} USERS_SEED={seed}', flush=True)
rng = random.Random(seed)
USERS = (31001, 31002, 31003)
shared = TMP + '/shared'
os.chmod(TMP, 0o755)
os.makedirs(shared)
os.chmod(shared, 0o755)
paths = []
for d in range(6):
    os.makedirs(f'{shared}/d{d}/sub')
    for i in range(8):
        paths.append(f'{shared}/d{d}/{"sub/" if i % 2 else ""}{i}.txt')
        with open(paths[-1], 'w') as f:
            f.write(f'common words of file {d} {i}')
dirs = [f'{shared}/d{d}' for d in range(6)] + [f'{shared}/d{d}/sub' for d in range(6)]


def flip():
    path = rng.choice(paths if rng.random() < 0.7 else dirs)
    owner = rng.choice(USERS)
    os.chown(path, owner, owner)
    os.chmod(path, rng.choice([0o700, 0o755, 0o000, 0o711]) if path in dirs else rng.choice([0o600, 0o644, 0o000, 0o604, 0o640]))


def allowed(uid, path, bit):
    st = os.stat(path)
    shift = 6 if st.st_uid == uid else 3 if st.st_gid == uid else 0
    return bool(st.st_mode >> shift & bit)


def may_open(uid, path):
    above = os.path.dirname(path)
    while above.startswith(shared):
        if not allowed(uid, above, 1):
            return False
        above = os.path.dirname(above)
    return allowed(uid, path, 4)


def may_find(uid, path):
    """The directories above can be listed, too."""
    above = os.path.dirname(path)
    while above.startswith(shared):
        if not allowed(uid, above, 4):
            return False
        above = os.path.dirname(above)
    return may_open(uid, path)


class User:
    def __init__(self, uid):
        self.uid, self.home = uid, f'{TMP}/u{uid}'
        os.makedirs(self.home + '/.config/tarsier')
        os.makedirs(self.home + '/run', mode=0o700)
        with open(self.home + '/.config/tarsier/tarsier.conf', 'w') as f:
            f.write(f'[index]\nroots={shared}\n[daemon]\ndisk-reserve=0\n')
        for top, names, files in os.walk(self.home):
            for name in ['.', *names, *files]:
                os.chown(os.path.join(top, name), uid, uid)
        self.env = {**os.environ, 'HOME': self.home, 'XDG_RUNTIME_DIR': self.home + '/run'}
        self.daemon = keep(subprocess.Popen(['tarsierd'], stderr=subprocess.DEVNULL, **self.who()))

    def who(self):
        return {'user': self.uid, 'group': self.uid, 'extra_groups': [], 'env': self.env, 'cwd': '/'}

    def run(self, *command):
        return subprocess.run(['tarsier', *command], capture_output=True, text=True, **self.who())

    def hits(self, *options):
        return self.run('search', '-l', '-n', '1000', *options, 'common').stdout.split()


probe = subprocess.run(['tarsierd', '--version'], user=USERS[0], group=USERS[0], extra_groups=[], capture_output=True)
if probe.returncode != 0:
    print('1..0 # SKIP the programs cannot be run by another user here')
    sys.exit(0)
users = [User(uid) for uid in USERS]


def synced(user):
    for _ in range(200):
        if user.run('status', '--wait=60', '-q').returncode == 0:
            return True
        time.sleep(0.05)
    return False


def complete(name):
    ok(all(synced(user) for user in users), f'{name}: all are up to date')
    for user in users:
        equal(sorted(user.hits()), sorted(p for p in paths if may_find(user.uid, p)), f'{name}: user {user.uid} finds what he may open')


complete('at first')
queries = leaks = 0
for i in range(flips):
    for _ in range(rng.randrange(1, 4)):
        flip()
    for user in users:
        shown = user.hits(*rng.choice([(), ('--dups=show',), ('--no-snippets',)]))
        queries += 1
        leaks += sum(not may_open(user.uid, path) for path in shown)
equal(leaks, 0, f'no hit that its user could not open, in {queries} queries')
complete('in the end')
for user in users:
    index = user.home + '/.local/share/tarsier'
    kept = {p for p, facts in rows(index).items() if facts[10] is not None}
    equal([p for p in paths if not may_open(user.uid, p) and os.fsencode(p) in kept], [], f'nothing is kept for user {user.uid} of what he may not open')
    other = users[(users.index(user) + 1) % 3]
    denied = subprocess.run(['tarsier', '--index', index, 'search', 'common'], capture_output=True, text=True, **other.who())
    ok(denied.returncode not in (0, 1) and not denied.stdout, f'user {other.uid} cannot search that index', denied)
    user.daemon.terminate()
for user in users:
    equal(user.daemon.wait(20), 0, 'stopped')
finish()
