# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier mount shows searches as directories of links, and leaves nothing behind whatever ends it."""
import os, shutil, signal, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier, wait_until

HOME, PROGRAM = os.environ['HOME'], os.environ['abs_top_builddir'] + '/ui-fuse/tarsier-mount'
DOCS, MOUNT = HOME + '/docs', HOME + '/searches'
os.environ['TARSIER_MOUNT'] = PROGRAM


def skip_all(why):
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def write(name, text):
    path = os.path.join(os.fsencode(DOCS), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def is_mounted():
    with open('/proc/self/mounts') as f:
        return any(line.split()[1] == MOUNT for line in f)


def mount(*options):
    process = subprocess.Popen(['tarsier', *options, 'mount', MOUNT], stderr=subprocess.PIPE, text=True)
    wait_until('it is mounted', lambda: is_mounted() or process.poll() is not None)
    return process


def ended(process):
    """The exit code, and whether the directory is free."""
    try:
        code = process.wait(100)
    except subprocess.TimeoutExpired:
        process.kill()
        code = None
    return code, not is_mounted() and os.listdir(MOUNT) == []


def links(directory):
    path = os.fsencode(MOUNT + '/' + directory)
    return {name: os.readlink(os.path.join(path, name)) for name in os.listdir(path)}


def error(call, path):
    try:
        call(MOUNT + '/' + path)
    except OSError as failure:
        return os.strerror(failure.errno)
    return ''


if not os.path.exists(PROGRAM):
    done = tarsier('mount', HOME)
    ok('without the program it says what is missing', done[0] == 2 and 'libfuse' in done[2], done)
    done_testing()
    sys.exit(0)
if not os.path.exists('/dev/fuse') or not shutil.which('fusermount3'):
    skip_all('needs /dev/fuse and fusermount3')
os.mkdir(MOUNT)
trial = mount()
if not is_mounted():
    skip_all('nothing can be mounted here: ' + trial.communicate()[1])
ok('without an index a query cannot be answered', error(os.listdir, 'q/otter') == os.strerror(5), error(os.listdir, 'q/otter'))
trial.terminate()
ok('and the program ends when it is told to', ended(trial) == (0, True))

for number in range(3):
    write(f'{number}/note.txt', f'An otter, and number {number}. ' + 'word ' * number)
write('0/.hidden', 'not indexed')
write(b'odd\n\xff name', 'A stoat hides.')
with zipfile.ZipFile(DOCS + '/box.zip', 'w') as box:
    box.writestr('one.txt', 'A heron waits.')
    box.writestr('two.txt', 'A heron flies.')
tarsier('-q', 'add', DOCS)
ok('the files of the test are indexed', tarsier('-q', 'index')[0] == 0)
tarsier('saved', 'add', 'otters', 'otter')

process = mount()
ok('there are two directories', sorted(os.listdir(MOUNT)) == ['q', 'saved'])
ok('the one of queries looks empty', os.listdir(MOUNT + '/q') == [])
ok('a query is a directory of links with different names', links('q/otter').keys() == {b'note.txt', b'note (2).txt', b'note (3).txt'} and
   sorted(links('q/otter').values()) == [os.fsencode(f'{DOCS}/{number}/note.txt') for number in range(3)], links('q/otter'))
ok('links lead to the files', 'An otter' in open(MOUNT + '/q/otter/note.txt').read())
ok('blanks, quotes and fields are those of the language', links('q/"otter and number 2"') == links('q/filename:note number 2') == {b'note.txt': os.fsencode(DOCS + '/2/note.txt')},
   links('q/"otter and number 2"'))
ok('a name of any bytes is kept', links('q/stoat') == {b'odd\n\xff name': os.fsencode(DOCS) + b'/odd\n\xff name'}, links('q/stoat'))
ok('members of one archive are one link to it', links('q/heron') == {b'box.zip': os.fsencode(DOCS + '/box.zip')}, links('q/heron'))
ok('what nothing has is an empty directory', links('q/walrus') == {})
with open(HOME + '/.config/tarsier/saved-searches', 'a') as f:
    f.write('a/b=otter\na name=otter\n')
ok('saved searches are listed, and what is no name is not', os.listdir(MOUNT + '/saved') == ['otters'] and links('saved/otters') == links('q/otter'))
ok('a query that cannot be read is not a directory', error(os.listdir, 'q/size:>much') == os.strerror(22), error(os.listdir, 'q/size:>much'))
for path in ('q/.hidden', 'q/.git/config', 'saved/nothing', 'saved/.x', 'elsewhere', 'q/otter/nothing', 'q/otter/note.txt/x', 'q/otter/..x/y/z'):
    ok(f'there is no {path}', error(os.lstat, path) in (os.strerror(2), os.strerror(20)), error(os.lstat, path))
for name in (b'\xff\xfe', b'"' * 255, b'(' * 255, b'x' * 255, b'*', b'a* b* c* d*', b'near:/etc/passwd', b'\x1b[31m', b'NOT', b' '):
    try:
        os.listdir(os.fsencode(MOUNT + '/q/') + name)
    except OSError:
        pass
ok('hostile queries do not end it', process.poll() is None and links('q/stoat').keys() == {b'odd\n\xff name'})
ok('nothing can be written', all(error(call, path) != '' for call, path in ((os.mkdir, 'q/new'), (os.remove, 'q/otter/note.txt'), (os.rmdir, 'saved/otters'))))
ok('it belongs to the user alone', os.stat(MOUNT + '/q').st_mode & 0o777 == 0o500 and os.stat(MOUNT + '/q').st_uid == os.geteuid())
write('new.txt', 'Another otter.')
os.remove(DOCS + '/1/note.txt')
tarsier('-q', 'index')
ok('a new file comes, and a deleted one goes', wait_until('the links change', lambda: os.fsencode(DOCS + '/new.txt') in links('q/otter').values() and
   os.fsencode(DOCS + '/1/note.txt') not in links('q/otter').values()), links('q/otter'))
process.send_signal(signal.SIGINT)
ok('Ctrl-C ends it with its status and frees the directory', ended(process) == (130, True))

process = mount()
subprocess.run(['fusermount3', '-u', MOUNT], check=True)
ok('fusermount3 -u ends it', ended(process) == (0, True))
process = mount()
child = subprocess.run(['pgrep', '-P', str(process.pid)], capture_output=True, text=True).stdout.split()
os.kill(int(child[0]), signal.SIGKILL)
ok('if the process that answers is killed, the directory is freed', ended(process) == (5, True))
process = mount('-q')
process.terminate()
ok('with -q it says nothing', process.communicate()[1] == '' and ended(process) == (0, True))

for place, why in ((DOCS, 'is watched'), (DOCS + '/0', 'is watched'), (HOME + '/nothing', 'is not a directory'), (DOCS + '/box.zip', 'is not a directory')):
    done = tarsier('mount', place)
    ok(f'{os.path.relpath(place, HOME)} is refused with the reason', done[0] == 2 and why in done[2], done)
done = tarsier('mount', MOUNT, env={'TARSIER_MOUNT': HOME + '/nowhere'})
ok('without the program it says what is missing', done[0] == 2 and 'libfuse' in done[2] and HOME + '/nowhere' in done[2], done)
done_testing()
