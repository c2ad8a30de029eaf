# SPDX-License-Identifier: GPL-3.0-or-later
"""obvious_home.py: a home of files as people have them, and queries with the one hit that everybody expects first

build(HOME) writes the files and returns the pairs: class, query, path of the first hit below HOME. Every pair has rivals: longer
documents with more occurrences of the words, copies, older versions, other files of nearly the same name. Nothing is random
from run to run."""
import email.message, email.utils, io, os, random, tarfile, time, zipfile
from html import escape

DAY_S = 24 * 60 * 60
WORDS = {
    'en': '''the of and a to in is was that for it with as on be at by this had not are but from or have an they which one you were her all she
there would their we him been has when who will more no if out so said what up its about into than them can only other new some could
time these two may then do first any my now such like our over man me even most made after also did many before must through back years
where much your way well down should because each just those people mister how too little state good very make world still own see men
work long get here between both life being under never day same another know while last might us great old year off come since against
right came take used himself few house use during without again place around however home small found thought went say part once general
high upon school every don does got united left number course war until always away something fact though water less public put think
almost hand enough far took head yet government system better set told nothing night end why called eyes find going look asked later''',
    'de': '''der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei
einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei prozent hatte kann
gegen vom können schon wenn habe seine ihre dann unter wir soll ich eines jahr zwei diese dieser wieder keine seiner worden will
zwischen immer millionen etwa sagte gibt alle seit beim ob doch sollen ihrem haus stadt leben tag weg wasser kinder arbeit zeit hand''',
    'fr': '''le de un être et à il avoir ne je son que se qui ce dans en du elle au pour pas sur faire plus dire me on mon lui nous comme
mais pouvoir avec tout y aller voir bien où sans tu ou leur homme si deux mari moi vouloir te femme venir quand grand celui notre
maison temps jour ville vie monde main chose enfant année heure''',
    'es': '''el la de que y a en un ser se no haber por con su para como estar tener le lo todo pero más hacer o poder decir este ir otro ese
si me ya ver porque dar cuando él muy sin vez mucho saber qué sobre mi alguno mismo yo también hasta año dos querer entre así primero
casa tiempo día ciudad vida mundo mano cosa niño hora''',
    'ru': '''и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой что от так о год ещё бы такой только себя
его как когда вот уже для люди один день рука время дом жизнь город вода дети работа место слово друг глаз вопрос сторона страна мир
случай голова ребёнок сила конец вид система часть''',
    'ja': '私は今日友達と一緒に学校へ行きました 天気がとても良いので公園を散歩した 新しい仕事が始まります 日本の四季は美しいです 昨日の夜は遅くまで本を読んでいた 駅前の店で野菜を買いました',
    'zh': '今天的天气非常好我们去公园散步 他在学校学习中文已经三年了 新的项目下个月开始 请把文件发给我 晚上我们一起吃饭 城市的交通越来越方便',
}
random_ = random.Random(20)


def filler(lang, words):
    pool = WORDS[lang].split()
    text = []
    while len(text) < words:
        n = random_.randint(6, 14)
        sentence = [random_.choice(pool) for _ in range(n)]
        text += [sentence[0].capitalize(), *sentence[1:-1], sentence[-1] + '.']
    return ' '.join(text[:words])


def scattered(words, lang, n, times):
    """A text of n words with each of the given words that many times, in no order and seldom side by side."""
    text = filler(lang, n).split()
    for _ in range(times):
        for word in random_.sample(words, len(words)):
            text.insert(random_.randrange(len(text)), word)
    return ' '.join(text)


def paragraphs(text):
    words = text.split(' ')
    return [' '.join(words[i:i + 60]) for i in range(0, len(words), 60)]


# ---- formats

def html(title, text, heading=None):
    head = f'<title>{escape(title)}</title>' if title is not None else ''
    h = f'<h1>{escape(heading)}</h1>' if heading else ''
    return f'<!DOCTYPE html><html><head><meta charset="utf-8">{head}</head><body>{h}' + ''.join(f'<p>{escape(p)}</p>' for p in paragraphs(text)) + '</body></html>'


