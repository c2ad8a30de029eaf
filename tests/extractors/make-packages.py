#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-packages.py DIRECTORY: writes the office packages and e-books among the fixtures.

The results are kept in data/; run this only to change them."""
import io
import os
import struct
import sys
import zipfile
import zlib

WHEN = (2026, 3, 1, 10, 0, 0)
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
OPEN = "http://schemas.openxmlformats.org/"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def package(parts, stored=()):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, WHEN)
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def picture():
    """A PNG, left red, right blue."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xff\0\0" * 32 + b"\0\0\xff" * 32) * 64
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


# ---- OpenDocument

ODF_SPACES = " ".join('xmlns:%s="%s%s:1.0"' % (prefix, OASIS, name) for prefix, name in (
    ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"),
    ("meta", "meta"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"),
    ("presentation", "presentation"), ("manifest", "manifest"))) + (
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"')

ODF_STYLES = """<office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Illustration"/>
<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
</office:automatic-styles>"""

ODF_TEXT = """<text:tracked-changes><text:changed-region><text:deletion><text:p>A deleted word</text:p>
</text:deletion></text:changed-region></text:tracked-changes>
<text:table-of-content><text:index-body><text:p>Harbours 1</text:p></text:index-body></text:table-of-content>
<text:p text:style-name="P1">The harbour book</text:p>
<text:h text:outline-level="2">Harbours</text:h>
<text:p>The   keeper <text:span text:style-name="T1">counts</text:span> the
  boats<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Not the
  rafts.</text:p></text:note-body></text:note> that come<text:s text:c="3"/>home<text:tab/>at
  <text:a xlink:href="https://example.org/night?moon=1&amp;stars=2">night</text:a>.</text:p>
<text:p>Before the box<draw:frame><draw:text-box><text:p>Inside the box</text:p></draw:text-box>
<svg:desc>A drawing of a pier</svg:desc></draw:frame> and after it.</text:p>
<text:p text:style-name="P2">Figure 1: the pier</text:p>
<table:table table:name="Rope"><table:table-row><table:table-cell><text:p>Hemp</text:p></table:table-cell>
<table:table-cell><text:p>Forty ells</text:p></table:table-cell></table:table-row></table:table>
<text:p>Watched<office:annotation><dc:creator>Someone</dc:creator><dc:date>2026-01-01</dc:date>
<text:p>Check this</text:p></office:annotation> by day.</text:p>
<text:p><text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>reading</text:ruby-text></text:ruby>line</text:p>"""

ODF_META = """<office:meta><meta:initial-creator>Ada Reed</meta:initial-creator><dc:creator>Bo Lund</dc:creator>
<dc:title>Harbour book</dc:title><dc:subject>Piers</dc:subject><dc:description>About harbours</dc:description>
<meta:keyword>boats</meta:keyword><meta:keyword>ropes</meta:keyword><dc:date>2026-03-01T11:00:00.5+01:00</dc:date>
<meta:creation-date>2026-02-28</meta:creation-date><dc:language>en-GB</dc:language>
<meta:generator>By hand</meta:generator><meta:document-statistic meta:page-count="3"/></office:meta>"""

ODF_MASTER = """<office:master-styles><style:master-page style:name="Standard"><style:header><text:p>Running head</text:p>
</style:header><style:footer><text:p>Page foot</text:p></style:footer></style:master-page></office:master-styles>"""


def odf_root(kind, *pieces):
    return "%s<office:%s %s office:version=\"1.3\">%s</office:%s>" % (
        HEAD, kind, ODF_SPACES, "\n".join(pieces), kind)


def odf_body(kind, text):
    return "<office:body><office:%s>%s</office:%s></office:body>" % (kind, text, kind)


def odf(kind, mime, body, meta="", styles="", automatic="", **parts):
    content = {"mimetype": "application/vnd.oasis.opendocument." + mime,
               "META-INF/manifest.xml": "<manifest:manifest %s/>" % ODF_SPACES,
               "content.xml": odf_root("document-content", automatic, odf_body(kind, body))}
    if meta:
        content["meta.xml"] = odf_root("document-meta", meta)
    if styles:
        content["styles.xml"] = odf_root("document-styles", styles)
    content.update(parts)
    return package(content, stored=("mimetype",))


ODF_SHEETS = """<table:table table:name="Stock"><table:table-row><table:table-cell><text:p>Rope</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="16384"><text:p>many</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
</table:table><table:table table:name="Prices"><table:table-row><table:table-cell office:value-type="float"
 office:value="12.5"><text:p>12.50</text:p><office:annotation><text:p>net</text:p></office:annotation></table:table-cell>
</table:table-row></table:table>"""

ODF_SLIDE_MASTER = """<office:master-styles><style:master-page style:name="Default"><draw:frame presentation:class="title">
<draw:text-box><text:p>Click to edit</text:p></draw:text-box></draw:frame><draw:g><draw:rect><text:p>On every slide</text:p></draw:rect></draw:g>
<draw:frame><draw:image/><svg:desc>A logo</svg:desc></draw:frame></style:master-page></office:master-styles>"""

ODF_SLIDES = """<presentation:footer-decl presentation:name="f1">The club</presentation:footer-decl>
<presentation:date-time-decl presentation:name="d1" presentation:source="fixed">In March</presentation:date-time-decl>
<draw:page draw:name="First"><draw:frame presentation:class="title"><draw:text-box><text:p>A title</text:p></draw:text-box>
</draw:frame><draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>A point</text:p>
</text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame presentation:class="notes">
<draw:text-box><text:p>Say it slowly</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page draw:name="Second"><draw:custom-shape><text:p>In a shape</text:p></draw:custom-shape></draw:page>"""

ODF_OBJECT = odf_root("document-content", odf_body("chart", """<table:table table:name="local-table"><table:table-row>
<table:table-cell><text:p>Doubled</text:p></table:table-cell></table:table-row></table:table>
<text:p>Title of a chart</text:p>"""))

ODF_FORM = """<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form form:name="Standard"><form:property form:property-name="DefaultControl" office:string-value="stardiv"/>
<form:fixed-text form:label="Which boat?"/><form:listbox><form:option form:label="The ketch" form:value="3"/><form:option form:label="The yawl"/></form:listbox>
<form:radio form:label="By day" form:value="on"/><form:text form:value="a name" form:current-value="Ada Reed"/><form:textarea form:value="Say why"/>
<form:button form:label="Send it off"/><form:checkbox/></form:form></office:forms><text:p>Fill in the form<text:script script:language="JavaScript" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0">alert()</text:script></text:p>"""

ODF_FORMULA = HEAD + ('<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo></mrow>'
                      '<annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>')

SXW = """<!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd">
<office:document-content xmlns:office="http://openoffice.org/2000/office" xmlns:text="http://openoffice.org/2000/text"
 office:class="text"><office:body><text:h text:level="1">Old heading</text:h><text:p>Old text<text:footnote>
<text:footnote-citation>1</text:footnote-citation><text:footnote-body><text:p>Old note</text:p></text:footnote-body>
</text:footnote> goes on.</text:p></office:body></office:document-content>"""

ENTITIES = """<!DOCTYPE x [<!ENTITY a "expanded"><!ENTITY b "&a;&a;&a;"><!ENTITY file SYSTEM "file:///etc/passwd">]>"""


def odf_files():
    text = odf("text", "text", ODF_TEXT, ODF_META, ODF_MASTER, ODF_STYLES, **{"Object 1/content.xml": ODF_OBJECT})
    hostile = HEAD + ENTITIES + odf_root("document-content", odf_body(
        "text", "<text:p>Before &b; &file; after &amp; done.</text:p>"))[len(HEAD):]
    sealed = """<manifest:manifest %s><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>
</manifest:file-entry></manifest:manifest>""" % ODF_SPACES
    return {
        "odf-text.odt": text,
        "odf-sheet.ods": odf("spreadsheet", "spreadsheet", ODF_SHEETS),
        "odf-layouts.odp": odf("presentation", "presentation", ODF_SLIDES.replace('draw:name="First"', 'draw:name="First" draw:master-page-name="Default"'),
                               styles=ODF_SLIDE_MASTER + ODF_SLIDE_MASTER.replace('"Default"', '"Agenda"').replace("On every", "On no")),
        "odf-slides.odp": odf("presentation", "presentation", ODF_SLIDES, styles=ODF_SLIDE_MASTER),
        "odf-flat.fodt": (HEAD + odf_root("document", ODF_META, ODF_STYLES, ODF_MASTER, odf_body("text", ODF_TEXT))[len(HEAD):]
                          .replace("<office:document ", '<office:document office:mimetype="application/'
                                   'vnd.oasis.opendocument.text" ', 1)).encode(),
        "odf-flat-sheet.fods": (HEAD + odf_root("document", odf_body("spreadsheet", ODF_SHEETS))[len(HEAD):]
                                .replace(ODF_SPACES, ODF_SPACES + "".join(' xmlns:x%d="http://example.org/%d"' % (i, i) for i in range(30))
                                         + ' office:mimetype="application/vnd.oasis.opendocument.spreadsheet"', 1)).encode(),
        "odf-form.odt": odf("text", "text", ODF_FORM, **{"Object 1/content.xml": ODF_OBJECT, "Object 2/content.xml": ODF_FORMULA}),
        "odf-chart-sheet.ods": odf("spreadsheet", "spreadsheet", ODF_SHEETS, **{"Object 1/content.xml": ODF_OBJECT}),
        "odf-old.sxw": package({"content.xml": SXW, "META-INF/manifest.xml": "<manifest/>"}),
        "odf-entities.odt": odf("text", "text", "", **{"content.xml": hostile}),
        "odf-encrypted.odt": odf("text", "text", "", **{"META-INF/manifest.xml": sealed, "content.xml": "\x17\x03sealed"}),
        "odf-picture.odt": odf("text", "text", "<text:p>Seen from the pier</text:p>", **{"Thumbnails/thumbnail.png": picture()}),
        "odf-cut.odt": cut_behind(text, b"content.xml"),
        "odf-broken.odt": odf("text", "text", "<text:p>Well</text:p><text:p>up to <text:span>here</text:p>"),
    }


def cut_behind(data, name):
    """Cuts a package inside the part with this name, so that no directory is left."""
    at = data.index(name)
    return data[:at + len(name) + 750]


# ---- Office Open XML

def packed_as(method, data):
    """The package, whose headers say that its parts are compressed by this method."""
    data = bytearray(data)
    for mark, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            data[at + offset:at + offset + 2] = struct.pack("<H", method)
    return bytes(data)


def relations(*rows, base=OPEN + "officeDocument/2006/relationships/"):
    rows = ['<Relationship Id="%s" Type="%s" Target="%s"%s/>' % (
        name, kind if "://" in kind else base + kind, target, ' TargetMode="External"' if "://" in target else "")
        for name, kind, target in rows]
    return HEAD + '<Relationships xmlns="%spackage/2006/relationships">%s</Relationships>' % (OPEN, "".join(rows))


def types(part, kind):
    return HEAD + ('<Types xmlns="%spackage/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>'
                   '<Override PartName="/%s" ContentType="application/vnd.openxmlformats-officedocument.%s.main+xml"/>'
                   "</Types>") % (OPEN, part, kind)


CORE = HEAD + ('<cp:coreProperties xmlns:cp="%spackage/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
               ' xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Harbour book</dc:title><dc:creator>Ada Reed</dc:creator>'
               "<dc:subject>Piers</dc:subject><cp:keywords>boats, ropes</cp:keywords><cp:lastModifiedBy>Bo Lund"
               "</cp:lastModifiedBy><dcterms:created>2026-02-28T10:00:00Z</dcterms:created>"
               "<dcterms:modified>2026-03-01T10:00:00Z</dcterms:modified></cp:coreProperties>") % OPEN
APP = HEAD + '<Properties xmlns="%sofficeDocument/2006/extended-properties"><Pages>3</Pages></Properties>' % OPEN

W_SPACES = ('xmlns:w="%swordprocessingml/2006/main" xmlns:r="%sofficeDocument/2006/relationships" xmlns:mc='
            '"%smarkup-compatibility/2006" xmlns:wp="%sdrawingml/2006/wordprocessingDrawing"') % ((OPEN,) * 4)


def w(kind, text):
    return HEAD + "<w:%s %s>%s</w:%s>" % (kind, W_SPACES, text, kind)


def p(text, style=None):
    style = '<w:pPr><w:pStyle w:val="%s"/></w:pPr>' % style if style else ""
    return "<w:p>%s%s</w:p>" % (style, text if text.startswith("<") else run(text))


def run(text, properties=""):
    return '<w:r>%s<w:t xml:space="preserve">%s</w:t></w:r>' % (properties, text)


WORD_STYLES = w("styles", """<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Level"><w:name w:val="Level"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Round"><w:name w:val="Round"/><w:basedOn w:val="Trip"/></w:style>
<w:style w:type="paragraph" w:styleId="Trip"><w:name w:val="Trip"/><w:basedOn w:val="Round"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>""")

BOX = "<w:txbxContent>" + p("Inside the box") + "</w:txbxContent>"
WORD_TEXT = w("document", "<w:body>" + p("The harbour book", "Titel") + p("Harbours 1", "TOC1") + p("Harbours", "berschrift1")
              + p("Piers", "Mine") + p("Planks", "Level") + p("Not a heading", "Round")
              + p(run("The keeper ") + run("counts", "<w:rPr><w:b/></w:rPr>") + run(" the bo") + run("ats", '<w:rPr><w:b w:val="0"/></w:rPr>')
                  + "<w:r><w:tab/></w:r>" + '<w:hyperlink r:id="r9">' + run("at night") + "</w:hyperlink>" + run("."))
              + p('<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins>' + run("Inserted") + "</w:ins><w:moveFrom>"
                  + run("moved away") + "</w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>" + run(" text"))
              + p(run("Before the box") + "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:docPr descr=\"A pier &amp;#38; a boat &#38;&lt;&quot;3\"/>"
                  + BOX + "</w:drawing></mc:Choice><mc:Fallback><w:pict>" + BOX + "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
                  + run(" and after it"))
              + "<w:tbl><w:tr><w:tc>" + p("Hemp") + "</w:tc><w:tc>" + p("Forty ells") + "</w:tc></w:tr></w:tbl></w:body>")

WORD_PARTS = {
    "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
    "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"),
                             ("r2", OPEN + "package/2006/relationships/metadata/core-properties", "docProps/core.xml"),
                             ("r3", "extended-properties", "docProps/app.xml")),
    "docProps/core.xml": CORE, "docProps/app.xml": APP,
    "word/document.xml": WORD_TEXT, "word/styles.xml": WORD_STYLES,
    "word/_rels/document.xml.rels": relations(
        ("r1", "styles", "styles.xml"), ("r2", "header", "/word/header1.xml"), ("r3", "footnotes", "footnotes.xml"),
        ("r4", "comments", "../word/comments.xml"), ("r5", "header", "header1.xml"), ("r6", "package", "embeddings/list.docx"),
        ("r9", "hyperlink", "https://example.org/night?moon=1&amp;stars=2")),
    "word/header1.xml": w("hdr", p("Running head")),
    "word/footnotes.xml": w("footnotes", '<w:footnote w:type="separator">' + p("-----") + "</w:footnote><w:footnote>"
                            + p("Not the rafts") + "</w:footnote>"),
    "word/comments.xml": w("comments", '<w:comment w:author="Bo">' + p("Check this") + "</w:comment>"),
}


