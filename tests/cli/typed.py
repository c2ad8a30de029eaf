# SPDX-License-Identifier: GPL-3.0-or-later
"""Text as people type and paste it is searched as text: every line finds the file that has it, or a
note says what was left out or read otherwise. No line is an error."""
import itertools, json, os, random, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *


def some(cases):
    return cases[random.randrange(10)::10] if SANITIZED else cases


def run(*arguments):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, timeout=100)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors='replace')


def ask(line):
    """Returns the exit code, the notes, and the names of the files that were found."""
    code, out, err = run('search', '--json', '--no-snippets', '-n', '500', '--', line)
    objects = [json.loads(answer) for answer in out.splitlines()]
    notes = objects[0].get('notes', []) if objects else []
    return code, notes, [os.path.basename(o['path']) for o in objects if o['type'] == 'hit'], err


with open(os.environ['abs_top_srcdir'] + '/tests/cli/typed-lines.txt', encoding='utf-8') as f:
    lines = [line.rstrip('\n') for line in f if not line.startswith('# ---- ')]
ok(len(lines) >= 980, 'there are at least 980 lines', len(lines))

docs = HOME + '/typed'
os.mkdir(docs)
for i, line in enumerate(lines):
    with open(f'{docs}/{i:03}.txt', 'w', encoding='utf-8') as f:
        f.write('Plain text comes first.\n' + line + '\n')
run('-q', 'add', docs)
run('-q', 'index')

# A word after a minus sign is excluded, and a line of nothing but ASCII signs has nothing to search for.
excludes = {i for i, line in enumerate(lines) if any(w[:1] in '-!' and w.strip('-!')[:1].isalnum() for w in line.replace('(', ' ').split())}
bare = {i for i, line in enumerate(lines) if not any(c.isalnum() or ord(c) > 127 for c in line)}

errors, lost, silent = [], [], []
for i, line in some(list(enumerate(lines))):
    code, notes, found, err = ask(line)
    if i in bare:
        continue
    if code not in (0, 1):
        errors.append((line, err))
    elif f'{i:03}.txt' not in found and i not in excludes and not notes:
        lost.append(line)
    elif not notes and any(w in ('&', '|', '+', '=', '-', '–', '→') for w in line.split()):
        silent.append(line)
equal(errors, [], 'no line is an error')
equal(lost, [], 'every line finds its file or gets a note')
equal(silent, [], 'a sign that stands alone is never left out silently')

# ---- signs
signs = [chr(c) for c in range(33, 127) if not chr(c).isalnum()]
odd = []
for query in some(signs + [a + b for a, b in itertools.product('!"&()*-:<=>?[]\\|~', repeat=2)]):
    code, _, err = run('search', '--', query)
    if code not in (0, 1, 2) or (code == 2 and '^' not in err):
        odd.append((query, code, err))
equal(odd, [], 'one or two signs get an answer, or an error that shows the place')
odd = [sign for sign in some(signs) if sign not in '"' and ask(f'milk {sign} eggs')[2] != ask('milk eggs')[2]]
equal(odd, [], 'a sign between two words changes nothing')

for query, note in (('milk & eggs', '&'), ('date: milk', 'date:'), ('type=submit', 'type=submit'), ('authr:smith; x', 'authr:')):
    notes = ask(query)[1]
    ok(len(notes) == 1 and note in notes[0], f'a note tells how it was read: {query}', notes)
    ok(note in run('search', '--', query)[2], f'the note stands on stderr too: {query}')
equal(ask('milk eggs')[1], [], 'a plain query has no note')

# ---- names of files that look like something else
strange = ('--limit', '-n', '-rf', 'status', 'search', 'remove', '--', '-c 5', 'https:example.org?q=1&r=2', 'www.example.org', 'saved:mine',
           'date:2026', 'NOT', 'OR', 'a OR b', '(open', '"quoted"', "it's", '$(id)', '`id`', '*', 'a|b', 'x;y', '%s%n', 'tab\there', '\u202egpj.txt', 'e\u0301',
           '~', '#hash', '!bang', 'C++ & C#', '\U0001f600')
named = HOME + '/named'
os.mkdir(named)
for i, name in enumerate(strange):
    with open(f'{named}/{name}', 'w') as f:
        f.write(f'strangename{i}\n')
