# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a user cannot read leave no trace in the answers: with and without them every query
gives the same bytes. Needs root. HIDDEN sets how many are hidden, HIDDEN_SEED repeats the
choices."""
import os, random, re, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

if os.geteuid() != 0:
    skip_all('needs root, to be another user')
hidden = int(os.environ.get('HIDDEN', 300))
seed = int(os.environ.get('HIDDEN_SEED', random.randrange(1 << 32)))
print(f'# HIDDEN={hidden} HIDDEN_SEED={seed}', flush=True)
rng = random.Random(seed)
UID, OTHER = 31001, 31002
WORDS = [f'{a}{b}{c}' for a in ('lan', 'mor', 'ber', 'tic') for b in ('ter', 'gan', 'nal') for c in ('ing', 'ed', 'ion', 'ers', 'ly')]
if subprocess.run(['tarsierd', '--version'], user=UID, group=UID, extra_groups=[], capture_output=True).returncode != 0:
    skip_all('the programs cannot be run by another user here')
os.chmod(TMP, 0o755)
tree = TMP + '/tree'
os.makedirs(tree)


def text(n):
    return ' '.join(rng.choice(WORDS) for _ in range(n))


def put(path, content, owner, mode, stamp):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(content)
    os.chown(path, owner, owner)
    os.chmod(path, mode)
    os.utime(path, (stamp, stamp))


for i in range(120):
    put(f'{tree}/shared/{i % 6}/{i}.txt', text(10 + i), UID, 0o644, 10**9 + i)
for top, dirs, _ in os.walk(tree):
    for name in ['.', *dirs]:
        os.utime(os.path.join(top, name), (1, 1))


def run(home, *command):
    env = {**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': home + '/run'}
    return subprocess.run([*command], capture_output=True, user=UID, group=UID, extra_groups=[], env=env, cwd='/', timeout=200)


def configure_user(home, roots):
    with open(home + '/.config/tarsier/tarsier.conf', 'w') as f:
        f.write(f'[index]\nroots={roots}\n[daemon]\ndisk-reserve=0\nconverters=1\n')


def share_secret(home):
    """Gives an index without contents the same secret as all others, so that equal files have equal
    checksums."""
    db = sqlite3.connect(home + '/.local/share/tarsier/index.db')
    db.execute("UPDATE meta SET value = zeroblob(32) WHERE key = 'checksum_key'")
    db.commit()
    db.close()


def index(name):
    home = f'{TMP}/{name}'
    os.makedirs(home + '/.config/tarsier')
    os.makedirs(home + '/run', mode=0o700)
    os.makedirs(home + '/empty')
    configure_user(home, home + '/empty')
    for top, names, files in os.walk(home):
        for entry in ['.', *names, *files]:
            os.chown(os.path.join(top, entry), UID, UID)
    run(home, 'tarsierd', '--once')
    share_secret(home)
    configure_user(home, tree)
    done = run(home, 'tarsierd', '--once')
    equal(done.returncode, 0, f'{name}: --once exits with 0')
    return home


QUERIES = [[w] for w in WORDS[::3]] + [[w[:4] + '*'] for w in WORDS[::7]] + [rng.sample(WORDS, 3) for _ in range(8)] + \
          [['-a', *rng.sample(WORDS, 4)] for _ in range(5)] + [[w[:-1] + 'x~'] for w in WORDS[::9]] + [[w + 'zq'] for w in WORDS[::5]] + \
          [['*' + w[2:6] + '*'] for w in WORDS[::9]] + [[f'"{WORDS[0]} {WORDS[5]}"'], ['ext:txt', WORDS[3]]]
if SANITIZED:
    QUERIES = rng.sample(QUERIES, 20)
QUERIES += [['privateword'], ['secretdir']]


def ask(home, *command):
    """Asks again if passages are missing, because a busy machine has no time for some of them."""
    for _ in range(5):
        done = run(home, *command)
        if b'"snippets":[]' not in done.stdout:
            break
    return done


def answers(home):
    out = []
    for words in QUERIES:
        for options in (['--json'], ['--explain'], ['-l', '--sort=date']):
            done = ask(home, 'tarsier', 'search', '-n', '50', *options, *words)
            out.append((words, options, done.returncode, done.stdout, done.stderr))
    return out


def compare(name, first, second):
    def plain(answer):
        """Removes numbers that depend on the index and the time: document numbers and durations.
        Files that the user can list but not read are reported as failed."""
        blob = answer[3] + b'\0' + answer[4]
        return re.sub(rb'"(id|failed|took_ms|elapsed_ms|ms)":[0-9.]+|[0-9.]+ ms|Incomplete: [0-9]+ failed.*\n', b'', blob)
    def first_difference(a, b):
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        return a[max(0, at - 100):at + 200], b[max(0, at - 100):at + 200]
    differ = [(a[0], a[1], *first_difference(plain(a), plain(b))) for a, b in zip(first, second) if (a[2], plain(a)) != (b[2], plain(b))]
    ok(not differ,
       f'{name}: every answer has the same bytes', *differ[:3], f'{len(differ)} of {len(first)} differ')
    ok(any(a[2] == 0 for a in first), f'{name}: some queries have hits')


without = answers(index('without'))
for i in range(hidden):
    stamp = rng.randrange(2 * 10**9)
    if i % 3 == 0:  # no other user may enter
        put(f'{tree}/closed/secretdir/{i % 9}/{i}.txt', text(30) + ' privateword', OTHER, 0o644, stamp)
    elif i % 3 == 1:  # users may list the directory but not read the files
        put(f'{tree}/listed/{i}.dat', text(30) + ' privateword', OTHER, 0o600, stamp)
    else:
        put(f'{tree}/own/{i}.dat', text(30) + ' privateword', UID, 0, stamp)
os.chown(tree + '/closed', OTHER, OTHER)
os.chmod(tree + '/closed', 0o700)
compare('with files that the user cannot read', without, answers(index('with')))
# These files were readable once.
home = f'{TMP}/once'
for top, _, files in os.walk(tree):
    for name in files:
        if 'shared' not in top:
            os.chmod(os.path.join(top, name), 0o644)
os.chmod(tree + '/closed', 0o755)
index('once')
ok(run(home, 'tarsier', 'search', '-q', 'privateword').returncode == 0,
   'files are found while the user may read them')
os.chmod(tree + '/closed', 0o700)
for top, _, files in os.walk(tree):
    for name in files:
        if 'shared' not in top:
            os.chmod(os.path.join(top, name), 0)
equal(run(home, 'tarsier', 'search', '-q', 'privateword').returncode, 1,
      'files are not found as soon as the user may not read them')
equal(run(home, 'tarsierd', '--once').returncode, 0,
      '--once exits with 0 after permissions were withdrawn')
equal(run(home, 'tarsier', 'compact', '--scrub').returncode, 0,
      'compact --scrub exits with 0 after permissions were withdrawn')
compare('with files that the user could read once', without, answers(home))
daemon = subprocess.Popen(['tarsierd'], user=UID, group=UID, extra_groups=[], cwd='/',
                          env={**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': home + '/run'})
wait_until('the daemon answers', lambda: os.path.exists(home + '/run/tarsier/ctl'), 60)
equal(run(home, 'tarsier', 'index').returncode, 0, 'a daemon that may not read a directory gets ready')
equal(run(home, 'tarsier', 'retry').returncode, 0, 'its user may try everything again')
put(tree + '/shared/new.txt', 'zebrafinch', UID, 0o644, 10**9)
equal(run(home, 'tarsier', 'index').returncode, 0, 'then it goes on')
equal(run(home, 'tarsier', 'search', '-q', 'zebrafinch').returncode, 0, 'and finds new files')
daemon.terminate()
equal(daemon.wait(60), 0, 'and it ends in order')
finish()
