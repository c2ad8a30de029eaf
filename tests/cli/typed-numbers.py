# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people write them: conditions with spaces around their operator, and parts, telephones and accounts that a
text divides otherwise than the query."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *


def run(*arguments):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors='replace')


def ask(query, *options):
    """Returns the notes and the names of the files that were found."""
    code, out, err = run('search', '--json', *options, '--', query)
    objects = [json.loads(line) for line in out.splitlines()]
    return objects[0].get('notes', []) if objects else [], [os.path.basename(o['path']) for o in objects if o['type'] == 'hit'], objects


def normal_form(query):
    lines = run('search', '--explain', '--', query)[2].splitlines()
    return lines[lines.index('Normal form:') + 1] if 'Normal form:' in lines else ''


docs = HOME + '/numbers'
os.mkdir(docs)
texts = {'phone': 'Weber +49 170 1234567', 'trunk': 'Meier 0221 9876543', 'zeros': 'Werkstatt 0049 30 5556677', 'joined': 'Notruf +4989123456', 'both': 'Praxis (0)40 / 777 88 99',
         'french': 'Paris 01 42 68 53 00', 'part': 'Heckklappe 4F0 615 301 D bestellt', 'whole': 'Bremse 8E0615301AD', 'groups': 'IBAN DE89 3704 0044 0532 0130 00',
         'iban': 'IBAN DE02120300000000202051', 'train': 'ICE 27 nach Wien', 'year': 'Rechnung 2023 vom 4. Mai', 'million': 'Einwohner: 1 234 567',
         'count': 'milk 20 24 eggs', 'dollars': 'Total 1,234.50 dollars', 'betrag': 'Betrag 7.654,30 Euro', 'prix': 'Prix 12 500 euros', 'point': 'Termin 14.03.2025', 'iso-2023-08-29': 'vom 2023-08-29', 'named': 'signed March 9, 2019', 'namen': 'Berlin, den 7. Juni 2018', 'slashes': 'due 3/17/2021', 'book': 'Lesen! 978-3-16-148410-0', 'old-book': 'gelesen: 0-306-40615-2', 'ean': 'Buch 9791234567896', 'letters': 'Konto GB29 NWBK 6016 1331 9268 19',
         'malta': 'to MT84MALT011000012345MTLCAST001S', 'card': 'Karte 4111 1111 1111 1111',
         'berlin': 'Amt +49 30 9018 2000', 'pairs': 'Zahnarzt 030 45 67 89 10', 'vienna': 'Rathaus +43 1 400 81 33', 'trunk-apart': 'Hotel +49 (0)89 2125 0', 'york': 'call 212-555-0187 now', 'jersey': 'fax +12015550123',
         'time': 'Abfahrt 09:40 Gleis', 'heure': 'rendez-vous 8h15', 'seconds': 'Start 7:05:31', 'marked': 'released v2.14.3 today', 'unmarked': 'kernel 5.17.4 here', 'price': 'Preis 1.865,30 €', 'disk': 'Platte 1,5 GB frei', 'decimals': 'Pfand 17,50',
         'auszug': 'Auszug 2016-02', 'abschlag': 'Abschlag November 2017', 'resumen': 'factura de marzo de 2015', 'coffee': '19 g in, 36 g out', 'bulb': 'Lampe 60W', 'bank': 'power bank 26800 mAh'}
for name, text in texts.items():
    with open(f'{docs}/{name}.txt', 'w') as f:
        f.write(text + '\n')
run('-q', 'add', docs)
run('-q', 'index')

