# SPDX-License-Identifier: GPL-3.0-or-later
"""daemontest.py - helpers for the black-box tests of tarsierd

A Daemon watches TREE, a directory in the private HOME. sync() returns when every earlier change
is in the index. differences() compares the index, read with plain SQL, with an independent
listing of the directory."""
import atexit, base64, hashlib, json, os, signal, socket, sqlite3, stat, struct, subprocess, sys, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import *

TMP = os.environ['TEST_TMP']
HOME = os.environ['HOME']
TREE = os.path.join(HOME, 'tree')
SOCKET = os.path.join(os.environ['XDG_RUNTIME_DIR'], 'tarsier', 'ctl')

count = 0
failed = 0


def ok(condition, name, *details):
    global count, failed
    count += 1
    print(('ok' if condition else 'not ok') + f' {count} - {name}', flush=True)
    if not condition:
        failed += 1
        for detail in details:
            for line in str(detail).splitlines()[:30]:
                print('#   ' + line, flush=True)
    return bool(condition)


def equal(got, wanted, name):
    return ok(got == wanted, name, f'got:    {got!r}', f'wanted: {wanted!r}')


def skip(name, why):
    global count
    count += 1
    print(f'ok {count} - {name} # SKIP {why}', flush=True)


def skip_all(why):
    """Call it before any other test."""
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def finish():
    print(f'1..{count}')
    sys.exit(0 if failed == 0 else 1)


# ---- the system

def name_of(pid):
    try:
        return open(f'/proc/{pid}/comm').read().strip()
    except OSError:
        return ''


def all_children(pid):
    try:
        return [int(child) for task in os.listdir(f'/proc/{pid}/task') for child in open(f'/proc/{pid}/task/{task}/children').read().split()]
    except OSError:
        return []


def children(pid):
    """Returns the children of all threads of the process, but for its launchers; none if it has ended."""
    return [child for child in all_children(pid) if name_of(child) not in ('tarsier-launch', 'tarsier-roots')]


def launcher(pid):
    """Returns the launcher of tarsier-fetch that the process forked; None if there is none."""
    return next((child for child in all_children(pid) if name_of(child) == 'tarsier-launch'), None)


def agent_launcher(pid):
    """Returns the launcher of agents that the process forked; None if there is none."""
    return next((child for child in all_children(pid) if name_of(child) == 'tarsier-roots'), None)


def agents(pid):
    """Returns the agents that read for the process what it may not."""
    of = agent_launcher(pid)
    return [child for child in all_children(of) if name_of(child) == 'tarsier-agent'] if of else []


def spare_of(of):
    """Returns the process that takes the place of this launcher of agents when it ends; None: there is none yet."""
    return next((child for child in all_children(of) if name_of(child) == 'tarsier-spare'), None)


def umount(path):
    """Unmounts; it tries again, because a file may just be read there."""
    if not wait_until(f'{path} can be unmounted', lambda: subprocess.run(['umount', path], capture_output=True).returncode == 0, 10, 0.05):
        subprocess.run(['umount', path], check=True)


# ---- GVariant, as far as the control protocol needs it (common/ipc/control.h)

def pad(n, alignment):
    return (n + alignment - 1) & ~(alignment - 1)


def offset_size(n):
    return 1 if n < 1 << 8 else 2 if n < 1 << 16 else 4


def frame_offset(data, index_from_end):
    size = offset_size(len(data))
    at = len(data) - size * (index_from_end + 1)
    return int.from_bytes(data[at:at + size], 'little')


def decode_variant(data):
    end = data.rindex(b'\0')
    return decode(data[:end], data[end + 1:].decode())


def decode(data, kind):
    if kind == 's':
        return data[:-1].decode()
    if kind == 'ay':
        return data[:-1]
    if kind in 'tx':
        return int.from_bytes(data, 'little', signed=kind == 'x')
    if kind == 'i':
        return int.from_bytes(data, 'little', signed=True)
    if kind == 'b':
        return data != b'\0'
    if kind == 'a{sv}':
        return dict(decode_entry(item) for item in elements(data))
    if kind == 'aa{sv}':
        return [decode(item, 'a{sv}') for item in elements(data)]
    return data


def elements(data):
    """Packs an array of elements of variable size, all aligned to 8."""
    if not data:
        return []
    size = offset_size(len(data))
    table = frame_offset(data, 0)
    n = (len(data) - table) // size
    out, start = [], 0
    for i in range(n):
        end = int.from_bytes(data[table + i * size:table + (i + 1) * size], 'little')
        out.append(data[pad(start, 8):end])
        start = end
    return out


def decode_entry(data):
    end = frame_offset(data, 0)
    return data[:end - 1].decode(), decode_variant(data[pad(end, 8):len(data) - offset_size(len(data))])


def request(name, timeout=60):
    """Sends a request without arguments; returns the dictionary of the answer."""
    body = name.encode() + b'\0'
    return send_request(name, body + b'\0' * (pad(len(body), 8) - len(body)) + bytes([len(body)]), timeout)


