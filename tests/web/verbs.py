# SPDX-License-Identifier: GPL-3.0-or-later
"""Verbs that take a file take the URL of a page too, and say so where a site or feed as a whole has
no answer."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/': Page('<title>Start</title><p>walnut'), '/robots.txt': Page('', 404)})
feed = Site({'/robots.txt': Page('', 404), '/feed': Page(
    '<rss version="2.0"><channel><title>F</title><item><guid>g</guid><description>walnut</description></item></channel></rss>',
    Content_Type='application/rss+xml')})
page, whole = site.origin + '/', feed.origin + '/feed'
configure_sources({page: {'kind': 'site'}, whole: {'kind': 'feed'}})
daemon = Daemon('-v')
soon('a page and an item are found', [page, whole + '#id%20g'], 'walnut')


def said(name, words, code, *texts, without=()):
    done = subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=60)
    out = done.stdout + done.stderr
    ok(done.returncode == code and all(text in out for text in texts) and not any(text in out for text in without), name, done.returncode, out)


said('a short page is compared by its bytes', ['similar', page], 1, 'too few words', 'Nothing in the index is similar', without=['No such file'])
for verb in ('similar', 'show'):
    said(f'{verb} says that a feed is none of its documents', [verb, whole], 1, 'is a site or feed', 'tarsier list')
said('info tells the visits of a feed', ['info', whole], 0, 'feed', '1 page, 0 waiting', without=['1970', 'owner'])
said('info tells the facts of the first page of a site', ['info', page], 0, 'text/html', 'Start')
said('list has the items of a feed', ['list', whole], 0, whole + '#id%20g')
equal(tells('list').splitlines()[1:], sorted([page, whole + '#id%20g']), 'list without a place names each page once, in order, and no sources')
said('a page is not indexed at once', ['index', page], 2, 'tarsier web visit', without=['tarsier add'])
daemon.stop()
finish()
