/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-path.h - paths of URLs as the table web_url holds them
 *
 * A row has its path as TEXT, or in fewer bytes as a BLOB: in a Huffman code for the characters of
 * URLs, whose table is part of the format. Unused bits of the last byte are ones, which begin no
 * character. A path stays TEXT if it has a character without a code. */
#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEB_PATH_UNPACKED_MOST = 4096 }; /* bytes of a path that is packed, and of what it becomes */

/* Writes the packed path, which is shorter than the path, and returns its bytes; 0: it stays as it
 * is. out: has room for as many bytes as the path. */
size_t web_path_pack(const char *path, uint8_t *out);

/* The path in a column of a row. The caller frees it; what a damaged index has instead of a path
 * becomes "". */
char *web_path_of_column(sqlite3_stmt *row, int column);

/* Adds to a connection the SQL functions web_path(x), the path in the column x, and
 * web_path_pack(x), the column that holds the path x; web_site_has(x, y) is url_site_has(). */
bool web_path_register(sqlite3 *db);
