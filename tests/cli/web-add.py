# SPDX-License-Identifier: GPL-3.0-or-later
"""add URL looks at a site politely, says what it will do, and writes it into the configuration; remove,
roots and config know it."""
import json, os, pty, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

CONF = os.path.join(HOME, '.config/tarsier/tarsier.conf')


def run(*words, code=None):
    done = subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def conf():
    return open(CONF).read() if os.path.exists(CONF) else ''


def check(name, words, code, said=(), written=(), not_said=()):
    """Runs the client; said must be in its messages, written in the configuration."""
    before = conf()
    got, out, err = run(*words)
    good = got == code and all(s in err + out for s in said) and not any(s in err + out for s in not_said)
    good = good and (all(w in conf() for w in written) if written else code == 0 or conf() == before)
    ok(good, name, f'status {got}', err, out, conf())


RSS = b'<rss version="2.0"><channel><title>Tide tables</title><item><guid>1</guid><title>a</title></item><item><guid>2</guid><title>b</title></item></channel></rss>'
HTML = 'Content-Type: text/html'


def html(head, body=''):
    return page(f'<html><head><title>Harbour</title>{head}</head><body>{body}</body></html>'.encode(), HTML)


def redirect(to, status='301 Moved Permanently'):
    return page(b'', f'Location: {to}', status=status)


server = Server({})
U = server.url
server.answers.update({
    '/robots.txt': page(b'User-agent: *\nDisallow: /all\nUser-agent: tarsier\nDisallow: /private\nSitemap: /map.xml\n'),
    '/map.xml': page(('<urlset>' + ''.join(f'<url><loc>{U}/docs/{i}</loc></url>' for i in range(7)) + f'<url><loc>{U}/other</loc></url></urlset>').encode()),
    '/docs/': html('', '<a href="/docs/1">1</a> <a href="2">2</a> <a href="/elsewhere">3</a>'),
    '/docs/index.html': html(''),
    '/blog': redirect('/blog/'),
    '/blog/': html('<link rel="alternate" type="application/rss+xml" title="News" href="/news.rss"><link rel="alternate" type="application/atom+xml" href="/more.atom">'),
    '/news.rss': page(RSS, 'Content-Type: application/rss+xml'),
    '/lists/': html('<link rel="alternate" type="application/rss+xml" href="/private/news.rss">'),
    '/quiet/': html(''),
    '/quiet/atom.xml': page(RSS, 'Content-Type: text/xml'),
    '/moved/': html(''),
    '/moved/feed': redirect('/moved/feed/'),
    '/moved/feed/': page(RSS, 'Content-Type: application/rss+xml'),
    '/all-home/': html(''),
    **{f'/all-home/{name}': redirect('/all-home/', '302 Found') for name in ('feed', 'atom.xml', 'rss.xml', 'index.xml', 'feed.xml')},
    '/plain/': html(''),
    '/mistyped': page(RSS, HTML),
    '/loop': redirect('/loop', '302 Found'),
    '/escape': redirect('http://127.0.0.1:1/'),
    '/script': redirect('javascript:alert(1)'),
    '/bytes/': page(bytes(range(256)) * 40, HTML),
    '/bomb/': html('', '<div>' * 200000),
    '/evil/': html('<link rel="alternate" type="application/rss+xml" title="&#27;[31mred" href="/x&#27;.rss">'),
})

check('a site is added', ['add', f'{U}/docs/', '--site'], 0,
      ['Its robots.txt is obeyed', 'Its sitemap lists 7 pages', 'At most 5000 pages are read', 'The first visit of 7 pages takes', 'is a site: Harbour', 'tarsierd is not running'],
      [f'[web:{U}/docs/]\nkind = site\n'])
paths = [r.split(b' ')[1] for r in server.requests]
ok(paths == [b'/robots.txt', b'/docs/', b'/map.xml'], 'robots.txt is asked first, and nothing that is not needed', paths)
ok(all(b'\r\nUser-Agent: Tarsier/' in r and b'Cookie' not in r and b'Referer' not in r for r in server.requests), 'it says who asks')
ok(all(b - a >= 1 for a, b in zip(server.moments, server.moments[1:])), 'a second lies between two requests', server.moments)