def field(instruction, result=None, mark='<w:r><w:fldChar w:fldCharType="%s"/></w:r>'):
    pieces = [instruction[:9], instruction[9:]]
    out = mark % "begin" + "".join("<w:r><w:instrText xml:space=\"preserve\">%s</w:instrText></w:r>" % each for each in pieces)
    return out + (mark % "separate" + result if result is not None else "") + mark % "end"


def list_field(choice, *entries):
    entries = "".join('<w:listEntry w:val="%s"/>' % entry for entry in entries)
    begin = ('<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>%s%s</w:ddList></w:ffData></w:fldChar></w:r>' % (choice, entries))
    return begin + field(" FORMDROPDOWN ").split("</w:r>", 1)[1]


WORD_FIELDS = w("document", "<w:body>"
    + p(run("The ") + field(' HYPERLINK "https://example.org/keeper?boats=40&amp;night=1" \\o "A tip" ', run("keep") + run("er")) + run(" counts"))
    + p('<w:fldSimple w:instr=" HYPERLINK &quot;https://example.org/simple&quot; \\l &quot;at night&quot;">' + run("simple") + "</w:fldSimple>"
        + run(" and ") + field(' HYPERLINK \\l "_Toc1" ', run("a line of a list")) + run(" on page ") + field(" PAGE ", run("7")))
    + p(field(' HYPERLINK "https://example.org/two" ', run("Two lines") + "</w:p><w:p>" + run("in one")) + run(" end."))
    + p(field(' HYPERLINK "https://example.org/' + '</w:instrText></w:r>' + field(" REF mark ", run("inner")) + '<w:r><w:instrText>"', run("nested")))
    + p(field(' TOC \\o "1-3" ', field(' HYPERLINK "https://example.org/listed" ', run("listed"))) + field(' HYPERLINK "https://example.org/gone" '))
    + p('<w:del>' + field(' HYPERLINK "https://example.org/deleted" ', run("deleted")) + "</w:del>"
        + '<w:r><w:fldChar w:fldCharType="end"/><w:fldChar w:fldCharType="separate"/></w:r>' + run("Marks that fit nothing"))
    + p(run("By ") + list_field('<w:result w:val="1"/><w:default w:val="0"/>', "oar", "sail") + run(", from ") + list_field("", "north", "south")
        + run(", for ") + list_field('<w:default w:val="2"/>', "salt", "rope", "tar") + run("."))
    + p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("A field without an end")) + p("keeps the text behind it") + "</w:body>")


