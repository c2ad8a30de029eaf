# SPDX-License-Identifier: GPL-3.0-or-later
"""status --follow, index and compact tell how far they are, and end with their terminal or reader."""
import fcntl, os, pty, re, select, signal, sqlite3, subprocess, sys, termios
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests', 'daemon'))
from daemontest import *

FILES = 300
os.makedirs(TREE)
for i in range(FILES):
    with open(f'{TREE}/{i}.txt', 'w') as f:
        f.write(f'number {i} ' * 20)


def client(args):
    done = subprocess.run(['tarsier'] + args, capture_output=True, text=True)
    return done.returncode, done.stdout


def alive(pid):
    try:
        return open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False


def ends(child):
    """Waits for the end of a child; False after 20 s, and then it is killed."""
    try:
        child.wait(100)
        return True
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return False


class Terminal:
    """A client on a terminal of its own."""

    def __init__(self, args, deaf=False, term='xterm'):
        def begin():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGHUP, signal.SIG_IGN if deaf else signal.SIG_DFL)
        self.master, slave = pty.openpty()
        self.child = subprocess.Popen(['tarsier'] + args, stdin=slave, stdout=slave, stderr=slave, preexec_fn=begin, env=dict(os.environ, TERM=term))
        os.close(slave)
        self.output = b''

    def read_until(self, pattern):
        def seen():
            while select.select([self.master], [], [], 0)[0]:
                try:
                    piece = os.read(self.master, 65536)
                except OSError:
                    break
                if not piece:
                    break
                self.output += piece
            return re.search(pattern, self.output)
        return wait_until(f'{pattern} is shown', seen)

    def hang_up(self):
        os.close(self.master)


def once_children(pid):
    return [c for c in children(pid) if b'--once' in open(f'/proc/{c}/cmdline', 'rb').read()]


def more_work(name):
    """Files for some seconds, whatever was indexed before."""
    for i in range(1000):
        write(f'{TREE}/{name}/{i}.txt', f'{name} {i} ' * 20)


# ---- index without a daemon
configure(cpu=20)
for deaf in (False, True):
    more_work(f'work-{deaf}')
    index = Terminal(['index'], deaf)
    ok(index.read_until(rb'%'), 'index shows a per cent on a terminal' + (', without SIGHUP too' if deaf else ''), index.output)
    daemons = once_children(index.child.pid)
    index.hang_up()
    ok(ends(index.child), 'index ends with its terminal' + (' though it ignores SIGHUP' if deaf else ''))
    ok(daemons and wait_until('the child ends', lambda: not any(alive(d) for d in daemons)),
       'the daemon that index started ends with the terminal' + (' though SIGHUP is ignored' if deaf else ''), daemons)
more_work('work-killed')
index = Terminal(['index'])
index.read_until(rb'%')
daemons = once_children(index.child.pid)
code, out = client(['status'])[:2]
ok('running' in out and 'watching' not in out and 'Watches' not in out, 'status of a daemon that indexes once tells nothing of watches', code, out)
index.child.kill()
index.child.wait()
ok(daemons and wait_until('the child ends', lambda: not any(alive(d) for d in daemons)), 'the daemon that index started ends when index is killed', daemons)
index.hang_up()
for i in range(4000): # enough for some seconds
    write(f'{HOME}/backlog/{i}.txt', f'old {i} ' * 20)
    os.utime(f'{HOME}/backlog/{i}.txt', (1e9, 1e9))