server.requests.clear()
check('a known site is not asked again', ['add', f'{U}/docs/'], 0, ['is already read'])
check('but options change it', ['add', f'{U}/docs/', '--pages', '12', '--exclude', '*/old/*', '--every', '7d', '--about', 'tides -ebb'], 0, ['as you said'],
      ['pages = 12', 'exclude = */old/*', 'every = 1 w', 'about = tides -ebb'])
ok(not server.requests, 'and nothing was asked for it', server.requests)

check('a page with feeds is a site where nobody can be asked, and the feeds are named', ['add', f'{U}/blog'], 0,
      [f'{U}/news.rss  News', f'{U}/more.atom', f'{U}/blog leads to {U}/blog/'], [f'[web:{U}/blog/]\nkind = site\n'])
check('--feed takes the first feed', ['add', f'{U}/blog', '--feed', '--keep', 'text'], 0, ['several feeds', f'leads to {U}/news.rss'],
      [f'[web:{U}/news.rss]\nkind = feed\nkeep = text\n'])
check('a feed is known by itself', ['add', f'{U}/quiet/atom.xml'], 0, ['is a feed with 2 items: Tide tables'], [f'[web:{U}/quiet/atom.xml]\nkind = feed\n'])
run('remove', f'{U}/quiet/atom.xml')
check('so is one that is sent as a page', ['add', f'{U}/mistyped'], 0, ['is a feed with 2 items: Tide tables'], [f'[web:{U}/mistyped]\nkind = feed\n'])
run('remove', f'{U}/mistyped')
check('a feed that no page names is found where feeds usually are', ['add', f'{U}/quiet/', '--feed'], 0, [], [f'[web:{U}/quiet/atom.xml]\nkind = feed\n'])
check('also if it has moved from there', ['add', f'{U}/moved/', '--feed'], 0, [], [f'[web:{U}/moved/feed/]\nkind = feed\n'])
run('remove', f'{U}/moved/feed/')
server.requests.clear()
check('a site that sends everything to its start has none', ['add', f'{U}/all-home/', '--feed'], 1, ['has no feed'])
homes = [r for r in server.requests if r.startswith(b'GET /all-home/ ')]
ok(len(homes) == 2, 'and its start is asked for once more at most', server.requests)
check('--feed takes the feed of a site that is known', ['add', f'{U}/blog/', '--feed', '--every', '2d'], 0, [f'leads to {U}/news.rss'],
      [f'[web:{U}/blog/]\nkind = site\n', f'[web:{U}/news.rss]\nkind = feed\nkeep = text\nevery = 2 d\n'])
check('--feed fails on a page without', ['add', f'{U}/plain/', '--feed'], 1, ['has no feed'])
check('the name of a file is cut off a site', ['add', f'{U}/docs/index.html', '--site'], 0, [f'leads to {U}/docs/'])

check('a feed that robots.txt forbids is not taken', ['add', f'{U}/lists/', '--feed'], 1, ['robots.txt forbids it', 'has no feed'])
check('robots.txt is obeyed', ['add', f'{U}/private/x', '--site'], 1, ['robots.txt forbids it'])
check('a page that is not there is not added', ['add', f'{U}/nothing', '--site'], 1, ['status 404'])
check('redirects end', ['add', f'{U}/loop'], 1, ['redirects too often'])
check('a redirect to a local port that was not named is refused', ['add', f'{U}/escape'], 1, ['local network'])
check('a redirect to another scheme is none', ['add', f'{U}/script'], 1, ['status 301'])
check('bytes that are not text do no harm', ['add', f'{U}/bytes/', '--site'], 0)
check('deeply nested markup does no harm', ['add', f'{U}/bomb/', '--site'], 0)
got, out, err = run('add', f'{U}/evil/')
ok(got == 0 and '\x1b' not in err + out, 'what a page says is harmless on a terminal', repr(err))
closed = f'http://127.0.0.1:{free_port()}/'
check('a host that does not answer is not added', ['add', closed], 1, ['nobody answers there', '--site or --feed'])
check('but with --site it is', ['add', closed, '--site'], 0, ['was not looked at'], [f'[web:{closed}]'])
broken = Server({'/robots.txt': page(b'', status='503 Service Unavailable')})
check('without its robots.txt nothing is asked', ['add', f'{broken.url}/'], 1, ['status 503'])
ok(len(broken.requests) == 1, 'not even the page', broken.requests)
turning = Server({'/': html('')})
turning.answers['/robots.txt'] = redirect(f'{turning.url}/robots.txt')
check('nor where it leads on without end', ['add', f'{turning.url}/'], 1, ['robots.txt redirects too often'])
equal(turning.requests[-1].split()[1], b'/robots.txt', 'the page is not asked then')
many = Server({'/robots.txt': page(b'User-agent: *\nAllow: /\n'), '/': html(''),
               '/sitemap.xml': page(b'<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>http://127.0.0.1/b.xml</loc></sitemap></sitemapindex>')})
