#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judged-terms.py DIRECTORY ROOT...: writes a judged set of short queries for relevance.py from the indexes of HTML manuals.

Every entry of one or two plain words in the index of a manual below a ROOT is a query, and the pages that the entry leads to are
relevant. Left out are words that fewer than five pages have or that lead to more than three pages, and those where no other page has
them as often as a relevant one: frequency alone must not decide. At most 120 queries are drawn for each manual, the same ones each
time. DIRECTORY/one has the queries of one word, DIRECTORY/two those of two. The documents are the pages of all manuals but their
indexes; files have numbers for names, so that names decide nothing. Sets differ with the manuals; compare builds on the same sets.

An index is a file called genindex-all.html (Sphinx), bookindex.html (DocBook), keyword_index.html, directives.html or
Concept-Index.html and Function-Index.html (Texinfo). Debian's python3.11-doc, postgresql-doc-15, sqlite3-doc, apache2-doc, debian-policy, octave-doc have one."""
import collections, html, os, random, re, sys

INDEX = re.compile(r'(genindex-all|bookindex|keyword_index|directives|(?:Concept|Function)-Index)\.html(\.en)?$|policy\.html/genindex\.html$')
QUERIES, LEAST_PAGES, MOST_RELEVANT = 120, 5, 3
SEED = 1


def read(path):
    with open(path, 'rb') as f:
        return f.read().decode('utf-8', 'replace')


def plain(text):
    text = re.sub(r'(?is)<(script|style)\b.*?</\1>|<[^>]*>', ' ', text)
    return ' '.join(html.unescape(text).split())


def words_of(text):
    return re.findall(r'\w+', text.lower())


def term_of(text):
    """The words of an entry without what explains it; none if they are not one or two plain words."""
    text = re.sub(r'\s*\(.*', '', plain(text)).strip(' ,')
    words = text.split()
    return ' '.join(words).lower() if 1 <= len(words) <= 2 and all(re.fullmatch(r'[A-Za-z]{3,}', w) for w in words) else None


def entries(path):
    """Pairs of a term and the path of a page that the index leads to."""
    text = read(path)
    if os.path.basename(path) == 'bookindex.html':
        found = re.findall(r'<d[td] id="ientry[^>]*>([^<]+?), ((?:(?!</d[td]>).)*)', text, re.S)
        links = [(term, href) for term, rest in found for href in re.findall(r'href="([^"#]+)', rest)]
    else:
        links = [(term, href) for href, term in re.findall(r'(?s)<a href="([^"#:]+)#[^>]*>(.*?)</a>', text)]
    for term, href in links:
        page = os.path.normpath(os.path.join(os.path.dirname(path), href))
        page = page if os.path.isfile(page) else page + '.en'
        if term_of(term) and os.path.isfile(page):
            yield term_of(term), page


def is_page(path):
    return re.search(r'\.html(\.en)?$', path) and not INDEX.search(path) and not re.search(r'genindex|quickreference', os.path.basename(path))


def files_below(root):
    return sorted(os.path.join(d, f) for d, _, names in os.walk(root) for f in names)


def pages_of(term, words):
    """The pages that have the term, with how often: the rarer of its words."""
    found = [words[w] for w in term.split()]
    return {p: min(counts[p] for counts in found) for p in found[0] if all(p in counts for counts in found)}


def is_hard(term, relevant, words):
    counts = pages_of(term, words)
    others = [n for p, n in counts.items() if p not in relevant]
    return len(relevant) <= MOST_RELEVANT and len(counts) >= LEAST_PAGES and others and max(others) >= max(counts[p] for p in relevant)


def draw(index, words, dice):
    """words: word -> path -> count. Returns the drawn terms with their relevant pages."""
    leads = collections.defaultdict(set)
    for term, page in entries(index):
        if page in pages_of(term, words):
            leads[term].add(page)
    drawn = []
    for term in dice.sample(sorted(leads), len(leads)):
        if len(drawn) < QUERIES and is_hard(term, leads[term], words):
            drawn.append((term, leads[term]))
    print(f'{index}: {len(leads)} entries, {len(drawn)} drawn')
    return drawn


def write_set(directory, pages, queries):
    os.makedirs(directory + '/docs')
    number = {}
    for i, path in enumerate(sorted(pages), 1):
        number[path] = i
        with open(f'{directory}/docs/{i}.html', 'w') as f:
            f.write(read(path))
    with open(directory + '/queries.tsv', 'w') as tsv, open(directory + '/qrels.txt', 'w') as qrels:
        for i, (term, relevant) in enumerate(queries, 1):
            tsv.write(f'{i}\t{term}\n')
            qrels.writelines(f'{i} 0 {number[page]} 1\n' for page in sorted(relevant))
    print(f'{directory}: {len(pages)} documents, {len(queries)} queries')


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    files = [path for root in sys.argv[2:] for path in files_below(os.path.realpath(root)) if not os.path.islink(path)]
    words = collections.defaultdict(dict)
    pages = [path for path in files if is_page(path) and not re.search('(?i)http-equiv="?refresh', read(path))]
    for page in pages:
        for word, n in collections.Counter(words_of(plain(read(page)))).items():
            words[word][page] = n
    drawn = collections.defaultdict(set)
    for index in filter(INDEX.search, files):
        for term, relevant in draw(index, words, random.Random(SEED)):
            drawn[term] |= relevant
    for name, n in ('one', 1), ('two', 2):
        write_set(f'{sys.argv[1]}/{name}', pages, [(t, r) for t, r in sorted(drawn.items()) if len(t.split()) == n])


main()
