# SPDX-License-Identifier: GPL-3.0-or-later
"""An answer to robots.txt counts by what it contains, not by its bytes on the wire; a host that does
not exist is told as such."""
import datetime, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

TEXT = {'Content_Type': 'text/plain'}
PACKED = TEXT | {'Content_Encoding': 'gzip'}
PAGES = {'/': Page('<p>walnut <a href="/secret">s</a>'), '/secret': Page('<p>walnut')}
RULES = b'User-agent: *\nDisallow: /secret\n'
moved = Page('x' * 50, 302, Location='/other')
open_sites = [Site(PAGES | robots) for robots in (
    {'/robots.txt': Page(b'', **TEXT)},
    {'/robots.txt': Page(gzip.compress(b''), **PACKED)},
    {'/robots.txt': moved, '/other': Page(b'', **TEXT)},
    {'/robots.txt': moved, '/other': Page(b'', 404, **TEXT)},
    {'/robots.txt': Page(b'\xff\xfe\x00\x01' * 5000, **TEXT)})]
closed_sites = [Site(PAGES | robots) for robots in (
    {'/robots.txt': Page(gzip.compress(RULES), **PACKED)},
    {'/robots.txt': Page(b'\xff\xfe' + RULES.decode().encode('utf-16-le'), **TEXT)},
    {'/robots.txt': Page(RULES + b'# filled up\n' * (9 << 20), **TEXT)},
    {'/robots.txt': moved, '/other': Page(RULES, **TEXT)})]
shut_sites = [Site(PAGES | {'/robots.txt': page}) for page in (Page(b'', 503), Page(RULES, 429), Page(b'', 301, Location='/robots.txt'))]
nowhere = 'http://nowhere.invalid/'
sites = open_sites + closed_sites + shut_sites
configure_sources({site.origin + '/': {'kind': 'site'} for site in sites} | {nowhere: {'kind': 'site'}})
daemon = Daemon('-v')
soon('an empty robots.txt, packed, moved or not, allows everything; rules count also when packed, moved, in UTF-16 or at the head of 100 MB',
     [site.origin + path for site in open_sites for path in ('/', '/secret')] + [site.origin + '/' for site in closed_sites], 'walnut', seconds=90)
equal([site.asked('/secret') for site in closed_sites], [[]] * len(closed_sites), 'what robots.txt forbids is not asked')
equal([len(site.log) for site in shut_sites], [1, 1, 1], 'nothing is asked where robots.txt cannot be read, nor that again if it leads to itself')


wait_until('the failure is noted', lambda: query("SELECT 1 FROM web_root WHERE failure IN ('resolve', 'no-network')"))
shown = [line for line in tells('doctor').splitlines() if nowhere in line]
reason = 'its host is not found' if query("SELECT 1 FROM web_root WHERE failure = 'resolve'") else 'the network cannot be reached'
ok(reason in shown[0] and 'robots' not in shown[0], 'doctor says that there is no such host', shown)
ok(reason in tells('web', 'visit', nowhere), 'web visit too', tells('web', 'visit', nowhere))
facts = [json.loads(line) for line in tells('roots', '--json').splitlines()]
nexts = [datetime.datetime.fromisoformat(fact['next_visit'].replace('Z', '+00:00')).timestamp() - time.time()
         for fact in facts if fact.get('url') in [site.origin + '/' for site in shut_sites]]
ok(len(nexts) == 3 and all(3000 < wait <= 3600 for wait in nexts), 'the next visit is told to be when robots.txt is asked again', nexts)
ok('as its host allows' not in tells('info', shut_sites[0].origin + '/'), 'info tells it too', tells('info', shut_sites[0].origin + '/'))
shown = [line for line in tells('doctor').splitlines() if shut_sites[0].origin in line]
ok('robots.txt cannot be read' in shown[0], 'a robots.txt that cannot be read is told', shown)
daemon.stop()
finish()