check('an index of sitemaps is told', ['add', f'{many.url}/', '--site'], 0, ['several sitemaps'], [f'[web:{many.url}/]'], ['lists 0 pages'])
slow = Server({'/robots.txt': page(b'User-agent: *\nCrawl-delay: 20\n'), '/': html('')})
check('nobody waits for a site that wants long pauses', ['add', f'{slow.url}/'], 1, ['asks for 20 s'])
ok(len(slow.requests) == 1, 'its page is not asked for too early', slow.requests)

for word, said in (('ftp://example.org/', 'must begin with http'), ('http:////', 'not the URL'), ('http://a b/', 'not the URL')):
    check(f'{word} is refused', ['add', word], 2, [said])
for option, said in ((['--every', '5'], 'not a duration'), (['--about', 'a OR'], ''), (['--include', '[x'], 'not valid'), (['--pages', '0'], 'not valid'),
                     (['--site', '--feed'], 'exclude each other'), (['--keep', 'all'], '')):
    check(f'{" ".join(option)} is refused', ['add', f'{U}/docs/', *option], 2, [said])
check('options for sites need one', ['add', HOME, '--pages', '3'], 2, ['URL of a site'])
os.mkdir(os.path.join(HOME, 'dir'))
check('a directory is added as before, and by its URL', ['add', f'file://{HOME}/dir'], 0, ['is now watched'], [f'roots = {HOME}/dir'])
os.mkdir(os.path.join(HOME, 'dir/inner'))
check('a directory in a watched one is added, and this is told', ['add', f'{HOME}/dir/inner'], 0, [f'dir/inner lies in {HOME}/dir'])
run('remove', f'{HOME}/dir/inner')

got, out, err = run('roots')
lines = out.splitlines()
ok(lines[0] == f'{HOME}/dir' and f'{U}/docs/' in lines and f'{U}/news.rss' in lines, 'roots lists all', out, err)
rows = [json.loads(line) for line in run('roots', '--json')[1].splitlines()]
docs = [r for r in rows if r.get('url') == f'{U}/docs/'][0]
ok(docs['kind'] == 'site' and docs['pages_most'] == 12 and docs['pages'] == 0 and docs['last_visit'] is None, 'roots --json has facts', docs)
status = json.loads(run('status', '--json')[1])
ok([s['url'] for s in status['sources']] == [r['url'] for r in rows if 'url' in r], 'status --json has the sources too', status)
got, out, err = run('config', 'get', f'web:{U}/docs/.pages')
ok(out == '12\n', 'config get knows them', out, err)
ok(f'web:{U}/news.rss.keep=text\n' in run('config', 'list')[1], 'config list has what their sections set')

got, out, err = run('web', 'visit', f'{U}/docs/1')
ok(got == 3 and 'no index' in err, 'web visit needs an index', got, out, err)
run('index')
got, out, err = run('web', 'visit', f'{U}/docs/1', '--json')
seen = json.loads(out)
ok(got == 1 and seen['verdict'] == 'unknown-url' and seen['known'] is False, 'web visit knows a URL of a source that nothing has named yet', out, err)
got, out, err = run('web', 'visit', 'https://example.org/')
ok(got == 1 and 'belongs to no site' in out, 'and what belongs to none', out, err)
ok(run('web', 'visit', '/etc/passwd')[0] == 2, 'a path is not a URL')