def mail(subject, text, date=None, sender='Anna Weber <anna@example.org>'):
    message = email.message.EmailMessage()
    message['From'], message['To'], message['Subject'] = sender, 'Jan Novak <jan@example.net>', subject
    message['Date'] = email.utils.formatdate(date if date else 1650000000)
    message.set_content('\n\n'.join(paragraphs(text)) + '\n')
    return message.as_bytes()


def odt(title, text, heading=None):
    office = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    meta = office + 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"'
    h = f'<text:h text:outline-level="1">{escape(heading)}</text:h>' if heading else ''
    body = h + ''.join(f'<text:p>{escape(p)}</text:p>' for p in paragraphs(text))
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as z:
        z.writestr('mimetype', 'application/vnd.oasis.opendocument.text')
        z.writestr('content.xml', f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {office}><office:body><office:text>{body}</office:text></office:body></office:document-content>')
        z.writestr('meta.xml', f'<?xml version="1.0" encoding="UTF-8"?><office:document-meta {meta}><office:meta><dc:title>{escape(title or "")}</dc:title></office:meta></office:document-meta>')
    return out.getvalue()


def pdf(title, text, heading=None):
    """One page of Latin text in Helvetica; the heading is larger."""
    def quoted(s):
        return s.replace('\\', '\\\\').replace('(', '\\(').replace(')', '\\)')
    lines = [text[i:i + 90] for i in range(0, len(text), 90)]
    draw = (f'BT /F1 22 Tf 50 790 Td ({quoted(heading)}) Tj ET ' if heading else '') + 'BT /F1 8 Tf 50 760 Td 10 TL '
    draw += ' '.join(f'({quoted(line)}) Tj T*' for line in lines[:70]) + ' ET'
    objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
               '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
               '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
               f'<< /Length {len(draw)} >>\nstream\n{draw}\nendstream', f'<< /Title ({quoted(title or "")}) >>']
    out, places = b'%PDF-1.4\n', []
    for i, o in enumerate(objects, 1):
        places.append(len(out))
        out += f'{i} 0 obj\n{o}\nendobj\n'.encode('latin-1', 'replace')
    table = f'xref\n0 {len(objects) + 1}\n0000000000 65535 f \n' + ''.join(f'{p:010} 00000 n \n' for p in places)
    return out + (table + f'trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{len(out)}\n%%EOF\n').encode()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for name, data in members.items():
            z.writestr(name, data)
    return out.getvalue()


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w:gz') as t:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            data = data.encode() if isinstance(data, str) else data
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


WRITERS = {'html': html, 'odt': odt, 'pdf': pdf, 'eml': lambda title, text, heading=None: mail(title, text)}


class Home:
    def __init__(self, path):
        self.path, self.pairs, self.rivals, self.now = path, [], 0, int(time.time())

    def write(self, name, data, days_old=400):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        assert not os.path.exists(path), name
        with open(path, 'wb') as f:
            f.write(data.encode() if isinstance(data, str) else data)
        os.utime(path, (self.now - days_old * DAY_S,) * 2)

    def ask(self, group, query, wanted):
        self.pairs.append((group, query, wanted))

    def rival(self, words, lang='en', title=None, heading=None, times=9, n=420):
        """A document that has the words more often than the wanted one."""
        self.rivals += 1
        kind = ('html', 'odt', 'eml', 'txt')[self.rivals % 4]
        text = scattered(words, lang, n, times)
        if kind == 'txt':
            self.write(f'Documents/collected/{lang}/item{self.rivals:04}.txt', (f'{heading or title}\n\n' if heading or title else '') + '\n\n'.join(paragraphs(text)) + '\n')
        else:
            self.write(f'Documents/collected/{lang}/item{self.rivals:04}.{kind}', WRITERS[kind](title or filler(lang, 5), text, **({'heading': heading} if heading and kind != 'eml' else {})))


