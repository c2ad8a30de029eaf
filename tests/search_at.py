# SPDX-License-Identifier: GPL-3.0-or-later
"""Files, queries and options for searches at a target, which find what a search here finds."""
import base64, json, os, random, subprocess, zipfile
from tap import SANITIZED, ok, tarsier

TREE = os.environ['HOME'] + '/docs'
CONFIG = os.environ['HOME'] + '/.config/tarsier/tarsier.conf'
if 'XDG_CONFIG_HOME' in os.environ:
    CONFIG = os.environ['XDG_CONFIG_HOME'] + '/tarsier/tarsier.conf'


def write(name, text, mode=0o644, mtime=None):
    path = f'{TREE}/{name}'
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)
    if mtime:
        os.utime(path, (mtime, mtime))
    return path


def mail(subject, sender, body):
    return f'From: {sender}\nTo: Clara Marsh <clara@example.org>\nCc: Dan <dan@example.org>\nSubject: {subject}\nDate: Mon, 02 Mar 2026 10:00:00 +0000\nMessage-ID: <{abs(hash(subject))}@example.org>\n\n{body}\n'


DAY = 86400
write('birds/heron.txt', 'The grey heron walks slowly through the water. Its level was low.\n', mtime=1767225600)
write('birds/herons-2023.txt', 'Many herons were walking here. Water levels were measured.\n', mtime=1767225600 + 40 * DAY)
write('birds/pelican.md', '# Pelicans\n\nA pelican was seen near the river. It walked away.\n', mtime=1767225600 + 90 * DAY)
write('birds/deep/marsh report.txt', 'Report on the marsh: the water level rises; level water is rare. Draft.\n')
write('Quarterly_heron-report.txt', 'Nothing to see.\n')
write('QuarterlyReport2024.txt', 'Sales of the quarter, see ReadMe and readXMLFile for more.\n')
write('schedule.html', '<html lang=en><title>Bird walks</title><meta name=author content="Ada Lovelace"><meta name=keywords content="outing, marsh"><h1>River tour</h1><p>We are walking to the river to watch the pelicans and the gulls there.')
write('german.html', '<html lang=de><title>Die H&auml;user am Fluss</title><p>Die Häuser stehen am Fluss. In dem Haus wohnen die Kinder und lesen Bücher über große Straßen und die Müllerin.')
write('german2.html', '<html lang=de><title>Ein Kinderbuch</title><p>Das Buch liegt auf der Straße, und die Mueller sind mit den Kindern in ihrem Hause und lesen es zusammen.')
write('french.html', '<html lang=fr><title>Les chevaux</title><p>Les chevaux de la ferme mangent dans le jardin, et le cheval noir est rentré à la maison avec les élèves de l’école.')
write('cpp.txt', "We teach C++ and C# at AT&T; .NET too. The file is called main.c and costs $5.\n")
write('numbers.txt', 'Version 3.14 of foo_bar-baz was released on 2024-05-06 by o\'brien & sons, naïve café résumé.\n')
write('hyphens.txt', 'A water-mill and a foot-bridge, by e-mail in UTF-8.\n')
write('solid.txt', 'A watermill and two footbridges, by email in UTF8.\n')
write('Foot-Path.txt', 'Nothing.\n')
write('chinese.txt', '我们在河边看到了一只白鹭。水位很低。\n')
write('mail/one.eml', mail('Water level', 'Ada Lovelace <ada@example.org>', 'Dear Clara, the water level at the weir is falling.'))
write('mail/two.eml', mail('Invoice for boats', 'Bob Byron <bob@example.org>', 'The boats cost forty pounds. Ada knows.'))
write('src/main.c', '/* prints a heron */\nint main(void) { return heron_walk("water"); }\n')
write('src/.hidden.py', 'def heron():\n    return "hidden water"\n')
write("odd 'quote\\ % _ name.txt", 'An odd name; water \\ level.\n')
write('copies/a.txt', 'An exact copy about otters.\n')
write('copies/b.txt', 'An exact copy about otters.\n')
write('closed.txt', 'The secret otter.\n', 0o600)
write('empty.txt', '')
write('big.txt', ' '.join(f'filler{i % 50}' for i in range(30000)) + ' the last kingfisher dives deep\n')
write('binary.dat', bytes(range(256)) * 20)
with zipfile.ZipFile(f'{TREE}/boxed water.zip', 'w') as z:
    z.writestr('inner/heron-notes.txt', 'Notes on a boxed heron.\n')
    z.writestr('inner/plain.txt', 'Plain text about water.\n')
