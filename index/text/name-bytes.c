/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/name-bytes.h"
#include <glib.h>
#include <stdint.h>

/* The characters 0x80 to 0x9f of Windows-1252 (WHATWG Encoding Standard); 0: none. */
static const uint16_t specials[32] = {0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021,
        0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178};

static gunichar character_of(uint8_t byte)
{
	gunichar c = byte < 0xa0 ? specials[byte - 0x80] : byte;
	return c ? c : 0xfffd;
}

char *name_bytes_decode(const char *name, size_t length)
{
	const char *end = name + length, *valid_end;
	if (g_utf8_validate_len(name, length, &valid_end))
		return NULL;
	GString *out = g_string_sized_new(2 * length);
	while (name < end) {
		bool valid = g_utf8_validate_len(name, end - name, &valid_end);
		g_string_append_len(out, name, valid_end - name);
		name = valid_end;
		if (!valid)
			g_string_append_unichar(out, *name ? character_of(*name) : ' ');
		name += !valid;
	}
	return g_string_free(out, FALSE);
}

static void name_with_gaps_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *name = sqlite3_value_blob(values[0]);
	int length = sqlite3_value_bytes(values[0]);
	(void)n;
	if (name && !g_utf8_validate_len(name, length, NULL))
		sqlite3_result_text(context, g_utf8_make_valid(name, length), -1, g_free);
}

bool name_bytes_register(sqlite3 *db)
{
	return sqlite3_create_function_v2(db, "name_with_gaps", 1,
	               SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
	               name_with_gaps_function, NULL, NULL, NULL) == SQLITE_OK;
}
