# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page of tarsier browse shows without any script: hits, passages, pages, faults, copies,
suggestions, saved searches, places, texts; and that what it says is what "tarsier search" says."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

EXTRACTOR_DATA = os.path.join(os.environ['abs_top_srcdir'], 'tests/extractors/data')
for i in range(45):
    doc(f'many/apple{i:02}.txt', f'The apple of tree {i} is red. ' + ' '.join(f'word{i}x{k}' for k in range(40)) + '\n')
doc('zoo/marmoset.txt', 'A marmoset eats apples in the garden of the zoo.\n' + 'Nothing is said here.\n' * 4 + 'Another marmoset sleeps.\n')
doc('zoo/copy of marmoset.txt', open(DOCS + '/zoo/marmoset.txt').read())
doc('zoo/lemur.md', '# Lemurs\n\nA lemur is no\nmarmoset, though both climb. A marmosets cousin.\n')
for i in range(30):
    doc(f'inn/{i}.txt', f'The {"accomodation" if i < 6 else "accommodation"} of guest {i} was fine. ' + ' '.join(f'room{i}x{k}' for k in range(40)) + '\n')
doc('long.txt', ''.join(f'Line {i} of a long text is here.\n' for i in range(9000)) + 'The capybara is at the end.\n')
shutil.copy(f'{EXTRACTOR_DATA}/pdf-basic.pdf', DOCS)
index()
subprocess.run(['tarsier', '-q', 'saved', 'add', 'monkeys', 'marmoset OR lemur'], check=True, capture_output=True)
page = Page()


def said(query, *options):
    """What the client finds: (total, paths)."""
    done = subprocess.run(['tarsier', 'search', '--json', '-n', '20', *options, *query.split()], capture_output=True, text=True, timeout=60)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[0]['total'], [line['path'] for line in lines if line['type'] == 'hit']


def paths(reply):
    return [html.unescape(re.sub('<[^>]*>', '', path)).replace('~', HOME, 1) for path in re.findall('<p class="path">(.*?)</p>', reply.text)]


# ---- hits
for query in ('marmoset', 'apple', 'garden zoo', 'type:text red', 'lemur OR capybara', '"another marmoset"'):
    reply, (total, wanted) = page.search(query), said(query)
    equal(paths(reply), wanted, f'{query}: the hits are those of the client, in its order')
    ok(f' of {total}, ' in reply.text or f' of at most {total}, ' in reply.text, 'and so is their number', reply.text[:3000])
for sort in ('date', 'size', 'name', 'path'):
    equal(paths(page.search('apple', sort=sort)), said('apple', '-s', sort)[1], f'they are ordered by {sort}')
reply = page.search('marmoset')
ok({'marmoset'} <= set(marked(reply)), 'words are marked in the passages', marked(reply))
ok('<li>' + DOCS + '/zoo/' in reply.text and '+1 copy' in reply.text, 'copies are folded into their hit')
ok('Complete: every document in this scope could be searched.' in reply.text, 'it says that nothing is missing')
ok(f'value="marmoset"' in reply.text and '<title>marmoset – Tarsier</title>' in reply.text, 'the query stands in the field and in the title')

# ---- pages
first, second, third = page.search('apple'), page.search('apple', p=2), page.search('apple', p=3)
equal([len(titles(each)) for each in (first, second, third)], [20, 20, said('apple')[0] - 40], 'hits come in pages of 20')
equal(len(set(paths(first) + paths(second) + paths(third))), said('apple')[0], 'none of them twice')
ok('rel="next" href="/?q=apple&amp;p=2"' in first.text and 'rel="prev"' not in first.text, 'the first page leads to the next one')
ok('rel="prev" href="/?q=apple&amp;p=1"' in second.text and 'rel="next" href="/?q=apple&amp;p=3"' in second.text, 'the second one in both directions')
ok('There are no more hits.' in page.search('apple', p=9).text, 'after the last one it says so')

# ---- the place
equal(sorted(paths(page.search('marmoset OR apple', **{'in': DOCS + '/zoo'}))), said('marmoset OR apple', '-d', DOCS + '/zoo')[1] and sorted(said('marmoset OR apple', '-d', DOCS + '/zoo')[1]), 'a place restricts the search')
equal(sorted(paths(page.search('marmoset', **{'in': '~/docs/zoo'}))), sorted(said('marmoset', '-d', DOCS + '/zoo')[1]), 'it may begin with ~')
ok('The place must be an absolute path: zoo' in page.search('marmoset', **{'in': 'zoo'}).text, 'one that is not a path is a fault')
ok(len(titles(page.search('', **{'in': DOCS + '/zoo'}))) >= 2, 'a place alone lists what is there')
ok(f'<option value="{DOCS}">' in reply.text, 'the watched directories are offered')

