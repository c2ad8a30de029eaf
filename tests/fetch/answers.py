# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-fetch sends what it is told and nothing else, and brings back what the server says, within
the limits of the request."""
import gzip, os, re, sys, time, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *


def drip(connection):
    for byte in b'HTTP/1.1 200 OK\r\n' + b'X: y\r\n' * 10000:
        connection.sendall(bytes([byte]))
        let_time_pass(0.1, 'the server is slow')


def agents_of_the_docs():
    """What docs/WEB.md shows, of this build: without a contact, and with one."""
    with open(os.path.join(os.environ['abs_top_srcdir'], 'docs/WEB.md'), encoding='utf-8') as file:
        lines = re.findall(r'^    User-Agent: (.*)$', file.read(), re.M)
    with open(os.path.join(BUILD, 'config.h'), encoding='utf-8') as file:
        config = dict(re.findall(r'^#define (WEBMASTER_PAGE|PACKAGE_VERSION) "(.*)"$', file.read(), re.M))
    about = config['WEBMASTER_PAGE'] or re.search(r'\(\+(.*)\)', lines[0])[1]
    return [re.sub(r'\(\+[^;)]*', f'(+{about}', line.replace('VERSION', config['PACKAGE_VERSION'])) for line in lines]


def endless(head, part):
    def send(connection):
        connection.sendall(head)
        while True:
            connection.sendall(part)
    return send


def dribble(body, coding, more=b''):
    """Sends a body in a packet for each byte, and the rest at once."""
    def send(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(f'HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {len(body) + len(more)}\r\n\r\n'.encode())
        for byte in body:
            connection.sendall(bytes([byte]))
        connection.sendall(more)
        return True
    return send


def silent(connection):
    connection.recv(1)
    return False


CHUNKED = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
text = b'a text about marmosets, ' * 400
bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
bomb = b''.join(bomb.compress(bytes(1 << 20)) for _ in range(256)) + bomb.flush()
nested = gzip.compress(gzip.compress(text))
server = Server({
    '/': page(text, 'Set-Cookie: a=b', 'ETag: "x"', 'X-Words: \xe4\xf6'),
    '/gzip': page(gzip.compress(text), 'Content-Encoding: gzip'),
    '/deflate': page(zlib.compress(text), 'Content-Encoding: deflate'),
    '/brotli': page(b'\x0b\x02\x80hello\x03', 'Content-Encoding: br'),
    '/twice': page(nested, 'Content-Encoding: gzip, gzip'),
    '/bomb': page(bomb, 'Content-Encoding: gzip'),
    **{f'/no-coding/{name}': page(text, f'Content-Encoding: {name}') for name in ('utf-8', 'none', 'binary', 'identity', '')},
    '/some-coding': page(gzip.compress(text), 'Content-Encoding: UTF-8', 'Content-Encoding: X-GZip'),
    '/compress': page(text, 'Content-Encoding: compress'),
    '/raw-deflate': page(zlib.compress(text)[2:-4], 'Content-Encoding: deflate'),
    '/byte-by-byte': dribble(zlib.compress(text), 'deflate'),
    '/members': page(gzip.compress(text[:5000]) + gzip.compress(text[5000:]), 'Content-Encoding: gzip'),
    '/padding': page(gzip.compress(text) + bytes(1000), 'Content-Encoding: gzip'),
    '/newline': page(gzip.compress(text) + b'\r\n', 'Content-Encoding: gzip'),
    '/deflate-padding': page(zlib.compress(text) + b'<!-- -->', 'Content-Encoding: deflate'),
    '/brotli-padding': page(b'\x0b\x02\x80hello\x03\n\n', 'Content-Encoding: br'),
    '/late-padding': dribble(gzip.compress(text), 'gzip', bytes(1000)),
    '/no-trailer': page(gzip.compress(text)[:-8], 'Content-Encoding: gzip'),
    '/damaged': page(gzip.compress(os.urandom(50000))[:40000] + b'x' * 20000, 'Content-Encoding: gzip'),
    '/middle-bomb': page(gzip.compress(b'\x1f\x8b\x08\x08' + b'x' * (64 << 20)), 'Content-Encoding: gzip, gzip'),  # its name has no end
    '/garbage-bomb': page(gzip.compress(gzip.compress(text) + bytes(64 << 20)), 'Content-Encoding: gzip, gzip'),
    '/bomb-of-members': page(gzip.compress(bytes(1 << 20)) * 64, 'Content-Encoding: gzip'),
    '/not-gzip': page(text, 'Content-Encoding: gzip'),
    '/chunked': CHUNKED + b'5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nX-Trailer: HTTP/1.1 500\r\n\r\n',
    '/bad-chunk': once(CHUNKED + b'5\r\nhello\r\nzz\r\nx'),
    '/endless': endless(CHUNKED, b'10000\r\n' + b'x' * 65536 + b'\r\n'),
    '/endless-header': endless(b'HTTP/1.1 200 OK\r\n', b'X-More: ' + b'y' * 1000 + b'\r\n'),
    '/endless-interim': endless(b'', b'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    '/endless-trailer': endless(CHUNKED + b'5\r\nhello\r\n0\r\n', b'X-More: ' + b'y' * 1000 + b'\r\n'),
    '/like-status': page(b'hello', 'X-First: yes', 'HTTP/1.1: 200', 'HTTP/x: y', 'X-Last: yes', status='404 Not Found'),
    '/interim': b'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' + page(b'after', 'X-Final: yes'),
    '/short': once(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n' + b'x' * 50),
    '/long': once(b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more than was said'),
    '/until-close': once(b'HTTP/1.1 200 OK\r\n\r\nhello'),
    '/two-lengths': once(b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!'),
    '/bad-length': once(b'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello'),
    '/empty': once(b''),
    '/old': once(b'<html>HTTP 0.9 has no headers</html>'),
    '/no-end': once(b'HTTP/1.1 200 OK\r\nX: y\r\n'),
    '/zero': once(b'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n'),
    '/drip': drip,
    '/silent': silent,
    '/loop': page(b'', 'Location: /loop', status='302 Found'),
    '/wait': page(b'', 'Retry-After: 120', status='429 Too Many Requests'),
    '/same': page(b'', 'ETag: W/"x"', status='304 Not Modified'),
    '/a/../b': page(b'as it is'), '//x': page(b'two slashes'), '/%2e%2e/c?d=%20&&': page(b'escaped'),
})
with open(os.path.join(HOME, '.netrc'), 'w') as f:
    f.write('machine 127.0.0.1 login marmoset password secret\ndefault login marmoset password secret\n')
with open(os.path.join(HOME, '.curlrc'), 'w') as f:
    f.write('referer = "http://elsewhere.example/"\n')
proxy = Server({})
client = Client(http_proxy=proxy.url, HTTP_PROXY=proxy.url, ALL_PROXY=proxy.url, all_proxy=proxy.url)


def ask(path, method='get', **values):
    return client.ask(server.url + path, method, local=place(server.url), **values)


# ---- what is sent
AGENT, AGENT_WITH_CONTACT = agents_of_the_docs()
answer = ask('/')
equal((answer.error, answer.status, answer.body, answer.truncated), ('ok', 200, text, False), 'a page is fetched')
equal(answer.address, '127.0.0.1', 'the address is told')
ok(answer.headers.startswith(b'HTTP/1.1 200 OK\r\n') and answer.headers.endswith(b'\r\n\r\n'), 'and its headers as they were sent', answer.headers)
equal(header(answer, 'X-Words'), ['\xe4\xf6'], 'whatever their bytes')
ask('/')
first, second = server.requests[0], server.requests[1]
ok(first.startswith(b'GET / HTTP/1.1\r\n'), 'a request is sent', first)
names = sorted(line.split(b':')[0].lower() for line in first.split(b'\r\n')[1:] if line)
equal(names, [b'accept', b'accept-encoding', b'host', b'user-agent'], 'with these headers and no others')
equal(re.findall(rb'\r\nUser-Agent: ([^\r]*)', first), [AGENT.encode()], 'it says who asks, as docs/WEB.md has it')
equal(second, first, 'a cookie is not sent back, and no referrer')
equal((server.connections, len(proxy.requests)), (1, 0), 'one connection is used for both, and no proxy')
ask('/', contact=re.search('; (.*)\\)', AGENT_WITH_CONTACT)[1])
equal(re.findall(rb'\r\nUser-Agent: ([^\r]*)', server.requests[-1]), [AGENT_WITH_CONTACT.encode()], 'with a contact, it says that too')
tag = 'W/"\xe4 \'odd\' ;,\\tag"'
answer = ask('/same', etag=tag, since='Sat, 01 Jan 2000 00:00:00 GMT', accept='text/html', authorization='Basic YTpi')
equal((answer.error, answer.status, answer.bytes), ('ok', 304, 0), 'an answer without a body')
lines = server.requests[-1].split(b'\r\n')
for line in (b'If-None-Match: ' + tag.encode('latin-1'), b'If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT', b'Accept: text/html', b'Authorization: Basic YTpi'):
    ok(line in lines, f'sent byte by byte: {line}', lines)
for path in ('/a/../b', '//x', '/%2e%2e/c?d=%20&&'):
    equal(ask(path).status, 200, f'the path is sent as it is: {path}')
answer = ask('/', 'head')
equal((answer.error, answer.status, answer.bytes), ('ok', 200, 0), 'HEAD has no body')
ok(server.requests[-1].startswith(b'HEAD / '), 'and is sent as HEAD', server.requests[-1])

# ---- what is not sent
before = len(server.requests)
for url in ('ftp://127.0.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'dict://127.0.0.1/', '127.0.0.1/', 'http:///',
            server.url.replace('//', '//user:secret@') + '/', server.url + '/#part', server.url + '/a b', server.url + '\\x',
            server.url + '/\xe4', 'http://' + 'a' * 9000 + '/'):
    equal(client.ask(url, local=place(server.url)).error, 'invalid', f'not asked: {url[:60]!r}')
for values in ({'etag': 'x\rInjected: y'}, {'accept': 'x\x01'}, {'authorization': 'Digest x'}, {'authorization': 'Basic a\rb'},
               {'contact': 'me@example.org\rInjected: y'}, {'contact': 'me@example.org) Mozilla/5.0 (x'}, {'contact': 'somebody'},
               {'seconds': 0}, {'body': 0}, {'body': 1 << 40}, {'wire': 0}, {'headers': 1 << 20}):
    equal(ask('/', **values).error, 'invalid', f'not asked: {values}')
equal(len(server.requests), before, 'none of these reached the server')

# ---- encodings
for path in ('/gzip', '/deflate', '/twice', '/some-coding', '/raw-deflate', '/byte-by-byte', '/members', '/padding', '/newline', '/deflate-padding',
             '/late-padding', '/no-trailer', '/garbage-bomb', *(path for path in server.answers if path.startswith('/no-coding/'))):
    answer = ask(path)
    equal((answer.error, answer.body), ('ok', text), f'decoded: {path}')
ok(ask('/gzip').wire < len(text) / 10, 'bytes on the wire are counted')
for path in ('/brotli', '/brotli-padding'):
    equal((ask(path).error, ask(path).body), ('ok', b'hello'), f'decoded: {path}')
if shutil.which('zstd'):
    frame = subprocess.run(['zstd', '-c'], input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    server.answers['/zstd'] = page(frame + frame + bytes(20), 'Content-Encoding: zstd')
    equal((ask('/zstd').error, ask('/zstd').body), ('ok', text * 2), 'decoded: /zstd')
answer = ask('/bomb-of-members', body=1 << 20)
equal((answer.error, answer.bytes), ('too-large', 1 << 20), 'a bomb of many members ends so, too')
equal(ask('/middle-bomb', body=1 << 20).error, 'too-large', 'and one between two codings')
equal((ask('/compress').error, ask('/compress').body), ('protocol', b''), 'a coding that was not offered is an error')
answer = ask('/damaged')
ok(answer.error == 'protocol' and 0 < answer.bytes < 50000, 'so is a damaged stream, of which the beginning is kept', answer.error, answer.bytes)
answer = ask('/bomb', body=1 << 20)
equal((answer.error, answer.status, answer.bytes, answer.truncated), ('too-large', 200, 1 << 20, True), 'a bomb ends at the limit of decoded bytes')
equal(ask('/not-gzip').error, 'protocol', 'what is not encoded as it says is an error')

# ---- ends and limits
answer = ask('/chunked')
equal((answer.error, answer.body), ('ok', b'hello!'), 'chunks are joined')
ok(b'Trailer' not in answer.headers, 'trailers are not headers', answer.headers)
answer = ask('/interim')
equal((answer.status, answer.body, header(answer, 'X-Final'), header(answer, 'Link')), (200, b'after', ['yes'], []), 'interim answers are passed over')
for path, body in (('/short', b'x' * 50), ('/bad-chunk', b'hello')):
    answer = ask(path)
    equal((answer.error, answer.truncated, answer.body), ('protocol', True, body), f'what came is kept: {path}')
equal((ask('/long').body, ask('/until-close').body), (b'hello', b'hello'), 'more than was said is cut, and the end of a connection is an end')
answer = ask('/endless', wire=1 << 20)
equal((answer.error, answer.truncated), ('too-large', True), 'an endless body ends at the limit')
ok(1 << 19 < answer.bytes <= (1 << 20) + (1 << 16), 'and not long before or after it', answer.bytes)
answer = ask('/', body=1000)
equal((answer.error, answer.body), ('too-large', text[:1000]), 'a body is cut at exactly its limit')
equal(ask('/', body=len(text)).error, 'ok', 'a body as long as its limit is complete')
answer = ask('/endless-trailer', seconds=60)
equal((answer.error, answer.status, answer.body, answer.truncated), ('too-large', 200, b'hello', True), 'trailers have the same limit')
answer = ask('/like-status')
equal((answer.error, answer.status, answer.body, header(answer, 'X-First'), header(answer, 'X-Last')), ('ok', 404, b'hello', ['yes'], ['yes']),
      'a header that looks like a status line is none')
for path in ('/endless-header', '/endless-interim'):
    answer = ask(path)
    equal((answer.error, answer.status, answer.headers), ('too-large', 0, b''), f'headers have a limit: {path}')
for path in ('/empty', '/old', '/no-end', '/bad-length'):
    answer = ask(path)
    equal((answer.error, answer.status, answer.bytes), ('protocol', 0, 0), f'no answer: {path}')
ok(ask('/two-lengths').error == 'protocol' or ask('/two-lengths').bytes in (5, 7), 'two lengths do no harm')
answer = ask('/zero')
ok(b'\0' not in answer.headers, 'a zero byte does not come through', answer)
for path in ('/drip', '/silent'):
    equal(ask(path, seconds=2).error, 'timeout', f'a time limit ends it: {path}')

# ---- a moment after which nothing is sent
now_ms = int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
before = len(server.requests)
for until in (1, now_ms - 1):
    answer = ask('/', until=until)
    equal((answer.error, answer.status, answer.bytes), ('late', 0, 0), f'after {until} nothing is sent')
equal(len(server.requests), before, 'not even on an open connection')
equal(ask('/', until=now_ms + 60000).error, 'ok', 'before that moment it is')

# ---- answers that others would act upon
before = len(server.requests)
answer = ask('/loop')
equal((answer.status, header(answer, 'Location'), len(server.requests)), (302, ['/loop'], before + 1), 'a redirect is an answer and is not followed')
answer = ask('/wait')
equal((answer.error, answer.status, header(answer, 'Retry-After')), ('ok', 429, ['120']), '429 comes with its Retry-After')

# ---- side by side
equal(client.ask(f'http://127.0.0.1:{free_port()}/', seconds=20).error, 'refused-address', 'a local address is refused before anybody is asked')
closed = f'http://127.0.0.1:{free_port()}/'
equal(client.ask(closed, local=place(closed)).error, 'connect', 'nobody answers')
ok(client.ask('http://no-such-name.invalid/', seconds=20).error in ('resolve', 'no-network', 'timeout'), 'a name without an address')
requests = [client.submit(server.url + '/silent', local=place(server.url), seconds=2) for _ in range(40)]
wait_until('32 are open', lambda: server.open >= 32)
equal(server.most_open, 32, '32 requests run side by side, and no more')
equal({client.answer(request).error for request in requests}, {'timeout'}, 'those that waited are made too')
equal(ask('/').body, text, 'and after all that it still works')
equal(client.end(), 0, 'it ends without a fault')
finish()
