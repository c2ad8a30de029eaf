/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/doc-text.h"
#include "ui-cli/app/doc-body.h"
#include "common/base/text.h"
#include <string.h>

/* XML 1.0 (fifth edition, 2.2) does not allow every character; the others become U+FFFD. */
static bool xml_allows(gunichar c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xFFFD) || c >= 0x10000;
}

static void append_xml(GString *out, const char *text, size_t length)
{
	const char *end = text + length;
	for (const char *p = text; p < end; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		if (c == '<')
			g_string_append(out, "&lt;");
		else if (c == '>')
			g_string_append(out, "&gt;");
		else if (c == '&')
			g_string_append(out, "&amp;");
		else if (c == '"')
			g_string_append(out, "&quot;");
		else
			g_string_append_unichar(out, xml_allows(c) && c != 0xFFFE ? c : 0xFFFD);
	}
}

static void append_attribute(GString *out, const char *name, const char *value)
{
	g_autofree char *utf8 = value ? text_to_utf8(value, -1) : NULL;
	if (!utf8)
		return;
	g_string_append_printf(out, " %s=\"", name);
	append_xml(out, utf8, strlen(utf8));
	g_string_append_c(out, '"');
}

static void doc_text_append_head(GString *out, const Document *doc)
{
	g_string_append(out, "<document");
	append_attribute(out, "member", doc->member);
	append_attribute(out, "mime", doc->mime);
	append_attribute(out, "extractor", doc->extractor);
	if (doc->extractor)
		g_string_append_printf(out, " version=\"%u\"", doc->version);
	append_attribute(out, "state", document_state_name(doc->state));
	if (doc->reason != REASON_NONE)
		append_attribute(out, "reason", document_reason_name(doc->reason));
	if (doc->truncated)
		append_attribute(out, "truncated", "yes");
	append_attribute(out, "detail", doc->detail);
	g_string_append(out, ">\n");
}

static void doc_text_append_facts(GString *out, const Document *doc)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		const char *name = document_field_name(fact->field);
		g_string_append_printf(out, "<%s>", name);
		append_xml(out, fact->value, strlen(fact->value));
		g_string_append_printf(out, "</%s>\n", name);
	}
}

/* ---- runs and breaks in text order */
typedef struct {
	GString *out;
	const Document *doc;
	const DocTextForm *form;
	guint next_break;
	bool shown; /* the current page is wanted */
	int open_block; /* DocTag; -1 if none */
	bool noise; /* the open block is boilerplate */
} Walk;

static bool doc_text_is_wanted(const Walk *w, uint32_t number)
{
	return w->form->page == 0 || w->form->page == number;
}

static void close_block(Walk *w)
{
	if (w->open_block < 0)
		return;
	if (w->form->plain)
		g_string_append_c(w->out, '\n');
	else
		g_string_append_printf(w->out, "</%s>\n", document_tag_name(w->open_block));
	w->open_block = -1;
}

static void put_break(Walk *w, const DocBreak *mark)
{
	close_block(w);
	w->shown = doc_text_is_wanted(w, mark->number);
	if (!w->shown)
		return;
	if (w->form->plain) {
		if (w->out->len > 0 && w->form->page == 0)
			g_string_append_c(w->out, '\n');
		return;
	}
	g_string_append_printf(
	        w->out, "<%s n=\"%u\"", document_break_name(mark->kind), mark->number);
	append_attribute(w->out, "label", mark->label);
	g_string_append(w->out, "/>\n");
}

/* Handles all breaks up to an offset. */
static void pass_breaks(Walk *w, uint32_t offset)
{
	for (; w->next_break < w->doc->breaks->len; w->next_break++) {
		const DocBreak *mark = &g_array_index(w->doc->breaks, DocBreak, w->next_break);
		if (mark->offset > offset)
			return;
		put_break(w, mark);
	}
}

static void doc_text_put_piece(Walk *w, const DocRun *run, const char *text, size_t length)
{
	bool drop = w->form->plain && run->tag == TAG_NOISE && !w->form->noise;
	if (!w->shown || drop || length == 0)
		return;
	if (w->open_block < 0) {
		w->open_block = run->tag;
		if (!w->form->plain)
			g_string_append_printf(w->out, "<%s>", document_tag_name(run->tag));
	}
	if (w->form->plain) {
		g_string_append_len(w->out, text, length);
		return;
	}
	bool is_inline = (int)run->tag != w->open_block;
	if (is_inline)
		g_string_append_printf(w->out, "<%s>", document_tag_name(run->tag));
	append_xml(w->out, text, length);
	if (is_inline)
		g_string_append_printf(w->out, "</%s>", document_tag_name(run->tag));
}

