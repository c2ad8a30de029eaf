# SPDX-License-Identifier: GPL-3.0-or-later
"""A page that could not be stored is asked again without a condition; a page of which only the
text, or nothing, is kept has not changed when its bytes are the same."""
import glob, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/': Page('<p>walnut page', ETag='"1"'), '/robots.txt': Page('', 404)})
start = site.origin + '/'
configure_sources({})
daemon = Daemon('-v')
daemon.sync()
os.makedirs(Daemon.index + '/web', 0o700, exist_ok=True)
blocked = Daemon.index + '/web/1'
open(blocked, 'w').close()
configure_sources({start: {'kind': 'site'}})
reload()
wait_until('the page is asked', lambda: site.asked('/'))
wait_until('its answer is taken', lambda: query('SELECT 1 FROM web_root WHERE failed_s > 0'))
equal(query('SELECT failure, visited_s FROM web_root'), [(b'not-kept', 0)], 'a page that cannot be stored is told, and is not a visit')
said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
ok('its pages cannot be stored' in said and 'not-kept' not in said, 'doctor says it in words', said)
equal(found('walnut'), [], 'a page that cannot be stored is not found')
os.unlink(blocked)
visit(start)
soon('it is found after the next visit', [start], 'walnut')

# ---- pages of which not all is kept
sites = {keep: Site({'/': Page('<p>chestnut page'), '/robots.txt': Page('', 404)}) for keep in ('text', 'nothing')}
starts = {keep: each.origin + '/' for keep, each in sites.items()}
configure_sources({url: {'kind': 'site', 'keep': keep} for keep, url in starts.items()})
reload()
soon('pages are found whatever is kept of them', starts.values(), 'chestnut')


def store_bytes():
    return sum(os.path.getsize(path) for path in glob.glob(Daemon.index + '/web/*/*.warc.gz'))


def answered(n):
    """Each page was asked so often, and no request is without its answer."""
    return all(len(each.asked('/')) == n for each in sites.values()) and query('SELECT count(*) FROM web_host WHERE asked IS NOT NULL') == [(0,)]


wait_until('all is kept', lambda: answered(1))
before = store_bytes()
visit(*starts.values())
wait_until('they are asked again', lambda: answered(2))
daemon.sync()
equal(store_bytes(), before, 'the same bytes are not stored again')
for keep, url in starts.items():
    sites[keep].pages['/'] = Page('<p>hazelnut page')
visit(*starts.values())
soon('a change is found', starts.values(), 'hazelnut')
soon('the old text is not', [], 'chestnut')
daemon.stop()
finish()
