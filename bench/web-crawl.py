#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-crawl.py [BUILD...]: pages fetched, parsed and indexed for each second of CPU, from a local nginx
with 3,001 pages of 10.7 kB, beside programs that only save them (those of wget2, wget, httrack and
scrapy that are installed). BUILD: a build without sanitizers, or several to compare.

Tarsier asks a host once a second, so the pages are spread over 250 addresses of the loopback device,
each a source; the others ask one address without a pause. The CPU time of the server is not counted."""
import os, random, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, time

BUILDS = [os.path.abspath(path) for path in sys.argv[1:] or ['.']]
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOSTS, PAGES_OF_HOST, BYTES, ROUNDS = 250, 12, 10_700, 3
PAGES = HOSTS * PAGES_OF_HOST + 1
NGINX = shutil.which('nginx', path=os.environ['PATH'] + ':/usr/sbin:/sbin')
PYTHON = '/usr/bin/python3'  # for which Debian has scrapy
SPIDER = '''
import scrapy
from scrapy.crawler import CrawlerProcess
class Spider(scrapy.Spider):
    name = 'spider'
    start_urls = [START]
    def parse(self, response):
        with open(FOLDER + '/' + response.url.split('/', 3)[3].replace('/', '_') + '.html', 'wb') as f:
            f.write(response.body)
        for link in response.css('a::attr(href)').getall():
            yield response.follow(link, self.parse)
process = CrawlerProcess({'LOG_LEVEL': 'ERROR', 'ROBOTSTXT_OBEY': True, 'CONCURRENT_REQUESTS_PER_DOMAIN': 16})
process.crawl(Spider)
process.start()
'''


def page(words, random, title, links):
    """An article with a menu, as far as the size allows."""
    text = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head><body><nav><ul>'
    text += ''.join(f'<li><a href="{link}">{name}</a></li>' for link, name in links) + '</ul></nav><main><article>'
    text += f'<h1>{title}</h1>'
    end = '</article></main></body></html>'
    while len(text) < BYTES - 700:
        text += '<p>' + ' '.join(random.choices(words, k=random.randint(30, 80))).capitalize() + '.</p>\n'
    return text + '<p>' + ' '.join(random.choices(words, k=200))[:BYTES - len(text) - len(end) - 7] + '</p>' + end


def make_site(folder):
    rng = random.Random(19)
    words = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=rng.randint(2, 9))) for _ in range(20000)]
    words = words[:400] * 20 + words  # some are frequent
    os.makedirs(folder)
    with open(f'{folder}/index.html', 'w') as f:
        f.write(page(words, rng, 'All parts', [(f'/{k}/', f'part {k}') for k in range(HOSTS)]))
    for k in range(HOSTS):
        os.makedirs(f'{folder}/{k}')
        links = [(f'/{k}/', 'first')] + [(f'/{k}/{i}.html', f'page {i}') for i in range(1, PAGES_OF_HOST)]
        for i in range(PAGES_OF_HOST):
            with open(f'{folder}/{k}/{"index" if i == 0 else i}.html', 'w') as f:
                f.write(page(words, rng, f'Page {i} of part {k}', links))


def serve(root):
    """Starts nginx on a free port of all loopback addresses; returns the port and the process."""
    with socket.socket() as s:
        s.bind(('0.0.0.0', 0))
        port = s.getsockname()[1]
    user = 'user root;' if os.geteuid() == 0 else ''
    with open(f'{root}/conf', 'w') as f:
        f.write(f'{user} daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error.log;\n'
                'events { worker_connections 2048; }\nhttp { log_format short "$status $request_uri $http_user_agent"; access_log '
                f'{root}/access.log short; keepalive_requests 1000000; sendfile on;\n'
                + ' '.join(f'{kind}_temp_path {root}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
                + f'types {{ text/html html; }} server {{ listen {port}; root {root}/site; }} }}\n')
    server = subprocess.Popen([NGINX, '-e', f'{root}/error.log', '-p', root, '-c', f'{root}/conf'])
    while True:
        try:
            socket.create_connection(('127.0.0.1', port), 5).close()
            return port, server
        except OSError:
            time.sleep(0.05)


def cpu_of(process):
    """Waits for the end of a process; returns the seconds that it and what it waited for took."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def start(*command, **options):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def by_peer(root, port, name):
    """Returns the CPU seconds and the number of pages that were saved."""
    folder, url = f'{root}/saved', f'http://127.0.0.1:{port}/'
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if name == 'scrapy':
        with open(f'{root}/spider.py', 'w') as f:
            f.write(SPIDER.replace('START', repr(url)).replace('FOLDER', repr(folder)))
        command = [PYTHON, f'{root}/spider.py']
    else:
        command = {'wget': ['wget', '-q', '-r', '-l', 'inf', '-P', folder, url],
                   'wget2': ['wget2', '-q', '-r', '-l', 'inf', '-P', folder, url],
                   'httrack': ['httrack', url, '-O', folder, '-q', '-A1000000000', '-%c10000', '-c16', '--disable-security-limits', '-I0']}[name]
    seconds = cpu_of(start(*command, cwd=folder))
    return seconds, sum(name.endswith('.html') for _, _, names in os.walk(folder) for name in names)