run('-q', 'add', named)
run('-q', 'index')
lost = [name for i, name in enumerate(strange) if ask(f'strangename{i}')[2] != [name]]
equal(lost, [], 'files with names like options, verbs, addresses and code are found')
odd = []
for name in some(strange):
    for words in ([name], ['--', name], ['strangename0', name], ['-d', named, '--', name], ['-f', '--', name]):
        code, out, err = run('search', *words)
        if code not in (0, 1, 2) or (code == 2 and not err) or 'sql' in err.lower() or 'fts5' in err.lower():
            odd.append((words, code, err))
equal(odd, [], 'their names are answered, or refused with a message')
lost = [name for name in strange if any(c.isalnum() for c in name) and name not in ask('"' + name.replace('"', ' ') + '"')[2]]
equal(lost, [], 'their quoted names find them')

# ---- lines of programs
for line in ('rm -rf ./milk', 'ls -la | grep milk', 'grep -rn "milk" src/', 'sort -nr milk .', 'find . -name "milk" -mtime +7 -delete', 'find . -type f -name "*.milk"', 'openssl x509 -in milk.pem -noout -text',
             'java -jar milk.jar -nogui', 'gcc -Wall -Wextra milk.c', 'netstat -tulpen milk', 'git commit -am "milk eggs"', 'tar -cf milk.tar home', 'tar -xzf milk.tar.gz',
             'make -j4 milk', 'terraform apply -auto-approve milk', 'xset -dpms milk', 'return -EMILK;', 'goto milk; return -ENOMEM;', 'ls -lh milk', 'git log -n milk', 'tar --exclude eggs -xf milk', 'if (milk && !(eggs || bread)) return;', 'kubectl get -n milk -o eggs',
             '/usr/bin/ld: cannot find -lmilk', '[10/Oct/2000 -0700] milk', 'jmp *%milk', 'milk -5.5°C',
             'milk 1-1: device descriptor read/64, error -71', 'milk: probe failed with error -110.', 'milk eggs returned: -22', 'WHERE milk IS NOT NULL AND (eggs);'):
    with open(f'{docs}/program.txt', 'w', encoding='utf-8') as f:
        f.write(line + '\n')
    run('-q', 'index')
    code, notes, found, err = ask(line)
    ok('program.txt' in found, f'what looks like an exclusion or operator is text in a program: {line}', code, notes, err)
    ok('%' in line or '!(' in line or any(note.startswith('Read as text') for note in notes), f'a note tells so: {line}', notes)
os.remove(f'{docs}/program.txt')
for name, text in (('both', 'find and make milk eggs\n'), ('one', 'find and make milk\n')):
    os.makedirs(HOME + '/excluded', exist_ok=True)
    with open(f'{HOME}/excluded/{name}.txt', 'w') as f:
        f.write(text)
run('-q', 'add', HOME + '/excluded')
run('-q', 'index')
for query in ('milk -eggs', 'milk !eggs', 'milk NOT eggs', 'milk & -eggs', 'milk (-eggs)', '-eggs milk', 'find milk -eggs', 'make milk -eggs', 'Milk 100% -eggs', 'milk AND NOT eggs'):
    equal(ask(query.replace(' 100%', '') + ' dir:excluded')[2], ['one.txt'], f'a typed exclusion excludes: {query}')
with open(f'{HOME}/excluded/year.txt', 'w') as f:
    f.write('error report milk 2023\n')
run('-q', 'index')
equal(ask('error report -2023 dir:excluded')[2] + ask('error -2023 report dir:excluded')[2], [], 'a year after the word error is excluded')
os.remove(f'{HOME}/excluded/year.txt')
for query in ('"milk => eggs" -bread', '"--force" -bread', '"$(milk)" -bread', '"a;" -b', '"milk eggs" -b', '-bread "x::y { }" !eggs'):
    with open(f'{HOME}/excluded/phrase.txt', 'w') as f:
        f.write(query.replace('!eggs', 'eggs') + '\n')
    run('-q', 'index')
    code, notes, found, err = ask(query)
    ok(code in (0, 1) and 'phrase.txt' not in found and not any('as text' in note for note in notes),
       f'signs in a closed phrase leave the rest a query: {query}', code, notes, found, err)
