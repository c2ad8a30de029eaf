#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""relevance.py: how well the client ranks, on judged collections, beside FTS5 with its own stemmer in the same run.

  relevance.py [--build DIR] [--before DIR] [--embedding FILE] [--work DIR] SET...

A SET is a directory with docs/ (one file a document; its name without the ending is its number), queries.tsv (number, words)
and qrels.txt (number, 0, document, grade: the format of TREC). The words of a query, without the function words of English, are
joined by OR (all of them if there are no others); a word that is said twice counts twice. Tarsier takes the first 64 of them (its limit), FTS5 all. Printed are
nDCG@10 (gain: the grade; discount: log2 of rank + 1) and mean average precision over the first 1000. With the build before, the
difference of nDCG@10 has a 95 % confidence interval (paired bootstrap over queries, 2000 draws). --embedding: the build uses this
file of word vectors, the build before does not. judged-packages.py and judged-terms.py make sets."""
import argparse, html, math, os, re, sqlite3, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from home import make_home
from interval import mean_interval


def number(name):
    return os.path.splitext(os.path.basename(name))[0]


def load(directory):
    judged = {}
    for line in open(directory + '/qrels.txt'):
        query, _, doc, grade = line.split()
        judged.setdefault(query, {})[doc] = int(grade)
    queries = dict(line.rstrip('\n').split('\t', 1) for line in open(directory + '/queries.tsv'))
    return {q: d for q, d in judged.items() if any(g > 0 for g in d.values())}, queries


FUNCTION_WORDS = set("""
a an the this that these those i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
her hers herself it its itself they them their theirs themselves what which who whom when where why how am is are was were be
been being have has had having do does did doing would should could ought and but if or because as until while of at by for with
about against between into through during before after above below to from up down in out on off over under again further then
once here there all any both each few more most other some such no nor not only own same so than too very""".split())
LIMIT = 64


def words_of(text):
    words = re.findall(r'\w+', text.lower())
    return [w for w in words if w not in FUNCTION_WORDS] or words


def ndcg(judged, docs):
    def dcg(gains):
        return sum(g / math.log2(i + 2) for i, g in enumerate(gains))
    return dcg([judged.get(d, 0) for d in docs[:10]]) / dcg(sorted(judged.values(), reverse=True)[:10])


def average_precision(judged, docs):
    hits, total = 0, 0
    for i, d in enumerate(docs[:1000], 1):
        if judged.get(d, 0) > 0:
            hits += 1
            total += hits / i
    return total / sum(g > 0 for g in judged.values())


def ours(args, directory):
    home, env = make_home(args, directory + '/docs')
    if args.embedding:
        with open(home + '/.config/tarsier/tarsier.conf', 'a') as f:
            f.write(f'[search]\nembedding={os.path.realpath(args.embedding)}\n')
    subprocess.run(['tarsierd', '--once', '--compact'], env=env, check=True)

    def search(text):
        query = ' '.join(words_of(text)[:LIMIT])
        out = subprocess.run(['tarsier', 'search', '-a', '-n', '1000', '--no-snippets', '--', query], env=env, stdout=subprocess.PIPE).stdout
        return [number(line) for line in out.decode().splitlines()]
    return search


def title_and_text(name, text):
    if not name.endswith('.html'):
        return text.partition('\n')[0], text
    title = re.search(r'(?is)<title[^>]*>(.*?)</title>', text)
    text = re.sub(r'(?is)<(script|style|title)\b.*?</\1>|<[^>]*>', ' ', text)
    return html.unescape(title[1] if title else ''), html.unescape(text)


def fts5(directory):
    db = sqlite3.connect(':memory:')
    db.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize='porter')")
    names = {}
    for i, name in enumerate(sorted(os.listdir(directory + '/docs')), 1):
        title, text = title_and_text(name, open(f'{directory}/docs/{name}', encoding='utf-8', errors='replace').read())
        names[i] = number(name)
        db.execute('INSERT INTO t(rowid, title, body) VALUES(?, ?, ?)', (i, title, text))

    def search(text):
        expression = ' OR '.join(f'"{w}"' for w in words_of(text))
        return [names[r] for r, in db.execute('SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 5, 1) LIMIT 1000', (expression,))]
    return search


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build')
    parser.add_argument('--before')
    parser.add_argument('--embedding')
    parser.add_argument('--work', default=tempfile.gettempdir())
    parser.add_argument('sets', nargs='+')
    args = parser.parse_args()
    print('| set | queries | engine | nDCG@10 | MAP |\n|---|---:|---|---:|---:|')
    means, gains = {}, []
    for directory in args.sets:
        judged, queries = load(directory)
        engines = {'tarsier': ours(args, directory), 'FTS5, porter, title 5': fts5(directory)}
        if args.before:
            before = argparse.Namespace(build=args.before, work=args.work, embedding=None)
            engines['tarsier before'] = ours(before, directory)
        found = {}
        for name, search in engines.items():
            runs = {q: search(queries[q]) for q in judged}
            scores = [sum(f(judged[q], runs[q]) for q in judged) / len(judged) for f in (ndcg, average_precision)]
            found[name] = [ndcg(judged[q], runs[q]) for q in judged]
            means.setdefault(name, []).append(scores)
            print_row(os.path.basename(os.path.normpath(directory)), len(judged), name, scores)
        if args.before:
            gains.append([now - then for now, then in zip(found['tarsier'], found['tarsier before'])])
            print_interval(os.path.basename(os.path.normpath(directory)), gains[-1:])
    if args.before:
        print_interval('all sets', gains)
    for name, scores in means.items():
        print_row('mean', '', name, [sum(column) / len(column) for column in zip(*scores)])


def print_interval(what, gains):
    """gains: for each set, the difference of each query. The sets weigh the same."""
    mean, low, high = mean_interval(gains)
    print(f'| {what} | | gain of nDCG@10 | {mean:+.4f} | {low:+.4f} to {high:+.4f} |', flush=True)


def print_row(what, queries, engine, scores):
    print(f'| {what} | {queries} | {engine} | {scores[0]:.4f} | {scores[1]:.4f} |', flush=True)


main()
