# SPDX-License-Identifier: GPL-3.0-or-later
"""Crawlers that share hosts are killed, stopped, cut off from the database and started again, with clocks apart by
minutes: every page is fetched, no host is asked early, at most 1 % of the pages twice. Then three crawlers fetch
CRAWLED_HOSTS hosts whose server is slow, and one alone does. CRAWLER_SEED repeats the choices."""
import os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from crawlers import *

n = int(os.environ.get('CRAWLED_HOSTS', 40))
seed = int(os.environ.get('CRAWLER_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# CRAWLED_HOSTS={n} CRAWLER_SEED={seed}', flush=True)
# A crawler that is lost has fetched a page of each of its hosts that nobody knows of: with few pages a host, that is
# more than 1 %.
LEASE_S, PAGES, FAULTS = 6, 100 if n >= 1000 else 8, 4
PATHS = [f'/{i}.html' for i in range(PAGES)]


def page(host, path):
    if path == '/':
        return f'<title>{host}</title><p>walnut of {host} ' + ''.join(f'<a href="{path}">{path}</a> ' for path in PATHS)
    return f'<title>{host}{path}</title><p>walnut {path} of {host}' if path in PATHS else None


def cut(crawler):
    """Ends its connection to the database, and refuses others for a while."""
    postgresql.server('stop')
    let_time_pass(rng.uniform(.5, LEASE_S + 2), 'the database is away')
    postgresql.server('start')


def kill(crawler):
    crawler.stop(signal.SIGKILL)
    let_time_pass(rng.uniform(0, LEASE_S), 'a crawler is dead')
    crawler.start()


def freeze(crawler):
    crawler.signal(signal.SIGSTOP)
    let_time_pass(rng.uniform(1, 2 * LEASE_S), 'a crawler is stopped')
    crawler.signal(signal.SIGCONT)


def fetched(hosts):
    return len(hosts.pages())


def run(names, delay_s, seconds):
    """Pages per second of crawlers with these names."""
    postgresql.sql('UPDATE tarsier_crawl.setting SET lease_ms = 60000; DELETE FROM tarsier_crawl.crawler; TRUNCATE tarsier_crawl.host, tarsier_crawl.url, tarsier_crawl.obsolete')
    hosts = Hosts(n, page, delay_s)
    crawlers = [Crawler(name, [hosts.origin(host) + '/' for host in hosts.names]) for name in names]
    wait_until('pages come', lambda: fetched(hosts) > n // 10, 120, 0.2)
    before, began = fetched(hosts), time.monotonic()
    let_time_pass(seconds, 'crawlers work')
    rate = (fetched(hosts) - before) / (time.monotonic() - began)
    for crawler in crawlers:
        crawler.stop()
    equal(hosts.early(), [], f'{len(names)} at full speed ask no host early')
    return rate


lease(LEASE_S * 1000)
hosts = Hosts(n, page)
wanted = {name + path for name in hosts.names for path in ['/', *PATHS]}
sources = [hosts.origin(name) + '/' for name in hosts.names]
crawlers = [Crawler(f'crawler{i}', sources, minutes=minutes) for i, minutes in enumerate((0, 9, -6))]
for fault in rng.sample([cut, kill, freeze, rng.choice([cut, kill, freeze])], FAULTS):
    before = fetched(hosts)
    wait_until('pages come', lambda: fetched(hosts) >= min(len(wanted), before + n // 2), 60, 0.1)
    crawler = rng.choice(crawlers)
    print(f'# {fetched(hosts)} pages, {fault.__name__} {crawlers.index(crawler)}', flush=True)
    fault(crawler)
late = Crawler('late', sources, minutes=4)
wait_until('all pages are fetched', lambda: wanted <= set(hosts.pages()), 600 + len(wanted) // 50, 0.5)
counts = hosts.pages()
equal(sorted(wanted - set(counts))[:20], [], 'every page is fetched')
equal(hosts.early(), [], 'no host is asked early')
twice = {name: count for name, count in counts.items() if count > 1}
ok(len(twice) <= max(len(wanted) // 100, 0 if n >= 1000 else n), 'hardly a page is fetched twice', len(twice), len(wanted), sorted(twice)[:20])
for crawler in [*crawlers, late]:
    crawler.stop()
if n >= 1000:
    one, three = run(['alone'], 1, 60), run(['one', 'two', 'three'], 1, 60)
    print(f'# pages per second: one crawler {one:.1f}, three {three:.1f}', flush=True)
    ok(three >= 2.5 * one, 'three crawlers fetch at least 2.5 times as much as one', one, three)
finish()