os.remove(f'{HOME}/excluded/phrase.txt')
for query in ('milk TCP/IP -udp', 'https://example.org/ -pdf', 'milk -ham', 'milk ls -ham', 'milk.pdf -old', 'milk . eggs'):
    ok(not any('as text' in note for note in ask(query)[1]), f'a query that looks a little like a command is a query: {query}', ask(query)[1])
ok('only excludes' in ask('-eggs')[1][0], 'a query of nothing but exclusions gets a note', ask('-eggs')[1])
for query, shown in (('milk -eggs -bread dir:nowhere', 'eggs bread'), ('milk NOT "brown eggs" !title:x dir:nowhere', '"brown eggs" title:x')):
    code, _, _, err = ask(query)
    ok(code == 1 and f'excludes: {shown}. ' in err, f'if nothing is found, a note names the excluded words: {query}', code, err)
ok('excludes' not in ask('milk dir:nowhere')[3] and 'excludes' not in ask('milk -nosuchword')[3], 'else there is no such note')
for query in ('-EGGS', '!EGGS', 'NOT "EGGS"', 'NOT 2023'):
    ok(['only excludes' in note for note in ask(query)[1]] == [True], f'so does one without small letters: {query}', ask(query)[1])
ok(any('as words' in note for note in ask('NOT FOUND')[1]), 'a title in capitals excludes nothing', ask('NOT FOUND'))
code, notes, found, err = ask(', '.join(['milk', 'eggs'] + [f'w{i}' for i in range(70)]))
ok(code in (0, 1) and any('first' in note for note in notes), 'of a long pasted text the first words are searched', code, notes, err)

# ---- fields, types, dates and sizes of other systems
def line_after(title, text):
    lines = text.splitlines()
    return lines[lines.index(title) + 1] if title in lines else ''


