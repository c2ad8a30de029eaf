# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions that do not fit together: an index that is newer or older than the programs, a client and a daemon that are not of one version, a converter
program that was replaced while the daemon runs. Each says so, and nothing is lost."""
import json, os, shutil, socket, sqlite3, struct, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

index = Daemon.index + '/index.db'


def client(*command):
    done = subprocess.run(['tarsier', *command], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def set_version(version):
    db = sqlite3.connect(index)
    db.execute(f'PRAGMA user_version = {version}')
    db.close()


def bytes_of(path):
    with open(path, 'rb') as f:
        return f.read()


for i in range(30):
    write(f'{i % 3}/{i}.txt', f'text number{i} in many versions')
configure()
daemon = Daemon()
daemon.sync()
own = daemon.status()['version']
daemon.stop()

# ---- an index of another version
present = query('PRAGMA user_version')[0][0]
for version, word, name in ((99, 'newer', 'newer'), (-1, 'older', 'older'), (0, 'older', 'without a version')):
    set_version(version)
    before = bytes_of(index)
    refused = subprocess.run(['tarsierd'], capture_output=True, text=True, timeout=20)
    equal(refused.returncode, 4, f'an index that is {name}: the daemon ends with status 4')
    ok(str(version) in refused.stderr, 'and says which version it has', refused.stderr)
    code, out, err = client('search', '-l', 'number7')
    equal((code, out), (4, ''), 'the client, too')
    ok(word in err, 'and says so', err)
    code, out, err = client('status')
    ok(code == 4 and word in out, 'so does its status', code, out, err)
    equal(bytes_of(index), before, 'and nothing is touched')
    equal([n for n in os.listdir(Daemon.index) if 'damaged' in n], [], 'nor put aside')
    set_version(present)
    equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'], 'all is there for the version that made it')
daemon = Daemon()
daemon.sync()
same('it goes on with it')
equal(daemon.status()['extractions'], 0, 'without a conversion')

# ---- another version of the daemon behind the socket: what it does not know, and what it knows more than we
equal(client('status', '--check')[0], 0, 'a daemon of our version is no problem')


def frame(name, values):
    """An answer ("ok", {key: text}) as GVariant, without arrays of more than 255 bytes."""
    entries = b''
    ends = []
    for key, value in values.items():
        entries += b'\0' * (pad(len(entries), 8) - len(entries))
        head = key.encode() + b'\0'
        body = head + b'\0' * (pad(len(head), 8) - len(head)) + value.encode() + b'\0' + b'\0' + b's'
        entries += body + bytes([len(head)])
        ends.append(len(entries))
    array = entries + bytes(ends)
    body = name.encode() + b'\0'
    return body + b'\0' * (pad(len(body), 8) - len(body)) + array + bytes([len(body)])


def serve(listener, known):
    """Another daemon: each request that is not known is refused."""
    while True:
        try:
            peer, _ = listener.accept()
        except OSError:
            return
        with peer:
            try:
                while True:
                    data = read_all(peer, struct.unpack('=I', read_all(peer, 4))[0])
                    name = data[:data.index(b'\0')].decode()
                    answer = frame('ok', known[name]) if name in known else frame('error', {'message': f'unknown request'})
                    peer.sendall(struct.pack('=I', len(answer)) + answer)
            except (EOFError, OSError):
                pass


daemon.stop()
for version, more in (('0.0.1', {}), ('99.0', {'novelty': 'of a later time'})):
    if os.path.exists(SOCKET):
        os.unlink(SOCKET)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(SOCKET)
        os.chmod(SOCKET, 0o600)
        listener.listen(8)
        thread = threading.Thread(target=serve, args=(listener, {'status': {'state': 'idle', 'version': version, **more}}), daemon=True)
        thread.start()
        code, out, err = client('status')
        ok(code == 0 and f'version {version}; restart it' in out, f'a daemon of version {version}: the status says so', out, err)
        facts = json.loads(client('status', '--json')[1])
        equal((facts['daemon']['version'], facts['state'], facts['files']), (version, 'idle', 30), 'as JSON')
        code, out, err = client('status', '--check')
        ok(code == 5 and version in out and own in out, '--check, too', code, out)
        ok(f'tarsierd has version {version}' in client('doctor')[1], 'and doctor')
        equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'], 'it is searched all the same')
        code, out, err = client('pause')
        ok(code not in (0, 139) and 'unknown request' in err, 'a request it does not know is told', code, err)
        listener.shutdown(socket.SHUT_RDWR)
    os.unlink(SOCKET)

# ---- another version of the client: a request, a key, an argument that we do not know
daemon = Daemon()


def raw(message):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(20)
        s.connect(SOCKET)
        s.sendall(struct.pack('=I', len(message)) + message)
        return read_all(s, struct.unpack('=I', read_all(s, 4))[0])


answer = raw(frame('dream', {'of': 'what'}))
ok(answer.startswith(b'error\0') and f'version {own}'.encode() in answer, 'a request of a later client is refused by our version', answer)
ok(raw(frame('status', {'novelty': 'of a later time'})).startswith(b'ok\0'), 'an argument that is not known is passed over')
daemon.sync()
equal(daemon.status()['state'], 'idle', 'and the daemon goes on')

# ---- a converter program that speaks otherwise, as in the middle of an upgrade
daemon.stop()
program = os.environ['TARSIER_EXTRACT']
os.environ['TARSIER_EXTRACT'] = path = TMP + '/extract'


def install(script):
    with open(path + '.new', 'w') as f:
        f.write(script)
    os.chmod(path + '.new', 0o700)
    os.rename(path + '.new', path)


install(f'''#!{sys.executable}
import socket, struct, time
hello = struct.pack('=IIII', 99, 99, 3, 0)
with socket.socket(fileno=3) as s:
    s.send(struct.pack('=BBHI', 1, 0, 0, len(hello)) + hello + struct.pack('=BBHI', 3, 0, 0, 0))
    time.sleep(60)
''')
daemon = Daemon()
write('late.txt', 'written when the converter was of another version')
ok(wait_for(lambda: query('SELECT 1 FROM node WHERE name = ?', b'late.txt'), 60), 'names are indexed')
ok(wait_for(lambda: daemon.status()['state'] == 'degraded', 60), 'a converter of another version is told', daemon.status())
equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'], 'what was converted is found')
install(f"#!/bin/sh\nexec '{program}' \"$@\"\n")


def tried_again():
    daemon.sync()  # who waits has what was put off tried again
    return client('search', '-l', 'converter')[1].split() == [TREE + '/late.txt']


ok(wait_for(tried_again, 60), 'with the right one it goes on by itself', daemon.status(), log_text())
daemon.sync()
same('and all is there')
daemon.stop()
finish()
