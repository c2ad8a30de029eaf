#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judged-packages.py DIRECTORY: writes judged sets for relevance.py from the packages of this Debian system.

  DIRECTORY/synopsis     the one line that describes a package is the query; its manual pages are relevant
  DIRECTORY/description  the first paragraph of the long description is the query; documents as above
  DIRECTORY/questions    a question of an FAQ is the query; the section that answers it is relevant

Manual pages are stripped of their NAME section, and queries of the names of the pages, so that names decide nothing. Sets differ
with the packages that are installed; compare builds on the same sets."""
import glob, gzip, os, random, re, subprocess, sys
from collections import defaultdict

PAGES_OF_A_PACKAGE = 6
QUERIES, DOCUMENTS = 200, 3000
SEED = 1


def read(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
        return f.read().decode('utf-8', 'replace')


def plain_manual(roff):
    """The text of a manual page without requests, escapes and its NAME section."""
    roff = re.sub(r'(?ims)^\.sh "?name"?\s*$.*?(?=^\.sh)', '', roff)
    lines = []
    for line in roff.splitlines():
        if line.startswith(('.\\"', "'\\\"", '.TH', '.Dd', '.ie', '.el', '.if', '.de', '.ds', '.nr')):
            continue
        line = re.sub(r'^\.[A-Za-z]+\s*', '', line)
        lines.append(re.sub(r'\\f[A-Z(]?|\\[&|^/,]|\\\*\(..|\\s[-+]?\d+', '', line).replace('\\-', '-').replace('\\', ''))
    return '\n'.join(lines)


def packages():
    """Name, synopsis and first paragraph of the description of each package that is installed."""
    shown = subprocess.run(['dpkg-query', '-W', '-f', '${Package}\x1f${Description}\x1e'], stdout=subprocess.PIPE, check=True).stdout.decode()
    for record in shown.split('\x1e'):
        if '\x1f' in record:
            name, text = record.split('\x1f', 1)
            synopsis, _, rest = text.partition('\n')
            yield name.strip(), synopsis, ' '.join(re.split(r'\n \.\n', rest)[0].split())


def manuals_of():
    """The English manual pages of each package, by name."""
    pages = defaultdict(set)
    for listing in glob.glob('/var/lib/dpkg/info/*.list'):
        name = os.path.basename(listing)[:-5].split(':')[0]
        for path in read(listing).splitlines():
            if re.match(r'/usr/share/man/man[158]/', path) and os.path.isfile(path) and not os.path.islink(path):
                pages[name].add(path)
    return pages


def write_set(directory, documents, queries):
    """documents: name -> text; queries: list of (text, names of relevant documents)."""
    os.makedirs(directory + '/docs')
    number = {}
    for i, name in enumerate(sorted(documents), 1):
        number[name] = i
        with open(f'{directory}/docs/{i}.txt', 'w') as f:
            f.write(documents[name])
    with open(directory + '/queries.tsv', 'w') as tsv, open(directory + '/qrels.txt', 'w') as qrels:
        for i, (text, relevant) in enumerate(queries, 1):
            tsv.write(f'{i}\t{text}\n')
            qrels.writelines(f'{i} 0 {number[name]} 1\n' for name in sorted(relevant))
    print(f'{directory}: {len(documents)} documents, {len(queries)} queries')


def page_name(path):
    return os.path.basename(path).split('.')[0]


def without_names(text, names):
    known = {part.lower() for name in names for part in re.findall(r'\w+', name)}
    return ' '.join(w for w in re.findall(r"[\w'-]+", text) if w.lower() not in known)


def manual_sets(directory, dice):
    pages = {name: paths for name, paths in manuals_of().items() if paths}
    texts = {}
    chosen = sorted(pages)
    dice.shuffle(chosen)
    for name in sorted(chosen, key=lambda name: len(pages[name]) > PAGES_OF_A_PACKAGE):
        for path in sorted(pages[name]):
            text = plain_manual(read(path))
            if len(text) > 400 and len(texts) < DOCUMENTS:
                texts[path] = text
    short, long = [], []
    for name, synopsis, paragraph in packages():
        relevant = [p for p in pages.get(name, ()) if p in texts]
        if not relevant or len(pages[name]) > PAGES_OF_A_PACKAGE or len(short) == QUERIES:
            continue
        names = [name] + [page_name(p) for p in relevant]
        words, many = without_names(synopsis, names), without_names(paragraph, names)
        if len(words.split()) >= 3 and len(many.split()) >= 15:
            short.append((words, relevant))
            long.append((many, relevant))
    write_set(directory + '/synopsis', texts, short)
    write_set(directory + '/description', texts, long)


def questions_of(text):
    """Pairs of a question and its answer: a question is a line or two that end with a question mark after an empty line."""
    text = re.sub(r'<[^>]+>', ' ', text)
    found = list(re.finditer(r'(?m)(?:\A|\n\s*\n)[ \t]*(?:\[?[Q\d][\d.]*[\]:.)]*\s*)?([A-Z][^\n?]{10,110}(?:\n[^\n?]{3,80})?\?)[ \t]*$', text))
    for this, following in zip(found, found[1:] + [None]):
        answer = text[this.end():following.start() if following else len(text)].strip()
        if 150 <= len(answer) <= 20000:
            yield ' '.join(this.group(1).split()), answer


def question_set(directory):
    texts, asked = {}, defaultdict(list)
    paths = sorted(p for p in glob.glob('/usr/share/doc/**/*', recursive=True) if re.search(r'(?i)faq[^/]*(\.txt|\.html?|\.md)?(\.gz)?$', p))
    for path in paths:
        if os.path.isfile(path) and not os.path.islink(path):
            for question, answer in questions_of(read(path)):
                if answer not in texts.values():
                    name = f'{path} {len(texts):05}'
                    texts[name] = answer
                    asked[question].append(name)
    write_set(directory + '/questions', texts, sorted(asked.items()))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    manual_sets(sys.argv[1], random.Random(SEED))
    question_set(sys.argv[1])


main()
