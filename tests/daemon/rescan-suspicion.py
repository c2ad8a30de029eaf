# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are deferred until they rest, whose directory is away for a moment, or that change by
names which nobody sees (rescan suspicion) are not forgotten."""
import os, random, shutil, signal, sqlite3, struct, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

os.makedirs(TREE)
write('first', 'the first')
configure()
daemon = Daemon()
daemon.sync()


def frozen(work):
    """Suspends the daemon, so that it sees several changes at once."""
    daemon.send(signal.SIGSTOP)
    work()
    daemon.send(signal.SIGCONT)


# An open file is debounced for a second. Meanwhile the name by which it was seen disappears with
# its
# directory. A visit finds its other name.
os.mkdir(TREE + '/one')
daemon.sync()
with open(TREE + '/one/name', 'w') as f:
    f.write('text of a file with two names')
    f.flush()
    let_time_pass(0.2, 'the daemon defers the open file until it rests')

    def link():
        os.mkdir(TREE + '/two')
        os.link(TREE + '/one/name', TREE + '/two/name')
    frozen(link)
    wait_until('the second name is indexed', lambda: query('SELECT 1 FROM node WHERE name = ?', b'two'), 0.5, 0.01)
    frozen(lambda: shutil.rmtree(TREE + '/one'))
    daemon.sync()
    daemon.sync()
same('a file that is being written and loses the name it was seen by is indexed')

# A file was in work when the daemon died. That counts once, however often the daemon tries to
# read the file.
AWAY = HOME + '/away'
os.mkdir(AWAY)
with open(AWAY + '/suspect', 'w') as f:
    f.write('text of a suspect')
configure((TREE, AWAY))
daemon.send(signal.SIGHUP)
daemon.sync()
daemon.stop(signal.SIGKILL)
(inode,), = query('SELECT inode FROM node WHERE name = ?', b'suspect')
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE inode SET state = 1 WHERE id = ?', (inode,))
db.commit()
db.close()
with open(Daemon.index + '/in-work', 'wb') as f:
    f.write(struct.pack('=q', inode))
os.rename(AWAY, AWAY + '.not')
daemon = Daemon()
for _ in range(10):
    daemon.sync()
equal(query('SELECT state, tries FROM inode WHERE id = ?', inode), [(1, 1)],
      'a death during a conversion counts as one try')
os.rename(AWAY + '.not', AWAY)  # the daemon looks for missing roots every 30 s
wait_until('the file is converted', lambda: query('SELECT state FROM inode WHERE id = ?', inode) == [(0,)], 60)
equal(query('SELECT state, tries FROM inode WHERE id = ?', inode), [(0, 0)],
      'a file that is back under its root is converted')
configure()
daemon.send(signal.SIGHUP)
daemon.sync()

# A marker file appears and disappears while the rules are cached.
write('marked/a', 'text a')
daemon.sync()
for i in range(20):
    write('marked/.noindex', '')
    os.utime(TREE + '/marked')
    daemon.sync()
    if [p for p in rows() if p.endswith(b'/marked/a')]:
        ok(False, 'a marker is honoured although it comes and goes')
        break
    os.unlink(TREE + '/marked/.noindex')
    write('marked/b', f'text b {i}')
    daemon.sync()
    if differences():
        break
same('the index equals the file system after a marker came and went')

# A directory is away when it is to be visited, and back before the next try.
for i in range(30):
    os.makedirs(TREE + f'/p{i}/q/r')

    def away_and_back():
        write(f'p{i}/q/r/file', f'text {i}')
    away_and_back()
    for _ in range(20):
        os.rename(TREE + f'/p{i}', HOME + '/outside')
        write(f'../outside/q/r/more{_}', f'more {_} {i}')
        os.rename(HOME + '/outside', TREE + f'/p{i}')
daemon.sync()
same('directories that are away for a moment are indexed')

# Many hints below a deleted directory do not delay each other.
for i in range(3000):
    write(f'crowd/{i % 60}/{i}/file', f'one of a crowd {i}')
daemon.sync()


def vanish():
    for i in range(3000):
        with open(f'{TREE}/crowd/{i % 60}/{i}/file', 'a') as f:
            f.write(' more')
    shutil.rmtree(TREE + '/crowd')


frozen(vanish)
watch = Stopwatch(daemon.process)
daemon.sync()
ok(watch.seconds() < 10,
   '3,000 changed files in a directory that vanishes cost less than 10 s', watch.seconds())
same('nothing is left of a directory that vanished')
write('crowd/1/1/1', 'back again')
daemon.sync()
same('a directory that vanished is indexed when it comes back')

# A file is changed by another name, which is deleted or refers to another file before the daemon
# looks.
def text(name):
    with open(f'{TREE}/{name}', 'a') as f:
        f.write(f' more by {name}')


def lost():
    os.link(f'{TREE}/linked', f'{TREE}/x')
    text('x')
    os.unlink(f'{TREE}/x')


def moved_and_lost():
    os.link(f'{TREE}/linked', f'{TREE}/x')
    text('x')
    os.rename(f'{TREE}/x', f'{TREE}/two/y')
    os.unlink(f'{TREE}/two/y')


def replaced():
    os.link(f'{TREE}/linked', f'{TREE}/x')
    text('x')
    write('z', 'another file')
    os.rename(f'{TREE}/z', f'{TREE}/x')


def mode():
    os.link(f'{TREE}/linked', f'{TREE}/x2')
    os.chmod(f'{TREE}/x2', 0o600 if os.stat(f'{TREE}/linked').st_mode & 0o40 else 0o640)
    os.unlink(f'{TREE}/x2')


def lost_with_directory():
    os.link(f'{TREE}/linked', f'{TREE}/known/x')
    text('known/x')
    shutil.rmtree(f'{TREE}/known')


def left():
    os.link(f'{TREE}/linked', f'{TREE}/x3')
    text('x3')
    os.rename(f'{TREE}/x3', HOME + '/x3')


def by_hidden_name():
    os.link(f'{TREE}/linked', f'{TREE}/.hidden')
    text('.hidden')


def by_steps():
    """The events arrive one by one, or several at a time."""
    for step in (lambda: os.link(f'{TREE}/linked', f'{TREE}/step'), lambda: text('step'), lambda: os.rename(f'{TREE}/step', f'{TREE}/two/step'),
                 lambda: os.unlink(f'{TREE}/two/step')):
        step()
        let_time_pass(random.choice([0, 0, 0.0003, 0.002]), 'the events arrive one by one or together')


write('linked', 'a file with other names')
for change in (lost, moved_and_lost, replaced, mode, lost_with_directory, left, by_hidden_name):
    os.makedirs(TREE + '/known', exist_ok=True)
    daemon.sync()
    frozen(change)
    daemon.sync()
    found = [d for d in differences() if '.hidden' not in d]
    ok(not found, f'a change by a name that is gone is found: {change.__name__}', *found)
os.unlink(TREE + '/.hidden')
for i in range(40):
    (by_steps if i % 2 else lambda: frozen(by_steps))()
    daemon.sync()
    if differences():
        break
same('changes by names that are gone are found when several come together')
daemon.sync()
equal(daemon.status()['state'], 'idle', 'the daemon is idle after changes by names that are gone')
daemon.stop()


# Saving through temporary files looks similar, but must not cause a rescan.
def save_by_temporary():
    write('saved.tmp', 'a new version')
    os.chmod(TREE + '/saved.tmp', 0o640)
    os.rename(TREE + '/saved.tmp', TREE + '/saved')


def save_with_backup():
    os.rename(TREE + '/saved', TREE + '/saved~')
    write('saved', 'a newer version')
    os.unlink(TREE + '/saved~')


def save_in_place():
    write('saved', 'the newest version')


def save_anew():
    os.unlink(TREE + '/saved')
    write('saved', 'another file')


os.environ['TARSIER_DEBUG'] = 'watch'
daemon = Daemon('-v')
daemon.sync()
os.unlink(TREE + '/x')
daemon.sync()


def suspicions():
    return log_text().count('another file may have been written')


def raises_suspicion(save):
    before = suspicions()
    for i in range(20):
        if i < 10:
            frozen(save)
        else:
            save()
        daemon.sync()
    let_time_pass(3, 'a moved and a lost name count as one file for this long')
    return suspicions() > before


for save in (save_by_temporary, save_with_backup, save_in_place, save_anew):
    # retried: a daemon that gets no processor for seconds may suspect a save
    ok(not all(raises_suspicion(save) for _ in range(3)),
       f'saving a file raises no rescan suspicion: {save.__name__}')
frozen(lost)
daemon.sync()
ok('another file may have been written' in log_text(),
   'a change by a name that is gone is logged as rescan suspicion')
same('the index equals the file system after every way of saving')
daemon.stop()
finish()
