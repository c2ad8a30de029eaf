#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-archives.py DIRECTORY: writes the archives among the fixtures.

The results are kept in data/; run this only to change them."""
import bz2
import gzip
import importlib.util
import io
import lzma
import os
import struct
import sys
import tarfile
import zlib

SPEC = importlib.util.spec_from_file_location("packages", os.path.join(os.path.dirname(os.path.abspath(__file__)), "make-packages.py"))
packages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(packages)

UNIX_WHEN = 1772359200
package, odf = packages.package, packages.odf


def tar(mode="w", odd=True):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        def add(name, data=b"", kind=tarfile.REGTYPE, link=""):
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.type, info.linkname = len(data), UNIX_WHEN, kind, link
            archive.addfile(info, io.BytesIO(data))
        add("first.txt", b"The first member\n")
        if odd:
            add("folder", kind=tarfile.DIRTYPE)
            add("../../escape.txt", b"A member above the top\n")
            add("/etc/absolute.txt", b"A member with an absolute name\n")
            add("caf\xe9.txt", b"A name in another charset\n")
            add("link", kind=tarfile.SYMTYPE, link="/etc/passwd")
            add("hard", kind=tarfile.LNKTYPE, link="first.txt")
            add("device", kind=tarfile.CHRTYPE)
        add("folder/last.txt", b"The last member\n")
    return out.getvalue()


def named_tar(charset, *names):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT, encoding=charset) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = 4, UNIX_WHEN
            archive.addfile(info, io.BytesIO(b"Hemp"))
    return out.getvalue()


def named_zip(charset, *names):
    """Names that are not UTF-8, as Explorer of Windows writes them."""
    raw = [name.encode(charset) for name in names]
    data = package({f"{i:A<{len(name)}}": "Hemp" for i, name in enumerate(raw)})
    for i, name in enumerate(raw):
        data = data.replace(f"{i:A<{len(name)}}".encode(), name)
    return data


def encrypted_zip():
    data = bytearray(package({"open.txt": "Open text", "secret.txt": "Sealed text"}, stored=("open.txt", "secret.txt")))
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.rindex(mark)
        data[at + flags] |= 1
    return bytes(data)


def damaged_zip():
    data = bytearray(package({"a.txt": "The text before\n" * 20, "b.txt": "The damaged text\n" * 20, "c.txt": "The text behind\n" * 20}))
    at = data.index(b"b.txt") + 5
    data[at:at + 8] = b"\xff" * 8
    return bytes(data)


def ar(members):
    out = b"!<arch>\n"
    for name, data in members.items():
        out += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name.encode() + b"/", UNIX_WHEN, 0, 0, b"100644", len(data))
        out += data + b"\n" * (len(data) % 2)
    return out


def cpio(members):
    out = b""
    for inode, (name, data) in enumerate(list(members.items()) + [("TRAILER!!!", b"")], 1):
        mode = 0o100644 if data else 0
        out += b"070701" + b"".join(b"%08X" % value for value in (
            inode, mode, 0, 0, 1, UNIX_WHEN, len(data), 0, 0, 0, 0, len(name) + 1, 0))
        out += name.encode() + b"\0"
        out += bytes(-len(out) % 4) + data
        out += bytes(-len(out) % 4)
    return out


def crc16(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xa001 if value & 1 else 0)
    return value


def lha(members):
    """Writes stored members with headers of level 0."""
    out = b""
    for name, data in members.items():
        rest = struct.pack("<5s3I2BB", b"-lh0-", len(data), len(data), 0x5c615000, 0x20, 0, len(name)) + name + struct.pack("<H", crc16(data))
        out += struct.pack("<2B", len(rest), sum(rest) & 0xff) + rest + data
    return out + b"\0"


def odd_cpio(members):
    """Writes headers of octal digits."""
    out = b""
    for inode, (name, data) in enumerate({**members, "TRAILER!!!": b""}.items()):
        fields = (0, inode, 0o100644, 0, 0, 1, 0)
        out += b"070707" + b"".join(b"%06o" % field for field in fields) + b"%011o%06o%011o" % (UNIX_WHEN, len(name) + 1, len(data))
        out += name.encode() + b"\0" + data
    return out


def old_cpio(members):
    """Writes binary headers."""
    out = b""
    for number, (name, data) in enumerate({**members, "TRAILER!!!": b""}.items()):
        path = name.encode() + b"\0"
        out += struct.pack("<13H", 0o70707, 1, number, 0o100644, 0, 0, 1, 0, UNIX_WHEN >> 16, UNIX_WHEN & 0xffff, len(path),
                           len(data) >> 16, len(data) & 0xffff)
        out += path + bytes(len(path) % 2) + data + bytes(len(data) % 2)
    return out


LAMPS = b"Hemp and lamps. " * 40 + b"\n"


# tar(odd=False) without its padding, as lrzip 0.651 compresses it
LRZIP_TAR = bytes.fromhex(
    "4c525a490006100a00000000000000005d000000010100000201001003000000000e000300000000370003220022000000009f000162000200000e03"
    "0177000004001400016a010004000c0400000001643264066c00cd07000000331a4aac0c732979ea3b04b7bfe6e6a6050cfc88bb17babe9984ab6f37"
    "0440b50111af472659a75f25b46bfbd4714c585ec359f3087807b49dcde3b5136c7f5e6074e4519793685d2dd5466a232143f7728f5f34e7caa10539"
    "e4c0485819f3831d564c787bb93823eabc00c291ef039de08cb9901a103f9d50ef23")


# LAMPS as lzop 1.04 compresses it
LZOP_LAMPS = bytes.fromhex(
    "894c5a4f000d0a1a0a104020a00940010500000043000081a469a40e2000000000096f746865722e7478746ee707bc00000003616263025d012a0000"
    "028100000028e40cd84be4a40a1a0d48656d7020616e64206c616d70732e20200000453c000a20616e64206c616d70732e200a11000000000000")


def brotli(*pieces):
    """Stores data in blocks that are not compressed (RFC 7932, 9.2)."""
    out = b""
    for number, piece in enumerate(pieces):
        bits = (len(piece) - 1) << 3 | 1 << 19  # not the last block, four nibbles of length, not compressed
        out += struct.pack("<I", bits << (number == 0))[:3] + piece
    return out + b"\3"


def brotli_files():
    whole = tar(odd=False).rstrip(b"\0") + bytes(1024)
    packed = bytes.fromhex("a10014c02f3a394fe8400927faadacb76f95220dc60055512383d758ca9f10")  # LAMPS as brotli 1.0.9 compresses it
    return {
        "archive-brotli.tar.br": brotli(whole[:700], whole[700:]), "archive-brotli-lamps.txt.br": packed,
        "archive-brotli-cut.txt.br": brotli(b"The text before the cut\n", b"Lost")[:-3],
        "archive-brotli-none.br": b"\x11\xff not so compressed \0\1\2\3", "archive-brotli-behind.br": brotli(b"A text and more behind it\n") + b"more",
        "archive-score.mxl": package({"META-INF/container.xml": "<container><rootfiles><rootfile full-path='waltz.xml'/></rootfiles></container>",
                                      "waltz.xml": "<score-partwise><work><work-title>The harbour waltz</work-title></work></score-partwise>"}),
        "archive-brotli-nested.zip": package({"inner.txt.br": brotli(b"In the inner file\n")}),
    }


# three members compressed with Deflate64, as 7-Zip makes them
DEFLATE64_ZIP = bytes.fromhex(
    "504b03041500000009006439765d85b0f688220000007404000005000000612e7478740b49ad285148aa5470494dcb492c493533d15318f142235e68"
    "c40b8d78219a0a0100504b03041500000009006439765d228f3be0810000005b01000005000000622e7478745d90510e02210c44ff3d055763b50a91"
    "dd36a51be3ed4d86898dfe406618de34bdabc7bb8cfe68515af54d4f2f573d8f98a5c96e7cb12e5e5c4da89f22264e114d5660d31af34b0199e7ac63"
    "41f89a37cc51779be0b39bdfd2492cb200a21891573f6e9c897158391f46a39912ddc82c5ea291a4fe7373233f8b623de8cbbe7c00504b0304150000"
    "0009006439765d85b0f688220000007404000005000000632e7478740b49ad285148aa5470494dcb492c493533d15318f142235e68c40b8d78219a0a"
    "0100504b01023f031500000009006439765d85b0f6882200000074040000050024000000000000002080a48100000000612e7478740a002000000000"
    "0001001800506ed1a4507add0100000000000000000000000000000000504b01023f031500000009006439765d228f3be0810000005b010000050024"
    "000000000000002080a48145000000622e7478740a0020000000000001001800365fdda4507add0100000000000000000000000000000000504b0102"
    "3f031500000009006439765d85b0f6882200000074040000050024000000000000002080a481e9000000632e7478740a0020000000000001001800ca"
    "07dea4507add0100000000000000000000000000000000504b05060000000003000300050100002e0100000000")
DEFLATE64_7Z = bytes.fromhex(
    "377abcaf271c00041cd9ff564a010000000000002200000000000000da932984e5c8311100200c03402b51c0c4a100091880bb3075ecd0baaf8a4ef9"
    "f10fc3f1129bdfae73cd01f9922ff992afd62a5d90510e02310844ff3d45afd655b48ddd85d06e8cb7770be312fd69c330bc21dc59c73bb5fa282395"
    "ac0bef9aaebc6fa3a742aba0239534290ba17e12c9a178310ab961e17c8c7d2946c6db737308bae7ef62cbab74e323dbc74239b1f04ea005bbe555b7"
    "1b7682dda4d86fae06314acb768ff3026d4eafffd5b8c8cfa1103fe9902f1fe5c8311100200c03402b51c0c4a100091880bb3075ecd0baaf8a4ef9f1"
    "0fc3f1129bdfae73cd01f9922ff992afd62a0000813307ae4fa141d205219127c6f5668e70deaaa384f2b0a3388beee16221b91f17ad7bce273aa001"
    "90ae915a40ccbb51c3db0402fd1228ce3792773285b3ef62c935352f1f0ec02517b78ee9ce5c05ba243b4d6b9bd8c8ca07c6056cdc97785a7a0f2b41"
    "0000170680e201096800070b01000123030101055d001000000c80920a01644d15950000")

# a text with a filter whose number no version of 7-Zip has given to one
FILTERED_7Z = bytes.fromhex(
    "377abcaf271c0004551e8c1a1500000000000000520000000000000014b671305465787420626568696e6420612066696c7465720a01040600010915"
    "00070b0100020100010f01000c151500080a01abbe5f9c000005011909000000000000000000110d0066002e007400780074000000140a0100f4462a"
    "a3547add01150601002080a4810000")


def large_zip():
    """Writes a member compressed with Deflate64 that claims to have five gigabytes, and has its
    offset in 64 bits."""
    name, data, size = b"large.txt", b"\x4b\x04\0", 5 << 30
    extra = struct.pack("<2H3Q", 1, 24, size, len(data), 0)
    fields = struct.pack("<5H3I2H", 45, 0, 9, 0, 0x5c21, zlib.crc32(b"a"), len(data), 0xffffffff, len(name), 28)
    local = b"PK\3\4" + fields + name + extra + data
    entry = struct.pack("<2H2Q", 1, 16, size, 0) + bytes(8)
    directory = b"PK\1\2\x2d\0" + fields + struct.pack("<3H2I", 0, 0, 0, 0, 0xffffffff) + name + entry
    return local + directory + b"PK\5\6" + struct.pack("<4H2IH", 0, 0, 1, 1, len(directory), len(local), 0)


def split_zip():
    """Writes the last of two parts. One member is in the first part, one is in this part with
    Deflate, and one begins in the first part and ends in this."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    texts = {"first.txt": b"Lost", "last.txt": b"Text of the last part\n" * 9, "across.txt": b"Lost too"}
    packed = {"first.txt": b"Lost", "last.txt": packer.compress(texts["last.txt"]) + packer.flush(), "across.txt": b"t too"}

    def fields(name):
        return struct.pack("<5H3I2H", 20, 0, 8 if name == "last.txt" else 0, 0, 0x5c21, zlib.crc32(texts[name]), len(packed[name]), len(texts[name]), len(name), 0)
    rest = b"t too"
    member = b"PK\3\4" + fields("last.txt") + b"last.txt" + packed["last.txt"]
    directory = b""
    for name, part, at in (("first.txt", 0, 4), ("across.txt", 0, 99), ("last.txt", 1, len(rest))):
        directory += b"PK\1\2\x14\0" + fields(name) + struct.pack("<3H2I", 0, part, 0, 0, at) + name.encode()
    return rest + member + directory + b"PK\5\6" + struct.pack("<4H2IH", 1, 1, 3, 3, len(directory), len(rest + member), 0)


