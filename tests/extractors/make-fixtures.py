#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-fixtures.py DIRECTORY: writes the fixtures that no editor writes: PDFs, and pages in odd
charsets.

The results are kept in data/; run this only to change them. The encrypted ones need qpdf."""
import base64
import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib
import png_file


def ber(tag, body, whole=True):
    """Encodes an element. If it is not whole, its length is indefinite, which only an element
    that contains elements may have."""
    if not whole:
        return bytes([tag, 0x80]) + body + b"\0\0"
    size = bytes([len(body)]) if len(body) < 128 else b"\x82" + struct.pack(">H", len(body))
    return bytes([tag]) + size + body


def cms(kind, content, whole=False):
    """Puts content into a signature without a signer."""
    oid = lambda number: ber(6, bytes.fromhex("2a864886f70d0107%02x" % number))
    middle = len(content) // 2
    octets = ber(4, content) if whole else ber(0x24, ber(4, content[:middle]) + ber(4, content[middle:]), False)
    inner = ber(2, b"\1") + ber(0x31, b"") + ber(0x30, oid(1) + ber(0xa0, octets, whole), whole) + ber(0x31, b"")
    return ber(0x30, oid(kind) + ber(0xa0, ber(0x30, inner, whole), whole), whole)


def bencoded(value):
    """Encodes a value as BitTorrent does (BEP 3); keys keep their order."""
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return b"%d:%s" % (len(value), value)
    if isinstance(value, dict):
        return b"d%se" % b"".join(bencoded(key) + bencoded(value[key]) for key in value)
    return b"l%se" % b"".join(map(bencoded, value))


def torrents():
    """Writes version 1 with many files, version 2 with a tree, and an old file in another
    charset."""
    pieces = bytes(range(20))
    harbour = bencoded({
        "announce": "udp://tracker.example.org:6969", "announce-list": [["udp://tracker.example.org:6969"],
                                                                        ["https://other.example.org/announce"]],
        "comment": "Drawings of the lighthouse", "created by": "keeper 1.2", "creation date": 1772359200,
        "info": {"files": [{"length": 900, "path": ["north pier", "lamp.odt"]},
                           {"length": 40, "path": ["Grüße.txt"]}],
                 "name": "Harbour drawings", "piece length": 16384, "pieces": pieces}})
    tree = bencoded({"info": {"file tree": {"music": {"foghorn.flac": {"": {"length": 7}},
                                                      "bells": {"noon.flac": {"": {"length": 8}}}}},
                              "meta version": 2, "name": "Sounds of the harbour", "piece length": 16384}})
    old = bencoded({"announce": "http://tracker.example.org/", "encoding": "windows-1251",
                    "info": {"length": 5, "name": "Маяк ночью.avi".encode("cp1251"), "piece length": 16384,
                             "pieces": pieces}})
    return {"torrent-files.torrent": harbour, "torrent-tree.torrent": tree, "torrent-charset.torrent": old,
            "torrent-cut.torrent": harbour[:harbour.index(b"Gr")]}


def pdf(objects, root=1, info=None, damage=False):
    """Writes a PDF. objects: number -> bytes, streams as (dictionary, data)."""
    out, offsets = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n", {}
    for number in sorted(objects):
        body = objects[number]
        offsets[number] = len(out)
        if isinstance(body, tuple):
            body = b"<<%s/Length %d>>stream\n%s\nendstream" % (body[0], len(body[1]), body[1])
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, count = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count
    for number in range(1, count):
        out += b"%010d 00000 n \n" % (offsets.get(number, 0) + (7 if damage else 0))
    trailer = b"/Size %d/Root %d 0 R" % (count, root)
    if info:
        trailer += b"/Info %d 0 R" % info
    return out + b"trailer\n<<%s>>\nstartxref\n%d\n%%%%EOF\n" % (trailer, 99 if damage else start)


def lines(*texts, x=72, y=720, size=12, lead=15):
    out = b"BT /F1 %d Tf %d %d Td %d TL\n" % (size, x, y, lead)
    for text in texts:
        out += b"(%s) Tj T*\n" % text.replace(b"(", b"\\(").replace(b")", b"\\)")
    return out + b"ET\n"


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def page(parent, contents, extra=b""):
    return (b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            b"/Contents %d 0 R%s>>" % (parent, contents, extra))


def basic():
    first = lines(b"1 Of lanterns", size=20) + lines(
        b"A lantern in the harbour burns through the night while the keep-",
        b"er counts the boats that come home before the storm has reached",
        b"the outer wall.", y=690) + lines(b"Second paragraph, apart from the first one.", y=600)
    second = lines(b"Of ropes", size=20) + lines(b"Rope", b"Hemp", y=680) + lines(
        b"Length", b"Forty", x=300, y=680)
    return {
        1: b"<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/PageLabels<</Nums[0<</S/r>>1<</S/D/St 1>>]>>>>",
        2: b"<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>",
        3: FONT,
        4: page(2, 5, b"/Annots[12 0 R]"),
        5: (b"/Filter/FlateDecode", zlib.compress(first)),
        6: page(2, 7),
        7: (b"", second),
        8: b"<</Type/Outlines/First 9 0 R/Last 11 0 R/Count 3>>",
        9: b"<</Title(Of lanterns)/Parent 8 0 R/Next 10 0 R/Dest[4 0 R/Fit]>>",
        10: b"<</Title(Of ropes)/Parent 8 0 R/Prev 9 0 R/Next 11 0 R/Dest[6 0 R/Fit]>>",
        11: b"<</Title(A title that stands nowhere)/Parent 8 0 R/Prev 10 0 R/Dest[6 0 R/Fit]>>",
        12: b"<</Type/Annot/Subtype/Text/Rect[500 700 520 720]/Contents(Ask the keeper about this)>>",
        13: b"<</Title(The harbour book)/Author(Ada Keeper)/Subject(Lights at sea)/Keywords(lantern, rope; boats)"
            b"/Creator(by hand)/CreationDate(D:20240229120000+01'00')/ModDate(D:20240301000000Z)>>",
    }


def scanned(path):
    """Pages with a picture of text, which is packed as in its PNG (ISO 32000-1, 7.4.4.4): alone; with a
    mark; with text of their own; small, with a mark; and an empty page."""
    width, height, packed = png_file.packed(path)
    resources = b"/Resources<</Font<</F1 3 0 R>>/XObject<</S 4 0 R>>>>"
    whole, small = b"q 612 0 0 249 0 71 cm /S Do Q\n", b"q 200 0 0 81 0 0 cm /S Do Q\n"
    prose = lines(*[b"This page was printed, and has a picture beside its words."] * 3, y=55)
    contents = [whole, whole + lines(b"Scanned by a telephone", y=20), whole + prose,
                small + lines(b"Figure 7", y=200), b""]
    first = 6
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (
            b" ".join(b"%d 0 R" % (first + 2 * i) for i in range(len(contents))), len(contents)),
        3: FONT,
        4: (b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode"
            b"/DecodeParms<</Predictor 15/Colors 3/BitsPerComponent 8/Columns %d>>" % (width, height, width), packed)}
    for i, drawing in enumerate(contents):
        objects[first + 2 * i] = (b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 320]%s/Contents %d 0 R>>" % (
            resources, first + 2 * i + 1))
        objects[first + 2 * i + 1] = (b"", drawing)
    return objects


def cjk():
    """Uses fonts that are not embedded: poppler finds the characters in its own tables."""
    text = "東京都の灯台".encode("utf-16-be").hex().encode()
    return {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        3: b"<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/UniJIS-UCS2-H/DescendantFonts[6 0 R]>>",
        4: page(2, 5),
        5: (b"", b"BT /F1 12 Tf 72 720 Td <%s> Tj ET\n" % text),
        6: b"<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)"
           b"/Ordering(Japan1)/Supplement 2>>/FontDescriptor 7 0 R>>",
        7: b"<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0"
           b"/Ascent 800/Descent -200/CapHeight 700/StemV 80>>",
    }


def plain(text):
    return {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        3: FONT,
        4: page(2, 5),
        5: (b"", lines(text)),
    }


def large_title():
    """A title of two lines in a larger font below a small line, and a capital that is larger still."""
    objects = plain(b"")
    objects[5] = (b"", lines(b"Letters of the harbour, volume 7", size=8, y=760) + lines(b"How Lanterns Came", b"to the Outer Wall", size=20, y=720)
                  + lines(b"A", size=44, y=640) + lines(b"lantern in the harbour burns through the night while", b"the keeper counts the boats. It is", b"not the only one.", y=600)
                  + lines(b"Wall", size=20, y=500) + lines(b"The wall is old.", y=470))
    return objects


def linked():
    """A link over two lines, to an address that is not printed; and one to a page."""
    def link(y, action):
        return b"<</Type/Annot/Subtype/Link/Rect[72 %d 200 %d]%s>>" % (y, y + 15, action)
    address = b"/A<</S/URI/URI(https://lamps.example.org/copper?size=7)>>"
    objects = plain(b"")
    objects[4] = page(2, 5, b"/Annots[%s]" % (link(720, address) + link(705, address) + link(690, b"/Dest[4 0 R/Fit]")))
    objects[5] = (b"", lines(b"Read about lamps", b"of copper here,", b"or go to the top."))
    return objects


def columns():
    """Two columns with a word that continues in the second one, and a prefix alone."""
    objects = plain(b"")
    left = [b"The keeper of the harbour counts boats", b"that come home before the storm has", b"reached the wall. His lantern is of cop-"]
    right = [b"per, and it burns all the night until the", b"first boats leave again and nobody is", b"left who needs it, while the keeper", b"sleeps in his room on the third floor."]
    objects[5] = (b"", lines(*left, y=720) + lines(*right, x=330, y=720) + lines(b"un-", x=330, y=500) + lines(b"prefixes of words", x=330, y=440))
    return objects


def spaced():
    """Words whose letters are set apart, with and without kerning, and single letters that are no words."""
    def line(y, *parts, size=12):
        return b"BT /F1 %d Tf 72 %d Td " % (size, y) + b"".join(b"%.1f Tc [%s] TJ " % part for part in parts) + b"ET\n"
    row = b"".join(lines(cell, x=72 + 60 * i, y=500) for i, cell in enumerate([b"Lamps", b"Y", b"N", b"N", b"Y", b"N"]))
    objects = plain(b"")
    objects[5] = (b"", line(720, (4, b"(HARBOUR )-100(LAV)120(A W)120(A)120(VES)"), size=20)
                  + line(690, (4, b"(A)120(V)120(ALANCHE)"), size=20)
                  + line(660, (0, b"(The keeper is )"), (1.8, b"(very careful)"), (0, b"( with the old lamps.)"))
                  + line(645, (0, b"(A lamp of )"), (1.6, b"(copper)"), (0, b"(, and one of )"), (1.6, b"(tin)"), (0, b"( burn there.)"))
                  + line(600, (0, b"(The vowels a e i o u are five, and D B C E are letters.)"))
                  + line(585, (0, b"(He met J R R T Martin and took the pairs A C G T from him.)"))
                  + line(550, (0, b"(C G Am F C G Dm G)")) + row)
    return objects


def marked():
    """Raised numbers of notes behind words, exponents of units, numbers that are lowered or part of a name, and two notes."""
    def line(y, *parts):
        return b"BT /F1 12 Tf 72 %d Td " % y + b"".join(b"/F1 %d Tf %d Ts (%s) Tj " % part for part in parts) + b"ET\n"
    objects = plain(b"")
    objects[5] = (b"", line(720, (12, 0, b"The harbour"), (8, 5, b"1"), (12, 0, b" has lamps"), (8, 5, b"1,2"), (12, 0, b", and a keeper."), (8, 5, b"2"))
                  + line(700, (12, 0, b"It covers 12 km"), (8, 5, b"2"), (12, 0, b" and holds water"), (8, -3, b"1"), (12, 0, b" for engine1 and boat2."))
                  + line(100, (8, 4, b"1"), (10, 0, b" Built of stone."))
                  + line(85, (8, 4, b"2"), (10, 0, b" Burning oil.")))
    return objects


def arabic():
    """Glyphs from left to right, as they stand on the page; a ligature is one glyph with several letters, in the order of reading."""
    glyphs, shown = [], b""
    for y, words in ((720, ("سـ لا م", "ا لإ سـ لا م", "و ا لأ ر ض", "لا", "إ لا", "ط ا ل ب")), (690, ("ا لله", "و لا", "ب لا", "ل أ ل م", "ا ل ب ا ب"))):
        shown += b"BT /F1 12 Tf 72 %d Td <" % y
        for word in reversed(words):
            for glyph in reversed(word.replace("ـ", "").split()):
                if glyph not in glyphs:
                    glyphs.append(glyph)
                shown += b"%04x" % (glyphs.index(glyph) + 2)
            shown += b"0001"
        shown += b"> Tj ET\n"
    codes = b"".join(b"<%04x> <%s>\n" % (i + 2, glyph.encode("utf-16-be").hex().encode()) for i, glyph in enumerate(glyphs))
    return {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        3: b"<</Type/Font/Subtype/Type0/BaseFont/Arabic/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 8 0 R>>",
        4: page(2, 5),
        5: (b"", shown),
        6: b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Arabic/DW 500/W[1[250]]/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
           b"/Supplement 0>>/FontDescriptor 7 0 R>>",
        7: b"<</Type/FontDescriptor/FontName/Arabic/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>",
        8: (b"", b"/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            b"%d beginbfchar\n<0001> <0020>\n%sendbfchar endcmap end\n" % (len(glyphs) + 1, codes)),
    }


def attached():
    objects = plain(b"There is a note attached.")
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(n)6 0 R]>>>>>>"
    objects[6] = b"<</Type/Filespec/F(note.txt)/UF(note.txt)/EF<</F 7 0 R>>>>"
    objects[7] = (b"/Type/EmbeddedFile", b"The note itself is about barnacles.")
    return objects


def form():
    objects = plain(b"A form.")
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>"
    objects[4] = page(2, 5, b"/Annots[6 0 R]")
    objects[6] = (b"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Filled in by nobody)/F 2/Rect[100 500 300 520]>>")
    return objects


def old_book():
    """A sheet of Excel 4 with a number in each of some formats."""
    record = lambda kind, body: struct.pack("<HH", kind, len(body)) + body
    formats = [b"General", b"0.0%", b"hh:mm", b"dd/mm/yyyy;@", b'0" days"', b"hh:mm dd.mm.", b"[h]:mm", b"00000", b'#,##0.00" EUR"']
    values = [19.5, 0.195, 0.4375, 46082, 12, 46082.4375, 1.3125, 1067, 99.9]
    out = record(0x409, bytes.fromhex("040010000000")) + record(0x42, struct.pack("<H", 1252))
    out += b"".join(record(0x41e, b"\0\0" + bytes([len(code)]) + code) for code in formats)
    out += b"".join(record(0x443, bytes([0, i]) + bytes(10)) for i in range(len(formats)))
    out += b"".join(record(0x203, struct.pack("<HHHd", i, 0, i, value)) for i, value in enumerate(values))
    return out + record(0x0a, b"")


def percent_book():
    """A workbook with a number in each of some formats: (number, its code if the workbook has one, value)."""
    cells = [(9, None, 0.19), (10, None, -0.075), (164, "0.0%;[Red]-0.0%", 0.33333), (165, "0&quot;%&quot;", 12), (20, None, 0.4375),
             (46, None, 2.0625), (166, "[h]:mm", 1.3125), (167, "[hh]:mm;@", -0.5), (168, "00000", 1067), (169, "0000;-0000", -42), (170, "[Magenta]00.0", 7),
             (4, None, 99.9), (44, None, -1234.5), (171, "_-* #,##0.00\\ [$€-407]_-;-* #,##0.00", 1.005), (172, "0.00E+00", 12345), (173, "0.0,", 12345),
             (174, "0.0#", 2.25), (175, "mm:ss.0", 0.5), (2, None, 7)]
    main_ = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/"
    formats = "".join(f'<numFmt numFmtId="{number}" formatCode="{code}"/>' for number, code, _ in cells if code)
    styles = "".join(f'<xf numFmtId="{number}"/>' for number, _, _ in cells)
    rows = "".join(f'<row r="{i + 1}"><c r="A{i + 1}" s="{i}"><v>{value}</v></c></row>' for i, (_, _, value) in enumerate(cells))
    related = lambda *links: f'<Relationships xmlns="{package}relationships">' + "".join(
        f'<Relationship Id="r{i}" Type="{office}/{kind}" Target="{target}"/>' for i, (kind, target) in enumerate(links)) + "</Relationships>"
    parts = {"[Content_Types].xml": f'<Types xmlns="{package}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                                    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
                                    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
             "_rels/.rels": related(("officeDocument", "xl/workbook.xml")),
             "xl/workbook.xml": f'<workbook xmlns="{main_}" xmlns:r="{office}"><sheets><sheet name="Shares" sheetId="1" r:id="r0"/></sheets></workbook>',
             "xl/_rels/workbook.xml.rels": related(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
             "xl/styles.xml": f'<styleSheet xmlns="{main_}"><numFmts>{formats}</numFmts><cellXfs>{styles}</cellXfs></styleSheet>',
             "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main_}"><sheetData>{rows}</sheetData></worksheet>'}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package_file:
        for name, text in parts.items():
            package_file.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def main():
    where = sys.argv[1]

    def write(name, data):
        with open(os.path.join(where, name), "wb") as file:
            file.write(data)

    def encrypt(name, user, owner):
        source = os.path.join(where, "plain.tmp")
        write("plain.tmp", pdf(plain(b"The secret word is marmalade.")))
        subprocess.run(["qpdf", "--static-id", "--encrypt", user, owner, "256", "--", source,
                        os.path.join(where, name)], check=True)
        os.unlink(source)

    write("pdf-basic.pdf", pdf(basic(), info=13))
    write("pdf-damaged-table.pdf", pdf(plain(b"Found without its table."), damage=True))
    write("pdf-cut.pdf", pdf(basic(), info=13)[:60])
    write("pdf-no-page.pdf", pdf({**basic(), 2: b"<</Type/Pages/Kids[]/Count 0>>"}, info=13))
    write("pdf-cjk.pdf", pdf(cjk()))
    write("pdf-times.pdf", pdf({**plain(b"The keeper reads by the lantern."), 3: FONT.replace(b"Helvetica", b"Times-Roman")}))
    write("pdf-large-title.pdf", pdf(large_title()))
    write("pdf-arabic.pdf", pdf(arabic()))
    write("pdf-spaced.pdf", pdf(spaced()))
    write("pdf-marks.pdf", pdf(marked()))
    write("pdf-columns.pdf", pdf(columns()))
    write("pdf-links.pdf", pdf(linked()))
    write("pdf-attached.pdf", pdf(attached()))
    write("pdf-form.pdf", pdf(form()))
    write("pdf-picture.pdf", pdf({**plain(b""), 5: (b"", b"0 0 1 rg 10 10 90 90 re f\n")}))
    write("pdf-scanned.pdf", pdf(scanned(os.path.join(os.path.dirname(__file__), "data", "image-scan.png"))))
    encrypt("pdf-user-password.pdf", "open", "owner")
    encrypt("pdf-empty-password.pdf", "", "owner")

    for name, data in torrents().items():
        write(name, data)

    russian = "Маяк на берегу горит всю ночь, а смотритель считает лодки."
    write("html-koi8.html", ("<html><head><meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>"
                             "<title>Маяк</title><body><p>%s" % russian).encode("koi8-r"))
    write("html-utf16.html", ("<title>Wide</title><meta charset=unicode><p>%s" % russian).encode("utf-16"))
    write("html-latin1.html", "<meta charset=iso-8859-1><p>\u201cÜber die Küste\u201d".encode("cp1252"))
    signed = cms(2, b"Content-Type: text/plain; charset=utf-8\r\n\r\nSigned by the keeper.\r\n")
    head = "From: keeper@example.org\nTo: bo@example.org\nSubject: %s\nDate: Sun, 1 Mar 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
    seal = "Content-Type: application/pkcs7-mime; name=%s\nContent-Transfer-Encoding: base64\n\n"
    write("mail-signed.eml", (head % "Signed" + seal % "smime.p7m").encode() + base64.encodebytes(signed))
    write("mail-signed-file.eml", (head % "A signed file" + seal % "list.txt.p7m").encode() + base64.encodebytes(cms(2, b"Forty boats\n")))
    write("legacy-numbers.xls", old_book())
    write("ooxml-percent.xlsx", percent_book())
    write("mail-list.txt.p7m", cms(2, b"Forty boats\n", whole=True))
    write("mail-lines.txt.p7m", b"-----BEGIN PKCS7-----\n" + base64.encodebytes(cms(2, b"Forty boats\n")) + b"-----END PKCS7-----\n")
    write("mail-enveloped.p7m", cms(3, b"nothing to see"))
    write("mail-cut.txt.p7m", cms(2, b"Forty boats, and as many rafts\n", whole=True)[:-40])
    write("mail-koi8.eml", ("From: =?koi8-r?Q?=F3=CD=CF=D4=D2=C9?= =?koi8-r?Q?=D4=C5=CC=D8?= <keeper@example.org>\n"
                            "To: raw@example.org\nSubject: =?KOI8-R?B?7cHRyw?=\nMIME-Version: 1.0\n"
                            "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n"
                            ).encode() + russian.encode("koi8-r") + b"\n")


main()
