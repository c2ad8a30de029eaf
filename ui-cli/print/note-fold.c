/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/note-fold.h"
#include "common/base/text.h"
#include <string.h>

#define COMMAND_BEGINS ": tarsier "

/* The end of the quotation that begins at text, or NULL. */
static const char *note_quote_end(const char *text)
{
	static const struct {
		const char *open, *close;
	} quotes[] = {{"\"", "\""}, {"„", "“"}, {"»", "«"}, {"“", "”"}};
	for (size_t i = 0; i < G_N_ELEMENTS(quotes); i++) {
		if (!g_str_has_prefix(text, quotes[i].open))
			continue;
		const char *end = strstr(text + strlen(quotes[i].open), quotes[i].close);
		return end ? end + strlen(quotes[i].close) : NULL;
	}
	return NULL;
}

/* The end of the word, quotation or command that begins at text, without the blank after it. */
static const char *note_unit_end(const char *text, const char *command, unsigned width)
{
	const char *c = text;
	if (command && text == command)
		return text + strlen(text);
	while (*c && *c != ' ') {
		const char *end = note_quote_end(c);
		c = end && text_cells(c, end - c) <= width ? end : g_utf8_next_char(c);
	}
	return c;
}

void note_fold_append(GString *out, const char *text, unsigned width, unsigned indent)
{
	const char *command = strstr(text, COMMAND_BEGINS);
	size_t cells = 0;

	if (command)
		command += strlen(": ");
	if (width == 0 || *text == ' ') {
		g_string_append_printf(out, "%s\n", text);
		return;
	}
	while (*text) {
		const char *end = note_unit_end(text, command, width);
		size_t unit = text_cells(text, end - text);
		if (cells > 0 && cells + 1 + unit > width) {
			g_string_append_printf(out, "\n%*s", (int)indent, "");
			cells = 0;
		}
		if (cells > 0)
			g_string_append_c(out, ' ');
		g_string_append_len(out, text, end - text);
		cells += (cells > 0) + unit;
		text = end + strspn(end, " ");
	}
	g_string_append_c(out, '\n');
}