# ---- what is said of the query
reply = page.search('marmoset AND')
done = subprocess.run(['tarsier', 'search', 'marmoset AND'], capture_output=True, text=True)
message, caret = done.stderr.splitlines()[0].removeprefix('tarsier: '), done.stderr.splitlines()[1:3]
ok(message in html.unescape(reply.text) and 'role="alert"' in reply.text, 'a fault is told in the words of the client', reply.text)
ok('\n'.join(caret) in html.unescape(reply.text), 'with the caret under it', caret)
reply = page.search('marmozet')
ok('Did you mean: <a href="/?q=marmoset">marmoset</a>' in reply.text, 'a misspelt word has a suggestion that leads there')
ok('Nothing found.' in reply.text, 'and nothing is found')
reply = page.search('accomodation')
ok(len(titles(reply)) == 6 and '<a href="/?q=accommodation">accommodation</a>' in reply.text, 'so has a rare word with hits, one slip beside a frequent one, as in a terminal', reply.text)
reply = page.search('marmoset capybara')
ok('soft=1' in reply.text, 'words that stand in no document together lead to documents with some of them')
ok(len(titles(page.search('marmoset capybara', soft=1))) >= 3, 'which are shown there')
reply = page.search('marmoset', explain=1)
ok('the word &#34;marmoset&#34;' in reply.text and 'explain=1' not in reply.text, 'how it was understood is told on demand')
ok('href="/?q=saved%3Amonkeys"' in reply.text, 'saved searches are links')
equal(sorted(paths(page.search('saved:monkeys'))), sorted(said('saved:monkeys')[1]), 'which work')

# ---- fragments, and typing
fragment = page.hits('marmoset')
ok('<html' not in fragment.text and paths(fragment) == said('marmoset')[1], 'a fragment has the hits alone')
equal(sorted(paths(page.hits('marmo', typed=1))), sorted(said('marmo*')[1]), 'the last word that is typed is a prefix')
equal(marked(page.hits('marmo', typed=1)), [], 'whose passages wait')
ok('marmoset' in marked(page.hits('marmo', typed=1, passages=1)), 'until they are asked for')
equal(titles(page.hits('marmo')), [], 'a submitted one is a word')
equal(sorted(paths(page.hits('appl', typed=1, **{'in': DOCS + '/zoo'}))), sorted(said('appl*', '-d', DOCS + '/zoo')[1]), 'while typing, a place counts too')

# ---- only the latest text of a window is made
many = ids(page.hits('apple'))[:12]
for tab, wanted in (('&tab=w', False), ('', True)):
    held = []
    for one in many:
        held.append(socket.create_connection(('127.0.0.1', page.port), timeout=BODY_S))
        held[-1].sendall(f'GET /text?q=apple&id={one}&fragment=1{tab} HTTP/1.1\r\nHost: {page.host}\r\nCookie: {page.cookie}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n'.encode())
    replies = []
    for one in held:
        received = b''
        while part := one.recv(1 << 16):
            received += part
        replies.append(Reply(received))
    equal(({reply.status for reply in replies} <= {200, 204}, 'apple' in ''.join(marked(reply).__str__() for reply in replies)), (True, True), f'{len(many)} texts are asked for at once{tab}')
    ok((all(reply.status == 200 for reply in replies) == wanted) or not wanted and replies[-1].status == 200, 'and are all made' if wanted else 'and the last one is made', [reply.status for reply in replies])

# ---- facets
doc('zoo/2019.html', '<html lang="de"><meta name="date" content="2019-05-05"><p>Ein Marmoset und noch ein Tier, das im Garten lebt und Obst isst.')
index()
reply = page.search('marmoset OR apple')
facets = {label: [(html.unescape(link), html.unescape(value), int(count)) for link, value, count in re.findall(r'<li><a href="([^"]*)">(.*?)</a> <span>(\d+)</span>', values)]
          for label, values in re.findall(r'<h3>(.*?)</h3><ul>(.*?)</ul>', reply.text)}
