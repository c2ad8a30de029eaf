# SPDX-License-Identifier: GPL-3.0-or-later
"""The network goes while a site is read, and comes back: no host is blamed, nothing is lost, and
nothing is asked in a hurry. The address of the site is taken from this machine and given back, in a
name space of its own."""
import os, sys
if sys.argv[1:] != ['inside']:
    import subprocess
    WRAPPER = ['unshare', '-rn']
    try:
        subprocess.run([*WRAPPER, 'ip', 'link', 'set', 'lo', 'up'], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print('1..0 # SKIP no name spaces for networks')
        sys.exit(0)
    os.execvp(WRAPPER[0], [*WRAPPER, sys.executable, __file__, 'inside'])
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

ADDRESS = '10.9.0.1'


def network(verb):
    subprocess.run(['ip', 'address', verb, ADDRESS + '/32', 'dev', 'lo'], check=True)


def failure():
    return query('SELECT failure FROM web_root WHERE failed_s > visited_s')


def wait_until_lost(urls):
    """Asks for these until one of them finds no network."""
    visit(*urls)
    return wait_until('the network is missed', lambda: failure() == [(b'no-network',)], 60)


PAGES = 6
subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
network('add')
site = Site({f'/{i}.html': Page(f'<p>walnut page{i}', ETag=f'"{i}"') for i in range(PAGES)}, ADDRESS)
start = site.origin + '/'
urls = [start] + [f'{start}{i}.html' for i in range(PAGES)]
site.pages['/'] = Page('<p>walnut start ' + ' '.join(f'<a href="{url}">page</a>' for url in urls), ETag='"start"')
configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('the first pages are asked', lambda: len(site.log) >= 4)
network('del')
ok(wait_until('the network is missed', lambda: failure() == [(b'no-network',)], 60), 'a network that is away is noted while a connection is open', failure(), log_text())
for verb in ('status', 'doctor'):
    ok('the network cannot be reached' in tells(verb), f'{verb} says so', tells(verb))
ok('"no-network"' in tells('roots', '--json'), 'roots says so', tells('roots', '--json'))
equal(query('SELECT max(failures) FROM (SELECT backoff AS failures FROM web_host)'), [(0,)], 'no gap grows')
asked = len(site.log)
network('add')
soon('all pages are found once it is back', urls, 'walnut', seconds=90)
ok(len(site.log) > asked, 'those that were left are asked', [entry[1] for entry in site.log])
paths = [entry[1] for entry in site.log]
equal(sorted(set(paths)), sorted(['/robots.txt'] + [url[len(site.origin):] for url in urls]), 'all are asked')
ok(len(paths) - len(set(paths)) <= 1, 'only the one whose answer was lost is asked again', paths)
polite('nothing is asked in a hurry', site)
ok(wait_until('the failure is over', lambda: failure() == []), 'the failure is over', failure())
ok('no-network' not in tells('roots', '--json'), 'roots says so', tells('roots', '--json'))

# ---- the daemon starts without a network
daemon.stop()
network('del')
daemon = Daemon('-v')
ok(wait_until_lost(urls), 'a network that is away from the start is noted', failure(), log_text())
asked = len(site.log)
network('add')
wait_until('they are asked', lambda: len(site.log) - asked == len(urls), 90)
equal(sorted(entry[1] for entry in site.log[asked:]), sorted(url[len(site.origin):] for url in urls), 'what was due is asked once, as soon as it is back')
polite('nothing is asked in a hurry then', site)
equal(found('walnut'), sorted(urls), 'all pages are still found')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