def rar4_block(kind, flags, fields, data=b""):
    body = struct.pack("<B2H", kind, flags, 7 + len(fields)) + fields
    return struct.pack("<H", zlib.crc32(body) & 0xffff) + body + data


def rar4(members, more):
    """Writes a volume. A member has a name, its bytes in this volume, its full size, and flags: 1
    continued from the last volume, 2 continues in the next."""
    out = b"Rar!\x1a\7\0" + rar4_block(0x73, 1 | 0x10, bytes(6))
    for name, data, whole, flags in members:
        fields = struct.pack("<2IB2I2BHI", len(data), len(whole), 3, zlib.crc32(data if flags & 2 else whole), 0x5c615000, 20, 0x30, len(name), 0x20)
        out += rar4_block(0x74, 0x8000 | flags, fields + name.encode(), data)
    return out + rar4_block(0x7b, 0x4000 | more, b"")


def rar5_block(kind, flags, fields, data=None):
    body = bytes([kind, flags | (2 if data is not None else 0)]) + (bytes([len(data)]) if data is not None else b"") + fields
    body = bytes([len(body)]) + body
    return struct.pack("<I", zlib.crc32(body)) + body + (data or b"")


def rar5(members, more):
    out = b"Rar!\x1a\7\1\0" + rar5_block(1, 0, b"\1" if more else b"\3\1")
    for name, data, whole, flags in members:
        fields = bytes([4, len(whole), 0xa4, 0x83, 2]) + struct.pack("<I", zlib.crc32(data if flags & 2 else whole)) + bytes([0, 1, len(name)])
        out += rar5_block(2, (flags & 1) << 3 | (flags & 2) << 3, fields + name.encode(), data)
    return out + rar5_block(5, 0, bytes([more]))