SYMBOL = '<w:r><w:sym w:font="%s" w:char="%s"/></w:r>'

WORD_EQUATIONS = w("document", "<w:body>" + p(run("Speed is ") + field(" EQ \\f(distance,time)") + run(".")) + p(
    run("At ") + field(' EQ \\* jc2 \\o\\ad(\\s\\up 11(minato),\u6e2f)', "") + run("\u3067 night.")) + p(
    run("To ") + field("MACROBUTTON  NoMacro [the keeper]") + run(", ") + field(" GOTOBUTTON ropes see ropes \\* MERGEFORMAT ", "") + run(".")) + p(
    run("At 20") + SYMBOL % ("Symbol", "F0B0") + run("C the ") + SYMBOL % ("Symbol", "0061") + run("-waves. See") + SYMBOL % ("Wingdings", "F061") +
    run("more.")) + "</w:body>")


def tiny_word(text):
    return package({"[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
                    "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
                    "word/document.xml": w("document", "<w:body>" + p(text) + "</w:body>")})


def strict(parts):
    swaps = ((OPEN + "officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships"),
             (OPEN + "wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main"))
    out = {}
    for name, content in parts.items():
        for old, new in swaps if not name.startswith("[") else ():
            content = content.replace(old, new)
        out[name] = content
    return out


