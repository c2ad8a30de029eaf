#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""main-content.py PAGES TRUTH [--build DIR]: how well the main content of web pages is told from the rest.

PAGES holds NAME.html, TRUTH holds NAME.txt, the text that a person calls the content. Each page is a bag of 4-grams of words; precision and recall
are means over the pages, F1 is of these. With --classes, pages called CLASS-NNN (page-classes.py) have a row of each class too. Rows: Tarsier's main text (extract --plain), the document slope curve (slope_curve.py), all text."""
import argparse, os, re, subprocess, sys
from collections import Counter
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from slope_curve import main_text

GRAM = 4


def grams(text):
    words = re.findall(r'\w+', text)
    return Counter(tuple(words[i:i + GRAM]) for i in range(max(len(words) - GRAM + 1, min(len(words), 1))))


def ratio(part, whole, empty):
    return part / whole if whole else float(empty)


def score(pairs):
    precisions, recalls = [], []
    for wanted, got in pairs:
        a, b = grams(wanted), grams(got)
        common = sum((a & b).values())
        precisions.append(ratio(common, sum(b.values()), not a))
        recalls.append(ratio(common, sum(a.values()), not b))
    p, r = sum(precisions) / len(pairs), sum(recalls) / len(pairs)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def tarsier(path, *options):
    return subprocess.run(['tarsier', 'extract', '--plain', *options, path], stdout=subprocess.PIPE, check=False).stdout.decode('utf-8', 'replace')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pages')
    parser.add_argument('truth')
    parser.add_argument('--build')
    parser.add_argument('--classes', action='store_true')
    a = parser.parse_args()
    if a.build:
        top = os.path.abspath(a.build)
        os.environ['PATH'] = f'{top}/ui-cli:' + os.environ['PATH']
        os.environ['TARSIER_EXTRACT'] = f'{top}/extractors/tarsier-extract'
        os.environ['TARSIER_PLUGINS'] = f'{top}/extractors/.libs'
    names = sorted(n[:-4] for n in os.listdir(a.truth) if n.endswith('.txt') and os.path.exists(os.path.join(a.pages, n[:-4] + '.html')))
    if not names:
        sys.exit('main-content.py: no page has its text')
    ways = {'Tarsier': tarsier, 'document slope curve': lambda path: main_text(read(path)), 'all text': lambda path: tarsier(path, '--all')}
    print(f'| {len(names)} pages | precision | recall | F1 |\n|---|---:|---:|---:|')
    for name, way in ways.items():
        pairs = [(read(os.path.join(a.truth, n + '.txt')), way(os.path.join(a.pages, n + '.html'))) for n in names]
        print('| %s | %.3f | %.3f | %.3f |' % (name, *score(pairs)), flush=True)
        for kind in sorted({n.rsplit('-', 1)[0] for n in names}) if a.classes else ():
            print('| %s: %s | %.3f | %.3f | %.3f |' % (name, kind, *score([p for n, p in zip(names, pairs) if n.rsplit('-', 1)[0] == kind])))


if __name__ == '__main__':
    main()