for theirs, ours in (('label:milk', 'keyword:milk'), ('category:milk', 'keyword:milk'), ('intext:milk', 'body:milk'), ('larger_than:1k', 'size>=1k'),
                     ('older:2024/04/16', 'date<2024-04-16'), ('received:>=2024', 'date>=2024'), ('year:2024', 'date:2024'),
                     ('parent:typed', 'dir:typed'), ('mimetype:text/plain', 'mime:text/plain'), ('is:starred', 'is:flagged'), ('is:folder', 'is:dir'),
                     ('has:attachments', 'has:attachment'), ('ext:*.txt', 'ext:txt'), ('ext:txt;md', 'ext:txt,md'), ('ext:txt|md', 'ext:txt,md'),
                     ('type:.pdf', 'type:pdf'), ('type:images', 'type:image'), ('kind:emails', 'type:message'), ('type:word', 'ext:doc,docx'),
                     ('type:text/html', 'mime:text/html'), ('lang:german', 'lang:de'), ('lang:Deutsch', 'lang:de'), ('size:1,5M', 'size:1.5M'),
                     ('size:10 MB', 'size:10M'), ('size:[1k TO 2k]', 'size:1k..2k'), ('size:[* TO 2k]', 'size:..2k'), ('date:last week', 'date:lastweek'),
                     ('date:"This month"', 'date:thismonth'), ('date:last-year', 'date:lastyear'), ('date:20240314', 'date:2024-03-14'),
                     ('date:03/2024', 'date:2024-03'), ('date:2024.03', 'date:2024-03'), ('date:"March 2024"', 'date:2024-03'),
                     ('date:mar-2024', 'date:2024-03'), ('date:2023-2024', 'date:2023..2024'), ('date:[2023 TO 2024]', 'date:2023..2024'),
                     ('older_than:6m', 'date<6mo'), ('newer_than:2m', 'date>=2mo'), ('is:read', 'type:message AND NOT is:unread'),
                     ('isread:no', 'is:unread'), ('IsRead:Yes', 'type:message AND NOT is:unread'), ('is:unstarred', 'type:message AND NOT is:flagged'),
                     ('hasattachments:yes', 'has:attachment'), ('hasattachment:false', 'type:message AND NOT has:attachment'),
                     ('-hasattachments:true milk', '-has:attachment milk'), ('size:empty', 'size:0'), ('size:{1k TO 2k}', 'size:1001..1999'),
                     ('size:[1k TO 2k}', 'size:1000..1999'), ('date:{2020 TO 2022}', 'date:2021'), ('date:{2020 TO *]', 'date>2020'),
                     ('milk AROUND(3) eggs', 'milk NEAR/3 eggs'), ('System.Author:milk', 'author:milk'), ('betreff:milk', 'title:milk'),
                     ('größe:>1k', 'size>1k'), ('deliveredto:milk', 'to:milk'), ('rfc822msgid:a@b.c', 'mid:a@b.c'), ('taken:2020', 'date:2020'),
                     ('date:"last 7 days"', 'date:7d'), ('date:last7days', 'date:7d'), ('date:2weeks', 'date:2w'), ('milk~0.8', 'milk~'),
                     ('von:milk', 'from:milk'), ('An:milk', 'to:milk'), ('datei:milk', 'filename:milk'), ('titel:milk', 'title:milk'), ('autor:milk', 'author:milk'),
                     ('inhalt:milk', 'body:milk'), ('typ:Bilder', 'type:image'), ('type:bild', 'type:image'), ('type:tabelle', 'type:spreadsheet'),
                     ('date:vorgestern..gestern', 'date:vorgestern..yesterday'), ('date:gestern', 'date:yesterday'), ('datum:heute', 'date:today'),
                     ('date:letzte Woche', 'date:lastweek'), ('date:"dieses Jahr"', 'date:thisyear'), ('date:"März 2024"', 'date:2024-03'),
                     ('date:2024-Dezember', 'date:2024-12'), ('vor:2024', 'date<2024'), ('seit:2024', 'date>=2024'), ('Größe>1k', 'size>1k'),
                     ('seiten>3', 'pages>3'), ('sprache:deutsch', 'lang:de'), ('ist:ungelesen', 'is:unread'), ('hat:Anhang', 'has:attachment'),
                     ('größer:1M', 'size>=1M'), ('Kleiner:10k', 'size<=10k'),
                     ('älter:2024', 'date<2024'), ('date:juni 2024', 'date:2024-06'), ('datum:märz 2024', 'date:2024-03'), ('date:June 2024 milk', 'date:2024-06 milk'),
                     ('date:"14. märz 2024"', 'date:2024-03-14'), ('date:"March 14, 2024"', 'date:2024-03-14'), ('date:14. März 2024', 'date:2024-03-14'),
                     ('fichier:milk', 'filename:milk'), ('папка:typed', 'dir:typed')):
    for _ in range(5):  # a moment that counts back from now is another one a second later
        normal = [line_after('Normal form:', ''.join(run('search', '--explain', '--', query)[1:])) for query in (theirs, ours)]
        if normal[0] == normal[1]:
            break
    ok(normal[0] and normal[0] == normal[1], f'{theirs} is {ours}', *normal)
for query in ('lang:python', 'type:books', 'date:2024-13', 'date:99/2024', 'size:1,500', 'is:open', 'date:[2024'):
    code, _, err = run('search', '--', query)
    ok(code == 2 and '^' in err, f'what has no one reading stays an error: {query}', code, err)

code, _, err = run('search', 'sort:date milk')
ok(code == 2 and '-s date' in err, 'an order in the query is refused, and the option is named', code, err)

# ---- subjects of mails
mails = HOME + '/mails'
os.mkdir(mails)
for name, subject in (('plain', 'Reisekosten im Frühjahr'), ('answer', 'AW: Angebot für Fenster'), ('russian', 'Отчёт за апрель'), ('japanese', '会議の議事録')):
    with open(f'{mails}/{name}.eml', 'w', encoding='utf-8') as f:
        f.write(f'From: Bob <bob@example.org>\nTo: Anna <anna@example.org>\nSubject: {subject}\nDate: Mon, 4 Mar 2024 10:00:00 +0000\nMessage-ID: <{name}@example.org>\n'
                f'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nGuten Tag.\n')
