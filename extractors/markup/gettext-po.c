/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gettext-po.c - gettext catalogues
 * (https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html): the messages with escapes
 * resolved, facts from the first entry; comments are noise */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

typedef struct {
	Markup *m;
	bool in_head; /* before the first message */
} CatalogueReader;

static bool gettext_po_begins(const char *line, size_t length, const char *word)
{
	return length >= strlen(word) && strncmp(line, word, strlen(word)) == 0;
}

/* Returns the text between the first and the last quote of the line. The caller frees it. */
static char *gettext_po_quoted(const char *line, size_t length)
{
	const char *from = memchr(line, '"', length),
	           *to = from ? memrchr(line, '"', length) : NULL;
	if (!from || to == from)
		return g_strdup("");
	GString *text = g_string_sized_new(to - from);
	for (const char *at = from + 1; at < to; at++) {
		char c = *at;
		if (c == '\\' && at + 1 < to) {
			c = *++at;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? ' ' : c;
		}
		g_string_append_c(text, c);
	}
	return g_string_free(text, FALSE);
}

static void gettext_po_take_fact(Markup *m, const char *text)
{
	static const struct {
		const char *name;
		DocField field;
	} facts[] = {{"Project-Id-Version:", FIELD_TITLE}, {"Last-Translator:", FIELD_AUTHOR},
	        {"Language:", FIELD_LANGUAGE}, {"X-Generator:", FIELD_GENERATOR}};
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		size_t n = strlen(facts[i].name);
		if (strncmp(text, facts[i].name, n) == 0)
			markup_fact(m, facts[i].field, text + n, strcspn(text + n, "\n"));
	}
}

static void gettext_po_take_string(CatalogueReader *r, const char *line, size_t length)
{
	g_autofree char *text = gettext_po_quoted(line, length);
	if (r->in_head)
		gettext_po_take_fact(r->m, text);
	markup_add(r->m, text, strlen(text));
}

static void take_key(CatalogueReader *r, const char *line, size_t length)
{
	static const char nothing[] = "msgid \"\"";
	const char *next;
	size_t n = markup_peek(r->m, &next);
	bool empty = gettext_po_begins(line, length, nothing) && !(n > 0 && *next == '"');
	if (gettext_po_begins(line, length, "msgid ") && !empty)
		r->in_head = false;
	markup_flush(r->m, r->in_head ? TAG_NOISE : TAG_BODY);
	gettext_po_take_string(r, line, length);
}

void po_read(Markup *m)
{
	CatalogueReader r = {m, true};
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		if (gettext_po_begins(line, length, "#~ ")) {
			line += 3;
			length -= 3;
		}
		if (text_is_blank(line, length)) {
			markup_flush(m, TAG_BODY);
		} else if (*line == '#') {
			if (m->tag != TAG_NOISE)
				markup_flush(m, TAG_NOISE);
			markup_add(m, line + 1, length - 1);
			markup_add(m, "\n", 1);
		} else if (gettext_po_begins(line, length, "msg")) {
			take_key(&r, line, length);
		} else if (*line == '"') {
			gettext_po_take_string(&r, line, length);
		} else {
			markup_add(m, line, length);
			markup_add(m, "\n", 1);
		}
	}
}
