#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scale.py DIRECTORY NUMBER [--seed S]: writes NUMBER small text files below DIRECTORY, the same
for the same arguments. A smaller tree is the beginning of a larger one.

The words are the most frequent ones of English, and behind them words made of syllables, drawn by
Zipf's law. Each file also has words of its own, so that the vocabulary grows with the number of
files, as that of real ones does. Directories hold thirty files. Times are spread over six years.

    python3 -c 'import scale; print(scale.words(1)[:9])'      the most common words
"""
import argparse, itertools, os, random

VOCABULARY, WORDS, FILES_IN_DIRECTORY, EPOCH, SPAN = 60000, 110, 30, 1500000000, 6 * 365 * 86400
ENDINGS = ('txt', 'txt', 'md', 'c', 'h', 'py', 'json')
ENGLISH = ('the of and to in a is that it for was on are as with be by this from or at have an not they which you one we were all '
           'their can had there has been if more when will would who so no said what up its about than into them only other some '
           'could new then do any my now such like our over me even most made after also did many before must through back where').split()
SYLLABLES = ('a ab al am an ar as at ba be bel ber bit bo ca ce cer chi co com con cor da de del der di do dor e el em en er es ex fa '
             'fer fi for ga ge gi gra ha he i il im in ing is it ja ka ke la le li lo lu ma me men mi mo mor na ne ni no nor o of ol on '
             'or os pa pe per pi po por pre pro qua ra re ri ro ru sa se ser si so sta ste su ta te ter ti tion to tra tri tu u ul un '
             'ur us va ve ver vi vice vo wa we wi wor ya yo za ze').split()


def words(seed):
    """The vocabulary, the most common word first."""
    rng, found = random.Random(seed), dict.fromkeys(ENGLISH)
    while len(found) < VOCABULARY:
        found[''.join(rng.choices(SYLLABLES, k=rng.choice((1, 2, 2, 3, 3, 3, 4))))] = None
    return list(found)


def weights(n):
    return list(itertools.accumulate(1 / (i + 3) for i in range(n)))


def own_words(i, vocabulary, rng):
    """Words that no other file has: one that is easy to name, and one that looks like an identifier."""
    return [f'rareword{i}', rng.choice(vocabulary) + rng.choice(vocabulary) + rng.choice(SYLLABLES)]


def directory_of(i, vocabulary):
    n = i // FILES_IN_DIRECTORY
    parts = [vocabulary[200 + n % 40], vocabulary[300 + n // 40 % 40], f'{vocabulary[400 + n // 1600 % 40]}-{n}']
    return '/'.join(parts)


def make(directory, number, seed):
    vocabulary = words(seed)
    sums = weights(len(vocabulary))
    for i in range(number):
        rng = random.Random(f'{seed}/{i}')
        where = f'{directory}/{directory_of(i, vocabulary)}'
        if i % FILES_IN_DIRECTORY == 0:
            os.makedirs(where, exist_ok=True)
        n = min(int(rng.lognormvariate(0, .8) * WORDS * .73) + 5, 20 * WORDS)
        text = rng.choices(vocabulary, cum_weights=sums, k=n) + own_words(i, vocabulary, rng)
        rng.shuffle(text)
        path = f'{where}/{rng.choice(vocabulary)}-{i}.{rng.choice(ENDINGS)}'
        with open(path, 'w') as f:
            f.writelines(' '.join(text[k:k + 12]) + '\n' for k in range(0, len(text), 12))
        when = EPOCH + rng.randrange(SPAN)
        os.utime(path, (when, when))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('directory')
    parser.add_argument('number', type=int)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    make(args.directory, args.number, args.seed)
