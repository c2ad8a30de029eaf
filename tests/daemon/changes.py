# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way in which a watched directory changes, one after the other: rows equal the file system after each, and nothing is converted
that was converted before."""
import mmap, os, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

os.makedirs(TREE)
write('first.txt', 'the first file')
write('d/e/f/deep.txt', 'deep down')
configure()
daemon = Daemon()
daemon.sync()
same('first crawl')
equal(daemon.status()['state'], 'idle', 'idle afterwards')


def conversions():
    return daemon.status()['extractions']


def step(name, wanted=None, slack=None):
    """After a change: rows are right, and so many files were converted; slack: a few may have been seen between the write and the
    event that ends it, and once more after that. What was only moved or told of is never converted."""
    global before
    if slack is None:
        slack = 1 if wanted else 0
    daemon.sync()
    same(name)
    now = conversions()
    if wanted is not None:
        ok(wanted <= now - before <= wanted + slack, f'{name}: conversions', f'{now - before} for {wanted}')
    before = now


before = conversions()
write('new.txt', 'a new file')
step('create', 1)
write('new.txt', 'a new file with more text')
step('overwrite', 1)
with open(TREE + '/new.txt', 'a') as f:
    f.write(' and an end')
step('append', 1)
os.rename(TREE + '/new.txt', TREE + '/renamed.txt')
step('rename', 0)
os.rename(TREE + '/renamed.txt', TREE + '/d/e/moved.txt')
step('move to another directory', 0)
os.link(TREE + '/first.txt', TREE + '/d/link.txt')
step('hard link', 0)
os.unlink(TREE + '/first.txt')
step('remove one of two names', 0)
os.chmod(TREE + '/d/link.txt', 0o640)
step('chmod', 0)
os.utime(TREE + '/d/link.txt', (1, 1))
step('touch into the past', 0)
os.symlink('/etc/passwd', TREE + '/d/symlink')
step('symbolic link', 0)
write('d/save.tmp', 'saved by a temporary file')
os.rename(TREE + '/d/save.tmp', TREE + '/d/link.txt')
step('atomic save', 1)
write('d/backup', 'text of a file with a backup')
step('file for a backup', 1)
os.rename(TREE + '/d/backup', TREE + '/d/backup~')
write('d/backup', 'new text of a file with a backup')
step('save with a backup', 1)
os.unlink(TREE + '/d/backup~')
step('remove', 0)
shutil.copy(TREE + '/d/backup', TREE + '/copy')
step('a copy is not converted', 0)

for i in range(1000):
    write(f'many/{i % 10}/{i}.txt', f'number {i} of many')
step('1,000 files', 1000, slack=10)
os.rename(TREE + '/many', TREE + '/d/more')
step('rename of a directory with 1,000 files', 0)
os.mkdir(TREE + '/a')
write('a/one', 'one')
os.mkdir(TREE + '/b')
write('b/two', 'two')
step('two directories', 2, slack=2)
os.rename(TREE + '/a', TREE + '/c')
os.rename(TREE + '/b', TREE + '/a')
os.rename(TREE + '/c', TREE + '/b')
step('two directories exchange their names', 0)
for i in range(200):
    os.rename(TREE + '/d', TREE + '/x')
    os.rename(TREE + '/x', TREE + '/d')
step('a directory is renamed to and fro', 0)
for i in range(100):
    for _ in range(i % 5):
        os.rename(TREE + '/d', TREE + '/x')
        os.rename(TREE + '/x', TREE + '/d')
    daemon.sync()
step('a directory is renamed to and fro while somebody waits', 0)
os.rename(TREE + '/d/more', HOME + '/outside')
step('a directory leaves', 0)
os.rename(HOME + '/outside', TREE + '/back')
step('a directory comes')
shutil.copytree(TREE + '/back', TREE + '/copied')
step('a tree is copied', 0, slack=10)
subprocess.run(['tar', '-C', TREE, '-cf', TMP + '/t.tar', 'back'], check=True)
shutil.rmtree(TREE + '/back')
shutil.rmtree(TREE + '/copied')
step('trees are removed', 0)
os.mkdir(TREE + '/tar')
subprocess.run(['tar', '-C', TREE + '/tar', '-xf', TMP + '/t.tar'], check=True)
step('tar x', 1000, slack=10)
os.unlink(TMP + '/t.tar')

if shutil.which('git'):
    git = ['git', '-C', TREE + '/repo', '-c', 'user.name=t', '-c', 'user.email=t@example.org']
    os.mkdir(TREE + '/repo')
    subprocess.run([*git, 'init', '-q'], check=True)
    for i in range(100):
        write(f'repo/{i % 7}/{i}', f'revision one of {i}')
    subprocess.run([*git, 'add', '-A'], check=True)
    subprocess.run([*git, 'commit', '-qm', 'one'], check=True)
    for i in range(0, 100, 3):
        write(f'repo/{i % 7}/{i}', f'revision two of {i}')
    subprocess.run([*git, 'commit', '-qam', 'two'], check=True)
    daemon.sync()
    subprocess.run([*git, 'checkout', '-q', 'HEAD~1'], check=True)
    daemon.sync()
    hidden = [d for d in differences() if '/.git' not in d]
    ok(not hidden, 'git checkout', *hidden)
    equal([p for p in rows() if b'/.git' in p], [], 'the store of git is not entered')
    shutil.rmtree(TREE + '/repo')
    step('the repository is removed')

# Writes that leave size and times as they were.
for name, text in (('times', 'AAAA'), ('mapped', 'CCCC'), ('travelled', 'EEEE')):
    write(name, text)
    os.utime(f'{TREE}/{name}', (1000, 1000))
step('files with old times', 3)
write('times', 'BBBB')
os.utime(TREE + '/times', (1000, 1000))
step('a write with the times set back', 1)
os.rename(TREE + '/travelled', HOME + '/travelled')
with open(HOME + '/travelled', 'w') as f:
    f.write('FFFF')
os.utime(HOME + '/travelled', (1000, 1000))
os.rename(HOME + '/travelled', TREE + '/travelled')
step('a write while the file was outside', 1)
with open(TREE + '/mapped', 'r+b') as f:
    with mmap.mmap(f.fileno(), 4) as m:
        m[:2] = b'DD'
        os.utime(TREE + '/mapped', (1000, 1000))
        daemon.sync()
        m[2:] = b'DD'  # the page is dirty already: no new time
step('a write through a mapping', 1, slack=1)
for name in ('times', 'mapped', 'travelled'):
    os.unlink(f'{TREE}/{name}')
step('they are gone', 0)

os.mkfifo(TREE + '/fifo')
step('a FIFO is not opened', 0)
write('empty', '')
step('an empty file')
name = b'\xff\n\x1b[31m' + b'x' * 200
with open(os.fsencode(TREE) + b'/' + name, 'w') as f:
    f.write('a name that is no text')
step('a hostile name', 1)

# Deleted files are not found any more, at once.
path = write('gone.txt', 'soon gone')
daemon.sync()
watch = Stopwatch(daemon.process)
os.unlink(path)
while query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state <> 3', b'gone.txt'):
    time.sleep(0.002)
    watch.seconds()
ok(watch.seconds() < 2, 'a deleted file is out of sight')
step('deleted')

took = daemon.stop()
ok(took < 1, 'SIGTERM ends it within a second', took)
equal(daemon.process.returncode, 0, 'with status 0')

# Changes while it is off.
before_off = {p: f[10] for p, f in rows().items()}
os.rename(TREE + '/tar', TREE + '/moved-while-off')
write('off.txt', 'written while off')
os.unlink(TREE + '/empty')
same_size = write('same-size', 'AAAA')
daemon = Daemon()
daemon.sync()
before = conversions()
same('changes while it was off')
equal(before, 2, 'only new content was converted')
daemon.stop()
st = os.stat(same_size)
with open(same_size, 'w') as f:
    f.write('BBBB')
os.utime(same_size, ns=(st.st_atime_ns, st.st_mtime_ns))
daemon = Daemon()
daemon.sync()
same('other bytes with the old size and time')
equal(conversions(), 1, 'were converted')
daemon.stop()
daemon = Daemon()
daemon.sync()
same('nothing changed')
equal(conversions(), 0, 'nothing is converted')
daemon.stop()
finish()