ok({'Type', 'Year', 'Place', 'Language'} <= set(facets), 'hits can be narrowed down', facets)
for label, values in facets.items():
    for link, value, count in values:
        narrowed = page.get(link)
        told = re.search(r'of (?:at most )?(\d+), ', narrowed.text)
        equal(int(told[1]) if told else 0, count, f'{label} {value} leads to as many hits as it says')
ok('Owner' not in facets and 'Source' not in facets, 'what all hits share is not a choice')


def bars(reply):
    """The timeline: (link or None, time, count, height)."""
    found = re.search(r'<ol class="bars"[^>]*>(.*?)</ol>', reply.text)
    return [(html.unescape(link) if link else None, time, int(count), int(height)) for link, count, height, time in
            re.findall(r'<li>(?:<a href="([^"]*)">)?<b>(\d+)</b> <svg[^>]*><rect [^>]*height="(\d+)"/></svg> <span>([\d-]+)</span>', found[1])] if found else []


for name, date in (('a', '2019-11-05'), ('b', '2019-11-20'), ('c', '2020-02-01')):
    doc(f'dated/{name}.html', f'<meta name="date" content="{date}"><p>A tamarin of the day {name}.')
for year in range(1950, 1990):
    doc(f'years/{year}.html', f'<meta name="date" content="{year}-06-15"><p>An old gibbon of {year}.')
index()
dated = bars(page.search('tamarin'))
equal([bar[1:] for bar in dated], [('2019-11', 2, 100), ('2019-12', 0, 0), ('2020-01', 0, 0), ('2020-02', 1, 50)], 'hits that are near have a timeline of months, with the empty ones')
equal([bar[0] is not None for bar in dated], [True, False, False, True], 'whose bars are links where there is something')
for query in ('tamarin', 'marmoset OR tamarin', 'marmoset OR apple', 'tamarin OR "<script>&"'):
    ok(bars(page.search(query)), f'{query}: there is a timeline')
    for link, time, count, _ in bars(page.search(query)):
        if link:
            narrowed = re.search(r'of (?:at most )?(\d+), ', page.get(link).text)
            equal(int(narrowed[1]) if narrowed else 0, count, f'{query}: {time} leads to as many hits as it says')
equal(bars(page.get(dated[0][0])), [], 'one month needs no timeline')
reply = page.search('gibbon')
equal([bar[1] for bar in bars(reply)], [str(year) for year in range(1966, 1990)], 'of too many years the last ones are shown')
ok('Earlier hits are left out.' in reply.text, 'and it says so')
ok('Earlier hits are left out.' not in page.search('tamarin').text, 'else it does not')
ok('class="facets"' not in page.hits('marmo', typed=1).text, 'nor is there one while somebody types')

# ---- texts
hits = page.search('marmoset')
link = html.unescape(re.search(r'href="(/text[^"]*)"', hits.text)[1])
text = page.get(link)
ok('<p class="body">A <mark>marmoset</mark> eats apples in the garden of the zoo.' in text.text, 'the title leads to the text with marks', text.text)
ok('2 matches' in text.text and '<html' in text.text, 'and their number, on a whole page')
ok('<html' not in page.get(link + '&fragment=1').text, 'or as a fragment')
lemur = next(one for one, title in zip(ids(page.hits('lemur')), titles(page.hits('lemur'))) if title == 'Lemurs')
text = page.get(f'/text?q=lemur&id={lemur}')
ok('<h3 class="body"><mark>Lemurs</mark></h3>' in text.text and 'class="text flow"' in text.text, 'headings are headings')
long = ids(page.hits('capybara'))[0]
text = page.get(f'/text?q=capybara&id={long}')
ok('The <mark>capybara</mark> is at the end.' in text.text and 'Line 5 ' not in text.text, 'a long text begins at the part with the match')
ok('Part 5 of 5' in text.text and f'id={long}&amp;part=3' in text.text, 'and tells which part it is', re.findall('Part [^<]*', text.text))
whole = ''.join(re.search(r'<div class="text[^>]*>(.*)</div>\n<nav', page.get(f'/text?id={long}&part={i}').text, re.S)[1] for i in range(5))
equal(len(set(re.findall(r'Line \d+ ', whole))) >= 8990, True, 'all parts together are the text')
equal(page.get(f'/text?id={long}&part=77').status, 200, 'a part that is not there is another one')
pdf = ids(page.hits('filename:pdf-basic.pdf'))[0]
ok('data-page="2"' in page.get(f'/text?id={pdf}').text, 'pages are shown where they begin', page.get(f'/text?id={pdf}').text)
doc('zoo/lemur.md', '# Lemurs\n\nChanged after it was indexed: a lemur.\n')
reply = page.get(f'/text?q=lemur&id={lemur}')
ok(reply.status == 404 and 'has changed since it was indexed' in reply.text, 'of a file that has changed it says so', reply.text[:500])
os.unlink(DOCS + '/zoo/lemur.md')
reply = page.get(f'/text?q=lemur&id={lemur}')
ok(reply.status == 404 and 'no longer there' in reply.text, 'and of one that is gone')