X_SPACES = 'xmlns="%sspreadsheetml/2006/main" xmlns:r="%sofficeDocument/2006/relationships"' % (OPEN, OPEN)


def x(kind, text):
    return HEAD + "<%s %s>%s</%s>" % (kind, X_SPACES, text, kind)


BOOK_PARTS = {
    "[Content_Types].xml": types("xl/workbook.xml", "spreadsheetml.sheet"),
    "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": x("workbook", '<sheets><sheet name="Stock" r:id="r2"/><sheet name="Prices" r:id="r1"/></sheets>'),
    "xl/_rels/workbook.xml.rels": relations(
        ("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "worksheet", "worksheets/sheet2.xml"),
        ("r3", "sharedStrings", "sharedStrings.xml"), ("r4", "styles", "styles.xml")),
    "xl/sharedStrings.xml": x("sst", "<si><t>Rope</t></si><si><r><t>Hemp </t></r><r><t>fibre</t></r><rPh><t>reading</t></rPh></si>"),
    "xl/styles.xml": x("styleSheet", '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/>'
                       '<numFmt numFmtId="165" formatCode="[Red]&quot;day&quot;0.00"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
                       '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>'),
    "xl/worksheets/sheet1.xml": x("worksheet", '<sheetData><row><c s="0"><v>12.5</v></c><c><v>0.30000000000000004</v></c><c s="1"><v>46082</v></c>'
                                  '<c s="2"><v>46082.4375</v></c><c s="3"><v>7</v></c><c s="4"><v>0.5</v></c><c s="1"><v>1</v></c><c t="b"><v>1</v></c>'
                                  '<c t="e"><v>#REF!</v></c><c t="str"><f>A1</f><v>a formula</v></c></row></sheetData>'
                                  "<headerFooter><oddHeader>&amp;L&amp;\"Arial,Bold\"&amp;12Confidential&amp;RPage &amp;P</oddHeader></headerFooter>"),
    "xl/worksheets/sheet2.xml": x("worksheet", '<sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>99</v></c>'
                                  '<c t="inlineStr"><is><t>inline</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="r8"'
                                  ' display="shop"/></hyperlinks>'),
    "xl/worksheets/_rels/sheet2.xml.rels": relations(("r1", "comments", "../comments1.xml"), ("r8", "hyperlink", "https://example.org/shop")),
    "xl/comments1.xml": x("comments", '<commentList><comment ref="A1"><text><r><t>Check </t></r><r><t>this</t></r></text></comment></commentList>'),
}

CODES = (
    ('0.0%', 0.12345), ('0" kg"', 12), ('0.0" m\u00b2"', -3.25), ('000-0000', 5551234), ('[<=9999999]###-####;(###) ###-####', 2065551234),
    ('[$USD] #,##0.00', 1234567.891), ('#,##0.00\\ [$\u20ac-407];[RED]\\-#,##0.00\\ [$\u20ac-407]', -1234.5), ('0.0,,"M"', 1234567),
    ('_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)', -1234.5), ('"INV-"00000', 42), ('#.##', 0.5), ('.00', 7), ('"Yes";"No";"None"', 0), (';;;', -7),
    ('[>=1000]0.0,"k";0', 999.4), ('[mm]:ss', 0.0625), ('[ss]', 0.001), ('# ?/?', 0.5), ('0.00E+00', 1234567), ('General" pcs"', 3), ('@', 0.5),
    ('"open', 1), ('\\', 2), ('[$', 3), ('0;', -4), ('0.000000000000000', 0.1), ('0' * 40, 5), ('%' * 400 + '0', 6), ('0' * 1200, 7), ('[<', 8))


def coded_book():
    """Writes numbers with other format codes; the last ones are damaged or of no use."""
    rows = "".join('<row><c s="%d"><v>%.15g</v></c></row>' % (i, number) for i, (_, number) in enumerate(CODES))
    escape = lambda code: code.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return dict(BOOK_PARTS, **{
        "xl/workbook.xml": x("workbook", '<sheets><sheet name="Codes" r:id="r1"/></sheets>'),
        "xl/worksheets/sheet1.xml": x("worksheet", "<sheetData>%s</sheetData>" % rows),
        "xl/styles.xml": x("styleSheet", "<numFmts>%s</numFmts><cellXfs>%s</cellXfs>" % (
            "".join('<numFmt numFmtId="%d" formatCode="%s"/>' % (164 + i, escape(code)) for i, (code, _) in enumerate(CODES)),
            "".join('<xf numFmtId="%d"/>' % (164 + i) for i in range(len(CODES))))),
    })


P_SPACES = ('xmlns:p="%spresentationml/2006/main" xmlns:a="%sdrawingml/2006/main" xmlns:r="%sofficeDocument/2006/relationships" '
            'xmlns:mc="%smarkup-compatibility/2006"') % ((OPEN,) * 4)


def slide(kind, *shapes):
    return HEAD + "<p:%s %s><p:cSld><p:spTree>%s</p:spTree></p:cSld></p:%s>" % (kind, P_SPACES, "".join(shapes), kind)


def shape(text, placeholder=None):
    placeholder = '<p:ph type="%s"/>' % placeholder if placeholder else ""
    return ('<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>%s</p:nvPr></p:nvSpPr><p:txBody>%s</p:txBody></p:sp>'
            % (placeholder, text if text.startswith("<") else "<a:p><a:r><a:t>%s</a:t></a:r></a:p>" % text))


SLIDE_PARTS = {
    "[Content_Types].xml": types("ppt/presentation.xml", "presentationml.presentation"),
    "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
    "ppt/presentation.xml": HEAD + '<p:presentation %s><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/>'
    '<p:sldId id="258" r:id="r2"/></p:sldIdLst></p:presentation>' % P_SPACES,
    "ppt/_rels/presentation.xml.rels": relations(("r1", "slide", "slides/slide1.xml"), ("r2", "slide", "slides/slide2.xml")),
    "ppt/slides/slide1.xml": slide("sld", shape("The last slide", "title"), "<mc:AlternateContent><mc:Choice Requires=\"x\">" + shape("Once")
                                   + "</mc:Choice><mc:Fallback>" + shape("Once") + "</mc:Fallback></mc:AlternateContent>",
                                   '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Hemp</a:t></a:r></a:p></a:txBody></a:tc>'
                                   "</a:tr></a:tbl></p:graphicFrame>"),
    "ppt/slides/slide2.xml": slide("sld", shape("The first slide", "ctrTitle"), shape("Below it", "subTitle"),
                                   shape('<a:p><a:r><a:t>A point</a:t></a:r><a:br/><a:r><a:rPr><a:hlinkClick r:id="r5"/></a:rPr><a:t>with a link</a:t>'
                                         "</a:r></a:p>"), shape("<a:p><a:fld type=\"slidenum\"><a:t>1</a:t></a:fld></a:p>", "sldNum"),
                                   '<p:pic><p:nvPicPr><p:cNvPr id="2" name="y" descr="A pier"/></p:nvPicPr></p:pic>'),
    "ppt/slides/_rels/slide2.xml.rels": relations(("r1", "notesSlide", "../notesSlides/notes1.xml"), ("r5", "hyperlink", "https://example.org/")),
    "ppt/notesSlides/notes1.xml": slide("notes", shape("Say it slowly", "body")),
    "ppt/notesSlides/_rels/notes1.xml.rels": relations(("r1", "slide", "../slides/slide2.xml")),
}


CANVAS = HEAD + (
    '<w:document xmlns:w="%swordprocessingml/2006/main" xmlns:a="%sdrawingml/2006/main" xmlns:lc="%sdrawingml/2006/lockedCanvas">'
    '<w:body><w:p><w:r><w:t>Before the </w:t><w:drawing><a:graphic><a:graphicData><lc:lockedCanvas><a:sp><a:txSp><a:txBody>'
    '<a:p><a:r><a:t>On the can</a:t></a:r><a:r><a:t>vas</a:t></a:r></a:p><a:p><a:r><a:t>below</a:t></a:r></a:p></a:txBody></a:txSp>'
    '</a:sp></lc:lockedCanvas></a:graphicData></a:graphic></w:drawing></w:r><w:r><w:t>canvas.</w:t></w:r></w:p></w:body></w:document>'
    % (OPEN, OPEN, OPEN))


FORMULA = ('<m:oMath xmlns:m="%sofficeDocument/2006/math"><m:r><m:t>speed=</m:t></m:r><m:f><m:num><m:r><m:t>distance</m:t></m:r></m:num>'
           '<m:den><m:sSup><m:e><m:r><m:t>time</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f><m:r><m:t>twice</m:t></m:r></m:oMath>') % OPEN


def binary_record(kind, body=b""):
    head = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    size = bytes([len(body)]) if len(body) < 128 else bytes([len(body) & 127 | 128, len(body) >> 7])
    return head + size + body


def wide(text):
    return struct.pack("<I", len(text.encode("utf-16-le")) // 2) + text.encode("utf-16-le")


def binary_cell(kind, column, body, form=0):
    return binary_record(kind, struct.pack("<2I", column, form) + body)


def binary_book():
    sheet = binary_record(0, bytes(25)) + binary_cell(7, 0, struct.pack("<I", 1)) + binary_cell(5, 1, struct.pack("<d", 40.5))
    sheet += binary_cell(2, 2, struct.pack("<I", 12345 << 2 | 3)) + binary_cell(5, 3, struct.pack("<d", 46082), 1)
    sheet += binary_cell(6, 4, wide("A cell of its own")) + binary_cell(8, 5, wide("A result") + bytes(8))
    sheet += binary_cell(10, 6, b"\1") + binary_cell(7, 7, struct.pack("<I", 9)) + binary_cell(62, 8, b"\0" + wide("Rich 🚣"))
    sheet += binary_record(494, bytes(16) + wide("rId2") + wide("") + wide("") + wide("a link"))
    sheet += binary_record(479, bytes(2) + wide("&LRunning head&RPage &P") + b"\xff\xff\xff\xff" * 5)
    binary = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    relation = lambda name, kind, target, more="": '<Relationship Id="%s" Type="%sofficeDocument/2006/relationships/%s" Target="%s"%s/>' % (
        name, OPEN, kind, target, more)
    relations = lambda *each: HEAD + '<Relationships xmlns="%spackage/2006/relationships">%s</Relationships>' % (OPEN, "".join(each))
    return {
        "[Content_Types].xml": HEAD + '<Types xmlns="%spackage/2006/content-types"><Override PartName="/xl/workbook.bin" '
                               'ContentType="%s"/></Types>' % (OPEN, binary),
        "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.bin")),
        "xl/_rels/workbook.bin.rels": relations(
            relation("rId1", "worksheet", "worksheets/sheet1.bin"), relation("rId2", "sharedStrings", "sharedStrings.bin"),
            relation("rId3", "styles", "styles.bin")),
        "xl/workbook.bin": binary_record(131) + binary_record(156, struct.pack("<2I", 0, 1) + wide("rId1") + wide("Rope stock")),
        "xl/sharedStrings.bin": binary_record(159, struct.pack("<2I", 2, 2)) + binary_record(19, b"\0" + wide("Hemp")) +
                                binary_record(19, b"\0" + wide("Канат")),
        "xl/styles.bin": binary_record(44, struct.pack("<H", 164) + wide("yyyy\\-mm\\-dd")) + binary_record(47, bytes(16)) +
                         binary_record(617, struct.pack("<I", 2)) + binary_record(47, bytes(16)) +
                         binary_record(47, struct.pack("<2H12x", 0, 164)) + binary_record(618),
        "xl/worksheets/sheet1.bin": sheet,
        "xl/worksheets/_rels/sheet1.bin.rels": relations(
            relation("rId1", "comments", "../comments1.bin"),
            relation("rId2", "hyperlink", "https://example.org/ropes", ' TargetMode="External"')),
        "xl/comments1.bin": binary_record(637, b"\0" + wide("Count it again")),
    }


