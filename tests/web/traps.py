# SPDX-License-Identifier: GPL-3.0-or-later
"""A calendar without end, each day of which says that there is nothing, is not read for ever; neither
is a site that sends each request on because it wants a cookie."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

NOTHING = 'Sorry, the page that you are looking for is not here. Try another day, or go back to the start of this site.'


class Calendar(dict):
    """Each day links to the next two, and each other page of the site says the same."""

    def get(self, path, default=None):
        if path in self or path == '/robots.txt':
            return super().get(path, default)
        day = int(path[5:-5]) if path.startswith('/day/') else 0
        return Page(f'<title>Day</title><p>{NOTHING} <a href="/day/{day * 2 + 1}.html">.</a> <a href="/day/{day * 2 + 2}.html">.</a>')


class Cookies(dict):
    """Each request below /c leads to another one."""

    def get(self, path, default=None):
        return Page('', 302, Location=path + '1') if path.startswith('/c') else super().get(path, default)


cookies = Site()
cookies.pages = Cookies({'/': Page('<p>hazelnut <a href="/c">c</a> <a href="/r3">r</a>'), '/r0': Page('<p>hazelnut moved'),
                         **{f'/r{i + 1}': Page('', 302, Location=f'/r{i}') for i in range(3)}})
site = Site()
site.pages = Calendar({'/': Page('<title>Start</title><p>walnut start <a href="/day/1.html">today</a> <a href="/last.html">last</a>'),
                       '/last.html': Page('<p>walnut last')})
configure_sources({site.origin + '/': {'kind': 'site'}, cookies.origin + '/': {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('the site is read', lambda: query('SELECT 1 FROM web_url WHERE due = 0') == [] and len(site.log) > 10, 60)
equal(found('walnut'), [site.origin + '/', site.origin + '/last.html'], 'the pages beside the calendar are found')
equal(len([entry for entry in site.log if 'no-such-page' in entry[1]]), 1, 'a page that cannot exist is asked once')
days = len([entry for entry in site.log if entry[1].startswith('/day/')])
ok(16 <= days <= 28, 'the calendar sinks', days)
equal(found('hazelnut'), [cookies.origin + '/', cookies.origin + '/r0'], 'a page is found where three redirects lead')
equal([entry[1] for entry in cookies.log if entry[1].startswith('/c')], ['/c' + '1' * i for i in range(6)], 'redirects end after five')
polite('a second lies between two requests', site)
daemon.stop()
finish()
