# SPDX-License-Identifier: GPL-3.0-or-later
"""machine.py - runs a test in a machine of its own: Debian's user-mode-linux, which sees the
files of the host but cannot write to them"""
import os, shlex, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import skip_all

KEPT = ('abs_top_srcdir', 'abs_top_builddir', 'PATH', 'TARSIER_EXTRACT', 'TARSIER_PLUGINS', 'LC_ALL', 'TZ', 'ASAN_OPTIONS', 'UBSAN_OPTIONS')
os.environ['PATH'] += ':/usr/sbin:/sbin'


def inside():
    return 'IN_MACHINE' in os.environ


def init_of(settings, empty, loading):
    hidden = ' '.join(path for path in ('/run', '/dev/shm', '/mnt', *empty) if os.path.isdir(path))
    return f'''#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys
for dir in {hidden}; do mount -t tmpfs none $dir; done
{settings}
export HOME=/mnt/home TEST_TMP=/mnt/tmp XDG_RUNTIME_DIR=/mnt/run TMPDIR=/mnt/tmp IN_MACHINE=1
mkdir -m 700 $HOME $TEST_TMP $XDG_RUNTIME_DIR
cd /mnt
ip link set lo up
{loading}
{sys.executable} {shlex.quote(os.path.abspath(sys.argv[0]))} 2>&1
echo "machine ends with $?"
poweroff -f
'''


def loading_of(modules):
    have = subprocess.run('ls -d /usr/lib/uml/modules/*', shell=True, capture_output=True, text=True).stdout.split()
    if not modules:
        return ''
    if not have or not shutil.which('depmod'):
        skip_all('there are no modules for a user-mode Linux')
    return f'''mkdir -p mods/lib/modules && cp -r {have[0]} mods/lib/modules/ && depmod -b /mnt/mods
for module in {' '.join(modules)}; do modprobe -d /mnt/mods $module; done'''


def boot(keep=(), empty=(), modules=(), seconds=900):
    """Runs this script again in the machine, prints its output and ends with its status. keep:
    more names of the environment; empty: directories that are empty at first; modules: of the
    kernel."""
    if 'USER_MODE_LINUX' not in os.environ:
        skip_all('starts a user-mode Linux, which "check --all" does, or USER_MODE_LINUX=1')
    if not shutil.which('linux.uml'):
        skip_all('there is no user-mode Linux')
    settings = '\n'.join(f'export {name}={shlex.quote(os.environ[name])}' for name in (*KEPT, *keep) if name in os.environ)
    init = os.environ['TEST_TMP'] + '/init'
    with open(init, 'w') as f:
        f.write(init_of(settings, empty, loading_of(modules)))
    os.chmod(init, 0o755)
    machine = ['timeout', '-k', '5', str(seconds), 'linux.uml', 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', f'init={init}', 'mem=1G',
               'con=null', 'con0=null,fd:1', 'con1=null', 'quiet']
    done = subprocess.run(machine, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace')
    lines = done.stdout.replace('\r', '').splitlines()
    print(*(line for line in lines if line.startswith(('ok ', 'not ok ', '#', '1..'))), sep='\n')
    if 'machine ends with 0' in lines:
        sys.exit(0)
    if not any(line.startswith('1..') for line in lines):
        print('Bail out! ' + ' | '.join(lines[-20:] + done.stderr.splitlines()[-5:]))
    sys.exit(1)
