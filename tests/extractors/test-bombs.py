#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-bombs.py - small files that unpack to very large ones stay within the limits of the
sandbox, and files that end nothing that they begin take a time that grows with their size only

Each file is made here. Its conversion ends within a few seconds with the state and reason given
here."""
import gzip
import hashlib
import io
import os
import re
import struct
import subprocess
import tarfile
import time
import zipfile
import zlib

SECONDS = 30  # under sanitizers on a busy machine; seldom over 3
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
OPEN = "http://schemas.openxmlformats.org/"
MEGABYTE = 1 << 20


def package(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def letters(size):
    """Returns a raw deflate stream of this many letters."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(packer.compress(b"a" * MEGABYTE) for _ in range(size // MEGABYTE)) + packer.flush()


def gzip_bomb():
    size = 1 << 30
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + letters(size) + struct.pack("<II", 0, size & 0xffffffff)


def overlapping_zip(entries=100, size=8 * MEGABYTE):
    """Makes a zip in which the data of each entry holds the header of the next entry in a stored
    block, and then the data of that entry (D. Fifield, "A better zip bomb", 2019): all entries
    share one kernel."""
    plain, tail, central, at = b"a" * size, letters(size), [], 0
    for number in reversed(range(entries)):
        name = b"%04d" % number
        fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x5c21, zlib.crc32(plain), len(tail), len(plain), len(name), 0)
        header = b"PK\3\4" + fields + name
        central.append((fields, name, at))
        block = struct.pack("<BHH", 0, len(header), len(header) ^ 0xffff)
        tail = block + header + tail
        plain = header + plain
        at += len(block) + len(header)
    data, directory = tail[5:], b""
    for fields, name, behind in reversed(central):
        offset = at - behind - 30 - len(name) - 5
        directory += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, offset) + name
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, entries, entries, len(directory), len(data), 0)
    return data + directory + end


def nested_zip(depth):
    data = package({"core.txt": "The innermost text"})
    for level in range(depth):
        data = package({"level%d.zip" % level: data})
    return data


def many_names(count):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("n")
        header = info.tobuf()
    return gzip.compress(header * count + bytes(1024), 1)


def odf(body, head=""):
    spaces = " ".join('xmlns:%s="%s%s:1.0"' % (name, OASIS, name) for name in ("office", "text", "table"))
    content = head + ("<office:document-content %s><office:body>%s</office:body></office:document-content>" % (spaces, body))
    return package({"mimetype": "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml": "<m/>",
                    "content.xml": content})


def laughs():
    entities = '<!ENTITY e0 "ha">' + "".join('<!ENTITY e%d "%s">' % (i, "&e%d;" % (i - 1) * 10) for i in range(1, 12))
    return odf("<office:text><text:p>Before &e11; <text:a text:x='&e11;'>behind</text:a></text:p></office:text>",
               "<!DOCTYPE x [%s]>" % entities)


def repeated_cells():
    row = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384">' \
        "<text:p>cell</text:p></table:table-cell></table:table-row>"
    return odf("<office:spreadsheet><table:table table:name='T'>%s</table:table></office:spreadsheet>" % (row * 1000))


def deep_xml():
    return odf("<office:text>" + "<text:section>" * 200000 + "<text:p>deep</text:p></office:text>")


def large_part():
    return odf("<office:text><text:p>" + "a " * (150 * MEGABYTE) + "</text:p></office:text>")


