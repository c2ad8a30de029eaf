#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The baseline for main content (bench/slope_curve.py) finds the range that its definition asks
for, and less of a page than tarsier does."""
import os, random, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'bench'))
from slope_curve import best_range, main_text, tokens_of

count = failed = 0


def ok(condition, name):
    global count, failed
    count += 1
    failed += not condition
    print(('ok' if condition else 'not ok') + f' {count} - {name}')


def value(tokens, begin, end):
    """Computes T of the definition, token by token."""
    return sum((token is None) != (begin <= i < end) for i, token in enumerate(tokens))


def most(tokens):
    n = len(tokens)
    return max((value(tokens, i, j) for i in range(n + 1) for j in range(i, n + 1)), default=0)


dice = random.Random(20010701)
for length in (0, 1, 2, 5, 12, 30):
    rows = [[None if dice.random() < share else 'w' for _ in range(length)] for share in (0, .2, .5, .8, 1) for _ in range(8)]
    ok(all(value(row, *best_range(row)) == most(row) for row in rows), f'rows of {length} tokens: no range is better than the one found')

PAGE = ('<html><head><title>Page</title><script>not a word</script></head><body>' + '<li><a href="x">menu</a></li>' * 20
        + '<p>' + 'The keeper lights the lamp at dusk and writes the log. ' * 12 + '</p>' + '<li><a href="y">footer</a></li>' * 20 + '</body></html>')
text = main_text(PAGE)
ok(text.startswith('The keeper') and text.endswith('the log.'), 'the baseline finds the paragraph of a page')
ok('menu' not in text and 'footer' not in text, 'the baseline leaves menus out')
ok('not' not in [t for t in tokens_of(PAGE) if t], 'the baseline does not take scripts for text')

# The curve cannot find two stretches of text with a table of links between them: it takes all of
# it, or one of them.
LINKS = '<li><a href="z">link</a></li>' * 60
TWO = '<html><body><div>' + '<p>' + 'First part of the story, told at length, with commas. ' * 8 + '</p>' + '<nav>' + LINKS + '</nav>' \
      + '<p>' + 'Second part of the story, told at length, with commas. ' * 8 + '</p></div></body></html>'
path = os.path.join(os.environ['TEST_TMP'], 'two.html')
with open(path, 'w', encoding='utf-8') as f:
    f.write(TWO)
curve = main_text(TWO)
tarsier = subprocess.run(['tarsier', 'extract', '--plain', path], stdout=subprocess.PIPE, check=True).stdout.decode()
ok(('First' in curve) != ('Second' in curve), 'the baseline takes one of two parts of a page')
ok('First' in tarsier and 'Second' in tarsier and 'link' not in tarsier, 'tarsier takes both parts without the links between')

# The main text of a news page, as a person would copy it: without the headline, which is the title,
# and without captions. Both stay searchable.
news = os.path.join(os.environ['abs_top_srcdir'], 'tests/extractors/data/html-news.html')
lines = subprocess.run(['tarsier', 'extract', '--plain', news], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
ok(lines[0].startswith('The old lamp') and lines[-1].startswith('Published: 1987') and len(lines) == 7, 'tarsier prints the running text of a page alone')
whole = subprocess.run(['tarsier', 'extract', news], stdout=subprocess.PIPE, check=True).stdout.decode()
ok('<heading1>Lamp is lit again after forty years</heading1>' in whole and '<caption>The tower at dusk' in whole, 'its headline and captions are indexed as such')
print(f'1..{count}')
sys.exit(failed > 0)
