/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/json-writer.h"
#include "common/base/text.h"
#include <string.h>
#include <time.h>

static void put_key(GString *out, const char *key)
{
	char last = out->len ? out->str[out->len - 1] : '\n';
	if (!strchr("{[:\n", last))
		g_string_append_c(out, ',');
	if (!key)
		return;
	text_append_json(out, key, -1);
	g_string_append_c(out, ':');
}

void json_open(GString *out, const char *key, char bracket)
{
	put_key(out, key);
	g_string_append_c(out, bracket);
}

void json_close(GString *out, char bracket)
{
	g_string_append_c(out, bracket);
}

void json_text(GString *out, const char *key, const char *value)
{
	put_key(out, key);
	if (value)
		text_append_json(out, value, -1);
	else
		g_string_append(out, "null");
}

void json_int(GString *out, const char *key, int64_t value)
{
	put_key(out, key);
	g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

void json_unsigned(GString *out, const char *key, uint64_t value)
{
	put_key(out, key);
	g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
}

void json_double(GString *out, const char *key, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	put_key(out, key);
	g_string_append(out, g_ascii_formatd(buffer, sizeof(buffer), "%.6g", value));
}

void json_bool(GString *out, const char *key, bool value)
{
	put_key(out, key);
	g_string_append(out, value ? "true" : "false");
}

void json_nil(GString *out, const char *key)
{
	put_key(out, key);
	g_string_append(out, "null");
}

static void put_base64(GString *out, const char *key, const char *bytes)
{
	g_autofree char *exact = g_base64_encode((const guchar *)bytes, strlen(bytes));
	json_text(out, key, exact);
}

void json_path(GString *out, const char *path)
{
	json_text(out, "path", path);
	if (path && !g_utf8_validate(path, -1, NULL))
		put_base64(out, "path_b64", path);
	else
		json_nil(out, "path_b64");
}

void json_bytes(GString *out, const char *key, const char *bytes)
{
	json_text(out, key, bytes);
	if (!bytes || g_utf8_validate(bytes, -1, NULL))
		return;
	g_autofree char *exact_key = g_strconcat(key, "_b64", NULL);
	put_base64(out, exact_key, bytes);
}

void json_time(GString *out, const char *key, int64_t seconds, bool zero_is_null)
{
	time_t when = seconds;
	struct tm parts;
	char buffer[64];

	if ((seconds == 0 && zero_is_null) || !gmtime_r(&when, &parts) ||
	        parts.tm_year < 1 - 1900 || parts.tm_year > 9999 - 1900) {
		json_nil(out, key);
		return;
	}
	strftime(buffer, sizeof(buffer), "-%m-%dT%H:%M:%SZ", &parts);
	g_autofree char *text = g_strdup_printf("%04d%s", parts.tm_year + 1900, buffer);
	json_text(out, key, text);
}

void json_hex(GString *out, const char *key, const uint8_t *data, size_t length)
{
	put_key(out, key);
	if (!data) {
		g_string_append(out, "null");
		return;
	}
	g_string_append_c(out, '"');
	text_append_hex(out, data, length);
	g_string_append_c(out, '"');
}

void json_count(GString *out, const char *key, int64_t value)
{
	if (value > 0)
		json_int(out, key, value);
	else
		json_nil(out, key);
}
