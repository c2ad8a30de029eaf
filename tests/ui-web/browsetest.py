# SPDX-License-Identifier: GPL-3.0-or-later
"""browsetest.py - the built tarsier-browse with an index of its own, and an HTTP client that can
lie: it sends the headers that it is told to, and no others"""
import html, os, re, select, shutil, socket, subprocess, sys, urllib.parse
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

PROGRAM = os.path.join(os.environ['abs_top_builddir'], 'ui-web/tarsier-browse')
DOCS = os.path.join(HOME, 'docs')
BODY_S = 60


def begin():
    """Call it first."""
    if not os.path.exists(PROGRAM):
        skip_all('tarsier was built without libmicrohttpd')
    os.makedirs(DOCS)


def doc(name, text):
    path = os.path.join(DOCS, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    return path


def index():
    subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
    subprocess.run(['tarsier', '-q', 'index'], check=True)


class Reply:
    def __init__(self, data):
        head, _, self.body = data.partition(b'\r\n\r\n')
        lines = head.decode().split('\r\n')
        self.status = int(lines[0].split()[1]) if lines[0] else 0
        self.headers = {name.lower(): value for name, _, value in (line.partition(': ') for line in lines[1:])}

    @property
    def text(self):
        return self.body.decode()


class Page:
    """A running tarsier-browse. url: as it is printed; cookie: once the token has been exchanged."""

    def __init__(self, *arguments, env=None, exchange=True, terminal=None, through=()):
        """terminal: the end of one that it writes to, and the other end, which is read from. through: a command that starts the one after it."""
        self.process = keep(subprocess.Popen([*through, PROGRAM, '--no-open', *arguments], stdout=terminal[0] if terminal else subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                             env={**os.environ, **(env or {})}))
        self.url = (os.read(terminal[1], 4096).decode() if terminal else self.process.stdout.readline()).strip()
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.host, self.origin = parts.port, parts.netloc, f'http://{parts.netloc}'
        self.cookie = None
        if exchange:
            self.first = self.get('/?' + parts.query)
            self.cookie = self.first.headers['set-cookie'].split(';')[0]

    def raw(self, data, whole=False):
        """What the server sends for these bytes until it closes; b'' if it closes at once. whole: nothing will follow."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=BODY_S) as s:
            try:
                received = b''
                s.sendall(data)
                if whole:
                    s.shutdown(socket.SHUT_WR)
                while part := s.recv(1 << 16):
                    received += part
            except OSError: # it has been closed
                pass
        return received

    def ask(self, method, path, headers=None, body=b'', lacking=()):
        """The default headers are those of a browser that follows a link of the page itself. None as a value takes one away."""
        given = {'Host': self.host, 'Cookie': self.cookie, 'Sec-Fetch-Site': 'same-origin', 'Connection': 'close'}
        if method == 'POST':
            given.update({'Origin': self.origin, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': str(len(body))})
        given.update(headers or {})
        lines = [f'{name}: {value}' for name, value in given.items() if value is not None]
        return Reply(self.raw('\r\n'.join([f'{method} {path} HTTP/1.1', *lines, '', '']).encode() + body))

    def get(self, path, **headers):
        return self.ask('GET', path, {name.replace('_', '-'): value for name, value in headers.items()})

    def search(self, query, **fields):
        return self.get('/?' + urllib.parse.urlencode({'q': query, **fields}))

    def hits(self, query, **fields):
        return self.get('/hits?' + urllib.parse.urlencode({'q': query, 'fragment': 1, **fields}))

    def post(self, path, headers=None, **fields):
        return self.ask('POST', path, headers, urllib.parse.urlencode(fields).encode())

    def tab(self, name, query='marmoset'):
        """Loads the page, and says what its script says."""
        load = re.search(r'data-load="(\d+)"', self.search(query).text)
        return self.post('/alive', tab=name, load=load[1] if load else '')

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def titles(reply):
    return [html.unescape(title) for title in re.findall(r'class="title"[^>]*>(.*?)</(?:a|span)></h2>', reply.text)]


def ids(reply):
    return re.findall(r'data-id="([^"]*)"', reply.text)


def marked(reply):
    return [html.unescape(word) for word in re.findall('<mark>(.*?)</mark>', reply.text)]