run('-q', 'add', mails)
run('-q', 'index')
for prefix in ('WG: ', 'AW: ', 'AW:', 'Re: ', 'RE: ', 'Re[2]: ', 'Fwd: ', 'FW: Re: ', 'Betreff: ', 'Subject: Re: ', 'Antw: ', 'SV: ', 'TR : ', 'RV: ', 'R: ', 'Objet\u00a0: ',
               'Odp: ', 'YNT: ', 'Vá: ', 'ΑΠ: ', 'Тема: Re: ', '返信：', '回复: ', 'I: '):
    code, notes, found, err = ask(prefix + 'Reisekosten im Frühjahr')
    ok(found == ['plain.eml'] and any(prefix.split()[0] in note for note in notes), f'a prefix of a mail program hides no mail: {prefix}', notes, found, err)
for query, name in (('Angebot für Fenster', 'answer'), ('WG: AW: Angebot für Fenster', 'answer'), ('Отв: Отчёт за апрель', 'russian'), ('転送：会議の議事録', 'japanese')):
    equal(ask(query)[2], [name + '.eml'], f'so it is in other languages and the other way round: {query}')
for query in ('From: Bob <bob@example.org>', 'Von: Bob', 'To: Anna <anna@example.org>', 'An: anna@example.org'):
    code, notes, found, err = ask(query + ' Reisekosten')
    ok(found == ['plain.eml'] and any('may lack' in note for note in notes), f'the name of a header hides no mail: {query}', notes, found, err)
for query, count in (('Date: Mon, 4 Mar 2024 10:00:00 +0000', 4), ('Date: Mon, 4 Mar 2024 11:00:00 +0100', 4), ('Date: Mon, 4 Mar 2024 10:00:01 +0000', 0), ('Message-ID: <answer@example.org>', 1)):
    code, notes, found, err = ask(query)
    ok(len(found) == count, f'a pasted header finds its mails: {query}', notes, found, err)
for query in ('re: ', 'r: milk', 'milk re: eggs', 'subject:milk', 're::milk', 'aware: milk', '"AW: Angebot"'):
    ok(not any('may lack' in note for note in ask(query)[1]), f'no prefix of a mail: {query}', ask(query)[1])

# ---- places in sources
os.makedirs(HOME + '/project/src/kestrel')
with open(HOME + '/project/src/kestrel/core.c', 'w') as f:
    f.write('int wings;\n')
run('-q', 'add', HOME + '/project')
run('-q', 'index')
for query in ('src/kestrel/core.c:12:5: error: expected expression', 'kestrel/core.c:12:int feathers;', '../src/kestrel/core.c:12: x', 'core.c:4', 'core.c:12:5: error: expected'):
    code, notes, found, err = ask(query)
    ok('core.c' in found and any('core.c' in note for note in notes), f'the file is found, whatever stands after the place: {query}', code, notes, found, err)
for query in ('src/kestrel/core.c:12', 'core.org:80 error', 'core.c'):
    ok(not any('searched too' in note for note in ask(query)[1]), f'no file of that place is added: {query}', ask(query)[1])
equal(ask('other/core.c:12 error')[2], [], 'a file below another directory is not meant')

# ---- what is missing is named as it was typed
for query, shown in (('Eggs-Milk', '"Eggs-Milk" by itself'), ('milk "Eggs Milk" eggs', 'No text has the words "Eggs Milk" in this order'), ('title:(Eggs.Milk)', '"Eggs.Milk" by itself')):
    code, _, _, err = ask(query + ' dir:excluded')
    ok(code == 1 and shown in err, f'so is a phrase: {query}', err)
for query, shown in (('Österreichxyz', 'Österreichxyz'), ('Straßenfestxyz milk', 'Straßenfestxyz'), ('Ürümqixyz-Reise', 'Ürümqixyz'), ('title:Ährenxyz', 'Ährenxyz')):
    err = run('search', '--', query)[2]
    ok(f'"{shown}"' in err, f'a message names the missing word as it was typed: {query}', err)

# ---- exact hits
for name, text in (('exact', 'The heron stands in the reeds.'), ('apart', 'Reeds grow there. A heron flies.')):
    with open(f'{HOME}/excluded/{name}.txt', 'w') as f:
        f.write(text + '\n')
run('-q', 'index')
ok('Few documents' not in run('search', '--long', '--', 'heron stands')[2], 'no note on partial matches where a text has the words as they were typed')
ok('Few documents' in run('search', '--long', '--', 'stands reeds')[2], 'there is one where no text has', run('search', '--long', '--', 'stands reeds'))

