# SPDX-License-Identifier: GPL-3.0-or-later
"""A crawler whose sources are no longer shared, or in another database, goes on with the requests that waited for the database
before."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from crawlers import *

LOCK = 'BEGIN; LOCK TABLE tarsier_crawl.host IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)'


PAGES = 8


def page(host, path):
    if path != '/' and path not in paths:
        return None
    return f'<title>{host}{path}</title><p>walnut of {host} ' + ''.join(f'<a href="{link}">page</a> ' for link in paths if host == first)


def configure(lines):
    with open(crawler.config, 'w') as f:
        f.write(f'[index]\nroots = {crawler.home}/tree\n[web]\n' + lines)
    crawler.signal(signal.SIGHUP)


def is_read(name, path='/'):
    return hosts.pages().get(name + path, 0) > 0


paths = [f'/{i}.html' for i in range(PAGES)]
lease(60000)
hosts = Hosts(3, page)
first, second, third = hosts.names
crawler = Crawler('one', [hosts.origin(first) + '/'])
wait_until('two pages are read', lambda: len(hosts.pages()) > 1, 60, 0.1)
locker = subprocess.Popen([postgresql.BIN + '/psql', '-h', postgresql.DIR, '-p', str(postgresql.PORT), '-U', 'owner', '-d', 'postgres', '-c', LOCK],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
atexit.register(locker.kill)
wait_until('the table is locked', lambda: postgresql.sql("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'tarsier_crawl.host'::regclass")[0] == ['1'], 30, 0.1)
sources = ''.join(f'[web:{hosts.origin(name)}/]\nkind = site\n' for name in hosts.names)
configure(f'partition = {postgresql.URL}\n' + sources)
wait_until('the database is asked', lambda: postgresql.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")[0] != ['0'], 60, 0.1)
let_time_pass(2, 'the requests wait')
equal([is_read(second), is_read(third)], [False, False], 'nothing is requested before the database has answered')
waiting = [path for path in paths if not is_read(first, path)]
ok(waiting, 'pages of a host of this crawler wait too', hosts.pages())
configure(sources)
ok(wait_until('the other hosts are read', lambda: is_read(second) and is_read(third), 60, 0.1), 'hosts that are no longer shared are read', hosts.pages(), crawler.log())
ok(wait_until('the rest is read', lambda: all(is_read(first, path) for path in paths), 60, 0.1), 'a page whose request waited for the database is read', hosts.pages())
equal(hosts.early(), [], 'no host is asked early')
finish()