write(os.fsdecode(b'bytes-\xff-water.txt'), 'A name that is not UTF-8.\n')
# Texts that people paste, in the forms that stand in the file and in other ones.
ENGLISH = '''walked/walks rivers/river watching/watched levels/level measured/measuring gulls/gull banks/bank boats/boat drifted/drifting
stones/stone covered/covers gardens/garden opened/opening windows/window letters/letter numbers/number counted/counts farmers/farmer
carried/carrying baskets/basket apples/apple markets/market traders/trader shouted/shouting prices/price lowered/lowering evening/evenings
bells/bell ringing/ringed streets/street emptied/empty lamps/lamp lighted/lighting shadows/shadow crossed/crossing bridges/bridge
travellers/traveller rested/resting horses/horse drinking/drinks villages/village sleeping/sleeps dogs/dog barked/barking strangers/stranger
passing/passed carts/cart rolled/rolling wheels/wheel turning/turned mills/mill grinding/grinds harvests/harvest stored/storing cellars/cellar
locked/locking keys/key hanging/hangs doors/door creaked/creaking winds/wind blowing/blows leaves/leave falling/falls autumns/autumn ending/ends
winters/winter beginning/beginnings snows/snow melting/melted springs/spring planted/planting seeds/seed growing/grows'''
GERMAN = '''Fischer/Fischern Netze/Netzen Hafen/Hafens Schiffe/Schiff Wellen/Welle Mauern/Mauer Kinder/Kindern Muscheln/Muschel Strand/Strande
Touristen/Tourist Türme/Türmen Kirche/Kirchen Glocken/Glocke Abend/Abende Lichter/Lichtern Wasser/Wassers Gäste/Gästen Suppe/Suppen Brote/Broten
Musiker/Musikern Lieder/Liedern Dichter/Dichtern Gedichte/Gedichten Nächte/Nächten kühler/kühl Straßen/Straße leerer/leere'''
FRENCH = '''marchands/marchand tables/table fruits/fruit légumes/légume fromages/fromage clients/client enfants/enfant musiciens/musicien
chansons/chanson oiseaux/oiseau jardins/jardin fleurs/fleur ouvertes/ouverte'''
PASTED = [[pair.split('/') for pair in text.split()] for text in (ENGLISH, GERMAN, FRENCH)]


def sentences(words, length=9):
    """Prose as it is pasted: with commas and stops."""
    parts = [' '.join(words[i:i + length]) for i in range(0, len(words), length)]
    return ', '.join(part.capitalize() if i % 2 == 0 else part for i, part in enumerate(parts)) + '.'


for language, pairs in zip(('en', 'de', 'fr'), PASTED):
    write(f'pasted/{language}.html', f'<html lang={language}><title>Prose</title><p>' + sentences([word for word, _ in pairs]))
    write(f'pasted/{language}-too-short.html', f'<html lang={language}><title>Prose</title><p>' + sentences([word for word, _ in pairs[:12]]))
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)


def configure(**sections):
    with open(CONFIG) as f:
        text = f.read().split('\n# exports\n')[0]
    with open(CONFIG, 'w') as f:
        f.write(text + '\n# exports\n' + ''.join(f'[export {name}]\n{lines}\n' for name, lines in sections.items()))


def paths(*words):
    code, out, err = tarsier('search', '--json', '--no-snippets', '--dups=show', *words)
    hits = [json.loads(line) for line in out.split('\n') if line]
    return code, {(base64.b64decode(h['path_b64']) if h['path_b64'] else h['path'].encode(), h['member']) for h in hits if h['type'] == 'hit' and h['kind'] != 'folder'}, hits, err