CHUNKS = dict(WORD_PARTS, **{
    "word/document.xml": w("document", '<w:body>' + p("Before the chunk") + '<w:altChunk r:id="r8"/>' + p("After the chunk") + "</w:body>"),
    "word/_rels/document.xml.rels": relations(("r8", "aFChunk", "afchunk.html")),
    "word/afchunk.html": "<html><body><h1>In another format</h1><p>A page of <b>HTML</b></p></body></html>",
    "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"), ("r2", "custom-properties", "docProps/custom.xml"),
                             ("r3", "extended-properties", "docProps/app.xml")),
    "docProps/app.xml": APP.replace("<Pages>", '<TitlesOfParts><vt:vector xmlns:vt="%sofficeDocument/2006/docPropsVTypes">'
                                    "<vt:lpstr>Not this</vt:lpstr></vt:vector></TitlesOfParts><Pages>" % OPEN),
    "docProps/custom.xml": HEAD + ('<Properties xmlns:vt="%sofficeDocument/2006/docPropsVTypes"><property name="Project"><vt:lpwstr>'
                                   "Breakwater</vt:lpwstr></property><property name=\"N\"><vt:i4>7</vt:i4></property></Properties>" % OPEN),
})

WORD_2003 = HEAD + """<?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:aml="http://schemas.microsoft.com/aml/2001/core"
 xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"><o:DocumentProperties><o:Title>Harbour book</o:Title>
<o:Author>Ada Reed</o:Author><o:LastAuthor>Ada Reed</o:LastAuthor><o:Keywords>boats; ropes</o:Keywords><o:Created>2026-03-01T10:00:00Z</o:Created>
<o:TotalTime>12</o:TotalTime><o:Pages>3</o:Pages></o:DocumentProperties><w:styles><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/>
</w:style></w:styles><w:body><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Harbours</w:t></w:r></w:p><w:p><w:r><w:t>The keep</w:t></w:r><w:r><w:rPr>
<w:b/></w:rPr><w:t>er counts</w:t></w:r><w:r><w:footnote><w:p><w:r><w:t>Not the rafts</w:t></w:r></w:p></w:footnote></w:r><w:r><w:t> boats</w:t></w:r>
<w:r><aml:annotation w:type="Word.Comment"><aml:content><w:p><w:r><w:t>Check this</w:t></w:r></w:p></aml:content></aml:annotation></w:r>
<aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>deleted</w:delText></w:r></aml:content></aml:annotation>
<aml:annotation w:type="Word.Insertion"><aml:content><w:r><w:t> and ropes.</w:t></w:r></aml:content></aml:annotation></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Hemp</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:pict><w:binData>AAAA</w:binData><v:shape><v:textbox>
<w:txbxContent><w:p><w:r><w:t>Inside the box</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>
<w:sectPr><w:hdr><w:p><w:r><w:t>Running head</w:t></w:r></w:p></w:hdr></w:sectPr></w:body></w:wordDocument>"""