def send_request(name, message, timeout=60):
    """Sends a serialised request; returns the dictionary of the answer."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(timeout)
        s.connect(SOCKET)
        s.sendall(struct.pack('=I', len(message)) + message)
        head = read_all(s, 4)
        data = read_all(s, struct.unpack('=I', head)[0])
    end = frame_offset(data, 0)
    values = decode(data[pad(end, 8):len(data) - offset_size(len(data))], 'a{sv}')
    if data[:end - 1] != b'ok':
        raise RuntimeError(f'{name}: {values}')
    return values


def read_all(s, n):
    data = b''
    while len(data) < n:
        part = s.recv(n - len(data))
        if not part:
            raise EOFError('the daemon closed the connection')
        data += part
    return data


# ---- the daemon

def configure(roots=(TREE,), **settings):
    path = os.path.join(HOME, '.config/tarsier/tarsier.conf')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write('[index]\nroots=%s\n' % ';'.join(roots))
        for key in ('exclude', 'hidden'):
            if key in settings:
                f.write(f'{key}={settings.pop(key)}\n')
        f.write('[daemon]\ndisk-reserve=0\n')
        for key, value in settings.items():
            f.write(f'{key.replace("_", "-")}={value}\n')


def keep(process):
    """Makes sure that the process does not outlive the test, however it ends."""
    atexit.register(process.kill)
    return process


# ---- time, without the time in which other processes had the processors

def waited_s(pid, tids=None):
    """Returns for how long threads of the process and of its descendants were ready but did not
    run."""
    total = 0
    try:
        for tid in tids or os.listdir(f'/proc/{pid}/task'):
            with open(f'/proc/{pid}/task/{tid}/schedstat') as f:
                total += int(f.read().split()[1]) / 1e9
            with open(f'/proc/{pid}/task/{tid}/children') as f:
                total += sum(waited_s(child) for child in f.read().split()) if not tids else 0
    except (OSError, IndexError):
        pass
    return total


class Stopwatch:
    """Measures the seconds that the daemon needed, even on a busy machine. Call it now and then:
    a process that has ended is not counted."""

    def __init__(self, process):
        self.pid, self.own, self.most = process.pid, [threading.get_native_id()], 0
        self.before, self.started = self.waited(), time.monotonic()

    def waited(self):
        return waited_s(self.pid) + waited_s(os.getpid(), self.own)

    def seconds(self):
        took = time.monotonic() - self.started
        self.most = max(self.most, self.waited() - self.before)
        return max(0, took - self.most)


class Daemon:
    index = os.path.join(HOME, '.local/share/tarsier')

    def __init__(self, *arguments, wrapper=()):
        self.log = open(os.path.join(TMP, 'daemon.log'), 'ab')
        self.process = keep(subprocess.Popen([*wrapper, 'tarsierd', *arguments], stderr=self.log, stdout=self.log))
        if not wait_until('the daemon answers', self.answers, 60):
            raise RuntimeError('the daemon does not answer:\n' + log_text())

    def answers(self):
        try:
            return request('status')
        except (OSError, EOFError):
            if self.process.poll() is not None:
                raise RuntimeError('the daemon ended:\n' + log_text())

    def sync(self, timeout=250):
        return request('sync', timeout)['done']

    def status(self):
        return request('status')

    def send(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM, timeout=100):
        """Ends the daemon; returns the seconds that this took."""
        watch = Stopwatch(self.process)
        self.send(number)
        if not wait_until('the daemon ends', lambda: self.process.poll() is not None or watch.seconds() > timeout, 600, 0.005) \
                or self.process.returncode is None:
            raise RuntimeError('the daemon does not stop:\n' + log_text())
        self.log.close()
        return watch.seconds()


def state_text():
    try:
        return str(request('status', 5))
    except (OSError, EOFError) as error:
        return str(error)


def log_text():
    with open(os.path.join(TMP, 'daemon.log'), errors='replace') as f:
        return f.read()[-4000:]


# ---- the oracle

def query(sql, *values, index=Daemon.index):
    db = sqlite3.connect(f'file:{index}/index.db?mode=ro', uri=True)
    try:
        db.text_factory = bytes
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def faults_of_database(index=Daemon.index):
    """Returns what SQLite finds wrong in the tables and indexes. Since 3.44 its check of the whole
    database asks FTS5 too, which needs Tarsier's tokenizer: then each table is checked alone."""
    try:
        found = query('PRAGMA integrity_check', index=index)
    except sqlite3.OperationalError as error:
        if 'no such tokenizer' not in str(error):
            raise
        tables = query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", index=index)
        found = [fault for (name,) in tables for fault in query(f'PRAGMA integrity_check("{name.decode()}")', index=index)]
    return [fault for (fault,) in found if fault != b'ok']


def rows(index=Daemon.index):
    """Returns path -> facts as the index has them."""
    nodes = {}
    for node, parent, name, *facts in query(
            'SELECT n.id, n.parent, n.name, i.kind, i.ino, i.size, i.mtime_ns, i.ctime_ns, i.uid, i.gid, i.mode, i.state, '
            'i.reason, c.checksum FROM node n JOIN inode i ON i.id = n.inode LEFT JOIN content c ON c.id = i.content',
            index=index):
        nodes[node] = (parent, name, facts)

    def path(node):
        parent, name, _ = nodes[node]
        return name if parent == 0 else path(parent) + b'/' + name
    return {path(node): facts for node, (_, _, facts) in nodes.items()}


