# SPDX-License-Identifier: GPL-3.0-or-later
"""A name server that never responds holds up the requests for its names, and no others."""
import os, re, sys
WRAPPER = ['unshare', '-rmn', '--propagation', 'private']
if sys.argv[1:] != ['inside']:
    import subprocess
    try:
        subprocess.run([*WRAPPER, 'ip', 'link', 'set', 'lo', 'up'], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print('1..0 # SKIP no name spaces for networks')
        sys.exit(0)
    os.execvp(WRAPPER[0], [*WRAPPER, sys.executable, __file__, 'inside'])
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

version = re.search(r'libcurl/(\d+)\.(\d+)', subprocess.run([PROGRAM, '--version'], capture_output=True, text=True).stdout)
if not version or tuple(map(int, version.groups())) < (7, 87):
    skip_all('this libcurl waits for names')
subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
subprocess.run(['ip', 'route', 'add', 'default', 'dev', 'lo'], check=True)
# the longest that the C library waits: longer than a client does for a program that hangs
for name, text in (('resolv.conf', 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n'), ('nsswitch.conf', 'hosts: files dns\n')):
    with open(os.path.join(TMP, name), 'w') as f:
        f.write(text)
    if os.path.exists('/etc/' + name):
        subprocess.run(['mount', '--bind', os.path.join(TMP, name), '/etc/' + name], check=True)
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(('127.0.0.1', 53))
names.settimeout(60)
server = Server({'/': page(b'a page')})
client = Client()


def asked(label):
    """Waits until the name server is asked for a name that begins so."""
    while bytes([len(label)]) + label.encode() not in names.recv(4096).lower():
        pass


def ask():
    return client.ask(server.url + '/', local=place(server.url), seconds=120)


answer = ask()
equal((answer.error, answer.body), ('ok', b'a page'), 'an address needs no name server')
first = client.program()
waiting = client.submit('http://late.example/', seconds=1)
asked('late')
equal(client.answer(waiting).error, 'timeout', 'the time of a request ends while its name is asked for')
answer = ask()
equal((answer.error, answer.body), ('ok', b'a page'), 'others go on')
ok(first is not None and client.program() == first, 'all in one process', (first, client.program()))
waiting = [client.submit(f'http://name{i}.example/', seconds=1) for i in range(150)]
equal({client.answer(request).error for request in waiting}, {'timeout'}, 'many such names end in time, one after the other')
equal((ask().error, client.program()), ('ok', first), 'and leave room for others')
equal(client.end(), 0, 'it ends without a fault')
finish()
