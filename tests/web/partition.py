# SPDX-License-Identifier: GPL-3.0-or-later
"""Three crawlers share thirty hosts, with clocks that differ by minutes. One comes later, one is
killed, one is stopped for longer than its lease: every page is fetched, no host is asked early, and
hardly anything twice."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from crawlers import *

HOSTS, PAGES, LEASE_S = 30, 5, 6


def page(host, path):
    place = hosts.names.index(host)
    following = hosts.origin(hosts.names[(place + 1) % HOSTS])
    if path == '/':
        links = ''.join(f'<a href="/{i}.html">{i}</a> ' for i in range(PAGES))
        return f'<title>{host}</title><p>walnut of {host} {links}'
    if path == '/0.html':  # nothing else leads there
        return f'<title>{host} 0</title><p>walnut zero <a href="{following}/linked.html">the next host</a>'
    if path == '/linked.html' or path in [f'/{i}.html' for i in range(PAGES)]:
        return f'<title>{host}{path}</title><p>walnut {path} of {host}'
    return None


def all_fetched():
    return wanted <= set(hosts.pages())


lease(LEASE_S * 1000)
hosts = Hosts(HOSTS, page)
wanted = {name + path for name in hosts.names for path in ['/', '/linked.html', *(f'/{i}.html' for i in range(PAGES))]}
sources = [hosts.origin(name) + '/' for name in hosts.names]
first, second = Crawler('first', sources), Crawler('second', sources, minutes=7)
wait_until('both read', lambda: len(hosts.pages()) > HOSTS, 60, 0.1)
third = Crawler('third', sources, minutes=-5)
wait_until('the third has hosts', lambda: postgresql.sql('SELECT count(DISTINCT holder) FROM tarsier_crawl.host')[0] == ['3'], 60, 0.1)
first.stop(signal.SIGKILL)
second.signal(signal.SIGSTOP)
let_time_pass(LEASE_S + 1.5, 'its lease runs out')
second.signal(signal.SIGCONT)
wait_until('all pages are fetched', all_fetched, 90, 0.2)
early, counts = hosts.early(), hosts.pages()
equal(sorted(wanted - set(counts)), [], 'every page is fetched, also those that only another host links to')
equal(early, [], 'no host is asked early')
twice = [name.split('/')[0] for name, n in counts.items() for _ in range(n - 1)]
# what was under way when a crawler was lost; tests/faults/crawlers.py has enough pages for a share
ok(all(twice.count(host) <= 2 for host in twice), 'of a host, one page is fetched twice when its crawler is lost', twice)
print(f'# {len(wanted)} pages, {len(twice)} twice', flush=True)
wait_until('all pages are in an index', lambda: len(set().union(*(c.documents() for c in (first, second, third)))) >= len(wanted), 60, 0.2)
found = set().union(*(c.documents() for c in (first, second, third)))
equal(len(found), len(wanted), 'each page is in an index')
ok(third.documents() and second.documents() and first.documents(), 'each crawler has its part')
ok('lease has run out' in second.log(), 'a crawler that was stopped begins a new session', second.log())

# ---- the database is away
wait_until('the second reads', lambda: second.status().get('open'), 30, 0.2)
postgresql.server('stop')
wait_until('its leases run out', lambda: second.status().get('open') is False and second.status()['error'], 40, 0.2)
status = second.status()
ok(status.get('open') is False and status['error'], 'status says that the database is away', status)
ok(status.get('hosts') == HOSTS, 'and how many hosts are shared', status)
ok('shared hosts are not read' in second.tell('doctor'), 'doctor says so')
with open(second.home + '/tree/own.html', 'w') as f:
    f.write('<p>hazelnut')
ok(wait_until('own files go on', lambda: 'own.html' in second.tell('search', 'hazelnut'), 40, 0.2), 'own files go on')
postgresql.server('start')
ok(wait_until('both read again', lambda: all(c.status().get('open') for c in (second, third)), 60, 0.2), 'they go on when the database is back', (second.status(), third.status()))
for crawler in (second, third):
    crawler.stop()
equal(postgresql.sql('SELECT count(*) FROM tarsier_crawl.host WHERE holder IS NOT NULL')[0], ['0'], 'a crawler that is stopped releases its hosts')
equal(hosts.early(), [], 'no host was asked early until the end')
finish()