def volumes(rar):
    first, last, across = b"Text of the first part\n", b"Text of the last part\n", b"A text that lies in both\n" * 3
    return (rar([("first.txt", first, first, 0), ("across.txt", across[:50], across, 2)], 1),
            rar([("across.txt", across[50:], across, 1), ("last.txt", last, last, 0)], 0))


def cabinet(members, flags):
    """Writes stored members in one folder. Flag 2: the member continues in the next cabinet."""
    data = b"".join(members.values())
    names = (b"next.cab\0next disk\0" if flags & 2 else b"")
    files, at = b"", 0
    for name, text in members.items():
        files += struct.pack("<2I4H", len(text), at, 0, 0x5c61, 0x5000, 0x20) + name.encode() + b"\0"
        at += len(text)
    begin = 36 + len(names) + 8
    blocks = struct.pack("<I2H", 0, len(data), len(data)) + data
    folder = struct.pack("<I2H", begin + len(files), 1, 0)
    head = struct.pack("<4s5I2B5H", b"MSCF", 0, begin + len(files) + len(blocks), 0, begin, 0, 3, 1, 1, len(members), flags, 7, 0)
    return head + names + folder + files + blocks


def arj(*members):
    """Writes stored members."""
    def header(kind, name, data):
        basic = struct.pack("<8B4I2H2B", 30, 11, 1, 2, 0x10, 0, kind, 0, 0x5c615000, len(data), len(data), zlib.crc32(data), 0, 0x20, 0, 0) + name + b"\0\0"
        return b"\x60\xea" + struct.pack("<H", len(basic)) + basic + struct.pack("<I", zlib.crc32(basic)) + bytes(2)
    return header(2, b"x.arj", b"") + b"".join(header(0, name, data) + data for name, data in members) + b"\x60\xea\0\0"


