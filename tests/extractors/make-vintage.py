#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-vintage.py DIRECTORY: writes the documents of old programs among the fixtures.

The results are kept in data/; run this only to change them."""
import io
import os
import struct
import sys
import zipfile

ABIWORD = """<?xml version="1.0" encoding="UTF-8"?>
<abiword xmlns="http://www.abisource.com/awml.dtd" version="2.8">
<metadata><m key="dc.title">Night work</m><m key="dc.creator">Ines Falk</m></metadata>
<section><p style="Normal">The lamps are lit at seven.</p><p style="Normal">Für jede eine Kanne Öl.</p></section>
</abiword>
"""


def record(kind, body):
    return struct.pack("<HH", kind, len(body)) + body


def label(column, row, text):
    return record(0x0f, struct.pack("<BHH", 0xff, column, row) + b"'" + text + b"\0")


def lotus():
    number = record(0x0e, struct.pack("<BHHd", 0xff, 1, 1, 42.5))
    cells = label(0, 0, b"Harbour") + label(1, 0, b"Boats") + label(0, 1, b"Northern mole") + number
    return record(0, struct.pack("<H", 0x0406)) + record(6, struct.pack("<HHHH", 0, 0, 1, 1)) + cells + record(1, b"")


def wordperfect(key=0):
    text = b"The keeper counts the boats.\nForty of them came back.\n"
    return b"\xffWPC" + struct.pack("<IBBBBHH", 16, 1, 10, 0, 1, key, 0) + text


def visio():
    main = "http://schemas.microsoft.com/office/visio/2012/main"
    rel = "http://schemas.openxmlformats.org/package/2006/relationships"
    ms = "http://schemas.microsoft.com/visio/2010/relationships"
    of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    shape = ('<Shape ID="1" Type="Shape"><Cell N="PinX" V="2"/><Cell N="PinY" V="2"/><Cell N="Width" V="3"/><Cell N="Height" V="1"/>'
             '<Text>Pump under the quay\n</Text></Shape>')
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{rel}"><Relationship Id="r1" Type="{ms}/document" Target="visio/document.xml"/></Relationships>',
        "visio/document.xml": f'<VisioDocument xmlns="{main}" xmlns:r="{of}"><DocumentSettings/></VisioDocument>',
        "visio/_rels/document.xml.rels":
        f'<Relationships xmlns="{rel}"><Relationship Id="r1" Type="{ms}/pages" Target="pages/pages.xml"/></Relationships>',
        "visio/pages/pages.xml": f'<Pages xmlns="{main}" xmlns:r="{of}"><Page ID="0" Name="Plan"><PageSheet>'
        '<Cell N="PageWidth" V="8"/><Cell N="PageHeight" V="11"/></PageSheet><Rel r:id="r1"/></Page></Pages>',
        "visio/pages/_rels/pages.xml.rels":
        f'<Relationships xmlns="{rel}"><Relationship Id="r1" Type="{ms}/page" Target="page1.xml"/></Relationships>',
        "visio/pages/page1.xml": f'<PageContents xmlns="{main}"><Shapes>{shape}</Shapes></PageContents>',
    }
    return pack(parts)


def pages():
    sf, sl = "http://developer.apple.com/namespaces/sf", "http://developer.apple.com/namespaces/sl"
    text = ('<sf:text-storage sf:kind="body"><sf:text-body><sf:section><sf:layout>'
            '<sf:p>The tide turns at noon.</sf:p><sf:p>Nobody waits for it.</sf:p></sf:layout></sf:section></sf:text-body></sf:text-storage>')
    return pack({"index.xml": f'<?xml version="1.0"?><sl:document xmlns:sf="{sf}" xmlns:sl="{sl}" sl:version="92008102400">{text}</sl:document>'})


def pack(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 10, 0, 0)), text)
    return out.getvalue()


def dbf():
    """Writes a dBase III table in the Russian code page of DOS; the second record is deleted, the
    last one is cut."""
    fields = [("NAME", "C", 20, 0), ("LENGTH", "N", 6, 2), ("BUILT", "D", 8, 0), ("SOUND", "L", 1, 0), ("NOTES", "M", 10, 0)]
    rows = [(" ", "Гагара", "  7.25", "19310504", "T", "         1"), ("*", "Sunk at sea", "  9.00", "19400101", "F", "          "),
            (" ", "Tern of Lerwick", " 12.50", "        ", "?", "          ")]
    record = 1 + sum(f[2] for f in fields)
    head = struct.pack("<BBBBIHH", 3, 126, 3, 1, 4, 33 + 32 * len(fields), record) + bytes(17) + b"\x65" + bytes(2)
    for name, kind, length, decimals in fields:
        head += name.encode().ljust(11, b"\0") + kind.encode() + bytes(4) + bytes((length, decimals)) + bytes(14)
    body = b"".join(flag.encode() + name.encode("cp866").ljust(20) + "".join(rest).encode() for flag, name, *rest in rows)
    return head + b"\r" + body + b" Adri"


def main(target):
    files = {
        "vintage-abiword.abw": ABIWORD.encode(),
        "vintage-lotus.wk1": lotus(),
        "vintage-lotus-cut.wk1": lotus()[:40],
        "vintage-wordperfect.wpd": wordperfect(),
        "vintage-sealed.wpd": wordperfect(0x1234),
        "vintage-visio.vsdx": visio(),
        "vintage-visio-cut.vsd": b"Visio (TM) Drawing\r\n" + bytes(60),
        "vintage-pages.pages": pages(),
        "dbf-boats.dbf": dbf(),
        "dbf-cut.dbf": dbf()[:150],
        "pst-cut.pst": b"!BDN" + bytes(508),
    }
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
