#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the section of a manual found that answers a question?

bench/sections.py --build BUILD [--build BEFORE] [--work DIR] [-v]

Downloads three manuals (bash-doc, developers-reference and debian-policy: HTML, PDF and EPUB) with apt-get into DIR, indexes
them together, and asks the 100 questions of bench/sections-questions.txt. The answer is the list of sections of the snippets:
of the hits in their order (three snippets each), and with --passages of the passages. The section of a snippet is that where
its first marked word stands in the text as it was extracted. Prints the mean reciprocal rank among ten sections, and how many
questions have the right section first and among three; for BEFORE too, which may lack --passages. -v: the rank of each one."""
import argparse, json, os, re, shutil, subprocess, tempfile
import xml.etree.ElementTree as ET
import home as homes

MANUALS = {'bash': ('bash-doc', 'usr/share/doc/bash/bashref.html'),
           'developers': ('developers-reference', 'usr/share/developers-reference/developers-reference.pdf'),
           'policy': ('debian-policy', 'usr/share/doc/debian-policy/policy.epub')}
RANKS = 10


def fetch(work):
    """Puts the manuals into work/manuals."""
    folder = os.path.join(work, 'manuals')
    os.makedirs(folder, exist_ok=True)
    for package, path in MANUALS.values():
        target = os.path.join(folder, os.path.basename(path))
        if os.path.exists(target):
            continue
        with tempfile.TemporaryDirectory(dir=work) as space:
            subprocess.run(['apt-get', 'download', '-qq', package], cwd=space, check=True, stderr=subprocess.DEVNULL)
            deb, = (name for name in os.listdir(space) if name.endswith('.deb'))
            subprocess.run(['dpkg-deb', '-x', deb, 'x'], cwd=space, check=True)
            shutil.copy(os.path.join(space, 'x', path), target)
    return folder


def letters(text):
    return ''.join(c for c in text.lower() if c.isalnum())


def plain_heading(text):
    """Without its number, as "3.1.2 " and "A.1. ", and without signs."""
    return letters(re.sub(r'^([A-Z]|\d+)(\.\d+)*\.?\s+', '', text.strip()))


class Text:
    """The letters of an extracted text, and where its sections begin in them."""

    def __init__(self, path, env):
        xml = subprocess.run(['tarsier', 'extract', path], env=env, stdout=subprocess.PIPE, check=True).stdout
        self.letters, self.starts, size, parts = '', [(0, '')], 0, []
        for block in ET.fromstring(xml).find('document/text'):
            text = ''.join(block.itertext())
            if block.tag.startswith('heading'):
                self.starts.append((size, plain_heading(text)))
            parts.append(letters(text))
            size += len(parts[-1])
        self.letters = ''.join(parts)

    def section(self, snippet):
        text, marks = snippet['text'].encode(), snippet['marks']
        before = letters(text[:marks[0][0]].decode()) if marks else ''
        place = self.letters.find(letters(snippet['text']))
        if place < 0:
            return None
        return [heading for start, heading in self.starts if start <= place + len(before)][-1]


def sections(texts, env, options, question):
    """The sections that the answer names, in order, as (manual, heading)."""
    out = homes.output(['tarsier', 'search', '--json', '-a', '-n', '20', *options, '--', *re.findall(r'\w+', question)], env)
    found = []
    for hit in map(json.loads, out.splitlines()):
        if hit['type'] != 'hit':
            continue
        manual = next(name for name, (_, path) in MANUALS.items() if os.path.basename(path) == os.path.basename(hit['path']))
        for snippet in hit['snippets']:
            section = (manual, texts[manual].section(snippet))
            if section not in found:
                found.append(section)
    return found


def read_questions():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sections-questions.txt')) as f:
        rows = [line.rstrip('\n').split('\t') for line in f if not line.startswith('#')]
    return [(manual, {letters(h) for h in headings.split('|')}, question) for manual, headings, question in rows]


def measure(name, questions, texts, env, options, verbose):
    ranks = []
    for manual, headings, question in questions:
        found = sections(texts, env, options, question)[:RANKS]
        rank = next((i + 1 for i, (m, h) in enumerate(found) if m == manual and h in headings), 0)
        ranks.append(rank)
        if verbose:
            print(f'#   {rank or "-":>2} {manual} {"/".join(headings)}: {question}; first: {found[0] if found else None}')
    n = len(ranks)
    print(f'| {name} | {sum(1 / r for r in ranks if r) / n:.3f} | {sum(r == 1 for r in ranks)} | {sum(0 < r <= 3 for r in ranks)} | '
          f'{sum(r > 0 for r in ranks)} |', flush=True)


def has_passages(env):
    return '--passages' in homes.output(['tarsier', 'help', 'search'], env)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', action='append', required=True)
    ap.add_argument('--work', default=tempfile.gettempdir() + '/sections')
    ap.add_argument('-v', action='store_true')
    args = ap.parse_args()
    os.makedirs(args.work, exist_ok=True)
    folder = fetch(args.work)
    questions = read_questions()
    print(f'{len(questions)} questions, three manuals\n\n| answer | MRR@{RANKS} | first | in three | in {RANKS} |\n|---|---:|---:|---:|---:|')
    for build in args.build:
        home, env = homes.make_home(argparse.Namespace(build=build, work=args.work), folder)
        subprocess.run(['tarsierd', '--once'], env=env, check=True)
        texts = {name: Text(os.path.join(folder, os.path.basename(path)), env) for name, (_, path) in MANUALS.items()}
        for manual, headings, _ in questions:
            known = {heading for _, heading in texts[manual].starts}
            if not headings <= known:
                raise SystemExit(f'{manual} has no section {headings - known}')
        measure(f'{build}: snippets', questions, texts, env, [], args.v)
        if has_passages(env):
            measure(f'{build}: --passages', questions, texts, env, ['--passages'], args.v)
        shutil.rmtree(home)


if __name__ == '__main__':
    main()
