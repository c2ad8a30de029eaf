# SPDX-License-Identifier: GPL-3.0-or-later
"""An export has the texts of pages and of items of feeds, and loses them with their source."""
import json, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

LONG = '<title>Long</title>' + '<p>walnut paragraph that is longer than others' * 20000
site = Site({'/': Page('<title>Start</title><p>walnut start <a href="long">long</a>'), '/long': Page(LONG)})
feed = Site({'/news.xml': Page('<rss version="2.0"><channel><title>News</title><item><title>First</title>'
                               '<guid isPermaLink="false">a</guid><description>walnut item</description></item></channel></rss>',
                               Content_Type='application/rss+xml')})
item = feed.origin + '/news.xml#id%20a'
configure_sources({site.origin + '/': {'kind': 'site'}, feed.origin + '/news.xml': {'kind': 'feed'}})
daemon = Daemon('-v')
soon('pages and items are found', [site.origin + '/', site.origin + '/long', item], 'walnut')


def lines_of(*options):
    done = subprocess.run(['tarsier', 'export', '--to', '-', *options], capture_output=True, text=True, timeout=60)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def export():
    """Status, last line, and the documents by their place."""
    code, lines = lines_of()
    return code, lines[-1], {p['path']: d for d in lines[1:-1] for p in d['places'] if p['source'] != 'file'}


def text_of(document):
    return ''.join(part['text'] for part in document['text'] or [])


code, end, documents = export()
equal(code, 0, 'the export is whole')
equal(sorted(documents), sorted([site.origin + '/', site.origin + '/long', item]), 'it has the pages and items')
equal([text_of(documents[path]) for path in (site.origin + '/', item)], ['walnut start long', 'walnut item'], 'short ones have their texts')
ok(text_of(documents[site.origin + '/long']).count('walnut') == 20000, 'and so has a long one')
equal(end['without_text'], 0, 'no text is missing')
equal(documents[item]['facts']['title'], ['First'], 'an item has its facts')
seq = str(lines_of('--since', '0', '--no-text')[1][-1]['seq'])
subprocess.run(['tarsier', 'remove', feed.origin + '/news.xml'], check=True, timeout=60)
equal(sorted(export()[2]), sorted([site.origin + '/', site.origin + '/long']), 'a removed feed is not exported')
changes = lines_of('--since', seq, '--no-text')[1][1:-1]
equal([(line['type'], line['content'], line['places']) for line in changes], [('content', documents[item]['content'], [])],
      'its item has changed, and no page of the other source')
daemon.stop()
finish()
