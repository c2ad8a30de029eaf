# SPDX-License-Identifier: GPL-3.0-or-later
"""Three users index the same directories, whose owners, permissions and access control lists change
during queries: no user is shown, and no index keeps, what its user could not open. Needs root.
QUERIES sets how many are asked, USERS_SEED repeats the choices."""
import errno, multiprocessing, os, random, struct, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

if os.geteuid() != 0:
    skip_all('needs root, to be three users')
queries = int(os.environ.get('QUERIES', 300))
seed = int(os.environ.get('USERS_SEED', random.randrange(1 << 32)))
print(f'# QUERIES={queries} USERS_SEED={seed}', flush=True)
rng = random.Random(seed)
USERS = (31001, 31002, 31003)
above_root, shared = TMP + '/above', TMP + '/above/shared'
os.chmod(TMP, 0o755)
os.makedirs(shared)
os.chmod(above_root, 0o755)
os.chmod(shared, 0o755)
paths = []
for d in range(6):
    os.makedirs(f'{shared}/d{d}/sub')
    for i in range(8):
        paths.append(f'{shared}/d{d}/{"sub/" if i % 2 else ""}{i}.txt')
        with open(paths[-1], 'w') as f:
            f.write(f'common words of file {d} {i}, unique{d}x{i}')
dirs = [f'{shared}/d{d}' for d in range(6)] + [f'{shared}/d{d}/sub' for d in range(6)]


# ---- access control lists (acl(5)), as the kernel stores them: a version, then tag, permissions
# and id of each entry

ACL, USER_OBJ, USER, GROUP_OBJ, GROUP, MASK, OTHER, NOBODY = 'system.posix_acl_access', 1, 2, 4, 8, 16, 32, 0xffffffff


def set_list(path, users, groups, mask):
    """Sets a list. users, groups: permissions by id. Owner, group and others keep those of the
    mode."""
    mode = os.stat(path).st_mode
    entries = [(USER_OBJ, mode >> 6 & 7, NOBODY), *((USER, bits, uid) for uid, bits in sorted(users.items())), (GROUP_OBJ, mode >> 3 & 7, NOBODY),
               *((GROUP, bits, gid) for gid, bits in sorted(groups.items())), (MASK, mask, NOBODY), (OTHER, mode & 7, NOBODY)]
    os.setxattr(path, ACL, struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *entry) for entry in entries))


def remove_list(path):
    try:
        os.removexattr(path, ACL)
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise


def list_of(path):
    """Returns the entries, or nothing."""
    try:
        return list(struct.iter_unpack('<HHI', os.getxattr(path, ACL)[4:]))
    except OSError:
        return []


def has_lists():
    try:
        set_list(shared, {USERS[0]: 0}, {}, 0)
        remove_list(shared)
        return True
    except OSError:
        return False


# ---- which user may open which file, and when

def facts_of(path):
    """Returns owner, group, mode and list."""
    st = os.stat(path)
    return st.st_uid, st.st_gid, st.st_mode, list_of(path)


with_lists = has_lists()
facts = {path: facts_of(path) for path in [*paths, *dirs, above_root]}
allowed_times = {(uid, path): [] for uid in USERS for path in paths}  # [since, until], seconds of the monotonic clock


def allows(uid, path, bit):
    owner, group, mode, entries = facts[path]
    if owner == uid:
        return bool(mode >> 6 & bit)
    mask = mode >> 3 & 7  # for a file with a list; if the mask allows nothing, Linux does not read the list
    if entries and mask:
        named = [bits for tag, bits, who in entries if tag == USER and who == uid]
        named = named or [bits for tag, bits, who in entries if (tag == GROUP and who == uid) or (tag == GROUP_OBJ and group == uid)]
        if named:
            return any(bits & mask & bit for bits in named)
    return bool(mode >> (3 if group == uid else 0) & bit)


def way_to(path):
    above = os.path.dirname(path)
    while above != shared:
        yield above
        above = os.path.dirname(above)
    yield above_root


def may_open(uid, path):
    return all(allows(uid, above, 1) for above in way_to(path)) and allows(uid, path, 4)


def may_find(uid, path):
    """The user must be able to list the directories above too."""
    return all(allows(uid, above, 4) for above in way_to(path) if above != above_root) and may_open(uid, path)


