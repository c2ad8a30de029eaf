/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/web-path.h"
#include "common/url/url-origin.h"
#include <glib.h>
#include <string.h>

enum { LONGEST = 17, LOOK_BITS = 10 };

/* The characters whose codes have as many bits, in the order of their codes. The lengths are those
 * of a Huffman code for the paths of 8,475 URLs that documentation names. */
static const char *const path_characters[LONGEST + 1] = {
        [3] = "/",
        [4] = "aeist",
        [5] = "-.cdlmnopr",
        [6] = "1bfghux",
        [7] = "0239_vwy",
        [8] = "45678=?Sjk",
        [9] = "ACDEILMPRTqz",
        [10] = "%:BFGJNOUW",
        [11] = "!&)+HVX",
        [12] = "(*;KQY]~",
        [13] = ",",
        [14] = "@Z[",
        [15] = "$",
        [16] = "'<>\\^`{|}",
        [17] = "\"#",
};

typedef struct {
	uint32_t codes[128];
	uint8_t lengths[128]; /* 0: the character has no code */
	uint32_t firsts[LONGEST + 1]; /* the first code of that length */
	/* By the next bits: the character, and the length of its code; 0: it is longer. */
	char characters[1 << LOOK_BITS];
	uint8_t looks[1 << LOOK_BITS];
} PathCode;

static void path_code_add(PathCode *c, char character, unsigned length, uint32_t code)
{
	c->codes[(unsigned char)character] = code;
	c->lengths[(unsigned char)character] = (uint8_t)length;
	if (length > LOOK_BITS)
		return;
	unsigned n = 1u << (LOOK_BITS - length), at = code << (LOOK_BITS - length);
	memset(c->characters + at, character, n);
	memset(c->looks + at, (int)length, n);
}

static const PathCode *path_code(void)
{
	static PathCode code;
	static gsize done;
	uint32_t next = 0;
	if (!g_once_init_enter(&done))
		return &code;
	for (unsigned length = 1; length <= LONGEST; length++, next <<= 1) {
		code.firsts[length] = next;
		for (const char *p = path_characters[length]; p && *p; p++)
			path_code_add(&code, *p, length, next++);
	}
	g_once_init_leave(&done, 1);
	return &code;
}

/* ---- packing */

size_t web_path_pack(const char *path, uint8_t *out)
{
	const PathCode *code = path_code();
	size_t length = strlen(path), n = 0;
	uint64_t bits = 0;
	unsigned held = 0;
	if (length > WEB_PATH_UNPACKED_MOST)
		return 0;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = path[i];
		if (c >= 128 || code->lengths[c] == 0)
			return 0;
		bits = bits << code->lengths[c] | code->codes[c];
		for (held += code->lengths[c]; held >= 8; held -= 8) {
			if (n + 1 >= length)
				return 0;
			out[n++] = (uint8_t)(bits >> (held - 8));
		}
	}
	if (held > 0 && n + 1 >= length)
		return 0;
	if (held > 0)
		out[n++] = (uint8_t)(bits << (8 - held) | 0xff >> held);
	return n;
}

/* ---- unpacking */

typedef struct {
	const uint8_t *at, *end;
	uint64_t bits; /* those that were read and not used, at the top; after them are zeros */
	unsigned held;
} PathBits;

static void path_bits_fill(PathBits *b)
{
	for (; b->held <= 56 && b->at < b->end; b->held += 8)
		b->bits |= (uint64_t)*b->at++ << (56 - b->held);
}

/* A code that is longer than those that are looked up. Returns its length, 0: there is none. */
static unsigned path_bits_long(const PathBits *b, const PathCode *code, char *character_r)
{
	for (unsigned length = LOOK_BITS + 1; length <= LONGEST; length++) {
		uint32_t place = (uint32_t)(b->bits >> (64 - length)) - code->firsts[length];
		if (place < strlen(path_characters[length])) {
			*character_r = path_characters[length][place];
			return length;
		}
	}
	return 0;
}

/* Returns false if nothing is left but a part of a code. */
static bool path_bits_take(PathBits *b, const PathCode *code, char *character_r)
{
	path_bits_fill(b);
	unsigned look = (unsigned)(b->bits >> (64 - LOOK_BITS)), length = code->looks[look];
	*character_r = code->characters[look];
	if (length == 0)
		length = path_bits_long(b, code, character_r);
	if (length == 0 || length > b->held)
		return false;
	b->bits <<= length;
	b->held -= length;
	return true;
}

static char *path_unpack(const uint8_t *bytes, size_t length)
{
	const PathCode *code = path_code();
	PathBits b = {bytes, length > 0 ? bytes + length : bytes, 0, 0};
	GString *path = g_string_sized_new(MIN(2 * length, WEB_PATH_UNPACKED_MOST));
	char c;
	while (path->len < WEB_PATH_UNPACKED_MOST && path_bits_take(&b, code, &c))
		g_string_append_c(path, c);
	return g_string_free(path, FALSE);
}

/* ---- SQL */

char *web_path_of_column(sqlite3_stmt *row, int column)
{
	if (sqlite3_column_type(row, column) == SQLITE_BLOB) {
		const void *bytes = sqlite3_column_blob(row, column);
		return path_unpack(bytes, sqlite3_column_bytes(row, column));
	}
	const char *text = (const char *)sqlite3_column_text(row, column);
	return g_strdup(text ? text : "");
}

static void path_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	if (sqlite3_value_type(values[0]) != SQLITE_BLOB) {
		sqlite3_result_value(context, values[0]);
		return;
	}
	const void *bytes = sqlite3_value_blob(values[0]);
	char *path = path_unpack(bytes, sqlite3_value_bytes(values[0]));
	sqlite3_result_text(context, path, -1, g_free);
}

static void path_pack_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	const char *path = (const char *)sqlite3_value_text(values[0]);
	int length = sqlite3_value_bytes(values[0]);
	g_autofree uint8_t *out = g_malloc(length + 1);
	bool text = path && strlen(path) == (size_t)length &&
	            sqlite3_value_type(values[0]) == SQLITE_TEXT;
	size_t packed = text ? web_path_pack(path, out) : 0;
	if (packed > 0)
		sqlite3_result_blob(context, out, (int)packed, SQLITE_TRANSIENT);
	else
		sqlite3_result_value(context, values[0]);
}

static void site_has_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	const char *beginning = (const char *)sqlite3_value_text(values[0]);
	const char *path = (const char *)sqlite3_value_text(values[1]);
	sqlite3_result_int(context, beginning && path && url_site_has(beginning, path));
}

bool web_path_register(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC;
	return sqlite3_create_function_v2(db, "web_path", 1, flags, NULL, path_function, NULL, NULL,
	               NULL) == SQLITE_OK &&
	       sqlite3_create_function_v2(db, "web_path_pack", 1, flags, NULL, path_pack_function,
	               NULL, NULL, NULL) == SQLITE_OK &&
	       sqlite3_create_function_v2(db, "web_site_has", 2, flags, NULL, site_has_function,
	               NULL, NULL, NULL) == SQLITE_OK;
}
