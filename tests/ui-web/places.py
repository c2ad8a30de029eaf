# SPDX-License-Identifier: GPL-3.0-or-later
"""Directories with hostile names as places of tarsier browse: whatever is offered leads there."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

NAMES = [b'plain', b'"quo<ted>&amp;\'s', b'bad \xff byte', 'zero\u200bwidth'.encode(), 'turned\u202earound'.encode(), b'with \x1b escape', b' blank ', b'+%20&in=x', 'größer'.encode()]
roots = []
for name in NAMES:
    root = os.path.join(DOCS.encode(), name)
    os.makedirs(root + b'/' + name)
    with open(root + b'/' + name + b'/marmoset.txt', 'w') as f:
        f.write(f'A marmoset of place {len(roots)}.\n')
    with open(root + b'/marmoset.txt', 'w') as f:
        f.write(f'Another marmoset of place {len(roots)}.\n')
    roots.append(root)
subprocess.run(['tarsier', '-q', 'add', *roots], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
page = Page()
offered = [html.unescape(value) for value in re.findall(r'<option value="([^"]*)">', page.search('').text) if '/' in value]
exact = sorted(root.decode() for root in roots if not any(sign in root for sign in (b'\xff', b'\x1b', '\u200b'.encode(), '\u202e'.encode())))
equal(sorted(offered), exact, 'the watched directories whose names can be typed are offered')
for place in offered:
    reply = page.search('marmoset', **{'in': place})
    equal(len(titles(reply)), 2, f'{place.rpartition("/")[2]} leads to what is there')
    field = re.search(r'name="in"[^>]* value="([^"]*)"', reply.text)
    equal(html.unescape(field[1]), place, 'and stands in the field')
groups = re.search(r'<h3>Place</h3><ul>(.*?)</ul>', page.search('marmoset').text)
links = re.findall(r'<a href="([^"]*)">', groups[1])
equal(len(links), len(exact), 'hits can be narrowed down to the same ones')
for link in links:
    equal(len(titles(page.get(html.unescape(link)))), 2, f'{link.rpartition("%2F")[2]} leads to its hits')
page.end()
finish()
