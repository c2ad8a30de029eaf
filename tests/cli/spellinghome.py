# SPDX-License-Identifier: GPL-3.0-or-later
"""spellinghome.py: a home with texts in five languages and many words that are near each other, and
queries as people misspell them. Each text has its subject and some words of other subjects, so
that words keep company by chance too."""
import json, os, random, re, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
COMPANY = 6  # words of other subjects in each text


def lines(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as f:
        return [line.rstrip('\n') for line in f if line.strip() and not line.startswith('#')]


def subjects():
    """Returns (number of files, text) of each subject."""
    return [(int(n), text) for n, text in (line.split(' ', 1) for line in lines('spelling-texts.txt'))]


def queries():
    """Returns (typed, [right answers])."""
    return [(typed, meant.split('|')) for typed, meant in (line.split('\t') for line in lines('spelling-queries.txt'))]


def write_texts(directory, seed=1):
    """Writes the texts; the same seed writes the same ones. Returns their number."""
    rnd = random.Random(seed)
    pool = [word for _, text in subjects() for word in re.findall(r"\w+", text)]
    os.makedirs(directory)
    n = 0
    for files, text in subjects():
        for _ in range(files):
            with open(f'{directory}/{n:04}.txt', 'w', encoding='utf-8') as f:
                f.write(f'{text}\n\n' + ' '.join(rnd.sample(pool, COMPANY)) + '\n')
            n += 1
    return n


def answers(query, env=None):
    """Returns the objects of an answer."""
    done = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', '-n', '1', '--', query], env=env, capture_output=True, timeout=60)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(query, env=None):
    """Returns the suggestion for a query (None: there is none) and the number of hits."""
    objects = answers(query, env)
    return objects[-1].get('suggestion'), objects[0]['total']


def judge(env=None):
    """Returns the numbers of queries whose suggestion is right and of those that need none, because the index knows other
    forms of the words; and (typed, suggestion, right answers) of all others."""
    right, needless, wrong = 0, 0, []
    for typed, meant in queries():
        suggestion, hits = ask(typed, env)
        if suggestion in meant:
            right += 1
        elif suggestion is None and hits > 0 and hits >= ask(meant[0], env)[1]:
            needless += 1
        else:
            wrong.append((typed, suggestion, meant))
    return right, needless, wrong


def strangers(n, env=None, seed=2):
    """Asks for n pairs of words that are spelt right and may have no document in common. Returns those that got a suggestion."""
    rnd = random.Random(seed)
    pool = sorted({word for _, text in subjects() for word in re.findall(r"\w{4,}", text)})
    asked = [' '.join(rnd.sample(pool, 2)) for _ in range(n)]
    return [(query, suggestion) for query in asked if (suggestion := ask(query, env)[0])]
