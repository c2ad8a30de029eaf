# SPDX-License-Identifier: GPL-3.0-or-later
"""An ordinary file system is mounted below a root on FUSE, which stops to answer: the client answers
all the same, also where its output is read to the end. The kernel remembers the way, so that the volume itself still
answers."""
import os, shutil, signal, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

below, middle, mounted = HOME + '/below', HOME + '/middle', HOME + '/mounted'
volume = mounted + '/volume'
REMEMBER = 'attr_timeout=3600,entry_timeout=3600'  # seconds
for path in (TREE, below + '/volume', middle, mounted):
    os.makedirs(path)


def bindfs(source, target):
    """Mounts two in a row: the outer one reads requests and waits for the inner one, which is
    stopped."""
    process = keep(subprocess.Popen(['bindfs', '-f', '--no-allow-other', '-o', REMEMBER, source, target], stderr=subprocess.DEVNULL))
    wait_until('bindfs has mounted', lambda: os.path.ismount(target) or process.poll() is not None, 5)
    if os.path.ismount(target):
        return process
    skip_all('needs bindfs and FUSE')


@atexit.register
def unmount():
    if 'inner' in globals():
        inner.send_signal(signal.SIGCONT)
    subprocess.run(['umount', '-l', volume], stderr=subprocess.DEVNULL)
    for target in (mounted, middle):
        subprocess.run(['fusermount', '-u', '-z', target], stderr=subprocess.DEVNULL)


if os.geteuid() != 0 or not shutil.which('bindfs'):
    skip_all('needs root, bindfs and FUSE')
inner = bindfs(below, middle)
outer = bindfs(middle, mounted)
if subprocess.run(['mount', '-t', 'tmpfs', 'none', volume], stderr=subprocess.DEVNULL).returncode != 0:
    skip_all('needs the right to mount')
with open(volume + '/inside.txt', 'w') as f:
    f.write('text inside')
write('local.txt', 'text local')
configure([TREE, mounted], poll=1)
daemon = Daemon()
daemon.sync()


def run(*args):
    """Returns what the client writes; None: it does not end."""
    try:
        return subprocess.run(['tarsier', *args], capture_output=True, text=True, timeout=100).stdout
    except subprocess.TimeoutExpired:
        return None


equal(sorted(run('search', '-l', 'text').split()), [volume + '/inside.txt', TREE + '/local.txt'],
      'files of the volume and of a disk are found')
inner.send_signal(signal.SIGSTOP)
equal((run('search', '-l', 'text') or '').split()[:1], [TREE + '/local.txt'],
      'a search is answered while the way to a volume hangs, without the files of the volume')
ok(f'{volume}: offline' in (run('status', '--check') or ''), 'the status tells that the volume is offline')
ok(f'{volume}\n' in (run('status') or ''), 'and can be read to its end')
inner.send_signal(signal.SIGCONT)
ok(wait_until('the volume is back', lambda: 'inside' in (run('search', '-l', 'inside') or ''), 60),
   'when it answers its files are found again')
finish()
