# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon tells the service manager its state (sd_notify(3)), by a socket with a path and an
abstract one."""
import os, signal, socket, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

os.makedirs(TREE)
configure()


def told(listener, wanted, seconds=10):
    """Reads until the message arrives; returns all messages so far if it does not."""
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
        equal(told(listener, 'READY=1')[-1:], ['READY=1'],
              f'{name}: the daemon sends READY=1 when it answers')
        yield daemon, listener
        daemon.stop()
        equal(told(listener, 'STOPPING=1')[-1:], ['STOPPING=1'],
              f'{name}: the daemon sends STOPPING=1 when it stops')
        equal(daemon.process.returncode, 0, f'{name}: SIGTERM ends the daemon with status 0')
    for key in ('NOTIFY_SOCKET', *environment):
        os.environ.pop(key, None)


path = os.path.join(TMP, 'notify')
for daemon, listener in run('path', path, path, WATCHDOG_USEC='2000000'):
    equal(told(listener, 'WATCHDOG=1')[-1:], ['WATCHDOG=1'], 'the daemon feeds its watchdog')
    daemon.send(signal.SIGSTOP)
    let_time_pass(0.2, 'what the daemon sent before it was stopped has arrived')
    listener.setblocking(False)
    try:
        while listener.recv(4096):
            pass
    except BlockingIOError:
        pass
    equal(told(listener, 'WATCHDOG=1', 2.5), [], 'a daemon that hangs does not feed its watchdog')
    daemon.send(signal.SIGCONT)

name = f'tarsier-test-{os.getpid()}'
for daemon, listener in run('abstract', '\0' + name, '@' + name, WATCHDOG_USEC='2000000', WATCHDOG_PID='1'):
    equal(told(listener, 'WATCHDOG=1', 2.5), [],
          'the daemon does not feed the watchdog of another process')

os.environ['NOTIFY_SOCKET'] = '/nowhere/' + 'x' * 200
daemon = Daemon()
daemon.stop()
equal(daemon.process.returncode, 0,
      'a notification socket that cannot exist does not disturb the daemon')

# ---- what only another start can mend
os.environ['NOTIFY_SOCKET'] = path
later = os.path.join(HOME, 'later')
os.makedirs(later)
daemon = Daemon()
if daemon.status()['confinement'] in ('full', 'landlock'):
    launched = agent_launcher(daemon.process.pid)
    wait_until('there is a spare', lambda: spare_of(launched))
    both = (spare_of(launched), launched)
    for each in both:
        os.kill(each, signal.SIGSTOP)
    for each in both:
        os.kill(each, signal.SIGKILL)
    subprocess.run(['tarsier', 'add', later], capture_output=True)
    ok(wait_until('the daemon ends', lambda: daemon.process.poll() is not None, 60),
       'a daemon that cannot read new roots ends, so that the service manager starts it anew', log_text())
    equal(daemon.process.returncode, 75, 'with a status after which it is started')
else:
    skip('a daemon that cannot read new roots ends', 'the daemon is not confined')
    daemon.stop()
finish()
