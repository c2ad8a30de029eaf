#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-pst.py DIRECTORY: writes the fixtures of Outlook's personal folders (MS-PST, Unicode).

The results are kept in data/; run this only to change them. Only what a reader needs is written:
no allocation maps, and tables without more columns than they need."""
import struct
import sys
import zlib

FIRST_PAGE = 1024
TYPE_INT, TYPE_BOOL, TYPE_OBJECT, TYPE_TEXT, TYPE_TIME, TYPE_BINARY = 3, 11, 13, 0x1f, 0x40, 0x102
CLASS_PROPERTIES, CLASS_TABLE = 0xbc, 0x7c
ROOT = 0x122
IN_HEAP = 3500  # bytes; longer values are nodes of their own


def crc(data):
    """The CRC-32 of MS-PST 5.3 neither begins nor ends inverted."""
    return ~zlib.crc32(data, 0xffffffff) & 0xffffffff


def signature(place, block):
    value = (place ^ block) & 0xffffffff
    return (value >> 16 ^ value) & 0xffff


class Store:
    """The node database: blocks, and the trees of nodes and blocks (MS-PST 2.2.2)."""

    def __init__(self):
        self.out = bytearray(FIRST_PAGE)
        self.blocks = []  # (block, place, bytes)
        self.nodes = []  # (node, block, block of the subnodes, parent)
        self.next_block = 4

    def add_block(self, data, internal=False):
        block = self.next_block | (2 if internal else 0)
        self.next_block += 4
        place = len(self.out)
        padding = -(len(data) + 16) % 64
        trailer = struct.pack("<HHIQ", len(data), signature(place, block), crc(data), block)
        self.out += data + bytes(padding) + trailer
        self.blocks.append((block, place, len(data)))
        return block

    def add_subnodes(self, subnodes):
        """subnodes: [(node, block, block of its subnodes)]. Returns their block (2.2.2.8.3.3)."""
        if not subnodes:
            return 0
        entries = b"".join(struct.pack("<QQQ", *subnode) for subnode in sorted(subnodes))
        return self.add_block(struct.pack("<BBHI", 2, 0, len(subnodes), 0) + entries, True)

    def add_page(self, kind, entries, level):
        self.out += bytes(-len(self.out) % 512)
        size = len(entries[0])
        page = b"".join(entries).ljust(488, b"\0")
        page += struct.pack("<BBBBI", len(entries), 488 // size, size, level, 0)
        place, block = len(self.out), self.next_block
        self.next_block += 4
        self.out += page + struct.pack("<BBHIQ", kind, kind, signature(place, block), crc(page), block)
        return block, place

    def add_tree(self, kind, entries):
        """Writes pages of entries and pages above them. Returns block and place of the top."""
        level = 0
        while True:
            most = 488 // len(entries[0])
            pages = []
            for i in range(0, len(entries), most):
                part = entries[i:i + most]
                pages.append(part[0][:8] + struct.pack("<QQ", *self.add_page(kind, part, level)))
            if len(pages) == 1:
                return struct.unpack("<8xQQ", pages[0])
            entries, level = pages, level + 1

    def finish(self):
        nodes = self.add_tree(0x81, [struct.pack("<QQQII", node, block, sub, parent, 0)
                                     for node, block, sub, parent in sorted(self.nodes)])
        blocks = self.add_tree(0x80, [struct.pack("<QQHHI", block, place, size, 2, 0)
                                      for block, place, size in sorted(self.blocks)])
        root = struct.pack("<IQQQQ", 0, len(self.out), 0, 0, 0) + struct.pack("<QQQQ", *nodes, *blocks) + bytes([2, 0, 0, 0])
        body = b"SM" + struct.pack("<HHBBIIQQI", 23, 19, 1, 1, 0, 0, 0, self.next_block, 1)
        body += bytes(128 + 8) + root + bytes(4) + b"\xff" * 256 + bytes([0x80, 0, 0, 0])
        body += struct.pack("<Q", self.next_block)
        header = b"!BDN" + struct.pack("<I", crc(body[:471])) + body
        self.out[:564] = header + struct.pack("<I", crc(body[:516])) + bytes(36)
        return bytes(self.out)


class Heap:
    """The heap on a node (MS-PST 2.3.1), in one block."""

    def __init__(self, kind):
        self.kind, self.parts, self.root = kind, [], 0

    def add(self, data):
        self.parts.append(data)
        return len(self.parts) << 5

    def add_tree(self, key_bytes, value_bytes, records):
        """Adds a BTH (2.3.2) of the packed records."""
        records = self.add(b"".join(sorted(records, key=lambda r: r[:key_bytes][::-1]))) if records else 0
        return self.add(struct.pack("<BBBBI", 0xb5, key_bytes, value_bytes, 0, records))

    def bytes(self):
        places, at = [], 12
        for part in self.parts:
            places.append(at)
            at += len(part)
        body = b"".join(self.parts)
        body += bytes(at % 2)
        head = struct.pack("<HBBII", at + at % 2, 0xec, self.kind, self.root, 0)
        return head + body + struct.pack(f"<HH{len(places) + 1}H", len(places), 0, *places, at)


def encode(kind, value):
    if kind == TYPE_TEXT:
        return value.encode("utf-16-le")
    if kind == TYPE_TIME:
        return struct.pack("<Q", (value + 11644473600) * 10000000)
    return value


def properties(store, values, subnodes=()):
    """Writes a property context (2.3.3); values: {property: (type, value)}. Returns its block and
    that of the subnodes."""
    heap, subnodes, records = Heap(CLASS_PROPERTIES), list(subnodes), []
    for number, (kind, value) in values.items():
        if kind in (TYPE_INT, TYPE_BOOL):
            where = int(value)
        else:
            data = encode(kind, value)
            if len(data) > IN_HEAP:
                where = 0x8000 + 0x20 * len(subnodes) | 0x1f
                subnodes.append((where, store.add_block(data), 0))
            else:
                where = heap.add(data)
        records.append(struct.pack("<HHI", number, kind, where))
    heap.root = heap.add_tree(2, 6, records)
    return store.add_block(heap.bytes()), store.add_subnodes(subnodes)


def table(store, rows, columns=()):
    """Writes a table context (2.3.4); rows: [(id, {property: number or text})]."""
    heap = Heap(CLASS_TABLE)
    columns = [(0x67f2, TYPE_INT), (0x67f3, TYPE_INT)] + list(columns)
    described, end = b"", 4 * len(columns)
    for bit, (number, kind) in enumerate(columns):
        described += struct.pack("<HHHBB", kind, number, 4 * bit, 4, bit)
    row_bytes = end + (len(columns) + 7) // 8
    matrix = b""
    for row, values in rows:
        cells = {0x67f2: row, 0x67f3: 1, **values}
        known = 0
        for bit, (number, kind) in enumerate(columns):
            value = cells.get(number, 0)
            matrix += struct.pack("<I", heap.add(encode(kind, value)) if kind == TYPE_TEXT else value)
            known |= (number in cells) << (7 - bit % 8)
        matrix += bytes([known])
    index = heap.add_tree(4, 4, [struct.pack("<II", row, i) for i, (row, _) in enumerate(rows)])
    where = heap.add(matrix) if matrix else 0
    heap.root = heap.add(struct.pack("<BBHHHHIII", CLASS_TABLE, len(columns), end, end, end, row_bytes,
                                     index, where, 0) + described)
    return store.add_block(heap.bytes())


def add_folder(store, node, parent, name, folders=(), messages=()):
    store.nodes.append((node, *properties(store, {
        0x3001: (TYPE_TEXT, name), 0x3602: (TYPE_INT, len(messages)), 0x3603: (TYPE_INT, 0),
        0x360a: (TYPE_BOOL, bool(folders))}), parent))
    for kind, rows in (0xd, folders), (0xe, messages), (0xf, ()):
        store.nodes.append((node & ~0x1f | kind, table(store, [(row, {}) for row in rows]), 0, 0))


def attachment(store, number, values, subnodes=()):
    """Returns a subnode of a message."""
    return (0x8005 + 0x20 * number, *properties(store, values, subnodes))


def message(store, values, attachments=()):
    """Returns the block of a message and that of its subnodes."""
    subnodes = list(attachments)
    if attachments:
        subnodes.append((0x671, table(store, [(node, {0x0e20: 100}) for node, *_ in attachments],
                                      [(0x0e20, TYPE_INT)]), 0))
    base = {0x001a: (TYPE_TEXT, "IPM.Note"), 0x0e07: (TYPE_INT, 1)}
    return properties(store, {**base, **values}, subnodes)


def lzfu(rtf):
    """Packs RTF as MS-OXRTFCP does, in literals only."""
    packed = b""
    for i in range(0, len(rtf) + 1, 8):
        part = rtf[i:i + 8]
        packed += bytes([0 if len(part) == 8 else 1 << len(part)]) + part
    packed += struct.pack(">H", (207 + len(rtf)) % 4096 << 4)
    return struct.pack("<II4sI", len(packed) + 12, len(rtf), b"LZFu", crc(packed)) + packed


def text(value):
    return TYPE_TEXT, value


def mails(store):
    """The messages of the fixture: a body of each kind, attachments of each kind, a contact."""
    note = attachment(store, 0, {0x3705: (TYPE_INT, 1), 0x3707: text("wicks.txt"), 0x3704: text("WICKS~1.TXT"),
                                 0x3701: (TYPE_BINARY, b"Trim the wicks every evening.\n" * 3)})
    inner_block, inner_sub = message(store, {0x0037: text("Oil"), 0x1000: text("The oil comes on Friday.")})
    inner = attachment(store, 1, {0x3705: (TYPE_INT, 5), 0x3704: text("OIL"),
                                  0x3701: (TYPE_OBJECT, struct.pack("<II", 0x200124, 100))},
                       [(0x200124, inner_block, inner_sub)])
    empty = attachment(store, 2, {0x3705: (TYPE_INT, 1), 0x3701: (TYPE_BINARY, b"")})
    yield message(store, {
        0x0037: text("\x01\x05Re: Lamps of the harbour"), 0x0c1a: text("Ada Keeper"), 0x5d01: text("ada@example.org"),
        0x0e04: text("Björn Ilves; the long name of a pilot who reads this by the light of the first lamp"),
        0x0e03: text("copy@example.org"), 0x1035: text("<lamps-1@example.org>"), 0x0039: (TYPE_TIME, 1704441600),
        0x1000: text("The lamps on the northern pier are lit at dusk.\r\nBring matches.")}, [note, inner, empty])
    yield message(store, {
        0x0037: text("A page"), 0x0c1f: text("/O=HARBOUR/CN=KEEPER"), 0x0c1a: text("Keeper"), 0x0e06: (TYPE_TIME, 1704528000),
        0x3fde: (TYPE_INT, 65001), 0x1013: (TYPE_BINARY, b"<html><body><p>Lamp <b>oil</b> &amp; wicks</p></body></html>")})
    yield message(store, {0x0037: text("Rich"), 0x0e1f: (TYPE_BOOL, True),
                          0x1009: (TYPE_BINARY, lzfu(rb"{\rtf1\ansi A storm breaks the glass.\par}"))})
    yield message(store, {0x001a: text("IPM.Contact"), 0x3001: text("Cleo Warden"), 0x3a16: text("Harbour Office"),
                          0x3a27: text("Tallinn"), 0x3a08: text("+372 555 0100")})
    yield message(store, {0x001a: text("IPM.Appointment"), 0x8000: text("the northern pier"), 0x1000: text("Bring the chart.")})
    yield message(store, {0x0037: text("Long"), 0x1000: text("seven lanterns swing over the quay " * 80)})
    yield message(store, {})


def names():
    """Properties by name (2.4.7): 0x8000 is the location of an appointment."""
    appointment = bytes.fromhex("0220060000000000c000000000000046")
    name = "Keywords".encode("utf-16-le")
    return {1: (TYPE_INT, 251), 2: (TYPE_BINARY, appointment),
            3: (TYPE_BINARY, struct.pack("<IHHIHH", 0x8208, 3 << 1, 0, 0, 3 << 1 | 1, 1)),
            4: (TYPE_BINARY, struct.pack("<I", len(name)) + name)}


def lamps():
    store = Store()
    store.nodes.append((0x21, *properties(store, {0x3001: text("Lamps"), 0x0ff9: (TYPE_BINARY, bytes(16))}), 0))
    store.nodes.append((0x61, *properties(store, names()), 0))
    top, inbox, inner = 0x8022, 0x8042, 0x8062
    made = [(0x200024 + 0x20 * i, *blocks) for i, blocks in enumerate(mails(store))]
    store.nodes += [(*entry, inbox if i < 4 else inner) for i, entry in enumerate(made)]
    add_folder(store, ROOT, ROOT, "Root", [top])
    add_folder(store, top, ROOT, "Top of Personal Folders", [inbox])
    add_folder(store, inbox, top, "In/box", [inner], [node for node, *_ in made[:4]])
    add_folder(store, inner, inbox, "", [], [node for node, *_ in made[4:]])
    return store.finish()


if __name__ == "__main__":
    with open(sys.argv[1] + "/pst-lamps.pst", "wb") as out:
        out.write(lamps())
