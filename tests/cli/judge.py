# SPDX-License-Identifier: GPL-3.0-or-later
"""Random queries on random small collections find the same documents as a judge that reads every file word by
word. JUDGE_QUERIES sets the number of queries, JUDGE_SEED repeats the choices."""
import fnmatch, json, os, random, re, shutil, subprocess, unicodedata, zipfile

home = os.environ["HOME"]
base = home + "/docs"
queries = int(os.environ.get("JUDGE_QUERIES", "120"))
seed = int(os.environ.get("JUDGE_SEED", random.SystemRandom().randrange(1 << 32)))
rand = random.Random(seed)
print("# JUDGE_SEED=%d" % seed, flush=True)

# ---------------------------------------------------------------- words as the language promises to read them
UNSPACED = re.compile("[\u4e00-\u9fff\u3040-\u30ff\u0e01-\u0e2e]")


def fold(text):
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold().replace("ı", "i"))
    return "".join(c for c in folded if not unicodedata.category(c).startswith("M") and unicodedata.category(c) != "Cf")


def divided(word):
    parts = re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", word) if re.fullmatch("[A-Za-z]+", word) else []
    return [p.lower() for p in parts if len(p) > 1] if len(parts) > 1 else []


PLUS = re.compile("\\+(?=$|[ \t\r\n.,;:!?)\"'/-])|\\+(?=[^\x00-\x7f])(?![^\\W\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60])|\\+\\+(?![+A-Za-z])")


def signed(text, begin, end):
    """Returns the word with the signs that belong to it: beta+, C++, C#, .NET."""
    word, before, after = text[begin:end].lower(), text[:begin][-2:], text[end:]
    if not re.fullmatch("[a-z]{1,16}", word):
        return ()
    if after[:1] == "+":
        plus = not re.search("[\\\\$@]$", before) and PLUS.match(after)
        return (word + plus.group(),) if plus else ()
    if after[:1] == "#":
        return (word + "#",) if len(word) == 1 and re.match("#(?![#A-Za-z])", after) and not re.search("[&\\\\$#]$", before) else ()
    glued = re.match("[A-Za-z0-9_.-]|[^\x00-\x7f]", before[:-1])
    return (".net",) if word == "net" and before[-1:] == "." and (text[begin:end].isupper() or not glued) else ()


LETTERS = "(?:(?=[^\\W\\d_]|[\u0300-\u036f])[A-Za-z\u0080-\u052f\u1e00-\u1fff])+"
HYPHENED = re.compile("-(?:(%s)|[0-9]{1,4})(?![A-Za-z0-9-])" % LETTERS)


def hyphened(text, begin, end, rules):
    """Returns the word with the one that a hyphen joins to it: Wi-Fi is also wifi. rules: those of a text or a name."""
    second, letters = HYPHENED.match(text, end), re.fullmatch(LETTERS, text[begin:end])
    if not second or not (letters or (second.group(1) and re.fullmatch("[0-9]{1,4}", text[begin:end]))):
        return ()
    before, after = text[:begin][-1:], text[second.end():]
    prose = re.match("[ \t\r\n(\\[{\"',;!?|>]|[^\x00-\x7f]|$", before) and re.match("[ \t\r\n)\\]}\"',;!?|<]|[^\x00-\x7f]|$|[.:](?![A-Za-z0-9/:])", after)
    return (fold(text[begin:end] + second.group()[1:]),) if (prose if rules == "text" else before != "-") else ()


def places(text, parts=False, rules=None):
    """Returns a list of sets: the terms at each position. A run of an unspaced script has a
    position for each character: the pair with the next one, or the last one alone."""
    out = []
    for piece in re.finditer("(?:[^\\W_]|[\u0300-\u036f\u00ad\u200d])+", text):
        for found in re.finditer(UNSPACED.pattern + "+|(?:(?!" + UNSPACED.pattern + ").)+", piece.group(), re.S):
            run, begin = found.group(), piece.start() + found.start()
            if UNSPACED.match(run):
                out += [{run[i:i + 2]} for i in range(len(run))]
            elif fold(run):
                signs = signed(text, begin, begin + len(run))
                joined = hyphened(text, begin, begin + len(run), rules) if rules and not signs else ()
                out.append({fold(run)} | set(divided(run) if parts else ()) | set(signs) | set(joined))
    return out


