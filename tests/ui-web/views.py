# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of tarsier browse that are not a search: status, failures, disk use and copies; each without
any script, with hostile names, during the first index, and of an index that is not there or damaged"""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

HOSTILE = '<script>alert(1)</script>"\'&\u202e\x1b[31m'.replace('/', '')
VIEWS = ('/status', '/failed', '/usage')
doc('large/large.txt', 'A large text. ' * 5000)
doc('large/copy.txt', 'A marmoset that is here and there. ' * 100)
doc('small/copy.txt', 'A marmoset that is here and there. ' * 100)
doc('small/own.txt', 'A text of its own.\n')
doc('small/twins/one.txt', 'Twins lie beside each other.\n')
doc('small/twins/two.txt', 'Twins lie beside each other.\n')
doc(f'{HOSTILE}/{HOSTILE}.txt', 'A text in a hostile place.\n')
os.makedirs(os.path.join(DOCS.encode(), b'bad \xff name'))
with open(os.path.join(DOCS.encode(), b'bad \xff name/inner.txt'), 'w') as f:
    f.write('It lies below a name that is not text.\n')
doc('broken.pdf', b'%PDF-1.4\nThis is not a PDF at all, whatever it says.\n' * 20)
doc(f'{HOSTILE}/broken.docx', b'PK\x03\x04 and nothing that follows from it' * 20)
index()
page = Page()


def rows(reply):
    """The tables as text: [cells]."""
    return [[html.unescape(re.sub('<[^>]*>', '', cell)).strip() for cell in re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', row, re.S)] for row in re.findall(r'<tr>(.*?)</tr>', reply.text, re.S)]


def links(reply, path):
    return [html.unescape(link) for link in re.findall(f'href="({path}[^"]*)"', reply.text)]


def sizes(below):
    """What lies below a directory: (bytes, files)."""
    found = [os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(below) for f in files]
    return sum(found), len(found)


# ---- all of them
for view in VIEWS:
    reply = page.get(view)
    equal(reply.status, 200, f'{view} is there')
    ok(f'<a href="{view}" aria-current="page">' in reply.text and 'id="search"' in reply.text, 'it says where one is, and one can search')
    ok(not re.search(r'<script(?! src="/page.js" defer>)|<style|\sstyle=|\son[a-z]+="', reply.text), 'nothing of a name runs', reply.text)
    ok('\x1b' not in reply.text and '\u202e' not in reply.text, 'nor turns anything around')
    refused = page.get(view, Cookie=None)
    ok(refused.status == 403 and len(refused.body) < 300, 'without the cookie nothing is told')
    equal(page.get(view, Sec_Fetch_Site='cross-site').status, 403, 'nor to another page')
ok(all(f'href="{view}"' in page.search('marmoset').text for view in VIEWS), 'every page leads to them')

# ---- failures
told = [json.loads(line) for line in subprocess.run(['tarsier', 'failed', '--json'], capture_output=True, text=True).stdout.splitlines()]
reply = page.get('/failed')
failed = rows(reply)
equal(len(failed), len(told), 'each failure of "tarsier failed" is there')
ok(any(row[0].endswith('broken.pdf') for row in failed) and reply.text.count('Show folder') == len(failed), 'with its name, and a way to its folder')
reasons = {one['reason'] for one in told}
equal(sum(len(rows(page.get('/failed?reason=' + reason))) for reason in reasons), len(told), 'each reason can be seen alone')
ok('No conversion has failed.' in page.get('/failed?reason=nonsense').text, 'of another one there are none')
if os.geteuid() != 0:
    os.chmod(DOCS + '/broken.pdf', 0)
else:
    os.unlink(DOCS + '/broken.pdf')
equal(len(rows(page.get('/failed'))), len(told) - (os.geteuid() == 0), 'a failure of a file that is gone is not told')

# ---- disk use
reply = page.get('/usage')
equal([row[0] for row in rows(reply)[1:2]], [DOCS + '/'], 'the roots are where it begins')
root = links(reply, '/usage\\?node=')[0]
reply = page.get(root)
table = {row[0]: row for row in rows(reply)}
equal(set(table) >= {'large/', 'small/'}, True, 'below it are its directories')
for name in ('large', 'small'):
    size, files = sizes(f'{DOCS}/{name}')
    equal(table[name + '/'][3], str(files), f'{name}: it has as many files')
    equal(page.get(links(reply, '/usage\\?node=')[0]).status, 200, 'and can be entered')
copied = os.path.getsize(DOCS + '/small/copy.txt')
equal([table['large/'][4], table['small/'][4]], [f'{100 * copied / sizes(DOCS + "/" + name)[0]:.0f} %' for name in ('large', 'small')], 'the share that lies elsewhere too is told')
widths = [int(width) for width in re.findall(r'<rect width="(\d+)" height="1"/>', reply.text.partition('<h2>')[0])]
equal(widths[0], max(widths), 'the largest one is first, with the longest bar')
ok('text/plain' in table, 'types are counted', sorted(table))
small = next(link for link in links(reply, '/usage\\?node=') if any(row[0] == 'twins/' for row in rows(page.get(link))))
inner = page.get(small)
table = {row[0]: row for row in rows(inner)}
equal([table['twins/'][4], table['copy.txt'][4], table['own.txt'][4]], ['', '100 %', ''], 'twins beside each other are not copies elsewhere')
ok(f'<li aria-current="location">{DOCS}/small</li>' in inner.text and f'<a href="{root}">{DOCS}</a>' in inner.text, 'it says where one is, and leads back', inner.text[:3000])
equal(len(titles(page.get(links(inner, '/\\?in=')[0]))) >= 3, True, 'one can search there')
ok('A marmoset that is' in page.get(next(link for link in links(inner, '/text') if 'A marmoset' in page.get(link).text)).text, 'a file leads to its text')
for link in links(reply, '/usage\\?node='):
    equal(page.get(link).status, 200, f'{link}: whatever its name, a directory can be entered')
ok(any('inner.txt' in page.get(link).text and 'Search here' not in page.get(link).text for link in links(reply, '/usage\\?node=')), 'one whose name cannot be typed has no search')
for node in ('999999', '0', '-1', 'x', '99999999999999999999', '1%00', '../..'):
    ok(page.get(f'/usage?node={node}').status in (200, 400, 404), f'{node} is not a directory', page.get(f'/usage?node={node}').status)
equal(page.get('/usage?node=999999').status, 404, 'one that is not there is told')

# ---- status
status = page.get('/status')
facts = {row[0]: row[1:] for row in rows(status)}
ok(facts['Daemon'] == ['not running'] and 'tarsierd is not running' in status.text, 'without a daemon it says so', facts)
ok('Incomplete' in facts and DOCS in facts and 'Indexed' in facts, 'how far it is, and what is watched', facts)
daemon = Daemon()
ok(wait_until('the daemon is seen', lambda: 'running, process' in page.get('/status').text), 'a daemon that was started later is seen')
ok(wait_until('it watches', lambda: 'watching' in page.get('/status').text), 'and how it comes to watch')
facts = {row[0]: row[1:] for row in rows(page.get('/status'))}
equal(facts['Daemon'][0].split(',')[1].strip(), f'process {daemon.process.pid}', 'with its process')
equal(facts.get(DOCS, [''])[0], 'watching', 'and what it does with a directory')
daemon.stop()
ok(wait_until('its end is seen', lambda: 'not running' in page.get('/status').text), 'and one that ended is not')
page.end()

# ---- an index that is not there, or damaged
page = Page('--index', TMP + '/nowhere')
equal([page.get(view).status for view in VIEWS], [200, 503, 503], 'without an index the status is there, and the others say why not')
ok('there is no index yet' in page.get('/status').text, 'it says that there is none')
page.end()
page = Page()
database = HOME + '/.local/share/tarsier/index.db'
os.rename(database, database + '.kept')
with open(database, 'wb') as f:
    f.write(b'no index at all' * 1000)
equal([page.get(view).status for view in VIEWS], [200, 503, 503], 'of a damaged one too')
ok('class="problems"' in page.get('/status').text, 'which is a problem')
os.rename(database + '.kept', database)
equal([page.get(view).status for view in VIEWS], [200] * 3, 'after its repair all are there')
page.end()

if 'confinement: tarsier-browse: full' in subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout:
    page = Page()
    os.rename(os.path.dirname(database), HOME + '/kept')
    index()
    ok('replaced: start this again' in page.search('marmoset').text, 'if the directory of the index is another one, the page says so')
    ok('replaced: start this again' in page.get('/status').text, 'its status too')
    shutil.rmtree(os.path.dirname(database))
    os.rename(HOME + '/kept', os.path.dirname(database))
    equal(page.get('/usage').status, 200, 'and it uses its own once that is back')
    page.end()

# ---- the first index
shutil.rmtree(HOME + '/.local/share/tarsier')
for i in range(300):
    doc(f'many/{i}.txt', f'Text {i} of many.\n')
page = Page()
daemon = Daemon()
seen = set()


def finished():
    replies = [page.get(view).status for view in VIEWS] + [page.search('marmoset').status, page.hits('many').status]
    seen.update(replies)
    return replies[0] == 200 and 'Text' in page.hits('many', passages=1).text


ok(wait_until('the first index has hits', finished), 'while the first index is made, the pages come', seen)
ok(seen <= {200, 503}, 'and say what they do not have yet', seen)
daemon.stop()
page.end()
finish()