def pages_indexed(home):
    try:
        with sqlite3.connect(f'file:{home}/.local/share/tarsier/index.db?mode=ro', uri=True) as db:
            return db.execute('SELECT count(*) FROM web_page JOIN inode ON id = inode WHERE state = 0 AND content IS NOT NULL').fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # it is being made


def by_tarsier(root, port, build):
    home = f'{root}/home'
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(f'{home}/.config/tarsier')
    os.makedirs(f'{home}/run', 0o700)
    open(f'{root}/access.log', 'w').close()
    with open(f'{home}/.config/tarsier/tarsier.conf', 'w') as f:
        f.write(f'[web:http://127.0.1.1:{port}/]\nkind = site\ndepth = 0\npages = 1\n')
        for k in range(HOSTS):
            f.write(f'[web:http://127.0.2.{k + 1}:{port}/{k}/]\nkind = site\n')
    env = {**os.environ, 'HOME': home, 'XDG_RUNTIME_DIR': f'{home}/run', 'TARSIER_FETCH': f'{build}/fetch/tarsier-fetch',
           'TARSIER_EXTRACT': f'{build}/extractors/tarsier-extract', 'TARSIER_PLUGINS': f'{build}/extractors/.libs', 'TARSIER_DATA': f'{SOURCE}/data'}
    for name in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'TARSIER_CONFIG', 'TARSIER_INDEX'):
        env.pop(name, None)
    daemon = start(f'{build}/daemon/tarsierd', env=env)
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and pages_indexed(home) < PAGES:
        time.sleep(0.5)
    count = pages_indexed(home)
    daemon.send_signal(signal.SIGTERM)
    return cpu_of(daemon), count


def main():
    peers = [name for name in ('wget2', 'wget', 'httrack') if shutil.which(name)]
    if subprocess.run([PYTHON, '-c', 'import scrapy'], capture_output=True).returncode == 0:
        peers.append('scrapy')
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        make_site(f'{root}/site')
        port, server = serve(root)
        results = {name: [] for name in [*BUILDS, *peers]}
        try:
            for _ in range(ROUNDS):
                for build in BUILDS:
                    results[build].append(by_tarsier(root, port, build))
                for name in peers:
                    results[name].append(by_peer(root, port, name))
        finally:
            server.terminate()
            server.wait()
    print(f'{PAGES} pages of {BYTES} bytes; median of {ROUNDS} rounds')
    print(f'{"":30} {"pages":>6} {"CPU s":>7} {"pages for each second of CPU":>30}')
    for name, rounds in results.items():
        seconds, pages = sorted(rounds)[len(rounds) // 2]
        print(f'{name[-30:]:30} {pages:6} {seconds:7.2f} {pages / seconds:30.0f}')


if __name__ == '__main__':
    main()