QUERIES = '''heron
water-mill
watermill
watermills
foot-bridge
footbridge
-water-mill bridge OR bridges
e-mail
email
UTF-8
utf8
footpath
foot-path
"water-mill"
herons
walk
walking
walked
HERON
=heron
=walk
"herons"
water level
"water level"
"level water"
"water levels"
"the water level rises"
"last kingfisher"
"kingfisher dives"
"filler49 the last"
heron OR pelican
heron AND water
heron -grey
heron NOT walk
-heron water
heron (pelican OR water)
(heron OR pelican) walk
heron pelican
heron OR pelican OR otter
her*
pel* wat*
"water lev*"
2023
report 2023
heron report
report
quarterly
QuarterlyReport2024
quarterly report
Report2024
readXMLFile
xml
title:bird
title:"bird walks"
title:walk
title:"walks bird"
title:water
author:ada
author:lovelace
author:"ada lovelace"
author:ada,bob
author:ada/bob
from:bob
to:clara
to:marsh
cc:dan
keyword:marsh
keyword:outing
heading:river
heading:pelicans
heading:"river tour"
body:heron
body:ada
body:"water level"
filename:heron
filename:report
filename:water
filename:notes
filename:"heron report"
name:her*
subject:water
subject:invoice
ext:txt
ext:txt,md
ext:c
ext:py
ext:eml water
-ext:txt
type:message
type:message water
type:archive
type:code
type:text heron
-type:text heron
mime:text/*
mime:text/html
mime:text/plain water
lang:de
lang:en heron
lang:fr
is:file heron
is:member
is:member heron
-is:member heron
is:hidden
is:hidden water
size:>1k
size:<1k heron
size:30..100
size:>10k
size:0
date:2026
date:2026-01
date:2026-03-02
date:2026-01..2026-02
date:>2026-02-01 heron
modified:2026-01
modified:2026-02 heron
sent:2026-03
dir:birds heron
dir:birds
dir:deep
dir:birds/deep
in:TREE
in:TREE/birds
dir:TREE/src
dir:TREE water
dir:TREE/birds OR dir:TREE/src
dir:/nowhere heron
haus
häuser
hauser
haeuser
Kinder
kind
buch
bücher
strasse
straße
müllerin
mueller
müller
cheval
chevaux
ecole
école
élève
cafe
café
naive resume
C++
C#
AT&T
.NET
main.c
src/main.c
3.14
foo_bar-baz
foo bar
o'brien
"o'brien"
water-level
白鹭
河边
水
"水位"
otter
otters
odd
quote
odd name
"quote name"
bytes
"a NEAR b" OR otter
"water" NEAR/3 "level"
"level" NEAR/1 "water"
"water" ADJ/2 "low"
"grey water"p
"water grey"p
"water grey"o5
"grey water"o5
source:file heron
notes boxed
boxed
secret
filler7
kingfisher -filler7
the
the heron'''.replace('TREE', TREE).splitlines()


def long_queries():
    """What nobody types but many paste: up to several hundred words, of which a search takes 64, in any of their forms."""
    english, german, french = [[pair[1] for pair in pairs] for pairs in PASTED]
    for n in (12, 20, 21, 30, 45, 60, 64):
        yield sentences(english[:n])
    yield sentences(german)
    yield sentences(french)
    yield sentences(english + german + french)
    yield sentences((english + german + french) * 3)
    yield ' OR '.join(english[:30] + german[:20] + french[:14])
    yield 'kingfisher ' + ' '.join(f'-{word}' for word in english[:40])
    yield f'({" ".join(english[:12])}) OR ({" ".join(german[:12])}) OR ({" ".join(french[:12])})'
    yield 'title:prose (' + ' OR '.join(german[:40]) + ') ext:html -ext:pdf lang:de size:>10'
    yield '"' + ' '.join(word for word, _ in PASTED[0][:60]) + '"'
    yield ' OR '.join(f'title:{word}' for word in english[:50] + ['proses'])


OPTIONS = [['-a', 'heron', 'pelican'], ['-w', 'walk'], ['-f', 'heron'], ['-t', 'message', 'water'], ['-e', 'txt', 'heron'], ['-m', 'text/html', 'river'], ['-d', TREE + '/birds', 'heron'], ['-t', 'text'], ['-e', 'eml']]


def paths_here(query):
    """What a search here finds. It has two seconds, and is asked again where a busy machine lets them pass."""
    for _ in range(10):
        found = paths('--', query)
        if found[0] != 75:
            break
    return found


def compare_searches(name, some_suffice=False):
    """The export of this name finds the same as a search here. some_suffice: under sanitizers, which make programs slow,
    every third query is tried, from a random one on."""
    queries = QUERIES[random.randrange(3)::3] if some_suffice and SANITIZED else QUERIES
    long = list(long_queries())
    wrong, some, errors = [], [], 0
    for query in queries + long:
        here, there = paths_here(query), paths('--at', name, '--', query)
        some += [query] * (here[0] == 0 and bool(here[1]))
        errors += here[0] > 1
        if here[:2] != there[:2]:
            wrong.append((query, here[0], there[0], 'only here', here[1] - there[1], 'only there', there[1] - here[1], there[3]))
    for one in wrong:
        print('#', *one)
    ok(f'{len(queries)} queries, and {len(long)} long ones, find the same here and there', not wrong and len(some) > .85 * len(queries + long) and set(long) <= set(some) and errors == 0, (len(some), errors, set(long) - set(some)))
    wrong = [(o, paths(*o)[:2], paths('--at', name, *o)[:2]) for o in OPTIONS if paths(*o)[:2] != paths('--at', name, *o)[:2]]
    ok('so do the options that narrow a search', not wrong, wrong)


