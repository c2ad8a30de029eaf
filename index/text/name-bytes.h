/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name-bytes.h - names of files whose bytes are not UTF-8
 *
 * The kernel takes a name as bytes, and archives and disks of former times hold names in other
 * charsets. A byte that is not part of a UTF-8 sequence (RFC 3629) counts as the character that it
 * is in Windows-1252, the most common of them; five bytes that it leaves open stay invalid. */
#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the name as UTF-8, which the caller frees; NULL: it is UTF-8 already. */
char *name_bytes_decode(const char *name, size_t length);
/* Adds to a connection the SQL function name_with_gaps(x): the name x with U+FFFD for each byte
 * that is not UTF-8; NULL: x has no such byte. */
bool name_bytes_register(sqlite3 *db);
