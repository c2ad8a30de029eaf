/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-html.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <stdint.h>
#include <string.h>

static void html_escape(GString *out, const char *text)
{
	for (;;) {
		size_t plain = strcspn(text, "&<>\"'");
		g_string_append_len(out, text, plain);
		if (text[plain] == '\0')
			return;
		g_string_append_printf(out, "&#%d;", text[plain]);
		text += plain + 1;
	}
}

void html_text_part(GString *out, const char *text, size_t length)
{
	g_autoptr(GString) visible = g_string_new(NULL);
	text_append_visible(visible, text, length);
	html_escape(out, visible->str);
}

void html_text(GString *out, const char *text)
{
	html_text_part(out, text, strlen(text));
}

bool html_is_exact(const char *bytes)
{
	g_autoptr(GString) visible = g_string_new(NULL);
	text_append_visible(visible, bytes, -1);
	return strcmp(visible->str, bytes) == 0;
}

void html_name(GString *out, const char *bytes)
{
	g_autoptr(GString) escaped = g_string_new(NULL);
	text_append_escaped(escaped, bytes, -1);
	html_escape(out, escaped->str);
}

void html_query(GString *out, const char *text)
{
	g_autofree char *escaped = g_uri_escape_string(text, NULL, FALSE);
	html_escape(out, escaped);
}

void html_hidden(GString *out, const char *name, const char *value)
{
	g_string_append_printf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_text(out, value);
	g_string_append(out, "\">");
}

void html_marked(GString *out, const char *text, const GArray *marks)
{
	size_t length = strlen(text), at = 0;
	for (guint i = 0; marks && i + 1 < marks->len; i += 2) {
		uint32_t start = g_array_index(marks, uint32_t, i);
		uint32_t end = g_array_index(marks, uint32_t, i + 1);
		if (start < at || end <= start || end > length)
			continue;
		html_text_part(out, text + at, start - at);
		g_string_append(out, "<mark>");
		html_text_part(out, text + start, end - start);
		g_string_append(out, "</mark>");
		at = end;
	}
	html_text(out, text + at);
}

/* The language of the messages, as their catalogue names it. */
static char *html_language(void)
{
	static const char field[] = "\nLanguage: ";
	const char *head = dgettext(TEXT_DOMAIN, ""), *at = *head ? strstr(head, field) : NULL;
	const char *name = at ? at + strlen(field) : "en";
	char *language = g_strndup(name, strcspn(name, "\n.@ "));
	return g_strdelimit(language, "_", '-');
}

void html_begin(GString *out, const char *title)
{
	g_autofree char *language = html_language();
	g_string_append(out, "<!DOCTYPE html>\n<html lang=\"");
	html_text(out, language);
	g_string_append(out, "\"><head><meta charset=\"utf-8\">"
	                     "<meta name=\"viewport\" content=\"width=device-width, "
	                     "initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">"
	                     "<link rel=\"stylesheet\" href=\"/page.css\">"
	                     "<link rel=\"icon\" href=\"/icon.svg\"><title>");
	html_text(out, title);
	g_string_append(out, "</title><script src=\"/page.js\" defer></script></head>\n");
}