def unsupported_files():
    program = b"\x7fELF\2\1\1" + bytes(9) + b"\2\0\x3e\0" + bytes(44) + b"unpack and so on"
    archive = arj((b"inner.txt", b"In an archive that is not read\n"))
    return {
        "unsupported-lzop.txt.lzo": LZOP_LAMPS,
        "unsupported-lrzip.tar.lrz": LRZIP_TAR,
        "unsupported-arj.arj": archive,
        "unsupported-arj-program.run": program + archive,
    }


def split_files():
    whole, plain = gzip.compress(tar(odd=False), mtime=0), package({"deep.txt": "Text behind a signature\n"})
    texts = package({"one.txt": "Text of the first part\n", "two.txt": "Text of the last part\n"}, stored=("one.txt", "two.txt"))
    cut = texts.index(b"PK\3\4", 4)
    (old, old_last), (new, new_last) = volumes(rar4), volumes(rar5)
    damaged = DEFLATE64_ZIP.index(b"b.txt") + 40
    return {
        "archive-deflate64.zip": DEFLATE64_ZIP, "archive-deflate64-other.7z": DEFLATE64_7Z,
        "archive-deflate64-large.zip": large_zip(), "archive-deflate64-damaged.zip": DEFLATE64_ZIP[:damaged] + b"\xff" * 8 + DEFLATE64_ZIP[damaged + 8:],
        "archive-split-last.zip": split_zip(), "archive-split-nameless.zip": split_zip().replace(b"last.txt", b"\0ast.txt"), "archive-split-first.z01": b"PK\7\10" + texts[:-60], "archive-split-none.zip": b"PK\7\10" + texts,
        "archive-piece.tar.gz.aa": whole[:-40], "archive-piece-next.tar.gz.ab": whole[-40:],
        "archive-piece-middle.tar.ab": bytes(7) + bytes(range(256)) + tar(odd=False)[1024:2200],
        "archive-piece.zip.001": texts[:cut], "archive-piece-last.zip.002": texts[cut:], "archive-piece.7z.001": DEFLATE64_7Z[:-40],
        "archive-volume4.part1.rar": old, "archive-volume4.part2.rar": old_last, "archive-volume5-first.rar": new, "archive-volume5-next.r00": new_last,
        "archive-volume-first.cab": cabinet({"first.txt": b"Text of the first part\n"}, 2), "archive-filtered.7z": FILTERED_7Z,
        "archive-extension.crx": b"Cr24" + struct.pack("<2I", 3, 40) + b"a signature that nobody looks at, forty " + plain,
    }


