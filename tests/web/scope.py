# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that patterns, depth or robots.txt exclude after they were indexed leave the index, also when
the daemon is killed meanwhile; they come back whole when they are wanted again."""
import os, sqlite3, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/': Page('<p>walnut start <a href="/a/">a</a> <a href="/b.html">b</a> <a href="/c.html">c</a>', ETag='"s"'),
             '/a/': Page('<p>walnut a <a href="/a/deep.html">deep</a>', ETag='"a"'),
             '/a/deep.html': Page('<p>walnut deep', ETag='"d"'),
             '/b.html': Page('<p>walnut b', ETag='"b"'),
             '/c.html': Page('<p>walnut c', ETag='"c"')})
start = site.origin + '/'
paths = {'': '', 'a': 'a/', 'deep': 'a/deep.html', 'b': 'b.html', 'c': 'c.html'}


def urls(*names):
    return [start + paths[name] for name in names]


configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
soon('all pages of a site are found', urls(*paths), 'walnut')

# ---- the configuration
configure_sources({start: {'kind': 'site', 'exclude': '*/b.html'}})
reload()
soon('a page that is excluded now is not found any more', urls('', 'a', 'deep', 'c'), 'walnut')
configure_sources({start: {'kind': 'site', 'depth': '1'}})
reload()
soon('a page that lies too deep is not found, one that is not excluded any more is', urls('', 'a', 'b', 'c'), 'walnut')
equal(site.asked('/b.html')[1][2].get('If-None-Match'), None, 'a page that comes back is asked for as a whole')
daemon.stop(signal.SIGKILL)
configure_sources({start: {'kind': 'site', 'include': '*/a/*'}})
daemon = Daemon('-v')
soon('what changed while no daemon ran counts too', urls('', 'a', 'deep'), 'walnut')
configure_sources({start: {'kind': 'site'}})
reload()
soon('without patterns all pages are back', urls(*paths), 'walnut')

# ---- robots.txt
site.pages['/robots.txt'] = Page('User-agent: *\nDisallow: /a/\n', Content_Type='text/plain')
daemon.stop()
with sqlite3.connect(Daemon.index + '/index.db') as db:
    db.execute('UPDATE web_host SET robots_s = 0')
db.close()
daemon = Daemon('-v')
wait_until('the first page is visited', lambda: visit(start) == 1)
soon('what robots.txt has come to forbid is not found', urls('', 'b', 'c'), 'walnut')
equal(query("SELECT count(*) FROM web_url WHERE web_path(path) LIKE '/a/%' AND due IS NULL"), [(2,)], 'its URLs are held')
equal(query('SELECT count(*) FROM web_scope WHERE patterns = 1'), [(0,)], 'all documents were judged')
polite('no request is early', site)
daemon.stop()

# ---- a site whose URL ends with a name
below = Site({'/docs': Page('<p>hazel docs <a href="/docs/a">a</a> <a href="/docs?b">b</a> <a href="/other">other</a> <a href="/docs2">2</a>'),
              '/docs2': Page('<p>hazel 2'),
              '/docs/a': Page('<p>hazel a'), '/docs?b': Page('<p>hazel b'), '/other': Page('<p>hazel other'), '/': Page('<p>hazel home')})
docs = below.origin + '/docs'
configure_sources({docs: {'kind': 'site'}})
daemon = Daemon('-v')
soon('its pages begin with the name', [docs, docs + '/a', docs + '?b'], 'hazel')
equal([path for _, path, _, _ in below.log], ['/robots.txt', '/docs', '/docs/a', '/docs?b'], 'no other page is asked')
daemon.stop()
with sqlite3.connect(Daemon.index + '/index.db') as db:  # as versions wrote it that took the directory around it
    db.execute("UPDATE web_source SET prefix = '/'")
db.close()
daemon = Daemon('-v')
wait_until('it is read anew', lambda: len(below.asked('/docs/a')) == 2, 60)
soon('an index in which it was larger has it as it is', [docs, docs + '/a', docs + '?b'], 'hazel')
equal(query('SELECT prefix FROM web_source'), [(b'/docs',)], 'it is one source')
equal([below.asked('/'), below.asked('/other')], [[], []], 'the pages around it are not asked')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