# ---- operators of other languages
for query, meant in (('milk UND eggs', 'milk AND eggs'), ('milk ODER eggs', 'milk OR eggs'), ('milk NICHT eggs', 'milk NOT eggs'), ('milk ИЛИ eggs', 'milk OR eggs')):
    ok(any(note.endswith(meant) for note in ask(query)[1]), f'a note names the operator: {query}', ask(query)[1])
for query, meant in (('heron or nosuchmilk', 'heron OR nosuchmilk'), ('heron und nosuchmilk', 'heron AND nosuchmilk'), ('"heron or" Oder nosuchmilk', '"heron or" OR nosuchmilk')):
    code, _, _, err = ask(query)
    ok(code == 1 and f'write: {meant}\n' in err, f'without hits, so does one for small letters: {query}', code, err)
for query in ('heron stands', 'or nosuchmilk', 'nosuchmilk or', '"heron or nosuchmilk"', 'heron not nosuchmilk'):
    ok('operators are' not in ask(query)[3], f'nothing else is called an operator: {query}', ask(query)[3])
for query in ('SEIN ODER NICHTSEIN', 'milk und eggs', '"milk ODER eggs"', 'milk OR eggs'):
    ok(not any('operators are' in note for note in ask(query)[1]), f'no operator is named: {query}', ask(query)[1])

# ---- what other programs read otherwise
for query, note in (('milk|eggs', 'milk OR eggs'), ('milk^4', 'weights'), ('mil.*eggs', 'regular expression'), ('x?.y', 'regular expression'),
                    ('{milk eggs}', 'milk OR eggs'), ('is:important', 'is:important'), ('importance:high', 'importance:'), ('bcc:milk', 'bcc:'), ('alter:3t', 'alter:'),
                    ('hasattachments:', 'hasattachments:'), ('hasattachments:perhaps', 'hasattachments:')):
    code, notes, _, err = ask(query)
    ok(code in (0, 1) and any(note in line for line in notes), f'a note tells that it was read as text: {query}', code, notes, err)
ok(any('milk OR eggs' in note for note in ask('subject:{milk eggs}')[1]), 'so are braces after a field', ask('subject:{milk eggs}'))
for query in (r'\\server\share', r'data\milk', 'milk->eggs', 'milk!=eggs', '"milk|eggs"', 'mil*', 'IMG_*.jpg', '???.txt', 'm?lk', '*.tar.gz', 'size:{1k TO 2k}'):
    equal(ask(query)[1], [], f'no note for what is read as elsewhere: {query}')
code, _, err = run('search', 'newer_than:')
ok(code == 2 and 'newer_than:value' in err, 'a field of another program without a value is named as it was typed', err)

os.mkdir(HOME + '/otters')
for name, text, attached in (('with', 'The otters swim.', 'A list of fish.'), ('without', 'The otters sleep.', ''), ('other', 'Nothing.', 'The otters.')):
    part = f'--b\nContent-Type: text/plain; name=list.txt\nContent-Disposition: attachment; filename=list.txt\n\n{attached}\n' if attached else ''
    with open(f'{HOME}/otters/{name}.eml', 'w') as f:
        f.write('From: a@example.org\nSubject: Zoo\nDate: Mon, 5 Feb 2024 10:00:00 +0000\nMIME-Version: 1.0\n'
                f'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n{text}\n{part}--b--\n')
run('-q', 'add', HOME + '/otters')
run('-q', 'index')
for query in ('has:attachment otters', 'otters hasattachments:yes', 'otter has:attachments'):
    equal(ask(query)[2], ['with.eml'], f'a mail that has the word and an attachment: {query}')

# ---- words that are verbs
for words in (['add', 'milk', 'and', 'eggs'], ['index', 'of', 'refraction'], ['remove', 'stains'], ['help', 'wanted'], ['web', 'of', 'lies'],
              ['config', 'milk'], ['completion', 'rate'], ['list', 'price'], ['show', 'business'], ['open', 'source'], ['info', 'desk'],
              ['similar', 'items'], ['pause', 'menu'], ['extract', 'vanilla'], ['saved', 'by', 'the', 'bell'], ['add', "it's"]):
    code, _, err = run(*words)
    search = 'tarsier search -- ' + ' '.join(words).replace("it's", "'it'\\''s'")
    ok(code != 0 and err.rstrip('\n').endswith(search), f'a verb that refuses its words names the search for them: {words}', code, err)