def check_printing(name, host):
    """What a search at the export of this name prints. host: the name of this machine."""
    def at(*words, **more):
        return tarsier('search', '--at', name, *words, **more)

    code, out, err = at('kingfisher')
    ok('a pipe gets paths', (code, out) == (0, TREE + '/big.txt\n'), (code, out, err))
    code, out, err = at('-0', 'bytes water')
    ok('paths are exact', (code, out) == (0, os.fsdecode(os.fsencode(TREE) + b'/bytes-\xff-water.txt\0')), (code, out))
    code, out, err = at('-c', 'heron')
    here = tarsier('search', '-c', '--', 'heron -is:dir')
    ok('the number of all is that of a search here', (code, out) == here[:2] and int(out) >= 5, (out, here))
    ok('a quiet search answers by its exit code', at('-q', 'heron') == (0, '', '') and at('-q', 'nowheretobefound') == (1, '', ''))
    code, out, err = at('nowheretobefound')
    ok('what is not found is told', code == 1 and out == '' and name in err, (code, err))
    code, out, err = at('-n', '2', '-s', 'path', 'heron')
    first = out.splitlines()
    rest = at('-o', '2', '-s', 'path', 'heron')[1].splitlines()
    ok('pages follow each other', len(first) == 2 and first + rest == sorted(first + rest) == at('-s', 'path', 'heron')[1].splitlines(), (first, rest))
    ok('a page after the last is empty', at('-o', '1000', 'heron')[0] == 1 and at('-c', '-o', '3', 'heron')[1] == at('-c', 'heron')[1])
    ok('an order is turned round', at('-r', '-s', 'path', 'heron')[1].splitlines() == (first + rest)[::-1])
    sizes = [os.path.getsize(p) for p in at('-s', 'size', 'is:file')[1].split('\n') if os.path.exists(p)]
    ok('the order by size is that of sizes', len(sizes) > 10 and sizes == sorted(sizes, reverse=True), sizes)
    hit = [h for h in paths('--at', name, '--', 'title:"bird walks"')[2] if h['type'] == 'hit'][0]
    snippet = json.loads(at('--json', 'pelicans gulls')[1].split('\n')[1])['snippets']
    ok('a hit has what is known of it', (hit['path'], hit['title'], hit['author'], hit['mime'], hit['lang'], hit['host'], hit['uri'], hit['id'], hit['uid'], hit['mode'], hit['source'], hit['state'], hit['size'])
       == (TREE + '/schedule.html', 'Bird walks', 'Ada Lovelace', 'text/html', 'en', host, f'file://{host}{TREE}/schedule.html', None, None, None, 'file', 'ok', os.path.getsize(TREE + '/schedule.html')), hit)
    ok('its snippet marks the words', [snippet[0]['text'].encode()[a:b] for a, b in snippet[0]['marks']] == [b'pelicans', b'gulls'], snippet)
    begin, *_, end = [json.loads(line) for line in at('--json', 'heron')[1].split('\n') if line]
    ok('JSON begins and ends as that of a search here', begin['type'] == 'begin' and begin['query'] == 'heron' and begin['total'] == end['shown'] and begin['total_exact'] and end['type'] == 'end', (begin, end))
    copies = [h for h in map(json.loads, at('--json', 'title:none OR exact otters')[1].split('\n')[:-1]) if h['type'] == 'hit']
    ok('equal files are one hit', [(h['path'], h['copies']) for h in copies] == [(TREE + '/copies/a.txt', [TREE + '/copies/b.txt'])], copies)
    code, out, err = at('--long', '--color=always', 'kingfisher')
    ok('a terminal shows title, path, machine and snippet, and no link to a file here', code == 0 and TREE + '/big.txt' in out and host in out and 'dives' in out and ']8;;' not in out, out)
    code, out, err = at('heron', env={'TARSIER_INDEX': os.environ['HOME'] + '/none'})
    ok('no index is needed here', code == 0 and 'heron' in out, (code, err))
