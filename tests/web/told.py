# SPDX-License-Identifier: GPL-3.0-or-later
"""A crawler that shares its hosts is killed each time the database is told of a page that it has
read: its index has the page, since no crawler asks for it again."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

PAGES = 8
if not os.path.exists(os.path.join(os.path.dirname(os.environ['TARSIER_FETCH']), 'tarsier-partition')):
    skip_all('built without libpq')
programs = os.path.join(TMP, 'programs')
os.mkdir(programs)
os.symlink(os.environ['TARSIER_FETCH'], programs + '/tarsier-fetch')
os.symlink(os.path.join(BUILD, 'tests/web/partition-liar'), programs + '/tarsier-partition')
os.environ['TARSIER_FETCH'] = programs + '/tarsier-fetch'
site = Site({'/': Page('<p>walnut ' + ''.join(f'<a href="/{i}">{i}</a> ' for i in range(PAGES))),
             **{f'/{i}': Page(f'<p>walnut {i}') for i in range(PAGES)}})
configure_sources({site.origin + '/': {'kind': 'site'}}, text='[web]\npartition = postgresql://localhost/crawl\n')


def told():
    with open(TMP + '/log', encoding='utf-8', errors='replace') as f:
        return set(re.findall('^partition-liar: read (.*)$', f.read(), re.M))


seen, lost = set(), []
with open(TMP + '/log', 'wb') as log:
    while len(seen) < PAGES:
        process = keep(subprocess.Popen(['tarsierd', '-v'], stderr=log, stdout=log))
        news = wait_until('a page is told of', lambda: told() - seen, 120, 0.001)
        process.kill()
        process.wait(60)
        if not news:
            break
        seen |= told()
        lost += told() - {url.decode() for url, in query('SELECT url FROM web_page')}
ok(len(seen) >= PAGES, 'the database is told of the pages', seen)
equal(lost, [], 'each is in the index by then')
finish()