opml = run('roots', '--opml')[1]
ok(f'xmlUrl="{U}/news.rss"' in opml and f'{U}/docs/' not in opml, 'roots --opml has the feeds', opml)
before = conf()
with open(os.path.join(HOME, 'mine.opml'), 'w') as f:
    f.write(opml.replace('</body>', '''<outline text="Deep"><outline text="x"><outline xmlUrl="https://a.example/f?b=1&amp;a=2"/></outline></outline>
<outline xmlUrl="https://a.example/f?a=2&amp;b=1"/><outline xmlUrl="file:///etc/passwd"/><outline xmlUrl="relative"/></body>'''))
asked = len(server.requests)
check('add --opml adds what is new, once', ['add', '--opml', f.name, '--every', '2d'], 0, ['1 feed is added', '2 feeds have no URL'],
      ['[web:https://a.example/f?a=2&b=1]\nkind = feed\nevery = 2 d\n'])
ok(len(server.requests) == asked, 'and asks nobody')
for name, content in (('entities', '<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]><opml><body><outline xmlUrl="&a;"/></body></opml>'),
                      ('deep', '<opml><body>' + '<outline>' * 50000), ('none', '<html></html>'), ('empty', '')):
    with open(os.path.join(HOME, 'bad.opml'), 'w') as f:
        f.write(content)
    got, out, err = run('add', '--opml', f.name)
    ok(got in (0, 2, 5) and 'root:' not in conf(), f'{name} in a list does no harm', got, err)
with open(os.path.join(HOME, 'bad.opml'), 'w') as f:
    f.write('<opml><body><outline xmlUrl="https://b.example/feed"/>' + '<outline>' * 50000)
for form in ('--json', '--null'):
    check(f'roots --opml has no form {form}', ['roots', '--opml', form], 2, [f'--opml cannot be combined with {form}'])
check('--site is refused beside a list, which names feeds', ['add', '--opml', f.name, '--site'], 2, ['--site and --opml exclude each other'])
check('a URL beside a list that was read in part is added', ['add', '--opml', f.name, f'{U}/plain/', '--every', '3d'], 5, [],
      ['[web:https://b.example/feed]', f'[web:{U}/plain/]'])
ok(run('add', '--opml', os.path.join(HOME, 'missing'))[0] == 2, 'a list that is not there is an error')

check('what is not a source cannot be removed', ['remove', f'{U}/other'], 2, ['not a site or feed', f'{U}/docs/'])
check('--full is refused for a known site', ['add', f'{U}/docs/', '--full'], 2, ['--full is for feeds'])
check('and for a page that turns out to be one', ['add', f'{U}/docs/1x', '--full', '--site'], 2, ['--full is for feeds'])
check('--full is refused where nothing is kept', ['add', f'{U}/quiet/atom.xml', '--keep', 'nothing'], 0)
check('also if this was said before', ['add', f'{U}/quiet/atom.xml', '--full'], 2, ['--full needs --keep'])
check('a source that is named twice is removed once, and so are those that follow',
      ['remove', f'{U}/quiet/atom.xml', f'{U}/quiet/atom.xml', 'https://a.example/f?b=1&a=2'], 0, [f'{U}/quiet/atom.xml is no longer read', 'a.example/f?a=2&b=1 is no longer'])
check('so is a directory', ['remove', f'{HOME}/dir', f'{HOME}/dir/', 'https://b.example/feed'], 0, [f'{HOME}/dir is no longer watched', 'b.example/feed is no longer'])
check('remove forgets a source', ['remove', f'{U}/docs/'], 0, ['no longer read'])
ok(f'[web:{U}/docs/]' not in conf() and f'[web:{U}/news.rss]' in conf(), 'and no other one', conf())


def on_terminal(answer, *words):
    """Runs the client on a terminal, where a person types the answer."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp('tarsier', ['tarsier', *words])
    out = b''
    answered = False
    while True:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        out += data
        if not answered and b'Number of a feed' in out:
            os.write(fd, answer)
            answered = True
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out


run('remove', f'{U}/blog/')
run('remove', f'{U}/news.rss')
before = conf()
got, out = on_terminal(b'q\n', 'add', f'{U}/blog/')
ok(got == 0 and conf() == before, 'a person may choose nothing', out)
got, out = on_terminal(b'7\n1\n', 'add', f'{U}/blog/')
ok(got == 0 and f'[web:{U}/news.rss]\nkind = feed' in conf() and f'{U}/blog/]' not in conf(), 'or a feed by its number', out)
got, out = on_terminal(b's\n', 'add', f'{U}/blog/')
ok(got == 0 and f'[web:{U}/blog/]\nkind = site' in conf(), 'or the site', out)
finish()
