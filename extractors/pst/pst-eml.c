/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pst/pst-eml.h"
#include <string.h>

enum { WORD_BYTES = 45 };
#define FILETIME_UNIX G_GUINT64_CONSTANT(11644473600)

static void pst_append_words(GString *out, const char *text)
{
	size_t length = strlen(text);
	while (length > 0) {
		size_t n = MIN(length, WORD_BYTES);
		while (n < length && n > WORD_BYTES - 4 && ((uint8_t)text[n] & 0xc0) == 0x80)
			n--;
		g_autofree char *coded = g_base64_encode((const guchar *)text, n);
		g_string_append_printf(out, " =?utf-8?B?%s?=\r\n", coded);
		text += n;
		length -= n;
	}
}

void eml_text(GString *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	g_string_append_printf(out, "%s:", name);
	pst_append_words(out, value);
}

static bool pst_is_address(const char *text)
{
	return strchr(text, '@') && !strpbrk(text, "<>()\r\n\t \"");
}

void eml_person(GString *out, const char *name, const char *address, const char *header)
{
	bool has_address = address && pst_is_address(address);
	if (!has_address) {
		eml_text(out, header, name ? name : address);
		return;
	}
	g_string_append_printf(out, "%s:", header);
	if (name && *name && strcmp(name, address) != 0)
		pst_append_words(out, name);
	g_string_append_printf(out, " <%s>\r\n", address);
}

void eml_date(GString *out, uint64_t filetime)
{
	uint64_t seconds = filetime / 10000000;
	if (seconds <= FILETIME_UNIX)
		return;
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds - FILETIME_UNIX);
	g_autofree char *text = time ? g_date_time_format(time, "%d %m %Y %H:%M:%S +0000") : NULL;
	static const char *const months[] = {
	        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	if (text) /* month names must not depend on the locale */
		g_string_append_printf(out, "Date: %.2s %s %s\r\n", text,
		        months[g_date_time_get_month(time) - 1], text + 6);
}

void eml_id(GString *out, const char *id)
{
	if (id && *id && !strpbrk(id, "\r\n"))
		g_string_append_printf(out, "Message-ID: %s\r\n", id);
}

void eml_body(GString *out, const char *type, const uint8_t *data, size_t size)
{
	g_string_append_printf(out,
	        "MIME-Version: 1.0\r\nContent-Type: %s\r\nContent-Transfer-Encoding: 8bit\r\n\r\n",
	        type);
	g_string_append_len(out, (const char *)data, size);
}

void eml_text_part(GString *out, const char *text, size_t size)
{
	g_string_append(
	        out, "Content-Type: multipart/mixed; boundary=\"=_part\"\r\n\r\n--=_part\r\n");
	eml_body(out, "text/plain; charset=utf-8", (const uint8_t *)text, size);
	g_string_append(out, "\r\n--=_part\r\n");
}
