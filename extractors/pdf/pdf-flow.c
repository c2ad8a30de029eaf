/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-flow.h"
#include "extractors/shared/linejoin.h"
#include <string.h>

enum { NO_ENTRY = -1, MAX_HEADING_LINES = 3, MAX_HEADING_BYTES = 512 };

typedef struct {
	const char *text;
	size_t length; /* bytes; 0: an empty line, which ends a run of text */
	int entry; /* index in the outline, or NO_ENTRY */
	unsigned lines; /* number of lines of that heading */
} PdfLine;

static GArray *split_lines(char *text)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(PdfLine));

	for (char *p = text, *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n\f");
		char *last = end;
		while (last > p && g_ascii_isspace(last[-1]))
			last--;
		while (p < last && g_ascii_isspace(*p))
			p++;
		PdfLine line = {p, last - p, NO_ENTRY, 1};
		g_array_append_val(lines, line);
	}
	return lines;
}

static PdfLine *line_at(GArray *lines, guint index)
{
	return &g_array_index(lines, PdfLine, index);
}

static int find_entry(Outline *outline, guint begin, guint end, const char *key)
{
	for (guint i = begin; i < end; i++) {
		OutlineEntry *entry = outline_entry(outline, i);
		if (!entry->seen && *entry->key && strcmp(entry->key, key) == 0)
			return i;
	}
	return NO_ENTRY;
}

/* Tests whether this line, by itself or with the next ones, is a title of the outline. */
static void mark_heading(GArray *lines, guint index, Outline *outline, guint begin, guint end)
{
	g_autoptr(GString) joined = g_string_new(NULL);

	for (guint n = 1; n <= MAX_HEADING_LINES && index + n <= lines->len; n++) {
		PdfLine *line = line_at(lines, index + n - 1);
		if (line->length == 0 || joined->len + line->length > MAX_HEADING_BYTES)
			return;
		g_string_append_c(joined, ' ');
		g_string_append_len(joined, line->text, line->length);
		g_autofree char *key = outline_key(joined->str + 1, joined->len - 1);
		int entry = find_entry(outline, begin, end, key);
		if (entry != NO_ENTRY) {
			outline_entry(outline, entry)->seen = true;
			line_at(lines, index)->entry = entry;
			line_at(lines, index)->lines = n;
			return;
		}
	}
}

static DocTag pdf_heading_tag(const OutlineEntry *entry)
{
	return TAG_HEADING1 + MIN(entry->level, 6) - 1;
}

static bool send_block(Sink *sink, DocTag tag, const char *text, size_t length)
{
	return sink_block(sink, tag) && sink_text(sink, tag, text, length);
}

/* Sends titles that are not a line of their page; they precede its text. */
static bool send_missing(Sink *sink, Outline *outline, guint begin, guint end)
{
	for (guint i = begin; i < end; i++) {
		OutlineEntry *entry = outline_entry(outline, i);
		if (!entry->seen && !entry->guessed &&
		        !send_block(
		                sink, pdf_heading_tag(entry), entry->title, strlen(entry->title)))
			return false;
		entry->seen = true;
	}
	return true;
}

static bool is_wide(gunichar c)
{
	return c >= 0x2e80 && g_unichar_iswide(c);
}

static void add_line(GString *out, const PdfLine *line)
{
	if (out->len > 0 && !line_join_word(out, line->text)) {
		const char *last = g_utf8_find_prev_char(out->str, out->str + out->len);
		if (!is_wide(g_utf8_get_char(last)) || !is_wide(g_utf8_get_char(line->text)))
			g_string_append_c(out, ' ');
	}
	g_string_append_len(out, line->text, line->length);
}

static bool starts_item(const PdfLine *line)
{
	gunichar c = g_utf8_get_char(line->text);

	return c == 0x2022 || c == 0x25aa || c == 0x25a0 || c == 0x25cf || c == 0x2023 ||
	       c == 0x2043;
}