configure([TREE, HOME + '/backlog'], cpu=5)
piped = subprocess.Popen(['tarsier', 'index'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
line = next((line for line in map(bytes.decode, piped.stderr) if not re.fullmatch(r'(Starting, |Reading directories: .*, |Working, )\d+ s\n', line)), '')
ok(re.fullmatch(r' *\d+%  \d+ of \d+ files.*\n', line), 'index prints plain lines of its progress in a pipe', line)
piped.stderr.close()
ok(ends(piped), 'index ends with the reader of its progress')



def hold_log():
    """A reader of the index for which a scrub waits; it has seen the index as it is now."""
    reader = sqlite3.connect(f'file:{Daemon.index}/index.db?mode=ro', uri=True)
    reader.execute('BEGIN')
    reader.execute('SELECT count(*) FROM node').fetchall()
    return reader


def scrub_tells_its_steps(by):
    os.unlink(f'{TREE}/{scrub_tells_its_steps.next}.txt')
    scrub_tells_its_steps.next += 1
    reader = hold_log()
    scrub = Terminal(['compact', '--scrub'])
    ok(scrub.read_until(rb'Compacting, step 6 of 6: [a-z ]+, [1-9]\d* s'), f'compact --scrub {by} tells its step and the time while it waits', scrub.output)
    ok(b'Compacting' in scrub.output and not re.search(rb'Compacting[^\r\n]*%', scrub.output), f'compact --scrub {by} tells no per cent of what has no known size', scrub.output)
    reader.close()
    ok(ends(scrub.child) and scrub.child.returncode == 0, f'compact --scrub {by} ends when the reader has gone', scrub.child.returncode)
    scrub.read_until(rb'\x1b\[K$')
    equal(re.split(rb'\r|\x1b\[K', scrub.output)[-1], b'', f'the last line of compact --scrub {by} is erased')
    scrub.hang_up()


# ---- a daemon that does not answer yet
slow = TMP + '/slow-tarsierd'
with open(slow, 'w') as f:
    f.write(f'#!/bin/sh\necho $$ >"{TMP}/slow.part"; mv "{TMP}/slow.part" "{TMP}/slow"; exec sleep 600\n')
os.chmod(slow, 0o755)
os.mkdir(HOME + '/gone')
configure([TREE, HOME + '/gone'])
client(['-q', 'index'])
os.environ['TARSIERD'] = slow
for args in (['index'], ['compact'], ['remove', HOME + '/gone']):
    waits = Terminal(args)
    ok(waits.read_until(rb'(Starting|Removing), [1-9] s'), f'{args[0]} tells that it waits, and for how long', waits.output)
    os.kill(int(open(TMP + '/slow').read()), signal.SIGKILL)
    ok(ends(waits.child), f'{args[0]} ends when the daemon does')
    ok(waits.read_until(rb'\x1b\[K[^\r]*signal: Killed\r\n$'), f'{args[0]} erases its last line, and says what ended the daemon', waits.output)
    waits.hang_up()
del os.environ['TARSIERD']

# ---- compact without a daemon
scrub_tells_its_steps.next = 0
configure()
client(['index'])
scrub_tells_its_steps('without a daemon')
reader = hold_log()
piped = subprocess.Popen(['tarsier', 'compact', '--scrub'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
line = next((line for line in map(bytes.decode, piped.stderr) if not re.fullmatch(r'(Starting, |Reading directories: .*, |Working, )\d+ s\n', line)), '')
ok(re.fullmatch(r'Compacting, step \d of 6: [a-z ]+, \d+ s\n', line), 'compact prints plain lines of its progress in a pipe', line)
reader.close()
piped.stderr.close()
ok(ends(piped), 'compact ends with the reader of its progress')

# ---- a running daemon
daemon = Daemon()
daemon.sync()
scrub_tells_its_steps('by the daemon')
reader = hold_log()
scrub = Terminal(['compact', '--scrub'])
scrub.read_until(rb'Compacting')
scrub.hang_up()
ok(ends(scrub.child), 'compact --scrub ends with its terminal')
reader.close()
client(['pause'])
for i in range(FILES):
    with open(f'{TREE}/more-{i}.txt', 'w') as f:
        f.write(f'more {i}')
wait_until('the names are there', lambda: int(client(['-c', '--dups=show', '-f', 'more'])[1] or 0) == FILES)
follow = Terminal(['status', '--follow'])
ok(follow.read_until(rb'Progress.* \d+ % of the index: \d+ of \d+ files'), 'status --follow tells the per cent on a terminal', follow.output)
follow.hang_up()
ok(ends(follow.child), 'status --follow ends with its terminal')
follow = Terminal(['status', '--follow'], deaf=True)
follow.read_until(rb'Progress')
follow.hang_up()
ok(ends(follow.child), 'status --follow ends with its terminal though it ignores SIGHUP')
follow = Terminal(['status', '--follow'], term='dumb')
follow.read_until(rb'files\r?\n')
ok(b'\x1b' not in follow.output, 'status --follow sends no escapes to a dumb terminal', follow.output)
follow.hang_up()
ends(follow.child)
for options in ([], ['--json'], ['--color=always']):
    follow = subprocess.Popen(['tarsier', 'status', '--follow'] + options, stdout=subprocess.PIPE)
    line = follow.stdout.readline()
    if options == []:
        ok(re.fullmatch(rb'paused.*, \d+ % of the index: \d+ of \d+ files.*\n', line), 'status --follow prints one plain line in a pipe', line)
    follow.stdout.close()
    ok(ends(follow), 'status --follow ends with its reader though nothing changes: ' + ' '.join(options or ['as text']))
daemon.stop()
finish()
