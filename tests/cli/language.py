# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rule of the query language (QUERY LANGUAGE in tarsier(1)): the documents that a query finds, or the
place where the caret marks a fault."""
import os, shutil, subprocess, time, zipfile

home = os.environ["HOME"]
base = home + "/docs"
fixtures = os.environ["abs_top_srcdir"] + "/tests/extractors/data/"
tests = 0


def ok(name, good, why=""):
    global tests
    tests += 1
    print("%s %d - %s" % ("ok" if good else "not ok", tests, name))
    if not good:
        print("# " + repr(why)[:1000])


def run(*args):
    done = subprocess.run(["tarsier", *args], cwd=base, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace")


def put(path, text, when=None):
    path = os.path.join(base, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    if when:
        os.utime(path, (when, when))


def put_zip(path, members):
    with zipfile.ZipFile(os.path.join(base, path), "w") as z:
        for name, text in members.items():
            z.writestr(name, text)


def odt(path, text):
    put_zip(path, {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml":
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>%s</text:p>'
        '</office:text></office:body></office:document-content>' % text})


def found(*args):
    """Returns the sorted names below the directory of all hits, or a text that says what went
    wrong."""
    code, out, err = run("search", "-0", "--dups", "show", *args)
    if code not in (0, 1):
        return "exit %d: %s" % (code, err)
    return " ".join(sorted(os.path.relpath(p, base) for p in out.split("\0") if p))


def finds(query, wanted, *options):
    got = found(*options, "--", query)
    ok("%s finds %s" % (" ".join([*options, query]), wanted or "nothing"), got == " ".join(sorted(wanted.split())), (got, wanted))


def refuses(query, fault, hint=""):
    """fault: the part of the query that the carets mark."""
    code, out, err = run("search", "--", query)
    lines = err.split("\n")
    at = lines.index("  " + query) if "  " + query in lines else None
    carets = lines[at + 1] if at is not None else ""
    shown = query[carets.index("^") - 2:].encode() if "^" in carets else b""
    good = (code == 2 and out == "" and at is not None and set(carets.strip()) == {"^"} and
        (query[carets.index("^") - 2:][:carets.count("^")] == fault or (fault == "" and carets.count("^") == 1)) and hint in err)
    ok("%s is refused, with a caret below %s" % (query, fault or "its end"), good, (code, err, shown))


# ---------------------------------------------------------------- the collection
def make_words():
    for name, text in {"fruit1": "kiwi lemon", "fruit2": "kiwi mango", "fruit3": "lemon mango", "fruit4": "kiwi", "fruit5": "mango"}.items():
        put("fruit/%s.txt" % name, text + "\n")
    odt("minutes-2023.odt", "The annual report of the club.")
    put("boats-harbor.html", "<html><head><title>Regatta</title><meta name=author content='Herman Melville'></head>"
        "<body><h1>Compass</h1><p>About whales.</p></body></html>")
    put("fold.txt", "A naïve garçon in the Straße; ﬁne ΣΊΣΥΦΟΣ ÅNGSTRÖM.\n")
    put("stem1.txt", "She fished for trout.\n")
    put("stem2.txt", "He was fishing for salmon.\n")
    put("near1.txt", "umbra one two three penumbra\n")
    put("near2.txt", "penumbra umbra\n")
    put("near3.txt", "umbra %s penumbra\n" % " ".join("w%d" % i for i in range(10)))
    put("near4.txt", "umbra %s penumbra\n" % " ".join("w%d" % i for i in range(11)))
    put("tokens.txt", "see foo_bar.c and CVE-2023-43641, doi 10.1000/182, ann.lee+x@mail.example.org, "
        "https://example.org/~ann/a?b=[1], std::vector at 12:30, C++ and XMLFileReader\n")
    put("reader.c", "int readXMLFile(void);\n")
    put("XmlReader.c", "int x;\n")
    put("parts.txt", "foo bar c and 2023 43641 apart from cve\n")
    put("wild1.txt", "prefabricated word\n")
    put("wild2.txt", "prefix ward\n")
    put("wild3.txt", "sword wyrd\n")
    put("wild4.txt", "cellos\n")
    put("many.txt", " ".join("zq%d" % i for i in range(1000, 1600)) + "\n")
    put("cjk.txt", "東京都に住む。中文分詞很難。한국어문서 ภาษาไทยเขียนติดกัน\n")
    put("mixed.txt", "東京2020大会とiPhone用ケース、두 나라 말\n")
    put("cjk2.txt", "京都に住む。\n")
    put("letters/persian.txt", "کتابی علی می‌خواهم خانۀ\n")
    put("letters/arabic.txt", "كتابي علي مي‌خواهم خانهٔ\n")
    put("letters/egypt.txt", "على مستشفى\n")
    put("letters/urdu.txt", "ہمارے یہاں\n")
    put("letters/ukrainian1.txt", "міцного здоровʼя\n")
    put("letters/ukrainian2.txt", "міцного здоров’я\n")
    put("letters/uzbek1.txt", "Oʻzbekiston\n")
    put("letters/uzbek2.txt", "O'zbekiston\n")
    put("letters/hindi1.txt", "हिन्दी फ़िल्म माँ पन्ना\n")
    put("letters/hindi2.txt", "हिंदी फिल्म मां\n")


def make_fields():
    put("mail/plain.eml", "From: John Lennon <john@beat.example>\nTo: Ringo Starr <ringo@beat.example>\nCc: Paul <paul@wings.example>\n"
        "Subject: Quarterly figures\nKeywords: finance, budget\nDate: Fri, 27 Feb 2026 09:00:00 +0000\n"
        "Message-ID: <2026.abc-17@beat.example>\n\nPlease see all the numbers of the last quarter in this sheet.\n", 1767225600)
    put("mail/with.eml", "From: Yoko <yoko@ono.example>\nTo: John <john@beat.example>\nSubject: Enclosed\n"
        "Date: Sun, 01 Mar 2026 00:30:00 +0100\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\nEnclosed is it.\n--b\nContent-Type: text/plain; name=list.txt\n"
        "Content-Disposition: attachment; filename=list.txt\n\nattached pelican\n--b--\n", 1767225600)
    put("page.html", "<html lang=de><head><title>Bericht</title><meta name=keywords content='Zoo, Tiere'>"
        "<meta name=description content='Bemerkung am Rand'></head><body><h2>Elefanten</h2>"
        "<p>Die Elefanten und die Giraffen sind in dem Zoo.</p><a href=target.html>rotes Ziel</a></body></html>")
    put("target.html", "<html lang=en><title>Aim</title><body><p>The aim of it all.</p></body></html>")
    put("list.both.html", "<title>x</title><meta name=author content='John Ringo'><p>y</p>")


def make_facts():
    for name in ("ooxml-sheet.xlsx", "ooxml-slides.pptx", "audio-id3.mp3", "image-facts.jpg", "video-ferry.mkv"):
        shutil.copy(fixtures + name, base + "/kinds")
    put("kinds/a.py", "import sys\n")
    put("kinds/b.pdf.txt", "not a pdf\n")
    put("kinds/c.xyz", bytes((i * 167 + i * i * 31 + 129) % 256 for i in range(2000)))
    put("kinds/.hidden.txt", "x\n")
    put("deep/a/b/one.txt", "strata\n")
    put("deep/a/two.txt", "strata\n")
    put("deep/ab/three.txt", "strata quartz\n")
    put("deep/x/a/b/four.txt", "strata four\n")
    put_zip("kinds/box.zip", {"in/inner.txt": "pelican inside", "in/deep.md": "# heron\n"})
    put("kinds/broken.pdf", b"%PDF-1.4\nbroken\n")
    put("modes/p644.txt", "perms six\n")
    put("modes/p600.txt", "perms seven\n")
    put("modes/p755.txt", "perms eight\n")
    for mode in ("644", "600", "755"):
        os.chmod("%s/modes/p%s.txt" % (base, mode), int(mode, 8))


def make_spans():
    for name, size in {"s0": 0, "s999": 999, "s1000": 1000, "s1024": 1024, "s1500": 1500, "s1m": 1000000, "s1mi": 1048576}.items():
        put("size/%s.txt" % name, ("q%s " % name + "x" * size)[:size])
    for name, when in {"d2024": "2024-02-29 12:00:00", "d2025": "2025-12-31 23:59:59", "d2026": "2026-01-01 00:00:00",
            "d2026m": "2026-03-15 06:00:00"}.items():
        put("when/%s.txt" % name, "dated %s\n" % name, int(time.mktime(time.strptime(when, "%Y-%m-%d %H:%M:%S"))))
    now = time.time()
    for name, age in {"min30": 1800, "h5": 5 * 3600, "d3": 3 * 86400, "d20": 20 * 86400, "d100": 100 * 86400, "y2": 800 * 86400}.items():
        put("past/%s.txt" % name, "aged %s\n" % name, now - age)


os.makedirs(base + "/kinds")
for make in (make_words, make_fields, make_facts, make_spans):
    make()
subprocess.check_call(["tarsier", "-q", "add", base])
code, out, err = run("index")
ok('index of the collection exits with 0', code == 0, err)

# ---------------------------------------------------------------- 1 words, AND, OR, NOT, parentheses
finds("kiwi lemon", "fruit/fruit1.txt")
finds("kiwi AND lemon", "fruit/fruit1.txt")
finds("kiwi lemon OR mango", "fruit/fruit1.txt fruit/fruit2.txt")
finds("kiwi OR lemon mango", "fruit/fruit2.txt fruit/fruit3.txt")
finds("kiwi OR lemon AND mango", "fruit/fruit2.txt fruit/fruit3.txt")
finds("kiwi || mango -lemon", "fruit/fruit2.txt fruit/fruit4.txt fruit/fruit5.txt")
finds("kiwi||mango lemon", "fruit/fruit1.txt fruit/fruit3.txt")
finds("(kiwi lemon) OR (lemon mango)", "fruit/fruit1.txt fruit/fruit3.txt")
finds("kiwi or mango", "")
finds("kiwi and lemon", "")
for sign in ("-", "!", "NOT "):
    finds("kiwi %slemon" % sign, "fruit/fruit2.txt fruit/fruit4.txt")
    finds("kiwi %s(lemon OR mango)" % sign, "fruit/fruit4.txt")
    finds("kiwi %s(lemon mango)" % sign, "fruit/fruit1.txt fruit/fruit2.txt fruit/fruit4.txt")
finds("-lemon kiwi", "fruit/fruit2.txt fruit/fruit4.txt")
finds("-(kiwi OR lemon) mango", "fruit/fruit5.txt")
finds("kiwi -(-lemon)", "fruit/fruit1.txt")
finds("kiwi --lemon", "fruit/fruit1.txt")
finds("kiwi NOT NOT lemon", "fruit/fruit1.txt")
finds("name:fruit* -kiwi -lemon -is:dir", "fruit/fruit5.txt")
finds("name:fruit* is:file (kiwi OR -mango)", "fruit/fruit1.txt fruit/fruit2.txt fruit/fruit4.txt")
finds("((((kiwi)) ((lemon))))", "fruit/fruit1.txt")
finds("kiwi (lemon OR (mango -(papaya OR (lemon -peach))))", "fruit/fruit1.txt fruit/fruit2.txt")
finds("dir:fruit -(kiwi -(lemon))", "fruit/fruit1.txt fruit/fruit3.txt fruit/fruit5.txt")
for query, fault in {"kiwi OR": "", "OR kiwi": "OR", "kiwi AND AND lemon": "AND", "kiwi AND OR lemon": "OR", "NOT": "",
        "(kiwi": "(", "kiwi)": ")", "(kiwi OR lemon": "(", "kiwi OR lemon)": ")", "()": "()", "kiwi (lemon OR )": ")", "kiwi \"lemon": "\"lemon",
        "AND": "AND", "kiwi OR ( ( lemon )": "("}.items():
    refuses(query, fault)

# ---------------------------------------------------------------- 2 words that match anywhere
finds("report 2023", "minutes-2023.odt")
finds("2023 report annual minutes", "minutes-2023.odt")
finds("regatta compass herman whales harbor", "boats-harbor.html")
finds("regatta OR annual", "boats-harbor.html minutes-2023.odt")
finds("whales boats -harbor", "")
finds("minutes report -\"annual report\"", "")

# ---------------------------------------------------------------- 3 case, accents, stems
for word in ("naive", "naïve", "NAÏVE", "Naïve", "\"naive\"", "garcon", "strasse", "straße", "STRASSE", "fine", "σίσυφος", "σισυφοσ", "angstrom"):
    finds("%s name:fold" % word, "fold.txt")
finds("fishing", "stem1.txt stem2.txt")
finds("fishes", "stem1.txt stem2.txt")
finds("Fishing", "stem1.txt stem2.txt")
finds("=Fishing", "stem2.txt")
finds("\"fishing\"", "stem2.txt")
finds("\"fish\"", "")
finds("fishing", "stem2.txt", "-w")
finds("fish", "", "--exact")
finds("body:fishing", "stem1.txt stem2.txt")
finds("body:=fishing", "stem2.txt")
finds("fishing -\"fished\"", "stem2.txt")

# ---------------------------------------------------------------- 3a letters that a script interchanges
for word in ("کتابی", "كتابي", "كتابی", "می‌خواهم", "مي‌خواهم", "خانه", "خانۀ"):
    finds(word, "letters/persian.txt letters/arabic.txt")
for word in ("علی", "علي", "على"):
    finds(word, "letters/persian.txt letters/arabic.txt letters/egypt.txt")
finds("\"علي\"", "letters/arabic.txt")
finds("=علی", "letters/persian.txt")
finds("علي", "letters/arabic.txt", "--exact")
finds("مستشفي", "letters/egypt.txt")
finds("همارے يهاں", "letters/urdu.txt")
for word in ("здоров'я", "здоров’я", "здоровʼя", "ЗДОРОВ'Я"):
    finds(word, "letters/ukrainian1.txt letters/ukrainian2.txt")
for word in ("o'zbekiston", "o‘zbekiston", "oʻzbekiston"):
    finds(word, "letters/uzbek1.txt letters/uzbek2.txt")
finds("body:oʻzbekiston", "letters/uzbek1.txt letters/uzbek2.txt")
finds("міцного -здоров'я", "")
finds("\"здоровʼя\"", "letters/ukrainian1.txt")
finds("=здоровʼя", "letters/ukrainian1.txt")
finds("oʻzbek*", "letters/uzbek1.txt")
for word in ("हिन्दी", "हिंदी", "फ़िल्म", "फिल्म", "माँ", "मां"):
    finds(word, "letters/hindi1.txt letters/hindi2.txt")
finds("\"हिंदी\"", "letters/hindi2.txt")
finds("पंना", "")
first = run("search", "--", "मां")[1].split("\n")[0], run("search", "--", "माँ")[1].split("\n")[0]
ok('the word as it was typed comes first', first == (base + "/letters/hindi2.txt", base + "/letters/hindi1.txt"), first)

# ---------------------------------------------------------------- 4 phrases, nearness, parts
finds("\"umbra one\"", "near1.txt")
finds("\"one umbra\"", "")
finds("\"umbra penumbra\"p", "near1.txt near2.txt near3.txt")
finds("\"penumbra umbra\"p", "near1.txt near2.txt near3.txt")
finds("\"umbra penumbra\"p2", "near2.txt")
finds("\"umbra penumbra\"o", "near1.txt near3.txt")
finds("\"umbra penumbra\"o5", "near1.txt")
finds("\"umbra penumbra\"o3", "near1.txt")
finds("\"umbra penumbra\"o2", "")
finds("umbra NEAR penumbra", "near1.txt near2.txt near3.txt")
finds("umbra NEAR/5 penumbra", "near1.txt near2.txt")
finds("umbra ADJ/5 penumbra", "near1.txt")
finds("penumbra ADJ/5 umbra", "near2.txt")
finds("umbra ADJ/11 penumbra", "near1.txt near3.txt near4.txt")
finds("\"umbra one\" NEAR/1 penumbra", "")
finds("\"umbra one\" NEAR/2 penumbra", "near1.txt")
finds("umbra NEAR/3 penumb*", "near1.txt near2.txt")
finds("body:(umbra ADJ/3 penumbra) -name:near2", "near1.txt")
finds("\"umbra pen*\"", "")
finds("\"penumbra umb*\"", "near2.txt")
finds("\"umbra penumbra\"x", "")
finds("\"umbra one\"l", "near1.txt")
finds("umbra NEAR/3 (nothing OR penumbra)", "near1.txt near2.txt")
finds("(one OR two) ADJ/1 (three OR penumbra)", "near1.txt")
finds("\"penumbra one umbra\"p3x", "near1.txt")
finds("\"umbra three\"o2l", "near1.txt")
finds("\"umbra three\"o1l", "")
finds("umbra -(umbra NEAR/3 penumbra)", "near3.txt near4.txt")
for query in ("foo_bar.c", "foo_bar", "bar.c", "foo-bar", "foo.bar.c"):
    finds(query, "tokens.txt parts.txt")
finds("CVE-2023-43641", "tokens.txt")
finds("cve-2023", "tokens.txt")
finds("2023-43641", "tokens.txt parts.txt")
finds("43641", "tokens.txt parts.txt")
finds("10.1000/182", "tokens.txt")
finds("1000/182", "tokens.txt")
finds("ann.lee+x@mail.example.org", "tokens.txt")
finds("mail.example.org", "tokens.txt")
finds("https://example.org/~ann/a?b=[1]", "tokens.txt")
finds("example.org/~ann", "tokens.txt")
finds("std::vector", "tokens.txt")
finds("12:30", "tokens.txt")
finds("XMLFileReader", "tokens.txt")
finds("xml name:reader", "XmlReader.c reader.c")
finds("filereader", "")
finds("xmlfilereader", "tokens.txt")
refuses("umbra NEAR", "")
refuses("NEAR umbra", "NEAR")
refuses("umbra NEAR size>1", "NEAR")
refuses("\"umbra one\"z", "z")

# ---------------------------------------------------------------- 5 patterns, fuzzy words
finds("prefa*", "wild1.txt")
finds("*fabric*", "wild1.txt")
finds("*abricated", "wild1.txt")
finds("w?rd", "wild1.txt wild2.txt wild3.txt")
finds("w[oa]rd", "wild1.txt wild2.txt")
finds("[ws]word", "wild3.txt")
finds("[s]word", "wild3.txt")
finds("w[!oa]rd", "wild3.txt")
finds("cello~", "wild4.txt")
finds("celos~", "wild4.txt")
finds("cellso~", "wild4.txt")
finds("\"w?rd\"", "")
finds("*inutes*", "minutes-2023.odt")
finds("name:*arbo*", "boats-harbor.html")
finds("title:*gat*", "boats-harbor.html")
finds("name:*tes-20?3*", "minutes-2023.odt")
finds("*ats-harb*.html", "boats-harbor.html")
finds("*.odt", "minutes-2023.odt")
finds("name:*.[ho][td]* (name:boats* OR name:minutes*)", "boats-harbor.html minutes-2023.odt")
refuses("title:*.odt", "*.odt")
finds("w?rd -*word", "wild2.txt")
finds("\"prefix\" w?rd", "wild2.txt")
refuses("kiwi a*b*c*d*e*", "a*b*c*d*e*")
refuses("helo~9", "helo~9")
refuses("*", "*")
finds("z?1*", "many.txt")
code, out, err = run("search", "--", "z?1*-z?1*")
ok('a pattern that matches too many words is an error, not a partial answer', code == 2 and out == "" and "512" in err, (code, out, err))
code, out, err = run("search", "--", "kiwwi")
ok('a word that matches nothing is answered with a suggestion', code == 1 and out == "" and "kiwi" in err, err)
code, out, err = run("search", "--", "kiwi lemonn")
ok('the message names the word without a match, and the corrected query', code == 1 and "\"lemonn\"" in err and "Did you mean: kiwi lemon\n" in err, err)

# ---------------------------------------------------------------- 6 scripts without spaces
finds("東京 -2020", "cjk.txt")
finds("東京2020", "mixed.txt")
finds("東京2020大会とiPhone", "mixed.txt")
finds("\"大会と iphone用\"", "mixed.txt")
finds("京2020大", "mixed.txt")
finds("\"두 나라 말\"", "mixed.txt")
finds("\"나라 말\"", "mixed.txt")
finds("iPhone用", "mixed.txt")
finds("2020iphone", "")
finds("京都", "cjk.txt cjk2.txt")
finds("東京都", "cjk.txt")
finds("東", "cjk.txt mixed.txt")
finds("都", "cjk.txt cjk2.txt")
finds("中文", "cjk.txt")
finds("文分詞", "cjk.txt")
finds("東都", "")
finds("한국어", "cjk.txt")
finds("국어문", "cjk.txt")
finds("ภาษา", "cjk.txt")
finds("เขียน", "cjk.txt")
finds("東京 -中文", "mixed.txt")
finds("\"東京都に\"", "cjk.txt")

# ---------------------------------------------------------------- 7 text fields
finds("title:figures", "mail/plain.eml")
finds("subject:\"quarterly figures\"", "mail/plain.eml")
finds("caption:regatta", "boats-harbor.html")
finds("author:melville", "boats-harbor.html")
finds("from:lennon", "mail/plain.eml")
finds("from:john@beat.example", "mail/plain.eml")
finds("to:ringo", "mail/plain.eml")
finds("to:john", "mail/with.eml")
finds("cc:paul", "mail/plain.eml")
finds("keyword:finance", "mail/plain.eml")
finds("tag:zoo", "page.html")
finds("heading:elefanten", "page.html")
finds("heading:giraffen", "")
finds("body:giraffen", "page.html")
finds("anchor:ziel", "target.html")
finds("anchor:\"rotes ziel\"", "target.html")
finds("filename:minutes", "minutes-2023.odt")
finds("name:2023", "minutes-2023.odt")
finds("comment:bemerkung", "page.html")
finds("author:john,lennon", "mail/plain.eml")
finds("author:john/ringo", "mail/plain.eml list.both.html")
finds("author:john,ringo", "list.both.html")
finds("author:yoko/melville -boats", "mail/with.eml")
finds("author:(john lennon)", "mail/plain.eml")
finds("author:(yoko OR melville) regatta", "boats-harbor.html")
finds("author:(john -lennon)", "list.both.html")
finds("TITLE:regatta", "boats-harbor.html")
finds("title=regatta", "boats-harbor.html")
finds("-title:regatta melville", "")
finds("title:reg*", "boats-harbor.html")
finds("title:regata~", "boats-harbor.html")
finds("title:\"quarterly fig*\"", "mail/plain.eml")
finds("regatta -body:regatta", "boats-harbor.html")
finds("2026.abc-17@beat.example", "mail/plain.eml")
finds("mid:2026.abc-17@beat.example", "mail/plain.eml")
refuses("author:john,lennon/ringo", "john,lennon/ringo")
refuses("author:john,", "")
refuses("title:", "title:")

# ---------------------------------------------------------------- 8 exact fields
finds("ext:odt,eml", "minutes-2023.odt mail/plain.eml mail/with.eml")
finds("ext:.odt", "minutes-2023.odt")
finds("ext:ODT", "minutes-2023.odt")
finds("mime:message/rfc822", "mail/plain.eml mail/with.eml")
finds("mime:message/*", "mail/plain.eml mail/with.eml")
finds("mime:message/*,application/zip", "mail/plain.eml mail/with.eml kinds/box.zip")
finds("type:message", "mail/plain.eml mail/with.eml")
finds("type:message,code", "mail/plain.eml mail/with.eml kinds/a.py reader.c XmlReader.c")
finds("type:archive", "kinds/box.zip")
finds("type:document minutes", "minutes-2023.odt")
finds("type:text name:fruit1", "fruit/fruit1.txt")
finds("type:folder fruit", "fruit")
for kind, name in {"spreadsheet": "ooxml-sheet.xlsx", "presentation": "ooxml-slides.pptx", "audio": "audio-id3.mp3", "video": "video-ferry.mkv"}.items():
    finds("type:" + kind, "kinds/" + name)
finds("type:image is:file", "kinds/image-facts.jpg")
finds("type:other -size:0", "kinds/c.xyz")
finds("lang:de name:page", "page.html")
finds("lang:en,fr title:aim", "target.html")
finds("owner:%d name:fruit1" % os.getuid(), "fruit/fruit1.txt")
finds("owner:%d name:fruit1" % (os.getuid() + 1), "")
finds("group:%d name:fruit1" % os.getgid(), "fruit/fruit1.txt")
finds("perms perm:644", "modes/p644.txt")
finds("perms perm:0600", "modes/p600.txt")
finds("perms perm:o+r", "modes/p644.txt modes/p755.txt")
finds("perms perm:u+x", "modes/p755.txt")
finds("perms perm:go-r", "modes/p600.txt")
finds("perms perm:600,755", "modes/p600.txt modes/p755.txt")
finds("is:file name:fruit1", "fruit/fruit1.txt")
finds("is:dir name:fruit*", "fruit")
finds("is:member pelican", "kinds/box.zip|in/inner.txt mail/with.eml|list.txt")
finds("is:failed", "kinds/broken.pdf")
finds("is:pending", "")
finds("is:truncated", "")
finds("is:offline", "")
finds("is:hidden", "")
finds("is:duplicate dir:deep", "deep/a/b/one.txt deep/a/two.txt")
finds("is:dir,member dir:kinds", "kinds/box.zip|in/inner.txt kinds/box.zip|in/deep.md")
finds("type:pdf", "kinds/broken.pdf")
finds("perms perm:u+x,600", "modes/p600.txt modes/p755.txt")
finds("is:duplicate,failed", "deep/a/b/one.txt deep/a/two.txt kinds/broken.pdf")
finds("has:attachment", "mail/with.eml")
finds("dup:deep/a/two.txt", "deep/a/b/one.txt deep/a/two.txt")
finds("dup:%s/deep/a/two.txt -dir:b" % base, "deep/a/two.txt")
finds("near:mail/plain.eml name:plain", "mail/plain.eml")
finds("near:mail/plain.eml~5 name:plain", "mail/plain.eml")
code, out, err = run("info", "--json", "fold.txt")
digits = out.split('"checksum":"')[1].split('"')[0]
finds("sum:" + digits, "fold.txt")
finds("sum:" + digits.upper(), "fold.txt")
for query, fault in {"type:books": "books", "is:open": "open", "mime:pdf": "pdf", "perm:999": "999", "has:wings": "wings", "lang:e*": "e*",
        "sum:12": "12", "owner:nobodyhere": "nobodyhere", "ext:pdf,,odt": ",", "near:fold.txt~99": "~99", "dup:/no/such": "/no/such",
        "ext:": "ext:", "type:message,books": "books"}.items():
    refuses(query, fault)
for query in ("near:/no/such/file", "strata near:deep", "thread:/no/such/file", "strata OR thread:fold.txt"):
    refuses(query, query.split(":")[1])
code, out, err = run("search", "--", "dup:deep")
ok('dup: of a directory says that it is not a regular file', code == 2 and "not a regular file" in err and "argument" not in err, (code, err))

# ---------------------------------------------------------------- 9 directories
finds("strata dir:%s/deep/a" % base, "deep/a/b/one.txt deep/a/two.txt")
finds("strata dir:%s/deep/a/" % base, "deep/a/b/one.txt deep/a/two.txt")
finds("strata dir:a/b", "deep/a/b/one.txt deep/x/a/b/four.txt")
finds("strata dir:a", "deep/a/b/one.txt deep/a/two.txt deep/x/a/b/four.txt")
finds("strata dir:deep/b", "")
finds("strata in:%s/deep/a" % base, "deep/a/two.txt")
finds("strata in:deep/a", "deep/a/two.txt")
finds("strata -dir:b", "deep/a/two.txt deep/ab/three.txt")
finds("strata dir:ab OR dir:x", "deep/ab/three.txt deep/x/a/b/four.txt")
finds("strata dir:\"%s/deep/ab\"" % base, "deep/ab/three.txt")
finds("in:%s/fruit" % base, " ".join("fruit/fruit%d.txt" % i for i in range(1, 6)))

# ---------------------------------------------------------------- 10 dates
finds("dated modified:2024", "when/d2024.txt")
finds("dated date:2024-02", "when/d2024.txt")
finds("dated date:2024-02-29", "when/d2024.txt")
finds("dated date:2025..2026-01", "when/d2025.txt when/d2026.txt")
finds("dated date:2025/2026-03", "when/d2025.txt when/d2026.txt when/d2026m.txt")
finds("dated date:2026", "when/d2026.txt when/d2026m.txt")
finds("dated date:2025-12-31", "when/d2025.txt")
finds("dated date:..2025", "when/d2024.txt when/d2025.txt")
finds("dated date:2026..", "when/d2026.txt when/d2026m.txt")
finds("dated date>2025", "when/d2026.txt when/d2026m.txt")
finds("dated date>=2025", "when/d2025.txt when/d2026.txt when/d2026m.txt")
finds("dated date<2025-12-31", "when/d2024.txt")
finds("dated date<=2025-12-31", "when/d2024.txt when/d2025.txt")
finds("dated -date:2026", "when/d2024.txt when/d2025.txt")
finds("date:2026-02-27", "mail/plain.eml")
finds("modified:2026-02-27", "")
finds("sent:2026-02", "mail/plain.eml mail/with.eml")
finds("sent:2026-02-28", "mail/with.eml")
finds("sent:2020..2026-02-27", "mail/plain.eml")
finds("created:today name:fruit1", "fruit/fruit1.txt")
finds("aged date:90min", "past/min30.txt")
finds("aged date:36h", "past/min30.txt past/h5.txt")
finds("aged date:30d", "past/min30.txt past/h5.txt past/d3.txt past/d20.txt")
finds("aged date:30d..", "past/min30.txt past/h5.txt past/d3.txt past/d20.txt")
finds("aged date:2w", "past/min30.txt past/h5.txt past/d3.txt")
finds("aged date:..2w", "past/d20.txt past/d100.txt past/y2.txt")
finds("aged date:30d..1d", "past/d3.txt past/d20.txt")
finds("aged date:3mo", "past/min30.txt past/h5.txt past/d3.txt past/d20.txt")
finds("aged date:1y", "past/min30.txt past/h5.txt past/d3.txt past/d20.txt past/d100.txt")
finds("aged date<1y", "past/y2.txt")
for word in ("today", "yesterday", "thisweek", "lastmonth"):
    finds("dated date:" + word, "")
finds("dated before:2025", "when/d2024.txt")
finds("dated after:2025", "when/d2026.txt when/d2026m.txt")
finds("dated date:29.02.2024", "when/d2024.txt")
for query in ("kiwi date:30m", "kiwi date:30m..", "kiwi modified:..30m", "kiwi created>30m", "kiwi sent:1d..30m"):
    refuses(query, "30m", "months")
for query, fault in {"date:soon": "soon", "date:2026-13": "2026-13", "date:2026..2025": "2026..2025", "date:5x": "x", "date:..": ".."}.items():
    refuses(query, fault)

# ---------------------------------------------------------------- 11 sizes
finds("dir:size size:999", "size/s999.txt")
finds("dir:size size:1k", "size/s1000.txt")
finds("dir:size size:1Ki", "size/s1024.txt")
finds("dir:size size:1K..1.5k", "size/s1000.txt size/s1024.txt size/s1500.txt")
finds("dir:size size>1M", "size/s1mi.txt")
finds("dir:size size>=1M", "size/s1m.txt size/s1mi.txt")
finds("dir:size size:1Mi", "size/s1mi.txt")
finds("folder:size size:>1M", "size/s1mi.txt")
finds("dir:size size=1k OR size=1Ki", "size/s1000.txt size/s1024.txt")
finds("dir:size size<1k", "size/s0.txt size/s999.txt")
finds("dir:size size<=1k size>0", "size/s999.txt size/s1000.txt")
finds("dir:size size:1.2k..2M", "size/s1500.txt size/s1m.txt size/s1mi.txt")
finds("dir:size size:..1000", "size/s0.txt size/s999.txt size/s1000.txt")
finds("dir:size size:1M..", "size/s1m.txt size/s1mi.txt")
finds("dir:size -size>1k", "size/s0.txt size/s999.txt size/s1000.txt")
for query, fault in {"size:big": "big", "size:2M..1M": "2M..1M", "size:5X": "5X", "size:1.2.3": "1.2.3", "size>1k..2k": "1k..2k"}.items():
    refuses(query, fault)

# ---------------------------------------------------------------- 12 filters and scores
import json


def hits(*args):
    code, out, err = run("search", "--json", "--no-snippets", "--dups", "show", *args)
    return [row for row in map(json.loads, out.splitlines()) if row["type"] == "hit"]


scores = [{h["path"]: h["score"] for h in hits("--", query)} for query in ("kiwi", "kiwi ext:txt", "kiwi dir:fruit size>0")]
ok('filters do not change the scores', scores[0] == scores[1] == scores[2] and len(scores[0]) == 3, scores)
finds("kiwi (lemon OR ext:pdf OR size:5)", "fruit/fruit1.txt fruit/fruit4.txt")
finds("umbra OR (ext:odt -kiwi)", "near1.txt near2.txt near3.txt near4.txt minutes-2023.odt")
finds("strata (quartz OR dir:x)", "deep/ab/three.txt deep/x/a/b/four.txt")
order = [os.path.basename(h["path"]) for h in hits("--", "dir:when")]
ok('filters without words sort by date, newest first', order == ["d2026m.txt", "d2026.txt", "d2025.txt", "d2024.txt"], order)

# ---------------------------------------------------------------- 13 unknown fields, limits
refuses("tilte:x", "tilte", "title")
refuses("kiwi foo:bar", "foo")
refuses("rowid:1", "rowid")
finds("http://example.org/nothing", "")
finds("\"foo:bar\"", "parts.txt tokens.txt")
refuses("kiwi " * 65, "kiwi")
refuses("(" * 17 + "kiwi" + ")" * 17, "(")
finds("(" * 16 + "kiwi lemon" + ")" * 16, "fruit/fruit1.txt")
finds("kiwi OR lemon OR " * 31 + "mango lemon", "fruit/fruit1.txt fruit/fruit3.txt", "-w")
code, out, err = run("search", "--", "k" * 4097)
ok('a query of 4,097 bytes is refused', code == 2 and "4096" in err, (code, err[:200]))
code, out, err = run("search", "--", "k" * 4096)
ok('a query of 4,096 bytes is answered', code == 1, (code, err[:200]))

print("1..%d" % tests)
