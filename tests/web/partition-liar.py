# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that stands between the daemon and a database of several crawlers, and says for ever that
there are more URLs, without any: the daemon does not ask for ever."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

if not os.path.exists(os.path.join(os.path.dirname(os.environ['TARSIER_FETCH']), 'tarsier-partition')):
    skip_all('built without libpq')
programs = os.path.join(TMP, 'programs')
os.mkdir(programs)
os.symlink(os.environ['TARSIER_FETCH'], programs + '/tarsier-fetch')
os.symlink(os.path.join(os.environ['abs_top_builddir'], 'tests/web/partition-liar'), programs + '/tarsier-partition')
os.environ['TARSIER_FETCH'] = programs + '/tarsier-fetch'
site = Site({'/': Page('<p>walnut <a href="/one">one</a>'), '/one': Page('<p>walnut one')})
configure_sources({site.origin + '/': {'kind': 'site'}}, text='[web]\npartition = postgresql://localhost/crawl\n')
daemon = Daemon('-v')
soon('the site is read', [site.origin + '/', site.origin + '/one'], 'walnut')
loads = log_text().count('partition-liar: load')
ok(loads == 1, 'the list was asked for once', loads)
daemon.stop()
finish()
