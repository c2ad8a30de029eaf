# SPDX-License-Identifier: GPL-3.0-or-later
"""With web.full, the page that an item of a feed links to takes the place of the item's text: once,
politely, where robots.txt and the page allow it; else the text of the feed stays."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *


def feed(*items):
    return Page('<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>' + ''.join(
        f'<item><title>Title {name}</title><guid isPermaLink="false">{name}</guid><author>Ada Crane</author>'
        f'<pubDate>Sat, 07 Feb 2026 10:00:00 GMT</pubDate><link>{link}</link><description>walnut teaser{name} {more}</description></item>'
        for name, link, more in items) + '</channel></rss>', Content_Type='application/rss+xml')


def article(name, head='', more=''):
    body = ' '.join(f'This sentence of the article {name} has number{i} and is long enough to be read by somebody.' for i in range(12))
    return Page(f'<html><head><title>Page {name}</title>{head}</head><body><nav><a href="/elsewhere">elsewhere</a></nav>'
                f'<article><h1>Article</h1><p>hazelnut whole{name} {more} {body}</p></article></body></html>')


site = Site()
url = site.origin + '/news.xml'
names = ('plain', 'moved', 'private', 'hidden', 'tagged', 'gone', 'picture')
link = {name: f'{site.origin}/a/{name}' for name in names}
site.pages = {
    '/robots.txt': Page('User-agent: *\nDisallow: /a/private', Content_Type='text/plain'),
    '/news.xml': feed(*((name, link[name], '') for name in names), ('other', 'http://127.0.0.9:1/x', '')),
    '/a/plain': article('plain', more='<b>&lt;script&gt;'),
    '/a/moved': Page('', 302, Location='/b/moved'),
    '/b/moved': article('moved'),
    '/a/private': article('private'),
    '/a/hidden': article('hidden', '<meta name="robots" content="noindex">'),
    '/a/tagged': article('tagged'),
    '/a/picture': Page(b'\x89PNG', Content_Type='image/png'),
}
site.pages['/a/tagged'].headers['X-Robots-Tag'] = 'noindex'
configure_sources({url: {'kind': 'feed', 'full': 'true'}})
daemon = Daemon('-v')
wait_until('all pages are asked', lambda: {'/a/' + name for name in names} - {'/a/private'} <= {entry[1] for entry in site.log}, 90)
soon('the page takes the place of the text of its item', [link['moved'], link['plain']], 'hazelnut')
soon('the text of the feed stays otherwise', sorted([link[name] for name in names if name not in ('plain', 'moved')] + ['http://127.0.0.9:1/x']), 'walnut')
equal(found('title:title', 'hazelnut', 'author:crane', 'date:2026-02-07'), sorted([link['moved'], link['plain']]), 'title, author and date stay those of the item')
equal(found('elsewhere'), [], 'what surrounds the article is left out')
equal([entry for entry in site.log if entry[1] in ('/a/private', '/elsewhere')], [], 'robots.txt is obeyed, and links of the pages are not followed')
ok(all(len(site.asked(entry[1])) == 1 for entry in site.log), 'each page is asked once', [entry[1] for entry in site.log])
polite('a second lies between two requests', site)


def visit_feed():
    """The feed is asked again, as if an hour had passed."""
    daemon.stop()
    db = open_index('rw')
    db.execute('UPDATE web_host SET feed_ms = 0')
    db.execute("UPDATE web_url SET due = 0 WHERE web_path(path) = '/news.xml'")
    db.commit()
    db.close()
    before = len(site.log)
    started = Daemon('-v')
    wait_until('the feed is asked again', lambda: len(site.asked('/news.xml')) > 1 and len(site.log) > before)
    return started


# ---- the feed changes: one item is new, one has another text, one is gone
new = f'{site.origin}/a/new'
site.pages['/a/new'] = article('new')
site.pages['/a/moved'] = article('moved', more='chestnut')
site.pages['/a/plain'] = article('plain', more='almond')
site.pages['/news.xml'] = feed(('plain', link['plain'], ''), ('moved', link['moved'], 'corrected'), ('new', new, ''))
daemon = visit_feed()
soon('the page of a new item is fetched', [link['moved'], link['plain'], new], 'hazelnut', seconds=60)
soon('the page of an item that changed is fetched again', [link['moved']], 'chestnut')
equal([len(site.asked(path)) for path in ('/a/plain', '/a/moved', '/a/new')], [1, 2, 1], 'the page of an item that did not change is not asked again')
polite('a second lies between two requests of the next visit', site)

# ---- a site that has the pages takes them over, and the client knows the option
configure_sources({url: {'kind': 'feed', 'full': 'true'}, site.origin + '/a/': {'kind': 'site', 'pages': '20'}})
site.pages['/a/'] = Page('<a href="plain">plain</a>')
site.pages['/a/plain'] = article('plain', more='pistachio')
reload()
soon('a page of an item becomes a page of a site that is added', [link['plain']], 'pistachio', seconds=60)
configure_sources({})
reload()
soon('a removed feed takes its items with it', [], 'walnut')
wait_until('its URLs are gone', lambda: query('SELECT count(*) FROM web_url') == [(0,)])
equal(query('SELECT count(*) FROM web_url'), [(0,)], 'a removed feed takes the URLs of its pages with it')
daemon.stop()
for words, said in ((('--full', '--keep', 'nothing'), '--full needs'), (('--full', '--site'), '--full is for feeds')):
    done = subprocess.run(['tarsier', 'add', url, *words], capture_output=True, text=True, timeout=60)
    ok(done.returncode == 2 and said in done.stderr, f'{" ".join(words)} is refused', done)
done = subprocess.run(['tarsier', 'add', url, '--feed', '--full'], capture_output=True, text=True, timeout=60)
with open(os.path.join(HOME, '.config/tarsier/tarsier.conf')) as f:
    ok(done.returncode == 0 and 'full = true' in f.read() and 'pages of its items' in done.stderr, '--full is written into the configuration', done)
finish()
