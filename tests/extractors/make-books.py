#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-books.py DIRECTORY: writes the e-books of PalmDOC and the winmail.dat among the fixtures.

They are kept in data/ as they came out; run this only to change them."""
import os
import struct
import sys

TEXT = b"<html><body><h1>Harbours</h1><p>The keeper counts the boats.</p><p>Forty of them.</p></body></html>"


def book(text=TEXT):
    records = [struct.pack(">HHIHHI", 1, 0, len(text), 1, 4096, 0), text]
    at, index = 78 + 8 * len(records) + 2, b""
    for number, record in enumerate(records):
        index += struct.pack(">II", at, number)
        at += len(record)
    head = struct.pack(">32sHH6I8s2IH", b"Harbours", 0, 0, 0, 0, 0, 0, 0, 0, b"TEXtREAd", 0, 0, len(records))
    return head + index + bytes(2) + b"".join(records)


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


def main(target):
    files = {"mobi-palm.pdb": book(), "mobi-cut.pdb": book()[:150], "tnef-mail.dat": winmail(), "tnef-cut.dat": winmail()[:120]}
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
