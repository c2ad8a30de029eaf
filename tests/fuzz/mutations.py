#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutations that know a format get past its first checks: three of four keep its structure."""
import io
import os
import re
import struct
import subprocess
import xml.dom.minidom
import zipfile
import zlib

DATA = os.environ["abs_top_srcdir"] + "/tests/extractors/data/"
SEEDS = range(120)
done = 0


def ok(name, is_true):
    global done
    done += 1
    print(f"{'ok' if is_true else 'not ok'} {done} - {name}", flush=True)


def mutation(target, seed, name):
    program = f"{os.environ['abs_top_builddir']}/tests/fuzz/fuzz_{target}"
    return subprocess.run([program, "--mutate", str(seed), DATA + name],
                          check=True, stdout=subprocess.PIPE).stdout


def mutations(target, name):
    """All different mutations of a fixture."""
    with open(DATA + name, "rb") as file:
        return {mutation(target, seed, name) for seed in SEEDS} - {file.read()}


def zip_is_whole(data):
    try:
        return zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, RuntimeError, EOFError, zlib.error):
        return False


def xml_is_whole(data):
    try:
        xml.dom.minidom.parseString(zipfile.ZipFile(io.BytesIO(data)).read("content.xml"))
        return True
    except (xml.parsers.expat.ExpatError, KeyError):
        return False


def pdf_is_whole(data):
    """Does its table lead to the objects?"""
    start = int((re.findall(rb"startxref\n(\d+)\n", data) or [len(data)])[-1])
    table = re.findall(rb"(\d+) 1\n(\d{10}) 00000 n \n", data[start:])
    return data[start:].startswith(b"xref\n") and len(table) > 5 and \
        all(data[int(place):].startswith(number + b" 0 obj") for number, place in table)


def ole_is_whole(data):
    """Does a chain of sectors lead through the directory?"""
    shift, = struct.unpack_from("<H", data, 30)
    sector, = struct.unpack_from("<I", data, 48)
    fat, = struct.unpack_from("<I", data, 76)
    if data[:4] != b"\xd0\xcf\x11\xe0" or shift != 9:
        return False
    for _ in range(len(data) >> shift):
        if sector == 0xfffffffe:
            return True
        place = (fat + 1 << shift) + 4 * sector
        if place + 4 > len(data):
            return False
        sector, = struct.unpack_from("<I", data, place)
    return False


def part(made, is_whole):
    return sum(map(is_whole, made)) / len(made)


ok("the same seed gives the same mutation",
       mutation("odf", 3, "odf-text.odt") == mutation("odf", 3, "odf-text.odt"))
zips = mutations("odf", "odf-text.odt")
ok("there are many mutations", len(zips) > len(SEEDS) / 2)
ok("half of the mutations of a zip file have right checksums", part(zips, zip_is_whole) > .5)
whole = list(filter(zip_is_whole, zips))
ok("most of their XML is well-formed", part(whole, xml_is_whole) > .6)
ok("most mutations of a PDF have a right table", part(mutations("pdf", "pdf-basic.pdf"), pdf_is_whole) > .6)
documents = mutations("legacy", "legacy-word.doc")
ok("most mutations of a compound file lead to its directory", part(documents, ole_is_whole) > .6)
with open(DATA + "legacy-word.doc", "rb") as word:
    text = word.read()
ok("most have its size",
       sum(len(document) == len(text) for document in documents) > .6 * len(documents))
print(f"1..{done}")