# ---- the classes

TITLES = [
    ('Project Falcon kickoff', 'en', 'html'), ('Quarterly revenue report', 'en', 'odt'), ('Bread baking basics', 'en', 'html'), ('Lease agreement', 'en', 'pdf'),
    ('Jahresabschluss Verein', 'de', 'odt'), ('Protokoll der Mitgliederversammlung', 'de', 'html'), ("Manuel d'utilisation", 'fr', 'html'),
    ('Informe anual de ventas', 'es', 'odt'), ('Договор аренды квартиры', 'ru', 'odt'), ('Праздничное меню', 'ru', 'html'), ('東京旅行計画', 'ja', 'html'),
    ('会议纪要', 'zh', 'odt'), ('Emergency contacts', 'en', 'eml'), ('Onboarding checklist', 'en', 'pdf'), ('Vaccination record', 'en', 'eml'),
    ('Bedienungsanleitung Kühlschrank', 'de', 'pdf'), ('Garden planning', 'en', 'odt'), ('Budget', 'en', 'html'), ('Inventory', 'en', 'odt'), ('Testament', 'de', 'odt'),
]


def titles(home):
    for i, (title, lang, kind) in enumerate(TITLES):
        words = title.split() if lang not in ('ja', 'zh') else [title]
        path = f'Documents/office/doc{i:03}.{kind}'
        home.write(path, WRITERS[kind](title, filler(lang, 900) + ' ' + title))
        home.ask('title', title if i % 3 else title.lower(), path)
        home.rival(words, lang)
        home.rival(words, lang, title=f'{filler(lang, 1)} {title}', times=14)
        home.rival(words, lang, title=f'{title} {filler(lang, 2)}', times=12)
        home.rival(words, lang, heading=title, times=16)


BEGINS = [
    ('Annual general meeting', ' invitation and agenda', 'en', 'html'), ('Solar panel offer', ' for the roof of the garage', 'en', 'odt'),
    ('Knitting patterns', ' from grandmother', 'en', 'html'), ('Car insurance', ' renewal 2022', 'en', 'pdf'), ('Mietvertrag Lindenstraße', ' Anlage zwei', 'de', 'odt'),
    ('Stromrechnung', ' Stadtwerke Februar', 'de', 'pdf'), ('Kündigung Fitnessstudio', ' zum Jahresende', 'de', 'eml'), ('Facture plombier', ' salle de bains', 'fr', 'odt'),
    ('Receta gazpacho', ' de la abuela', 'es', 'html'), ('Отчёт о поездке', ' в Казань', 'ru', 'html'), ('Расписание поездов', ' на выходные', 'ru', 'odt'),
    ('Wedding guest list', ' second draft', 'en', 'odt'), ('Printer setup', ' for the new office', 'en', 'eml'), ('Scholarship application', ' form and letter', 'en', 'html'),
    ('Choir rehearsal', ' dates in spring', 'en', 'eml'),
]


def beginnings(home):
    for i, (query, rest, lang, kind) in enumerate(BEGINS):
        path = f'Documents/letters/letter{i:03}.{kind}'
        home.write(path, WRITERS[kind](query + rest, filler(lang, 700) + ' ' + query))
        home.ask('title begins', query, path)
        words = query.split()
        home.rival(words, lang, times=14)
        home.rival(words, lang, title=f'{filler(lang, 2)} {query}', times=12)
        home.rival(words, lang, title=' '.join(reversed(words)) + ' ' + filler(lang, 3) if len(words) > 1 else f'{filler(lang, 3)} {query}', times=12)


