# SPDX-License-Identifier: GPL-3.0-or-later
"""crawlers.py - helpers for tests of several crawlers that share hosts: a web server that stands for
any number of hosts, whose log it judges, and crawlers with a home and a clock of their own"""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
os.environ['POSTGRESQL_TCP'] = '1'  # the launcher makes no local sockets
import postgresql
from webtest import *
import socketserver, tempfile

PROGRAM = os.path.join(os.path.dirname(os.environ['TARSIER_FETCH']), 'tarsier-partition')
if not os.path.exists(PROGRAM):
    skip_all('built without libpq')
CLOCK = os.path.join(BUILD, 'tests/faults/.libs/fake-clock.so')
LEAST_S = 0.999


def lease(milliseconds):
    """Chooses the length of leases before the first crawler comes."""
    lines, why = postgresql.sql('CREATE SCHEMA tarsier_crawl; CREATE TABLE tarsier_crawl.setting(one bool PRIMARY KEY DEFAULT true CHECK (one),'
                                f' format int NOT NULL DEFAULT 1, lease_ms int NOT NULL DEFAULT {milliseconds});'
                                'INSERT INTO tarsier_crawl.setting DEFAULT VALUES')
    assert not why, why


class Hosts:
    """Hosts at addresses of this machine, on one port. page(host, path): its body, or None; it may take delay_s. log: host ->
    (begin, end, path, status)."""

    def __init__(self, n, page, delay_s=0):
        hosts = self
        self.names = [f'127.77.{i // 250}.{i % 250 + 1}' for i in range(n)]
        self.log = {name: [] for name in self.names}

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                self.request.settimeout(30)
                host, read = self.request.getsockname()[0], b''
                while True:
                    try:
                        while b'\r\n\r\n' not in read:
                            more = self.request.recv(65536)
                            if not more:
                                return
                            read += more
                    except OSError:
                        return
                    began = time.monotonic()
                    head, _, read = read.partition(b'\r\n\r\n')
                    path = head.split(b' ')[1].decode()
                    entry = [began, began, path, 0]
                    hosts.log[host].append(entry)
                    if delay_s:
                        let_time_pass(delay_s, 'the server is slow')
                    body = page(host, path)
                    status = '404 Not Found' if body is None else '200 OK'
                    entry[3] = int(status[:3])
                    body = (body or 'none').encode()
                    entry[1] = time.monotonic()  # the client has not got it before
                    try:
                        self.request.sendall(f'HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n'.encode() + body)
                    except OSError:
                        return

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = allow_reuse_address = True
            request_queue_size = 256

        self.server = Server(('0.0.0.0', 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def origin(self, name):
        return f'http://{name}:{self.port}'

    def pages(self):
        """How often each page was answered."""
        counts = {}
        for host, entries in self.log.items():
            for _, _, path, status in list(entries):
                if status == 200:
                    counts[host + path] = counts.get(host + path, 0) + 1
        return counts

    def early(self):
        """The requests that were made before the host might be asked again."""
        found = []
        for host, entries in self.log.items():
            for before, after in zip(entries, entries[1:]):
                if after[0] - before[1] < max(LEAST_S, 9.99 * (before[1] - before[0])):
                    found.append((host, before, after))
        return found


class Crawler:
    """A tarsierd with sources that are shared. minutes: how far its clock is wrong."""

    def __init__(self, name, sources, minutes=0, partition=None):
        self.home = os.path.join(TMP, name)
        self.index = os.path.join(self.home, 'index')
        os.makedirs(self.home + '/run', 0o700)
        os.makedirs(self.home + '/tree')
        self.config = self.home + '/tarsier.conf'
        self.environment = dict(os.environ, HOME=self.home, XDG_RUNTIME_DIR=self.home + '/run', TARSIER_CONFIG=self.config, TARSIER_INDEX=self.index)
        for kind in ('CONFIG', 'DATA', 'CACHE', 'STATE'):
            self.environment[f'XDG_{kind}_HOME'] = os.path.join(self.home, kind.lower())
        with open(self.config, 'w') as f:
            f.write(f'[index]\nroots = {self.home}/tree\n[web]\npartition = {partition or postgresql.URL}\n')
            f.writelines(f'[web:{url}]\nkind = site\n' for url in sources)
        self.wrapper = []
        if minutes and os.path.exists(CLOCK):
            with open(self.home + '/clock', 'wb') as f:
                f.write(struct.pack('=q', minutes * 60 * 10**9))
            self.wrapper = ['env', f'LD_PRELOAD={CLOCK}', f'FAKE_CLOCK={self.home}/clock',
                            'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0']
        self.start()

    def start(self):
        with open(self.home + '/log', 'ab') as log:
            self.process = subprocess.Popen([*self.wrapper, 'tarsierd', '-v'], env=self.environment, stderr=log, stdout=log)
        atexit.register(self.stop, signal.SIGKILL)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(number)
            self.process.wait(60)

    def signal(self, number):
        self.process.send_signal(number)

    def tell(self, *words):
        return subprocess.run(['tarsier', *words], env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def status(self):
        return json.loads(self.tell('status', '--json') or '{}').get('partition') or {}

    def documents(self):
        """The URLs of the pages that its index has."""
        if not os.path.exists(self.index + '/index.db'):
            return set()
        db = sqlite3.connect(f'file:{self.index}/index.db?mode=ro', uri=True)
        try:
            return {url.decode() if isinstance(url, bytes) else url for url, in db.execute('SELECT url FROM web_page')}
        finally:
            db.close()

    def log(self):
        with open(self.home + '/log', encoding='utf-8', errors='replace') as f:
            return f.read()
