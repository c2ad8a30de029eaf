# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-fetch asks no address of this machine, of local networks or of any other special kind,
however it is written, whatever its name resolves to, and whatever connection is open already."""
import os, struct, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *


def question_name(query):
    """Returns the end of the question of a query, and its type."""
    at = 12
    while query[at]:
        at += query[at] + 1
    return at + 5, struct.unpack('>H', query[at + 1:at + 3])[0]


class Resolver:
    """A name server that gives each question for an address the next of these; the last one again."""

    def __init__(self, *addresses):
        self.addresses = list(addresses)
        self.asked = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            query, sender = self.socket.recvfrom(4096)
            end, kind = question_name(query)
            records = b''
            if kind == 1:
                self.asked += 1
                address = self.addresses.pop(0) if len(self.addresses) > 1 else self.addresses[0]
                records = b'\xc0\x0c\0\1\0\1\0\0\0\0\0\4' + socket.inet_aton(address)
            self.socket.sendto(query[:2] + b'\x84\0\0\1' + struct.pack('>H', bool(records)) + b'\0\0\0\0' + query[12:end] + records, sender)


def rebind():
    """Runs in name spaces of its own, where the name server is ours and the network is empty."""
    subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
    with open(TMP + '/resolv.conf', 'w') as f:
        f.write('nameserver 127.0.0.1\n')
    subprocess.run(['mount', '--bind', TMP + '/resolv.conf', '/etc/resolv.conf'], check=True)
    # the second answer comes after the first one was judged
    resolver = Resolver('93.184.216.34', '127.0.0.1')
    server = Server({'/': page(b'a secret of this machine')})
    client = Client()
    first = client.ask(f'http://rebind.example:{server.port}/', seconds=20)
    errors = {first.error}
    # libcurl remembers an address for a minute; other spellings of the name ask again
    for name in ('Rebind.example', 'rebind.example.', 'www.rebind.example'):
        errors.add(client.ask(f'http://{name}:{server.port}/', seconds=20).error)
    print(first.error, sorted(errors), server.connections, resolver.asked, flush=True)
    client.end()
    os._exit(0)


if sys.argv[1:] == ['rebind']:
    rebind()
four = Server({'/': page(b'a secret of this machine')})
servers = [four]
try:
    six = Server({'/': page(b'a secret of this machine')}, '::1')
    servers.append(six)
except OSError:
    six = None
client = Client()

# ---- this machine
names = ['localhost', 'localhost.', 'LOCALHOST', 'localhost.localdomain', 'ip6-localhost', socket.gethostname(),
         '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.9.9.9', '0x7f000001', '0x7f.1', '2130706433', '017700000001', '0177.0.0.1',
         '0', '0.0.0.0', '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
         '%6c%6f%63alhost', '%31%32%37.0.0.1']
with open('/etc/hosts') as f:
    for line in f:
        fields = line.partition('#')[0].split()
        names += fields[1:3] if fields and fields[0].startswith(('127.', '::1')) else []
for name in dict.fromkeys(names):
    for port in sorted({server.port for server in servers}):
        error = client.ask(f'http://{name}:{port}/', seconds=20).error
        if not ok(error in ('refused-address', 'resolve', 'no-network', 'invalid'), f'not asked: {name}', error):
            break
for name in ('127.0.0.1', '[::1]', 'localhost', '0x7f000001'):
    equal(client.ask(f'http://{name}:{four.port}/', seconds=20).error, 'refused-address', f'refused as an address: {name}')
equal([server.connections for server in servers], [0] * len(servers), 'nobody connected to this machine')

# ---- other special addresses: refused at once, not after a time without an answer
for name in ('10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '192.0.0.1',
             '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
             '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::1]',
             '[2001:db8::1]', '[::ffff:10.0.0.1]', '[100::1]', '[3fff::1]', '[fec0::1]'):
    answer = client.ask(f'http://{name}/', seconds=60)
    ok(answer.error == 'refused-address' and answer.total_us < 10_000_000, f'refused: {name}', answer)
for port in (22, 25, 6667):
    equal(client.ask(f'http://8.8.8.8:{port}/', seconds=20).error, 'refused-address', f'the port of another protocol is refused: {port}')

# ---- a source that was added with such an address
here = place(four.url)
equal(client.ask(four.url + '/', local=here).status, 200, 'a local source is asked')
equal((four.connections, four.open), (1, 1), 'and its connection stays open')
equal(client.ask(four.url + '/').error, 'refused-address', 'but not for a request that is not of that source, on the open connection')
equal(len(four.requests), 1, 'which was not sent')
for local in (f'localhost:{four.port}', '127.0.0.1', f'127.0.0.1:{four.port + 1}', f'127.0.0.1:{four.port}x', '*', f'x127.0.0.1:{four.port}'):
    equal(client.ask(four.url + '/', local=local).error, 'refused-address', f'nor for that of another one: {local}')
equal(client.ask(f'http://localhost:{four.port}/', local=here).error, 'refused-address', 'nor by another name')
equal(client.ask(f'http://LOCALHOST:{four.port}/', local=f'localhost:{four.port}').status, 200, 'a name may be the source, however it is spelled')
for name in ('169.254.169.254', '0.0.0.0', '224.0.0.1', '[fd00:ec2::254]'):
    equal(client.ask(f'http://{name}/', local=f'{name}:80', seconds=20).error, 'refused-address', f'never asked, even as a source: {name}')
equal(len(four.requests), 2, 'nothing else was sent')

# ---- a name server that changes its mind
done = None
if os.geteuid() == 0 and shutil.which('ip'):
    done = subprocess.run(['unshare', '-m', '-n', sys.executable, __file__, 'rebind'], capture_output=True, text=True)
if done is None or done.returncode != 0:
    skip('a name that turns to this machine is refused', 'needs root, unshare and ip')
else:
    said = done.stdout.split()
    ok(said[0] in ('connect', 'timeout', 'no-network'), 'a name is asked at its first address', done.stdout)
    equal(said[-2], '0', 'a name that turns to this machine is refused')
    ok(int(said[-1]) > 1 and 'refused-address' in done.stdout, 'when it is resolved again', done.stdout)
equal(client.end(), 0, 'it ends without a fault')
finish()
