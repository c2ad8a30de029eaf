# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept of a page is what the source says; answers that are broken, endless or lead to
other servers do no harm."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

PAGE = Page('<title>Kept</title><script>unkept()</script><p>walnut page')
whole, text, nothing = (Site({'/': PAGE}) for _ in range(3))
other = Site({'/': Page('<p>walnut other'), '/news.xml': Page('<p>walnut other')})
feed = Site({'/news.xml': Page('', 301, Location=other.origin + '/news.xml')})
hostile = Site({
    '/': Page('<p>cedar start <a href="loop">loop</a> <a href="//[">bad</a> <a href="javascript:x">x</a> <a href="data:text/html,cedar">y</a> '
              '<a href="away">away</a> <a href="image">image</a> <a href="error">error</a>'),
    '/loop': Page('', 302, Location='/loop'),
    '/away': Page('', 302, Location=other.origin + '/'),
    '/image': Page(b'\x89PNG cedar', Content_Type='image/png'),
    '/error': Page('cedar error', 500),
})
sources = {site.origin + '/': {'kind': 'site', 'keep': keep} for site, keep in ((whole, 'page'), (text, 'text'), (nothing, 'nothing'))}
sources |= {feed.origin + '/news.xml': {'kind': 'feed'}, hostile.origin + '/': {'kind': 'site'}}
configure_sources(sources)
daemon = Daemon('-v')
soon('pages are found whatever is kept of them', [site.origin + '/' for site in (whole, text, nothing)], 'walnut')


def kept(site):
    return query('SELECT p.kind, p.file > 0 FROM web_page p JOIN web_root r ON r.source = p.source WHERE r.url = ?', site.origin + '/')


equal([kept(site) for site in (whole, text, nothing)], [[(0, 1)], [(2, 1)], [(0, 0)]], 'rows say what is kept')
wait_until('the hostile site is read', lambda: len(hostile.log) >= 6)
soon('only the page of a hostile site that is one is found', [hostile.origin + '/'], 'cedar')
equal(other.log, [], 'no redirect leads to a server that nobody added')
equal(len(hostile.asked('/loop')), 1, 'a redirect to itself is not followed at once')
polite('a second lies between two requests', hostile)
wait_until('the feed is asked', lambda: feed.asked('/news.xml'))
wait_until('its answer is taken', lambda: query('SELECT 1 FROM web_root WHERE failure IS NOT NULL'))
equal(query('SELECT url, failure FROM web_root WHERE failure IS NOT NULL'), [((feed.origin + '/news.xml').encode(), b'refused-address')],
      'a feed that leads to a server that nobody added is refused, and this is told')
ok(query('SELECT due FROM web_url WHERE web_path(path) = ?', '/news.xml')[0][0], 'it is asked again')
daemon.stop()
finish()
