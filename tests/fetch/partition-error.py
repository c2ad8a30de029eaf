# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-partition tells why a server refuses it, in whatever encoding that says so."""
import os, socket, struct, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok

PROGRAM = os.path.join(os.path.dirname(os.environ['TARSIER_FETCH']), 'tarsier-partition')
ENCRYPTION = struct.pack('>I', 80877103)  # a request for it
OPEN, OPENED, AWAY = 1, 2, 1
if not os.path.exists(PROGRAM):
    print('1..0 # SKIP built without libpq')
    sys.exit(0)


def read(connection, n):
    data = b''
    while len(data) < n:
        data += connection.recv(n - len(data)) or sys.exit('the other end is gone')
    return data


def read_start(connection):
    return read(connection, struct.unpack('>I', read(connection, 4))[0] - 4)


def refuse(server):
    """Answers as a server whose messages are in Latin-1, which the client has not chosen yet."""
    connection = server.accept()[0]
    if read_start(connection) == ENCRYPTION:
        connection.sendall(b'N')
        read_start(connection)
    message = b'SFATAL\0C28P01\0MAnmeldung f\xfcr heron verweigert\0\0'
    connection.sendall(b'E' + struct.pack('>I', len(message) + 4) + message)
    connection.close()


def texts(*values):
    """A GVariant of strings that is shorter than 256 bytes."""
    body, ends = b'', []
    for value in values:
        body += value.encode() + b'\0'
        ends.append(len(body))
    return body + bytes(ends[-2::-1])


server = socket.create_server(('127.0.0.1', 0))
threading.Thread(target=refuse, args=(server,), daemon=True).start()
ours, theirs = socket.socketpair()
ours.settimeout(60)
program = subprocess.Popen([PROGRAM], preexec_fn=lambda: os.dup2(theirs.fileno(), 3), pass_fds=(3,), env={**os.environ, 'PGPASSFILE': '/nonexistent', 'LC_ALL': 'C'})
theirs.close()
message = texts(f'host=127.0.0.1 port={server.getsockname()[1]} user=heron dbname=crawl', 'id', 'session', 'name')
ours.sendall(struct.pack('II', OPEN, len(message)) + message)
kind, length = struct.unpack('II', read(ours, 8))
answer = read(ours, length)
ok('the answer is a failure that passes', kind == OPENED and struct.unpack_from('I', answer)[0] == AWAY, answer)
ok('it says what the server said', 'Anmeldung f\ufffdr heron verweigert'.encode() in answer, answer)
ours.close()
ok('the program ends with its socket', program.wait(60) == 0, program.returncode)
done_testing()