before = run('config', 'list')[1]
for words in (['index', 'typedd'], ['index', typo := HOME + '/typedd'], ['add', typo]):
    code, out, err = run(*words)
    ok(code == 2 and 'typedd' in err and not out, f'a directory with a typing error is an error: {words}', code, out, err)
ok('search --' not in run('index', typo)[2], 'a path is not taken for words to search for')
equal(run('config', 'list')[1], before, 'nothing was added')
os.mkdir(HOME + '/typed/gone')
with open(HOME + '/typed/gone/milk.txt', 'w') as f:
    f.write('gonemilk\n')
run('-q', 'index')
equal(ask('gonemilk')[2], ['milk.txt'], 'the file is there')
os.remove(HOME + '/typed/gone/milk.txt')
os.rmdir(HOME + '/typed/gone')
equal(run('-q', 'index', HOME + '/typed/gone')[0], 0, 'a directory that was deleted is brought up to date')
code, _, err = run('index', HOME + '/typed/gone')
equal((code, 'does not exist' in err), (2, True), 'then it is unknown')

# ---- what is meant as a construct, and wrong, stays an error
for query in ('"milk', 'authr:smith', '(milk OR eggs', 'milk OR', 'size:big', 'date:2025-13', 'type:nonsense', 'milk NEAR/x eggs', 'title:'):
    code, _, err = run('search', '--', query)
    ok(code == 2 and '^' in err, f'a wrong construct is an error with a caret: {query}', code, err)

# ---- letters
os.mkdir(HOME + '/letters')
for name, text in (('umlaut', 'Die Steuererklärung von Müller in Köln, Frühstück, Straße'),
                   ('digraph', 'Steuererklaerung Mueller Koeln Fruehstueck Strasse'),
                   ('capital', 'invoices for the Haus in Köln'), ('other', 'he does go home; neue Steuer')):
    with open(f'{HOME}/letters/{name}.txt', 'w', encoding='utf-8') as f:
        f.write(text + '\n')
run('-q', 'add', HOME + '/letters')
run('-q', 'index')
for query, first, second in (('Steuererklaerung', 'digraph', 'umlaut'), ('Steuererklärung', 'umlaut', 'digraph'),
                             ('mueller', 'digraph', 'umlaut'), ('Müller', 'umlaut', 'digraph'),
                             ('fruehstueck', 'digraph', 'umlaut'), ('Frühstück', 'umlaut', 'digraph')):
    found = [name[:-4] for name in ask(f'{query} dir:letters')[2]]
    equal(found, [first, second], f'umlauts and what stands for them meet, the same spelling first: {query}')
os.mkdir(HOME + '/marks')
for name, text in (('sharp', 'Die kleine Straße, dann zwei Straßen weiter'), ('plain', 'Die kleine Strasse, dann zwei Strassen weiter'),
                   ('umlaut', 'Herr Müller hat Brot'), ('bare', 'Herr Muller hat Brot'), ('digraph', 'Herr Mueller hat Brot'), ('accents', 'send the résumé today'),
                   ('none', 'send the resume today')):
    with open(f'{HOME}/marks/{name}.txt', 'w', encoding='utf-8') as f:
        f.write(text + '\n')
run('-q', 'add', HOME + '/marks')
run('-q', 'index')
for query, first, second in (('Straße', 'sharp', 'plain'), ('strasse', 'plain', 'sharp'), ('STRASSE', 'plain', 'sharp'),
                             ('straßen', 'sharp', 'plain'), ('kleine Straße', 'sharp', 'plain'), ('kleine Strasse', 'plain', 'sharp'),
                             ('müller', 'umlaut', 'bare'), ('MÜLLER', 'umlaut', 'bare'), ('mu\u0308ller', 'umlaut', 'bare'),
                             ('résumé', 'accents', 'none'), ('resume', 'none', 'accents'), ('Resume', 'none', 'accents'),
                             ('send résumé', 'accents', 'none'), ('send resume', 'none', 'accents')):
    found = [name[:-4] for name in ask(f'{query} dir:marks')[2]]
    equal(found[:2], [first, second], f'the same letters come first: {query}')