# ---------------------------------------------------------------- the collection
WORDS = ["alpha", "beta", "gamma", "delta", "alphabet", "Alpha", "BETA", "zeta", "eta", "theta", "café", "cafe", "Straße", "strasse", "naïve",
    "ﬁsh", "fish", "ｆｕｌｌ", "full", "İzmir", "ısı", "Ёлка", "елка", "Σίσυφος", "2023", "3", "x1", "co\u00adop", "coop", "re\u0301sume\u0301",
    "東京都", "東京", "京都", "都東", "カメラ", "กขค", "readFile", "XMLFile", "file", "a", "b", "Å", "א", "тест",
    "C++", "c", "beta+", "C#", ".NET", ".net", "net"]
LINKS = [" ", " ", " ", " ", " ", "\n", ", ", "-", "_", ".", "/", "'", "’", "@", ": ", " — ", "\t", "+"]
NAMES = ["alpha", "beta", "gamma", "café", "東京", "2023", "readFile", "fish", "zeta"]


def some(low, high, words=WORDS, links=LINKS):
    out = ""
    for i in range(rand.randint(low, high)):
        out += (rand.choice(links) if out else "") + rand.choice(words)
    return out


class Item:
    """An entry or document that can be found: a file, a directory or a member of a container."""
    def __init__(self, path, member=None, kind="file", size=0, **texts):
        self.path, self.member, self.kind, self.size = path, member, kind, size
        self.raw = [t for t in texts.values() if t]
        self.texts = {k: [places(t, k != "body", "text") for t in (v if isinstance(v, list) else [v])] for k, v in texts.items()}
        self.names = [places(os.path.basename(path) if path else "docs", True, "name")]
        self.own_names = [places(member, True, "text")] if member else self.names

    def columns(self, field):
        if field == "filename":
            return self.own_names
        if field:
            return self.texts.get(field, [])
        return self.names + (self.own_names if self.member else []) + [c for v in self.texts.values() for c in v]

    def shown(self):
        return self.path + ("|" + self.member if self.member else "")


