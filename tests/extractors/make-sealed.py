#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-sealed.py DIRECTORY [SEEDS]: writes the encrypted workbooks among the fixtures, as Excel
encrypts them (MS-OFFCRYPTO, MS-XLS).

The results are kept in data/, and parts of them in tests/fuzz/seeds/unlock; run this only to
change them. AES needs the program openssl. The encrypted package is ooxml-sheet.xlsx of that
directory."""
import base64
import hashlib
import importlib.util
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("legacy", os.path.join(HERE, "make-legacy.py"))
legacy = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(legacy)

USUAL, OTHER = "VelvetSweatshop", "harbour"
SALT, VERIFIER = bytes(range(16)), b"sixteen letters."
SCHEMAS = "http://schemas.microsoft.com/office/2006/"


def rc4(key, data):
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def aes(key, data, iv=None):
    """Encrypts data, which must be whole blocks."""
    mode = ["-aes-%d-%s" % (8 * len(key), "cbc" if iv else "ecb"), "-K", key.hex()] + (["-iv", iv.hex()] if iv else [])
    return subprocess.run(["openssl", "enc", "-nopad", *mode], input=data, stdout=subprocess.PIPE, check=True).stdout


# ---- workbooks of Excel 5 and 97

def each_record(stream):
    at = 0
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<2H", stream, at)
        yield kind, at + 4, size
        at += 4 + size


def seal(stream, mask):
    """Encrypts a workbook. mask(place, size of the record, byte) returns the encrypted byte."""
    out, sealed = bytearray(stream), False
    for kind, at, size in each_record(stream):
        for i in range(at + (4 if kind == 0x85 else 0), at + size if sealed and kind not in (0x809, 0xe1) else 0):
            out[i] = mask(i, size, stream[i])
        sealed = sealed or kind == 0x2f
    return bytes(out)


def filled(stream, lock):
    """Adds the record of the encryption, and useless records, so that there are several pieces of
    1024 bytes."""
    head = 4 + struct.unpack_from("<H", stream, 2)[0]
    return stream[:head] + legacy.record(0x2f, lock) + legacy.record(0xe1, b"\xb0\x04") + legacy.record(0x5c, bytes(2000)) + stream[head:]


def in_pieces(stream, lock, key_of):
    stream = filled(stream, lock)
    masks = [rc4(key_of(piece), bytes(1024)) for piece in range(len(stream) // 1024 + 1)]
    return seal(stream, lambda i, size, byte: byte ^ masks[i // 1024][i % 1024])


def by_rc4(stream, password):
    short = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    base = hashlib.md5((short + SALT) * 16).digest()[:5]
    key_of = lambda piece: hashlib.md5(base + struct.pack("<I", piece)).digest()
    proof = rc4(key_of(0), VERIFIER + hashlib.md5(VERIFIER).digest())
    return in_pieces(stream, struct.pack("<3H", 1, 1, 1) + SALT + proof, key_of)


def by_crypto_api(stream, password, bits):
    base = hashlib.sha1(SALT + password.encode("utf-16-le")).digest()

    def key_of(piece):
        key = hashlib.sha1(base + struct.pack("<I", piece)).digest()[:bits // 8]
        return key + bytes(16 - len(key))
    proof = rc4(key_of(0), VERIFIER + hashlib.sha1(VERIFIER).digest())
    name = "Microsoft Enhanced Cryptographic Provider v1.0\0".encode("utf-16-le")
    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, bits, 1, 0, 0) + name
    lock = struct.pack("<3H2I", 1, 2, 2, 4, len(header)) + header + struct.pack("<I", 16) + SALT + proof[:16] + struct.pack("<I", 20) + proof[16:]
    return in_pieces(stream, lock, key_of)


def xor_numbers(password):
    """Returns the key and the verifier of a password (MS-OFFCRYPTO 2.3.7.1, 2.3.7.2), both
    computed with their shift registers."""
    verifier = 0
    for byte in reversed([len(password), *password]):
        verifier = (verifier << 1 & 0x7fff | verifier >> 14) ^ byte
    key, mask, last = 0, 0x8000, 0xffff
    turn = lambda word: (lambda turned: turned ^ 0x1020 if turned & 1 else turned)((word << 1 | word >> 15) & 0xffff)
    for byte in reversed(password):
        for bit in range(8):
            mask, last = turn(mask), turn(last)
            key ^= mask if byte & 0x7f & 1 << bit else 0
    return key ^ last, verifier ^ 0xce4b


def by_xor(stream, password, is_8):
    word = password.encode()
    key, verifier = xor_numbers(word)
    filling = bytes.fromhex("bbffffbaffffb98000be0f00bf0f00")
    pad = (word + filling)[:16]
    mixed = [byte ^ (key >> 8 if i % 2 else key & 255) for i, byte in enumerate(pad)]
    array = [byte >> 1 | byte << 7 & 255 for byte in mixed]
    turned = lambda byte: byte << 5 & 255 | byte >> 3
    lock = (b"\0\0" if is_8 else b"") + struct.pack("<2H", key, verifier)
    return seal(filled(stream, lock), lambda i, size, byte: turned(byte) ^ array[(i + size) % 16])


def book(stream):
    return legacy.compound({"Workbook": legacy.pad(stream, 4096), "\5SummaryInformation": legacy.FACTS})


# ---- packages

def package(info, data, lost=0):
    data = data[:len(data) - lost]
    return legacy.compound({"EncryptionInfo": info, "EncryptedPackage": legacy.pad(data, 4096) if len(data) < 4096 else data})


def spun(name, salt, password, spins):
    value = hashlib.new(name, salt + password.encode("utf-16-le")).digest()
    for i in range(spins):
        value = hashlib.new(name, struct.pack("<I", i) + value).digest()
    return value


def standard(data, password, bits):
    last = hashlib.sha1(spun("sha1", SALT, password, 50000) + bytes(4)).digest()
    halves = [hashlib.sha1(bytes(b ^ fill for b in legacy.pad(last, 64))).digest() for fill in (0x36, 0x5c)]
    key = b"".join(halves)[:bits // 8]
    name = "Microsoft Enhanced RSA and AES Cryptographic Provider\0".encode("utf-16-le")
    header = struct.pack("<8I", 0x24, 0, {128: 0x660e, 192: 0x660f, 256: 0x6610}[bits], 0x8004, bits, 24, 0, 0) + name
    proof = struct.pack("<I", 16) + SALT + aes(key, VERIFIER) + struct.pack("<I", 20) + aes(key, legacy.pad(hashlib.sha1(VERIFIER).digest(), 16))
    info = struct.pack("<2H2I", 3, 2, 0x24, len(header)) + header + proof
    return package(info, struct.pack("<Q", len(data)) + aes(key, legacy.pad(data, 16)))


def agile(data, password, name, bits, spins=1000, lost=0):
    fit = lambda value, size: (value + b"\x36" * size)[:size]
    base = spun(name, SALT, password, spins)
    made = lambda block: fit(hashlib.new(name, base + bytes.fromhex(block)).digest(), bits // 8)
    sealed = lambda block, value: base64.b64encode(aes(made(block), legacy.pad(value, 16), SALT)).decode()
    secret, salt, pieces = bytes(range(100, 100 + bits // 8)), SALT[::-1], b""
    for piece in range(0, len(data), 4096):
        iv = fit(hashlib.new(name, salt + struct.pack("<I", piece // 4096)).digest(), 16)
        pieces += aes(secret, legacy.pad(data[piece:piece + 4096], 16), iv)
    method = 'saltSize="16" blockSize="16" keyBits="%d" hashSize="%d" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" ' \
        'hashAlgorithm="%s" saltValue="%%s"' % (bits, hashlib.new(name).digest_size, name.upper())
    xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<encryption xmlns="%sencryption" xmlns:p="%skeyEncryptor/password">' \
        '<keyData %s/><dataIntegrity encryptedHmacKey="" encryptedHmacValue=""/><keyEncryptors><keyEncryptor uri="%skeyEncryptor/password">' \
        '<p:encryptedKey spinCount="%d" %s encryptedVerifierHashInput="%s" encryptedVerifierHashValue="%s" encryptedKeyValue="%s"/>' \
        '</keyEncryptor></keyEncryptors></encryption>'
    words = lambda value: base64.b64encode(value).decode()
    xml %= (SCHEMAS, SCHEMAS, method % words(salt), SCHEMAS, spins, method % words(SALT), sealed("fea7d2763b4b9e79", VERIFIER),
            sealed("d7aa0f6d3061344e", hashlib.new(name, VERIFIER).digest()), sealed("146e0be7abacd0d6", secret))
    return package(struct.pack("<2HI", 4, 4, 0x40) + xml.encode(), struct.pack("<Q", len(data)) + pieces, lost)


def write(target, files):
    for name, data in files.items():
        with open(os.path.join(target, name), "wb") as out:
            out.write(data)


def main(target, seeds=None):
    with open(os.path.join(target, "ooxml-sheet.xlsx"), "rb") as file:
        sheet = file.read()
    # a comment at the end of the zip makes several segments of 4096 bytes
    long = sheet[:-2] + struct.pack("<H", 6000) + bytes(6000)
    stream, stream5 = legacy.book_stream(), legacy.stream5()
    files = {
        "legacy-opened-xor.xls": book(by_xor(stream, USUAL, True)), "legacy-opened-rc4.xls": book(by_rc4(stream, USUAL)),
        "legacy-opened-api.xls": book(by_crypto_api(stream, USUAL, 128)), "legacy-opened-weak.xls": book(by_crypto_api(stream, USUAL, 40)),
        "legacy-opened-excel5.xls": legacy.compound({"Book": legacy.pad(by_xor(stream5, USUAL, False), 4096)}),
        "legacy-closed-xor.xls": book(by_xor(stream, OTHER, True)), "legacy-closed-rc4.xls": book(by_rc4(stream, OTHER)),
        "legacy-closed-api.xls": book(by_crypto_api(stream, OTHER, 128)),
        "ooxml-opened-standard.xlsx": standard(sheet, USUAL, 128), "ooxml-opened-long.xlsx": standard(long, USUAL, 256),
        "ooxml-opened-agile.xlsx": agile(long, USUAL, "sha512", 256), "ooxml-opened-sha1.xlsx": agile(sheet, USUAL, "sha1", 128),
        "ooxml-closed-standard.xlsx": standard(sheet, OTHER, 128), "ooxml-closed-agile.xlsx": agile(sheet, OTHER, "sha512", 256),
        "ooxml-opened-cut.xlsx": agile(sheet, USUAL, "sha256", 192, lost=900), "ooxml-opened-short.xlsx": package(b"\4\0\4\0", b"short"),
        "ooxml-opened-sealed": agile(b"This is not a package.", USUAL, "sha384", 256),
    }
    write(target, files)
    if seeds:
        sealed = {"xor": by_xor(stream, USUAL, True), "rc4": by_rc4(stream, USUAL), "api": by_crypto_api(stream, USUAL, 128),
                  "excel5": by_xor(stream5, USUAL, False), "closed": by_rc4(stream, OTHER)}
        write(seeds, {name: data[4 + struct.unpack_from("<H", data, 2)[0]:] for name, data in sealed.items()})


main(*sys.argv[1:])