for query, first, others in (('muller', 'bare', {'umlaut'}), ('MULLER', 'bare', {'umlaut'}), ('Müller', 'umlaut', {'bare', 'digraph'}),
                             ('Herr Muller', 'bare', {'umlaut'}), ('Herr Müller', 'umlaut', {'bare', 'digraph'}),
                             ('mueller', 'digraph', {'umlaut', 'bare'})):
    found = [name[:-4] for name in ask(f'{query} dir:marks')[2]]
    equal((found[:1], set(found[1:])), ([first], others), f'the name that was typed comes first, the others after it: {query}')
# Long texts are read once a name has shown that the word is written with marks. A title is no reason to come first.
os.mkdir(HOME + '/longer')
for name, text in (('Gärtner an Weber', 'Sehr geehrte Frau Weber'), ('b', 'lorem ipsum dolor ' * 900 + 'Frau Gärtner lacht'),
                   ('c', 'lorem ipsum dolor ' * 900 + 'Frau Gartner lacht'), ('d', '# Gärtner gesucht\n\nGrün')):
    with open(f'{HOME}/longer/{name}.md', 'w', encoding='utf-8') as f:
        f.write(text + '\n')
run('-q', 'add', HOME + '/longer')
run('-q', 'index')
found = ask('gartner dir:longer')[2]
ok(found.index('c.md') < found.index('b.md'), 'a long text with the letters that were typed comes before one with others', found)
found = ask('Gärtner dir:longer')[2]
ok(found.index('b.md') < found.index('c.md'), 'so with the marks', found)
equal(ask('"Steuererklaerung" dir:letters')[2], ['digraph.txt'], 'a quoted word has one spelling')
equal(ask('=Steuererklaerung dir:letters')[2], ['digraph.txt'], '=word has one spelling')
equal(ask('Invoice dir:letters')[2], ['capital.txt'], 'a capital changes nothing')
equal(ask('Haus Köln dir:letters')[2], ['capital.txt'], 'capitals in several words change nothing')
equal(ask('neue dir:letters')[2], ['other.txt'], 'letters that look like an umlaut are not taken for one')
# ---- the address of a page, as a browser gives it
os.mkdir(HOME + '/addresses')
for name, text in (('short', 'see example.org/a/b for more'), ('film', 'youtube.com/watch?v=abc123XYZ'), ('site', 'the films on youtube.com/watch and tube.example/index.php'), ('www', 'at www.example.net/story, they say'),
                   ('whole', 'https://example.com/c/d?x=1'), ('part', 'example.com/c/d')):
    with open(f'{HOME}/addresses/{name}.txt', 'w') as f:
        f.write(text + '\n')
run('-q', 'add', HOME + '/addresses')
run('-q', 'index')
for typed, name, told in (('https://example.org/a/b', 'short', 'scheme'), ('http://www.example.org/a/b/', 'short', 'scheme'), ('https://example.org/a/b?x=1', 'short', 'parameters'),
                          ('more https://example.org/a/b#c', 'short', 'parameters'), ('https://www.youtube.com/watch?v=abc123XYZ', 'film', 'scheme'), ('https://example.net/story?utm_source=x&utm_medium=y', 'www', 'parameters'),
                          ('https://example.net/story', 'www', 'scheme')):
    notes, found = ask(f'{typed} dir:addresses')[1:3]
    ok(found == [name + '.txt'] and any(told in note for note in notes), f'an address is found as a text has it: {typed}', notes, found)
for typed in ('https://www.youtube.com/watch?v=other', 'https://tube.example/index.php?id=5', '"https://example.org/a/b"', 'https://example.org/a/c', 'https://youtube.com/?x=1'):
    equal(ask(f'{typed} dir:addresses')[2], [], f'another page is not found: {typed}')
equal(ask('https://example.com/c/d?x=1 dir:addresses')[1:3], ([], ['whole.txt']), 'an address that is found as it was typed is searched so alone')
equal(ask('1024*768')[1], ['"1024*768" was searched as a product; to search it as a pattern, write: [1]024*768'], 'a product is text, and a note tells of the pattern')
equal(run('search', '-f', '--json', '--', '1024*768')[1].count('product'), 0, 'in names it is a pattern')
finish()