def note_rights(before, after):
    """Notes that something changed between these times."""
    for (uid, path), times in allowed_times.items():
        open_now, open_before = may_open(uid, path), bool(times) and times[-1][1] is None
        if open_now and not open_before:
            times.append([before, None])
        elif open_before and not open_now:
            times[-1][1] = after


def change(path, call, *values):
    before = time.monotonic()
    call(path, *values)
    facts[path] = facts_of(path)
    note_rights(before, time.monotonic())


def some_ids():
    return {uid: rng.choice([0, 4, 5, 5, 7]) for uid in rng.sample(USERS, rng.randrange(3))}


def open_above():
    change(above_root, remove_list)
    change(above_root, os.chmod, 0o755)


def flip():
    if rng.random() < 0.1 and facts[above_root][2] & 1 == 0:
        open_above()  # this hides everything
    if rng.random() < 0.02:
        path = above_root
    else:
        path = rng.choice(paths if rng.random() < 0.7 else dirs)
    owner = rng.choice(USERS)
    change(path, os.chown, owner, owner)
    if with_lists and rng.random() < 0.4:
        change(path, set_list, some_ids(), some_ids(), rng.choice([0, 4, 5, 5, 7]))
    elif with_lists and rng.random() < 0.3:
        change(path, remove_list)
    change(path, os.chmod, rng.choice([0o644, 0o600, 0o000, 0o604, 0o640]) if path in paths else rng.choice([0o700, 0o755, 0o000, 0o711, 0o750]))


def was_open(uid, path, since, until):
    """Could the user open it at some moment between the two times?"""
    return any(first <= until and (last is None or last >= since) for first, last in reversed(allowed_times[uid, path]))


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


def some_query(rng):
    """Returns arguments of the client, and whether it prints paths."""
    d, i = rng.randrange(6), rng.randrange(8)
    words = rng.choice([['common'], ['common', f'unique{d}x{i}'], [f'unique{d}x{i}'], [f'name:{i}.txt'], ['common', 'words', '-file'], [f'common OR unique{d}x*']])
    options = rng.choice([[], [], ['--dups=show'], ['--dups=show'], ['--no-snippets'], ['--sort=name'], ['--offset=3']])
    return ['tarsier', 'search', '-l', '-n', '1000', *options, *words]


def ask_as(user, seed, link):
    """Asks this many queries in a process of that user, one after the other; returns when each
    began and ended, and what it showed."""
    os.setgroups([])
    os.setresgid(user.uid, user.uid, user.uid)
    os.setresuid(user.uid, user.uid, user.uid)
    os.chdir('/')
    rng = random.Random(seed)
    while n := link.recv():
        answers = []
        for _ in range(n):
            command = some_query(rng)
            began = time.monotonic()
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=user.env)
            answers.append((began, time.monotonic(), done.returncode, done.stdout.decode().split(), done.stderr, command))
        link.send(answers)


class Asker:
    def __init__(self, user):
        self.user = user
        self.link, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context('fork').Process(target=ask_as, args=(user, rng.random(), theirs), daemon=True)
        self.process.start()


probe = subprocess.run(['tarsierd', '--version'], user=USERS[0], group=USERS[0], extra_groups=[], capture_output=True)
if probe.returncode != 0:
    skip_all('the programs cannot be run by another user here')
users = [User(uid) for uid in USERS]


def synced(user):
    return wait_until(f'the daemon of user {user.uid} is up to date',
                      lambda: user.run('status', '--wait=60', '-q').returncode == 0, 200, 0.05)


def complete(name):
    ok(all(synced(user) for user in users), f'{name}: all three daemons are up to date')
    for user in users:
        equal(sorted(user.hits()), sorted(p for p in paths if may_find(user.uid, p)),
              f'{name}: user {user.uid} finds exactly what the user may open')


def check(uid, answer):
    """Returns the paths that should not have been shown."""
    began, ended, status, shown, said, command = answer
    if status not in (0, 1):
        failures.append((command, status, said))
    return [(path, command) for path in shown if not was_open(uid, path, began, ended)]


