/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_settings.c - fuzzes the configuration: lines and values, and writing again what was read */
#include <config.h>
#include "common/settings/conffile.h"
#include "common/settings/settings-value.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/settings/*", "data/tarsier.conf", NULL};

static void try_value(const ConfLine *line)
{
	const SettingKey *key = settings_find_key(line->section, line->name);
	g_autoptr(GError) error = NULL;
	g_autoptr(SettingValue) value = key ? setting_value_parse(key, line->value, &error) : NULL;
	g_assert_true(!key || (value != NULL) != (error != NULL));
	g_assert_true(!error || g_utf8_validate(error->message, -1, NULL));
}

static void try_escapes(const ConfLine *line)
{
	g_auto(GStrv) items = conffile_unescape_list(line->value, NULL);
	g_autoptr(GString) again = g_string_new(NULL);
	for (char **item = items; item && *item; item++) {
		g_autofree char *escaped = conffile_escape(*item);
		g_string_append_printf(again, "%s;", escaped);
	}
	g_auto(GStrv) back = conffile_unescape_list(again->str, NULL);
	g_assert_true(
	        !items || g_strv_equal((const char *const *)items, (const char *const *)back));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) lines = conffile_parse("file", (const char *)data, size, &error);
	g_assert_true((lines != NULL) != (error != NULL));
	for (guint i = 0; lines && i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		g_assert_cmpuint(line->offset + line->length, <=, size);
		if (line->kind != CONF_ENTRY)
			continue;
		try_value(line);
		try_escapes(line);
	}
	return 0;
}