for query, name in (('0170 1234567', 'phone'), ('01701234567', 'phone'), ('0170/1234567', 'phone'), ('(0170) 123 45 67', 'phone'), ('+491701234567', 'phone'), ('00491701234567', 'phone'),
                    ('Weber 0170 1234567', 'phone'), ('+49 221 9876543', 'trunk'), ('+49 (0)221 9876543', 'trunk'), ('+49 221 98 76 543', 'trunk'), ('030 5556677', 'zeros'),
                    ('+49 30 5556677', 'zeros'), ('089 123456', 'joined'), ('+49 89 123456', 'joined'), ('0049 89 12 34 56', 'joined'), ('040 7778899', 'both'), ('+33 1 42685300', 'french'),
                    ('0142685300', 'french'), ('4F0615301D', 'part'), ('4f0615301d bestellt', 'part'), ('8E0 615 301 AD', 'whole'), ('8E0-615-301-AD', 'whole'),
                    ('DE89370400440532013000', 'groups'), ('IBAN DE89370400440532013000', 'groups'), ('DE02 1203 0000 0000 2020 51', 'iban'), ('ice27', 'train'), ('ICE27 Wien', 'train'),
                    ('1234567 Einwohner', 'million'), ('1234.50', 'dollars'), ('Total 1234,50', 'dollars'), ('Total 1234', 'dollars'), ('7654,30 Euro', 'betrag'),
                    ('7654', 'betrag'), ('12500', 'prix'), ('12500 euros', 'prix'), ('14.3.2025', 'point'),
                    ('2025-03-14', 'point'), ('3/14/2025', 'point'), ('Termin 2025-3-14', 'point'), ('29.8.2023', 'iso-2023-08-29'), ('9.3.2019', 'named'), ('2018-06-07', 'namen'),
                    ('17.03.2021', 'slashes'), ('2021-03-17', 'slashes'), ('14. März 2025', 'point'), ('March 14, 2025', 'point'),
                    ('Termin 14th of March 2025', 'point'), ('14 de marzo del 2025', 'point'), ('20250314', 'point'), ('9. März 2019', 'named'), ('9 mars 2019', 'named'), ('20190309', 'named'),
                    ('29. Aug. 2023', 'iso-2023-08-29'), ('June 7th, 2018', 'namen'), ('07-Jun-2018', 'namen'), ('7 giugno 2018', 'namen'), ('17 maart 2021', 'slashes'), ('9783161484100', 'book'), ('978-3161484100', 'book'),
                    ('ISBN 9783161484100', 'book'), ('ISBN:9783161484100', 'book'), ('Lesen 3-16-148410-X', 'book'), ('316148410x', 'book'), ('978-0-306-40615-7', 'old-book'),
                    ('ISBN 0306406152', 'old-book'), ('979-12-345-6789-6', 'ean'), ('GB29NWBK60161331926819', 'letters'), ('GB29-NWBK-60161331926819', 'letters'),
                    ('MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'malta'), ('4111111111111111', 'card'),
                    ('030/90182000', 'berlin'), ('0309018 2000', 'berlin'), ('03090182000', 'berlin'), ('+493090182000', 'berlin'), ('Amt 030 90 18 20 00', 'berlin'), ('+49 30 45678910', 'pairs'), ('030 4567 8910', 'pairs'), ('+493045678910', 'pairs'), ('03045678910', 'pairs'),
                    ('0043 1 4008133', 'vienna'), ('+4314008133', 'vienna'), ('01/400 8133', 'vienna'), ('089 21250', 'trunk-apart'), ('+1 212 555 0187', 'york'), ('+12125550187', 'york'), ('1-212-555-0187', 'york'),
                    ('201-555-0123', 'jersey'), ('(201) 555-0123', 'jersey'),
                    ('9:40', 'time'), ('9.40', 'time'), ('Abfahrt 9h40', 'time'), ('8:15', 'heure'), ('08.15', 'heure'), ('07:05:31', 'seconds'), ('2.14.3', 'marked'), ('v5.17.4', 'unmarked'), ('kernel v5.17.4', 'unmarked'),
                    ('EUR 1865.30', 'price'), ('1,865.30 Euro', 'price'), ('1.5GB', 'disk'), ('17,5', 'decimals'),
                    ('auszug 02/2016', 'auszug'), ('auszug Feb 2016', 'auszug'), ('Februar 2016', 'auszug'), ('février 2016 auszug', 'auszug'), ('2017-11', 'abschlag'), ('abschlag 11.2017', 'abschlag'),
                    ('abschlag nov 2017', 'abschlag'), ('2017 novembre', 'abschlag'), ('3/2015', 'resumen'), ('marzo del 2015', 'resumen'), ('19g in', 'coffee'), ('60 W Lampe', 'bulb'), ('26,800 mAh power bank', 'bank')):
    notes, found, objects = ask(query)
    ok(found == [name + '.txt'] and any('other spellings' in note for note in notes), f'a number is found as the text divides it: {query}', notes, found)
    ok(found and objects[1]['snippets'] and objects[1]['snippets'][0]['marks'], f'its snippet marks it: {query}', objects[1:2])
for query, name in (('+49 170 1234567', 'phone'), ('0221 9876543', 'trunk'), ('4F0 615 301 D', 'part'), ('4F0-615-301-D', 'part'), ('ICE 27', 'train')):
    notes, found, _ = ask(query)
    ok(found == [name + '.txt'] and not notes, f'as it was typed it needs no note: {query}', notes, found)
for query in ('"0170 1234567"', '=4F0615301D', '4F0615301D -bestellt', 'Rechnung 20 23 Juni', '0170 7654321', '4F0615301D ext:pdf', 'title:4F0615301D',
              '9' * 41, 'Rechnung 2024', 'milk 2024', '2024 milk eggs', '3/9/2019', '3.9.2019', '31.2.2025', '14.3.2025.1', '29.8.23',
              '31 February 2025', '14 March 25', '15 March 2025', 'marzo 14 2025', '"14 March 2025"', '14 March 2025 ext:pdf', '9 May 2019', '20190903',
              '9783161484107', '0-306-40615-3', '"9783161484100"', 'GB29NWBK60161331926818', '+43 30 9018 2000', '030 9018 2001', '0309 018 200', '212-555-0188', '"9:40"', '9:41', '25:40', '08:15:00', 'v5.17.5', 'EUR 1865.31', '=EUR 1865.30', '1.6GB', '17,05', '4111111111111112 Buch',
              '"November 2017" abschlag ext:pdf', '13/2017', 'abschlag 10/2017', 'abschlag 11/17', '2017/011', '26,80 mAh'):
    equal(ask(query)[:2], ([], []), f'quotes, fields and other digits find nothing else: {query}')
for query in ('+', '+1', '00', '+0', '0 0 0 0 0 0 0 0 0 0', '+49', '9 ' * 40, '0170' * 100):
    ok(not any('other spellings' in note for note in ask(query)[0]), f'too short, too long or there: {query[:20]}', ask(query)[:2])

# ---- also spelled otherwise
calls = HOME + '/calls'
os.mkdir(calls)
for name, text in {'typed': 'Werkstatt Tel 0171 7654321 und mehr Text, damit sie weiter hinten steht, als sie es in einem kurzen Text', 'plus': 'Tel +49 171 7654321', 'joined': 'Fax 00491717654321',
                   'apart': '0171 steht hier, und 7654321 dort', 'other': 'Tel +49 172 7654321', 'day': 'am 01/02/2024', 'day2': 'am 1/02/2024', 'german': 'Treffen am 5.6.2022', 'english': 'meeting on June 5, 2022', 'spanish': 'cita del 5 de junio de 2022', 'scattered': 'June has 5 Sundays in 2022 too',
                   'parts': 'ISBN 978-0-262-03384-8', 'one': 'Cormen 9780262033848', 'ten': '0-262-03384-4 in the catalogue', 'groups': 'Bank NL91 ABNA 0417 1643 00', 'iban': 'IBAN NL91ABNA0417164300',
                   'room': 'Raum 12 Telefon 040 1122 3344', 'abroad': 'Raum 12, Telefon +49 40 11 22 33 44'}.items():
    with open(f'{calls}/{name}.txt', 'w') as f:
        f.write(text + '\n')
run('-q', 'add', calls)
run('-q', 'index')
for query, first, rest in (('0171 7654321', {'typed', 'apart'}, {'plus', 'joined'}), ('0171/7654321', {'typed'}, {'plus', 'joined'}), ('+49 171 7654321', {'plus'}, {'typed', 'joined'}),
                           ('Tel 0171 7654321', {'typed'}, {'plus'}), ('Werkstatt 0171 7654321', {'typed'}, set()), ('0171 7654321 -Fax', {'typed', 'apart'}, {'plus'}),
                           ('5.6.2022', {'german'}, {'english', 'spanish'}), ('June 5, 2022', {'english', 'scattered'}, {'german', 'spanish'}), ('5 de junio de 2022', {'spanish'}, {'german', 'english'}),
                           ('meeting 5 June 2022', {'english'}, set()), ('978-0-262-03384-8', {'parts'}, {'one', 'ten'}), ('ISBN 978-0-262-03384-8', {'parts'}, {'one', 'ten'}), ('0-262-03384-4', {'ten'}, {'one', 'parts'}),
                           ('NL91ABNA0417164300', {'iban'}, {'groups'}), ('IBAN NL91ABNA0417164300', {'iban'}, {'groups'}),
                           ('040 1122 3344', {'room'}, {'abroad'}), ('Raum 12 Telefon 040 1122 3344', {'room'}, {'abroad'}), ('+49 40 11 22 33 44', {'abroad'}, {'room'})):
    notes, found, _ = ask(query)
    names = [name[:-4] for name in found]
    equal((set(names[:len(first)]), set(names[len(first):])), (first, rest), f'a number of a certain kind finds its spelling first, then others: {query}')
    ok(bool(rest) == any('also searched in other spellings' in note for note in notes), f'a note tells of the others: {query}', notes)
    equal(run('search', '-c', '--', query)[1], f'{len(first | rest)}\n', f'all are counted: {query}')
    pages = [name for offset in range(4) for name in ask(query, '-n', '1', '-o', str(offset))[1]]
    equal(pages, found[:4], f'pages have the same order: {query}')
    equal(sorted(ask(query, '-s', 'name')[1]), sorted(found), f'another order has all of them: {query}')
equal(ask('01/02/2024')[1], ['day.txt'], 'a day is not a telephone number')
for query in ('"0171 7654321"', '0171 7654321 ext:pdf', '=0171 7654321'):
    ok(not any('other spellings' in note for note in ask(query)[0]), f'neither are quoted words: {query}', ask(query)[:2])
equal(run('search', '-c', '4F0615301D')[:2], (0, '1\n'), 'it is counted')
equal(run('search', '-q', '4F0615301D')[0], 0, 'it is found silently')
ok('other spellings' in run('search', '4F0615301D')[2], 'the note stands on stderr')

# ---- conditions
for typed, ours in (('milk size > 1k', 'milk size>1k'), ('size >1k', 'size>1k'), ('size> 1k milk', 'size>1k milk'), ('size: > 1k', 'size>1k'), ('size <= 10 MB', 'size<=10M'),
                    ('date >= 2024-03', 'date>=2024-03'), ('date = 2024', 'date:2024'), ('Größe < 1,5M', 'size<1.5M'), ('Seiten > 3', 'pages>3'), ('pages\u00a0>\u00a03', 'pages>3'),
                    ('-size > 1k milk', '-size>1k milk')):
    equal(normal_form(typed), normal_form(ours), f'spaces around an operator change nothing: {typed}')
    ok(any('condition' in note for note in ask(typed)[0]), f'a note tells so: {typed}', ask(typed)[0])
for query in ('size > expected', 'the size > all', 'if (size > 10) {', 'milk > 3', 'title > 3', 'size >', 'before > 2024', 'size : 3'):
    ok(not any('condition' in note for note in ask(query)[0]), f'text that has no condition is text: {query}', ask(query)[0])
finish()
