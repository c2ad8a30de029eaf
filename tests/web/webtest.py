# SPDX-License-Identifier: GPL-3.0-or-later
"""webtest.py - helpers for the black-box tests of sites and feeds: a web server, whose pages the
test sets and whose log it judges, and a daemon with sources in its configuration"""
import email.utils, gzip, http.server, os, re, sqlite3, sys, threading, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

BUILD = os.environ['abs_top_builddir']
if not os.path.exists(os.environ.setdefault('TARSIER_FETCH', os.path.join(BUILD, 'fetch/tarsier-fetch'))):
    skip_all('built without libcurl')


def tells(*words):
    """What the client prints."""
    return subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=60).stdout


def path_codes():
    """Returns bits, as text, -> character, made from the lengths that index/store/web-path.c has."""
    with open(os.path.join(os.environ['abs_top_srcdir'], 'index/store/web-path.c'), encoding='utf-8') as f:
        rows = re.findall(r'^\s+\[(\d+)\] = "(.*)",$', f.read(), re.M)
    codes, code, length = {}, 0, 0
    for bits, characters in rows:
        code <<= int(bits) - length
        length = int(bits)
        for character in re.sub(r'\\(.)', r'\1', characters):
            codes[f'{code:0{length}b}'] = character
            code += 1
    return codes


PATH_CODES = path_codes()


def unpacked_path(value):
    """The path in a column of web_url."""
    if not isinstance(value, bytes):
        return value
    path, code = '', ''
    for bit in f'{int.from_bytes(value, "big"):0{8 * len(value)}b}':
        code += bit
        if code in PATH_CODES:
            path, code = path + PATH_CODES[code], ''
    return path


def open_index(mode='ro'):
    db = sqlite3.connect(f'file:{Daemon.index}/index.db?mode={mode}', uri=True)
    db.create_function('web_path', 1, unpacked_path, deterministic=True)
    return db


def query(sql, *values):
    db = open_index()
    try:
        db.text_factory = bytes
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


class Page:
    def __init__(self, body=b'', status=200, **headers):
        self.body = body.encode() if isinstance(body, str) else body
        self.status = status
        self.headers = {name.replace('_', '-'): value for name, value in headers.items()}
        self.headers.setdefault('Content-Type', 'text/html')
        self.when_asked = lambda: None  # is called before the answer


class Site:
    """A web server. pages: path -> Page; log: (time, path, headers, status) of each request."""

    def __init__(self, pages=None, address='127.0.0.1'):
        self.pages, self.log = dict(pages or {}), []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self):
                began = time.monotonic()
                page = site.pages.get(self.path, Page('<title>None</title>No such page.', 404))
                tag = self.headers.get('If-None-Match')
                same = page.status == 200 and tag is not None and tag == page.headers.get('ETag')
                status = 304 if same else page.status
                site.log.append((began, self.path, dict(self.headers), status))
                page.when_asked()
                self.send_response(status)
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.send_header('Content-Length', str(0 if same else len(page.body)))
                self.end_headers()
                try:
                    self.wfile.write(b'' if same else page.body)
                except ConnectionError:
                    pass  # the client wants no more

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.origin = f'http://{address}:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def asked(self, path):
        return [entry for entry in self.log if entry[1] == path]

    def gaps(self):
        """The seconds between each two requests that follow each other."""
        times = [entry[0] for entry in self.log]
        return [after - before for before, after in zip(times, times[1:])]


def configure_sources(sources, text='', roots=TREE):
    """Writes the configuration. sources: URL -> keys; the daemon finds them at its next reload."""
    parts = [f'[index]\nroots = {roots}\n{text}']
    for url, keys in sources.items():
        parts.append(f'[web:{url}]\n' + ''.join(f'{key} = {value}\n' for key, value in keys.items()))
    path = os.path.join(HOME, '.config/tarsier/tarsier.conf')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write('\n'.join(parts))
    os.makedirs(TREE, exist_ok=True)


def reload():
    return request('reload')


def framed(body, ends):
    """A container of GVariant with its framing offsets."""
    size = next(n for n in (1, 2, 4) if len(body) + n * len(ends) < 256 ** n)
    return body + b''.join(end.to_bytes(size, 'little') for end in ends)


def visit(*urls):
    """Asks the daemon to visit these URLs; returns how many it knows."""
    texts = [url.encode() + b'\0' for url in urls]
    strings = framed(b''.join(texts), [sum(map(len, texts[:i + 1])) for i in range(len(texts))])
    entry = framed(b'urls\0\0\0\0' + strings + b'\0as', [5])
    name = b'web-visit\0'
    message = framed(name.ljust(16, b'\0') + framed(entry, [len(entry)]), [len(name)])
    return send_request('web-visit', message)['known']


def found(*query):
    """Returns the paths that a search finds."""
    done = subprocess.run(['tarsier', 'search', '-n', '100', '--dups=show', *query], capture_output=True, text=True, timeout=60)
    return sorted(done.stdout.splitlines())


def soon(name, paths, *query, seconds=40):
    """The search finds these paths after a while."""
    wait_until(name, lambda: found(*query) == sorted(paths), seconds)
    return equal(found(*query), sorted(paths), name)


def polite(name, site):
    """No two requests were closer together than a second."""
    gaps = site.gaps()
    return ok(all(gap >= 0.999 for gap in gaps), name, gaps, [entry[1] for entry in site.log])
