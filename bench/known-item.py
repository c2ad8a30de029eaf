#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""known-item.py: does somebody who remembers a few words of a mail or a page find it again?

  known-item.py [--build DIR] [--before DIR] [--work DIR] [--home HOME] [-n N] [--seed N] [--recoll] [--items FILE] CORPUS

Of the mails and HTML pages of CORPUS n are drawn. A query is three to five words of the document's title and text, drawn by how
often they stand there and how rare they are elsewhere; words that no other document has are left out, and in three queries of
twenty one word is of another document: memory errs. The score is the mean of 1 / rank of the hit that shows the document or names
it as a copy, among the first 20 (MRR), all words joined by OR (--any), then by AND, and by AND with --soft. The ceiling of AND is the
share of queries whose words all stand in the document. --home: an index made by an earlier run; --items: queries
drawn by an earlier run, or where to write them. With the build before, which asks the same queries of an index of its own
(--before-home: made by an earlier run), the difference of MRR has a 95 % confidence interval (paired bootstrap over queries, 2000
draws), and the queries that lost are named."""
import argparse, collections, html, json, math, os, random, re, subprocess, sys, tempfile, unicodedata
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from home import environment, make_home, output
from interval import mean_interval

DEPTH = 20
KINDS = {'message/rfc822': 'mail', 'text/html': 'page'}


def documents(env):
    """Returns path, kind, checksum, title words and text words of each mail and page."""
    for line in output(['tarsier', 'list', '--json'], env).splitlines():
        entry = json.loads(line)
        if entry.get('mime') not in KINDS or entry.get('member') or entry.get('state') != 'ok' or entry['path_b64']:
            continue
        text = output(['tarsier', 'show', '--plain', entry['path']], env)
        title = re.search('<title>(.*?)</title>', output(['tarsier', 'show', '--xml', '--meta', entry['path']], env), re.S)
        yield entry['path'], KINDS[entry['mime']], entry['checksum'], words_of(html.unescape(title[1]) if title else ''), words_of(text)


def words_of(text):
    """Returns whole words, of letters of any script, as users would type them."""
    return re.findall(r'(?<![^\W_])[^\W\d_]{4,14}(?![^\W_])', unicodedata.normalize('NFC', text).lower())


def draw_query(rnd, doc, df, n, others):
    counts = collections.Counter(doc[4])
    for word in doc[3]:
        counts[word] += 3
    weights = {w: (1 + math.log(c)) * math.log(n / df[w]) ** 2 for w, c in counts.items() if 2 <= df[w] <= n / 8}
    query = []
    for _ in range(min(rnd.choice((3, 4, 4, 5)), len(weights))):
        words = sorted(weights)
        word = rnd.choices(words, [weights[w] for w in words])[0]
        query.append(word)
        del weights[word]
    if len(query) > 1 and rnd.random() < 0.15:
        query[-1] = rnd.choice(rnd.choice(others)[4] or query[-1:])
    return query


def draw(args, env):
    docs = list(documents(env))
    df = collections.Counter(w for d in docs for w in set(d[3] + d[4]))
    rnd = random.Random(args.seed)
    able = [d for d in docs if len(set(d[4])) >= 30]
    copies = collections.defaultdict(set)
    for d in docs:
        copies[d[2]].add(d[0])
    queries = [(d, draw_query(rnd, d, df, len(docs), able)) for d in rnd.sample(able, min(args.n, len(able)))]
    return [{'kind': d[1], 'words': q, 'paths': sorted(copies[d[2]]), 'whole': set(q) <= set(d[3] + d[4])} for d, q in queries if len(q) > 1]


def tarsier(env, *options):
    """Returns the hits of an answer, each with the paths of its copies."""
    def search(words):
        lines = output(['tarsier', 'search', '-n', str(DEPTH), '--json', '--no-snippets', *options, *words], env).splitlines()
        hits = [h for h in map(json.loads, lines) if h['type'] == 'hit']
        return [[h['path'] + ('|' + h['member'] if h['member'] else ''), *h['copies']] for h in hits]
    return search


def recoll(args, *options):
    home = args.recoll_home
    env = environment(args, home)
    def search(words):
        lines = output(['recollq', '-c', home + '/conf', *options, '-n', str(DEPTH), '-b', ' '.join(words)], env).splitlines()
        return [[line[7:]] for line in lines if line.startswith('file://')]
    return search


def index_recoll(args):
    args.recoll_home = tempfile.mkdtemp(dir=args.work, prefix='recoll.')
    os.makedirs(args.recoll_home + '/conf')
    with open(args.recoll_home + '/conf/recoll.conf', 'w') as f:
        f.write(f'topdirs = {os.path.realpath(args.corpus)}\nloglevel = 2\n')
    subprocess.run(['recollindex', '-c', args.recoll_home + '/conf'], env=environment(args, args.recoll_home), stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def reciprocal_rank(item, found):
    return next((1 / i for i, paths in enumerate(found, 1) if set(paths) & set(item['paths'])), 0)


def index(args, home):
    """Returns the home, made and indexed if there is none yet, and its environment."""
    if home:
        return home, environment(args, home)
    home, env = make_home(args, args.corpus)
    subprocess.run(['tarsierd', '--once', '--compact'], env=env, check=True)
    return home, env


def ranks(items, search):
    return [reciprocal_rank(item, search(item['words'])) if search else int(item['whole']) for item in items]


def print_row(name, items, scores):
    cells = [[r for item, r in zip(items, scores) if item['kind'] == kind] for kind in ('mail', 'page')] + [scores]
    print(f'| {name} | ' + ' | '.join(f'{sum(c) / max(len(c), 1):.3f} ({len(c)})' for c in cells) +
          f' | {sum(r == 1 for r in scores)} | {sum(r == 0 for r in scores)} |', flush=True)


def print_gain(name, items, now, then):
    mean, low, high = mean_interval([[a - b for a, b in zip(now, then)]])
    changes = [(b, a, item) for a, b, item in zip(now, then, items) if a < b]
    better = sum(a > b for a, b in zip(now, then))
    print(f'| gain of {name} | | | {mean:+.4f} | {low:+.4f} to {high:+.4f} | {better} better, {len(changes)} worse |', flush=True)
    return [f'# {name}: {" ".join(item["words"])}: {b:.3f} to {a:.3f}: {item["paths"][0]}' for b, a, item in changes]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build')
    parser.add_argument('--before')
    parser.add_argument('--before-home')
    parser.add_argument('--work', default=tempfile.gettempdir())
    parser.add_argument('--home')
    parser.add_argument('--recoll', action='store_true')
    parser.add_argument('--recoll-home')
    parser.add_argument('--items')
    parser.add_argument('-n', type=int, default=400)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('corpus')
    args = parser.parse_args()
    args.home, env = index(args, args.home)
    if args.items and os.path.exists(args.items):
        items = json.load(open(args.items))
    else:
        items = draw(args, env)
        if args.items:
            json.dump(items, open(args.items, 'w'), indent=1)
    modes = {'tarsier, OR': ['-a'], 'tarsier, AND': [], 'tarsier, AND, --soft': ['--soft']}
    engines = {name: tarsier(env, *options) for name, options in modes.items()}
    if args.before:
        before = argparse.Namespace(build=args.before, work=args.work, corpus=args.corpus)
        args.before_home, before_env = index(before, args.before_home)
        engines.update((f'before: {name}', tarsier(before_env, *options)) for name, options in modes.items())
    if args.recoll:
        if not args.recoll_home:
            index_recoll(args)
        engines.update({'Recoll, OR': recoll(args, '-o'), 'Recoll, AND': recoll(args, '-a')})
    engines['ceiling of AND'] = None
    print('| engine | mails | pages | all | first | not found |\n|---|---:|---:|---:|---:|---:|')
    scores, lost = {}, []
    for name, search in engines.items():
        scores[name] = ranks(items, search)
        print_row(name, items, scores[name])
    for name in modes if args.before else ():
        lost += print_gain(name, items, scores[name], scores[f'before: {name}'])
    print('\n'.join([*lost, 'home: ' + ', '.join(filter(None, (args.home, args.before_home, args.recoll_home)))]))


main()
