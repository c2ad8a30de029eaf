# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever adds a URL waits for as long as the daemon would: a host that asks to be left alone is."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/robots.txt': Page('User-agent: *\nCrawl-delay: 3\n', Content_Type='text/plain'), '/': Page('<p>walnut start'),
             '/news.xml': Page('<rss version="2.0"><channel><title>News</title><item><title>A</title></item></channel></rss>',
                               Content_Type='application/rss+xml')})
configure_sources({site.origin + '/': {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('the start is asked', lambda: site.asked('/'))
soon('it is found', [site.origin + '/'], 'walnut')


def add(url):
    return subprocess.run(['tarsier', 'add', url], capture_output=True, text=True, timeout=120)


done = add(site.origin + '/news.xml')
ok(done.returncode == 0, 'a feed of a known host is added', done.stdout, done.stderr)
wait_until('the daemon reads it', lambda: len(site.asked('/news.xml')) > 1, 90)
ok(all(gap >= 2.999 for gap in site.gaps()), 'the Crawl-delay lies between requests of daemon and client', site.gaps(), [entry[1] for entry in site.log])

site.pages['/'] = Page('busy', 503, Retry_After='3600')
asked = len(site.asked('/'))
wait_until('the start is visited', lambda: visit(site.origin + '/') == 1)
wait_until('it is answered', lambda: len(site.asked('/')) > asked)
wait_until('the answer is noted', lambda: query('SELECT max(wait_ms) > 3000000 FROM web_host') == [(1,)])
requests = len(site.log)
done = add(site.origin + '/other.xml')
ok(done.returncode == 1 and 'left alone' in done.stderr, 'a host that asks for an hour is not looked at', done.stdout, done.stderr)
equal(len(site.log), requests, 'nothing is asked')
daemon.stop()
finish()
