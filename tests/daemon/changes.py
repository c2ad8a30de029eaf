# SPDX-License-Identifier: GPL-3.0-or-later
"""Each way in which a watched directory changes, one after the other: the index equals the file
system after each, and no text is converted twice."""
import mmap, os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

os.makedirs(TREE)
write('first.txt', 'the first file')
write('d/e/f/deep.txt', 'deep down')
configure()
daemon = Daemon()
daemon.sync()
same('the first crawl indexes every entry')
equal(daemon.status()['state'], 'idle', 'the daemon is idle after the first crawl')


def conversions():
    return daemon.status()['extractions']


def step(name, wanted=None, slack=None):
    """Checks after a change that the rows are right and that this many files were converted.
    slack: number of files that may be converted once more, because they were seen between the
    write and the event that ends it. A file that only moved is never converted."""
    global before
    if slack is None:
        slack = 1 if wanted else 0
    daemon.sync()
    same(f'{name}: the index equals the file system')
    now = conversions()
    if wanted is not None:
        ok(wanted <= now - before <= wanted + slack,
           f'{name}: as many files are converted as have new content', f'{now - before} for {wanted}')
    before = now


before = conversions()
write('new.txt', 'a new file')
step('a file is created', 1)
write('new.txt', 'a new file with more text')
step('a file is overwritten', 1)
with open(TREE + '/new.txt', 'a') as f:
    f.write(' and an end')
step('text is appended to a file', 1)
os.rename(TREE + '/new.txt', TREE + '/renamed.txt')
step('a file is renamed', 0)
os.rename(TREE + '/renamed.txt', TREE + '/d/e/moved.txt')
step('a file moves to another directory', 0)
os.link(TREE + '/first.txt', TREE + '/d/link.txt')
step('a hard link is made', 0)
os.unlink(TREE + '/first.txt')
step('one of two hard links is removed', 0)
os.chmod(TREE + '/d/link.txt', 0o640)
step('the mode of a file changes', 0)
os.utime(TREE + '/d/link.txt', (1, 1))
step('the time of a file is set back', 0)
os.symlink('/etc/passwd', TREE + '/d/symlink')
step('a symbolic link is made', 0)
write('d/save.tmp', 'saved by a temporary file')
os.rename(TREE + '/d/save.tmp', TREE + '/d/link.txt')
step('a file is replaced by renaming a temporary file', 1)
write('d/backup', 'text of a file with a backup')
step('a file is made that will be saved with a backup', 1)
os.rename(TREE + '/d/backup', TREE + '/d/backup~')
write('d/backup', 'new text of a file with a backup')
step('a file is saved after its old version was renamed', 1)
os.unlink(TREE + '/d/backup~')
step('the backup is removed', 0)
shutil.copy(TREE + '/d/backup', TREE + '/copy')
step('a file is copied', 0)

for i in range(1000):
    write(f'many/{i % 10}/{i}.txt', f'number {i} of many')
step('1,000 files are created', 1000, slack=10)
os.rename(TREE + '/many', TREE + '/d/more')
step('a directory of 1,000 files is renamed', 0)
os.mkdir(TREE + '/a')
write('a/one', 'one')
os.mkdir(TREE + '/b')
write('b/two', 'two')
step('two directories are created', 2, slack=2)
os.rename(TREE + '/a', TREE + '/c')
os.rename(TREE + '/b', TREE + '/a')
os.rename(TREE + '/c', TREE + '/b')
step('two directories exchange their names', 0)
for i in range(200):
    os.rename(TREE + '/d', TREE + '/x')
    os.rename(TREE + '/x', TREE + '/d')
step('a directory is renamed to and fro 200 times', 0)
for i in range(100):
    for _ in range(i % 5):
        os.rename(TREE + '/d', TREE + '/x')
        os.rename(TREE + '/x', TREE + '/d')
    daemon.sync()