/* The last line of a paragraph is often short and ends a sentence. */
static bool ends_paragraph(const PdfLine *line, size_t longest)
{
	return line->length * 4 < longest * 3 &&
	       strchr(".!?:", line->text[line->length - 1]) != NULL;
}

static size_t longest_in_run(GArray *lines, guint index)
{
	size_t longest = 0;

	for (; index < lines->len && line_at(lines, index)->length > 0; index++)
		longest = MAX(longest, line_at(lines, index)->length);
	return longest;
}

static bool pdf_flush(Sink *sink, GString *paragraph)
{
	bool more =
	        paragraph->len == 0 || send_block(sink, TAG_BODY, paragraph->str, paragraph->len);

	g_string_truncate(paragraph, 0);
	return more;
}

/* A line of one word may be a prefix ("un-"), or a cell of a table. */
static bool has_words(const PdfLine *line)
{
	return line->length > 0 && line->entry == NO_ENTRY && memchr(line->text, ' ', line->length);
}

/* Does a hyphen at the end of a column split a word that the next one continues? */
static bool is_word_split(const PdfLine *above, const PdfLine *below)
{
	if (!has_words(above) || !has_words(below))
		return false;
	const char *last = g_utf8_find_prev_char(above->text, above->text + above->length);
	const char *letter = last ? g_utf8_find_prev_char(above->text, last) : NULL;
	return letter && line_is_hyphen(g_utf8_get_char(last)) &&
	       line_splits_word(g_utf8_get_char(letter), g_utf8_get_char(below->text));
}

/* Removes the empty lines in such words. */
static void join_columns(GArray *lines)
{
	guint kept = 0, text_end = 0;
	for (guint i = 0; i < lines->len; i++) {
		PdfLine line = *line_at(lines, i);
		if (line.length > 0 && text_end > 0 &&
		        is_word_split(line_at(lines, text_end - 1), &line))
			kept = text_end;
		*line_at(lines, kept++) = line;
		if (line.length > 0)
			text_end = kept;
	}
	g_array_set_size(lines, kept);
}

static bool send_heading(Sink *sink, GArray *lines, guint index, const OutlineEntry *entry)
{
	g_autoptr(GString) title = g_string_new(NULL);

	for (unsigned i = 0; i < line_at(lines, index)->lines; i++)
		add_line(title, line_at(lines, index + i));
	return send_block(sink, pdf_heading_tag(entry), title->str, title->len);
}

static bool send_lines(Sink *sink, GArray *lines, Outline *outline)
{
	g_autoptr(GString) paragraph = g_string_new(NULL);
	size_t longest = 0;

	for (guint i = 0; i < lines->len; i++) {
		PdfLine *line = line_at(lines, i);
		if (i == 0 || line_at(lines, i - 1)->length == 0)
			longest = longest_in_run(lines, i);
		if ((line->length == 0 || line->entry != NO_ENTRY || starts_item(line)) &&
		        !pdf_flush(sink, paragraph))
			return false;
		if (line->entry != NO_ENTRY) {
			if (!send_heading(sink, lines, i, outline_entry(outline, line->entry)))
				return false;
			i += line->lines - 1;
		} else if (line->length > 0) {
			add_line(paragraph, line);
			if (ends_paragraph(line, longest) && !pdf_flush(sink, paragraph))
				return false;
		}
	}
	return pdf_flush(sink, paragraph);
}

bool pdf_page_send(Sink *sink, char *text, Outline *outline, int page)
{
	g_autoptr(GArray) lines = split_lines(text);
	guint end, begin = outline_page(outline, page, &end);

	for (guint i = 0; begin < end && i < lines->len; i++) {
		mark_heading(lines, i, outline, begin, end);
		i += line_at(lines, i)->lines - 1;
	}
	join_columns(lines);
	return send_missing(sink, outline, begin, end) && send_lines(sink, lines, outline);
}
