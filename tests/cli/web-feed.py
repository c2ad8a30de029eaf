# SPDX-License-Identifier: GPL-3.0-or-later
"""web feed prints the feed and its items, whatever format and dialect they are in."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

PATH = os.path.join(TMP, 'feed')


def run(content, *options):
    with open(PATH, 'wb') as f:
        f.write(content.encode() if isinstance(content, str) else content)
    done = subprocess.run(['tarsier', 'web', 'feed', PATH, *options], capture_output=True, text=True, timeout=100)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return (lines[0] if lines else None), lines[1:], done.returncode, done.stderr


def check(name, content, feed, items, options=(), code=0):
    """feed and items: the values that must be there; each may leave out keys."""
    seen, seen_items, returned, said = run(content, *options)
    same = returned == code and len(items) == len(seen_items) and all(
        wanted[key] == got[key] for wanted, got in zip([feed] + items, [seen] + seen_items) for key in wanted)
    ok(same, name, f'expected {feed} {items}', f'got {seen} {seen_items}, status {returned}, {said}')


def rss(inner, channel='', version='2.0', attributes=''):
    return f'<rss version="{version}" {attributes}><channel>{channel}<item>{inner}</item></channel></rss>'


SITE = 'https://example.org/'
check('RSS 2.0 is read', f'''<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour &amp;amp; tide</title><link>{SITE}</link><description>d</description>
<image><title>Not the title</title><link>{SITE}image</link></image>
<item><title>&lt;b&gt;Crane&lt;/b&gt; repaired</title><link> {SITE}1 </link><guid isPermaLink="false">g-1</guid><author>ada@example.org (Ada Keeper)</author>
<pubDate>Sat, 07 Sep 2024 01:30:00 +0200</pubDate><description><![CDATA[<p>New <i>cable</i></p><p>fitted &amp; tested</p>]]></description>
<enclosure url="{SITE}a.mp3" length="12" type="audio/mpeg"/></item><item><guid>{SITE}2</guid></item></channel></rss>''',
      {'title': 'Harbour & tide', 'link': SITE, 'kind': 'rss', 'version': '2.0'},
      [{'title': 'Crane repaired', 'link': SITE + '1', 'id': 'g-1', 'author': 'Ada Keeper', 'date': '2024-09-06T23:30:00Z', 'updated': None,
        'text': 'New cable\nfitted & tested', 'enclosures': [{'url': SITE + 'a.mp3', 'type': 'audio/mpeg', 'length': '12'}]},
       {'title': None, 'id': SITE + '2', 'link': SITE + '2', 'author': None, 'date': None, 'text': None, 'enclosures': []}])
check('Atom 1.0 is read', f'''<feed xmlns="http://www.w3.org/2005/Atom" xml:base="{SITE}blog/"><title>Log</title><link rel="self" href="self"/><link href="."/>
<author><name>Feed Author</name></author><entry><title type="html">Fog &lt;b&gt;signal&lt;/b&gt;</title><title>Not this</title><id>urn:x:1</id><link rel="edit" href="e"/><link href="1"/>
<link rel="enclosure" href="/f.ogg" type="audio/ogg" length="3"/><published>2025-11-01T08:15:00+01:00</published><updated>2025-11-02</updated>
<author><name>Bo</name><email>bo@example.org</email></author><author><email>cy@example.org</email></author><source><title>Other</title><author><name>Other</name></author></source>
<summary>short</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Two <em>long</em> blasts &lt;b&gt;</p></div></content></entry>
<entry><title type="text">a &lt;b&gt; c</title><updated>2025-11-03T00:00:00Z</updated></entry></feed>''',
      {'title': 'Log', 'link': SITE + 'blog/', 'kind': 'atom', 'version': '1.0'},
      [{'title': 'Fog signal', 'id': 'urn:x:1', 'link': SITE + 'blog/1', 'author': 'Bo, cy@example.org', 'date': '2025-11-01T07:15:00Z', 'updated': '2025-11-02',
        'text': 'Two long blasts <b>', 'enclosures': [{'url': SITE + 'f.ogg', 'type': 'audio/ogg', 'length': '3'}]},
       {'title': 'a <b> c', 'date': '2025-11-03T00:00:00Z'}])
check('Atom 0.3 is read, and base64 in it', '''<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><title mode="base64">RW50cnk=</title>
<issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-14T00:00Z</modified></entry></feed>''',
      {'kind': 'atom', 'version': '0.3'}, [{'title': 'Entry', 'date': '2003-12-13T12:29:29Z', 'updated': '2003-12-14T00:00:00Z'}])
check('RSS 1.0 is read', f'''<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="{SITE}"><title>RDF</title><link>{SITE}</link></channel><item><title>One</title><link>{SITE}1</link><dc:creator>Ada</dc:creator><dc:date>2026-03-01T10:00Z</dc:date></item></rdf:RDF>''',
      {'title': 'RDF', 'link': SITE, 'kind': 'rss', 'version': '1.0'}, [{'title': 'One', 'link': SITE + '1', 'author': 'Ada', 'date': '2026-03-01T10:00:00Z'}])
check('JSON Feed is read', json.dumps({'version': 'https://jsonfeed.org/version/1.1', 'title': 'J \U0001f600', 'home_page_url': SITE, 'items': [
    {'id': 7, 'url': '1', 'title': 'One', 'content_html': '<p>a</p><p>b</p>', 'summary': 's', 'date_published': '2019-10-12T07:20:50.52Z', 'authors': [{'name': 'A'}, {'name': 'B'}],
     'attachments': [{'url': 'x.mp3', 'mime_type': 'audio/mpeg', 'size_in_bytes': 100}]},
    {'id': 'b', 'external_url': SITE + 'x', 'content_text': 'a <b> c', 'author': {'name': 'C'}}]}),
      {'title': 'J \U0001f600', 'link': SITE, 'kind': 'json', 'version': '1.1'},
      [{'id': '7', 'link': SITE + 'dir/1', 'title': 'One', 'text': 'a\nb', 'date': '2019-10-12T07:20:50Z', 'author': 'A, B',
        'enclosures': [{'url': SITE + 'dir/x.mp3', 'type': 'audio/mpeg', 'length': '100'}]}, {'id': 'b', 'link': SITE + 'x', 'text': 'a <b> c', 'author': 'C'}],
      ('--base', SITE + 'dir/feed.json'))
check('a single entry of Atom is a feed with one item', '<entry xmlns="http://www.w3.org/2005/Atom"><title>One</title><id>urn:1</id></entry>', {'kind': 'atom', 'title': None}, [{'title': 'One', 'id': 'urn:1'}])
check('the full text counts before the description', rss('<description>Short</description><c:encoded xmlns:c="http://purl.org/rss/1.0/modules/content/">&lt;p&gt;Long&lt;/p&gt;</c:encoded>'), {}, [{'text': 'Long'}])
check('a prefix that was not declared is known', rss('<content:encoded>Long</content:encoded><dc:creator>Ada</dc:creator>'), {}, [{'text': 'Long', 'author': 'Ada'}])
check('elements of podcasts stand in for others', rss('<itunes:author>Ada</itunes:author><itunes:summary>Told</itunes:summary><media:group><media:content url="m.mp4" fileSize="5" type="video/mp4"/></media:group>',
      attributes='xmlns:itunes=" http://www.itunes.com/DTDs/PodCast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"'),
      {}, [{'author': 'Ada', 'text': 'Told', 'enclosures': [{'url': 'm.mp4', 'type': 'video/mp4', 'length': '5'}]}])
check('the summary of a podcast is not that of its first item', rss('<title>x</title>', '<itunes:summary>About</itunes:summary>'), {}, [{'text': None}])
check('markup that is not escaped is read', rss('<description>One<p>two</p></description><title>A <b>bold</b> one</title>'), {}, [{'text': 'One\ntwo', 'title': 'A bold one'}])
check('relative links are resolved against the base of the command', rss('<link>post/1</link>'), {}, [{'link': SITE + 'feeds/post/1'}], ('--base', SITE + 'feeds/x.xml'))
check('relative links are resolved against the base of the document', rss('<link>post/1</link>', attributes='xml:base="feeds/"'), {}, [{'link': SITE + 'feeds/post/1'}], ('--base', SITE + 'x.xml'))
long_base, step = SITE + 'a' * (4 << 20) + '/', 'b' * 8000 + '/'
check('a long base is left out, and costs nothing', rss('<link>1</link><title>x</title>', '<y/>' * 100000, attributes=f'xml:base="{long_base}"'), {}, [{'title': 'x', 'link': '1'}])
check('so is one that becomes long from element to element',
      f'<feed xml:base="{SITE}">' + f'<z xml:base="{step}">' * 200 + '<y/>' * 100000 + '</z>' * 200 + '<entry><title>x</title><link href="1"/></entry></feed>',
      {}, [{'title': 'x', 'link': SITE + '1'}])
check('a bare ampersand and controls do no harm', rss('<title>a & b &copy=2 c\x0bd &eacute;</title>'), {}, [{'title': 'a & b &copy=2 cd \u00e9'}])
check('white space may come first', '\ufeff \n' + rss('<title>x</title>'), {'version': '2.0'}, [{'title': 'x'}])
check('a declared charset is obeyed', ('<?xml version="1.0" encoding="iso-8859-1"?>' + rss('<title>\u00e4</title>')).encode('latin-1'), {}, [{'title': '\u00e4'}])
check('a feed that was cut gives the items that it has', rss('<title>One</title>').replace('</channel></rss>', '<item><title>Two</title><description>cut he'), {}, [{'title': 'One'}, {'title': 'Two', 'text': 'cut he'}], code=5)
for date, expected in {'Monday, 02-Jan-06 15:04:05 MST': '2006-01-02T22:04:05Z', 'Mon Jan  2 15:04:05 2006': '2006-01-02T15:04:05Z', 'January 2, 2006 3:04 PM EST': '2006-01-02T20:04:00Z',
                       '2 January 2006': '2006-01-02', '2006/01/02 15:04': '2006-01-02T15:04:00Z', '02.01.2006': '2006-01-02', '1/2/2006 12:30 am': '2006-01-02T00:30:00Z',
                       'Mon, 2 Jan 2006 15:04:05 GMT+0100': '2006-01-02T14:04:05Z', 'Mon, 32 Jan 2006 15:04:05 GMT': None, 'soon': None, '': None}.items():
    check(f'the date "{date}" is {expected or "none"}', rss(f'<pubDate>{date}</pubDate>'), {}, [{'date': expected}])
for name, content in {'a page': '<html><head><title>x</title></head></html>', 'a text': 'no feed', 'an empty file': '', 'other JSON': '{"title": "x"}', 'broken JSON': '{"version": '}.items():
    feed, items, code, said = run(content)
    ok(feed is None and not items and code == 1, f'{name} is not a feed', feed, items, code, said)
feed, items, code, said = run('{"version": "1.1", "items": ' + '[' * 5000)
ok(code == 5 and not items, 'deep nesting of JSON is damage', feed, code, said)
ok(run('', '--base', 'no base')[2] == 2, 'a base that is not a URL is an error of usage')
with open(os.path.join(HOME, 'schedule.rss'), 'w') as f:
    f.write(rss('<title>x</title>', '<ttl>60</ttl><skipHours><hour>0</hour><hour>23</hour></skipHours><skipDays><day>Sunday</day></skipDays>'
                '<sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>'))
said = subprocess.run(['tarsier', 'extract', f.name], capture_output=True, text=True).stdout
ok(all(f'<schedule>{value}</schedule>' in said for value in ('ttl 60', 'skip-hours 0 23', 'skip-days sunday', 'period 21600')), 'the schedule of a feed is told by facts', said)
opml = f'''<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="News"><outline type="rss" text="Tides &amp; ports" xmlUrl="{SITE}a.rss" htmlUrl="{SITE}"/>
<outline title="Deep"><outline title="Cranes" xmlUrl=" {SITE}b.atom "/></outline></outline><outline text="no feed"/>'''
check('a list of subscriptions is not a feed, but known', opml, {'kind': 'opml', 'version': '2.0', 'title': None}, [], code=5)
finish()
