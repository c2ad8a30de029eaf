# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of a site that somebody added are found; robots.txt, noindex and nofollow are obeyed; no
request is early; a removed source leaves nothing."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site()
site.pages = {
    '/robots.txt': Page('User-agent: *\nDisallow: /docs/secret\n', Content_Type='text/plain'),
    '/docs/': Page('<title>Start</title><p>walnut <a href="one.html">one</a> <a href="secret.html">secret</a> '
                   '<a href="/elsewhere.html">outside</a> <a href="hidden.html" rel="nofollow">no</a> '
                   '<a href="private.html">private</a> <a href="old.html">old</a> <a href="en/">en</a>'),
    '/docs/one.html': Page(gzip.compress('<title>One</title><p>chestnut орех'.encode('koi8-r')),
                           Content_Type='text/html; charset=koi8-r', Content_Encoding='gzip', ETag='"1"'),
    '/docs/secret.html': Page('<p>walnut secret'),
    '/docs/hidden.html': Page('<p>walnut hidden'),
    '/docs/private.html': Page('<meta name="robots" content="noindex"><p>walnut cedar <a href="two.html">two</a>'),
    '/docs/two.html': Page('<title>Two</title><p>walnut two', X_Robots_Tag='otherbot: noindex'),
    '/docs/old.html': Page('', 301, Location='new.html'),
    '/docs/new.html': Page('<p>walnut moved'),
    '/docs/en/': Page('<noscript><meta http-equiv="Refresh" content="0; URL=\'part.html?a=1&amp;b=2\'"></noscript>'),
    '/docs/en/part.html?a=1&b=2': Page('<link rel="next" href="part-2.html"><p>maple first part'),
    '/docs/en/part-2.html': Page('<link rel="prev start" href="part-0.html"><p>maple second part'),
    '/docs/en/part-0.html': Page('<meta http-equiv=refresh content="30"><p>maple preface'),
    '/elsewhere.html': Page('<p>walnut outside'),
}
start = site.origin + '/docs/'
configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
soon('the pages of a site are found', [start, start + 'two.html', start + 'new.html'], 'walnut')
soon('a page that leads on by itself is followed, as are the next and the former part', [start + 'en/' + name for name in ('part.html?a=1&b=2', 'part-2.html', 'part-0.html')], 'maple')
soon('a page has the charset of its header', [start + 'one.html'], 'орех')
polite('a second lies between two requests', site)
equal([path for path in ('/docs/secret.html', '/docs/hidden.html', '/elsewhere.html') if site.asked(path)], [],
      'what is forbidden, not to be followed, or outside is not asked')
ok(site.log[0][1] == '/robots.txt', 'robots.txt is asked first', site.log[0])
ok('Tarsier/' in site.log[0][2].get('User-Agent', ''), 'the requests say who asks', site.log[0][2])
ok(len(site.asked('/docs/private.html')) == 1 and not found('cedar'), 'a page with noindex is read for its links only')

# ---- a visit
site.pages['/docs/'] = Page('<title>Start</title><p>hazelnut <a href="one.html">one</a>')
site.pages['/docs/two.html'] = Page('gone', 410)
equal(visit(start, start + 'two.html', start + 'one.html', start + 'none'), 3, 'known URLs are visited')
soon('a changed page is found by its new text', [start], 'hazelnut')
soon('it is not found by its old text, and a page that is gone is not found', [start + 'new.html'], 'walnut')
wait_until('the last page is asked again', lambda: len(site.asked('/docs/one.html')) == 2)
equal(site.asked('/docs/one.html')[1][2].get('If-None-Match'), '"1"', 'a visit is conditional')
soon('a page that has not changed stays', [start + 'one.html'], 'орех')
polite('a second lies between two requests of visits too', site)

known = []
for _ in range(10):
    daemon.stop()
    daemon = Daemon('-v')
    known.append(visit(start))
equal(known, [1] * 10, 'a URL is known as soon as the daemon answers')

# ---- the end
configure_sources({})
reload()
soon('a removed source is not found', [], 'hazelnut')
wait_until('the store is gone', lambda: not os.listdir(Daemon.index + '/web'))
equal(os.listdir(Daemon.index + '/web'), [], 'the store of a removed source is gone')
asked = len(site.log)
daemon.sync()
equal(query('SELECT count(*) FROM web_url'), [(0,)], 'its URLs are forgotten')
equal(len(site.log), asked, 'it is not asked any more')
daemon.stop()
finish()
