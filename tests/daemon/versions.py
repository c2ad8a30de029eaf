# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions that do not fit (index and programs, client and daemon, extractors replaced under a
running daemon) are reported, and nothing is lost."""
import json, os, shutil, socket, sqlite3, struct, subprocess, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

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
    refused = subprocess.run(['tarsierd'], capture_output=True, text=True, timeout=100)
    equal(refused.returncode, 4, f'an index that is {name}: the daemon ends with status 4')
    ok(str(version) in refused.stderr,
       f'an index that is {name}: the daemon names the version', refused.stderr)
    code, out, err = client('search', '-l', 'number7')
    equal((code, out), (4, ''), f'an index that is {name}: the client exits with 4')
    ok(word in err, f'an index that is {name}: the client says so', err)
    code, out, err = client('status')
    ok(code == 4 and word in out,
       f'an index that is {name}: tarsier status says so and exits with 4', code, out, err)
    equal(bytes_of(index), before, f'an index that is {name}: no byte of the database is changed')
    equal([n for n in os.listdir(Daemon.index) if 'damaged' in n], [],
          f'an index that is {name}: the database is not put aside as damaged')
    set_version(present)
    equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'],
          f'an index that is {name}: its own version finds everything again')
daemon = Daemon()
daemon.sync()
same('the daemon goes on with its own version of the index')
equal(daemon.status()['extractions'], 0,
      'the daemon converts nothing when its own version of the index is back')

# ---- an update that recognizes more files
write('unknown.bin', b'\x81\x92\x03' * 300)
write('unknown-large.bin', b'\0' * (17 << 20))
daemon.sync()
daemon.stop()
db = sqlite3.connect(index)
with db:
    db.execute("UPDATE meta SET value = '0' WHERE key IN ('sniffer', 'converters')")
db.close()
daemon = Daemon()
daemon.sync()
equal(daemon.status()['extractions'], 1, 'a file whose type an older version did not know is read again, unless it is large')
same('the index equals the file system after that')
daemon.stop()
for name in ('unknown.bin', 'unknown-large.bin'):
    os.unlink(f'{TREE}/{name}')
daemon = Daemon()
daemon.sync()

# ---- a daemon of another version: requests that it does not know, and answers that we do not
# know
equal(client('status', '--check')[0], 0,
      'status --check exits with 0 if client and daemon have the same version')


def frame(name, values):
    """Returns an answer ("ok", {key: text}) as GVariant, without arrays of more than 255
    bytes."""
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
    """Plays another daemon, which refuses each request that it does not know."""
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
        ok(code == 0 and f'version {version}; restart it' in out,
           f'a daemon of version {version}: tarsier status says to restart it', out, err)
        facts = json.loads(client('status', '--json')[1])
        equal((facts['daemon']['version'], facts['state'], facts['files']), (version, 'idle', 30),
              f'a daemon of version {version}: status --json has its version and state')
        code, out, err = client('status', '--check')
        ok(code == 5 and version in out and own in out,
           f'a daemon of version {version}: status --check exits with 5 and names both versions', code, out)
        ok(f'tarsierd has version {version}' in client('doctor')[1],
           f'a daemon of version {version}: doctor names the version')
        equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'],
              f'a daemon of version {version}: a search is answered')
        code, out, err = client('pause')
        ok(code not in (0, 139) and 'unknown request' in err,
           f'a daemon of version {version}: a request that it does not know is reported', code, err)
        listener.shutdown(socket.SHUT_RDWR)
    os.unlink(SOCKET)

# ---- a client of another version: a request, a key, an argument that we do not know
daemon = Daemon()


def raw(message):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(20)
        s.connect(SOCKET)
        s.sendall(struct.pack('=I', len(message)) + message)
        return read_all(s, struct.unpack('=I', read_all(s, 4))[0])


answer = raw(frame('dream', {'of': 'what'}))
ok(answer.startswith(b'error\0') and f'version {own}'.encode() in answer,
   'the daemon refuses a request of a later client and names its version', answer)
ok(raw(frame('status', {'novelty': 'of a later time'})).startswith(b'ok\0'),
   'the daemon ignores an unknown argument of a request')
daemon.sync()
equal(daemon.status()['state'], 'idle', 'the daemon goes on after unknown requests')

# ---- an extractor program with another protocol, as in the middle of an upgrade
daemon.stop()
program = os.environ['TARSIER_EXTRACT']
os.environ['TARSIER_EXTRACT'] = path = TMP + '/extract'


def install(script):
    with open(path + '.new', 'w') as f:
        f.write(script)
    os.chmod(path + '.new', 0o700)
    os.rename(path + '.new', path)


install(f'''#!{sys.executable}
import socket, struct
hello = struct.pack('=IIII', 99, 99, 3, 0)
with socket.socket(fileno=3) as s:
    s.send(struct.pack('=BBHI', 1, 0, 0, len(hello)) + hello + struct.pack('=BBHI', 3, 0, 0, 0))
    while s.recv(4096):  # until the daemon hangs up
        pass
''')
daemon = Daemon()
write('late.txt', 'written when the converter was of another version')
ok(wait_until('the name is indexed', lambda: query('SELECT 1 FROM node WHERE name = ?', b'late.txt'), 60),
   'names are indexed while the extractors have another version')
ok(wait_until('the daemon notices the version', lambda: daemon.status()['state'] == 'degraded', 60),
   'the state is degraded while the extractors have another version', daemon.status())
equal(client('search', '-l', 'number7')[1].split(), [f'{TREE}/1/7.txt'],
      'earlier text is found while the extractors have another version')
install(f"#!/bin/sh\nexec '{program}' \"$@\"\n")


def tried_again():
    daemon.sync()  # a client that waits makes the daemon retry postponed work
    return client('search', '-l', 'converter')[1].split() == [TREE + '/late.txt']


ok(wait_until('the file is converted', tried_again, 60),
   'the daemon converts by itself once the extractors have its version', daemon.status(), log_text())
daemon.sync()
same('the index equals the file system once the extractors have its version')

# ---- an update of an extractor or a library under a daemon that is never idle
daemon.stop()
starts = Daemon.index + '/starts'  # where the daemon may write
script = f"#!/bin/sh\necho >>'{starts}'\nexec '{program}' \"$@\"\n"
install(script)
daemon = Daemon()


def save_another():
    save_another.n += 1
    write(f'update{save_another.n}.txt', f'text number {save_another.n} around an update')
    daemon.sync()
    return os.path.getsize(starts)


save_another.n = 0
before = save_another()
install(script)
ok(wait_until('the extractors start', lambda: save_another() > before, 30, every=.5),
   'the extractors start anew after an update, although there is always work', log_text())
before = save_another()
for _ in range(14):
    let_time_pass(.5, 'the looks for updates are seconds apart')
    save_another()
equal(save_another(), before, 'without an update the extractors are not started anew')
same('the index equals the file system after an update of the extractors')
daemon.stop()
finish()
