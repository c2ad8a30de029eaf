# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon is killed while it reads a site: no request is early, every page that was answered is
found or asked again, the store and the index are sound. KILLS sets how often, KILLS_SEED repeats
the moments."""
import glob, os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

kills = int(os.environ.get('KILLS', 4))
seed = int(os.environ.get('KILLS_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# KILLS={kills} KILLS_SEED={seed}', flush=True)
PAGES = 6
site = Site({'/robots.txt': Page('', 404)})
start = site.origin + '/'
links = ' '.join(f'<a href="/{i}.html">{i}</a>' for i in range(PAGES))
site.pages['/'] = Page(f'<p>walnut start {links}')
for i in range(PAGES):
    site.pages[f'/{i}.html'] = Page(f'<title>{i}</title><p>walnut page{i}')
urls = [start] + [f'{start}{i}.html' for i in range(PAGES)]
configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('the links of the first page are known', lambda: os.path.exists(Daemon.index + '/index.db') and query('SELECT count(*) FROM web_url') == [(1 + PAGES,)])


def store_bytes():
    return sum(os.path.getsize(path) for path in glob.glob(Daemon.index + '/web/*/*.warc.gz'))


# How far the next page has come when the daemon is killed.
STAGES = {'asked': lambda: len(site.log), 'stored': store_bytes, 'committed': lambda: query('SELECT count(*) FROM web_page'),
          'converted': lambda: query('SELECT count(*) FROM document')}
for i in range(kills):
    stage, far = rng.choice(list(STAGES.items()))
    before = far()
    wait_until(f'a page is {stage}', lambda: far() > before, 20, 0.001)
    daemon.stop(signal.SIGKILL)
    daemon = Daemon('-v')


def settled():
    """Asks again for what was lost with a daemon, which would come in an hour."""
    left = sorted(set(urls) - set(found('walnut')))
    if left:
        visit(*left)
    return not left


wait_until('all pages are found', settled, 60, 1)
equal(found('walnut'), sorted(urls), f'after {kills} kills all pages are found')
polite('no request is early', site)
times = {path: len(site.asked(path)) for _, path, _, _ in site.log}
ok(all(n <= 1 + kills for n in times.values()), 'what was answered is not asked again and again', times)
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
for path in glob.glob(Daemon.index + '/web/*/*.warc.gz'):
    with gzip.open(path) as f:
        records = f.read().count(b'WARC/1.1\r\n')
    ok(records > PAGES, 'the store is sound', records)
finish()
