/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/doc-page.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

enum { TAB_CELLS = 8, NO_STYLE = N_STYLES };

/* Text between two beginnings of a block or break. */
typedef struct {
	DocTag tag;
	size_t start, end; /* in bytes of the text */
} Block;

typedef struct {
	const Screen *screen;
	GString *out;
	const Document *doc;
	unsigned page;
	uint32_t number; /* of the current page; 0: before the first */
	guint next_break;
	DocTag last_tag; /* N_TAGS: nothing was printed yet */
	GString *row; /* cells of a table that are not printed yet */
} Layout;

/* ---- lines */

/* In Markdown, the end of a line within a paragraph is a space. */
static bool ends_mean_spaces(const Document *doc, DocTag tag)
{
	return tag != TAG_CODE && g_strcmp0(doc->mime, "text/markdown") == 0;
}

static char *tabs_expanded(const char *line, size_t length)
{
	GString *text = g_string_sized_new(length);
	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\t')
			g_string_append_printf(
			        text, "%*s", (int)(TAB_CELLS - text->len % TAB_CELLS), "");
		else
			g_string_append_c(text, line[i]);
	}
	return g_string_free(text, FALSE);
}

/* A style begins anew on each line, because pagers forget it at the end of a line. */
static void page_put_folded(const Layout *l, unsigned style, const char *text)
{
	const char *on = style == NO_STYLE ? "" : screen_on(l->screen, style), *off = "";
	g_autoptr(GString) folded = g_string_new(NULL);
	if (*on)
		off = screen_off(l->screen);
	screen_append_folded(l->screen, folded, text, NULL, 0, G_MAXUINT);
	for (char *line = folded->str, *end; (end = strchr(line, '\n')); line = end + 1)
		g_string_append_printf(l->out, "%s%.*s%s\n", on, (int)(end - line), line, off);
}

static void page_put_line(const Layout *l, unsigned style, const char *line, size_t length)
{
	if (!l->screen->terminal) {
		g_string_append_len(l->out, line, length);
		g_string_append_c(l->out, '\n');
		return;
	}
	g_autofree char *text = tabs_expanded(line, length);
	if (*text)
		page_put_folded(l, style, text);
	else
		g_string_append_c(l->out, '\n');
}

/* Without the empty lines at both ends. */
static void page_put_lines(const Layout *l, unsigned style, const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(text[length - 1]))
		length--;
	while (length > 0 && *text == '\n') {
		text++;
		length--;
	}
	for (const char *end = text + length; text <= end && length > 0;) {
		const char *stop = memchr(text, '\n', end - text);
		page_put_line(l, style, text, (stop ? stop : end) - text);
		if (!stop)
			return;
		text = stop + 1;
	}
}

static void page_put_gap(const Layout *l)
{
	if (l->out->len > 0)
		g_string_append_c(l->out, '\n');
}

/* ---- blocks */

static bool is_heading(DocTag tag)
{
	return tag >= TAG_HEADING1 && tag <= TAG_HEADING6;
}

static void flush_row(Layout *l)
{
	if (l->row->len > 0)
		page_put_lines(l, NO_STYLE, l->row->str, l->row->len);
	g_string_truncate(l->row, 0);
}

static void add_cell(Layout *l, const char *text, size_t length)
{
	if (l->row->len > 0)
		g_string_append(l->row, " | ");
	g_string_append_len(l->row, text, length);
}

static void page_put_text(Layout *l, const Block *block, const char *text, size_t length)
{
	if (block->tag == TAG_TABLE)
		add_cell(l, text, length);
	else if (is_heading(block->tag))
		page_put_lines(l, STYLE_TITLE, text, length);
	else if (block->tag == TAG_NOISE || block->tag == TAG_COMMENT)
		page_put_lines(l, STYLE_DIM, text, length);
	else
		page_put_lines(l, NO_STYLE, text, length);
}

static void page_put_block(Layout *l, const Block *block)
{
	const char *text = l->doc->text->str + block->start;
	size_t length = block->end - block->start;

	if (text_is_blank(text, length) || (l->page > 0 && l->number != l->page))
		return;
	if (block->tag != TAG_TABLE || l->last_tag != TAG_TABLE) {
		flush_row(l);
		page_put_gap(l);
	}
	g_autofree char *copy = g_strndup(text, length);
	if (ends_mean_spaces(l->doc, block->tag))
		g_strdelimit(g_strchomp(copy), "\n", ' ');
	page_put_text(l, block, copy, strlen(copy));
	l->last_tag = block->tag;
}

static void put_page_mark(Layout *l, const DocBreak *mark)
{
	static const char *const names[N_BREAKS] = {[BREAK_PAGE] = N_("page %u"),
	        [BREAK_SLIDE] = N_("slide %u"),
	        [BREAK_SHEET] = N_("sheet %u"),
	        [BREAK_CHAPTER] = N_("chapter %u")};
	l->number = mark->number;
	flush_row(l);
	l->last_tag = N_TAGS;
	if (l->page > 0)
		return;
	g_autofree char *name = g_strdup_printf(_(names[mark->kind]), mark->number);
	g_autofree char *line = g_strdup_printf(
	        "— %s%s%s —", name, mark->label ? ": " : "", mark->label ? mark->label : "");
	page_put_gap(l);
	page_put_lines(l, STYLE_DIM, line, strlen(line));
}

