# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of a feed are documents of their own, which are found after they left the feed; pages that
only a sitemap names are found; nothing is asked early after the daemon was stopped."""
import calendar, json, os, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *


def feed(*items):
    return Page('<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><ttl>60</ttl>' + ''.join(
        f'<item><title>{title}</title><guid isPermaLink="false">{guid}</guid><pubDate>Sat, 07 Feb 2026 10:00:00 GMT</pubDate>'
        f'<link>{link}</link><description>{text}</description></item>' for guid, title, link, text in items)
        + '</channel></rss>', Content_Type='application/rss+xml')


site = Site()
url = site.origin + '/news.xml'
one, two, three = (f'{site.origin}/{name}' for name in ('one', 'two', 'three'))
site.pages = {
    '/robots.txt': Page(f'Sitemap: {site.origin}/map.xml.gz', Content_Type='text/plain'),
    '/news.xml': Page('', 302, Location='/current.xml'),
    '/current.xml': feed(('a', 'First', one, '&lt;p&gt;walnut &amp;lt;b&amp;gt; first'), ('b', 'Second', two, 'walnut second'),
                         ('c', 'Same link', two, 'hazelnut third')),
}
configure_sources({url: {'kind': 'feed'}})
daemon = Daemon('-v')
soon('the items of a feed are found by their links', [one, two], 'walnut')
soon('two items of one link are two documents', [url + '#id%20c'], 'hazelnut')
soon('an item has the date of the feed', [one], 'walnut', 'first', 'date:2026-02-07')
soon('an item has its title', [two], 'title:second')
equal(site.asked('/map.xml.gz'), [], 'the sitemap of the host of a feed is not asked')
equal([path for _, path, _, _ in site.log], ['/robots.txt', '/news.xml', '/current.xml'], 'nothing else is asked')
polite('a second lies between two requests', site)

# ---- pages in the terminal
bin = os.path.join(os.environ['TEST_TMP'], 'bin')
os.mkdir(bin)
with open(bin + '/gio', 'w') as f:
    f.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{bin}/opened.part"; mv "{bin}/opened.part" "{bin}/opened"\n')
os.chmod(bin + '/gio', 0o755)


def client(*arguments):
    environment = dict(os.environ, PATH=bin + ':' + os.environ['PATH'], DISPLAY='', WAYLAND_DISPLAY='')
    done = subprocess.run(['tarsier', *arguments], capture_output=True, text=True, timeout=60, env=environment)
    return done.returncode, done.stdout, done.stderr


def opened(*arguments):
    """Returns the exit code and the words that the opener was called with."""
    if os.path.exists(bin + '/opened'):
        os.remove(bin + '/opened')
    code = client(*arguments)[0]
    with open(bin + '/opened') as f:
        return code, f.read().splitlines()


asked = len(site.log)
code, out, err = client('show', one)
ok(code == 0 and 'walnut <b> first' in out, 'show prints the text of a page', code, out, err)
code, out, err = client('show', site.origin + '/missing')
ok(code == 1 and '/missing' in err, 'show names a page that the index does not have', code, out, err)
equal(opened('open', one), (0, ['open', one]), 'open hands the URL of a page to the opener')
client('walnut', 'second')
equal(opened('open', '1'), (0, ['open', two]), 'open N opens the page that the search showed')
equal(opened('search', '--open', 'walnut', 'first'), (0, ['open', one]), '--open opens the page')
equal(client('search', '-x', 'echo', 'got', '{}', ';', 'walnut', 'first')[1], f'got {one}\n', '-x hands the URL of a page on')
ok(one in client('info', one)[1], 'info tells what is known of a page')
equal(len(site.log), asked, 'none of these verbs asks the site')
daemon.stop()

# ---- the next visit: one item is gone, one has changed, one is new
site.pages['/current.xml'] = feed(('b', 'Second', two, 'walnut changed'), ('d', 'Fourth', three, 'walnut fourth'))
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE web_host SET feed_ms = 0')
db.execute('UPDATE web_url SET due = 0')
db.commit()
db.close()
begin = int(time.time())
planned = [json.loads(line)['next_visit'] for line in client('roots', '--json')[1].splitlines() if site.origin in line][0]
ok(begin <= calendar.timegm(time.strptime(planned, '%Y-%m-%dT%H:%M:%SZ')) <= time.time(), 'a visit that is due is planned for now', planned)
db = sqlite3.connect(Daemon.index + '/index.db')
for due in (0, 86400):
    db.execute('UPDATE web_url SET due = ?', (due,))
    db.commit()
    planned = json.loads(client('web', 'visit', url, '--json')[1])['due']
    ok(planned and begin <= calendar.timegm(time.strptime(planned, '%Y-%m-%dT%H:%M:%SZ')) <= time.time(), f'web visit tells so, too: due at {due}', planned)
db.close()
daemon = Daemon('-v')
soon('an item that left the feed is still found, and a new one', [one, two, three], 'walnut')
soon('a changed item is found by its new text', [two], 'changed')
soon('it is not found by its old one', [], 'walnut', 'second', '-title:second')
polite('a second lies between two requests of two daemons', site)

# ---- a site beside it, whose pages a sitemap names
site.pages['/docs/'] = Page('<p>cedar start')
site.pages['/docs/alone.html'] = Page('<p>cedar alone')
site.pages['/map.xml.gz'] = Page(gzip.compress(
    f'<urlset><url><loc>{site.origin}/docs/alone.html</loc><lastmod>2026-02-01</lastmod></url>'
    f'<url><loc>{site.origin}/outside.html</loc></url></urlset>'.encode()), Content_Type='application/gzip')
configure_sources({url: {'kind': 'feed'}, site.origin + '/docs/': {'kind': 'site'}})
daemon.stop()
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE web_host SET robots_s = 0')
db.commit()
db.close()
daemon = Daemon('-v')
soon('a page that only a sitemap names is found', [site.origin + '/docs/', site.origin + '/docs/alone.html'], 'cedar')
equal(site.asked('/outside.html'), [], 'a page outside of the site is not asked, though a sitemap names it')
polite('a second lies between two requests of a site and a feed', site)
configure_sources({site.origin + '/docs/': {'kind': 'site'}})
reload()
soon('a removed feed is not found', [], 'walnut')
soon('the site of the same host stays', [site.origin + '/docs/', site.origin + '/docs/alone.html'], 'cedar')
daemon.stop()

# ---- items that share a guid
twin = Site()
one, two, same = (f'{twin.origin}/{name}' for name in ('one', 'two', 'same'))
twin.pages['/twins.xml'] = feed(('g', 'Newest', one, 'birch newest'), ('g', 'Middle', two, 'birch middle'), ('g', 'Copy', two, 'birch copy'),
                                ('g', 'Nowhere', '', 'birch nowhere'), ('', 'First of a link', same, 'birch link'), ('', 'Second', same, 'birch second'))
twins = twin.origin + '/twins.xml'
TWINS = [one, same, twins + '#id%20g%20url%20', two]
RECORDS = 'SELECT inode, file, offset FROM web_page ORDER BY inode'
configure_sources({twins: {'kind': 'feed'}})
daemon = Daemon('-v')
soon('the items of one guid are told apart by their links', TWINS, 'birch')
soon('the first item of a guid and link counts', [one], 'newest')
soon('so does the first item of a link', [], 'birch', 'copy', 'OR', 'birch', 'second')
daemon.stop()
records = query(RECORDS)
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE web_host SET feed_ms = 0')
db.execute('UPDATE web_url SET due = 0')
db.commit()
db.close()
daemon = Daemon('-v')
wait_until('the feed is asked again', lambda: len(twin.asked('/twins.xml')) == 2, 60)
daemon.sync()
soon('it has the same items', TWINS, 'birch')
daemon.stop()
equal(query(RECORDS), records, 'items of a feed that is the same are not stored again')

# ---- a host that wants long pauses
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('UPDATE web_host SET delay_ms = 3600000')
db.commit()
db.close()
ok('1 h 0 min between requests' in client('status')[1], 'a long pause is told in hours', client('status'))
finish()