def warc(*records):
    out = b""
    for kind, address, block in records:
        head = "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: <%s>\r\nWARC-Date: 2026-03-01T10:00:00Z\r\nContent-Length: %d\r\n\r\n"
        out += (head % (kind, address, len(block))).encode() + block + b"\r\n\r\n"
    return out


PAGES = (("warcinfo", "", b"software: by hand\r\n"), ("request", "http://example.org/pier", b"GET /pier HTTP/1.1\r\n\r\n"),
         ("response", "http://example.org/pier", b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
          b"1c\r\n<title>The pier</title><p>Th\r\n11;x=y\r\ne keeper counts</\r\n2\r\np>\r\n0\r\n\r\n"),
         ("resource", "https://example.org/notes.txt", b"Forty boats\n"))


def archive_files():
    inner = package({"deep.txt": "Text in the inner archive\n", "letter.odt": odf("text", "text", "<text:p>A letter</text:p>")})
    plain = {"one.txt": b"The first member\n", "two.txt": b"The second member\n"}
    return {
        "archive-nested.zip": package({"outer.txt": "Text in the outer archive\n", "inner.zip": inner, "empty.txt": ""}),
        "archive-encrypted.zip": encrypted_zip(),
        "archive-damaged.zip": damaged_zip(),
        "archive-method97.zip": packages.packed_as(97, package({"a.txt": "No library unpacks this\n"})),
        "archive-headers.zip": package({"a.txt": "Found without a directory\n"})[:-40],
        "archive-names.tar": tar(),
        "archive-tar.tgz": gzip.compress(tar(odd=False), mtime=0),
        "archive-xz.tar.xz": lzma.compress(tar(odd=False)),
        "archive-single.txt.bz2": bz2.compress(b"One compressed text\n"),
        "archive-ar.a": ar(plain),
        "archive-kindless.a": ar(plain).replace(b"100644", b"644   "),
        "archive-foreign.lzh": lha({"日本語.txt".encode("cp932"): b"A name in another charset\n", "本.txt".encode("cp932"): b"And one more\n"}),
        "archive-dos.zip": named_zip("cp850", "Größe Lösungen.txt", "Übersicht.txt", "Él niño.txt"),
        "archive-dos-one.zip": named_zip("cp850", "Übersicht.txt"),
        "archive-windows.zip": named_zip("cp1252", "Größe Lösungen.txt", "Mädchen.txt"),
        "archive-portuguese.zip": named_zip("cp850", "São João.txt", "Ações e limões.txt"),
        "archive-danish.zip": named_zip("cp1252", "Ærø.txt", "Bær på øen.txt"),
        "archive-central.zip": named_zip("cp852", "Žluťoučký kůň.txt", "Příloha č. 1.txt"),
        "archive-cyrillic.zip": named_zip("cp866", "Фото.txt", "Новая папка/Отчёт за год.txt"),
        "archive-cyrillic-windows.zip": named_zip("cp1251", "Отчёт за год.txt"),
        "archive-japanese.zip": named_zip("cp932", "写真.txt", "新しいフォルダ/表.txt"),
        "archive-chinese.zip": named_zip("gbk", "照片.txt", "新建文件夹/会议纪要.txt"),
        "archive-korean.zip": named_zip("euc-kr", "한국어 문서.txt"),
        "archive-koi8.tgz": gzip.compress(named_tar("koi8-r", "Привет.txt", "Новая папка/Отчёт за год.txt"), mtime=0),
        "archive-wget.warc": warc(*PAGES),
        "archive-crawl.warc.gz": b"".join(gzip.compress(warc(page), mtime=0) for page in PAGES),
        "archive-early.warc": warc(PAGES[3]).replace(b"2026-03", b"0127-03"),
        "archive-wget-cut.warc": warc(*PAGES)[:-12],
        "archive-old.cpio": old_cpio({"one.txt": b"The first member\n", "inner.zip": package({"deep.txt": "In the inner archive\n"})}),
        "archive-cpio.cpio": cpio(plain),
        "archive-octal.cpio": odd_cpio({"one.txt": LAMPS * 3, "two.txt": b"The second member\n"}),
        "archive-cut.tgz": gzip.compress(tar(odd=False), mtime=0)[:-40],
        "archive-false.gz": b"\x1f\x8b\x08\x00" + b"not compressed at all " * 3,
    }


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, data in {**archive_files(), **unsupported_files(), **split_files(), **brotli_files()}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


main(sys.argv[1])