/* Writes a run in pieces, because breaks may lie inside it. */
static void put_run(Walk *w, const DocRun *run)
{
	uint32_t position = run->offset, end = run->offset + run->length;

	if (run->flags & DOC_RUN_BLOCK)
		close_block(w);
	pass_breaks(w, position);
	while (position < end) {
		uint32_t stop = end;
		if (w->next_break < w->doc->breaks->len)
			stop = MIN(
			        end, g_array_index(w->doc->breaks, DocBreak, w->next_break).offset);
		doc_text_put_piece(w, run, w->doc->text->str + position, stop - position);
		position = stop;
		if (position < end)
			pass_breaks(w, position);
	}
}

static void append_runs(GString *out, const Document *doc, const DocTextForm *form)
{
	g_autofree bool *body = form->plain && form->body ? doc_body_find(doc) : NULL;
	Walk walk = {.out = out, .doc = doc, .form = form, .open_block = -1};

	walk.shown = form->page == 0 || (form->page == 1 && doc->breaks->len == 0);
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		if (!body || body[i])
			put_run(&walk, run);
		else if (run->flags & DOC_RUN_BLOCK)
			close_block(&walk);
	}
	close_block(&walk);
	if (form->page == 0)
		pass_breaks(&walk, G_MAXUINT32);
}

static void append_links(GString *out, const Document *doc)
{
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *item = &g_array_index(doc->links, DocLink, i);
		g_string_append(out, "<target");
		append_attribute(out, "href", item->href);
		if (item->kind != LINK_ANCHOR)
			append_attribute(out, "kind", document_link_name(item->kind));
		if (item->flags & DOC_LINK_NOFOLLOW)
			append_attribute(out, "nofollow", "yes");
		g_string_append_c(out, '>');
		append_xml(out, item->text, strlen(item->text));
		g_string_append(out, "</target>\n");
	}
}

static void doc_text_append_document(GString *out, const Document *doc, const DocTextForm *form)
{
	doc_text_append_head(out, doc);
	g_string_append(out, "<meta>\n");
	doc_text_append_facts(out, doc);
	g_string_append(out, "</meta>\n");
	if (!form->meta) {
		g_string_append(out, "<text>\n");
		append_runs(out, doc, form);
		g_string_append(out, "</text>\n");
		if (doc->links->len > 0 && form->page == 0) {
			g_string_append(out, "<links>\n");
			append_links(out, doc);
			g_string_append(out, "</links>\n");
		}
	}
	g_string_append(out, "</document>\n");
}

static void doc_text_append_plain(GString *out, const Document *doc, const DocTextForm *form)
{
	if (!form->meta) {
		append_runs(out, doc, form);
		return;
	}
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		g_string_append_printf(
		        out, "%s: %s\n", document_field_name(fact->field), fact->value);
	}
}

/* Escapes everything except newlines and tabs. */
static void escape_lines(GString *out, const GString *text)
{
	size_t start = 0;
	while (start < text->len) {
		size_t length = strcspn(text->str + start, "\n\t");
		text_append_escaped(out, text->str + start, length);
		if (start + length < text->len)
			g_string_append_c(out, text->str[start + length]);
		start += length + 1;
	}
}

void doc_text_append(GString *out, const GPtrArray *docs, const DocTextForm *form)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!form->plain)
		g_string_append(text,
		        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<documents format=\"1\">\n");
	for (guint i = 0; i < docs->len; i++) {
		if (form->plain)
			doc_text_append_plain(text, docs->pdata[i], form);
		else
			doc_text_append_document(text, docs->pdata[i], form);
	}
	if (!form->plain)
		g_string_append(text, "</documents>\n");
	if (form->escape)
		escape_lines(out, text);
	else
		g_string_append_len(out, text->str, text->len);
}

bool doc_has_page(const Document *doc, unsigned page)
{
	for (guint i = 0; i < doc->breaks->len; i++) {
		if (g_array_index(doc->breaks, DocBreak, i).number == page)
			return true;
	}
	return page == 1 && doc->breaks->len == 0;
}