NAMES = [
    ('tax return 2023', 'tax-return-2023.txt', 'en'), ('packing list', 'Packing List.md', 'en'), ('curriculum vitae', 'curriculum_vitae.odt', 'en'),
    ('phone numbers', 'phone numbers.txt', 'en'), ('band setlist', 'band-setlist.txt', 'en'), ('Einkaufsliste', 'Einkaufsliste.txt', 'de'), ('Umzug Checkliste', 'Umzug-Checkliste.md', 'de'),
    ('Wohnung Grundriss', 'wohnung_grundriss.odt', 'de'), ('lettre de motivation', 'lettre-de-motivation.odt', 'fr'), ('список покупок', 'Список покупок.txt', 'ru'),
    ('резюме', 'резюме.odt', 'ru'), ('買い物リスト', '買い物リスト.txt', 'ja'), ('读书笔记', '读书笔记.md', 'zh'), ('wifi password', 'wifi password.txt', 'en'),
    ('todo', 'TODO.txt', 'en'), ('birthdays', 'birthdays.txt', 'en'), ('loan calculation', 'loan_calculation.txt', 'en'), ('dog vet', 'dog-vet.html', 'en'),
]


def names(home):
    for i, (query, name, lang) in enumerate(NAMES):
        ending = name.rsplit('.', 1)[1]
        text = filler(lang, 160)
        path = 'Documents/private/' + name
        home.write(path, WRITERS[ending](filler(lang, 4), text) if ending in WRITERS else text + '\n')
        home.ask('name', query, path)
        words = query.split() if lang not in ('ja', 'zh') else [query]
        home.rival(words, lang, times=14)
        home.rival(words, lang, heading=f'{query} {filler(lang, 3)}', times=16)
        stem = name.rsplit('.', 1)[0]
        home.write(f'Documents/misc/{stem} {filler(lang, 3)[:24]} {i}.txt', scattered(words, lang, 120, 6))


LIVE = [
    ('greenhouse watering schedule', 'Documents/garden/plans/summer/greenhouse.txt', 'en'), ('violin maintenance humidity', 'Documents/music/instruments/strings/care.txt', 'en'),
    ('kitchen renovation estimate', 'Documents/house/projects/estimate-kitchen.txt', 'en'), ('marathon training intervals', 'Documents/sport/running/plan.txt', 'en'),
    ('Heizung Wartung Termin', 'Dokumente/haus/technik/heizung.txt', 'de'), ('Steuerberater Unterlagen Frist', 'Dokumente/steuer/fristen/liste.txt', 'de'),
    ('ремонт велосипеда цепь', 'Документы/дом/гараж/ремонт.txt', 'ru'), ('vaccines kennel passport', 'Documents/animals/rex/papers.txt', 'en'),
    ('telescope mirror collimation', 'Documents/hobby/astronomy/mirror.txt', 'en'), ('sourdough hydration starter', 'Documents/food/bread/levain.txt', 'en'),
    ('déménagement cartons camion', 'Documents/maison/demenagement.txt', 'fr'), ('parser tokens grammar', 'src/compiler/front/parse.c', 'en'),
    ('allocator arena pages', 'src/engine/memory/arena.c', 'en'), ('alpine hut reservation', 'Documents/travel/alps/huts.txt', 'en'),
]


def live(home):
    """The file in use, before copies and older versions that have the words as often or more often."""
    archive, tarball = {}, {}
    for i, (query, path, lang) in enumerate(LIVE):
        words = query.split()
        text = scattered(words, lang, 300, 4) + '\n'
        older = text.replace('.', f'. {words[0]}', 1)
        directory, name = os.path.split(path)
        stem, ending = os.path.splitext(path)
        home.write(path, text, days_old=40)
        home.ask('live', query, path)
        home.write(['Backup/', 'backup-2021/', 'old/', 'Sicherung/'][i % 4] + name, text if i % 2 else older, days_old=20)
        home.write(path + ['~', '.bak', '.orig'][i % 3], older, days_old=60)
        home.write([stem + '.old' + ending, f'{stem} (copy){ending}', directory + '/Copy of ' + name][i % 3], older.replace('.', ';', 1), days_old=30)
        home.write(f'Documents/zz/mirror/of/everything/{i}/' + path, text, days_old=10)
        (archive if i % 2 else tarball)[path] = text.replace('.', f' {words[-1]}.', 1)
    home.write('Documents/all.zip', zipped(archive), days_old=5)
    home.write('Documents/all.tar.gz', tarred(tarball), days_old=5)
    for i, (query, path) in enumerate((('saxophone reed strength', 'Documents/music/reeds.txt'), ('chimney sweep invoice', 'Documents/house/chimney.txt'), ('kayak paddle rental', 'Documents/sport/kayak.txt'))):
        text = scattered(query.split(), 'en', 200, 3) + '\n'
        home.write(path, text)
        home.write(f'b/{"archive" if i % 2 else "backup"}/{os.path.basename(path)}', text)
        home.write(f'Documents/more/deep/deeper/{os.path.basename(path)}', text)
        home.ask('live', query, path)


