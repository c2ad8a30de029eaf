#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-media.py DIRECTORY: writes the recordings, pictures, contacts and calendars among the
fixtures.

The results are kept in data/; run this only to change them."""
import os
import struct
import sys
import unicodedata
import zlib
import png_file


def id3(frames):
    body = b""
    for name, value in frames:
        data = b"\1\xff\xfe" + value.encode("utf-16-le")
        body += name.encode() + struct.pack(">IH", len(data), 0) + data
    size = len(body)
    return b"ID3\3\0\0" + bytes((size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127)) + body


def mp3():
    frame = b"\xff\xfb\x90\x00" + bytes(413)
    return id3([("TIT2", "Лодки at night"), ("TPE1", "Ada Reed"), ("TALB", "Songs of the pier"), ("TCON", "Shanty"), ("TYER", "1999")]) + frame * 6


def flac():
    comments = ["TITLE=The tide", "ARTIST=Bo Lund", "DESCRIPTION=Sung by the keeper", "MUSICBRAINZ_TRACKID=1234"]
    body = struct.pack("<I", 4) + b"test" + struct.pack("<I", len(comments))
    body += b"".join(struct.pack("<I", len(c.encode())) + c.encode() for c in comments)
    info = struct.pack(">HH3s3sQ", 4096, 4096, bytes(3), bytes(3), 44100 << 44 | 1 << 41 | 15 << 36 | 44100) + bytes(16)
    return b"fLaC" + b"\0" + len(info).to_bytes(3, "big") + info + b"\x84" + len(body).to_bytes(3, "big") + body


def atom(kind, body):
    return struct.pack(">I", 8 + len(body)) + kind + body


def mp4():
    """Writes a recording of 1:02:03 with chapters as Nero writes them."""
    mvhd = struct.pack(">IIIII", 0, 3850000000, 3850000000, 1000, 3723000) + struct.pack(">IH", 0x10000, 0x100) + bytes(10)
    mvhd += struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000) + bytes(24) + struct.pack(">I", 2)
    def tag(kind, text):
        return atom(kind, atom(b"data", struct.pack(">II", 1, 0) + text.encode()))
    ilst = tag(b"\xa9nam", "Гавань, the film") + tag(b"\xa9ART", "Ada Reed") + tag(b"\xa9gen", "Documentary") + tag(b"\xa9cmt", "Shot from the mole")
    hdlr = atom(b"hdlr", bytes(8) + b"mdirappl" + bytes(9))
    chapters = [(0, "Low water"), (1200, "The ferry leaves")]
    chpl = struct.pack(">IBI", 0x1000000, 0, len(chapters))
    chpl += b"".join(struct.pack(">QB", at * 10000000, len(name)) + name.encode() for at, name in chapters)
    udta = atom(b"udta", atom(b"meta", bytes(4) + hdlr + atom(b"ilst", ilst)) + atom(b"chpl", chpl))
    tkhd = struct.pack(">IIIIII", 7, 3850000000, 3850000000, 1, 0, 3723000) + bytes(8) + struct.pack(">HHHH", 0, 0, 0x100, 0) + struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000) + bytes(8)
    mdhd = struct.pack(">IIIIIHH", 0, 3850000000, 3850000000, 1000, 3723000, 0x15c7, 0)
    sound = atom(b"hdlr", bytes(8) + b"soun" + bytes(13))
    entry = atom(b"mp4a", bytes(6) + struct.pack(">H", 1) + bytes(8) + struct.pack(">HHHHI", 2, 16, 0, 0, 44100 << 16))
    stbl = atom(b"stbl", atom(b"stsd", struct.pack(">II", 0, 1) + entry) + atom(b"stts", struct.pack(">IIII", 0, 1, 1, 3723000))
                + atom(b"stsc", struct.pack(">IIIII", 0, 1, 1, 1, 1)) + atom(b"stsz", struct.pack(">III", 0, 16, 1)) + atom(b"stco", struct.pack(">III", 0, 1, 8)))
    trak = atom(b"trak", atom(b"tkhd", tkhd) + atom(b"mdia", atom(b"mdhd", mdhd) + sound + atom(b"minf", atom(b"smhd", bytes(8)) + stbl)))
    return atom(b"ftyp", b"isom\0\0\2\0isomiso2mp41") + atom(b"moov", atom(b"mvhd", mvhd) + trak + udta) + atom(b"mdat", bytes(16))


def element(kind, body):
    if isinstance(body, str):
        body = body.encode()
    return bytes.fromhex(kind) + (len(body) | 1 << 56).to_bytes(8, "big") + body


def number(kind, value):
    return element(kind, value.to_bytes(8, "big"))


def matroska(doctype):
    def simple(name, value):
        return element("67c8", element("45a3", name) + element("4487", value))
    def chapter(uid, start, name):
        return element("b6", number("73c4", uid) + number("91", start * 10**9) + element("80", element("85", name) + element("437c", "eng")))
    head = element("1a45dfa3", number("4286", 1) + number("42f7", 1) + number("42f2", 4) + number("42f3", 8)
                   + element("4282", doctype) + number("4287", 4) + number("4285", 2))
    info = element("1549a966", number("2ad7b1", 1000000) + element("4489", struct.pack(">d", 125000.0)) + element("7ba9", "Night ferry")
                   + element("4d80", "handmade") + element("5741", "handmade") + element("4461", struct.pack(">q", 7 * 10**17)))
    track = element("1654ae6b", element("ae", number("d7", 1) + number("73c5", 1) + number("83", 2) + element("86", "A_VORBIS") + element("536e", "Keeper's commentary")))
    chapters = element("1043a770", element("45b9", chapter(1, 0, "Casting off") + chapter(2, 60, "Open sea")))
    tags = element("1254c367", element("7373", element("63c0", number("68ca", 50)) + simple("ARTIST", "Bo Lund") + simple("COMMENT", "From the bridge") + simple("SYNOPSIS", "A crossing in fog")))
    cluster = element("1f43b675", number("e7", 0) + element("a3", b"\x81\0\0\x80" + bytes(16)))
    return head + element("18538067", info + track + chapters + tags + cluster)


def avi():
    def chunk(kind, body):
        return kind + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)
    def texts(**items):
        return chunk(b"LIST", b"INFO" + b"".join(chunk(k.encode(), v.encode() + b"\0") for k, v in items.items()))
    avih = struct.pack("<14I", 40000, 0, 0, 0x10, 1500, 0, 1, 0, 16, 16, 0, 0, 0, 0)
    strh = b"vidsMJPG" + struct.pack("<IHHIIIIIIII4H", 0, 0, 0, 0, 1, 25, 0, 1500, 0, 0, 0, 0, 0, 16, 16)
    strf = struct.pack("<IiiHH4sIiiII", 40, 16, 16, 1, 24, b"MJPG", 768, 0, 0, 0, 0)
    hdrl = chunk(b"LIST", b"hdrl" + chunk(b"avih", avih) + chunk(b"LIST", b"strl" + chunk(b"strh", strh) + chunk(b"strf", strf)))
    body = b"AVI " + hdrl + texts(INAM="Winter storage", IART="Ines Falk", ICMT="Boats on trestles", ISFT="handmade") + chunk(b"LIST", b"movi" + chunk(b"00dc", bytes(16)))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def chaptered_mp3():
    def frame(name, data):
        return name + struct.pack(">IH", len(data), 0) + data
    def text(name, value):
        return frame(name, b"\3" + value.encode())
    def chapter(key, start, end, title):
        return frame(b"CHAP", key + b"\0" + struct.pack(">IIII", start, end, 0xffffffff, 0xffffffff) + text(b"TIT2", title))
    body = text(b"TIT2", "Harbour talk") + chapter(b"c1", 0, 60000, "The old crane") + chapter(b"c2", 60000, 90000, "Letters")
    size = len(body)
    head = b"ID3\4\0\0" + bytes((size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127))
    return head + body + (b"\xff\xfb\x90\x00" + bytes(413)) * 40


XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Гавань ночью</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>boats</rdf:li><rdf:li>rope walk</rdf:li></rdf:Bag></dc:subject>
<dc:creator><rdf:Seq><rdf:li>Ada Reed</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def tiff(pages):
    """Gray pages, each a list of rows, packed with zlib (TIFF 6.0; Adobe's Technical Note of 2002)."""
    out = b"II*\0\0\0\0\0"
    link = 4
    for rows in pages:
        strip = zlib.compress(b"".join(rows), 9)
        place = len(out)
        out += strip + bytes(len(strip) % 2)
        entries = [(256, 4, len(rows[0])), (257, 4, len(rows)), (258, 3, 8), (259, 3, 8), (262, 3, 1), (273, 4, place),
                   (277, 3, 1), (278, 4, len(rows)), (279, 4, len(strip))]
        out = out[:link] + struct.pack("<I", len(out)) + out[link + 4:]
        out += struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
        link = len(out)
        out += bytes(4)
    return out


def scanned_tiff():
    """The first line of a picture of text, and the lines after it, as two pages."""
    rows = [row[::3] for row in png_file.rows(os.path.join(os.path.dirname(__file__), "data", "image-scan.png"))]
    return tiff([rows[:80], rows[80:]])


def segment(marker, body):
    return bytes((0xff, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg(xmp=XMP):
    text = b"The pier in winter\0"
    date = b"2026:03:01 10:00:00\0"
    entries = struct.pack("<H", 2) + struct.pack("<HHII", 0x010e, 2, len(text), 38) + struct.pack("<HHII", 0x8769, 4, 1, 38 + len(text))
    inner = struct.pack("<H", 1) + struct.pack("<HHII", 0x9003, 2, len(date), 38 + len(text) + 18) + bytes(4)
    exif = b"II*\0\x08\0\0\0" + entries + bytes(4) + text + inner + date
    return (b"\xff\xd8" + segment(0xe1, b"Exif\0\0" + exif) + segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode())
            + segment(0xfe, b"A comment in the file") + segment(0xdb, bytes(65))
            + segment(0xc0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\1\x11\0") + segment(0xda, b"\1\1\0\0\x3f\0") + b"\0\xff\xd9")


def scanned_jpeg():
    """Writes the date of a file besides the one when the photo was taken."""
    return jpeg(XMP.replace("<rdf:Description", '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2005-07-08T09:10:11+02:00"', 1))


def edited_jpeg():
    """Writes the metadata of a news agency: IPTC in a resource of Photoshop, and XMP of other
    programs."""
    facts = ((15, "Weather"), (20, "Storms"), (40, "Embargo till noon"), (85, "Staff"), (110, "Harbour Press"), (115, "Pool"), (122, "Cy Holm"), (118, "Desk 7"))
    iptc = b"".join(b"\x1c\2" + struct.pack(">BH", kind, len(text)) + text.encode() for kind, text in facts)
    resource = b"8BIM\4\4\0\0" + struct.pack(">I", len(iptc)) + iptc + bytes(len(iptc) % 2)
    spaces = "".join(' xmlns:%s="http://ns.adobe.com/%s"' % pair for pair in (
        ("photoshop", "photoshop/1.0/"), ("xmpRights", "xap/1.0/rights/"), ("tiff", "tiff/1.0/"), ("aux", "exif/1.0/aux/"), ("xmp", "xap/1.0/")))
    xmp = XMP.replace("<rdf:Description", "<rdf:Description" + spaces + ' photoshop:CaptionWriter="Dee Ott" photoshop:TransmissionReference="Ref 12"'
                      ' xmpRights:WebStatement="https://example.org/rights" tiff:Model="Obscura 3" aux:OwnerName="Eva Lind" xmp:Label="Chosen"', 1)
    xmp = xmp.replace("<dc:creator>", "<photoshop:SupplementalCategories><rdf:Bag><rdf:li>Gales</rdf:li></rdf:Bag></photoshop:SupplementalCategories><dc:creator>")
    return (b"\xff\xd8" + segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode()) + segment(0xed, b"Photoshop 3.0\0" + resource) + segment(0xdb, bytes(65))
            + segment(0xc0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\1\x11\0") + segment(0xda, b"\1\1\0\0\x3f\0") + b"\0\xff\xd9")


def png():
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP.encode()) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


def png_texts():
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"tEXt", b"Title\0The caf\xe9")
            + chunk(b"zTXt", b"Author\0\0" + zlib.compress(b"Ada Reed")) + chunk(b"iTXt", b"Comment\0\1\0ru\0\0" + zlib.compress("Гавань".encode()))
            + chunk(b"tEXt", b"Other\0not this") + chunk(b"zTXt", b"Copyright\0\0no zlib") + chunk(b"tEXt", b"parameters\0a pier at night")
            + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


VCARD = b"""BEGIN:VCARD
VERSION:2.1
N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Str=F6m;Ada
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ada =
Str=C3=B6m
ADR;HOME:;;Pier street 7;Harbour;;12345;Norway
item1.EMAIL;INTERNET:ada@example.org
NOTE:Keeps the\\nlights\\, and
  the boats
PHOTO;ENCODING=BASE64:AAAA
UID:not-this
END:VCARD
"""

CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:not this\r
X-WR-CALNAME:Days of the harbour\r
BEGIN:VEVENT\r
DTSTART;TZID=Europe/Oslo:20260301T100000\r
SUMMARY:Лодочный день\r
LOCATION:The long pier\r
DESCRIPTION:Bring ropes\\, and\r
  a lamp.\r
ORGANIZER;CN="Reed, Ada":mailto:ada@example.org\r
ATTENDEE;CN=Bo Lund:mailto:bo@example.org\r
CATEGORIES:boats,ropes\r
RRULE:FREQ=YEARLY\r
END:VEVENT\r
END:VCALENDAR\r
"""


# ---- Windows metafiles

def emf_record(kind, body=b""):
    body += bytes(-len(body) % 4)
    return struct.pack("<2I", kind, 8 + len(body)) + body


def emf_text(x, y, text, widths):
    wide = text.encode("utf-16-le")
    wide += bytes(-len(wide) % 4)
    head = bytes(16) + struct.pack("<I2f2i3I4iI", 1, 1, 1, x, y, len(text), 76, 0, 0, 0, 0, 0, 76 + len(wide))
    return emf_record(84, head + wide + struct.pack("<%dI" % len(text), *[widths] * len(text)))


def emf():
    description = "A hand\0The pier\0\0".encode("utf-16-le")
    head = bytes(32) + b" EMF" + struct.pack("<3IHHII", 0x10000, 0, 0, 1, 0, len(description) // 2, 100)
    out = emf_record(1, head + bytes(100 - 8 - len(head)) + description)
    out += emf_text(10, 20, "Har", 5) + emf_text(25, 20, "bour", 5) + emf_text(60, 20, "boats", 5) + emf_text(10, 40, "Лодки", 5)
    out += emf_record(108, struct.pack("<2i2I3I", 10, 60, 5, 0x300, 1, 0, 0) + b"small")
    return out + emf_record(14, bytes(12))


def wmf():
    record = lambda kind, body=b"": struct.pack("<IH", 3 + (len(body) + 1) // 2, kind) + body + bytes(len(body) % 2)
    font = lambda charset: struct.pack("<5h8B", 12, 0, 0, 0, 400, 0, 0, 0, charset, 0, 0, 0, 0) + b"Arial\0"
    out = record(0x2fc, bytes(8)) + record(0x2fb, font(0)) + record(0x2fb, font(204)) + record(0x12d, struct.pack("<H", 1))
    out += record(0x521, struct.pack("<H", 5) + b"Caf\xe9s\0" + struct.pack("<2h", 20, 10))
    out += record(0x12d, struct.pack("<H", 2))
    out += record(0xa32, struct.pack("<2h2H4h", 40, 10, 5, 2, 0, 0, 1, 1) + "Лодки".encode("cp1251") + b"\0")
    out += record(0)
    return struct.pack("<IH4hHIH", 0x9ac6cdd7, 0, 0, 0, 100, 100, 96, 0, 0) + struct.pack(
        "<3HIHIH", 1, 9, 0x300, 9 + len(out) // 2, 3, 0, 0) + out


# ---- pictures in boxes

def avif():
    box = lambda kind, body: struct.pack(">I", 8 + len(body)) + kind + body
    full = lambda kind, body, version=0: box(kind, bytes([version, 0, 0, 0]) + body)
    artist = b"Ada Reed\0"
    exif = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x13b, 2, len(artist), 26, 0) + artist
    item = struct.pack(">I", 6) + b"Exif\0\0" + exif
    infos = full(b"iinf", struct.pack(">H", 1) + full(b"infe", struct.pack(">2H", 1, 0) + b"Exif\0", 2))
    meta = lambda offset: full(b"meta", full(b"hdlr", bytes(4) + b"pict" + bytes(13)) + infos + full(
        b"iloc", struct.pack(">2BHHHHII", 0x44, 0, 1, 1, 0, 1, offset, len(item))))
    head = box(b"ftyp", b"avif" + bytes(4) + b"mif1avif")
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", item)


def heif():
    """Writes only the names of boxes, which Exiv2 does not follow."""
    artist = b"Ada Reed\0"
    exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIII", 8, 1, 0x13b, 2, len(artist), 26, 0) + artist
    box = lambda kind, body: struct.pack(">I", 8 + len(body)) + kind + body
    return box(b"ftyp", b"heic" + bytes(4) + b"mif1heic") + box(b"mdat", b"Exif\0\0not this" + struct.pack(">I", 6) + exif + XMP_PACKET)


def gif():
    block = lambda data: bytes([len(data)]) + data
    picture = b"," + struct.pack("<4HB", 0, 0, 1, 1, 0) + b"\2" + block(b"\x4c\1") + b"\0"
    return (b"GIF89a" + struct.pack("<2H3B", 1, 1, 0x80, 0, 0) + bytes(6) + b"!\xf9" + block(bytes(4)) + b"\0" + picture +
            b"!\xfe" + block(b"The lamp on ") + block(b"the caf\xc3\xa9 pier") + b"\0;" + bytes(10))


XMP_PACKET = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">The long pier</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada Reed</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"""

VIETNAMESE = """Người gác đèn đếm những chiếc thuyền trở về bến mỗi buổi chiều. Bốn mươi chiếc đã về,
hai chiếc vẫn còn ở ngoài khơi. Ông viết số thuyền vào quyển sổ rồi thắp đèn lên.
"""
# the charset has accented letters, and tone marks as separate characters
TONES = {ord(c): unicodedata.normalize("NFC", d[:-1]) + d[-1] for c in VIETNAMESE for d in [unicodedata.normalize("NFD", c)]
         if len(d) > 1 and d[-1] in "\u0300\u0301\u0303\u0309\u0323"}
TONES.update({ord(c): unicodedata.normalize("NFC", d[0] + d[2]) + d[1] for c in VIETNAMESE for d in [unicodedata.normalize("NFD", c)]
              if len(d) == 3 and d[1] == "\u0323"})

LATVIAN = """Bākas sargs katru vakaru skaita laivas, kas atgriežas ostā. Četrdesmit laivas jau ir atpakaļ,
divas vēl ir jūrā. Viņš ieraksta skaitli grāmatā un iededzina uguni. Tad viņš sēž pie loga un gaida,
kamēr pēdējā bura parādās aiz mola. Rītā tirgū pārdod zivis, un bērni skrien pa krastu.
"""


def main(target):
    files = {
        "audio-id3.mp3": mp3(), "audio-comments.flac": flac(), "audio-cut.mp3": mp3()[:60],
        "audio-chapters.mp3": chaptered_mp3(), "video-film.mp4": mp4(), "video-ferry.mkv": matroska("matroska"), "video-web.webm": matroska("webm"),
        "video-winter.avi": avi(), "video-cut.mkv": matroska("matroska")[:300], "image-facts.jpg": jpeg(), "image-agency.jpg": edited_jpeg(), "image-scanned.jpg": scanned_jpeg(),
        "image-pages.tiff": scanned_tiff(),
        "image-drawing.emf": emf(), "image-drawing-cut.emf": emf()[:320], "image-old.wmf": wmf(), "image-boxes.avif": avif(), "image-loose.heic": heif(),
        "image-xmp.png": png(), "image-texts.png": png_texts(), "image-cut.jpg": jpeg()[:200], "cards-contact.vcf": VCARD, "cards-day.ics": CALENDAR.encode(),
        "cards-wide.vcf": "BEGIN:VCARD\nFN:Ингрид\nEND:VCARD\n".encode("utf-16"),
        "text-utf32be.txt": "The tide turns at noon.\nÀ midi.\n".encode("utf-32-be"),
        "image-layout.indd": bytes.fromhex("0606edf5d81d46e5bd31efe7fe74b71d") + bytes(64) + XMP_PACKET + bytes(64),
        "image-packet.gif": b"GIF89a\1\0\1\0\0\0\0" + b"!\xff\x0bXMP DataXMP" + XMP_PACKET + bytes(8) + b";",
        "image-remark.gif": gif(), "image-remark-cut.gif": gif()[:60],
        "text-wide-cjk.txt": "灯台守は船を数える。\n四十隻が帰ってきた。\n".encode("utf-16-be"),
        "text-wide-cyrillic.txt": "Сторож считает лодки.\n".encode("utf-16-le"),
        "text-wide-polish.txt": "Później pije gorącą herbatę i słucha mew, które się kłócą.\n".encode("utf-16-le"),
        "text-wide-tones.txt": "Mỗi buổi sáng, người quản lý đếm những chiếc thuyền đã trở về.\n".encode("utf-16-be"),
        "text-phrases.yaml": "Subject: Betreff\nFrom: Von\nTo: An\nReferences: Quellen\n".encode(),
        "text-vietnamese.txt": unicodedata.normalize("NFC", VIETNAMESE).translate(TONES).encode("cp1258") * 2,
        "text-latvian.txt": LATVIAN.encode("iso8859-4"),
        "text-dos.txt": "Das Boot kehrt zur\x81ck.\r\n\x1a".encode("latin-1"),
        "text-stray.txt": b"A bell \x07 rings in the log of the harbour.\n" * 12,
        "text-utf16le.txt": "The tide turns at noon.\n".encode("utf-16-le"),
    }
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
