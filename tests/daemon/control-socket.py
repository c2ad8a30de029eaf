# SPDX-License-Identifier: GPL-3.0-or-later
"""Idle connections to the control socket keep nobody from an answer, and whoever is dropped for
another is told why."""
import os, socket, struct, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

SERVER_CLIENTS = 64
STATUS = b'status\0\0\x07'
configure()
write('a.txt', 'a text')
daemon = Daemon()
daemon.sync()


def connect():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(SOCKET)
    return s


def speak(s):
    """Asks for the status on a connection; returns the bytes of the answer."""
    try:
        s.sendall(struct.pack('=I', len(STATUS)) + STATUS)
    except BrokenPipeError:
        pass
    return read_all(s, struct.unpack('=I', read_all(s, 4))[0])


def tarsier_status():
    done = subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True)
    return done.returncode, '"running":true' in done.stdout


for idle in (9, SERVER_CLIENTS, 3 * SERVER_CLIENTS):
    connections = [connect() for _ in range(idle)]
    watch = Stopwatch(daemon.process)
    answer = speak(connect())
    took = watch.seconds()
    ok(answer.startswith(b'ok\0') and took < 2, f'beside {idle} idle connections another one is answered at once', took, answer)
    equal(tarsier_status(), (0, True), f'beside {idle} idle connections tarsier status is answered')
    last = speak(connections[-1])
    ok(last.startswith(b'ok\0') or b'idle' in last,
       f'the last of {idle} idle connections that speaks is answered, or told why not', last)
    for s in connections:
        s.close()

connections = [connect() for _ in range(SERVER_CLIENTS + 1)]
wait_until('the first connection is dropped', lambda: connections[0].recv(1, socket.MSG_PEEK), 20)
refusal = speak(connections[0])
ok(refusal.startswith(b'error\0') and b'idle' in refusal and b'ask again' in refusal,
   'a connection that was dropped for another and then speaks is told why', refusal)
equal(speak(connections[-1])[:3], b'ok\0', 'the newest connection is answered')
equal(daemon.status()['state'], 'idle', 'the daemon goes on')
daemon.stop()
finish()
