# SPDX-License-Identifier: GPL-3.0-or-later
"""A redirect of a feed, a sitemap or the page of an item leads nowhere that robots.txt forbids, and is
followed no sooner than its Crawl-delay allows."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *


def feed(*items):
    return Page('<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>' + ''.join(
        f'<item><title>{title}</title><link>{link}</link><description>{text}</description></item>' for title, link, text in items)
        + '</channel></rss>', Content_Type='application/rss+xml')


site = Site()
site.pages = {
    '/robots.txt': Page('User-agent: *\nDisallow: /private/\nCrawl-delay: 3\n', Content_Type='text/plain'),
    '/one.xml': Page('', 302, Location='/private/one.xml'),
    '/private/one.xml': feed(('A', f'{site.origin}/a', 'walnut secret')),
    '/two.xml': Page('', 302, Location='/open/two.xml'),
    '/open/two.xml': feed(('B', f'{site.origin}/b', 'walnut open'), ('C', f'{site.origin}/c', 'walnut teaser')),
    '/b': Page('', 302, Location='/private/b'),
    '/private/b': Page('<p>walnut hidden page'),
    '/c': Page('', 302, Location='/open/c'),
    '/open/c': Page('<p>hazelnut page of an item'),
}
configure_sources({site.origin + '/one.xml': {'kind': 'feed'}, site.origin + '/two.xml': {'kind': 'feed', 'full': 'true'}})
daemon = Daemon('-v')
soon('the page of an item is found where a redirect leads', [site.origin + '/c'], 'hazelnut', seconds=150)
wait_until('the other pages are asked', lambda: site.asked('/b') and site.asked('/one.xml'), 90)
visited = len(site.asked('/one.xml'))
wait_until('the feed is visited again', lambda: visit(site.origin + '/one.xml') == 1)
wait_until('it is asked again', lambda: len(site.asked('/one.xml')) > visited, 90)
soon('what robots.txt forbids is not found', [site.origin + '/b'], 'walnut')
equal([path for _, path, _, _ in site.log if path.startswith('/private/')], [], 'nor asked, wherever a redirect leads')
ok(all(gap >= 2.999 for gap in site.gaps()), 'the Crawl-delay lies before a redirect too', site.gaps(), [entry[1] for entry in site.log])
daemon.stop()
finish()
