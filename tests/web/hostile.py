# SPDX-License-Identifier: GPL-3.0-or-later
"""What servers send that they should not: feeds that are HTML, sitemaps without end, charsets that
lie, robots.txt of any size and bytes, redirects without end. Each host has an address of its own, so
all are read at the same time. SEED repeats the bytes."""
import os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

seed = int(os.environ.get('SEED', random.randrange(1 << 32)))
print(f'# SEED={seed}', flush=True)
rng = random.Random(seed)
TEXT = 'text/plain'
XML = 'application/xml'


class Endless(dict):
    """Each page leads to the next one."""

    def get(self, path, default=None):
        if path.startswith('/r/'):
            return Page('', 302, Location=f'/r/{int(path[3:]) + 1}')
        return super().get(path, default)


def host(number, robots=b'', pages=None):
    site = Site(address=f'127.0.0.{number}')
    site.pages = Endless(pages or {})
    site.pages['/robots.txt'] = Page(robots.replace(b'ORIGIN', site.origin.encode()), Content_Type=TEXT)
    return site


def links(*paths):
    return Page('<p>walnut start ' + ' '.join(f'<a href="{path}">page</a>' for path in paths))


def paths(site):
    return [entry[1] for entry in site.log]


RULES = b'User-agent: *\nDisallow: /private\n'
START = {'/': links('/private/x', '/open'), '/open': Page('<p>walnut open'), '/private/x': Page('<p>walnut private')}
huge = host(11, RULES + b'# ' + b'x' * (100 << 20), START)
binary = host(12, rng.randbytes(20000) + b'\n' + RULES, START)
wide = host(13, RULES.decode().encode('utf-16'), START)
feed = host(14, b'', {'/feed': Page('<html><head><title>Feed</title></head><body><p>walnut no feed</body></html>')})
deep = host(15, b'Sitemap: ORIGIN/a.xml')
deep.pages.update({
    '/': Page('<p>walnut deep'),
    '/a.xml': Page(f'<sitemapindex><sitemap><loc>{deep.origin}/a.xml</loc></sitemap><sitemap><loc>{deep.origin}/b.xml</loc></sitemap></sitemapindex>', Content_Type=XML),
    '/b.xml': Page(f'<sitemapindex><sitemap><loc>{deep.origin}/a.xml</loc></sitemap><sitemap><loc>{deep.origin}/c.xml</loc></sitemap></sitemapindex>', Content_Type=XML),
    '/c.xml': Page(f'<urlset><url><loc>{deep.origin}/listed</loc></url></urlset>', Content_Type=XML),
    '/listed': Page('<p>walnut listed')})
many = host(16, b'Sitemap: ORIGIN/many.xml')
many.pages['/'] = Page('<p>walnut many')
many.pages['/many.xml'] = Page('<urlset>' + ''.join(f'<url><loc>{many.origin}/n/{i}</loc></url>' for i in range(50001)) + '</urlset>', Content_Type=XML)
round_ = host(17, b'', {'/': links('/one', '/r/1'), '/one': Page('', 302, Location='/two'), '/two': Page('', 302, Location='/one')})
charsets = host(18)
LIES = {
    '/mark': Page('\ufeff<p>cedar mörk'.encode(), Content_Type='text/html; charset=iso-8859-1'),
    '/bytes': Page('<p>cedar grünspan'.encode('latin-1'), Content_Type='text/html; charset=utf-8'),
    '/wide': Page(b'<p>cedar narrow', Content_Type='text/html; charset=utf-16'),
    '/unknown': Page('<meta charset="utf-8"><p>cedar größe'.encode(), Content_Type='text/html; charset=xyzzy'),
    '/quoted': Page('<p>cedar süden'.encode(), Content_Type='text/html; charset="utf-8'),
}
charsets.pages.update({'/': links(*LIES), **LIES})
sites = [huge, binary, wide, deep, round_, charsets]
configure_sources({**{site.origin + '/': {'kind': 'site', 'pages': '12'} for site in sites},
                   many.origin + '/': {'kind': 'site', 'pages': '20000'}, feed.origin + '/feed': {'kind': 'feed'}})
daemon = Daemon('-v')


def told(site):
    """The failure that the roots tell of the source."""
    out = subprocess.run(['tarsier', 'roots', '--json'], capture_output=True, text=True, timeout=60).stdout
    return [line for line in out.splitlines() if site.origin in line]


for name, site in (('100 MB', huge), ('any bytes', binary), ('UTF-16', wide)):
    wait_until(f'the page beside a robots.txt of {name} is asked', lambda: '/open' in paths(site), 90)
    equal(paths(site), ['/robots.txt', '/', '/open'], f'the rules of a robots.txt of {name} are obeyed')
wait_until('the feed is asked', lambda: '/feed' in paths(feed), 60)
ok(wait_until('its failure is told', lambda: any('"failure":"no-feed"' in line for line in told(feed)), 30), 'a feed that is HTML is told to have failed', told(feed))
wait_until('its pages are asked', lambda: {'/', '/listed'} <= set(paths(deep)), 90)
equal(sorted(paths(deep)), ['/', '/a.xml', '/b.xml', '/c.xml', '/listed', '/robots.txt'], 'each of the sitemaps that list each other is asked once')
wait_until('all listed pages are known', lambda: query("SELECT count(*) FROM web_url WHERE web_path(path) LIKE '/n/%'")[0][0] >= 50000, 120)
count = query("SELECT count(*) FROM web_url WHERE web_path(path) LIKE '/n/%'")[0][0]
ok(count in (50000, 50001), 'a sitemap of 50,001 pages is read', count)
for word, path in (('mörk', '/mark'), ('grünspan', '/bytes'), ('narrow', '/wide'), ('größe', '/unknown'), ('süden', '/quoted')):
    soon(f'{path[1:]}: the text is read in spite of its charset', [charsets.origin + path], word, seconds=90)
wait_until('the redirects end', lambda: query("SELECT 1 FROM web_url u JOIN web_host h ON h.id = u.host WHERE h.name = ? AND u.due = 0", round_.origin) == [], 90)
let_time_pass(4, 'another request of this host would come by then')
asked = [path for path in paths(round_) if path != '/robots.txt']
ok(len(asked) <= 13 and len(asked) == len(set(asked)), 'redirects without end are pages of the limit, and none is asked twice', asked)
for site in (*sites, many, feed):
    polite(f'{site.origin}: no request is early', site)
ok(found('walnut', 'private') == [], 'nothing that is forbidden is found', found('walnut', 'private'))
equal(daemon.status()['pid'], daemon.process.pid, 'the daemon lives')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
