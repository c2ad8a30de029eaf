#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""desktop-day.py [--build DIR] [--work DIR]: what a day's changes make the daemon write.

In a home of 5,000 texts (20 MB): documents saved, mails and downloads that come, a log that grows line by line, two switches of a source tree,
names that change and go; then the purge of the day. Each change is indexed before the next is made, as on a day that is longer, so every one
has a commit of its own. "Changed" are the bytes that somebody wrote to files, "written" is what the kernel counts for the daemon (write_bytes:
log, database, cache, journal); --work must not lie on a tmpfs. Output: a Markdown table."""
import argparse, itertools, os, random, shutil, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', help='build tree; default: the PATH')
parser.add_argument('--work', help='directory for the home; default: TMPDIR')
parser.add_argument('--seed', type=int, default=1)
args = parser.parse_args()
rng = random.Random(args.seed)
home = tempfile.mkdtemp(dir=args.work, prefix='day.')
tree = home + '/tree'
env = {k: v for k, v in os.environ.items() if not k.startswith(('XDG_', 'TARSIER_'))}
env.update(HOME=home, XDG_RUNTIME_DIR=home + '/run', LC_ALL='C.UTF-8')
if args.build:
    b = os.path.abspath(args.build)
    env.update(PATH=f'{b}/ui-cli:{b}/daemon:' + env['PATH'], TARSIER_EXTRACT=b + '/extractors/tarsier-extract',
               TARSIER_PLUGINS=b + '/extractors/.libs')
for path in (tree, home + '/run', home + '/.config/tarsier'):
    os.makedirs(path, mode=0o700)
with open(home + '/.config/tarsier/tarsier.conf', 'w') as f:
    f.write(f'[index]\nroots={tree}\n[daemon]\ndisk-reserve=0\n')

syllables = [c + v for c in 'bdfghklmnprstvwz' for v in ('a', 'e', 'i', 'o', 'u', 'an', 'er', 'is')]
words = [''.join(rng.choices(syllables, k=rng.randrange(1, 5))) for _ in range(40000)]
weights = list(itertools.accumulate(1 / (i + 3) for i in range(len(words))))  # Zipf
changed = 0


def text(size):
    out = []
    while size > 0:
        line = ' '.join(rng.choices(words, cum_weights=weights, k=12))
        out.append(line)
        size -= len(line) + 1
    return '\n'.join(out) + '\n'


def put(path, content, mode='w'):
    global changed
    path = os.path.join(tree, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode) as f:
        f.write(content)
    changed += len(content)
    return path


def save(path, content):
    """Saves as editors do."""
    os.rename(put(path + '.new', content), os.path.join(tree, path))


def edited(path):
    with open(os.path.join(tree, path)) as f:
        lines = f.read().split('\n')
    for _ in range(3):
        lines.insert(rng.randrange(len(lines)), text(80).strip())
    return '\n'.join(lines)


def sync():
    subprocess.run(['tarsier', 'status', '--wait=120', '-q'], env=env, check=True)


documents = [f'documents/{i % 40}/{i}.txt' for i in range(5000)]
for i, path in enumerate(documents):
    put(path, text(rng.choice([1000, 2000, 4000, 8000])))
for i in range(30):
    put(f'books/{i}.txt', text(60000))
for i in range(300):
    put(f'source/{i % 12}/{i}.c', text(5000))
log = put('notes.log', text(100000))
subprocess.run(['tarsierd', '--once'], env=env, check=True)
daemon = subprocess.Popen(['tarsierd'], env=env, stderr=subprocess.DEVNULL)
while subprocess.run(['tarsier', 'status', '--wait=120', '-q'], env=env, stderr=subprocess.DEVNULL).returncode != 0:
    time.sleep(0.05)
time.sleep(5)


def switch(k):
    for i in range(0, 300, 2):
        put(f'source/{i % 12}/{i}.c', edited(f'source/{i % 12}/{i}.c'))


def rename(k):
    old = documents.pop(rng.randrange(len(documents)))
    documents.append(f'{old}.{k}')
    os.rename(os.path.join(tree, old), os.path.join(tree, documents[-1]))


def save_book(k):
    path = f'books/{rng.randrange(30)}.txt'
    save(path, edited(path))


def save_document(k):
    path = rng.choice(documents)
    save(path, edited(path))


steps = [
    ('a document of 1 to 8 KB is saved', 200, save_document),
    ('a text of 60 KB is saved', 100, save_book),
    ('a mail of 4 KB comes', 150, lambda k: put(f'mail/new/{k}', text(4000))),
    ('a download of 300 KB comes', 15, lambda k: put(f'downloads/{k}.txt', text(300000))),
    ('a line is added to a log of 100 KB', 90, lambda k: put('notes.log', text(80), 'a')),
    ('150 sources change at once', 4, switch),
    ('a file is renamed', 100, rename),
    ('a file is deleted', 60, lambda k: os.unlink(os.path.join(tree, documents.pop(rng.randrange(len(documents)))))),
]
print('| change | times | changed KB | written KB | written KB a change | written / changed |')
print('|---|---:|---:|---:|---:|---:|')
total_changed = total_written = 0


def show(name, times, changed, written):
    ratio = f'{written / changed:.2f}' if changed else ''
    print(f'| {name} | {times} | {changed / 1000:.0f} | {written / 1000:.0f} | {written / 1000 / times:.1f} | {ratio} |', flush=True)


for name, times, change in steps:
    changed, before = 0, measure.written_bytes(daemon.pid)
    for k in range(times):
        change(k)
        sync()
    time.sleep(4)  # the daemon's maintenance begins after three quiet seconds
    written = measure.written_bytes(daemon.pid) - before
    total_changed += changed
    total_written += written
    show(name, times, changed, written)
before = measure.written_bytes(daemon.pid)
subprocess.run(['tarsier', 'compact', '-q'], env=env, check=True)
written = measure.written_bytes(daemon.pid) - before
show('the purge of the day', 1, 0, written)
show('all', 1, total_changed, total_written + written)
daemon.terminate()
daemon.wait()
size = measure.du(home + '/.local/share/tarsier')
print(f'\nindex {size / 1e6:.1f} MB, home {measure.du(tree) / 1e6:.1f} MB')
shutil.rmtree(home)