def check_lists():
    """One user may read a file only by an entry of its list. When the entry is removed, the next
    answer lacks the file."""
    path, user, word = paths[0], users[0], 'unique0x0'

    def shown():
        return user.run('search', '-l', word).stdout.split() == [path]

    def step(name, wanted, target, call, *values):
        change(target, call, *values)
        if wanted:
            ok(wait_until('the file is found', lambda: synced(user) and shown(), 20), f'{name}: the file is found')
        else:
            equal(shown(), False, f'{name}: the file is not shown')
        equal(may_open(user.uid, path), wanted, f'{name}: the model of the test expects the same')

    def allow(mask=5, bits=5):
        return {user.uid: bits}, {}, mask

    change(path, os.chown, USERS[1], USERS[1])
    step('the file of another user has no entry for this user', False, path, os.chmod, 0o640)
    step('an entry allows the user to read', True, path, set_list, *allow())
    step('the mask forbids what the entry allows', False, path, set_list, *allow(mask=2))
    step('the mask allows what the entry allows', True, path, set_list, *allow())
    step('others may read, too', True, path, os.chmod, 0o644)
    step('the entry forbids what others may', False, path, set_list, *allow(bits=0))
    change(path, os.chmod, 0o640)
    step('an entry allows the group of the user to read', True, path, set_list, {}, {user.uid: 4}, 4)
    step('an entry allows another group to read', False, path, set_list, {}, {USERS[2]: 4}, 4)
    step('an entry allows the user to read again', True, path, set_list, *allow())
    step('the entry of the user is removed', False, path, remove_list)
    step('others may read without an entry', True, path, os.chmod, 0o644)
    for target, name in ((os.path.dirname(path), 'a directory'), (above_root, 'the directory above the root')):
        change(target, os.chown, USERS[1], USERS[1])
        step(f'{name} of another user', False, target, os.chmod, 0o700)
        step(f'{name} has an entry for this user', True, target, set_list, *allow())
        step(f'{name} has a mask that forbids the search', False, target, set_list, *allow(mask=4))
        step(f'{name} has a mask that allows the search', True, target, set_list, *allow())
        step(f'{name} loses the entry', False, target, remove_list)
        step(f'{name} is open to all', True, target, os.chmod, 0o755)


note_rights(0, 0)
complete('before all changes')
if with_lists:
    check_lists()
else:
    skip('a user finds exactly what access control lists allow', 'this file system has none')
askers = [Asker(user) for user in users]
BATCH = 40
asked = shown = flips = 0
leaks, failures = [], []
while asked < queries:
    for asker in askers:
        asker.link.send(BATCH)
    waiting = list(askers)
    while waiting:
        if rng.random() < 0.8:  # otherwise it stays for the time of some queries
            for _ in range(rng.randrange(1, 4)):
                flip()
                flips += 1
        let_time_pass(rng.random() * 0.02, 'permissions change at any moment of a query')
        for asker in [asker for asker in waiting if asker.link.poll()]:
            waiting.remove(asker)
            for answer in asker.link.recv():
                leaks += check(asker.user.uid, answer)
                shown += len(answer[3])
                asked += 1
for asker in askers:
    asker.link.send(0)
    asker.process.join()
for times in allowed_times.values():
    del times[:-1]
open_above()
print(f'# {asked} queries with {shown} hits during {flips} changes', flush=True)
equal(leaks[:20], [], f'no hit in {asked} queries shows what its user could not open')
equal(failures[:20], [], f'each of {asked} queries is answered')
ok(shown > asked / 4, 'every fourth query has hits', shown)
complete('after all changes')
for user in users:
    index = user.home + '/.local/share/tarsier'
    kept = {os.fsdecode(p): row for p, row in rows(index).items() if row[10] is not None}
    wrong = [p for p in paths if not may_open(user.uid, p) and p in kept]
    ok(not wrong,
       f'the index of user {user.uid} keeps no content that the user may not open', *((p, kept[p], [facts[q] for q in (p, *way_to(p))]) for p in wrong))
    other = users[(users.index(user) + 1) % 3]
    denied = subprocess.run(['tarsier', '--index', index, 'search', 'common'], capture_output=True, text=True, **other.who())
    ok(denied.returncode not in (0, 1) and not denied.stdout,
       f'user {other.uid} cannot search the index of another user', denied)
    user.daemon.terminate()
for user in users:
    equal(user.daemon.wait(100), 0, 'SIGTERM ends each daemon with status 0')
finish()
