#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""search.py QUERY: prints the paths of the ten best hits, each with a passage."""
import ctypes
import os
import sys

library = ctypes.CDLL('libtarsier.so.0')
library.tarsier_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
library.tarsier_query.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint]
library.tarsier_next.argtypes = library.tarsier_close.argtypes = library.tarsier_error.argtypes = [ctypes.c_void_p]
library.tarsier_field.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
library.tarsier_snippet.argtypes = [ctypes.c_void_p, ctypes.c_uint]
for function in (library.tarsier_field, library.tarsier_snippet, library.tarsier_error):
    function.restype = ctypes.c_char_p
library.tarsier_close.restype = None
OK = 0


def main(query):
    index = ctypes.c_void_p()
    code = library.tarsier_open(None, ctypes.byref(index)) or library.tarsier_query(index, os.fsencode(query), 0, 0, 10)
    if code != OK:
        print(library.tarsier_error(index).decode(), file=sys.stderr)
    while library.tarsier_next(index) == OK:
        path, member = (library.tarsier_field(index, name) for name in (b'path', b'member'))
        print(os.fsdecode(path + (b'|' + member if member else b'')))
        passage = library.tarsier_snippet(index, 0)
        if passage:
            print('    ' + passage.decode())
    library.tarsier_close(index)
    return code


sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ''))
