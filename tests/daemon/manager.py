# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service manager is told (sd_notify(3)): by a socket with a path, and by an abstract one."""
import os, signal, socket, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

os.makedirs(TREE)
configure()


def told(listener, wanted, seconds=10):
    """Reads until the message comes; the messages so far if it does not."""
    listener.settimeout(seconds)
    seen = []
    try:
        while wanted not in seen:
            seen.append(listener.recv(4096).decode())
    except TimeoutError:
        pass
    return seen


def run(name, address, shown, **environment):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(address)
        os.environ.update(NOTIFY_SOCKET=shown, **environment)
        daemon = Daemon()
        equal(told(listener, 'READY=1')[-1:], ['READY=1'], f'{name}: says when it is ready')
        yield daemon, listener
        daemon.stop()
        equal(told(listener, 'STOPPING=1')[-1:], ['STOPPING=1'], f'{name}: and when it stops')
        equal(daemon.process.returncode, 0, f'{name}: status')
    for key in ('NOTIFY_SOCKET', *environment):
        os.environ.pop(key, None)


path = os.path.join(TMP, 'notify')
for daemon, listener in run('path', path, path, WATCHDOG_USEC='2000000'):
    equal(told(listener, 'WATCHDOG=1')[-1:], ['WATCHDOG=1'], 'feeds the watchdog')
    daemon.send(signal.SIGSTOP)
    time.sleep(0.2)
    listener.setblocking(False)
    try:
        while listener.recv(4096):
            pass
    except BlockingIOError:
        pass
    equal(told(listener, 'WATCHDOG=1', 2.5), [], 'not while it hangs')
    daemon.send(signal.SIGCONT)

name = f'tarsier-test-{os.getpid()}'
for daemon, listener in run('abstract', '\0' + name, '@' + name, WATCHDOG_USEC='2000000', WATCHDOG_PID='1'):
    equal(told(listener, 'WATCHDOG=1', 2.5), [], 'the watchdog of another process is not fed')

os.environ['NOTIFY_SOCKET'] = '/nowhere/' + 'x' * 200
daemon = Daemon()
daemon.stop()
equal(daemon.process.returncode, 0, 'a socket that cannot be is no trouble')
finish()
