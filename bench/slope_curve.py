# SPDX-License-Identifier: GPL-3.0-or-later
"""slope_curve.py: the main text of a web page by the document slope curve, the base line that content.c is compared with.

A. Finn, N. Kushmerick, B. Smyth, "Fact or fiction: content classification for digital libraries" (2001). A page is a row of tokens, each a tag or a
word. The curve counts the tags up to each token; where the text is, it is flat. The tokens i to j are wanted for which the tags outside and the words
inside are most:

	T(i, j) = tags before i + words from i to j + tags behind j

With a word as +1 and a tag as -1 that is all tags plus the sum from i to j, so the range of the largest sum is it, found in one pass."""
from html.parser import HTMLParser

SKIPPED = {'script', 'style', 'template', 'noscript'}


class Tokens(HTMLParser):
    """Collects words as strings and tags as None; text that readers do not see is left out."""
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tokens, self.skipped = [], 0

    def handle_starttag(self, tag, attributes):
        self.tokens.append(None)
        self.skipped += tag in SKIPPED

    def handle_endtag(self, tag):
        self.tokens.append(None)
        self.skipped = max(self.skipped - (tag in SKIPPED), 0)

    def handle_data(self, data):
        if not self.skipped:
            self.tokens.extend(data.split())


def best_range(tokens):
    """Returns the bounds, first and last + 1, of the first range of tokens with the largest
    sum."""
    best, total, begin, at = 0, 0, 0, (0, 0)
    for i, token in enumerate(tokens):
        if total <= 0:
            total, begin = 0, i
        total += -1 if token is None else 1
        if total > best:
            best, at = total, (begin, i + 1)
    return at


def tokens_of(page):
    parser = Tokens()
    parser.feed(page)
    parser.close()
    return parser.tokens


def main_text(page):
    tokens = tokens_of(page)
    begin, end = best_range(tokens)
    return ' '.join(t for t in tokens[begin:end] if t is not None)
