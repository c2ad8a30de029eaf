# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user could read once and may no longer read is told by no verb: no name, no word, no
number, although the index still has it. Needs root, to be another user."""
import json, os, re, signal, socket, struct, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

if os.geteuid() != 0:
    skip_all('needs root, to be another user')
UID, OTHER = 31001, 31002
if subprocess.run(['tarsier', '--version'], user=UID, group=UID, extra_groups=[], capture_output=True).returncode != 0:
    skip_all('the programs cannot be run by another user here')
os.chmod(TMP, 0o755)
tree, home = TMP + '/tree', TMP + '/home'
closed = tree + '/closed'
gated = TMP + '/gate/root'
COMMON = 'every reader may read these plain words about harbours bridges rivers lakes and mountains'


def put(path, content, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(content.encode() if isinstance(content, str) else content)
    os.chown(path, UID, UID)
    os.chmod(path, mode)
    return path


def give(top, owner):
    for directory, names, files in os.walk(top):
        for name in ['.', *names, *files]:
            os.chown(os.path.join(directory, name), owner, owner)


def tarsier(*words):
    env = {**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': home + '/run', 'TARSIER_DEBUG': ''}
    done = subprocess.run([words[0] if words[0] == 'tarsierd' else 'tarsier', *words[words[0] == 'tarsierd':]], capture_output=True, text=True,
                          user=UID, group=UID, extra_groups=[], env=env, cwd='/', timeout=100)
    return done.returncode, done.stdout, done.stderr


for i in range(5):
    put(f'{tree}/open/{i}.txt', f'{COMMON} number{i} commonword')
secret = put(closed + '/sekretname.txt', f'{COMMON} sekretword commonword sekrets sekreting')
twin = put(tree + '/open/twin.txt', 'the words of a file of which there are two and no more than two')
put(closed + '/sekrettwin.txt', 'the words of a file of which there are two and no more than two')
put(closed + '/sekretbroken.pdf', '%PDF-1.4 this is none')
shut = put(tree + '/listed/sekretshut.txt', 'shutword commonword')
with zipfile.ZipFile(put(closed + '/sekretbox.zip', b''), 'w') as z:
    z.writestr('sekretmember.txt', 'sekretinner commonword')
put(home + '/.config/tarsier/tarsier.conf', f'[index]\nroots={tree};{gated}\n[daemon]\ndisk-reserve=0\n')
os.makedirs(home + '/run', 0o700)
give(home, UID)
put(gated + '/gatefile.txt', 'gatedword commonroot')
give(tree, UID)
give(TMP + '/gate', UID)
equal(tarsier('tarsierd', '--once')[0], 0, 'everything is indexed while the user may read it')
facts = json.loads(tarsier('info', '--json', secret)[1])
equal(tarsier('search', '-l', 'sekretword')[1], secret + '\n', 'the file is found while the user may read it')
ok('sekretbroken' in tarsier('failed')[1], 'failed names the broken file while the user may read it')
before = json.loads(tarsier('search', '--json', '--dups=show', 'commonword')[1].splitlines()[0])['total']
equal(before, 8, 'all files are counted while the user may read them')

os.chown(closed, OTHER, OTHER)
os.chmod(closed, 0o700)
os.chmod(shut, 0)


SECRETS = re.compile(r'\b(sekret(word|s|ing|name|twin|broken|box|member|inner|shut)|shutword)\b')


def tells_nothing(what, *words, code=None, known=()):
    """The answer names nothing that is closed; what the user typed may come back."""
    got = tarsier(*words)
    text = got[1] + got[2]
    for word in sorted([*words, *known], key=len, reverse=True):
        text = text.replace(word, '')
    ok(not SECRETS.search(text) and (code is None or got[0] == code), what, got)
    return got


# ---- lists and facts
tells_nothing('list names no closed file', 'list', code=0)
tells_nothing('list --json names no closed file', 'list', '--json', code=0)
equal(len(tarsier('list', tree)[1].splitlines()), 10, 'list still has all that is open, and the closed directory itself')
tells_nothing('list of a closed directory has nothing in it', 'list', closed + '/', code=0)
equal(tarsier('list', '--json', secret)[:2], (1, ''), 'list of a closed file has nothing')
for path in (secret, shut, closed + '/sekretbox.zip|sekretmember.txt'):
    got = tells_nothing(f'info of a closed file tells nothing ({path.rsplit("/")[-1]})', 'info', path, code=1, known=[path.split('|')[0]])
    equal([fact for fact in ('text/plain', 'checksum', 'document') if fact in got[1]], [],
          f'info of a closed file has no facts ({path.rsplit("/")[-1]})')
ok('Permission denied' in tarsier('info', secret)[1], 'info says that permission is denied')
ok('Permission denied' in tarsier('info', shut)[1], 'info says that permission is denied to a file in an open directory')
tarsier('search', '-n', '1', 'number1')  # its only hit is what "open 1" opens
for verb in ('show', 'open'):
    tells_nothing(f'{verb} of a document by its number tells nothing', verb, f'id:{facts["id"]}', code=1)
tells_nothing('show of a closed file tells nothing', 'show', secret, code=1)
tells_nothing('failed names no closed file', 'failed', code=1)
tells_nothing('check -v names no closed file', '-v', 'check')
tells_nothing('dups names no closed file', 'dups')
tells_nothing('similar names no closed file', 'similar', tree + '/open/1.txt', code=0)

# ---- assistants
def ask(*requests):
    """What the server for assistants answers to calls of tools and reads of resources."""
    meta = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}
    lines = [json.dumps({'jsonrpc': '2.0', 'id': i, 'method': method, 'params': {**params, '_meta': meta}}) for i, (method, params) in enumerate(requests)]
    env = {**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': home + '/run', 'TARSIER_DEBUG': ''}
    done = subprocess.run(['tarsier', 'mcp'], input='\n'.join(lines), capture_output=True, text=True, user=UID, group=UID, extra_groups=[], env=env, cwd='/', timeout=100)
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(name, **arguments):
    return 'tools/call', {'name': name, 'arguments': arguments}


if 'jansson' not in tarsier('mcp')[2]:
    told = ask(call('list', limit=200), call('search', query='commonword', limit=50), call('search', query='sekretwurd'), call('similar', document=tree + '/open/1.txt'),
               call('similar', document=twin), ('resources/list', {}), ('resources/read', {'uri': f'tarsier://{facts["id"]}'}), call('read', document=facts['id']))
    ok(not SECRETS.search(json.dumps(told)), 'an assistant is told of no closed file', told)
    ok('commonword' in json.dumps(told), 'and of the open ones')
    found = told[1]['result']['structuredContent']
    equal(sum(1 + len(hit['copies']) for hit in found['hits']), 5, 'nor are their paths among the copies')
    equal((found['total'], found['total_exact']), (len(found['hits']), True), 'and closed files are not counted')
    equal(told[6]['error']['code'], -32602, 'the resource of a closed document is not there')
    for path in (secret, shut, closed + '/sekretbox.zip|sekretmember.txt'):
        told = ask(call('read', document=path), call('similar', document=path), call('why', document=path))
        equal([answer['result']['isError'] for answer in told], [True, True, False], f'a closed file is neither read nor compared ({path.rsplit("/")[-1]})')
        equal(set(told[2]['result']['structuredContent']) <= {'notice', 'indexed', 'reason', 'path', 'member'}, True, f'why has no facts of it ({path.rsplit("/")[-1]})')

# ---- words
for options in ([], ['--soft'], ['--json']):
    tells_nothing(f'no word of a closed text is suggested ({options})', 'search', *options, 'sekretwurd', code=1)
tells_nothing('no word of a closed name is suggested', 'search', 'sekretnama', code=1)
tells_nothing('no word of a closed file in an open directory is suggested', 'search', 'shutwurd', code=1)
ok('commonword' in tarsier('search', 'commonwurd')[2], 'a word of an open text is still suggested')
equal(tarsier('search', 'sekretword')[2].count('No text or file name contains'), 1, 'a word of closed texts alone counts as absent')
for words in (['sekretw*'], ['*kretw*'], ['sekretwurd~'], ['sekret'], ['sekretwords']):
    tells_nothing(f'--explain of {words[0]} names no word of a closed text', 'search', '--explain', *words, code=1)
tells_nothing('--explain of a pattern that others match names no word of a closed text', 'search', '--explain', '*word', code=0)

# ---- numbers
def total(*words):
    begin = json.loads(tarsier('search', '--json', '--dups=show', *words)[1].splitlines()[0])
    return begin['total'], begin['total_exact']


equal(total('commonword'), (5, True), 'closed files are not among the total of a search')
equal(total('-n', '2', 'commonword'), (5, True), 'closed files after the page are not among the total')
for options in ([], ['-n', '1'], ['-n', '0'], ['-a']):
    equal(tarsier('search', '-c', '--dups=show', *options, 'commonword')[:2], (0, '5\n'), f'-c counts no closed file ({options})')
equal(tarsier('search', '-c', 'sekretword')[:2], (1, '0\n'), '-c of a word of closed texts alone is 0')
equal(tarsier('search', '-q', 'sekretword')[0], 1, '-q of a word of closed texts alone ends with 1')
end = json.loads(tarsier('search', '--json', 'commonword')[1].splitlines()[-1])
equal([end[key] for key in ('pending', 'failed', 'offline', 'truncated')], [0, 0, 0, 0], 'a search counts no closed file as failed')
ok('Incomplete' not in tarsier('search', 'commonword')[2], 'no note counts closed files')

# ---- a root to which the way is closed
os.chmod(TMP + '/gate', 0)
SECRETS = re.compile(r'\bgate(file|dword)\b|' + SECRETS.pattern)
for words in (['list', gated], ['list'], ['search', 'commonroot'], ['search', 'commonroot', 'is:offline'], ['search', '-c', 'commonroot', 'is:offline'],
              ['search', '--explain', 'gate*'], ['search', 'gatadword'], ['info', gated + '/gatefile.txt'], ['status']):
    tells_nothing(f'a root to which the way is closed tells nothing ({" ".join(words[:1] + words[1:][-1:])})'.replace(TMP, ''), *words)
equal(json.loads(tarsier('status', '--json')[1])['offline'], 0, 'a root to which the way is closed is not offline')

# ---- what the daemon says: a process in its place says that it works on a closed file
def padded(data):
    return data + b'\0' * (pad(len(data), 8) - len(data))


def serve(listener, path):
    """Answers every request with the path as the one in work."""
    key = b'current\0'
    entry = padded(key) + os.fsencode(path) + b'\0\0ay' + bytes([len(key)])
    body = padded(b'ok\0') + entry + bytes([len(entry)]) + bytes([len(b'ok\0')])
    while True:
        peer, _ = listener.accept()
        peer.recv(1000)
        peer.sendall(struct.pack('=I', len(body)) + body)


def play_daemon(path):
    """Starts a process of the user that plays the daemon; returns its ID."""
    if os.path.lexists(control):
        os.unlink(control)
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setgid(UID)
        os.setuid(UID)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(control)
            listener.listen(8)
            serve(listener, path)
        os._exit(0)
    wait_until('the process listens', lambda: os.path.exists(control), 20)
    return pid


control = home + '/run/tarsier/ctl'
for path, said in ((twin, True), (secret, False), (shut, False)):
    pid = play_daemon(path)
    equal(path in tarsier('status')[1], said, f'status names a file in work only if the user may read it ({os.path.basename(path)})')
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
tells_nothing('status names no closed file', 'status')

# ---- a file whose only fault is its permission, in an open directory and in a closed one
denied = put(tree + '/open/denied.txt', 'deniedword commonword', 0)
equal(tarsier('tarsierd', '--once')[0], 0, 'the closed files are indexed again')
named = {row['path']: row for row in map(json.loads, tarsier('failed', '--json')[1].splitlines())}
equal(named.get(denied, {}).get('reason'), 'unreadable', 'failed names a file that may not be read, with the reason')
equal(named.get(denied, {}).get('mime'), None, 'failed tells nothing else of it')
ok(denied + '\tpermission denied' in tarsier('failed')[1].splitlines(), 'failed in a pipe names it too')
equal([path for path in named if path.startswith((closed + '/', gated + '/'))], [], 'failed names nothing in a closed directory')
finish()
