#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-objects.py DIRECTORY: writes the fixtures that have other documents and files inside
(MS-OLEDS).

The results are kept in data/; run this only to change them."""
import binascii
import importlib.util
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, "make-%s.py" % name))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


legacy, packages = load("legacy"), load("packages")
compound, atom = legacy.compound, legacy.atom


def old_word(words):
    """Returns the only stream of Word 95."""
    text = words.encode("cp1252")
    stream = bytearray(0x400) + text
    struct.pack_into("<4H", stream, 0, 0xa5dc, 104, 0, 0x409)
    struct.pack_into("<2I", stream, 0x18, 0x400, 0x400 + len(text))
    struct.pack_into("<I", stream, 0x34, len(text))
    return legacy.pad(bytes(stream), 4096)


def native(data, label=b"boats.txt", path=b"C:\\harbour\\boats.txt", copy=b"C:\\Temp\\boats.txt\0"):
    """Writes an embedded file, without its size in front."""
    return (struct.pack("<H", 2) + label + b"\0" + path + b"\0" + struct.pack("<2HI", 0, 3, len(copy)) + copy
            + struct.pack("<I", len(data)) + data)


def sized(data):
    return struct.pack("<I", len(data)) + data


def drawing(**streams):
    return dict({"\1CompObj": b"\1\0\xfe\xff"}, **streams)


OBJECTS = {
    "_1": drawing(WordDocument=old_word("A document of its own\r"), Deeper={"Stream": b"ropes"}),
    "_2": {"\1Ole10Native": sized(native(b"Forty boats in a file\n"))},
    "_3": {"Package": packages.tiny_word("A newer document"), "\1CompObj": b""},
    "_4": {"Equation Native": b"not for a reader"},
    "_5": {"contents": b"what a button says"},
    "_6": {"\1Ole10Native": sized(b"BMnot a file of its own")},
    "_7": {"\1Ole10Native": sized(native(b"cut short"))[:30]},
    "_8": {"CONTENTS": b"{\\rtf1 Of another program}"},
}


def slides(*objects):
    def shape(text, place=None):
        data = atom(0xf011, atom(3011, struct.pack("<IBBH", 0, place, 0, 0)), 0, 15) if place else b""
        return atom(0xf004, data + atom(0xf00d, legacy.text(4, text), 0, 15), 0, 15)

    persist = lambda number: atom(1011, struct.pack("<I16x", number))
    margins = atom(4057, atom(4058, bytes(4)) + atom(4026, "A foot".encode("utf-16-le"), 2), 3, 15)
    document = atom(1000, atom(4080, persist(3), 1, 15) + margins + atom(4080, persist(2) + legacy.text(0, "Harbours"), 0, 15)
                    + atom(4080, persist(4), 2, 15), 0, 15)
    master = shape("On each slide") + shape("Click here", 1) + shape("At the foot", 9) + shape("*", 8)
    stream, offsets = b"", []
    for each in (document, atom(1006, legacy.text(4, "On the slide") + art((0x381, "A gull")), 0, 15), atom(1016, atom(1036, master, 0, 15), 0, 15),
                 atom(1008, legacy.text(4, "Head of a note"), 0, 15), *objects):
        offsets.append(len(stream))
        stream += each
    directory = len(stream)
    stream += atom(6002, struct.pack("<%dI" % (len(offsets) + 1), len(offsets) << 20 | 1, *offsets))
    edit = len(stream)
    stream += atom(4085, struct.pack("<7I", 0, 0, 0, directory, 1, 5, 0))
    user = atom(4086, struct.pack("<3I", 20, 0xe391c05f, edit) + bytes(8))
    return compound({"PowerPoint Document": legacy.pad(stream, 4096), "Current User": user})


def shown():
    word = compound({"WordDocument": old_word("Shown on a slide\r")})
    plain = compound({"Package": packages.tiny_word("Not deflated")})
    return slides(atom(4113, struct.pack("<I", len(word)) + zlib.compress(word), 1), atom(4113, plain), atom(4113, b"\0\0\0\0x\x9c...", 1))


def book():
    sheet = legacy.record(0x809, struct.pack("<2H12x", 0x600, 0x10)) + legacy.cell(0x203, 0, 1, 0, struct.pack("<d", 40.5))
    return compound({"Workbook": legacy.pad(sheet + legacy.record(0x0a, b""), 4096), "MBD0001": OBJECTS["_1"], "_SX": OBJECTS["_2"]})


def text_document():
    parts = {"[Content_Types].xml": packages.types("word/document.xml", "wordprocessingml.document"),
             "_rels/.rels": packages.relations(("r1", "officeDocument", "word/document.xml")),
             "word/document.xml": packages.w("document", "<w:body>" + packages.p("The harbour book") + "</w:body>"),
             "word/_rels/document.xml.rels": packages.relations(
                 ("r1", "oleObject", "embeddings/oleObject1.bin"), ("r2", "oleObject", "embeddings/oleObject2.bin"),
                 ("r3", "oleObject", "embeddings/old.doc"), ("r4", "oleObject", "embeddings/activeX.bin")),
             "word/embeddings/oleObject1.bin": compound(OBJECTS["_2"]), "word/embeddings/oleObject2.bin": compound(OBJECTS["_4"]),
             "word/embeddings/old.doc": compound(OBJECTS["_1"]), "word/embeddings/activeX.bin": b"not a file"}
    return packages.package(parts)


def rich_text():
    """Writes the numbers, the class, no file, no item, and the bytes."""
    def old(kind, data, form=2):
        return binascii.hexlify(struct.pack("<3I", 0x501, form, len(kind) + 1) + kind + b"\0" + bytes(8) + sized(data))

    objects = old(b"Package", native(b"Three ropes are worn\n")), old(b"Word.Document.6", compound(OBJECTS["_1"])), old(b"Link", b"x", 1)
    group = b"{\\object\\objemb{\\*\\objclass Package}{\\*\\objdata %s\n%s}{\\result Shown instead}}"
    return b"{\\rtf1\\ansi Before " + b", ".join(group % (each[:99], each[99:]) for each in objects) + b" and behind.\\par}"


# ---- drawings

def properties(*pairs, kind=0xf00b):
    """Writes the properties of a shape (MS-ODRAW 2.2.9); texts follow the table."""
    table, texts = b"", b""
    for number, value in pairs:
        text = (value + "\0").encode("utf-16-le") if isinstance(value, str) else None
        table += struct.pack("<HI", number | (0x8000 if text else 0), len(text) if text else value)
        texts += text or b""
    return atom(kind, table + texts, len(pairs), 3)


def art(*pairs):
    return atom(0xf004, atom(0xf00a, bytes(8), 75, 2) + properties((0x7f, 3), *pairs) + properties((0x381, "Behind it"), kind=0xf122), 0, 15)


def drawn_word():
    build, legacy.compound = legacy.compound, lambda tree: tree
    tree, legacy.compound = legacy.word(), build
    stream, table = bytearray(tree["WordDocument"]), tree["1Table"]
    groups = atom(0xf000, properties((0x181, 5)), 0, 15) + b"\0" + atom(0xf002, atom(0xf003, art((0xc0, "Only a dr\u00e4ft")), 0, 15), 0, 15)
    # category, manager and company are in the first section of the second set
    more = bytearray(legacy.summary({1: 1252, 2: b"Piers; Boats", 14: b"Cy Holm", 15: b"Harbour board"}))
    tree["\5DocumentSummaryInformation"] = bytes(more)
    owners = b"".join(struct.pack("<H", len(name)) + name.encode("utf-16-le") for name in ("Ryan L\u00f8ck", "Bo"))
    struct.pack_into("<2I", stream, 0x22a, len(table), len(groups))
    struct.pack_into("<2I", stream, 0x1ba, len(table) + len(groups), len(owners))
    inline = [struct.pack("<IHH60x", 0x44 + len(name) + len(each), 0x44, kind) + name + each for kind, name, each in (
        (0x64, b"", art((0x381, "A gull on the pier"))), (0x66, b"\x05a.jpg", art((0x381, "A second gull"))), (0x08, b"", b"not a drawing"))]
    return compound(dict(tree, WordDocument=bytes(stream), Data=b"".join(inline) + b"\xff" * 100, **{"1Table": table + groups + owners}))


def drawn_book():
    note = legacy.record(0x1c, struct.pack("<4HHB", 0, 0, 0, 1, 3, 0) + b"Ada\0")
    chart = legacy.record(0x809, struct.pack("<2H12x", 0x600, 0x20)) + b"".join(
        legacy.record(0x100d, struct.pack("<HBB", 0, len(name), 1) + name.encode("utf-16-le")) for name in ("Boats a y\u00e9ar", "Lost"))
    sheet = legacy.record(0x809, struct.pack("<2H12x", 0x600, 0x10)) + legacy.cell(0x203, 0, 1, 0, struct.pack("<d", 40.5))
    sheet += legacy.record(0xec, atom(0xf002, art((0x381, "The harbour from above")), 0, 15)) + note + chart
    return compound({"Workbook": legacy.pad(sheet + legacy.record(0x0a, b"") * 2, 4096)})


def publication():
    """Writes the text of a publication, but no pages."""
    text = "The harbour\rBoats\vgo out at n\u00eeght".encode("utf-16-le")
    entries = (b"TEXT", 0x200, len(text)), (b"FDPP", 0x200, 9), (b"TEXT", 0x200, 0xffffffff), (b"TEXT", 0xffffff00, 10)
    table = b"".join(struct.pack("<H4s3H4sII", 0x18, kind, 0, 0, 0, kind, at, size)[:24] for kind, at, size in entries)
    stream = legacy.pad(b"CHNKINK ", 0x20) + table
    return compound({"Quill": {"QuillSub": {"CONTENTS": legacy.pad(stream, 0x200) + text}}, "Contents": b"not for libmspub"})


def main(target):
    files = {
        "legacy-objects.doc": compound({"WordDocument": old_word("The harbour\r"), "ObjectPool": OBJECTS}), "legacy-objects-book.xls": book(),
        "legacy-objects-slides.ppt": shown(), "ooxml-objects.docx": text_document(), "rtf-objects.rtf": rich_text(), "vintage-quill.pub": publication(),
        "legacy-drawn.doc": drawn_word(), "legacy-drawn-book.xls": drawn_book(),
        "odf-objects.odt": packages.odf("text", "text", "<text:p>The harbour book</text:p>", **{
            "Object 1": compound(OBJECTS["_1"]), "Object 2": b"not a file", "ObjectReplacements/Object 1": b"a picture"}),
    }
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
