#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-focus.py - a focused crawl beside one in breadth, over local documentation

usage: web-focus.py [--pages N,N] DIRECTORY [TOPIC...]

tarsierd must be in PATH, built without sanitizers. The HTML files below DIRECTORY are the pages of
one site, which a start page links to by their index pages; nothing is asked of the network. What is
about a topic is decided here, by BM25 over all pages: the 200 best. The programs see the pages only
as they ask for them."""
import argparse
import collections
import html.parser
import math
import os
import re
import tempfile
import urllib.parse

import web_trace as web

ORIGIN = 'https://docs.example'
TOPICS = ('index query planner', 'regular expression pattern', 'merge conflict branch', 'transaction isolation lock',
          'socket network protocol', 'date time zone', 'thread process concurrency', 'authentication password certificate')
BEST = 200


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


def trace(pages, n, about):
    """The site, with a start page that links to the first page of each directory with many."""
    folders = collections.Counter(url.rsplit('/', 1)[0] for url in pages)
    starts = [url for url in pages if url.endswith('/index.html') and folders[url.rsplit('/', 1)[0]] >= 20]
    starts += [url for url in pages if re.search(r'/(git|toc|contents)\.html$', url)]
    host = {'host': ORIGIN, 'duration': 0.01, 'pages': n, 'depth': 1000}
    lines = [{'end': 20 * n}, host | ({'about': about} if about else {}), {'url': f'{ORIGIN}/', 'links': sorted(set(starts))}]
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
        lines.append({'url': url, 'links': links, 'anchors': anchors, 'cache-control': 'max-age=99999999'} |
                     ({'title': page.title, 'text': ' '.join(page.text)[:50000]} if about else {}))
    return lines


def best_pages(pages, topic):
    """BM25 with the usual constants; a word of the title counts as ten."""
    words = [word.lower()[:-1] if word.endswith('s') else word.lower() for word in topic.split()]
    counts, lengths = {}, {}
    for url, page in pages.items():
        text = re.findall(r'[a-z]+', (' '.join(page.text) + (' ' + page.title) * 10).lower())
        lengths[url] = len(text)
        found = collections.Counter(word[:-1] if word.endswith('s') else word for word in text)
        counts[url] = [found[word] for word in words]
    mean = sum(lengths.values()) / len(lengths)
    idf = [math.log(1 + len(pages) / (1 + sum(c[i] > 0 for c in counts.values()))) for i in range(len(words))]

    def score(url):
        k = 1.2 * (0.25 + 0.75 * lengths[url] / mean)
        return sum(w * n * 2.2 / (n + k) for w, n in zip(idf, counts[url]))
    return set(sorted(pages, key=score, reverse=True)[:BEST])


def reachable(lines):
    links = {line['url']: line['links'] for line in lines if 'url' in line}
    seen, queue = set(), [f'{ORIGIN}/']
    while queue:
        url = queue.pop()
        if url not in seen:
            seen.add(url)
            queue += links.get(url, [])
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pages', default='500,2000')
    parser.add_argument('directory')
    parser.add_argument('topics', nargs='*', default=TOPICS)
    options = parser.parse_args()
    pages = read_site(options.directory)
    inside = reachable(trace(pages, 1, None))
    pages = {url: page for url, page in pages.items() if url in inside}
    print(f'{len(pages)} pages')
    with tempfile.TemporaryDirectory() as directory:
        for n in map(int, options.pages.split(',')):
            sums = [0, 0]
            for topic in options.topics:
                wanted = best_pages(pages, topic)
                found = []
                for about in (None, topic):
                    web.write_trace(f'{directory}/trace.jsonl', trace(pages, n, about))
                    asked = web.simulate(f'{directory}/trace.jsonl')
                    found.append(len({origin + path for _, origin, path in asked} & wanted))
                sums = [a + b for a, b in zip(sums, found)]
                print(f'{n} pages, {topic}: of the {len(wanted)} best, in breadth {found[0]}, focused {found[1]}', flush=True)
            print(f'{n} pages, all topics: {sums[0]}, {sums[1]}: {sums[1] / max(1, sums[0]):.2f}', flush=True)


if __name__ == '__main__':
    main()
