/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/doc-body.h"
#include <glib.h>
#include <string.h>

enum {
	SHORT_TITLE = 8, /* bytes: fewer of a title may be any heading of a section */
	LOOK_AHEAD = 8, /* headings in a row */
};

static const DocRun *doc_run(const Document *doc, guint i)
{
	return &g_array_index(doc->runs, DocRun, i);
}

static bool body_is_block_start(const Document *doc, guint i)
{
	return i == 0 || (doc_run(doc, i)->flags & DOC_RUN_BLOCK) != 0;
}

static guint body_block_end(const Document *doc, guint i)
{
	for (i++; i < doc->runs->len && !body_is_block_start(doc, i); i++)
		;
	return i;
}

/* Letters and digits in lower case. The caller frees it. */
static char *fold_letters(const char *text, size_t length)
{
	GString *folded = g_string_new(NULL);
	const char *end = text + length;
	for (const char *p = text; p < end; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		if (g_unichar_isalnum(c))
			g_string_append_unichar(folded, g_unichar_tolower(c));
	}
	return g_string_free(folded, FALSE);
}

static const char *doc_title(const Document *doc)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_TITLE)
			return fact->value;
	}
	return "";
}

/* Does a heading say what the title says? A title often adds the name of the site. */
static bool repeats_title(const Document *doc, guint from, guint to, const char *title)
{
	const DocRun *first = doc_run(doc, from), *last = doc_run(doc, to - 1);
	g_autofree char *heading = fold_letters(
	        doc->text->str + first->offset, last->offset + last->length - first->offset);
	size_t length = strlen(heading), whole = strlen(title);
	if (length == 0 || whole == 0)
		return false;
	if (strstr(title, heading))
		return length == whole || length * 2 >= whole ||
		       (first->tag == TAG_HEADING1 && length >= SHORT_TITLE);
	return strstr(heading, title) && whole * 2 >= length;
}

static bool is_heading_tag(DocTag tag)
{
	return tag >= TAG_HEADING1 && tag <= TAG_HEADING6;
}

/* Does boilerplate, such as a byline, stand between a heading and the first text? */
static bool boilerplate_follows(const Document *doc, guint i)
{
	for (unsigned n = 0; i < doc->runs->len && n < LOOK_AHEAD;
	        i = body_block_end(doc, i), n++) {
		DocTag tag = doc_run(doc, i)->tag;
		if (!is_heading_tag(tag))
			return tag == TAG_NOISE;
	}
	return false;
}

static bool is_headline(
        const Document *doc, guint from, guint to, const char *title, bool text_begun)
{
	DocTag tag = doc_run(doc, from)->tag;
	if (tag != TAG_HEADING1 && tag != TAG_HEADING2)
		return false;
	if (tag == TAG_HEADING1 && !text_begun && boilerplate_follows(doc, to))
		return true;
	return repeats_title(doc, from, to, title);
}

bool *doc_body_find(const Document *doc)
{
	if (g_strcmp0(doc->extractor, "html") != 0)
		return NULL;
	bool *body = g_new0(bool, doc->runs->len + 1);
	bool text_begun = false;
	const char *title_text = doc_title(doc);
	g_autofree char *title = fold_letters(title_text, strlen(title_text));
	for (guint from = 0, to; from < doc->runs->len; from = to) {
		to = body_block_end(doc, from);
		bool headline = is_headline(doc, from, to, title, text_begun);
		for (guint i = from; i < to; i++) {
			DocTag tag = doc_run(doc, i)->tag;
			body[i] = !headline && tag != TAG_NOISE && tag != TAG_CAPTION;
			text_begun |= body[i] && !is_heading_tag(tag);
		}
	}
	return body;
}
