#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-legacy.py DIRECTORY: writes the old Office files and RTF among the fixtures.

The results are kept in data/; run this only to change them."""
import os
import struct
import sys
import zlib

FREE, END, FAT, NONE = 0xffffffff, 0xfffffffe, 0xfffffffd, 0xffffffff


def pad(data, size):
    return data + bytes(-len(data) % size)


def chain(table, count):
    """Appends a chain of this many sectors; returns the first."""
    first = len(table)
    table.extend(range(first + 1, first + count))
    table.append(END)
    return first


class Compound:
    """Collects the parts of a compound file (MS-CFB, version 3). The sectors of the stream `lost`
    come last, and are missing."""

    def __init__(self, lost=None):
        self.lost = lost
        self.fat, self.minifat, self.sectors, self.mini, self.entries = [], [], b"", b"", []

    def put(self, data):
        data = pad(data, 512)
        if not data:
            return END
        self.sectors += data
        return chain(self.fat, len(data) // 512)

    def add(self, name, kind, content):
        """Links siblings as a list to the right. The order of names puts shorter ones first."""
        index = len(self.entries)
        links = [NONE, NONE, NONE]
        self.entries.append(Entry((name, kind, links, END, 0)))
        if isinstance(content, dict):
            before = None
            for child in sorted(content, key=lambda n: (len(n), n.upper())):
                inner = content[child]
                at = self.add(child, 1 if isinstance(inner, dict) else 2, inner)
                if before is None:
                    links[2] = at
                else:
                    self.entries[before].links[1] = at
                before = at
        elif name == self.lost:
            self.entries[index].size = len(content)
        elif len(content) < 4096:
            if content:
                self.entries[index].start = chain(self.minifat, -(-len(content) // 64))
                self.mini += pad(content, 64)
            self.entries[index].size = len(content)
        else:
            self.entries[index].start, self.entries[index].size = self.put(content), len(content)
        return index


    def lose(self):
        """Gives sectors after all others to the stream that is lost."""
        for entry in self.entries:
            if entry.name == self.lost:
                entry.start = len(self.fat) + sectors(len(self.entries), 4) + sectors(len(self.minifat), 128) + 1
                return entry.size
        return 0


def sectors(count, size):
    return -(-count // size)


class Entry:
    def __init__(self, values):
        self.name, self.kind, self.links, self.start, self.size = values

    def pack(self):
        name = self.name.encode("utf-16-le")
        return struct.pack("<64sHBB3I36xIQ", name, len(name) + 2, self.kind, 1, *self.links, self.start, self.size)


def compound(tree, lost=None):
    """Makes a file of nested dictionaries, in which bytes are streams."""
    out = Compound(lost)
    root = out.add("Root Entry", 5, tree)
    out.entries[root].start, out.entries[root].size = out.put(out.mini), len(out.mini)
    lost_bytes = out.lose()
    entries = b"".join(e.pack() for e in out.entries)
    empty = struct.pack("<64xHBB3I36xIQ", 0, 0, 1, NONE, NONE, NONE, 0, 0)
    directory = out.put(entries + empty * (-len(out.entries) % 4))
    out.minifat += [FREE] * (-len(out.minifat) % 128)
    minifat = out.put(struct.pack("<%dI" % len(out.minifat), *out.minifat))
    table = len(out.fat)
    out.fat.append(FAT)
    if lost_bytes:
        chain(out.fat, sectors(lost_bytes, 512))
    assert len(out.fat) <= 128
    out.fat += [FREE] * (128 - len(out.fat))
    head = struct.pack("<8s16x5H6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3e, 3, 0xfffe, 9, 6,
                       0, 1, directory, 0, 4096, minifat, 1, END, 0)
    head += struct.pack("<109I", table, *[FREE] * 108)
    return head + out.sectors + struct.pack("<128I", *out.fat)


# ---- facts

def summary(properties):
    body, index = b"", b""
    for number, value in properties.items():
        index += struct.pack("<2I", number, 8 + 8 * len(properties) + len(body))
        if isinstance(value, int):
            body += struct.pack("<IQ", 64, value) if value > 1 << 32 else struct.pack("<II", 2, value)
        else:
            body += pad(struct.pack("<II", 30, len(value) + 1) + value + b"\0", 4)
    section = struct.pack("<2I", 8 + len(index) + len(body), len(properties)) + index + body
    return struct.pack("<2H20xI16xI", 0xfffe, 0, 1, 48) + section


FACTS = summary({1: 1251, 2: "Гавань".encode("cp1251"), 4: b"Ada Reed", 5: b"boats; ropes", 12: 134167968000000000})


def own_facts(properties):
    """Writes the second section of the second set; the names of its properties are in property
    0."""
    names = struct.pack("<I", len(properties))
    for number, (name, _) in enumerate(properties, 2):
        names += struct.pack("<2I", number, len(name) + 1) + name + b"\0"
    body, index = pad(names, 4), struct.pack("<2I", 0, 8 + 8 * (len(properties) + 2))
    index += struct.pack("<2I", 1, 8 + 8 * (len(properties) + 2) + len(body))
    body += struct.pack("<2I", 2, 1252)
    for number, (_, value) in enumerate(properties, 2):
        index += struct.pack("<2I", number, 8 + 8 * (len(properties) + 2) + len(body))
        body += struct.pack("<2I", 3, value) if isinstance(value, int) else pad(
            struct.pack("<II", 30, len(value) + 1) + value + b"\0", 4)
    section = struct.pack("<2I", 8 + len(index) + len(body), len(properties) + 2) + index + body
    return struct.pack("<2H20xI16xI16xI", 0xfffe, 0, 2, 68, 76) + struct.pack("<2I", 8, 0) + section


OWN_FACTS = own_facts([(b"Project", b"Breakwater"), (b"Number", 7)])


# ---- Word

NARROW = "The harbour\rThe keeper counts\x13 PAGE \x14seven\x15 boats.\rHemp\x07Forty ells\x07\x07"


def run_page(runs):
    """Writes a page of runs: pairs of a position in the file and its properties."""
    page = bytearray(struct.pack("<%dI" % len(runs), *[at for at, _ in runs])) + bytes(512)
    page, end = page[:512], 510
    for i, (_, properties) in enumerate(runs[:-1]):
        if properties:
            end = (end - 1 - len(properties)) & ~1
            page[end:end + 1 + len(properties)] = bytes([len(properties)]) + properties
            page[4 * len(runs) + i] = end // 2
    page[511] = len(runs) - 1
    return bytes(page)


def word(flags=0, first=NARROW, then="Гавань ночью\r", marked=(), data=None, fonts=b""):
    """Writes a document whose first 12 characters are a heading. One part of the text has one
    byte for each character, the other has two. marked: words with the properties of their run;
    data: the stream that these refer to; fonts: the table of fonts."""
    narrow, wide = first.encode("cp1252"), (then + "A note below\rRunning head\r").encode("utf-16-le")
    start = 0x400
    main = len(narrow) + len(then)
    stream = bytearray(start) + narrow + wide
    stream = bytearray(pad(bytes(stream), 512))
    page = len(stream) // 512
    stream += struct.pack("<2I", start, start + 12) + bytes([255]) + bytes(12) + bytes(489) + b"\0\0"
    stream[page * 512 + 510:page * 512 + 512] = b"\0\1"
    stream[page * 512 + 490:page * 512 + 496] = bytes(6)
    stream[page * 512 + 8] = 245
    stream[page * 512 + 490:page * 512 + 494] = struct.pack("<BHB", 2, 1, 0)
    runs = {start: b"", start + len(narrow) + len(wide): b""}
    for each, properties in marked:
        text = each.encode("cp1252") if each in first else each.encode("utf-16-le")
        at = stream.index(text, start)
        runs.setdefault(at + len(text), b"")
        runs[at] = properties
    run_bins = struct.pack("<3I", start, start + len(narrow) + len(wide), len(stream) // 512) if marked else b""
    stream += run_page(sorted(runs.items())) if marked else b""
    total = len(narrow) + len(wide) // 2
    pieces = struct.pack("<3I", 0, len(narrow), total)
    pieces += struct.pack("<HIH", 0, start * 2 | 1 << 30, 0) + struct.pack("<HIH", 0, start + len(narrow), 0)
    clx = b"\2" + struct.pack("<I", len(pieces)) + pieces
    bins = struct.pack("<3I", start, start + 12, page)
    struct.pack_into("<3H", stream, 0, 0xa5ec, 193, 0)
    struct.pack_into("<H", stream, 0x0a, 0x200 | flags)
    struct.pack_into("<8I", stream, 0x4c, main, 13, 13, 0, 0, 0, 0, 0)
    struct.pack_into("<2I", stream, 0x102, len(clx), len(bins))
    struct.pack_into("<2I", stream, 0xfa, len(clx + bins) if marked else 0, len(run_bins))
    struct.pack_into("<2I", stream, 0x112, len(clx + bins + run_bins) if fonts else 0, len(fonts))
    struct.pack_into("<2I", stream, 0x1a2, 0, len(clx))
    return compound(dict({"WordDocument": pad(bytes(stream), 4096), "1Table": clx + bins + run_bins + fonts, "\5SummaryInformation": FACTS,
                          "\5DocumentSummaryInformation": OWN_FACTS}, **{"Data": data} if data else {}))


def deletions():
    """Writes text that was deleted, text whose deletion was undone, and damaged properties."""
    deleted, bold = b"\0\x08\1", b"\x35\x08\1"
    first = "The harbour\rThe keeper counts the sunken boats \x13 HYPERLINK \"https://example.org/lost\" \x14lost\x15 and rafts.\rA struck line\r"
    first += "Kept line, long, short, cut.\r"
    return word(0, first, "Гавань ночью днём тихо\r", (
        ("sunken ", bold + deleted), ("\x13 HYPERLINK \"https://example.org/lost\" \x14lost\x15 ", deleted), ("A struck line\r", deleted),
        ("Kept ", bold + b"\0\x08\0"), ("long", b"\x15\xc6\1\0" + deleted), ("short", b"\x15\xc6\xff" + deleted), ("cut", deleted[:2]),
        ("ночью ", b"\x43\x4a\x16\0" + deleted), ("днём ", b"\0\x08\x81")))


def form_list(choice, default, *entries, kind=2, mark=0xffff):
    texts = lambda *words: b"".join(struct.pack("<H", len(each)) + each.encode("utf-16-le") + b"\0\0" for each in words)
    form = struct.pack("<I3H", 0xffffffff, kind | choice << 2, 0, 0) + texts("Name") + struct.pack("<H", default) + texts("", "Help", "", "", "")
    form += struct.pack("<3H", mark, len(entries), 0) + b"".join(struct.pack("<H", len(each)) + each.encode("utf-16-le") for each in entries)
    return struct.pack("<IH62x", 0x44 + len(form), 0x44) + form


def forms():
    """Writes sentences with lists, and with damaged ones. Which list a field has is a property of
    its last character."""
    lists = (form_list(1, 0, "oar", "Segel", "tow"), form_list(25, 1, "north", "süd"), form_list(0, 0, "гавань"), form_list(0, 0, "a box", kind=1),
             form_list(7, 0, "beyond"), form_list(0, 0, "no mark", mark=1), form_list(0, 0, "cut")[:-4])
    places = [sum(map(len, lists[:i])) for i in range(len(lists))] + [1 << 20]
    fields = ["\x13 FORMDROPDOWN %s\1\x15" % letter for letter in "abcdefgh"]
    first = "The harbour\rBy " + fields[0] + ", from " + fields[1] + ", in " + fields[2] + "." + "".join(fields[3:]) + " Picture \1 only.\r"
    marked = [(each[-3:-1], b"\3\x6a" + struct.pack("<I", place)) for each, place in zip(fields, places)]
    return word(0, first, marked=marked + [(" \1", b"\3\x6a" + bytes(4))], data=b"".join(lists))


def equations():
    """Writes equations, readings of characters, and texts of buttons as fields without a result."""
    eq = lambda instruction: "\x13" + instruction + "\x15"
    first = "The harbour\rSpeed is " + eq(' EQ \\f(distance,time) ') + ", root " + eq("eq \\r(3;depth \\(a\\))") + "."
    first += eq("EQUAL (none)") + eq(" EQ ") + eq(' EQ \\* "open') + eq(" EQ \\o(\\s\\up 9(cut") + "\r"
    ruby = lambda reading, base: eq(' EQ \\* jc2 \\* "Font:\uff2d\uff33" \\* hps10 \\o\\ad(\\s\\up 11(%s),%s)' % (reading, base))
    return word(0, first, ruby("みなと", "港") + "の" + ruby("ふね", "船") + "です。\rTo "
                + eq("MACROBUTTON  NoMacro [the keeper]") + ", " + eq(" GOTOBUTTON ropes see ropes \\* MERGEFORMAT ") + eq("MACROBUTTON NoMacro") + ".\r")


def symbols():
    """Writes characters of the font Symbol, which have a bracket in their place in the text, and
    those of another font and of fonts that the table does not have."""
    font = lambda name: struct.pack("<B39x", 39 + 2 * len(name) + 2) + (name + "\0").encode("utf-16-le")
    symbol = lambda font, code: b"\x09\x6a" + struct.pack("<2H", font, code)
    fonts = struct.pack("<2H", 3, 0) + font("Times") + font("Symbol") + font("Wingdings")
    return word(0, "The harbour\rAt 20(C the [-waves are over. See{more}.\r", "Гавань «( ночью\r", (
        ("(", symbol(1, 0xf0b0)), ("[", symbol(1, 0x61)), ("{", symbol(2, 0xf061)), ("}", symbol(9, 0xf061)), ("«(", symbol(1, 0xf06d))), fonts=fonts)


def links():
    field = lambda instruction, *result: "\x13" + instruction + "".join("\x14" + each for each in result) + "\x15"
    first = "The harbour\rThe " + field(' HYPERLINK "https://example.org/keeper?boats=40&night=1" \\o "A tip" \1', "keeper") + " counts "
    first += field(" hyperlink https://example.org/caf\xe9 ", "rafts \xe9") + " and " + field(' HYPERLINK \\l "ropes"', "ropes") + ".\r"
    first += field(' HYPERLINK "https://example.org/two" ', "Two lines\rin one") + field(' HYPERLINK "https://example.org/gone"') + " end.\r"
    then = "Гавань " + field(' HYPERLINK "https://example.org/' + field(" REF mark ", "inner") + '#' + field(" QUOTE x ") + '" \\l "Ночь"', "ночью") + "\r"
    then += field(' HYPERLINK "https://example.org/outer" ', "outer " + field(' HYPERLINK "https://example.org/inner" ', "inner") + " outer") + "\r"
    then += field(' HYPERLINK "C:\\\\boats\\\\list.doc" ', "list") + field(" HYPERLINK ", "none") + field(' TIME "HYPERLINK" ', "noon") + "\r"
    then += "\x13 HYPERLINK \"https://example.org/open\" \x14never closed\r"
    return word(0, first, then)


def word95():
    text = "Сторож считает лодки\rи плоты.\r".encode("cp1251")
    stream = bytearray(0x400) + text
    struct.pack_into("<4H", stream, 0, 0xa5dc, 104, 0, 0x419)
    struct.pack_into("<2I", stream, 0x18, 0x400, 0x400 + len(text))
    struct.pack_into("<I", stream, 0x34, len(text))
    return compound({"WordDocument": pad(bytes(stream), 4096)})


# ---- Excel

def record(kind, body):
    return struct.pack("<2H", kind, len(body)) + body


def cell(kind, row, column, form, body):
    return record(kind, struct.pack("<3H", row, column, form) + body)


def link(flags, *pieces):
    """Writes a hyperlink (MS-OSHARED 2.3.7). pieces: strings with their lengths, or bytes."""
    body = b"".join(p if isinstance(p, bytes) else struct.pack("<I", len(p) + 1) + (p + "\0").encode("utf-16-le") for p in pieces)
    kind = bytes.fromhex("d0c9ea79f9bace118c8200aa004ba90b")
    return record(0x1b8, struct.pack("<4H", 0, 0, 1, 1) + kind + struct.pack("<2I", 2, flags) + body)


def address(text):
    body = (text + "\0").encode("utf-16-le")
    return bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b") + struct.pack("<I", len(body)) + body


def path(narrow, wide=""):
    out = bytes.fromhex("0303000000000000c000000000000046") + struct.pack("<HI", 0, len(narrow) + 1) + narrow + bytes(25)
    body = wide.encode("utf-16-le")
    return out + struct.pack("<I", len(body) + 6 if wide else 0) + (struct.pack("<IH", len(body), 3) + body if wide else b"")


def linked():
    sheet = b"".join((
        link(0x17, "Shown words", address("https://example.org/keeper?boats=40&night=1")),
        link(0x9f, "Гавань", "_blank", address("https://example.org/гавань"), "at night"),
        link(0x1, path(b"boats\\list\xe9.xls")), link(0x9, path(b"LISTE~1.XLS", "лодки.xls"), "Sheet1!A1"),
        link(0x101, "//server/boats.xls"), link(0x8, "Sheet2!B2"), link(0x11, "cut", address("https://example.org/cut")[:-30]),
        link(0x1, b"another kind of moniker"), link(0x1)[:30]))
    out = record(0x809, struct.pack("<2H12x", 0x600, 5)) + record(0x85, struct.pack("<IHBB", 0, 0, 5, 0) + b"Links") + record(0x0a, b"")
    out += record(0x809, struct.pack("<2H12x", 0x600, 0x10)) + cell(0x203, 0, 1, 0, struct.pack("<d", 40.5)) + sheet
    return compound({"Workbook": pad(out, 4096)})


def linked_bare():
    """Writes the same records as an Excel 5 workbook without a container, for the fuzzer."""
    out = record(0x809, struct.pack("<2H4x", 0x500, 0x10)) + link(0x17, "Shown words", address("https://example.org/keeper"))
    return out + link(0x9, path(b"BOATS.XLS", "лодки.xls"), "Sheet1!A1") + cell(0x203, 0, 1, 0, struct.pack("<d", 40.5)) + record(0x0a, b"")


def book_stream(lock=None):
    name = "Rope stock"
    shared = struct.pack("<2I", 3, 3) + struct.pack("<HB", 4, 0) + b"Hemp"
    shared += struct.pack("<HBH", 5, 8, 1) + b"Manila"[:5] + bytes(4) + struct.pack("<HB", 10, 0) + b"Cano"
    rest = b"\1" + "э роса".encode("utf-16-le")
    out = record(0x809, struct.pack("<2H12x", 0x600, 5))
    if lock:
        out += record(0x2f, lock)
    out += record(0x42, struct.pack("<H", 1200)) + record(0x41e, struct.pack("<HHB", 164, 10, 0) + b"yyyy-mm-dd")
    out += record(0xe0, bytes(20)) + record(0xe0, struct.pack("<2H16x", 0, 164))
    out += record(0x85, struct.pack("<IHBB", 0, 0, len(name), 0) + name.encode())
    out += record(0xfc, shared) + record(0x3c, rest) + record(0x0a, b"")
    out += record(0x809, struct.pack("<2H12x", 0x600, 0x10))
    out += record(0x14, struct.pack("<HB", 56, 0) + b'&L&"Arial,Bold"&12Ropes && lamps&C&KFF0000of &A&RPage &P') + record(0x15, b"")
    out += b"".join(cell(0xfd, row, 0, 0, struct.pack("<I", row)) for row in range(3))
    out += cell(0x203, 0, 1, 0, struct.pack("<d", 40.5)) + cell(0x203, 1, 1, 1, struct.pack("<d", 46082))
    out += cell(0x27e, 2, 1, 0, struct.pack("<I", 12345 << 2 | 3))
    out += cell(0x06, 3, 0, 0, struct.pack("<BB4xH8x", 0, 0, 0xffff)) + record(0x207, struct.pack("<HB", 5, 0) + b"Total")
    return out + record(0x1b6, struct.pack("<10xH6x", 9)) + record(0x3c, b"\0" + b"A margin.") + record(0x0a, b"")


def book(lock=None):
    return compound({"Workbook": pad(book_stream(lock), 4096), "\5SummaryInformation": FACTS})


def values(version):
    """Writes long numbers, truth values, and what is no value: an error."""
    numbers = (4006381333931, 491701234567, 987654321098765, 0.1 + 0.2)
    if version == 2:
        out = record(9, struct.pack("<2H", 2, 0x10))
        out += b"".join(record(3, struct.pack("<2H3xd", 0, column, each)) for column, each in enumerate(numbers))
        return out + b"".join(record(5, struct.pack("<2H3x2B", 1, 0, *each)) for each in ((1, 0), (0, 0), (1, 1))) + record(0x0a, b"")
    out = record(0x809, struct.pack("<2H12x", 0x600, 0x10))
    out += b"".join(cell(0x203, 0, column, 0, struct.pack("<d", each)) for column, each in enumerate(numbers))
    out += b"".join(cell(0x205, 1, column, 0, bytes(each)) for column, each in enumerate(((1, 0), (0, 0), (42, 1))))
    out += b"".join(cell(0x06, 2, column, 0, struct.pack("<BxB3xH8x", *each, 0xffff)) for column, each in enumerate(((1, 1), (1, 0), (2, 42))))
    return out + record(0x0a, b"")


def old_book(version):
    """Writes a sheet of Excel 2 to 4, which is the whole file."""
    kind = {2: 0, 3: 0x200, 4: 0x400}[version]
    out = record(9 + kind, struct.pack("<2H", version, 0x10) + bytes(2 if version > 2 else 0))
    out += record(0x42, struct.pack("<H", 0x8001))
    code = b"yyyy-mm-dd"
    for each in (b"General", code):
        out += record(0x41e if version == 4 else 0x1e, (b"\0\0" if version == 4 else b"") + bytes([len(each)]) + each)
    if version == 2:
        looks = lambda xf: bytes([xf, 0, 0])
        out += record(0x43, bytes(4)) + record(0x43, bytes([0, 0, 1, 0]))
        label = lambda row, text: record(4, struct.pack("<2H", row, 0) + looks(0) + bytes([len(text)]) + text)
        number = lambda row, value, xf: record(3, struct.pack("<2H", row, 1) + looks(xf) + struct.pack("<d", value))
        out += label(0, "Ankertau \xfc".encode("latin-1")) + record(2, struct.pack("<2H", 0, 1) + looks(0) + struct.pack("<H", 41))
        out += number(1, 40.5, 0) + number(2, 32874, 1)
        out += record(6, struct.pack("<2H", 3, 1) + looks(0) + struct.pack("<d", 81.5) + bytes(3))
    else:
        out += record(0x43 + kind, bytes(12)) + record(0x43 + kind, bytes([0, 1]) + bytes(10))
        out += cell(0x204, 0, 0, 0, struct.pack("<H", 10) + "Ankertau \xfc".encode("latin-1"))
        out += cell(0x27e, 0, 1, 0, struct.pack("<I", 41 << 2 | 2)) + cell(0x203, 1, 1, 0, struct.pack("<d", 40.5))
        out += cell(0x203, 2, 1, 1, struct.pack("<d", 32874)) + cell(6 + kind, 3, 1, 0, struct.pack("<d", 81.5) + bytes(4))
    return out + record(0x0a, b"")


def stream5():
    """Writes an Excel 5 workbook as later programs do: its sheet claims to be of Excel 97."""
    name = b"Rope stock"
    out = record(0x809, struct.pack("<2H4x", 0x500, 5)) + record(0x42, struct.pack("<H", 1252))
    out += record(0x85, struct.pack("<IHB", 0, 0, len(name)) + name) + record(0x0a, b"")
    out += record(0x809, struct.pack("<2H4x", 0x600, 0x10))
    return out + cell(0x204, 0, 0, 0, struct.pack("<H", 12) + b"Third column") + record(0x0a, b"")


def word2():
    text = "The keeper's boats\rCaf\xe9 on the pier\r".encode("cp1252")
    stream = bytearray(0x180) + text + bytes(64)
    struct.pack_into("<4H", stream, 0, 0xa5db, 45, 0, 0x409)
    struct.pack_into("<2I", stream, 0x18, 0x180, 0x180 + len(text))
    struct.pack_into("<I", stream, 0x34, len(text))
    return bytes(stream)


def foreign95(words, charset, page, language=0x409, system=0):
    """Writes a Word 95 document of one language with text in another, which at most the first
    font tells."""
    text = words.encode(page)
    font = bytes([12, 0]) + struct.pack("<HBB", 400, charset, 0) + b"Roman\0\0"
    fonts = struct.pack("<H", len(font) + 2) + font
    stream = bytearray(0x400) + text + fonts
    struct.pack_into("<4H", stream, 0, 0xa5dc, 104, 0, language)
    struct.pack_into("<H", stream, 0x12, system)
    struct.pack_into("<2I", stream, 0x18, 0x400, 0x400 + len(text))
    struct.pack_into("<I", stream, 0x34, len(text))
    struct.pack_into("<2I", stream, 0xd0, 0x400 + len(text), len(fonts))
    return compound({"WordDocument": pad(bytes(stream), 4096)})


# ---- PowerPoint

def atom(kind, body, instance=0, version=0):
    return struct.pack("<2HI", instance << 4 | version, kind, len(body)) + body


def text(kind, words, wide=False):
    return atom(3999, struct.pack("<I", kind)) + (
        atom(4000, words.encode("utf-16-le")) if wide else atom(4008, words.encode("latin-1")))


def slides(dual=False):
    persist = lambda number: atom(1011, struct.pack("<I16x", number))
    listed = persist(2) + text(0, "Harbours") + text(1, "Boats come home\rRafts do not") + persist(3) + text(0, "Ночь", True)
    link = lambda *words: atom(4055, atom(4051, bytes(4)) + b"".join(
        atom(4026, each.encode("utf-16-le"), i) for i, each in words), 0, 15)
    linked = atom(1033, link((0, "Гавань"), (1, "https://example.org/pier")) + link((0, "Slide 2"), (3, "257,2,Slide 2")) + atom(4055, bytes(5), 0, 15), 0, 15)
    document = atom(1000, linked + atom(4080, listed, 0, 15) + atom(4080, persist(4), 2, 15), 0, 15)
    comment = atom(4026, "Bo".encode("utf-16-le")) + atom(4026, "Check the lamps".encode("utf-16-le"), 1)
    comments = atom(5000, atom(5002, atom(4026, "___PPT10".encode("utf-16-le")) + atom(5003, atom(12000, comment, 0, 15)), 0, 15), 0, 15)
    objects, offsets = [document, atom(1006, text(4, "A box on the first"), 0, 15), atom(1006, comments, 0, 15),
                        atom(1008, text(2, "Say this aloud"), 0, 15)], []
    stream = atom(1006, text(4, "An old version"), 0, 15)
    for each in objects:
        offsets.append(len(stream))
        stream += each
    directory = len(stream)
    stream += atom(6002, struct.pack("<5I", 4 << 20 | 1, *offsets))
    edit = len(stream)
    stream += atom(4085, struct.pack("<7I", 0, 0, 0, directory, 1, 5, 0))
    user = atom(4086, struct.pack("<3I", 20, 0xe391c05f, edit) + bytes(8))
    streams = {"PowerPoint Document": pad(stream, 4096), "Current User": user}
    if not dual:
        return compound(streams)
    return compound({"PP97_DUALSTORAGE": streams, "PowerPoint Document": b"for PowerPoint 95", "PersistentStorage Directory": bytes(62), "Header": bytes(57)})


# ---- Outlook

def fixed(*properties, header=32):
    return bytes(header) + b"".join(struct.pack("<2HIQ", kind, number, 6, value) for number, kind, value in properties)


def substance(number, value):
    kind = 0x102 if isinstance(value, bytes) else 0x1f
    return "__substg1.0_%04X%04X" % (number, kind), value if kind == 0x102 else value.encode("utf-16-le")


def message():
    tree = dict([substance(0x37, "Лодки at night"), substance(0x0c1a, "Ada Reed"), substance(0x0c1f, "ada@example.org"),
                 substance(0x1035, "<one@example.org>"),
                 substance(0x1009, lzfu(b"{\\rtf1\\ansi The keeper counts the boats.\\par Forty of them.}"))])
    tree["__properties_version1.0"] = fixed((0x39, 0x40, 134167968000000000), (0x3ffd, 3, 1251))
    tree["__recip_version1.0_#00000000"] = dict(
        [substance(0x3001, "Bo Lund"), substance(0x39fe, "bo@example.org")],
        **{"__properties_version1.0": fixed((0x0c15, 3, 1), header=8)})
    tree["__attach_version1.0_#00000000"] = dict(
        [substance(0x3707, "наряд.txt"), substance(0x3701, b"Three ropes are worn.\n")],
        **{"__properties_version1.0": fixed(header=8)})
    return compound(tree)


def message_cut():
    """Writes a message whose text is missing, as the file ends before it."""
    tree = dict([substance(0x37, "The end is missing"), substance(0x1000, "Forty boats. " * 170)])
    tree["__properties_version1.0"] = fixed((0x3ffd, 3, 1251))
    tree["Other"] = bytes(8192)
    return compound(tree, "__substg1.0_1000001F")


def contact():
    """Writes a contact; the properties with names are a mail address, and others with the same
    number or place."""
    tree = dict([substance(0x37, "Ada Reed"), substance(0x3001, "Ada Reed"), substance(0x3a16, "Причал"), substance(0x3a08, "+44 20 7946 0001"),
                 substance(0x3a27, "Whitby"), substance(0x1000, "Keeps the forty boats."), substance(0x8001, "ada@example.org"),
                 substance(0x8002, "At the pier"), substance(0x8003, "Not shown")])
    tree["__properties_version1.0"] = fixed((0x3ffd, 3, 1251))
    tree["__nameid_version1.0"] = {"__substg1.0_00030102": struct.pack("<IHHIHHIHHI", 0x8083, 6, 1, 0x8208, 8, 2, 0x8083, 7, 3, 0x8083)}
    return compound(tree)


def lzfu(data):
    body = b"".join(b"\0" + data[i:i + 8] for i in range(0, len(data), 8))
    return struct.pack("<4I", len(body) + 12, len(data), 0x75465a4c, 0) + body


# ---- Hangul

def hangul(flags=1, lost=0):
    def paragraph(text):
        body = text.encode("utf-16-le")
        head = 67 | min(len(body), 0xfff) << 20
        return struct.pack("<I", head) + (struct.pack("<I", len(body)) if len(body) >= 0xfff else b"") + body

    control = "\2" + "\u4142" * 6 + "\2"
    section = paragraph(control + "등대지기는 배를 센다.\r") + struct.pack("<I", 66 | 4 << 20) + b"\0\0\0\0"
    section += paragraph("Forty\t" + "\u4142" * 6 + "\tboats\r") + paragraph("밧줄 " * 1000 + "\r")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(section) + packer.flush()
    packed = packed[:len(packed) - lost]
    header = pad(b"HWP Document File", 32) + struct.pack("<2I", 0x5000300, flags)
    return compound({"FileHeader": pad(header, 256), "BodyText": {"Section0": packed}})


# ---- RTF

LINKS = rb"""{\rtf1\ansi\ansicpg1252\pard The {\field{\*\fldinst { HYPERLINK "https://example.org/keeper?boats=40&night=1" \\\\o "A tip"}
{\*\datafield 00d0c9ea79f9bace118c8200aa004ba90b0200000017}}{\fldrslt {\cf2\ul keeper}}} counts
{\field{\*\fldinst HYPERLINK \\\\l "ropes"}{\fldrslt ropes}}, {\field\fldedit{\*\fldinst{HYPERLINK "https://example.org/caf\'e9/\u1043?"}}{\fldrslt rafts}}.\par
{\field{\*\fldinst HYPERLINK "https://example.org/{\field{\*\fldinst REF mark}{\fldrslt inner}}" \\\\l "at night"}{\fldrslt Two lines\par in one}} end.\par
{\field{\*\fldinst HYPERLINK "https://example.org/gone"}}{\fldrslt Not of it,} {\field{\*\fldinst PAGE}{\fldrslt 7}} {\field{\*\fldinst HYPERLINK}{\fldrslt none}}\par
{\footnote {\field{\*\fldinst HYPERLINK "https://example.org/note"}{\fldrslt a note}}}After it.\par
{\deleted {\field{\*\fldinst HYPERLINK "https://example.org/deleted"}{\fldrslt struck}}}{\pict {\field{\*\fldinst HYPERLINK "https://example.org/x"}{\fldrslt x}}}
{\field{\*\fldinst HYPERLINK "C:\\\\\\\\boats\\\\\\\\list.doc"}{\fldrslt list}}{\field{\*\fldinst HYPERLINK "https://example.org/open"}{\fldrslt never closed
"""
FONTS = rb"""{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}{\f1\fnil Arial CE;}{\f2\fnil\fcharset0 Arial Cyr;}{\f3\fcharset161 Arial Cyr;}{\f4 Times (Hebrew);}
{\f5 Arial Cyr;\fcharset238}\f6 Arial Tur;\f7 Arial;}{\info{\author Ada Reed}{\operator Bo Lund}{\manager Cy Holm}{\company Harbour board}{\category Piers}}
\pard\f0 Caf\'e9, \f1 p\'f8\'edstav, \f2 \'e3\'e0\'e2\'e0\'ed\'fc, \f3 \'eb\'e9\'ec\'dc\'ed\'e9, \f4 \'f0\'ee\'ec, \f5 p\'f8\'edstav, \f6 li\'fean, \f7 caf\'e9.\par
\f0\cchs186 \'feuv\'ebdra ir \cchs204 \'eb\'ee\'e4\'ea\'e0\plain\f0  caf\'e9\par
{\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt \*\cs12\cf2{\ltrch A link}}}, {\*\unknown not for a reader}{
\*\other nor this}remarked{\*\atnid AR}{\*\atnauthor Dee Ott}{\*\annotation{\*\atndate 1}Check this}.\par}
"""
FORMS = rb"""{\rtf1\ansi\ansicpg1252{\info{\upr{\title Harbour ???}{\*\ud{\title Harbour \u1043?\u1072?\u1074?}}}{\author Ada Reed}}
\pard Know {\mmath{\*\moMath{\mf{\mfPr{\mtype bar}{\*\mctrlPr\f34}}{\mnum {\mr\mscr0 distance}}{\mden{\mr time}}}{\mr = v}}{\mmathPict{\pict 0102}}} by heart.\par
{\mmathPara{\*\moMathPara{\*\moMathParaPr{\mjc3}}{\*\moMath{\mrad{\mradPr{\mdegHide on}}{\mdeg}{\me{\mr tide}}}}}}\par
By {\field{\*\fldinst { FORMDROPDOWN }{\*\formfield{\fftype2\ffres1{\*\ffname Not this}\ffdefres2{\*\ffl oar}{\*\ffl sa\'efl}{\*\ffl tow}}}}{\fldrslt }},
 from {\field{\*\fldinst FORMDROPDOWN{\*\formfield\fftype2\ffres25\ffdefres1{\*\ffl north}{\*\ffl s\u252?d}}}{\fldrslt}},
 in {\field{\*\fldinst FORMDROPDOWN{\*\formfield\fftype2{\*\ffl May}{\*\ffl June}}}{\fldrslt}},
 for {\deleted{\field{\*\fldinst FORMDROPDOWN{\*\formfield\fftype2{\*\ffl salt}}}{\fldrslt}}}{\field{\*\fldinst FORMTEXT{\*\formfield\fftype0{\*\ffdeftext nothing}}}{\fldrslt rope}}.\par
{\*\formfield{\*\ffl No field}}{\*\ffl no list}{\upr{First}}{\upr Text{ twice}{\*\ud{ once}}}{\*\ud  more}\par}
"""
EQUATIONS = rb"""{\rtf1\ansi\ansicpg1252\pard Speed is {\field{\*\fldinst { EQ \\f(distance,time)}}{\fldrslt {}}}.\par
{\deleted{\field{\*\fldinst EQ \\f(one,two)}{\fldrslt}}}At {\field{\*\fldinst { EQ \\* jc3 \\* "Font:Mincho" \\* hps12 \\o\\al(\\s\\up 11(minato),\u28207?)}}{\fldrslt {}}}\u12391? night.\par
{\field{\*\fldinst SYMBOL 97 \\f "Symbol" \\s 12}{\fldrslt\f3\fs24}}-waves and {\field{\*\fldinst SYMBOL 97 \\f "Wingdings"}{\fldrslt}}no sign.\par
To {\field{\*\fldinst MACROBUTTON  NoMacro [{\b the} keeper]}}, {\field{\*\fldinst { GOTOBUTTON ropes see ropes \\* MERGEFORMAT}}{\fldrslt}}.\par}
"""
RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2\outlinelevel1 heading 2;}}
{\info{\title The harbour book}{\author Ada Reed}{\keywords boats, ropes}{\creatim\yr2026\mo3\dy1\hr10\min5}{\*\company Nobody}}{\*\userprops {\propname Project}\proptype30{\staticval Breakwater}}
{\header Running head\par}
\pard\s1 Harbours\par
\pard\s2 Of the north\par
\pard\plain Caf\'e9 on the pier{\footnote A note \emdash  below.} and {\f1 \'c3\'e0\'e2\'e0\'ed\'fc}, {\f2 \'8d\'60}.\line
{\v Hidden. }{\deleted Struck. }A second line with \u1043?\u1072?\u1074\'3f, {\uc0\u8364} and a \{brace\}.\par
{\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt a link}} soft\-ly non\~breaking.\par
\trowd Hemp\cell Forty ells\cell\row
{\pard Before{\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\sp{\sn wzDescription}{\sv A boat \u233?}}{\shptxt \pard{In a box}\par{Second line}\par}}{\shprslt{\*\do{\dptxbxtext\pard In a box\par}}}} and after the box.\par}
{\*\do\dobxpage{\dptxbxtext\pard Old box\par}}{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv The pier}}}\pngblip 0102}}{\nonshppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv The pier}}}\wmetafile8 0102}}\pard\par
{\pict\wmetafile8 0102030405}{\*\unknown Not this}{\bin4 }{}\x}\pard The end.\par}
"""


def main(target):
    files = {
        "legacy-word.doc": word(), "legacy-locked.doc": word(0x100), "legacy-word95.doc": word95(), "legacy-links.doc": links(), "legacy-forms.doc": forms(), "legacy-equations.doc": equations(), "legacy-symbols.doc": symbols(), "legacy-deletions.doc": deletions(), "legacy-linked.xls": linked(), "legacy-linked-bare.xls": linked_bare(),
        "legacy-cut.doc": word()[:1500], "legacy-sheet.xls": book(), "legacy-sealed.xls": book(bytes(6)),
        "legacy-values.xls": compound({"Workbook": pad(values(8), 4096)}), "legacy-values-excel2.xls": values(2),
        "legacy-excel2.xls": old_book(2), "legacy-excel3.xls": old_book(3), "legacy-excel4.xls": old_book(4),
        "legacy-excel2-cut.xls": old_book(2)[:70], "legacy-excel5.xls": compound({"BOOK": pad(stream5(), 4096)}), "legacy-word2.doc": word2(),
        "legacy-foreign.doc": foreign95("Сторож считает лодки и плоты у старого причала.\r", 0, "cp1251"),
        "legacy-font.doc": foreign95("Před řekou\r", 238, "cp1250"),
        "legacy-hangul.hwp": hangul(), "legacy-hangul-sealed.hwp": hangul(3), "legacy-hangul-cut.hwp": hangul(1, 40),
        "legacy-mac.doc": foreign95("Fran\xe7ais \xe0 l\u2019\xe9cole\r", 0, "mac_roman", 0x40c, 1),
        "legacy-show.ppt": slides(), "legacy-dual.ppt": slides(dual=True), "legacy-mail-cut.msg": message_cut(), "legacy-lost.doc": compound({"Other": bytes(8192), "Word": bytes(4096)}, "Word"), "legacy-mail.msg": message(), "legacy-contact.msg": contact(), "rtf-text.rtf": RTF,
        "ooxml-encrypted.docx": compound({"EncryptedPackage": bytes(4096), "EncryptionInfo": bytes(64)}),
        "rtf-cut.rtf": RTF[:600], "rtf-fonts.rtf": FONTS, "rtf-forms.rtf": FORMS, "rtf-equations.rtf": EQUATIONS, "rtf-links.rtf": LINKS.replace(b"\\\\\\\\", b"\\\\"), "rtf-deep.rtf": b"{\\rtf1 " + b"{" * 3000 + b"deep" + b"}" * 3000 + b" shallow}",
    }
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
