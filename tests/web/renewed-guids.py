# SPDX-License-Identifier: GPL-3.0-or-later
"""A feed that renews its guids whenever it is written has each item once; items that only look alike
stay two."""
import itertools, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

fresh = itertools.count()


def item(link, title, text, guid=None):
    n = next(fresh)
    return (f'<item><title>{title}</title><link>{link}</link><guid isPermaLink="false">{guid or n}</guid>'
            f'<pubDate>Sat, 07 Feb 2026 10:00:{n % 60:02} GMT</pubDate><description>{text}</description></item>')


def feed(*items):
    return Page('<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>' + ''.join(items) + '</channel></rss>',
                Content_Type='application/rss+xml')


blog, home, menu, kept, full = sites = [Site(address=f'127.0.0.{n}') for n in range(2, 7)]
visits = 0


def serve(**feeds):
    for name, page in feeds.items():
        globals()[name].pages['/feed'] = page


def visit_all():
    """A new daemon visits all feeds."""
    global daemon, visits
    visits += 1
    if visits > 1:
        daemon.stop()
        db = sqlite3.connect(Daemon.index + '/index.db')
        db.execute('UPDATE web_host SET feed_ms = 0')
        db.execute("UPDATE web_url SET due = 0 WHERE due IS NOT NULL")
        db.commit()
        db.close()
    daemon = Daemon('-v')
    wait_until('the feeds are asked', lambda: all(len(site.asked('/feed')) >= visits for site in sites), 90)
    wait_until('and answered', lambda: query('SELECT count(*) FROM web_host WHERE asked IS NOT NULL') == [(0,)], 30)
    daemon.sync()


def items_of(site, *words):
    return [path for path in found(*words) if path.startswith(site.origin)]


def count(name, site, number, *words):
    wait_until(name, lambda: len(items_of(site, *words)) == number, 20)
    equal(len(items_of(site, *words)), number, name)


def links(site, *names):
    return [f'{site.origin}/{name}' for name in names]


def blog_feed(*texts):
    return feed(*(item(f'{blog.origin}/{n}', f'Post {n}', text) for n, text in enumerate(texts)))


def home_feed(*texts):
    return feed(*(item(home.origin + '/', 'News', text) for text in texts))


def full_feed():
    return feed('<item><title>Whole</title><link>%s/whole</link><guid isPermaLink="false">%d</guid><description>walnut teaser</description></item>'
                % (full.origin, next(fresh)))


full.pages['/whole'] = Page('<p>walnut whole page')
configure_sources({site.origin + '/feed': {'kind': 'feed'} | ({'full': 'true'} if site is full else {}) for site in sites})
serve(blog=blog_feed('walnut first', 'walnut second'), home=home_feed('walnut red', 'walnut blue'), full=full_feed(),
      menu=feed(item(menu.origin + '/menu', 'Menu', 'walnut soup')),
      kept=feed(item(kept.origin + '/a', 'Thread', 'walnut monday', 'one'), item(kept.origin + '/b', 'Other', 'walnut other', 'two')))
visit_all()
wait_until('the whole page is there', lambda: items_of(full, 'whole', 'page'), 60)
serve(blog=blog_feed('walnut first', 'walnut second', 'walnut third'), home=home_feed('walnut red', 'walnut blue'), full=full_feed(),
      menu=feed(item(menu.origin + '/menu', 'Menu', 'walnut salad')),
      kept=feed(item(kept.origin + '/a', 'Thread', 'walnut tuesday', 'three'), item(kept.origin + '/b', 'Other', 'walnut other', 'two')))
visit_all()
count('an item of a feed that renews its guids is there once, and a new one', blog, 3, 'walnut')
count('items with the same link, title and new guids are two if they say something else', menu, 2, 'walnut')
count('so they are where the guids of other items stay', kept, 3, 'walnut')
for texts in ('walnut first', 'walnut edited', 'walnut third'), ('walnut first', 'walnut edited', 'walnut third'):
    serve(blog=blog_feed(*texts), home=home_feed('walnut red', 'walnut blue'), full=full_feed())
    visit_all()
count('an edited one takes the place of the old one', blog, 1, 'edited')
count('which is not found', blog, 0, 'second')
equal(items_of(blog, 'walnut'), links(blog, '0', '1', '2'), 'all are found by their links')
ok(len(items_of(home, 'walnut')) <= 3, 'items that share their link do not grow without end', items_of(home, 'walnut'))
equal(items_of(full, 'walnut'), links(full, 'whole'), 'an item whose page is fetched is there once')
equal(len(full.asked('/whole')), 1, 'and its page is asked once')
daemon.stop()
finish()
