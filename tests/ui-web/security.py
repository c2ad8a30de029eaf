# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on the page of tarsier browse: by another page in the same browser, another name for this
machine, another user of it, hostile requests, and hostile documents."""
import os, pwd, socket, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

SCRIPT = '<script>alert(1)</script>'
doc('one.txt', f'A marmoset eats {SCRIPT} and "quotes" & \'more\' <img src=x onerror=alert(1)>\x1b[31m\u202e in the garden.\n')
doc(f'two {SCRIPT.replace("/", "")}"\'&.txt', 'The second marmoset has a hostile name.\n')
doc('three.html', f'<title>{SCRIPT.replace("<", "&lt;")}</title><p>A third marmoset.</p>')
doc('secret.txt', 'A marmoset that nobody else may read.\n')
index()
page = Page(exchange=False)


def refused(reply, what, status=403):
    return ok(reply.status == status and b'marmoset' not in reply.body, what, reply.status, reply.body[:300])


# ---- the address
listening = [line.split() for name in ('tcp', 'tcp6') for line in open('/proc/net/' + name).readlines()[1:]]
ours = [row[1] for row in listening if row[3] == '0A' and int(row[1].split(':')[1], 16) == page.port]
equal(ours, [f'0100007F:{page.port:04X}'], 'it listens on 127.0.0.1, and nowhere else')

# ---- the token
refused(page.get('/?q=marmoset'), 'without a cookie nothing is answered')
refused(page.get('/page.js'), 'nor a file of the page')
refused(page.get('/?token=' + '0' * 64), 'a wrong token is refused')
refused(page.get('/?token='), 'so is an empty one')
query = page.url.partition('?')[2]
refused(page.get('/hits?' + query), 'the right one is good for the beginning only')
refused(page.ask('POST', '/open?' + query), 'and for no action')
reply = page.ask('HEAD', '/?' + query, {'Sec-Fetch-Site': 'none'})
ok(reply.status == 405 and 'set-cookie' not in reply.headers, 'a client that only looks at the address gets nothing', reply.status)
first = page.get('/?' + query, Sec_Fetch_Site='none')
equal((first.status, first.headers['location'], first.body), (303, '/', b''), 'the right one is answered with a redirect that does not have it')
attributes = [part.strip() for part in first.headers['set-cookie'].split(';')]
equal(attributes[1:], ['Path=/', 'HttpOnly', 'SameSite=Strict'], 'and with a cookie that scripts and other sites cannot use')
page.cookie = attributes[0]
equal(page.get('/?' + query).status, 403, 'then the token is dead, even with the cookie')
equal(page.search('marmoset').status, 200, 'the cookie is enough')
name, value = page.cookie.split('=')
for wrong in (f'{name}={value[:-1]}', f'{name}={value}0', f'{name}={"0" * len(value)}', f'{name}=', f'x{name}={value}', query):
    refused(page.get('/?q=marmoset', Cookie=wrong), f'another cookie is refused: {wrong[:20]}')
for others in (f'{name}={"0" * len(value)}; {name}={value}', f'{name}={value}; {name}=x', f'a={{"json": [1, 2]}}; {name}={value}', f'a="b; {name}={value}', f'= ; ;; {name}={value}', f'é=ü;{name}={value}'):
    equal(page.get('/?q=marmoset', Cookie=others).status, 200, f'cookies of other ports of this machine do not hide it: {others[:24]}')
for wrong in (f'{name}={value}x; {name}x={value}', f'a={name}={value}', f'{name} ={value}', f'{name}="{value}"'):
    refused(page.get('/?q=marmoset', Cookie=wrong), f'nor do they stand for it: {wrong[:24]}')
other = Page()
refused(page.get('/?q=marmoset', Cookie=f'{name}={other.cookie.split("=")[1]}'), 'so is that of another page')
ok(other.cookie.split('=')[0] != name, 'two pages do not take the cookie of each other')
other.end()

# ---- another name for this machine, and another page
for host in ('evil.example', f'evil.example:{page.port}', f'localhost:{page.port}', '127.0.0.1', f'127.0.0.1:{page.port}.evil.example', f'[::1]:{page.port}', ''):
    refused(page.get('/?q=marmoset', Host=host), f'as "{host}" it does not answer (DNS rebinding)')
reply = Reply(page.raw(f'GET /?q=marmoset HTTP/1.1\r\nHost: {page.host}\r\nHost: evil.example\r\nCookie: {page.cookie}\r\nConnection: close\r\n\r\n'.encode()))
ok(reply.status in (400, 403), 'nor with two names', reply.status)
reply = Reply(page.raw(f'GET /?q=marmoset HTTP/1.0\r\nCookie: {page.cookie}\r\n\r\n'.encode()))
ok(reply.status in (400, 403), 'nor with none', reply.status)
for site in ('cross-site', 'same-site', 'nonsense'):
    refused(page.get('/?q=marmoset', Sec_Fetch_Site=site), f'a request of a page elsewhere is refused ({site})')
for origin in ('http://evil.example', 'null', f'http://127.0.0.1:{page.port + 1}', f'https://{page.host}', f'http://localhost:{page.port}'):
    refused(page.get('/?q=marmoset', Origin=origin, Sec_Fetch_Site=None), f'so is one from {origin}')
equal(page.get('/?q=marmoset', Sec_Fetch_Site=None).status, 200, 'a browser that says nothing of itself is answered')
hit = ids(page.hits('marmoset'))[0]
for headers, what in (({'Origin': 'http://evil.example', 'Sec-Fetch-Site': 'cross-site'}, 'of another page'), ({'Origin': 'http://evil.example', 'Sec-Fetch-Site': None}, 'of another origin'),
                      ({'Origin': None, 'Sec-Fetch-Site': None}, 'without an origin'), ({'Origin': 'null', 'Sec-Fetch-Site': None}, 'of an origin that is hidden'),
                      ({'Origin': 'null', 'Sec-Fetch-Site': 'none'}, 'of no page'), ({'Cookie': None}, 'without the cookie')):
    equal(page.post('/open', headers, id=hit).status, 403, f'an action {what} is refused')
equal(page.get(f'/open?id={hit}').status, 405, 'an action is not done by a link')
equal(page.ask('POST', '/hits?q=marmoset').status, 405, 'a search is not an action')
equal(page.get(f'/open?id={hit}').headers.get('allow'), 'POST', 'the answer says how it is done')
equal(page.ask('POST', '/hits?q=marmoset').headers.get('allow'), 'GET, HEAD', 'and how one searches')
for method in ('PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND'):
    ok(page.ask(method, '/').status in (405, 400, 501), f'{method} is refused')

# ---- what each answer says of itself
wanted = {'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'cross-origin-resource-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin'}
for path in ('/', '/?q=marmoset', '/hits?q=marmoset&fragment=1', f'/text?q=marmoset&id={hit}', '/page.js', '/page.css', '/icon.svg', '/nothing', '/?token=1'):
    reply = page.get(path)
    policy = reply.headers.get('content-security-policy', '').split('; ')
    equal({key: reply.headers.get(key) for key in wanted}, wanted, f'{path} is not kept, framed, guessed or told of')
    ok("default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and not any('unsafe' in part for part in policy),
       'and runs no script but its own', policy)
    ok('access-control-allow-origin' not in reply.headers, 'and is for no other origin')
ok(not re.search(r'<script>|<style|\son[a-z]+="|\sstyle="|javascript:', page.search('').text), 'no script or style stands in a page')

# ---- nothing but entries of the index
secret = HOME + '/.config/tarsier/tarsier.conf'
for path in ('/../../etc/passwd', '/..%2f..%2fetc/passwd', secret, '/page.css/../../etc/passwd', '//etc/passwd', '/etc/passwd%00', '/text?id=/etc/passwd', '/text?id=' + secret, f'/text?id={hit}x', '/text?id=1',
             '/text?id=-1--1', '/text?id=99999999999999999999-1', '/text?id=999999-999999', '/text?id=0-0', f'/text?id={hit}%00', '/text?id=1-1;DROP', f'/text?id={hit.split("-")[0]}-999999'):
    reply = page.get(path)
    ok(reply.status in (400, 404) and b'root:' not in reply.body and b'roots=' not in reply.body, f'{path} leads nowhere', reply.status)

# ---- hostile documents
for path in ('/?q=marmoset', '/hits?q=marmoset&fragment=1', '/?q=' + urllib.parse.quote(f'{SCRIPT}"\' marmoset'), '/?in=' + urllib.parse.quote(f'"><script>{HOME}'), '/?q=%22' + urllib.parse.quote(SCRIPT)):
    text = page.get(path).text
    ok(not re.search(r'<script(?! src="/page.js" defer>)|<img|onerror=alert\(1\)>', text), f'{path[:30]} has nothing of a document but text', text)
    ok('\x1b' not in text and '\u202e' not in text, 'and nothing that controls or turns around')
for path in ('/', '/hits'):
    text = page.get(path + '?q=' + urllib.parse.quote('\x1b[31m\u202e\u200bmarmozet')).text
    ok('marmozet' in text and not re.search('[\x1b\u202e\u200b]', text), f'nor does a query on {path}', text)
for one in ids(page.hits('marmoset')):
    text = page.get(f'/text?q=marmoset&id={one}').text
    ok('marmoset' in text and not re.search(r'<script(?! src="/page.js" defer>)|<img', text), 'the text of a document is text', text)
ok('&#60;script&#62;alert(1)' in page.get('/text?q=garden&id=' + ids(page.hits('garden'))[0]).text, 'and is all there')

# ---- hostile requests
equal(page.search('x' * 5000).status, 200, 'a query that is too long is answered')
ok('fault' in page.search('x' * 5000).text, 'with what is wrong')
ok(page.get('/?q=' + 'x' * 100000).status in (413, 414, 431, 0), 'a very long one is refused')
ok(page.get('/', X_Long='y' * 100000).status in (413, 431, 0), 'so is a long header')
ok(Reply(page.raw(f'GET / HTTP/1.1\r\nHost: {page.host}\r\n'.encode() + b'X-A: b\r\n' * 20000 + b'\r\n')).status in (413, 431, 0), 'and many of them')
ok(page.ask('POST', '/open', body=b'id=' + b'1' * 1000000).status in (400, 413), 'a long body is refused')
equal(page.get('/?q=%ff%fe').status, 400, 'bytes that are not text are refused')
equal(page.get('/?q=a%00b').status, 400, 'and NUL')
equal(page.get('/?' + '&'.join(f'a{i}=1' for i in range(100))).status, 400, 'and very many fields')
equal(page.ask('POST', '/open', body=b'id=%ff%fe').status, 400, 'in a body too')
for data in (b'\0' * 1000, b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'\x16\x03\x01\x02\x00\x01\x00', b'A' * 100000):
    ok(Reply(page.raw(data, whole=True)).status in (0, 400, 403, 405, 413, 414, 431, 501, 505), f'{data[:10]} is not a request')
for query in ('"', '((((', '*', '?*', 'NOT', '-', 'dir:', 'near:/etc/passwd', 'saved:x', 'x OR ' * 500, '\ud7ff', 'dup:/etc/shadow'):
    equal(page.search(query).status, 200, f'{ascii(query[:20])} is answered')
held = [socket.create_connection(('127.0.0.1', page.port)) for _ in range(60)]
for one in held:
    one.sendall(b'GET / HTTP/1.1\r\nHost: ')
equal(page.search('marmoset').status, 200, 'while 60 connections never finish, another one is answered')
for one in held:
    one.close()
page.cookie, kept = None, page.cookie
ok(all(page.get('/hits?q=marmoset').status == 403 for _ in range(300)), '300 requests without the cookie are refused')
page.cookie = kept
equal(page.search('marmoset').status, 200, 'and others go on')

# ---- another user
try:
    stranger = pwd.getpwnam('nobody').pw_uid
    assert os.geteuid() == 0
except (KeyError, AssertionError):
    skip('another user of this machine is refused', 'only root can become another user')
else:
    request = f'GET /?q=marmoset HTTP/1.1\r\nHost: {page.host}\r\nCookie: {page.cookie}\r\nConnection: close\r\n\r\n'
    program = f'''import os, socket, encodings.idna
os.setgid({stranger}); os.setuid({stranger})
s = socket.create_connection(("127.0.0.1", {page.port}), timeout=60)
out = b""
try:
    s.sendall({request.encode()!r})
    while part := s.recv(65536): out += part
except ConnectionError: pass
print(len(out))'''
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=120)
    equal((done.stdout.strip(), done.stderr), ('0', ''), 'another user of this machine gets no byte, even with the cookie')
    program = program.replace(f'os.setgid({stranger}); os.setuid({stranger})', '')
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=120)
    ok(int(done.stdout) > 1000, 'the user of the page is answered by the same means', done)
    mapped = program.replace('socket.create_connection(("127.0.0.1",', 'socket.socket(socket.AF_INET6); s.settimeout(60); s.connect(("::ffff:127.0.0.1",').replace(f'{page.port}), timeout=60)', f'{page.port}))')
    done = subprocess.run([sys.executable, '-c', mapped], capture_output=True, text=True, timeout=120)
    ok('Error' in done.stderr or int(done.stdout or 0) > 1000, 'also through a socket for IPv6', done)

# ---- what may not be read now
if os.geteuid() == 0:
    os.unlink(DOCS + '/secret.txt')
else:
    os.chmod(DOCS + '/secret.txt', 0)
ok('secret.txt' not in titles(page.hits('marmoset')), 'a hit that may not be read any more is not told')
page.end()

# ---- confinement
library = os.path.join(os.environ['abs_top_builddir'], 'tests/daemon/.libs/probe-confinement.so')
if not os.path.exists(library):
    skip('what it must not do fails', 'there is no library to preload')
elif 'libasan' in subprocess.run(['ldd', PROGRAM], capture_output=True, text=True).stdout:
    skip('what it must not do fails', 'a library is preloaded, which the sanitizer does not allow')
else:
    outside = HOME + '/secret'
    with open(outside, 'w') as f:
        f.write('outside of all roots')
    os.makedirs(TREE)
    for name in ('file', 'movable', 'removable'):
        write(name, 'bytes')
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(TREE + '/listener')
    listener.listen()
    abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    abstract.bind('\0' + TREE + '/abstract')
    page = Page(env={'LD_PRELOAD': library, 'PROBE_OUTPUT': TMP + '/probe', 'PROBE_DIRECTORY': TREE, 'PROBE_SECRET': outside})
    equal(page.search('marmoset').status, 200, 'while what it must not do is tried, it answers')
    with open(TMP + '/probe') as f:
        equal(sorted(line.split()[0] for line in f if 'allowed' in line), [], 'what it must not do fails')
    page.end()
finish()