def write(path, data):
    path = os.path.join(base, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def make_text(path, text=None):
    text = some(0, 14) if text is None else text
    write(path, text.encode())
    return [Item(path, size=len(text.encode()), body=text)]


def make_page(path):
    title, author, heading = some(0, 3, links=[" "]), some(0, 2, links=[" "]), some(1, 3, links=[" "])
    blocks = [some(1, 6), some(1, 6)]
    data = ("<html><meta charset=utf-8><title>%s</title><meta name=author content=\"%s\"><body><h1>%s</h1><p>%s</p><p>%s</p></html>" % (
        title, author, heading, *blocks)).encode()
    write(path, data)
    says_nothing = ("", "3", "a", "b", "c") # index/text/real-title.h
    comment = title if title in says_nothing else ""
    title = title if title not in says_nothing else heading if heading not in says_nothing else ""
    return [Item(path, size=len(data), title=title, author=author, heading=heading, body="\n".join(blocks), comment=comment)]


def make_box(path):
    members = {"%s-%d.txt" % (some(1, 2, NAMES, ["-", "_"]), i): some(1, 6) for i in range(rand.randint(1, 2))}
    with zipfile.ZipFile(os.path.join(base, path), "w") as z:
        for name, text in members.items():
            z.writestr(name, text)
    return [Item(path, size=os.stat(os.path.join(base, path)).st_size)] + [
        Item(path, name, size=len(text.encode()), body=text) for name, text in members.items()]


def make_file(directory, i):
    make, ext = rand.choice([(make_text, "txt"), (make_text, "txt"), (make_page, "html"), (make_box, "zip")])
    return make("%s%d %s.%s" % (directory and directory + "/", i, some(0, 2, NAMES, [" ", "_", "-", "."]), ext))


FIXED_TEXTS = {"signed.txt": "BETA+東京 XMLFile", "unsigned.txt": "beta, XMLFile+x1"}
FIXED_PHRASES = [["BETA+", " XMLFile"], ["beta", "XMLFile+"], ["東京", "beta+東京", ", XMLFile"]]


class World:
    def __init__(self):
        self.items, self.dirs, self.n, self.answered = {}, ["", "alpha dir", "beta_3", "alpha dir/東京"], 0, 0
        for d in self.dirs:
            os.makedirs(os.path.join(base, d), exist_ok=True)
        for name, text in FIXED_TEXTS.items():
            self.items[name] = make_text(name, text)
        for i in range(60):
            self.add()

    def add(self):
        self.n += 1
        made = make_file(rand.choice(self.dirs), self.n)
        self.items[made[0].path] = made
        if rand.random() < .1:
            twin = "%s/copy %d.%s" % (self.dirs[1], self.n, made[0].path.rsplit(".", 1)[1])
            shutil.copy(os.path.join(base, made[0].path), os.path.join(base, twin))
            self.items[twin] = [self.renamed(item, twin) for item in made]

    @staticmethod
    def renamed(item, path):
        new = Item(path, item.member, item.kind, item.size)
        new.texts, new.raw = item.texts, item.raw
        return new

    def change(self):
        for path in rand.sample(sorted(self.items), 20):
            if rand.random() < .5:
                os.unlink(os.path.join(base, path))
                del self.items[path]
            else:
                new = os.path.join(os.path.dirname(path), "moved %d.%s" % (self.n, path.rsplit(".", 1)[1]))
                self.n += 1
                os.rename(os.path.join(base, path), os.path.join(base, new))
                self.items[new] = [self.renamed(item, new) for item in self.items.pop(path)]
        for i in range(20):
            self.add()

    def has_term(self, term):
        return any(term in at for item in self.all() for v in item.texts.values() for column in v for at in column)

    def all(self):
        return [i for made in self.items.values() for i in made] + [Item(d, kind="dir") for d in self.dirs]


# ---------------------------------------------------------------- conditions: each has a text and
# judges an item
class Words:
    plain = False  # words that the names of directories may have too

    def __init__(self, field, text, test, any_field=True):
        self.text, self.field, self.test = (field + ":" if field else "") + text, field, test

    def as_plain(self):
        self.plain = not self.field
        return self

    def holds(self, item):
        return any(self.test(column) for column in item.columns(self.field))

    def above(self, item):
        """True if a directory above the entry, below the root, has the words in its name."""
        return any(self.test(places(name, True, "name")) for name in item.path.split("/")[:-1])


def phrase_in(terms, column, prefix=False):
    """Returns the positions where the phrase begins."""
    def meets(term, at, last):
        return any(t.startswith(term) for t in at) if last and prefix else term in at
    return [i for i in range(len(column) - len(terms) + 1)
        if all(meets(t, column[i + k], k + 1 == len(terms)) for k, t in enumerate(terms))]


def terms_of(text, field):
    """Returns the terms of a phrase. Where a text has the word with its signs, the bare one does
    not do. The last character of a run at its end may continue."""
    out = []
    for at in places(text):
        bare, *signs = sorted(at, key=len)
        out.append(signs[0] if signs and field != "filename" and world.has_term(signs[0]) else bare)
    if out and UNSPACED.match(out[-1]) and len(out[-1]) == 1:
        run = re.search(UNSPACED.pattern + "+$", re.sub("[\\W_]+$", "", text))
        return (out[:-1], False) if run and len(run.group()) > 1 else (out, True)
    return out, False


def quoted_from(world):
    """Returns a few successive words of a text."""
    pieces = re.findall("\\w+|\\W+", rand.choice(rand.choice([i for i in world.all() if i.raw]).raw))
    begin = rand.randrange(len(pieces))
    return "".join(pieces[begin:begin + rand.randint(1, 5)]).replace("\n", " ")


def a_phrase(field):
    return phrase(some(1, 3, links=[" ", " ", "-", "/", ".", ""]) if rand.random() < .3 else quoted_from(world), field)


def phrase(text, field=""):
    terms, prefix = terms_of(text, field)
    if not terms:
        return None
    return Words(field, '"%s"' % text, lambda column: bool(phrase_in(terms, column, prefix))).as_plain()


def a_prefix(field):
    word = fold(rand.choice(WORDS))
    if UNSPACED.match(word) or not word.isalnum():
        return None
    word = word[:rand.randint(1, 4)]
    return Words(field, word + "*", lambda column: bool(phrase_in([word], column, True))).as_plain()


def a_pattern(field):
    word = fold(rand.choice(WORDS))
    if UNSPACED.match(word) or len(word) < 3 or not word.isalnum():
        return None
    i = rand.randrange(1, len(word))
    pattern = rand.choice(["*" + word[i:], word[:i] + "?" + word[i + 1:], word[:i - 1] + "[" + word[i - 1] + "q]" + word[i:],
        "*" + word[1:i] + "*", word[:i - 1] + "[!z]" + word[i:]])
    regex = re.compile(fnmatch.translate(pattern))
    if not re.search("\\w", pattern.replace("*", "")) or re.fullmatch("\\w+\\*", pattern):
        return None
    if not field and (pattern.endswith("?") or re.fullmatch("\\*\\w", pattern)):  # asks; a pointer
        return None
    return Words(field, pattern, lambda column: any(regex.match(t) for at in column for t in at))


def a_name_pattern(field):
    """Returns a pattern for whole names, or for successive words of names."""
    if field not in ("", "filename"):
        return None
    item = rand.choice(world.all())
    name = fold(os.path.basename(item.member or item.path))
    begin = rand.randrange(len(name) + 1)
    piece = name[begin:begin + rand.randint(3, 12)]
    if not re.search("[a-z0-9]", piece) or not re.search("[-_.]", piece) or re.search("[^-_.a-z0-9]", piece) or piece[0] == "-":
        return None
    i = rand.randrange(len(piece))
    piece = rand.choice([piece, piece[:i] + "?" + piece[i + 1:], piece[:i] + "*" + piece[i + 1:]])
    pattern = rand.choice(["*%s*", "*%s", "%s*", "%s"]) % piece.lstrip("-")
    if not re.search("[a-z0-9]", pattern) or not re.search("[*?]", pattern[:-1]) or not re.search("[-_.]", pattern):
        return None
    if re.search("[-_.][*]+$", pattern):  # the words before it, as with one star
        return None
    whole = re.compile(fnmatch.translate(pattern))
    words = [re.compile(fnmatch.translate(w)) for w in re.split("[-_.]", pattern) if w]
    words = words if all(re.search("[a-z0-9]", w) for w in re.split("[-_.]", pattern) if w) else None

    def run(column):
        return words and any(all(any(w.match(t) for t in column[i + k]) for k, w in enumerate(words)) for i in range(len(column) - len(words) + 1))
    made = Words(field, pattern, run)
    by_words = made.holds

    def holds(item):
        own = [item.member] if item.member else [item.path or "docs"]
        names = own + ([item.path] if item.member and not field else [])
        return any(whole.match(fold(os.path.basename(n))) for n in names) or by_words(item)
    made.holds = holds
    return made


def edits(a, b):
    d = {(i, j): i or j for i in range(len(a) + 1) for j in range(len(b) + 1) if not i or not j}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return d[len(a), len(b)]


def a_fuzzy(field):
    word = rand.choice(["alpha", "gamna", "dleta", "fihs", "alphabte", "tetha", "zetta"])
    n = rand.choice([1, 2])
    return Words(field, "%s~%d" % (word, n),
        lambda column: any(t[0] == word[0] and edits(word, t) <= n for at in column for t in at))


def a_nearness(field):
    parts = [rand.choice(["alpha", "beta", "gamma", "delta", "2023"]), rand.choice(["fish", "eta", "zeta", "theta", "cafe"])]
    rand.shuffle(parts)
    gap, ordered = rand.randint(0, 6), rand.random() < .5
    if rand.random() < .5:
        text = '"%s"%s%d' % (" ".join(parts), "o" if ordered else "p", gap)
    else:
        text = "%s %s/%d %s" % ('"%s"' % parts[0], "ADJ" if ordered else "NEAR", gap, '"%s"' % parts[1])
        text = "(" + text + ")" if field else text

    def test(column):
        first, second = (phrase_in([p], column) for p in parts)
        return any(0 < j - i <= gap + 1 or (not ordered and 0 < i - j <= gap + 1) for i in first for j in second)
    return Words(field, text, test).as_plain()


class Filter:
    def __init__(self):
        kind = rand.randrange(5)
        if kind == 0:
            ext = rand.choice(["txt", "html", "zip", "txt,zip"])
            self.text, self.holds = "ext:" + ext, lambda i: i.kind == "file" and (i.member or i.path).rsplit(".", 1)[-1] in ext.split(",")
        elif kind == 1:
            size = rand.randint(0, 120)
            self.text, self.holds = "size>%d" % size, lambda i: i.kind == "file" and i.size > size
        elif kind == 2:
            what = rand.choice(["dir", "file", "member"])
            self.text, self.holds = "is:" + what, lambda i: what == ("dir" if i.kind == "dir" else "member" if i.member else "file")
        elif kind == 3:
            place = rand.choice(['"alpha dir"', "beta_3", "東京"])
            self.text, self.holds = "dir:" + place, lambda i: place.strip('"') in i.path.split("/")[:-1]
        else:
            place = rand.choice(["alpha dir", "beta_3"])
            self.text, self.holds = 'in:"%s"' % place, lambda i: os.path.dirname(i.path) == place and i.path != ""


class Tree:
    def __init__(self, op, children):
        self.op, self.children = op, children
        texts = [c.text if isinstance(c, (Words, Filter)) and " NEAR" not in c.text and " ADJ" not in c.text else "(%s)" % c.text for c in children]
        self.text = rand.choice(["-", "NOT ", "!"]) + texts[0] if op == "not" else (" OR " if op == "or" else rand.choice([" ", " AND "])).join(texts)

    def holds(self, item):
        answers = [c.holds(item) for c in self.children]
        return not answers[0] if self.op == "not" else any(answers) if self.op == "or" else all(answers)


def a_condition(depth):
    kind = rand.random()
    if depth and kind < .45:
        return Tree(rand.choice(["and", "or"]), [a_condition(depth - 1) for i in range(rand.randint(2, 3))])
    if depth and kind < .55:
        return Tree("not", [a_condition(depth - 1)])
    if kind < .65:
        return Filter()
    while True:
        field = rand.choice(["", "", "", "", "title", "author", "heading", "body", "filename"])
        made = rand.choice([a_phrase, a_phrase, a_phrase, a_prefix, a_pattern, a_name_pattern, a_fuzzy, a_nearness])(field)
        if made:
            return made


# ---------------------------------------------------------------- words in the names of directories
def parts_of(condition):
    """Returns what must hold together."""
    if isinstance(condition, Tree) and condition.op == "and":
        return [p for c in condition.children for p in parts_of(c)]
    if isinstance(condition, Tree) and condition.op == "not" and isinstance(condition.children[0], Tree) and condition.children[0].op == "not":
        return parts_of(condition.children[0].children[0])
    return [condition]


def words_asked_for(condition, excluded=False):
    """Returns the words that are not excluded."""
    if isinstance(condition, Tree):
        return [w for c in condition.children for w in words_asked_for(c, excluded ^ (condition.op == "not"))]
    return [condition] if isinstance(condition, Words) and not excluded else []


def holds_with_paths(parts, item):
    """If several plain words must occur together, directories above may have some of them, but not all."""
    words = [p for p in parts if isinstance(p, Words)]
    if len(words) < 2 or not all(w.plain for w in words) or len([w for p in parts for w in words_asked_for(p)]) > len(words):
        return all(p.holds(item) for p in parts)
    return all(p.holds(item) or (p in words and p.above(item)) for p in parts) and any(w.holds(item) for w in words)


# ---------------------------------------------------------------- asking
def ask(*args):
    done = subprocess.run(["tarsier", "search", *args], cwd=base, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if done.returncode not in (0, 1):
        raise SystemExit("Bail out! JUDGE_SEED=%d: %r: exit %d, %r" % (seed, args, done.returncode, done.stderr))
    return done.stdout


def relative(path):
    return "" if path == base else path[len(base) + 1:]


def paths(out):
    return [relative(p) for p in out.decode().split("\0") if p]


def some_phrases():
    return [p for p in (a_phrase("") for i in range(rand.randint(2, 4))) if p]


def check_some(world, phrases):
    """Checks a query of several phrases with --any: each document has one of them, and those with
    most of them come first."""
    if len({p.text for p in phrases}) < 2 or len({p.text for p in phrases}) < len(phrases):
        return ""
    text = " ".join(p.text for p in phrases)
    met = {i.shown(): len(phrases) if holds_with_paths(phrases, i) else sum(p.holds(i) for p in phrases) for i in world.all()}
    wanted = sorted(name for name, n in met.items() if n)
    anything = sorted(paths(ask("-a", "-0", "--dups", "show", "--", text)))
    if anything != wanted:
        return "%s: any of them loses %r, adds %r" % (text, sorted(set(wanted) - set(anything)), sorted(set(anything) - set(wanted)))
    soft = paths(ask("--soft", "-0", "--dups", "show", "--", text))
    order = [met.get(name, 0) for name in soft]
    if sorted(soft) != wanted or order != sorted(order, reverse=True):
        return "%s: by words %r is %r" % (text, soft, order)
    return ""


def check(world, condition):
    """Returns what is wrong with the answers, or nothing."""
    text = condition.text
    wanted = sorted(i.shown() for i in world.all() if holds_with_paths(parts_of(condition), i))
    found = paths(ask("-0", "--dups", "show", "--", text))
    world.answered += bool(wanted)
    if sorted(found) != wanted:
        return "loses %r, adds %r" % (sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted)))
    if int(ask("-c", "--dups", "show", "--", text)) != len(wanted):
        return "counts otherwise"
    kind = rand.randrange(4)
    if kind == 0:
        order = rand.choice(["relevance", "date", "size", "name", "path"])
        whole = paths(ask("-0", "--dups", "show", "-s", order, "--", text))
        pages = [p for o in range(0, len(wanted) + 1, 7) for p in paths(ask("-0", "-s", order, "-n", "7", "-o", str(o), "--dups", "show", "--", text))]
        return "" if sorted(whole) == wanted and pages == whole else "pages by %s do not fit together" % order
    if kind == 1:
        rows = [json.loads(line) for line in ask("--json", "--no-snippets", "--", text).splitlines()]
        hits = [relative(r["path"]) + ("|" + r["member"] if r["member"] else "") for r in rows[1:-1]]
        copies = [relative(c) for r in rows[1:-1] for c in r["copies"]]
        return "" if set(hits) <= set(wanted) <= set(hits + copies) and rows[0]["total"] == len(hits) else "collapses wrongly: %r %r" % (hits, copies)
    return ""


os.makedirs(base)
world = World()
subprocess.check_call(["tarsier", "-q", "add", base])
wrong = 0
for round in range(3):
    subprocess.check_call(["tarsier", "-q", "index"])
    failures = [f for f in (check_some(world, [phrase(t) for t in texts]) for texts in FIXED_PHRASES if round == 0) if f]
    for i in range(queries // 3):
        condition = a_condition(rand.randint(0, 3))
        if len(condition.text) > 3000:
            continue
        fault = check(world, condition)
        if fault:
            failures.append("%s: %s" % (condition.text, fault))
        fault = check_some(world, some_phrases()) if i % 4 == 0 else ""
        if fault:
            failures.append(fault)
    print("%s %d - %s" % ("not ok" if failures else "ok", round + 1, "random queries find what the judge finds " + ("at first", "after changes", "after more changes")[round]))
    for failure in failures[:20]:
        print("# JUDGE_SEED=%d JUDGE_QUERIES=%d: %s" % (seed, queries, failure), flush=True)
    world.change()
print("# %d queries found something" % world.answered)
print("1..3")