FOLDERS = [
    ('notes shopping', 'notes/shopping.md', 'en'), ('recipes lasagna', 'recipes/lasagna.txt', 'en'), ('RelNotes 2.30', 'src/git/RelNotes/2.30.txt', 'en'),
    ('рецепт борща', 'Рецепты/Борщ.txt', 'ru'), ('Rechnungen Telekom', 'Dokumente/Rechnungen/Telekom.txt', 'de'), ('Versicherung Auto', 'Dokumente/Versicherung/Auto.odt', 'de'),
    ('lyrics yesterday', 'Music/lyrics/yesterday.txt', 'en'), ('contracts 2021 landlord', 'Documents/contracts/2021/landlord.odt', 'en'), ('scheduler readme', 'src/scheduler/README', 'en'),
    ('thesis chapter3', 'thesis/chapter3.md', 'en'), ('recettes tarte', 'recettes/tarte.txt', 'fr'), ('Urlaub Italien Hotel', 'Urlaub/Italien/Hotel.txt', 'de'),
    ('дневник март', 'дневник/март.txt', 'ru'), ('日記 三月', '日記/三月.txt', 'ja'), ('homework biology', 'school/homework/biology.txt', 'en'), ('webshop config', 'src/webshop/config.py', 'en'),
    ('medical dentist', 'Documents/medical/dentist.html', 'en'), ('choir tenor', 'choir/tenor.txt', 'en'), ('templates fax', 'templates/fax.odt', 'en'), ('letters bank', 'letters/bank.odt', 'en'),
    ('physics lecture 7', 'university/physics/lecture-7.md', 'en'), ('meetings monday', 'meetings/monday.txt', 'en'), ('kontakty praha', 'kontakty/praha.txt', 'en'),
    ('gedichte herbst', 'gedichte/herbst.txt', 'de'),
]


def folders(home):
    for i, (query, path, lang) in enumerate(FOLDERS):
        words = query.split()
        own = os.path.splitext(os.path.basename(path))[0]
        ending = path.rsplit('.', 1)[-1]
        text = filler(lang, 150)
        home.write(path, WRITERS[ending](filler(lang, 4), text) if ending in WRITERS else text + '\n')
        home.ask('directory', query, path)
        for k in range(4):
            home.write(f'{os.path.dirname(path)}/other{i}{k}.txt', scattered(words[:1], lang, 90, k))
        home.write(f'Documents/pile/{own}{"" if own[-1].isdigit() else i}/{i}.txt', filler(lang, 60))
        home.rival(words, lang, times=4, n=600)
        home.rival(words[-1:], lang, times=12, n=200)