BOOK_2003 = HEAD + """<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:o="urn:schemas-microsoft-com:office:office"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:html="http://www.w3.org/TR/REC-html40"><DocumentProperties
 xmlns="urn:schemas-microsoft-com:office:office"><Author>Ada Reed</Author></DocumentProperties><ExcelWorkbook
 xmlns="urn:schemas-microsoft-com:office:excel"><WindowHeight>9000</WindowHeight></ExcelWorkbook><Worksheet ss:Name="Stock"><Table><Row>
<Cell><Data ss:Type="String">Rope</Data><Comment><ss:Data><html:B>Ada:</html:B> of hemp</ss:Data></Comment></Cell><Cell><Data ss:Type="Number">12.5</Data>
</Cell><Cell><Data ss:Type="DateTime">2026-03-01T00:00:00.000</Data></Cell></Row></Table></Worksheet><Worksheet ss:Name="Prices"><Table><Row><Cell>
<ss:Data ss:Type="String"><html:Font>half</html:Font>penny</ss:Data></Cell></Row></Table></Worksheet></Workbook>"""


CHART = HEAD + (
    '<c:chartSpace xmlns:c="%sdrawingml/2006/chart" xmlns:a="%sdrawingml/2006/main"><c:chart><c:title><a:p><a:r><a:t>Boats a year</a:t></a:r></a:p>'
    "</c:title>%s</c:chart></c:chartSpace>") % (OPEN, OPEN, "".join(
        "<c:ser><c:tx><c:strRef><c:f>A!B1</c:f><c:strCache><c:pt><c:v>%s</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt>"
        "<c:v>Spring tide</c:v></c:pt><c:pt><c:v>Neap tide</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>4.5</c:v>"
        "</c:pt></c:numCache></c:numRef></c:val></c:ser>" % name for name in ("Come home", "Lost")))
