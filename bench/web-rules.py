#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-rules.py [BUILD]: requests that learned URL rules save on the next crawl, with nginx and the whole
program. BUILD: a build directory.

Three sites show each text under several URLs: as a print view, with a session id in its links, and under
a second spelling. Each is at an address of its own. When the first crawl has ended and rules were
validated, each site gets new texts, and its first page is visited: the log of nginx then says which of
the new URLs were asked. A host is asked once a second, so this takes some minutes."""
import json, os, random, shutil, signal, sqlite3, subprocess, sys, tempfile, time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1] if sys.argv[1:] else '.')
FIRST, LATER = 40, 60  # texts of a site at first, and those that come later
LIMIT_S = 900
NGINX = shutil.which('nginx', path=os.environ['PATH'] + ':/usr/sbin:/sbin')
# The URL of a text, and others of it; {key} is a session.
SITES = {
    'print views': ('/text/{n}.html', ['/print/text/{n}.html']),
    'session ids': ('/view/{n}', ['/view/{n}?visit={key}', '/view/{n}?visit={key2}']),
    'two spellings': ('/story_{n}', ['/story?id={n}']),
    'print views with session ids': ('/text/{n}.html', ['/print/text/{n}.html', '/text/{n}.html?visit={key}', '/print/text/{n}.html?visit={key2}']),
}
RULES = {'print views with session ids': 2}  # that a site has, if not one
CONFIGURATION = '''{user} daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error.log;
events {{ worker_connections 512; }}
http {{ log_format short "$server_addr $request_uri"; access_log {root}/access.log short; {paths}
server {{ listen {port}; root {root}/site/$server_addr; default_type text/html;
location /print/ {{ sub_filter "<body>" "<body class=print>"; sub_filter_once on; rewrite ^/print(/.*)$ $1 break; }}
location = /story {{ rewrite ^ /story_$arg_id break; }} }} }}
'''


def address(k):
    return f'127.0.5.{k + 1}'


def urls_of(kind, n):
    main, others = SITES[kind]
    values = {'n': n, 'key': f'{n * 7919 + 13:x}q', 'key2': f'{n * 104729 + 7:x}k'}
    return main.format(**values), [other.format(**values) for other in others]


def write_site(root, k, kind, numbers):
    rng = random.Random(k)
    words = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=rng.randint(3, 9))) for _ in range(5000)]
    links = []
    for n in numbers:
        main, others = urls_of(kind, n)
        path = f'{root}/site/{address(k)}{main}'
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(f'<html><head><title>Text {n}</title></head><body><p>{" ".join(random.Random(k * 1000 + n).choices(words, k=200))}</p></body></html>')
        links += [main, *others]
    rng.shuffle(links)
    with open(f'{root}/site/{address(k)}/index.html', 'w') as f:
        f.write(f'<title>Start</title><p>{len(numbers)} ' + ' '.join(f'<a href="{link.replace("&", "&amp;")}">text</a>' for link in links))


def free_port():
    import socket
    with socket.socket() as s:
        s.bind(('0.0.0.0', 0))
        return s.getsockname()[1]


def serve(root):
    port = free_port()
    with open(f'{root}/conf', 'w') as f:
        f.write(CONFIGURATION.format(user='user root;' if os.geteuid() == 0 else '', root=root, port=port,
                                     paths=' '.join(f'{kind}_temp_path {root}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))))
    return port, subprocess.Popen([NGINX, '-e', f'{root}/error.log', '-p', root, '-c', f'{root}/conf'])


def asked(root):
    """The URLs that were asked: (address, path with query), in order."""
    with open(f'{root}/access.log') as f:
        return [tuple(line.split(' ', 1)) for line in f.read().splitlines()]


class Client:
    def __init__(self, root, port):
        home = f'{root}/home'
        os.makedirs(f'{home}/.config/tarsier')
        os.makedirs(f'{home}/run', 0o700)
        self.port = port
        with open(f'{home}/.config/tarsier/tarsier.conf', 'w') as f:
            f.write(''.join(f'[web:{self.url(k)}]\nkind = site\n' for k in range(len(SITES))))
        self.env = {**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': f'{home}/run', 'TARSIER_FETCH': f'{BUILD}/fetch/tarsier-fetch',
                    'TARSIER_EXTRACT': f'{BUILD}/extractors/tarsier-extract', 'TARSIER_PLUGINS': f'{BUILD}/extractors/.libs', 'TARSIER_DATA': f'{SOURCE}/data'}
        for name in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'TARSIER_CONFIG', 'TARSIER_INDEX'):
            self.env.pop(name, None)
        self.index = f'{home}/.local/share/tarsier/index.db'
        self.start()

    def start(self):
        self.daemon = subprocess.Popen([f'{BUILD}/daemon/tarsierd'], env=self.env, stderr=subprocess.DEVNULL)

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()

    def visit_starts(self):
        """Makes the first page of each site due."""
        self.stop()
        db = sqlite3.connect(self.index)
        db.execute("UPDATE web_url SET due = 0 WHERE path = '/'")
        db.commit()
        db.close()
        self.start()

    def url(self, k):
        return f'http://{address(k)}:{self.port}/'

    def run(self, *words):
        return subprocess.run([f'{BUILD}/ui-cli/tarsier', *words], env=self.env, capture_output=True, text=True, timeout=60).stdout

    def rules(self, k):
        rules = [json.loads(line) for line in self.run('web', 'rules', self.url(k), '--json').splitlines()]
        return [rule for rule in rules if rule['state'] == 'valid']


def wait(what, condition):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f'it took too long until {what}')
        time.sleep(1)


def quiet(root, seconds=8):
    """Nothing was asked for a while."""
    return time.time() - os.stat(f'{root}/access.log').st_mtime > seconds


def main():
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        for k, kind in enumerate(SITES):
            write_site(root, k, kind, range(FIRST))
        port, server = serve(root)
        client = Client(root, port)
        try:
            wait('rules are learned', lambda: all(len(client.rules(k)) >= RULES.get(kind, 1) for k, kind in enumerate(SITES)))
            wait('the first crawl ends', lambda: quiet(root))
            first = asked(root)
            for k, kind in enumerate(SITES):
                write_site(root, k, kind, range(FIRST + LATER))
            client.visit_starts()
            wait('the second crawl begins', lambda: len(asked(root)) > len(first) + len(SITES))
            wait('the second crawl ends', lambda: quiet(root))
            later = set(asked(root)[len(first):])
            print(f'{"":30} {"rules":>5} {"new URLs":>9} {"redundant":>9} {"of them asked":>13} {"new texts":>9} {"asked":>6}')
            for k, kind in enumerate(SITES):
                new = [urls_of(kind, n) for n in range(FIRST, FIRST + LATER)]
                redundant = [(address(k), other) for _, others in new for other in others]
                texts = [(address(k), url) for url, _ in new]
                print(f'{kind:30} {len(client.rules(k)):5} {len(redundant) + len(texts):9} {len(redundant):9} {sum(url in later for url in redundant):13} '
                      f'{len(texts):9} {sum(url in later for url in texts):6}')
        finally:
            client.stop()
            server.terminate()
            server.wait()


if __name__ == '__main__':
    main()