def truth(top=TREE):
    """Returns path -> facts as the file system has them."""
    kinds = {stat.S_IFREG: 0, stat.S_IFDIR: 1, stat.S_IFLNK: 2}
    out = {}

    def look(path, facts_of=os.lstat):
        st = facts_of(path)
        kind = kinds.get(stat.S_IFMT(st.st_mode), 3)
        out[path] = [kind, st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns, st.st_uid, st.st_gid,
                     stat.S_IMODE(st.st_mode), digest(path) if kind == 0 else None]
        if kind == 1 and os.access(path, os.R_OK | os.X_OK):
            for name in os.listdir(path):
                look(path + b'/' + name)
    look(os.fsencode(top), os.stat)  # the path of a root may contain a symbolic link
    return out


def digest(path):
    try:
        with open(path, 'rb') as f:
            return hashlib.sha256(f.read()).digest()
    except PermissionError:
        return None


def differences(top=TREE, index=Daemon.index, owners=True, unseen=()):
    """Returns the differences between index and file system, or nothing. Our checksum must agree
    with SHA-256 about which files are equal. owners: compares user and group too (in a name space
    their numbers differ). unseen: inodes whose facts the daemon cannot know."""
    ours, real = rows(index), truth(top)
    known, counted = query("SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'pending'), "
                           '(SELECT count(*) FROM inode i JOIN node n ON n.inode = i.id WHERE i.state = 1)', index=index)[0]
    out = [] if known == counted else [f'the index says that {known} entries are pending, but {counted} are']
    out += [f'missing: {p!r}, kind {real[p][0]}, inode {real[p][1]}' for p in real if p not in ours] + [f'ghost: {p!r}' for p in ours if p not in real]
    names = ('kind', 'ino', 'size', 'mtime', 'ctime', 'uid', 'gid', 'mode')
    # ctime is not compared: another name of the inode may come and go unseen, and no event
    # reports the number of links.
    compared = [i for i, name in enumerate(names) if name != 'ctime' and (owners or name not in ('uid', 'gid'))]
    sums, back = {}, {}
    for path, facts in real.items():
        if path not in ours or facts[1] in unseen:
            continue
        row = ours[path]
        out += [f'{path!r}: {names[i]} {row[i]} for {facts[i]}' for i in compared if row[i] != facts[i]]
        if facts[0] != 0 or facts[8] is None:
            continue
        if row[8] != 0:
            out.append(f'{path!r}: state {row[8]} reason {row[9]}')
        elif sums.setdefault(facts[8], row[10]) != row[10] or back.setdefault(row[10], facts[8]) != facts[8]:
            out.append(f'{path!r}: wrong content; file {facts[1:5]}, row {row[1:5]}, checksum {row[10] and row[10].hex()}')
    return out


def same(name, **options):
    found = differences(**options)
    return ok(not found, name, *found[:20], log_text() if found else '', state_text() if found else '')


def same_list(name, top=TREE, unseen=()):
    """Compares what `tarsier list --json` prints: names, kinds, facts, and which files are
    equal."""
    kinds = {'file': 0, 'dir': 1, 'link': 2, 'other': 3}
    output = subprocess.run(['tarsier', 'list', '--json', top], capture_output=True, check=True).stdout
    found, real, out, sums, back = {}, truth(top), [], {}, {}
    for line in output.splitlines():
        entry = json.loads(line)
        path = base64.b64decode(entry['path_b64']) if entry.get('path_b64') else os.fsencode(entry['path'])
        if entry['kind'] != 'member':
            found[path] = entry
    out += [f'not listed: {p!r}' for p in real if p not in found] + [f'listed, not there: {p!r}' for p in found if p not in real]
    for path in real.keys() & found.keys():
        entry, facts = found[path], real[path]
        got = [kinds[entry['kind']], *(entry[key] for key in ('inode', 'size', 'mtime_ns', 'uid', 'gid')), int(entry['mode'], 8)]
        wanted = [facts[i] for i in (0, 1, 2, 3, 5, 6, 7)]
        if facts[1] in unseen:
            continue
        if got != wanted:
            out.append(f'{path!r}: listed as {got}, is {wanted}')
        if facts[8] is not None and (sums.setdefault(facts[8], entry['checksum']) != entry['checksum'] or
                                     back.setdefault(entry['checksum'], facts[8]) != facts[8]):
            out.append(f'{path!r}: wrong checksum')
    return ok(not out, name, *out[:20])


def write(path, text):
    path = os.path.join(TREE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(text.encode() if isinstance(text, str) else text)
    return path


def add_texts(rng, n, words):
    """Writes this many files of random words, some of them over older ones."""
    for _ in range(n):
        write(f'{rng.randrange(9)}/{rng.randrange(5000)}.txt', ' '.join(f'word{rng.randrange(30000)}' for _ in range(words)))


def up_to_date(index=Daemon.index):
    return request('status')['state'] == 'idle' and not differences(index=index)