/* Puts the text up to an offset, which may have breaks in it. */
static void page_put_until(Layout *l, Block *block, size_t end)
{
	const GArray *breaks = l->doc->breaks;
	while (l->next_break < breaks->len) {
		const DocBreak *mark = &g_array_index(breaks, DocBreak, l->next_break);
		if (mark->offset > end || (mark->offset == end && end < l->doc->text->len))
			break;
		block->end = mark->offset;
		page_put_block(l, block);
		put_page_mark(l, mark);
		block->start = mark->offset;
		l->next_break++;
	}
	block->end = end;
	page_put_block(l, block);
	block->start = end;
}

static void page_put_blocks(Layout *l)
{
	const GArray *runs = l->doc->runs;
	Block block = {TAG_BODY, 0, 0};
	for (guint i = 0; i < runs->len; i++) {
		const DocRun *run = &g_array_index(runs, DocRun, i);
		if (i > 0 && !(run->flags & DOC_RUN_BLOCK))
			continue;
		page_put_until(l, &block, run->offset);
		block.tag = run->tag;
	}
	page_put_until(l, &block, l->doc->text->len);
	flush_row(l);
}

/* ---- facts */

static bool is_for_readers(DocField field)
{
	return field != FIELD_TITLE && field != FIELD_LANGUAGE && field != FIELD_MESSAGE_ID &&
	       field != FIELD_GENERATOR && field != FIELD_CHARSET && field != FIELD_THREAD &&
	       field != FIELD_IDENTIFIER && field != FIELD_ROBOTS && field != FIELD_SCHEDULE;
}

/* The title is often the first heading too, and is said once. */
static bool begins_with(const Document *doc, const char *title)
{
	return g_str_has_prefix(doc->text->str, title);
}

static const char *field_label(DocField field)
{
	switch (field) {
	case FIELD_AUTHOR:
		return _("author");
	case FIELD_TO:
		return _("recipient");
	case FIELD_CC:
		return _("copy to");
	case FIELD_KEYWORD:
		return _("keyword");
	case FIELD_COMMENT:
		return _("comment");
	case FIELD_DATE:
		return _("date");
	case FIELD_CREATED:
		return _("created");
	case FIELD_PAGES:
		return _("pages");
	case FIELD_DURATION:
		return _("length");
	default:
		return document_field_name(field);
	}
}

/* "1:02:03"; the text itself if it is not a number of seconds. */
static char *length_text(const char *value)
{
	guint64 seconds;
	if (!g_ascii_string_to_unsigned(value, 10, 0, G_MAXINT32, &seconds, NULL))
		return g_strdup(value);
	unsigned hours = seconds / 3600, minutes = seconds / 60 % 60, rest = seconds % 60;
	return hours > 0 ? g_strdup_printf("%u:%02u:%02u", hours, minutes, rest)
	                 : g_strdup_printf("%u:%02u", minutes, rest);
}

/* A date without a time stands as midnight in UTC. */
static char *date_text(const char *value)
{
	g_autoptr(GTimeZone) here = g_time_zone_new_local();
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(value, here);
	if (!time)
		return g_strdup(value);
	return g_str_has_suffix(value, "T00:00:00Z") ? g_date_time_format(time, "%Y-%m-%d")
	                                             : screen_time(g_date_time_to_unix(time));
}

static char *field_text(const DocFact *fact)
{
	if (fact->field == FIELD_DATE || fact->field == FIELD_CREATED)
		return date_text(fact->value);
	return fact->field == FIELD_DURATION ? length_text(fact->value) : g_strdup(fact->value);
}

static void page_put_facts(Layout *l)
{
	const GArray *facts = l->doc->facts;
	for (guint i = 0; i < facts->len; i++) {
		const DocFact *fact = &g_array_index(facts, DocFact, i);
		if (fact->field == FIELD_TITLE && !begins_with(l->doc, fact->value))
			page_put_lines(l, STYLE_TITLE, fact->value, strlen(fact->value));
	}
	for (guint i = 0; i < facts->len; i++) {
		const DocFact *fact = &g_array_index(facts, DocFact, i);
		if (!is_for_readers(fact->field))
			continue;
		g_autofree char *value = field_text(fact);
		g_autofree char *line = g_strdup_printf("%s: %s", field_label(fact->field), value);
		page_put_lines(l, STYLE_DIM, line, strlen(line));
	}
}

void doc_page_append(const Screen *screen, GString *out, const Document *doc, unsigned page)
{
	g_autoptr(GString) text = g_string_new(NULL), row = g_string_new(NULL);
	Layout layout = {.screen = screen,
	        .out = text,
	        .doc = doc,
	        .page = page,
	        .number = doc->breaks->len == 0,
	        .last_tag = N_TAGS,
	        .row = row};
	if (page == 0)
		page_put_facts(&layout);
	page_put_blocks(&layout);
	g_string_append_len(out, text->str, text->len);
}
