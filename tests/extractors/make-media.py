#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-media.py DIRECTORY: writes the recordings, pictures, contacts and calendars among the fixtures.

They are kept in data/ as they came out; run this only to change them."""
import os
import struct
import sys
import zlib


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


XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Гавань ночью</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>boats</rdf:li><rdf:li>rope walk</rdf:li></rdf:Bag></dc:subject>
<dc:creator><rdf:Seq><rdf:li>Ada Reed</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def segment(marker, body):
    return bytes((0xff, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg():
    text = b"The pier in winter\0"
    date = b"2026:03:01 10:00:00\0"
    entries = struct.pack("<H", 2) + struct.pack("<HHII", 0x010e, 2, len(text), 38) + struct.pack("<HHII", 0x8769, 4, 1, 38 + len(text))
    inner = struct.pack("<H", 1) + struct.pack("<HHII", 0x9003, 2, len(date), 38 + len(text) + 18) + bytes(4)
    exif = b"II*\0\x08\0\0\0" + entries + bytes(4) + text + inner + date
    return (b"\xff\xd8" + segment(0xe1, b"Exif\0\0" + exif) + segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0" + XMP.encode())
            + segment(0xfe, b"A comment in the file") + segment(0xdb, bytes(65))
            + segment(0xc0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\1\x11\0") + segment(0xda, b"\1\1\0\0\x3f\0") + b"\0\xff\xd9")


def png():
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP.encode()) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


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


def main(target):
    files = {
        "audio-id3.mp3": mp3(), "audio-comments.flac": flac(), "audio-cut.mp3": mp3()[:60], "image-facts.jpg": jpeg(),
        "image-xmp.png": png(), "image-cut.jpg": jpeg()[:200], "cards-contact.vcf": VCARD, "cards-day.ics": CALENDAR.encode(),
        "cards-wide.vcf": "BEGIN:VCARD\nFN:Ингрид\nEND:VCARD\n".encode("utf-16"),
        "text-utf32be.txt": "The tide turns at noon.\nÀ midi.\n".encode("utf-32-be"),
        "text-utf16le.txt": "The tide turns at noon.\n".encode("utf-16-le"),
    }
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