PATHS = [
    ('work/reports/summary q1.txt', '{home}/work/reports/summary q1.txt'), ('work/reports/summary-q2.txt', '"{home}/work/reports/summary-q2.txt"'),
    ('work/reports/summary-q3.txt', "'{home}/work/reports/summary-q3.txt'"), ('work/reports/Q4 (final).txt', 'file://{home}/work/reports/Q4%20%28final%29.txt'),
    ('work/notes.txt', '~/work/notes.txt'), ('src/tool/main.c', '{home}/src/tool/main.c:12:'), ('src/tool/util.c', '{home}/src/tool/util.c:7:15: error: expected'),
    ('src/tool/io.c', '{home}/src/tool/io.c:33'), ('work/Straße/plan.txt', '{home}/work/Straße/plan.txt'), ('work/отчёты/план.txt', 'file://{home}/work/%D0%BE%D1%82%D1%87%D1%91%D1%82%D1%8B/%D0%BF%D0%BB%D0%B0%D0%BD.txt'),
    ('work/data/a & b.txt', '{home}/work/data/a & b.txt'), ('work/data/x[1].txt', '{home}/work/data/x[1].txt'), ('work/data/50%.txt', '{home}/work/data/50%.txt'),
    ('work/data/what?.txt', '"{home}/work/data/what?.txt"'), ('work/data/no ending', '~/work/data/no ending'), ('work/data/-n.txt', '{home}/work/data/-n.txt'),
    ('src/tool/lex.py', 'src/tool/lex.py'), ('src/tool/gen.py', 'tool/gen.py:40:'), ('work/data/AND OR.txt', '{home}/work/data/AND OR.txt'), ('work/archive.d/index.txt', '{home}/work/archive.d/index.txt '),
]


def paths(home):
    for i, (path, query) in enumerate(PATHS):
        home.write(path, filler('en', 80) + '\n')
        query = query.replace('{home}', home.path)
        home.ask('path', query, path)
        full = os.path.join(home.path, path)
        home.write(f'logs/run{i}.log', '\n'.join(f'{filler("en", 6)} opening {full} and {query} {filler("en", 4)}' for _ in range(9)) + '\n')
        home.write(f'other/{i}/{path}', filler('en', 70) + '\n')


PASTED = ['Invoice_2024-03.pdf', 'IMG_notes_4711.txt', 'scan0042.pdf', 'Vertrag Müller.odt', 'requirements.txt', 'CMakeLists.txt', 'package-lock.json', 'Report (final).odt', 'meeting.2024.05.06.md',
          'Kontoauszug_05.pdf', 'смета.odt', '見積書.txt', 'index.min.js', 'my.cnf.txt', 'letter to bank.odt', 'résumé.odt']


def pasted(home):
    for i, name in enumerate(PASTED):
        stem, ending = name.rsplit('.', 1)
        lang = 'en'
        path = f'Downloads/{name}'
        home.write(path, WRITERS[ending](filler(lang, 4), filler(lang, 120)) if ending in WRITERS else filler(lang, 120) + '\n')
        home.ask('pasted name', name, path)
        home.write(f'Downloads/{stem}.{"html" if ending == "txt" else "txt"}', filler(lang, 60))
        home.write(f'mail/sent/{i}.eml', mail('files', ' '.join(f'see {name} {filler(lang, 8)}' for _ in range(12))))
        home.write(f'mail/sent/re{i}.eml', mail(f'the file {name}', ' '.join(f'see {name} {filler(lang, 8)}' for _ in range(6))))


