# SPDX-License-Identifier: GPL-3.0-or-later
"""The pixels of a PNG in RGB with 8 bits, without interlace (PNG specification)."""
import struct
import zlib


def packed(path):
    """Width, height, and the rows as they are packed in the file."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed_rows = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed_rows += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    width, height = struct.unpack(">II", data[16:24])
    return width, height, packed_rows


def rows(path):
    """The rows, with their filters undone (section 9.2)."""
    width, height, packed_rows = packed(path)
    raw, stride = zlib.decompress(packed_rows), 3 * width
    found, above = [], bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            near = sorted((left, above[i], corner), key=lambda v: abs(left + above[i] - corner - v))[0]
            line[i] = line[i] + (0, left, above[i], (left + above[i]) // 2, near)[kind] & 255
        found.append(bytes(line))
        above = found[-1]
    return found