CHART_SHAPES = HEAD + ('<c:userShapes xmlns:c="%sdrawingml/2006/chart" xmlns:a="%sdrawingml/2006/main"><a:p><a:r><a:t>On the chart</a:t></a:r></a:p>'
                       "</c:userShapes>") % (OPEN, OPEN)
VML = 'xmlns:v="urn:schemas-microsoft-com:vml"'


def drawn_word():
    """Writes a chart, text along a line, and facts in more parts than usual."""
    core = "package/2006/relationships/metadata/core-properties"
    return {
        "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"), ("r2", OPEN + core, "docProps/core.xml"),
                                 ("r3", OPEN + core, "docProps/core0.xml"), ("r4", "extended-properties", "docProps/app.xml")),
        "docProps/core.xml": CORE.replace("<dc:title>Harbour book</dc:title>", ""), "docProps/core0.xml": CORE,
        "docProps/app.xml": HEAD + '<Properties xmlns="%sofficeDocument/2006/extended-properties"><Manager>Cy Holm</Manager><Company>Harbour board'
        "</Company></Properties>" % OPEN,
        "word/document.xml": w("document", "<w:body>" + p(run("Before the ") + '<w:r><w:pict><v:shape %s alt="A wave &amp; a gull"><v:textpath string='
                                                          '"Along a line"/></v:shape></w:pict></w:r>' % VML + run("line")) + "</w:body>"),
        "word/_rels/document.xml.rels": relations(("r1", "chart", "charts/chart1.xml"), ("r2", "header", "header1.xml")),
        "word/header1.xml": w("hdr", p('<w:r><w:pict><v:shape %s><v:textpath string="Only a draft"/></v:shape></w:pict></w:r>' % VML)),
        "word/charts/chart1.xml": CHART, "word/charts/_rels/chart1.xml.rels": relations(("r1", "chartUserShapes", "../drawings/drawing1.xml")),
        "word/drawings/drawing1.xml": CHART_SHAPES,
    }


def charted_book():
    """Writes a chart whose series has no name in the cells, in the namespace of the beta
    version."""
    chart = CHART.replace("<c:ser>", "<c:ser><c:tx><c:v>Ships of the line</c:v></c:tx></c:ser><c:ser>", 1)
    parts = {name: part.replace(OPEN + "spreadsheetml/2006/main", "http://schemas.microsoft.com/office/excel/2006/2") for name, part in BOOK_PARTS.items()}
    parts["xl/sharedStrings.xml"] = parts["xl/sharedStrings.xml"].replace("si>", "sstItem>")
    return dict(parts, **{
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("r1", "drawing", "../drawings/drawing1.xml")),
        "xl/drawings/drawing1.xml": HEAD + '<wsDr xmlns="%sdrawingml/2006/spreadsheetDrawing"/>' % OPEN,
        "xl/drawings/_rels/drawing1.xml.rels": relations(("r1", "chart", "../charts/chart1.xml")), "xl/charts/chart1.xml": chart})


def mastered_slides():
    prompt = shape("Click to fill in", "title") + shape("7", "sldNum") + shape("The club", "ftr")
    return dict(SLIDE_PARTS, **{
        "ppt/slides/_rels/slide1.xml.rels": relations(("r1", "slideLayout", "../slideLayouts/slideLayout3.xml")),
        "ppt/slides/_rels/slide2.xml.rels": relations(("r1", "slideLayout", "../slideLayouts/slideLayout3.xml")),
        "ppt/slideLayouts/slideLayout3.xml": slide("sldLayout", shape("On this layout"), prompt),
        "ppt/slideLayouts/_rels/slideLayout3.xml.rels": relations(("r1", "slideMaster", "../slideMasters/slideMaster1.xml")),
        "ppt/slideMasters/slideMaster1.xml": slide("sldMaster", prompt.replace("club", "harbour"), shape("On every slide")),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relations(("r1", "slideLayout", "../slideLayouts/slideLayout9.xml")),
        "ppt/slideLayouts/slideLayout9.xml": slide("sldLayout", shape("Used by none")),
    })


def one_file(parts):
    """Writes all parts into one file (Flat OPC)."""
    pieces = ['<pkg:part pkg:name="/%s"><pkg:xmlData>%s</pkg:xmlData></pkg:part>' % (name, text[len(HEAD):])
              for name, text in parts.items() if not name.startswith("[")]
    return HEAD + ('<?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'
                   "%s</pkg:package>" % "".join(pieces))


