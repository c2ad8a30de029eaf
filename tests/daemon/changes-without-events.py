# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison of everything finds changes without an event: by a hard link outside, through an
open mapping, below an overlay, under a mount."""
import mmap, os, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
from daemontest import *

outside, lower, upper, work, merged = (f'{HOME}/{name}' for name in ('outside', 'lower', 'upper', 'work', 'merged'))
# an overlay needs a file system that no other name space shares
subprocess.run(['mount', '-t', 'tmpfs', 'none', HOME], check=True)
for path in (TREE, outside, lower, upper, work, merged):
    os.makedirs(path)
write('linked', 'AAAA of a file with a name outside')
write('mapped', 'BBBB of a file that is mapped')
write('../lower/file', 'below')
os.link(TREE + '/linked', outside + '/linked')
overlay = subprocess.run(['mount', '-t', 'overlay', '-o', f'lowerdir={lower},upperdir={upper},workdir={work}', 'none', merged], capture_output=True).returncode == 0
configure([TREE, merged] if overlay else [TREE], poll=3600)
daemon = Daemon()
daemon.sync()


def compared(name, top=TREE):
    done = subprocess.run(['tarsier', 'index', '-q'], capture_output=True, text=True, timeout=100)
    equal(done.returncode, 0, f'{name}: index exits with 0')
    found = [d for d in differences(top) if not d.startswith('ghost') or top.encode() in d.encode()]
    ok(not [d for d in found if top in d],
       f'{name}: a comparison of everything finds the change', *found, log_text())


def rewrite(path, text):
    """Rewrites the file and restores its size and times."""
    st = os.stat(path)
    with open(path, 'r+') as f:
        f.write(text)
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))


rewrite(outside + '/linked', 'CCCC')
compared('a file is written by a hard link outside of the root, with size and time as before')
os.chmod(outside + '/linked', 0o600)
compared('the mode of a file is changed by a hard link outside of the root')
with open(TREE + '/mapped', 'r+b') as f, mmap.mmap(f.fileno(), 4) as m:
    m[:2] = b'DD'
    compared('a file is written through a mapping that stays open')
    m[2:] = b'EE'
    m.flush()
    compared('a file is written through the open mapping again')
    m[:2] = b'FF'  # the times do not change until the page is clean
compared('a file is written through a mapping that is closed then')
with open(TREE + '/mapped', 'r+b') as f:
    with mmap.mmap(f.fileno(), 4) as m:
        fd = f.fileno()
        m[:1] = b'G'
        os.unlink(TREE + '/mapped')
compared('a mapped file is removed')
if overlay:
    equal({r['path']: r['state'] for r in daemon.status()['roots']}.get(os.fsencode(merged)), 'watching',
          'an overlay can be a root')
    with open(upper + '/straight', 'w') as f:
        f.write('written straight to the upper directory')
    with open(lower + '/below', 'w') as f:
        f.write('and to the lower one')
    compared('files are written below an overlay', merged)
else:
    skip('files are written below an overlay', 'it cannot be mounted here')
layers = HOME + '/layers'
for name in ('below', 'above', 'root'):
    os.makedirs(f'{layers}/{name}')
    subprocess.run(['mount', '-t', 'tmpfs', 'none', f'{layers}/{name}'], check=True)
for name in ('below/files', 'above/files', 'above/work', 'root/merged'):
    os.makedirs(f'{layers}/{name}')
write('../layers/below/files/lower', 'of the lower file system')
write('../layers/above/files/upper', 'of the upper file system')
write('../layers/root/plain', 'of neither')
root = layers + '/root'
options = f'lowerdir={layers}/below/files,upperdir={layers}/above/files,workdir={layers}/above/work'
if subprocess.run(['mount', '-t', 'overlay', '-o', options, 'none', root + '/merged'], capture_output=True).returncode == 0:
    daemon.stop()
    configure([TREE, root + '/merged'], poll=3600)
    daemon = Daemon()
    daemon.sync()
    equal(sorted(subprocess.run(['tarsier', 'search', '-l', 'of the file system'], capture_output=True, text=True).stdout.split()),
          [f'{root}/merged/{name}' for name in ('lower', 'upper')], 'files of an overlay of two file systems are found')
    with open(root + '/merged/lower', 'a') as f:
        f.write(' copied up')
    compared('a file is copied to the upper file system', root + '/merged')
else:
    skip('files of an overlay of two file systems are found', 'it cannot be mounted here')
os.makedirs(TREE + '/covered')
write('covered/file', 'before the cover')
daemon.sync()
subprocess.run(['mount', '-t', 'tmpfs', 'none', TREE + '/covered'], check=True)
write('covered/other', 'on the cover')
compared('a file system is mounted over a directory')
subprocess.run(['umount', TREE + '/covered'], check=True)
compared('a file system is unmounted from a directory')
daemon.stop()
finish()
