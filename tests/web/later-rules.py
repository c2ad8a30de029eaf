# SPDX-License-Identifier: GPL-3.0-or-later
"""When a rule has made half of the pages aliases, the pages that come later teach another rule."""
import json, os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

TEXTS = 16
words = random.Random(7)
WORDS = [''.join(words.choice('bdfgklmnprstvz') + words.choice('aeiou') for _ in range(3)) for _ in range(400)]
site = Site({'/robots.txt': Page('', 404)})
start = site.origin + '/'


def forms(n):
    return f'/text/{n}.html', f'/text/{n}.html?visit={n * 7919 + 13:x}q', f'/print/text/{n}.html'


def link(paths):
    site.pages['/'] = Page(f'<title>Start</title><p>{len(paths)} ' + ' '.join(f'<a href="{path}">x</a>' for path in paths))


def valid():
    done = subprocess.run(['tarsier', 'web', 'rules', start, '--json'], capture_output=True, text=True, timeout=60)
    return [rule for rule in map(json.loads, done.stdout.splitlines()) if rule['state'] == 'valid']


for n in range(TEXTS):
    text = ' '.join(random.Random(n).sample(WORDS, 60))
    for path in forms(n):
        site.pages[path] = Page(f'<title>Text {n}</title><p>walnut number{n} {text}.')
link([path for n in range(TEXTS) for path in forms(n)[:2]])
configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
wait_until('a rule is learned', lambda: valid() != [], 100, 0.5)
wait_until('it is applied', lambda: query('SELECT count(*) FROM web_url WHERE status = 3') == [(TEXTS,)], 60)
equal(len(valid()), 1, 'the first rule is the only one')
link([path for n in range(TEXTS) for path in forms(n)])
visit(start)
wait_until('another rule is learned', lambda: len(valid()) == 2, 100, 0.5)
equal(len(valid()), 2, 'another rule is learned of the pages that came later')
wait_until('it is applied', lambda: query('SELECT count(*) FROM web_url WHERE status = 3') == [(2 * TEXTS,)], 60)
daemon.stop()
finish()