step('a directory is renamed to and fro between syncs', 0)
os.rename(TREE + '/d/more', HOME + '/outside')
step('a directory moves out of the root', 0)
os.rename(HOME + '/outside', TREE + '/back')
step('a directory moves into the root')
shutil.copytree(TREE + '/back', TREE + '/copied')
step('a directory is copied', 0, slack=10)
subprocess.run(['tar', '-C', TREE, '-cf', TMP + '/t.tar', 'back'], check=True)
shutil.rmtree(TREE + '/back')
shutil.rmtree(TREE + '/copied')
step('two directories are removed', 0)
os.mkdir(TREE + '/tar')
subprocess.run(['tar', '-C', TREE + '/tar', '-xf', TMP + '/t.tar'], check=True)
step('an archive is unpacked', 1000, slack=10)
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
    ok(not hidden, 'the index equals the file system after git checkout', *hidden)
    equal([p for p in rows() if b'/.git' in p], [], 'nothing below .git is indexed')
    shutil.rmtree(TREE + '/repo')
    step('a git repository is removed')

# These writes do not change size and times.
for name, text in (('times', 'AAAA'), ('mapped', 'CCCC'), ('travelled', 'EEEE')):
    write(name, text)
    os.utime(f'{TREE}/{name}', (1000, 1000))
step('files with old times are created', 3)
write('times', 'BBBB')
os.utime(TREE + '/times', (1000, 1000))
step('a file is rewritten and its time set back', 1)
os.rename(TREE + '/travelled', HOME + '/travelled')
with open(HOME + '/travelled', 'w') as f:
    f.write('FFFF')
os.utime(HOME + '/travelled', (1000, 1000))
os.rename(HOME + '/travelled', TREE + '/travelled')
step('a file is rewritten while it is outside of the root', 1)
with open(TREE + '/mapped', 'r+b') as f:
    with mmap.mmap(f.fileno(), 4) as m:
        m[:2] = b'DD'
        os.utime(TREE + '/mapped', (1000, 1000))
        daemon.sync()
        m[2:] = b'DD'  # the page is dirty already, so the time does not change
step('a file is rewritten through a mapping with its time set back', 1, slack=1)
for name in ('times', 'mapped', 'travelled'):
    os.unlink(f'{TREE}/{name}')
step('the rewritten files are removed', 0)

os.mkfifo(TREE + '/fifo')
step('a FIFO is made', 0)
write('empty', '')
step('an empty file is made')
name = b'\xff\n\x1b[31m' + b'x' * 200
with open(os.fsencode(TREE) + b'/' + name, 'w') as f:
    f.write('a name that is not text')
step('a file with a hostile name is made', 1)

# Deleted files disappear from searches at once.
path = write('gone.txt', 'soon gone')
daemon.sync()
watch = Stopwatch(daemon.process)
os.unlink(path)


def is_hidden():
    watch.seconds()  # measures the time in which other processes had the processors
    return not query('SELECT 1 FROM node n JOIN inode i ON i.id = n.inode WHERE n.name = ? AND i.state <> 3', b'gone.txt')


wait_until('the deleted file is hidden', is_hidden, 60, 0.002)
ok(watch.seconds() < 2, 'a deleted file is hidden from searches within two seconds')
step('a file is deleted')

took = daemon.stop()
ok(took < 1, 'SIGTERM ends the daemon within a second', took)
equal(daemon.process.returncode, 0, 'SIGTERM ends the daemon with status 0')

# The daemon is off during these changes.
before_off = {p: f[10] for p, f in rows().items()}
os.rename(TREE + '/tar', TREE + '/moved-while-off')
write('off.txt', 'written while off')
os.unlink(TREE + '/empty')
same_size = write('same-size', 'AAAA')
daemon = Daemon()
daemon.sync()
before = conversions()
same('changes made while the daemon was off are found at its start')
equal(before, 2, 'only new content is converted at the start')
daemon.stop()
st = os.stat(same_size)
with open(same_size, 'w') as f:
    f.write('BBBB')
os.utime(same_size, ns=(st.st_atime_ns, st.st_mtime_ns))
daemon = Daemon()
daemon.sync()
same('other bytes with the old size and time are found at the start')
equal(conversions(), 1, 'a file with other bytes but the old size and time is converted')
daemon.stop()
daemon = Daemon()
daemon.sync()
same('a start without changes leaves the index equal to the file system')
equal(conversions(), 0, 'a start without changes converts nothing')
daemon.stop()
finish()