def book(strings, rows):
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    links = "%sofficeDocument/2006/relationships" % OPEN

    def related(*rows):
        return '<Relationships xmlns="%spackage/2006/relationships">%s</Relationships>' % (OPEN, "".join(
            '<Relationship Id="%s" Type="%s/%s" Target="%s"/>' % (name, links, what, target) for name, what, target in rows))
    space = 'xmlns="%sspreadsheetml/2006/main" xmlns:r="%s"' % (OPEN, links)
    return package({
        "[Content_Types].xml": '<Types xmlns="%spackage/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="%s"/></Types>'
        % (OPEN, kind),
        "_rels/.rels": related(("r1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": '<workbook %s><sheets>%s</sheets></workbook>' % (space, '<sheet name="S" r:id="r1"/>' * 30000),
        "xl/_rels/workbook.xml.rels": related(("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml")),
        "xl/sharedStrings.xml": "<sst %s>%s</sst>" % (space, strings),
        "xl/worksheets/sheet1.xml": "<worksheet %s><sheetData><row>%s</row></sheetData></worksheet>" % (space, rows)})


def large_members():
    """Makes members that do not fit into memory: a text, whose beginning is read, and another
    file, of which nothing is read."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in (("log", b"firstword\n" + b"2023-01-05 12:00:00 a line of the log\n" * (4 * MEGABYTE)), ("disk", bytes(140 * MEGABYTE)), ("last", b"lastword")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def repeated(head, piece, megabytes=8):
    return lambda: head + piece * (megabytes * MEGABYTE // len(piece))


LATEX, ROFF, PROGRAM, XML = b"\\begin{document}\n", b".TH A 1\n.SH NAME\n", b"%!PS-Adobe-3.0\n", b"<?xml version=\"1.0\"?><a>"

# 120 million letters as brotli 1.0.9 compresses them
BROTLI = bytes.fromhex("cfffff7f0024c2e2b14072effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffe7ffff3f001200715800baf7"
                       "fffcffff074002200e0b40f7fe9fffffff004800c46101e8defff3ffff1f000980382c00ddfbfffc6f38012001108705a05b"
                       "7002")

# name, bytes, required text of the last frame, text required in all frames, forbidden text
BOMBS = [
    ("zeros.txt.gz", gzip_bomb, "END ok (memory|unpacked)-limit truncated", "DOC .* \"zeros.txt\"", None),
    ("zeros.txt.br", lambda: BROTLI, "END ok unpacked-limit truncated", "DOC .* \"zeros.txt\"", None),
    ("overlap.zip", overlapping_zip, "END ok unpacked-limit truncated", None, None),
    ("nested.zip", lambda: nested_zip(20), "END ok none", "END ok depth-limit truncated", "innermost"),
    ("large.tar", large_members, "END ok memory-limit truncated", 'DOC .* "log"(.|\n)*firstword(.|\n)*DOC .* "disk"\n *END failed memory-limit(.|\n)*lastword', None),
    ("names.tar.gz", lambda: many_names(100000), "END ok members-limit truncated", None, None),
    ("laughs.odt", laughs, "END ok damaged truncated", "Before", "haha"),
    ("cells.ods", repeated_cells, "END ok none", "cell", None),
    ("deep.odt", deep_xml, "END ok damaged truncated", None, None),
    ("large.odt", large_part, "END ok (text-limit|unpacked-limit) truncated", None, None),
    ("shared.xlsx", lambda: book("<si><t>%s</t></si>" % ("word " * 200000), '<c t="s"><v>0</v></c>' * 100000),
     "END ok text-limit truncated", None, None),
    ("hashes.txt", lambda: b"".join(hashlib.sha256(b"%d" % n).hexdigest().encode() + b"\n" for n in range(200000)), "END ok", None, None),
    ("strings.xlsx", lambda: book("<si/>" * 3000000, '<c t="s"><v>2999999</v></c>'), "END ok", None, None),
    ("options.tex", repeated(LATEX, b"\\cite["), "END ok", None, None),
    ("characters.1", repeated(ROFF, b"\\["), "END ok", None, None),
    ("fonts.ps", repeated(PROGRAM, b"%%BeginFont\n"), "END nothing", None, None),
    ("base85.ps", repeated(PROGRAM, b"<~"), "END nothing", None, None),
    ("sections.xml", repeated(XML, b"&uuml;<![CDATA["), "END ok damaged truncated", None, None),
    # AddressSanitizer looks at all of the rest in each call of memmem()
    ("empty.xml", lambda: repeated(XML, b"<![CDATA[]]>", 4)() + b"&uuml;</a>", "END ok none", "\u00fc", None),
    ("feeds.txt", repeated(b"a", b"\f", 1), "END ok", None, None),
    ("pages.txt", repeated(b"a", b"\fa", 4), "END ok", None, None),
]


def convert(path):
    start = time.monotonic()
    try:
        frames = subprocess.run([os.environ["TARSIER_EXTRACT"], "--file", path], capture_output=True, timeout=SECONDS).stdout
    except subprocess.TimeoutExpired:
        return None, SECONDS
    return frames.decode(errors="replace"), time.monotonic() - start


def judge(name, frames, last, wanted, unwanted):
    lines = [line for line in (frames or "").splitlines() if line.startswith("END")]
    if frames is None:
        return "it did not end"
    if not lines or not re.match(last, lines[-1]):
        return "it ended with %r" % (lines[-1:] or frames[-200:])
    if wanted and not re.search(wanted, frames):
        return "%r is missing" % wanted
    if unwanted and re.search(unwanted, frames):
        return "%r came out" % unwanted
    return None


def main():
    print("1..%d" % len(BOMBS))
    for number, (name, make, last, wanted, unwanted) in enumerate(BOMBS, 1):
        path = os.path.join(os.environ["TEST_TMP"], name)
        with open(path, "wb") as file:
            file.write(make())
        size = os.path.getsize(path)
        frames, seconds = convert(path)
        problem = judge(name, frames, last, wanted, unwanted)
        print("%s %d - %s (%d KiB) stays within its limits, %.1f s" % ("not ok" if problem else "ok", number, name, size >> 10, seconds))
        if problem:
            print("# " + problem)
        os.unlink(path)


main()
