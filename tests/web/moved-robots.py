# SPDX-License-Identifier: GPL-3.0-or-later
"""A robots.txt that lies on another host, up to five redirects away, has the rules of the host that led
there. The other host is left in peace as ever, and no host of this machine is asked that nobody added."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

TEXT = {'Content_Type': 'text/plain'}
PAGES = {'/': Page('<p>walnut <a href="/secret">s</a><a href="/open">o</a>'), '/secret': Page('<p>walnut'), '/open': Page('<p>walnut')}


def leads_to(url):
    return Page('', 302, Location=url)


def chain(site, length, end):
    """Pages of the site that lead on to each other, so many redirects in all."""
    for n in range(1, length):
        site.pages[f'/{n}'] = leads_to(f'{site.origin}/{n + 1}' if n < length - 1 else end)
    return f'{site.origin}/1'


rules = Site(PAGES | {'/robots.txt': Page('User-agent: *\nDisallow: /secret\nCrawl-delay: 2\n', **TEXT)}, '127.0.0.2')
moved = [Site(PAGES | {'/robots.txt': leads_to(rules.origin + '/robots.txt')}, f'127.0.1.{n}') for n in range(1, 5)]
absent = Site(PAGES | {'/robots.txt': leads_to(rules.origin + '/missing')}, '127.0.0.3')
five, six = Site(PAGES, '127.0.0.4'), Site(PAGES, '127.0.0.5')
hops = Site({'/robots.txt': Page('User-agent: *\nDisallow: /', **TEXT)}, '127.0.0.6')
five.pages['/robots.txt'] = leads_to(chain(hops, 5, rules.origin + '/robots.txt'))
six.pages['/robots.txt'] = leads_to(chain(Site({}, '127.0.0.7'), 6, rules.origin + '/robots.txt'))
nobody = Site(PAGES | {'/robots.txt': Page('', **TEXT)}, '127.0.0.8')
inside = Site(PAGES | {'/robots.txt': leads_to(nobody.origin + '/robots.txt')}, '127.0.0.9')
sites = [rules, *moved, absent, five, six, inside, hops]
configure_sources({site.origin + '/': {'kind': 'site'} for site in sites})
daemon = Daemon('-v')
soon('the rules of another host hold, and those of one that is missing there allow everything',
     [site.origin + path for site in [rules, *moved, five] for path in ('/', '/open')] + [absent.origin + path for path in PAGES], 'walnut', seconds=150)
equal([len(site.asked('/secret')) for site in [rules, *moved, five]], [0] * 6, 'what they forbid is not asked')
equal([path for _, path, _, _ in six.log + inside.log], ['/robots.txt'] * 2, 'too many redirects, or one to a host of this machine that nobody added: nothing is asked')
equal(nobody.log, [], 'nor is that host')
for site in (rules, hops, *moved, five):
    polite(f'a second lies between two requests, whoever led there: {site.origin}', site)
ok(all(gap >= 1.999 for gap in moved[0].gaps()[1:]), 'a Crawl-delay on the other host is that of the host that led there', moved[0].gaps())
daemon.stop()
finish()
