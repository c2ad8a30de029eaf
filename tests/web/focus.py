# SPDX-License-Identifier: GPL-3.0-or-later
"""In a source with a topic, the pages that it is about are asked first, and fill its room, also if a
sitemap lists others, and if the conversion of a page takes longer than the gap between requests."""
import json, os, re, signal, sys, threading
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

listed = ''.join(f'<url><loc>%s{path}</loc></url>' for path in [*(f'/other{i}.html' for i in range(8)), '/a.html', '/c.html'])
others = ''.join(f'<p><a href="/other{i}.html">About the weather, part {i}</a></p>' for i in range(8))
site = Site({'/': Page(f'<title>Start</title>{others}<p><a href="/a.html">All about lanterns</a> <a href="/lantern-b.html">More</a></p>'),
             '/a.html': Page('<title>Lanterns</title><p>A lantern is a light. Lanterns are lamps. <a href="/c.html">next</a></p>'),
             '/lantern-b.html': Page('<title>Another lantern</title><p>Lanterns of the harbour.</p>'),
             '/c.html': Page('<title>Lantern makers</title><p>Who makes a lantern.</p>'),
             **{f'/other{i}.html': Page(f'<title>Weather {i}</title><p>It rains in part {i}.</p>') for i in range(8)}})
site.pages['/robots.txt'] = Page(f'User-agent: *\nSitemap: {site.origin}/map.xml\n', Content_Type='text/plain')
site.pages['/map.xml'] = Page(f'<urlset>{listed.replace("%s", site.origin)}</urlset>', Content_Type='application/xml')
configure_sources({site.origin + '/': {'kind': 'site', 'about': 'lantern', 'pages': 5}})  # four pages and the sitemap


def below(pid):
    for child in all_children(pid):
        yield child
        yield from below(child)


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def pause_conversion():
    extractors = [pid for pid in below(daemon.process.pid) if name_of(pid).startswith('tarsier-extract')]
    send(extractors, signal.SIGSTOP)
    threading.Timer(4, send, (extractors, signal.SIGCONT)).start()
    paused.append(extractors)


paused = []
site.pages['/a.html'].when_asked = pause_conversion
daemon = Daemon('-v')
wait_until('the pages are read', lambda: len([e for e in site.log if e[3] == 200]) >= 6, 240)
soon('the pages of the topic are found', [site.origin + path for path in ('/a.html', '/lantern-b.html', '/c.html')], 'lantern', 'title:lantern')
asked = [entry[1] for entry in site.log if entry[1].endswith('.html')]
ok(paused and paused[0], 'the page with the last link waits for its conversion', paused)
equal(sorted(asked), ['/a.html', '/c.html', '/lantern-b.html'], 'no other page took their room')
about = json.loads(tells('roots', '--json').splitlines()[-1])
ok(about['about'] == 'lantern' and .5 < about['harvest'] <= 1, 'roots tells which share of the pages is about the topic', about)
ok(re.search(r'\d+ % of them about "lantern"', tells('status')), 'so does status', tells('status'))
polite('a second lies between two requests', site)
daemon.stop()
finish()
