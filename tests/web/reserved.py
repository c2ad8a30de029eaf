# SPDX-License-Identifier: GPL-3.0-or-later
"""A source is added while the daemon reads another one of the same host: the client and the daemon
ask it in turn, never two requests within a second, and the daemon goes on afterwards."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

PAGES = 60
links = ''.join(f'<a href="/docs/{i}">{i}</a> ' for i in range(PAGES))
site = Site({'/docs/': Page(f'<p>walnut {links}'), '/robots.txt': Page('', 404), '/blog/': Page('<title>Blog</title><p>hazelnut'), '/blog/more/': Page('<title>More</title><p>pecan'),
             **{f'/docs/{i}': Page(f'<p>walnut number {i}') for i in range(PAGES)}})
configure_sources({site.origin + '/docs/': {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('the daemon reads pages', lambda: len(site.asked('/docs/')) == 1 and len(site.log) >= 4, 60)
before = len(site.log)
for name in ('blog', 'blog/more'):
    done = subprocess.run(['tarsier', 'add', '--site', f'{site.origin}/{name}/'], capture_output=True, text=True, timeout=100)
    ok(done.returncode == 0, f'{name} is added', done.stderr)
by_client = [entry for entry in site.log[before:] if entry[1] in ('/robots.txt', '/sitemap.xml')]
ok(len(by_client) >= 4, 'the client has asked the host', [entry[1] for entry in site.log])
asked = len(site.log)
wait_until('the daemon goes on', lambda: len(site.log) >= asked + 3, 40)
ok(len(site.log) >= asked + 3, 'the daemon goes on at once')
polite('no two requests lie within a second', site)
daemon.stop()
finish()
