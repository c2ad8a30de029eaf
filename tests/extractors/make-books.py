#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-books.py DIRECTORY: writes the e-books of PalmDOC and Mobipocket, the scan, the compiled help
and the winmail.dat among the fixtures.

The results are kept in data/; run this only to change them."""
import os
import struct
import sys

TEXT = b"<html><body><h1>Harbours</h1><p>The keeper counts the boats.</p><p>Forty of them.</p></body></html>"


def palm_database(name, kind, records):
    at, index = 78 + 8 * len(records) + 2, b""
    for number, record in enumerate(records):
        index += struct.pack(">II", at, number)
        at += len(record)
    head = struct.pack(">32sHH6I8s2IH", name, 0, 0, 0, 0, 0, 0, 0, 0, kind, 0, 0, len(records))
    return head + index + bytes(2) + b"".join(records)


def book(text=TEXT):
    return palm_database(b"Harbours", b"TEXtREAd", [struct.pack(">HHIHHI", 1, 0, len(text), 1, 4096, 0), text])


def mobipocket(date, encryption=0):
    """A book with the facts of an EXTH header and a link to a place in its text."""
    text = b"<html><body><h1>Moorings</h1><p>Every rope has a <a filepos=0000000012>name</a>.</p></body></html>"
    title = b"Moorings at night"
    facts = {100: b"Ines Falk", 103: b"Ropes &amp; knots.", 105: b"Harbours", 106: date, 524: b"en"}
    exth = b"".join(struct.pack(">II", kind, 8 + len(value)) + value for kind, value in facts.items())
    exth = b"EXTH" + struct.pack(">II", 12 + len(exth), len(facts)) + exth + bytes(-len(exth) % 4)
    # The places of the numbers are counted from the beginning of the record; 0xffffffff means none.
    size, title_at = 232, 16 + 232 + len(exth)
    numbers = {20: size, 24: 2, 28: 65001, 32: 1, 36: 6, 80: 2, 84: title_at, 88: len(title), 92: 9, 104: 6,
               108: 2, 112: 0, 116: 0, 128: 0x40, 240: 0}
    header = bytearray(b"MOBI" + b"\xff" * (size - 4))
    for place, value in numbers.items():
        struct.pack_into(">I", header, place - 16, value)
    first = struct.pack(">HHIHHHH", 1, 0, len(text), 1, 4096, encryption, 0) + header + exth + title + bytes(2)
    return palm_database(b"Moorings", b"BOOKMOBI", [first, text, b"\xe9\x8e\r\n"])


def attribute(level, kind, data):
    return struct.pack("<BII", level, kind, len(data)) + data + struct.pack("<H", sum(data) & 0xffff)


def prop(number, kind, data):
    return struct.pack("<HHII", kind, number, 1, len(data)) + data + bytes(-len(data) % 4)


def winmail():
    body = prop(0x1000, 0x1e, b"The ropes are worn.\0")
    out = struct.pack("<IH", 0x223e9f78, 1) + attribute(1, 0x00089006, struct.pack("<I", 0x10000))
    out += attribute(1, 0x00018004, b"Boats at night\0") + attribute(1, 0x00069003, struct.pack("<I", 1) + body)
    out += attribute(2, 0x00069002, bytes(14)) + attribute(2, 0x00018010, b"orders.txt\0")
    return out + attribute(2, 0x0006800f, b"Bring three lamps.\n")


def number(value):
    """Encodes a number as directories of compiled help do: seven bits in each byte, the highest
    first."""
    out = bytes([value & 127])
    while value > 127:
        value >>= 7
        out = bytes([value & 127 | 128]) + out
    return out


def compiled_help():
    page = "<html><head><title>%s</title></head><body><h1>%s</h1><p>%s</p></body></html>"
    system = struct.pack("<IHH", 3, 3, 13) + b"Signal lamps\0"
    files = {"/#SYSTEM": system, "/oil.html": (page % ("Oil", "Oil", "Two cans for each night.")).encode(),
             "/wick.htm": (page % ("Wick", "The wick", "Cut it at noon.")).encode(), "/lamp.png": b"\x89PNG"}
    entries, content = b"", b""
    for name, data in files.items():
        entries += number(len(name)) + name.encode() + number(0) + number(len(content)) + number(len(data))
        content += data
    size = 4096
    chunk = b"PMGL" + struct.pack("<IIii", size - 20 - len(entries), 0, -1, -1) + entries
    chunk += bytes(size - 2 - len(chunk)) + struct.pack("<H", len(files))
    directory = b"ITSP" + struct.pack("<IIIIIIiIIIII", 1, 0x54, 10, size, 2, 1, -1, 0, 0, 0xffffffff, 1, 0x409)
    directory += bytes(16) + struct.pack("<Iiii", 0x54, -1, -1, -1) + chunk
    data_at = 0x60 + 0x18 + len(directory)
    head = b"ITSF" + struct.pack("<IIIII", 3, 0x60, 1, 0, 0x409)
    head += bytes.fromhex("10fd017caa7bd0119e0c00a0c922e6ec11fd017caa7bd0119e0c00a0c922e6ec")
    head += struct.pack("<QQQQQ", 0x60, 0x18, 0x78, len(directory), data_at)
    return head + struct.pack("<IIQII", 0x1fe, 0, data_at + len(content), 0, 0) + directory + content


def chunk(name, data):
    return name + struct.pack(">I", len(data)) + data + bytes(len(data) % 2)


def zone(kind, start, length, children=b"", count=0):
    """Packs x, y, width, height, start relative to the zone before, length of text; all numbers
    but the last two are biased."""
    return struct.pack(">BHHHHH", kind, 0x8000, 0x8000, 0x8064, 0x8064, 0x8000 + start) + length.to_bytes(3, "big") + \
        count.to_bytes(3, "big") + children


def scan():
    first, second = b"The bell is rung in fog, and the light-\nhouse answers.\x1f", b"Nobody sleeps.\x1f"
    zones = zone(5, 0, len(first)) + zone(5, 0, len(second))
    text = first + second
    layer = len(text).to_bytes(3, "big") + text + b"\1" + zone(1, 0, len(text), zones, 2)
    info = struct.pack(">HHBB", 100, 100, 24, 0) + struct.pack("<H", 300) + b"\x16\1"
    facts = b'(metadata (title "Fog bells") (author "Ines Falk"))'
    body = b"DJVU" + chunk(b"INFO", info) + chunk(b"ANTa", facts) + chunk(b"TXTa", layer)
    return b"AT&T" + chunk(b"FORM", body)


# The output of `bzz -e` for a text layer with column and paragraphs, and of annotations.
PACKED_LAYER = bytes.fromhex("""
    ffff82883f3c7f633b5b14d79bd21817f27b25adac3c7746bb4af9488355cd6b2975755c2f66f5af514237e987d727a7b77147042c878897519dc9d6
    7281c29ba4767c5ccd9be10f1cfa7895b218f78b4f4f""")
PACKED_NOTES = bytes.fromhex("""
    ffff73feb6ce7a0429535d1d52162f4917c0a7be14483bd9571cd83a3cd8ef3fb4290ae2bf3c8872e76336abcce98684426bd7c86fbf4bfc85594996
    a2319ff2969736aa8ff38ec0226a4cc25a7da37ade004c2762a8d69d45c893d0f1155be2555e877840c5eaa031""")


def bundle(flags, layer=PACKED_LAYER, late=False):
    """A book of a part that all pages share, which stands before or behind them, and of two pages;
    the second has no marked paragraphs."""
    first = chunk(b"FORM", b"DJVU" + chunk(b"TXTz", layer))
    plain = b"Das Nebelhorn schweigt."
    second = chunk(b"FORM", b"DJVU" + chunk(b"TXTa", len(plain).to_bytes(3, "big") + plain))
    shared = chunk(b"FORM", b"DJVI" + chunk(b"ANTz", PACKED_NOTES))
    parts = (first + second + shared if late else shared + first + second) if flags & 0x80 else b""
    return b"AT&T" + chunk(b"FORM", b"DJVM" + chunk(b"DIRM", bytes([flags, 0, 3])) + parts)


def main(target):
    files = {"chm-lamps.chm": compiled_help(), "chm-cut.chm": compiled_help()[:900],
             "djvu-scan.djvu": scan(), "djvu-cut.djvu": scan()[:60],
             "djvu-book.djvu": bundle(0x81), "djvu-parts.djvu": bundle(1), "djvu-late.djvu": bundle(0x81, late=True), "djvu-damaged.djvu": bundle(0x81, PACKED_LAYER[:40]),
             "mobi-ropes.mobi": mobipocket(b"2019-05-03T22:30:00-04:00"), "mobi-sealed.mobi": mobipocket(b"2019", 2),
             "mobi-undated.mobi": mobipocket(b"spring"), "mobi-palm.pdb": book(), "mobi-cut.pdb": book()[:150], "tnef-mail.dat": winmail(), "tnef-cut.dat": winmail()[:120]}
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