QUOTES = [
    ('to be or not to be', 'Books/hamlet.txt', 'en', 'Whether to live or die: To be, or not to be, that is the question'), ('it was the best of times', 'Books/cities.txt', 'en', 'It was the best of times, it was the worst of times'),
    ('all the world is a stage', 'Books/asyoulike.txt', 'en', 'All the world is a stage, and all the men and women players'), ('what is done is done', 'Books/scottish.txt', 'en', 'Things without remedy: what is done, is done'),
    ('the rest is not for you', 'Books/rest.odt', 'en', 'and so the rest is not for you'), ('we have nothing to say', 'mail/nothing.eml', 'en', 'After all we have nothing to say about it'),
    ('now is the time for all good men', 'Books/typing.txt', 'en', 'Now is the time for all good men to come'), ('must not be used without water', 'Books/pump.html', 'en', 'The pump must not be used without water'),
    ('what we know about life', 'Books/life.html', 'en', 'This is what we know about life here'), ('sein oder nicht sein', 'Bücher/prinz.txt', 'de', 'Sein oder nicht sein, das ist hier die Frage'),
    ('das haus an der stadt', 'Bücher/haus.txt', 'de', 'Sie kamen an: das Haus an der Stadt war leer'), ('wir haben keine zeit mehr', 'Bücher/zeit.html', 'de', 'Er sagte, wir haben keine Zeit mehr'),
    ('il faut que tout le monde', 'Livres/monde.txt', 'fr', 'il faut que tout le monde vienne'), ('la vida es muy', 'Libros/vida.txt', 'es', 'y entonces la vida es muy corta'),
    ('быть или не быть', 'Книги/гамлет.txt', 'ru', 'Быть или не быть, вот в чём вопрос'), ('день за днём', 'Книги/день.txt', 'ru', 'так день за днём шла жизнь'),
    ('the old house near water', 'Books/house.txt', 'en', 'we found the old house near the water'), ('time off between work and school', 'Books/off.txt', 'en', 'some time off between the work and the school'),
    ('right hand man of the state', 'Books/state.txt', 'en', 'he was the right hand man of the state'), ('better late than never', 'Books/late.txt', 'en', 'better late than never'),
    ('do as you would be told', 'Books/told.txt', 'en', 'do as you would be told'),
]


def quotes(home):
    for query, path, lang, sentence in QUOTES:
        words = query.split()
        before, behind = filler(lang, 2500), filler(lang, 2500)
        ending = path.rsplit('.', 1)[1]
        text = f'{before} {sentence}. {behind}'
        home.write(path, WRITERS[ending](filler(lang, 4), text) if ending in WRITERS else '\n\n'.join(paragraphs(text)) + '\n')
        home.ask('same order', query, path)
        for k in range(4):
            home.rival(words, lang, times=10 + 4 * k, n=250, title=' '.join(random_.sample(words, len(words))) if k == 2 and len(words) > 3 else None)


RUBBISH = [
    ('Microsoft Word - final3.doc', 'Harbour cranes inspection', 'pdf'), ('Untitled', 'Beekeeping in winter', 'html'), ('Unbenannt 1', 'Glacier retreat figures', 'odt'), ('PowerPoint Presentation', 'Ferry timetable changes', 'pdf'),
    ('C:\\Users\\mk\\Desktop\\draft.docx', 'Orchestra seating chart', 'pdf'), ('/home/build/tmp/out.html', 'Lighthouse keeper memoir', 'html'), ('Document1', 'Bicycle tour Danube', 'odt'), ('1', 'Piano tuning costs', 'pdf'),
    ('untitled document', 'Mushroom season rules', 'html'), ('Microsoft Word - Dokument2', 'Ceramic glaze mixtures', 'pdf'), ('Normal.dotm', 'Allotment waiting times', 'odt'), ('LibreOffice Writer', 'Hospital parking permits', 'odt'),
]


def rubbish(home):
    for i, (title, heading, kind) in enumerate(RUBBISH):
        path = f'Documents/scans/s{i:03}.{kind}'
        home.write(path, WRITERS[kind](title, filler('en', 600), heading=heading))
        home.ask('rubbish title', heading, path)
        words = heading.lower().split()
        home.rival(words, title=f'{filler("en", 2)} {heading}', times=9)
        home.rival(words, heading=heading, times=10)
        home.rival(words, times=16)
    for query, title, path in (('microsoft word', 'Microsoft Word shortcuts', 'Documents/tips/word.html'), ('powerpoint presentation', 'PowerPoint presentation tips', 'Documents/tips/slides.html')):
        home.write(path, html(title, filler('en', 500)))
        home.ask('rubbish title', query, path)
        for k in range(4):
            home.write(f'Documents/tips/{query[:5]}{k}.pdf', pdf({'m': 'Microsoft Word - x.doc', 'p': 'PowerPoint Presentation'}[query[0]], filler('en', 150), heading=filler('en', 4)))


