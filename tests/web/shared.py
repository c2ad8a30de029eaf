# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources that share a directory: a feed within a site is read though the site had its URL before, and
each keeps its documents when the other is removed; two URLs of one directory are one site."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/': Page('<p>walnut start <a href="/news.xml">news</a> <a href="/one">one</a>'), '/one': Page('<p>walnut one'),
             '/index.html': Page('<p>walnut index')})
feed, item, start = site.origin + '/news.xml', site.origin + '/item', site.origin + '/'
site.pages['/news.xml'] = Page(f'<rss version="2.0"><channel><title>News</title><item><guid>1</guid><title>Item</title><link>{item}</link>'
                               '<description>hazelnut</description></item></channel></rss>', Content_Type='application/rss+xml')
pages = [start, start + 'one']
as_site, as_feed = {start: {'kind': 'site'}}, {feed: {'kind': 'feed'}}


def become(sources):
    configure_sources(sources)
    reload()


configure_sources(as_site)
daemon = Daemon('-v')
soon('a site is read', pages, 'walnut')
wait_until('the site has asked for the feed as a page', lambda: query("SELECT 1 FROM web_url WHERE web_path(path) = '/news.xml' AND kind = 0 AND status = 200"))
become(as_site | as_feed)
soon('a feed within it is read', [item], 'hazelnut')
equal(query("SELECT kind FROM web_url WHERE web_path(path) = '/news.xml'"), [(1,)], 'its URL is not a page any more')
become(as_feed)
soon('without the site, its pages are gone', [], 'walnut')
equal(found('hazelnut'), [item], 'and the feed has its items')
become(as_site | as_feed)
soon('the site comes back', pages, 'walnut')
become(as_site)
soon('without the feed, its items are gone', [], 'hazelnut')
equal(found('walnut'), pages, 'and the site has its pages')
equal(query("SELECT count(*) FROM web_url WHERE kind = 1"), [(0,)], 'no URL of it is left')

# ---- two URLs of one directory
become(as_site | {start + 'index.html': {'kind': 'site', 'pages': '7'}})
soon('of two URLs of one directory, the first is the site', pages, 'walnut')
equal(query('SELECT pages_most FROM web_source'), [(5000,)], 'its limits count')
ok('index.html is not read by itself' in log_text(), 'the log says so', log_text())
before = len(site.asked('/one'))
become({start + 'index.html': {'kind': 'site', 'pages': '7'}})
soon('when the first is removed, the other takes the pages over', pages + [start + 'index.html'], 'walnut')
equal(query('SELECT pages_most FROM web_source'), [(7,)], 'with its own limits')
equal(query('SELECT url FROM web_root'), [((start + 'index.html').encode(),)], 'and its name')
equal(query("SELECT count(*) FROM node WHERE parent = 0 AND CAST(name AS TEXT) LIKE 'http%'"), [(1,)], 'it has one root')
equal(len(site.asked('/one')), before, 'and they are not asked again for that')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
