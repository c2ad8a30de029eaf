# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that left the index are found again when they are back, although their bytes never changed:
after 404, noindex, moves to and fro, and when another source takes them over."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *


def due(path):
    return query('SELECT due IS NOT NULL FROM web_url WHERE web_path(path) = ?', path) == [(1,)]


def again(path, status):
    """The page is asked once more, and has this answer."""
    asked = len(site.asked(path))
    wait_until(f'{path} is visited', lambda: visit(site.origin + path) == 1)
    wait_until(f'{path} is answered', lambda: len(site.asked(path)) > asked)
    equal(site.asked(path)[asked][3], status, f'{path} has the answer {status}')


def urls(*paths):
    return [site.origin + path for path in paths]


text = {name: Page(f'<p>walnut {name}', ETag=f'"{name}"') for name in ('lost', 'hidden', 'late', 'old', 'docs', 'moved')}
links = ''.join(f'<a href="{path}">x</a> ' for path in ('/lost', '/hidden', '/late', '/old', '/docs/a', '/docs/b'))
site = Site({'/': Page(f'<p>walnut start {links} <a rel="nofollow" href="/twice">no</a> <a href="/twice">yes</a>', ETag='"start"'),
             '/lost': text['lost'], '/late': text['late'], '/old': text['old'],
             '/hidden': Page(text['hidden'].body, ETag='"hidden"', X_Robots_Tag='noindex'),
             '/docs/a': Page('<p>walnut docs a', ETag='"a"'), '/docs/b': Page('<p>walnut docs b', ETag='"b"'),
             '/twice': Page('<p>walnut twice')})
all_paths = ['/', '/late', '/lost', '/old', '/docs/a', '/docs/b', '/twice']
configure_sources({site.origin + '/': {'kind': 'site'}})
daemon = Daemon('-v')
soon('the pages of a site are found, also one that a second link allows to follow', urls(*all_paths), 'walnut')

# ---- not there for a time
site.pages['/lost'] = Page('none', 404)
again('/lost', 404)
soon('a page that is not there is not found', urls(*[path for path in all_paths if path != '/lost']), 'walnut')
site.pages['/lost'] = text['lost']
again('/lost', 200)
soon('a page that is back unchanged is found', urls(*all_paths), 'walnut')
again('/lost', 304)

# ---- noindex in the header
site.pages['/hidden'] = text['hidden']
again('/hidden', 200)
all_paths.append('/hidden')
soon('a page whose header lost its noindex is found', urls(*all_paths), 'walnut')
text['late'].headers['X-Robots-Tag'] = 'noindex'
again('/late', 304)
all_paths.remove('/late')
soon('noindex in an answer without a body is obeyed', urls(*all_paths), 'walnut')
del text['late'].headers['X-Robots-Tag']
again('/late', 200)
all_paths.append('/late')
soon('and is forgotten when it goes', urls(*all_paths), 'walnut')

# ---- moved, and moved back
site.pages['/old'] = Page('', 301, Location='/new')
site.pages['/new'] = text['old']
again('/old', 301)
all_paths[all_paths.index('/old')] = '/new'
soon('a page that has moved is found where it is', urls(*all_paths), 'walnut')
ok(not due('/old'), 'its old URL is not asked any more')
site.pages['/old'], site.pages['/new'] = text['old'], Page('', 301, Location='/old')
again('/new', 301)
wait_until('the old URL is asked again', lambda: due('/old'))
again('/old', 200)
all_paths[all_paths.index('/new')] = '/old'
soon('a page that has moved back is found', urls(*all_paths), 'walnut')

# ---- the start moves for a time
start = site.pages['/']
site.pages['/'] = Page('', 301, Location='/closed')
site.pages['/closed'] = Page('<p>hazelnut closed')
again('/', 301)
soon('the page that stands for the start is found', urls('/closed'), 'hazelnut')
ok(due('/'), 'the URL of a source is asked again, wherever it leads')
site.pages['/'] = start
again('/', 200)
soon('a start that is back is found', urls(*all_paths), 'walnut')

# ---- a site within a site
two = {site.origin + '/': {'kind': 'site'}, site.origin + '/docs/': {'kind': 'site'}}
site.pages['/docs/'] = Page('<p>walnut docs start <a href="a">a</a> <a href="b">b</a>', ETag='"i"')
configure_sources(two)
reload()
all_paths.append('/docs/')
soon('each page is found once', urls(*all_paths), 'walnut')
wait_until('the pages are those of the inner site', lambda: query(
    'SELECT r.url, count(*) FROM web_page p JOIN web_root r ON r.source = p.source JOIN node n ON n.inode = p.inode '
    'GROUP BY r.url ORDER BY r.url') == [(f'{site.origin}/'.encode(), len(all_paths) - 3 + 1), (f'{site.origin}/docs/'.encode(), 3)])
site.pages['/docs/b'] = Page('', 410)
again('/docs/b', 410)
all_paths.remove('/docs/b')
soon('a page that was read for the outer site leaves with the inner one', urls(*all_paths), 'walnut')
configure_sources({site.origin + '/': {'kind': 'site'}})
reload()
soon('the outer site has the pages of the inner one that is removed', urls(*all_paths), 'walnut')
polite('a second lies between two requests', site)
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
