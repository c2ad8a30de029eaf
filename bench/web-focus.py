#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-focus.py - a focused crawl beside one in breadth, over local documentation

usage: web-focus.py [--pages N,N] [--topics N] [--seed N] DIRECTORY [TOPIC...]

tarsierd must be in PATH, built without sanitizers. The HTML files below DIRECTORY are the pages of
one site, which a start page links to by their index pages; nothing is asked of the network. Topics
are drawn by --seed: a directory, then one of its pages, then up to three rare words of its title.
The pages about a topic are chosen here, by BM25 over all pages: the 200 best. The programs see the
pages only as they ask for them. The harvest rate is the share of pages that are among the best;
intervals are 95 % of a bootstrap over the topics."""
import argparse
import collections
import html.parser
import math
import os
import random
import re
import shutil
import tempfile
import urllib.parse

import web_trace as web

ORIGIN = 'https://docs.example'
BEST = 200
RESAMPLES = 10000


class Page(html.parser.HTMLParser):
    """Title, text and links of a page."""

    def __init__(self):
        super().__init__()
        self.title, self.text, self.links = '', [], []
        self._skip, self._title, self._anchor = 0, False, None

    def handle_starttag(self, tag, attrs):
        self._skip += tag in ('script', 'style')
        self._title = tag == 'title'
        href = dict(attrs).get('href')
        if tag == 'a' and href:
            self._anchor = [href, '']

    def handle_endtag(self, tag):
        self._skip -= tag in ('script', 'style') and self._skip > 0
        self._title = False
        if tag == 'a' and self._anchor:
            self.links.append(self._anchor)
            self._anchor = None

    def handle_data(self, data):
        if self._title:
            self.title += data
        elif not self._skip:
            self.text.append(data)
            if self._anchor:
                self._anchor[1] += data


def read_site(directory):
    pages = {}
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith(('.html', '.htm')) or os.path.islink(path):
                continue
            page = Page()
            with open(path, encoding='ascii', errors='ignore') as file:
                page.feed(file.read())
            pages[ORIGIN + '/' + urllib.parse.quote(os.path.relpath(path, directory))] = page
    return pages


def url_lines(pages):
    """The site, with a start page that links to the first page of each directory with many."""
    folders = collections.Counter(url.rsplit('/', 1)[0] for url in pages)
    starts = [url for url in pages if url.endswith('/index.html') and folders[url.rsplit('/', 1)[0]] >= 20]
    starts += [url for url in pages if re.search(r'/(git|toc|contents)\.html$', url)]
    lines = [{'url': f'{ORIGIN}/', 'links': sorted(set(starts))}]
    for url, page in pages.items():
        links, anchors = [], []
        for href, anchor in page.links:
            try:
                target = urllib.parse.urldefrag(urllib.parse.urljoin(url, href))[0]
            except ValueError:
                continue
            if target in pages and target != url:
                links.append(target)
                anchors.append(' '.join(anchor.split()))
        lines.append({'url': url, 'links': links, 'anchors': anchors, 'cache-control': 'max-age=99999999',
                      'title': page.title, 'text': ' '.join(page.text)[:50000]})
    return lines


def stem(word):
    return word[:-1] if word.endswith('s') else word


def words_of(text):
    return [stem(word) for word in re.findall(r'[a-z]+', text.lower())]


class Index:
    """BM25 with the usual constants; a word of the title counts as ten."""

    def __init__(self, pages):
        self.titles = {url: words_of(page.title) for url, page in pages.items()}
        self.pages = {url: collections.Counter(words_of(' '.join(page.text)) + 10 * self.titles[url]) for url, page in pages.items()}
        self.lengths = {url: sum(counts.values()) for url, counts in self.pages.items()}
        self.mean = sum(self.lengths.values()) / len(pages)
        self.frequency = collections.Counter(word for counts in self.pages.values() for word in counts)
        self.in_titles = collections.Counter(word for title in self.titles.values() for word in set(title))

    def best(self, topic):
        words = words_of(topic)
        idf = [math.log(1 + len(self.pages) / (1 + self.frequency[word])) for word in words]

        def score(url):
            k = 1.2 * (0.25 + 0.75 * self.lengths[url] / self.mean)
            counts = [self.pages[url][word] for word in words]
            return sum(w * n * 2.2 / (n + k) for w, n in zip(idf, counts))
        return set(sorted(self.pages, key=score, reverse=True)[:BEST])

    def _rare_words(self, url):
        """At least thirty pages have the word, at most one in twenty, and one title in 200."""
        n = len(self.pages)
        words = dict.fromkeys(word for word in self.titles[url] if len(word) > 3 and self.in_titles[word] <= n // 200)
        return [word for word in words if 30 <= self.frequency[word] <= n // 20]

    def topics(self, n, seed):
        dice, topics, folders = random.Random(seed), [], collections.defaultdict(list)
        for url in sorted(self.pages):
            words = self._rare_words(url)
            if len(words) >= 2:
                folders[url.split('/')[3]].append(' '.join(words[:3]))
        names = sorted(name for name, found in folders.items() if len(found) >= 20)
        if not names:
            raise SystemExit('no directory has twenty pages whose titles make topics')
        while len(topics) < n:
            topic = dice.choice(folders[dice.choice(names)])
            if topic not in topics:
                topics.append(topic)
        return topics


def reachable(lines):
    links = {line['url']: line['links'] for line in lines}
    seen, queue = set(), [f'{ORIGIN}/']
    while queue:
        url = queue.pop()
        if url not in seen:
            seen.add(url)
            queue += links.get(url, [])
    return seen


def interval(found, n):
    """Harvest rates in breadth and focused, and 95 % intervals of their difference and ratio."""
    dice = random.Random(1)
    rates = [(a / n, b / n) for a, b in found]

    def sums(sample):
        return sum(a for a, _ in sample), sum(b for _, b in sample)
    drawn = [sums(dice.choices(rates, k=len(rates))) for _ in range(RESAMPLES)]
    low, high = RESAMPLES // 40, RESAMPLES - RESAMPLES // 40 - 1
    differences = sorted((b - a) / len(rates) for a, b in drawn)
    ratios = sorted(b / max(a, 1e-9) for a, b in drawn)
    a, b = sums(rates)
    return (f'{a / len(rates):.3f} {b / len(rates):.3f}, difference {(b - a) / len(rates):.3f} '
            f'[{differences[low]:.3f}, {differences[high]:.3f}], ratio {b / max(a, 1e-9):.2f} '
            f'[{ratios[low]:.2f}, {ratios[high]:.2f}], {sum(b > a for a, b in rates)} of {len(rates)} topics gain')


def crawl(directory, n, about):
    """The URLs of a simulated crawl of the lines in the file "urls", in order."""
    trace = f'{directory}/trace.jsonl'
    host = {'host': ORIGIN, 'duration': 0.01, 'pages': n, 'depth': 1000}
    web.write_trace(trace, [{'end': 20 * n}, host | ({'about': about} if about else {})])
    with open(trace, 'ab') as file, open(f'{directory}/urls', 'rb') as urls:
        shutil.copyfileobj(urls, file)
    return [origin + path for _, origin, path in web.simulate(trace)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pages', default='500,2000')
    parser.add_argument('--topics', type=int, default=16, metavar='N')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('directory')
    parser.add_argument('topic', nargs='*')
    options = parser.parse_args()
    marks = sorted(map(int, options.pages.split(',')))
    pages = read_site(options.directory)
    lines = url_lines(pages)
    inside = reachable(lines)
    pages = {url: page for url, page in pages.items() if url in inside}
    index = Index(pages)
    print(f'{len(pages)} pages')
    found = {n: [] for n in marks}
    hundreds = collections.defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as directory:
        web.write_trace(f'{directory}/urls', (line for line in lines if line['url'] in inside))
        breadth = [url for url in crawl(directory, marks[-1], None) if url in pages]
        topics = options.topic or index.topics(options.topics, options.seed)
        for topic in topics:
            wanted = index.best(topic)
            focused = [url for url in crawl(directory, marks[-1], topic) if url in pages]
            for n in marks:
                found[n].append((len(wanted & set(breadth[:n])), len(wanted & set(focused[:n]))))
            for i, order in enumerate((breadth, focused)):
                for at, url in enumerate(order[:marks[-1]]):
                    hundreds[at // 100][i] += url in wanted
            print(f'{topic}: ' + ', '.join(f'{n} pages: {found[n][-1][0]} {found[n][-1][1]}' for n in marks), flush=True)
    for at, (a, b) in sorted(hundreds.items()):
        print(f'pages {100 * at + 1} to {100 * at + 100}: {a / 100 / len(topics):.3f} {b / 100 / len(topics):.3f}')
    for n in marks:
        print(f'harvest rate of {n} pages, in breadth and focused: {interval(found[n], n)}')


if __name__ == '__main__':
    main()