RECENT = ['standup minutes', 'weekly backup status', 'rowing club newsletter', 'heating oil price', 'Vereinsrundbrief Turnhalle', 'протокол собрания', 'server incident summary', 'pocket money balance', 'orchid diary', 'library loan reminder']


def recent(home):
    """Texts of equal length with the same words: the newest is expected."""
    for i, query in enumerate(RECENT):
        lang = 'ru' if query[0] > 'z' else 'de' if i == 4 else 'en'
        newest = (i * 3 + 1) % 6
        for k in range(6):
            text = (query + ' ') * 2 + ' '.join(filler(lang, 140).split()[:120])
            days = 30 if k == newest else 500 + 90 * k
            if i % 2:
                path = f'mail/lists/l{i}{k}.eml'
                home.write(path, mail(filler(lang, 4), text, home.now - days * DAY_S))
            else:
                path = f'Documents/series/{i}/part{"abcdef"[k]}.txt'
                home.write(path, text + '\n', days_old=days)
            if k == newest:
                home.ask('recency', query, path)


SIGNS = [
    ('1.2.3', 'Documents/releases/april.txt', '1-2-3'), ('2024-01-05', 'Documents/appointments/winter.txt', '2024/01/05'),
    ('192.168.7.1', 'Documents/network/router.txt', '192, 168, 7, 1'), ('retry_count', 'src/queue/limits.c', 'retry count'), ('max-width', 'src/site/layout.css', 'max width'),
    ('node->parent', 'src/tree/walk.c', 'node.parent'), ('timeout=30', 'Documents/network/settings.ini', 'timeout 30'), ('std::vector', 'src/tree/list.cpp', 'std vector'),
    ('input/output', 'Documents/manuals/ports.odt', 'input, output'), ('user@host', 'Documents/network/shell.eml', 'user, host'), ('3:1', 'Documents/sport/score.html', '3.1'),
    ('Köln-Deutz', 'Dokumente/reise/bahn.txt', 'Köln, Deutz'), ('#42/7', 'Documents/tickets/open.txt', '42.7'), ('10.1000/182', 'Documents/papers/reference.pdf', '10 1000 182'),
    ('rsync --delete-after', 'Documents/manuals/copying.md', 'delete after'), ('ISBN 978-3-16-148410-0', 'Documents/books/list.txt', '978 3 16 148410 0'),
]


def signs(home):
    """The rivals have the words side by side more often, with other signs between them."""
    for query, path, other in SIGNS:
        words, ending = query.replace('--', ''), path.rsplit('.', 1)[1]
        rest = query.split()[:-1]
        text = f'{filler("en", 200)} {words} {filler("en", 200)}'
        home.write(path, WRITERS[ending](filler('en', 4), text) if ending in WRITERS else '\n\n'.join(paragraphs(text)) + '\n')
        home.ask('same signs', query, path)
        for k in range(5):
            home.rivals += 1
            many = ' '.join(f'{filler("en", 120)} {" ".join(rest + [other])}.' for _ in range(2))
            home.write(f'Documents/collected/signs/item{home.rivals:04}.{"txt" if k < 3 else "html"}', html(filler('en', 4), many) if k > 2 else many + '\n')


def background(home):
    for i in range(300):
        lang = ('en', 'en', 'en', 'de', 'fr', 'ru', 'es')[i % 7]
        home.write(f'Documents/reading/{lang}/r{i:03}.txt', '\n\n'.join(paragraphs(filler(lang, 300))) + '\n', days_old=i * 5)
    for i in range(60):
        home.write(f'src/lib/module{i}/code.c', f'/* {filler("en", 12)} */\nint module{i}(int a)\n{{\n\treturn a + {i};\n}}\n')


def build(path):
    """Writes the files below an empty directory, and returns the pairs."""
    home = Home(path)
    random_.seed(20)
    for part in (background, titles, beginnings, names, live, folders, paths, pasted, quotes, rubbish, recent, signs):
        part(home)
    return home.pairs