# ---- opening
reply = page.post('/open', id=long, fragment=1)
ok(reply.status == 503 and 'not started in a desktop' in reply.text, 'without a desktop nothing is opened', reply.body)
equal(page.get('/nothing').status, 404, 'there is no other page')
page.end()
bin = TMP + '/bin'
os.makedirs(bin)
opened = TMP + '/opened'
with open(bin + '/gio', 'w') as f:
    f.write(f'#!/bin/sh\nif [ "$1" = open ]; then printf "%s\\n" "$2" >"{opened}.part"; mv "{opened}.part" "{opened}"; fi\n')
os.chmod(bin + '/gio', 0o755)
desktop = {'PATH': bin + ':' + os.environ['PATH'], 'DISPLAY': ':nowhere'}
page = Page(env=desktop)
reply = page.post('/open', id=long, q='capybara')
equal((reply.status, reply.body), (204, b''), 'in a desktop it is opened')
equal(open(opened).read().splitlines(), [DOCS + '/long.txt'], 'by its viewer')
reply = page.post('/open', {'Origin': 'null'}, id=long, folder=1)
equal((reply.status, open(opened).read().splitlines()[-1]), (204, DOCS), 'a form without script opens its directory')
equal(page.post('/open', id='999999-1', fragment=1).status, 404, 'what is not in the index is not opened')
page.end()

# ---- the browser is started
browsed = keep(subprocess.Popen(['tarsier', 'browse', 'garden', '<zoo>'], env={**os.environ, **desktop, 'TARSIER_BROWSE': PROGRAM}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
ok(wait_until('the browser is started', lambda: 'token=' in open(opened).read()), 'tarsier browse opens the browser')
url = open(opened).read().splitlines()[-1]
ok('garden' not in url, 'with an address that does not have the query', url)
port = urllib.parse.urlsplit(url).port
with socket.create_connection(('127.0.0.1', port)) as s:
    s.sendall(f'GET /?{url.partition("?")[2]} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n'.encode())
    first = Reply(s.recv(4096))
equal(first.headers['location'], '/?q=garden%20%3Czoo%3E', 'the redirect has it')
browsed.terminate()
equal(browsed.wait(60), 0, 'SIGTERM ends it')
done = subprocess.run(['tarsier', 'browse'], env={**os.environ, 'TARSIER_BROWSE': '/nowhere/tarsier-browse'}, capture_output=True, text=True)
ok(done.returncode == 2 and 'libmicrohttpd' in done.stderr, 'without the program it says what is missing', done)

# ---- the language of the user
if not (in_german := german_variables()):
    skip('it speaks German', 'msgfmt is not there')
else:
    page = Page(env=in_german)
    text = page.search('marmoset').text
    ok('<html lang="de">' in text and 'Ordner zeigen' in text and 'Nur in' in text and 'Show folder' not in text, 'it speaks German', text)
    page.end()

# ---- an index that is not there, or damaged, or not complete
for i in range(3):
    doc(f'late/late{i}.txt', f'A late marmoset {i}.\n')
page = Page('--index', TMP + '/nowhere')
reply = page.search('marmoset')
ok(reply.status == 503 and 'there is no index yet' in reply.text and '<form id="search"' in reply.text, 'without an index it says what to do', reply.text)
reply = page.hits('marmoset')
ok(reply.status == 503 and reply.text.startswith('there is no index yet') and reply.headers['content-type'].startswith('text/plain'), 'to the script in plain text')
page.end()
page = Page()
database = HOME + '/.local/share/tarsier/index.db'
os.rename(database, database + '.kept')
with open(database, 'wb') as f:
    f.write(b'no index at all' * 1000)
reply = page.search('marmoset')
ok(reply.status == 503 and 'builds a new one' in reply.text, 'a damaged index is told', reply.text)
os.rename(database + '.kept', database)
equal(page.search('marmoset').status, 200, 'after its repair it is searched again')
page.end()
finish()
