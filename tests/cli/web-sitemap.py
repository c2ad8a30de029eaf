# SPDX-License-Identifier: GPL-3.0-or-later
"""web sitemap prints the entries of sitemaps as sites have them: of any kind, sloppy, or damaged."""
import gzip, json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

PATH = os.path.join(TMP, 'sitemap')


def run(content, *options):
    with open(PATH, 'wb') as f:
        f.write(content.encode() if isinstance(content, str) else content)
    done = subprocess.run(['tarsier', 'web', 'sitemap', PATH, *options], capture_output=True, text=True, timeout=100)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def check(name, content, expected, code=0):
    """expected: tuples of loc, lastmod, changefreq and priority; a shorter one ends with None."""
    entries, returned, said = run(content)
    seen = [tuple(e[k] for k in ('loc', 'lastmod', 'changefreq', 'priority')) for e in entries]
    wanted = [(e if isinstance(e, tuple) else (e,)) for e in expected]
    wanted = [e + (None,) * (4 - len(e)) for e in wanted]
    ok(seen == wanted and returned == code, name, f'expected {wanted}', f'got {seen}, status {returned}, {said}')
    return entries


SITE = 'https://example.org/'
NS = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(inner, attributes=NS):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset{attributes}>{inner}</urlset>'


def urls(*locs):
    return ''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)


whole = urlset(f'''
 <url>
  <loc> {SITE}?a=1&amp;b=2 </loc>
  <lastmod>2026-03-01T11:30&#43;01:00</lastmod>
  <changefreq>Weekly</changefreq>
  <priority>0.80</priority>
 </url>
 <url><loc>{SITE}two</loc><lastmod>2026-03-01</lastmod></url>
''')
first = (SITE + '?a=1&b=2', '2026-03-01T10:30:00Z', 'weekly', 0.8)
second = (SITE + 'two', '2026-03-01')
entries = check('the entries of a sitemap are printed with their values', whole, [first, second])
ok(all(e['kind'] == 'page' for e in entries), 'entries of a sitemap are pages')
check('a sitemap that is packed with gzip is read', gzip.compress(whole.encode()), [first, second])
check('a sitemap that is packed twice is read', gzip.compress(gzip.compress(whole.encode())), [first, second])
check('a byte-order mark and white space may come first', '\ufeff\n \t\r\n' + whole, [first, second])
check('a sitemap in UTF-16 is read', urlset(urls(SITE + 'ä')).replace('UTF-8', 'UTF-16').encode('utf-16'), [SITE + 'ä'])
check('a declared charset is obeyed', urlset(urls(SITE + 'ä')).replace('UTF-8', 'iso-8859-1').encode('latin-1'), [SITE + 'ä'])
check('a sitemap without namespace is read', urlset(urls(SITE), ''), [SITE])
check('a sitemap of another namespace is read', urlset(urls(SITE), ' xmlns="http://example.org/wrong"'), [SITE])
check('the elements may have a prefix', '<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>' + SITE + '</s:loc></s:url></s:urlset>', [SITE])
check('addresses in extensions are not entries', urlset(f'<url><i:image><i:loc>{SITE}i.png</i:loc></i:image><loc>{SITE}</loc></url>',
      NS + ' xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'), [SITE])
check('sections of plain characters are text', urlset(urls(SITE + '<![CDATA[a?b=1&c=2]]>')), [SITE + 'a?b=1&c=2'])
check('an ampersand that nobody escaped is one', urlset(urls(SITE + '?a=1&b=2&copy=3&amp;d=4&#38;e', SITE + '?f=&')), [SITE + '?a=1&b=2&copy=3&d=4&e', SITE + '?f=&'])
check('white space of Unicode is cut', urlset(urls('\u00a0' + SITE + ' \u2003\n')), [SITE])
check('a second address begins another entry', urlset(f'<url><loc>{SITE}1</loc><lastmod>2026-01-02</lastmod><loc>{SITE}2</loc><loc>{SITE}3</loc><lastmod>2026-01-04</lastmod></url>'),
      [(SITE + '1', '2026-01-02'), SITE + '2', (SITE + '3', '2026-01-04')])
check('markup in an address does not hide it', urlset(f'<url><loc><url><![CDATA[{SITE}1]]></url></loc><lastmod>2026-01-02</lastmod></url>'), [(SITE + '1', '2026-01-02')])
check('no part of an address that is too long is one', urlset(urls(SITE + 'x' * 3900 + '&amp;' + 'y' * 500 + '&amp;z', SITE)), [SITE])
check('an entry without address is left out', urlset('<url><lastmod>2026-01-02</lastmod></url><url><loc> </loc></url>' + urls(SITE)), [SITE])
check('a frequency or priority that is none is left out', urlset(f'<url><loc>{SITE}</loc><changefreq>often</changefreq><priority>1.5</priority></url>'
      f'<url><loc>{SITE}</loc><priority>nan</priority></url><url><loc>{SITE}</loc><priority>-0.5</priority></url>'), [SITE, SITE, SITE])
check('a sitemap that was cut is read as far as it goes', urlset('')[:-9] + urls(SITE) + f'<url><loc>{SITE}2</lo', [SITE, SITE + '2'], 5)
check('an address that was cut is left out', urlset('')[:-9] + urls(SITE) + f'<url><loc>{SITE}2', [SITE], 5)

