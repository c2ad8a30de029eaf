#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fetch.py [BUILD]: pages fetched for each second of CPU by tarsier-fetch, beside curl, from a local
nginx with 3,001 pages of 10.7 kB. The time of tarsier-fetch is given by itself and with its client,
tests/fetch/fetch-driver of the same build (without sanitizers: make tests/fetch/fetch-driver)."""
import os, random, resource, shutil, socket, subprocess, sys, tempfile, time

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else '.')
PAGES, BYTES, ROUNDS = 3001, 10_700, 5
NGINX = shutil.which('nginx', path=os.environ['PATH'] + ':/usr/sbin:/sbin')


def serve(root):
    """Starts nginx on a free port, which it returns with the process."""
    words = [''.join(random.choices('abcdefghijklmnopqrstuvwxyz', k=random.randint(2, 9))) for _ in range(5000)]
    os.makedirs(f'{root}/pages')
    for i in range(PAGES):
        text = '<title>page</title><p>'
        while len(text) < BYTES:
            text += random.choice(words) + ' '
        with open(f'{root}/pages/{i}.html', 'w') as f:
            f.write(text[:BYTES])
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        port = s.getsockname()[1]
    user = 'user root;' if os.geteuid() == 0 else ''
    with open(f'{root}/conf', 'w') as f:
        f.write(f'{user} daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error.log;\n'
                'events { worker_connections 512; }\nhttp { access_log off; keepalive_requests 1000000; sendfile on;\n'
                + ' '.join(f'{kind}_temp_path {root}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
                + f'types {{ text/html html; }} server {{ listen 127.0.0.1:{port}; root {root}/pages; }} }}\n')
    server = subprocess.Popen([NGINX, '-e', f'{root}/error.log', '-p', root, '-c', f'{root}/conf'])
    while True:
        try:
            socket.create_connection(('127.0.0.1', port), 5).close()
            return port, server
        except OSError:
            time.sleep(0.05)


def used():
    """Returns the CPU seconds of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def by_curl(port):
    before = used()
    subprocess.run(['curl', '-s', '-o', '/dev/null', f'http://127.0.0.1:{port}/[0-{PAGES - 1}].html'], check=True)
    return used() - before


def seconds_of(pid):
    with open(f'/proc/{pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def by_tarsier(port, side_by_side):
    """Returns the seconds of the program, and with its client. side_by_side: requests at a time."""
    before = used()
    client = subprocess.Popen([f'{BUILD}/tests/fetch/fetch-driver'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, 'TARSIER_FETCH': f'{BUILD}/fetch/tarsier-fetch'})
    sent = answered = 0
    while answered < PAGES:
        while sent < min(PAGES, answered + side_by_side):
            client.stdin.write(f'get\tid={sent}\turl=http://127.0.0.1:{port}/{sent}.html\tlocal=127.0.0.1:{port}\n')
            sent += 1
        client.stdin.flush()
        answer = client.stdout.readline().split('\t')
        assert answer[1:5] == ['ok', '200', '0', str(BYTES)], answer
        answered += 1
    with open(f'/proc/{client.pid}/task/{client.pid}/children') as f:
        program = seconds_of(f.read().split()[0])
    client.stdin.close()
    client.wait()
    return program, used() - before


def main():
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        port, server = serve(root)
        try:
            rates = {'curl': [], 'tarsier-fetch, 1 at a time': [], 'and its client': [], 'tarsier-fetch, 16 at a time': [], 'and its client ': []}
            for _ in range(ROUNDS):
                rates['curl'].append(PAGES / by_curl(port))
                for name, both, n in (('tarsier-fetch, 1 at a time', 'and its client', 1), ('tarsier-fetch, 16 at a time', 'and its client ', 16)):
                    program, together = by_tarsier(port, n)
                    rates[name].append(PAGES / program)
                    rates[both].append(PAGES / together)
        finally:
            server.terminate()
            server.wait()
    print(f'pages for each second of CPU, median of {ROUNDS} rounds')
    for name, values in rates.items():
        print(f'{name:28} {sorted(values)[len(values) // 2]:8.0f}')


main()