def ooxml_files():
    parts = dict(WORD_PARTS, **{"word/embeddings/list.docx": tiny_word("In the embedded document")})
    lost = {name: text for name, text in WORD_PARTS.items() if not name.endswith(".rels") and not name.startswith("[")}
    return {
        "ooxml-text.docx": package(parts),
        "ooxml-fields.docx": package({name: WORD_FIELDS if name == "word/document.xml" else WORD_PARTS[name] for name in (
            "[Content_Types].xml", "_rels/.rels", "word/document.xml")}),
        "ooxml-equations.docx": package({name: WORD_EQUATIONS if name == "word/document.xml" else WORD_PARTS[name] for name in (
            "[Content_Types].xml", "_rels/.rels", "word/document.xml")}),
        "ooxml-method97.docx": packed_as(97, package(WORD_PARTS)),
        "ooxml-strict.docx": package(strict(WORD_PARTS)),
        "ooxml-stored.docx": package(WORD_PARTS, stored=WORD_PARTS),
        "ooxml-book-stored.xlsx": package(BOOK_PARTS, stored=BOOK_PARTS),
        "ooxml-sheet.xlsx": package(BOOK_PARTS),
        "ooxml-codes.xlsx": package(coded_book()),
        "ooxml-canvas.docx": package(dict(WORD_PARTS, **{"word/document.xml": CANVAS})),
        "ooxml-chunk.docx": package(CHUNKS),
        "ooxml-word-2003.xml": WORD_2003.encode(),
        "ooxml-book-2003.xml": BOOK_2003.encode(),
        "ooxml-one-file.xml": one_file(WORD_PARTS).encode(),
        "ooxml-binary.xlsb": package(binary_book()),
        "ooxml-binary-half.xlsb": package(dict(binary_book(), **{
            "xl/sharedStrings.bin": binary_record(19, b"\0" + struct.pack("<I3H", 3, 0xdc00, 0x61, 0xd800)) * 2})),
        "ooxml-binary-cut.xlsb": package(dict(binary_book(), **{"xl/sharedStrings.bin": b"\x13\xff\xff\xff\x7f\0"})),
        "ooxml-slides.pptx": package(SLIDE_PARTS),
        "ooxml-formula.docx": package({
            "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": w("document", "<w:body>" + p(run("Know ") + FORMULA + run(" by heart")) + "</w:body>")}),
        "ooxml-formula-slide.pptx": package(dict(SLIDE_PARTS, **{"ppt/slides/slide1.xml": slide(
            "sld", '<mc:AlternateContent><mc:Choice Requires="a14">' + shape("<a:p><a:r><a:t>Know </a:t></a:r>" + FORMULA + "</a:p>")
            + "</mc:Choice><mc:Fallback>" + shape(" ") + "</mc:Fallback></mc:AlternateContent>")})),
        "ooxml-drawn.docx": package(drawn_word()),
        "ooxml-chart-book.xlsx": package(charted_book()),
        "ooxml-master-slides.pptx": package(mastered_slides()),
        "ooxml-picture.docx": package({
            "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"), ("r2", "thumbnail", "docProps/thumbnail.png")),
            "word/document.xml": w("document", "<w:body>" + p("Seen from the pier") + "</w:body>"), "docProps/thumbnail.png": picture()}),
        "ooxml-lost.docx": package(dict({"[Content_Types].xml": "<"}, **lost)),
    }


# ---- EPUB

def chapter(title, text):
    return ('<html xmlns="http://www.w3.org/1999/xhtml" lang="de"><head><title>Page</title></head><body><h1>%s</h1>'
            "<p>%s</p></body></html>") % (title, text)


EPUB_PARTS = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
    "<dc:title>Harbour tales</dc:title><dc:creator>Ada Reed</dc:creator><dc:subject>Boats</dc:subject><dc:language>en</dc:language>"
    '<dc:date>2026-03-01</dc:date></metadata><manifest><item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="pic" href="p.png" media-type="image/png"/>'
    '<item id="sealed" href="sealed.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="one"/><itemref idref="two"/><itemref idref="one"/></spine></package>',
    "OPS/text/two b.xhtml": chapter("The second tale", "Of ropes"),
    "OPS/text/one.xhtml": chapter("The first tale", "Of lanterns"),
    "OPS/sealed.xhtml": "not for us",
}


def epub_files():
    sealed = dict(EPUB_PARTS)
    sealed["OPS/book.opf"] = sealed["OPS/book.opf"].replace('<itemref idref="two"/>', '<itemref idref="sealed"/>')
    sealed["META-INF/encryption.xml"] = ('<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData>'
                                         '<enc:CipherReference URI="OPS/sealed.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>')
    covered = dict(EPUB_PARTS, **{"OPS/p.png": picture()})
    covered["OPS/book.opf"] = covered["OPS/book.opf"].replace('<item id="pic"', '<item id="pic" properties="svg cover-image"')
    old = dict(EPUB_PARTS, **{"OPS/p.png": picture()})
    old["OPS/book.opf"] = old["OPS/book.opf"].replace("</metadata>", '<meta name="cover" content="pic"/></metadata>')
    noted = dict(EPUB_PARTS)
    noted["OPS/book.opf"] = noted["OPS/book.opf"].replace("2026-03-01", "2026").replace(
        "</metadata>", '<dc:publisher>Pier Press</dc:publisher><meta name="calibre:series" content="Tales of the coast"/></metadata>')
    noted["OPS/text/one.xhtml"] = noted["OPS/text/one.xhtml"].replace(
        "<p>", "<header><p>A motto</p></header><p>").replace(
        "</body>", '<aside epub:type="footnote" id="n1"><p>1 Of copper.</p></aside><aside><h2>Oil</h2><p>Boxes are read.</p></aside>'
        "<nav><p>Contents</p></nav></body>")
    return {
        "epub-notes.epub": package(noted),
        "epub-cover.epub": package(covered),
        "epub-cover-old.epub": package(old),
        "epub-tales.epub": package(EPUB_PARTS, stored=("mimetype",)),
        "epub-sealed.epub": package(sealed, stored=sealed),
        "epub-method97.epub": packed_as(97, package(EPUB_PARTS)),
    }


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, data in {**odf_files(), **ooxml_files(), **epub_files()}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
