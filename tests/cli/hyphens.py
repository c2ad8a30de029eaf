# SPDX-License-Identifier: GPL-3.0-or-later
"""Two words that a hyphen joins are found as one word, and one word by two with a hyphen; what is
written as in the query comes first."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier

docs = os.environ['HOME'] + '/docs'
TEXTS = {'hyphen.txt': 'The Wi-Fi of the co-worker sends an e-mail as UTF-8, said the COVID-19 sheet.',
         'solid.txt': 'The WiFi of the coworker sends emails as UTF8, said the Covid19 sheet.',
         'apart.txt': 'The wi fi of another is apart: utf or 8, covid and 19.',
         'chain.txt': 'A state-of-the-art box has --dry-run, lib-x.so and 3-4.',
         'code.c': 'int main(void) { return wi-fi; }',
         'line.txt': 'The longest of all infor-\nmation is divided by a line.',
         'german.txt': 'Der Online-Auftritt und die E\u2011Mail: Grüße\u2010Karte.'}
os.makedirs(docs)
for name, text in TEXTS.items():
    with open(f'{docs}/{name}', 'w') as f:
        f.write(text)
for name in ('Blu-Ray_disc.txt', 'bluray.txt', 'blu ray.txt'):
    open(f'{docs}/{name}', 'w').close()
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)


def names(query, *options):
    status, out, err = tarsier('search', '-l', *options, '--', query)
    return [os.path.basename(line) for line in out.splitlines()] if status < 2 else err


def finds(query, *wanted):
    ok(f'{query} finds {" ".join(wanted) or "nothing"}', sorted(names(query)) == sorted(wanted), names(query))


# ---- one word for two
finds('wifi', 'hyphen.txt', 'solid.txt')
finds('coworkers', 'hyphen.txt', 'solid.txt')
finds('email', 'hyphen.txt', 'solid.txt', 'german.txt')
finds('utf8', 'hyphen.txt', 'solid.txt')
finds('covid19', 'hyphen.txt', 'solid.txt')
finds('information', 'line.txt')
finds('onlineauftritt', 'german.txt')
finds('grüßekarte', 'german.txt')
finds('"wifi of the"', 'solid.txt')
for word in ('stateof', 'theart', 'dryrun', 'libx', '34'):
    finds(word)

# ---- two for one
finds('wi-fi', 'hyphen.txt', 'solid.txt', 'apart.txt', 'code.c')
finds('co-worker', 'hyphen.txt', 'solid.txt')
finds('E-Mail', 'hyphen.txt', 'solid.txt', 'german.txt')
finds('utf-8', 'hyphen.txt', 'solid.txt')
finds('covid-19 sheet', 'hyphen.txt', 'solid.txt')
finds('"wi-fi"', 'hyphen.txt', 'apart.txt', 'code.c')
finds('=wi-fi', 'hyphen.txt', 'apart.txt', 'code.c')
finds('the -wi-fi', 'chain.txt', 'line.txt')
finds('wi-fi NEAR/5 worker', 'hyphen.txt')
ok('--exact takes the two words alone', sorted(names('co-worker', '--exact')) == ['hyphen.txt'], names('co-worker', '--exact'))

# ---- names
finds('bluray', 'Blu-Ray_disc.txt', 'bluray.txt')
finds('blu-ray', 'Blu-Ray_disc.txt', 'bluray.txt', 'blu ray.txt')
finds('name:bluray', 'Blu-Ray_disc.txt', 'bluray.txt')
os.rename(docs + '/Blu-Ray_disc.txt', docs + '/other.txt')
subprocess.run(['tarsier', '-q', 'index'], check=True)
finds('bluray', 'bluray.txt')

# ---- order
for query, first, last in (('co-worker', 'hyphen.txt', 'solid.txt'), ('utf-8', 'hyphen.txt', 'solid.txt'),
                           ('e-mail sends', 'hyphen.txt', 'solid.txt')):
    ok(f'{query} finds it first as it is written', names(query) == [first, last], names(query))

# ---- what is told
hits = {}
for query in ('wifi', 'wi-fi'):
    for line in tarsier('search', '--json', '--', query)[1].splitlines():
        hit = json.loads(line)
        if 'path' in hit:
            hits[query, os.path.basename(hit['path'])] = json.dumps(hit, ensure_ascii=False)
ok('a snippet shows two words for one', 'Wi-Fi' in hits['wifi', 'hyphen.txt'], hits)
ok('a snippet shows one word for two', 'WiFi' in hits['wi-fi', 'solid.txt'], hits)
out = tarsier('search', '--explain', '--', 'E-Mail')[2]
ok('--explain tells the word as one', 'also as email emails' in out, out)
ok('the normal form keeps the hyphen', '\n  e-mail\n' in out, out)
status, out, err = tarsier('search', '--', 'wi-fi nowhere')
ok('of a word that is there as one, no half is missing', status == 1 and '"wi"' not in err and 'nowhere' in err, err)
done_testing()
