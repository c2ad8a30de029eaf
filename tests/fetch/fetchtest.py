# SPDX-License-Identifier: GPL-3.0-or-later
"""fetchtest.py - helpers for the black-box tests of tarsier-fetch: a client that asks it, servers"""
import os, shutil, socketserver, sys
from collections import namedtuple
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

BUILD = os.environ['abs_top_builddir']
PROGRAM = os.environ.setdefault('TARSIER_FETCH', os.path.join(BUILD, 'fetch/tarsier-fetch'))
DRIVER = os.path.join(BUILD, 'tests/fetch/fetch-driver')
if not os.path.exists(PROGRAM):
    skip_all('built without libcurl')
sanitized = 'libasan' in subprocess.run(['ldd', PROGRAM], capture_output=True, text=True).stdout

Answer = namedtuple('Answer', 'id error status truncated bytes wire address total_us detail headers body')


class Client:
    """tests/fetch/fetch-driver, which asks one tarsier-fetch."""

    def __init__(self, *options, **environment):
        self.process = subprocess.Popen([DRIVER, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.asked = 0
        self.answers = {}
        atexit.register(self.process.kill)

    def submit(self, url, method='get', **values):
        self.asked += 1
        line = '\t'.join([method, f'id={self.asked}', f'url={url}', *(f'{key}={value}' for key, value in values.items())])
        self.process.stdin.write(line.encode('latin-1') + b'\n')
        self.process.stdin.flush()
        return str(self.asked)

    def answer(self, request):
        while request not in self.answers:
            parts = self.process.stdout.readline().decode('latin-1').rstrip('\n').split('\t')
            if len(parts) != len(Answer._fields):
                raise EOFError(f'the client ended: {parts}')
            self.answers[parts[0]] = Answer(parts[0], parts[1], int(parts[2]), parts[3] == '1', int(parts[4]), int(parts[5]),
                                            parts[6], int(parts[7]), parts[8], base64.b64decode(parts[9]), base64.b64decode(parts[10]))
        return self.answers.pop(request)

    def ask(self, url, method='get', **values):
        return self.answer(self.submit(url, method, **values))

    def program(self):
        """Returns the process ID of tarsier-fetch; None if it does not run."""
        found = children(self.launcher() or self.process.pid)
        return found[0] if found else None

    def launcher(self):
        return launcher(self.process.pid)

    def end(self):
        self.process.stdin.close()
        return self.process.wait(60)


def place(url):
    """Returns what allows a local address: the host and port of the URL."""
    authority = url.split('//')[1].split('/')[0]
    return authority if authority.rpartition(':')[2].isdigit() else authority + (':443' if url.startswith('https') else ':80')


class Server:
    """Answers each request of a connection with the bytes, or the function of a connection, that
    stand for its path. requests: the bytes of all requests; moments: when each had come, before it was answered."""

    def __init__(self, answers, address='127.0.0.1'):
        self.answers = answers
        self.requests = []
        self.moments = []
        self.connections = 0
        self.open = self.most_open = 0
        self.lock = threading.Lock()
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                outer.serve(self.request)

        class Threads(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 128
            address_family = socket.AF_INET6 if ':' in address else socket.AF_INET

            def handle_error(self, request, client_address):
                pass  # the client closes connections as it likes

        self.server = Threads((address, 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f'http://[{address}]:{self.port}' if ':' in address else f'http://{address}:{self.port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, connection):
        with self.lock:
            self.connections += 1
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        try:
            with connection.makefile('rb') as stream:
                while self.serve_one(connection, stream):
                    pass
        finally:
            with self.lock:
                self.open -= 1

    def serve_one(self, connection, stream):
        request = b''
        while not request.endswith(b'\r\n\r\n'):
            line = stream.readline()
            if not line:
                return False
            request += line
        self.requests.append(request)
        self.moments.append(time.monotonic())
        path = request.split(b' ')[1].decode()
        answer = self.answers.get(path, b'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
        if callable(answer):
            return answer(connection)
        connection.sendall(answer)
        return True


def page(body, *headers, status='200 OK'):
    lines = [f'HTTP/1.1 {status}', f'Content-Length: {len(body)}', *headers]
    return '\r\n'.join(lines).encode('latin-1') + b'\r\n\r\n' + body


def once(*parts):
    """Sends the bytes and closes the connection."""
    def send(connection):
        for part in parts:
            connection.sendall(part)
        connection.shutdown(socket.SHUT_RDWR)
        return False
    return send


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


NGINX = shutil.which('nginx', path=os.environ['PATH'] + ':/usr/sbin:/sbin')


class Nginx:
    """nginx with these server blocks, in a directory of its own. {port} in a block is the port of
    the URL of its number."""

    def __init__(self, *blocks, workers=1):
        self.root = os.path.join(TMP, f'nginx{free_port()}')
        os.makedirs(os.path.join(self.root, 'pages'))
        os.chmod(TMP, 0o755)  # its workers are another user if root runs the test
        self.ports = [free_port() for _ in blocks]
        servers = '\n'.join('server { root %s/pages; %s }' % (self.root, block.replace('{port}', str(port)))
                            for block, port in zip(blocks, self.ports))
        temporary = ' '.join(f'{kind}_temp_path {self.root}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
        self.conf = os.path.join(self.root, 'conf')
        user = 'user root;' if os.geteuid() == 0 else ''
        with open(self.conf, 'w') as f:
            f.write(f'{user} daemon off; worker_processes {workers}; pid {self.root}/pid; error_log {self.root}/error.log;\n'
                    'events { worker_connections 512; }\n'
                    f'http {{ access_log off; {temporary} keepalive_requests 100000; types {{ text/html html; }}\n'
                    f'default_type application/octet-stream;\n{servers}\n}}\n')
        self.process = subprocess.Popen([NGINX, '-e', f'{self.root}/error.log', '-p', self.root, '-c', self.conf], stderr=subprocess.DEVNULL)
        atexit.register(self.stop)
        wait_until('nginx answers', lambda: self.answers())

    def answers(self):
        try:
            for port in self.ports:
                socket.create_connection(('127.0.0.1', port), 5).close()
            return True
        except OSError:
            return False

    def write(self, name, content):
        path = os.path.join(self.root, 'pages', name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(content)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def header(answer, name):
    """Returns the values of a header of an answer."""
    lines = answer.headers.decode('latin-1').split('\r\n')[1:]
    return [line.partition(':')[2].strip() for line in lines if line.partition(':')[0].lower() == name.lower()]