index, _, _ = run(f'''<sitemapindex{NS}><sitemap><loc>{SITE}1.xml.gz</loc><lastmod><![CDATA[2026-10-01T18:23:17+00:00]]></lastmod></sitemap>
<sitemap>\n{SITE}2?a=1&amp;b=2\n</sitemap><sitemap></sitemap></sitemapindex>''')
ok([(e['kind'], e['loc'], e['lastmod']) for e in index] == [('sitemap', SITE + '1.xml.gz', '2026-10-01T18:23:17Z'), ('sitemap', SITE + '2?a=1&b=2', None)],
   'an index of sitemaps is read, with addresses outside of their element', index)

check('a list of addresses is read', f'\ufeff{SITE}1\r\nnot an address\n\n  www.example.org/2?x \nmailto:a@example.org\n', [SITE + '1', 'www.example.org/2?x'])
check('the items of RSS are entries', f'''<rss version="2.0"><channel><link>{SITE}</link><pubDate>Thu, 05 Jan 2017 12:34:50 GMT</pubDate>
<item><link>{SITE}1</link><pubDate>Thu, 05 Jan 17 13:34:51 +0100</pubDate></item><item><guid isPermaLink="false">{SITE}2</guid><pubDate>5 Jan 2017 12:34:53 GMT</pubDate></item>
<item><guid>urn:x</guid></item><item><link>{SITE}3</link><pubDate>Thu, 05 Jan 2017 12:34:50</pubDate></item></channel></rss>''',
      [(SITE + '1', '2017-01-05T12:34:51Z'), (SITE + '2', '2017-01-05T12:34:53Z'), SITE + '3'])
check('the entries of Atom are entries', f'''<feed xmlns="http://www.w3.org/2005/Atom"><link href="{SITE}"/><entry><link rel="edit" href="{SITE}e"/><link href="{SITE}1"/>
<published>2003-12-13T08:29:29Z</published><updated>2003-12-13T18:30:02Z</updated></entry></feed>''', [(SITE + '1', '2003-12-13T18:30:02Z')])
check('the address of a picture is not an entry', f'''<rss version="2.0"><channel><image><url>{SITE}a.png</url><title>A</title><link>{SITE}</link></image>
<item><link>{SITE}1</link></item></channel></rss>''', [f'{SITE}1'])
check('the items of RSS 1.0 are entries', f'''<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><link>{SITE}</link><items><rdf:Seq><rdf:li resource="{SITE}x"/></rdf:Seq></items></channel><item rdf:about="{SITE}1"><link>{SITE}1</link><dc:date>2026-03-01</dc:date></item></rdf:RDF>''',
      [(SITE + '1', '2026-03-01')])

secret = os.path.join(TMP, 'secret')
with open(secret, 'w') as f:
    f.write('https://example.org/secret')
check('no entity is read from a file', f'<!DOCTYPE urlset [<!ENTITY e SYSTEM "file://{secret}">]>' + urlset(urls(SITE, '&e;')).split('\n', 1)[1], [SITE], 5)
check('no file is included', urlset(urls(SITE) + f'<url><loc><x:include href="file://{secret}" parse="text"/></loc></url>', NS + ' xmlns:x="http://www.w3.org/2001/XInclude"'), [SITE])
check('a text without addresses is not a sitemap', 'this is not a sitemap', [], 1)
check('an empty file is not a sitemap', '', [], 1)
for content in (urlset(''), '', 'this is not a sitemap'):
    entries, code, said = run(content)
    ok(code == 1 and said == f'{PATH}: the sitemap has no entries\n' and run(content, '-q')[2] == '', 'a sitemap without entries is told', said)

entries, code, said = run(urlset(urls(*[f'{SITE}{i}' for i in range(50010)])))
ok(len(entries) == 50000 and code == 5 and entries[-1]['loc'] == SITE + '49999', 'a sitemap is read up to 50,000 entries', len(entries), code, said)
for date, expected in {'1997': '1997-01-01', '1997-07': '1997-07-01', '1997-07-16': '1997-07-16', '1997-07-16T19:20+01:00': '1997-07-16T18:20:00Z',
                       '1997-07-16T19:20:30+01:00': '1997-07-16T18:20:30Z', '1997-07-16T19:20:30.45-05:00': '1997-07-17T00:20:30Z', '19970716T192030Z': '1997-07-16T19:20:30Z',
                       '1997-07-16 19:20:30': '1997-07-16T19:20:30Z', '1997-13-01': None, '1997-02-30': None, 'yesterday': None, '12': None}.items():
    check(f'lastmod "{date}" is {expected or "no date"}', urlset(f'<url><loc>{SITE}</loc><lastmod>{date}</lastmod></url>'), [(SITE, expected)])
done = subprocess.run(['tarsier', 'web', 'sitemap', '-'], input=whole, capture_output=True, text=True, timeout=100)
ok(done.returncode == 0 and done.stdout == ''.join(json.dumps(e, separators=(',', ':')) + '\n' for e in run(whole)[0]), '- is standard input', done)
ok(subprocess.run(['tarsier', 'web', 'sitemap'], capture_output=True).returncode == 2, 'without a file the usage is wrong')
finish()
