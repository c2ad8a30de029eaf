# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of a site is never answered: the other sources are read, and the site is told to be silent.
Runs in a name space of its own."""
import os, sys
WRAPPER = ['unshare', '-rmn', '--propagation', 'private']
if sys.argv[1:] != ['inside']:
    import subprocess
    try:
        subprocess.run([*WRAPPER, 'ip', 'link', 'set', 'lo', 'up'], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print('1..0 # SKIP no name spaces for networks')
        sys.exit(0)
    os.execvp(WRAPPER[0], [*WRAPPER, sys.executable, __file__, 'inside'])
import re, socket, subprocess
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

version = re.search(r'libcurl/(\d+)\.(\d+)', subprocess.run([os.environ['TARSIER_FETCH'], '--version'], capture_output=True, text=True).stdout)
if not version or tuple(map(int, version.groups())) < (7, 87):
    skip_all('this libcurl waits for names')
subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
subprocess.run(['ip', 'route', 'add', 'default', 'dev', 'lo'], check=True)
for name, text in (('resolv.conf', 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n'), ('nsswitch.conf', 'hosts: files dns\n')):
    with open(os.path.join(TMP, name), 'w') as f:
        f.write(text)
    if os.path.exists('/etc/' + name):
        subprocess.run(['mount', '--bind', os.path.join(TMP, name), '/etc/' + name], check=True)
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(('127.0.0.1', 53))
names.settimeout(60)
PAGES = 5
site = Site({f'/{i}': Page(f'<p>walnut page{i}') for i in range(PAGES)})
site.pages['/'] = Page(' '.join(f'<a href="/{i}">page</a>' for i in range(PAGES)))
silent = 'http://silent.example/'
configure_sources({silent: {'kind': 'site'}, site.origin + '/': {'kind': 'site'}})
daemon = Daemon('-v')
ok(b'silent' in names.recv(4096), 'the name is asked for')
soon('the pages of another site are found meanwhile', [f'{site.origin}/{i}' for i in range(PAGES)], 'walnut')
polite('its host gets no more requests for that', site)


def failure():
    return query('SELECT failure FROM web_root WHERE url = ?', silent)


ok(wait_until('the site is told to be silent', lambda: failure()[0][0] is not None, 120), 'the site is told to be silent', failure(), log_text())
ok(failure() in ([(b'timeout',)], [(b'not-found',)], [(b'no-name',)]), 'its failure is named', failure())
ok(daemon.stop() < 20, 'the daemon ends while a name is asked for')
finish()
