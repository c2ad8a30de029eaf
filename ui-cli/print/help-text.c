/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/help-text.h"
#include "common/base/text.h"
#include <string.h>

enum { HELP_INDENT = 2, HELP_LINES = 10000, HELP_COLUMN = 22 };

typedef struct {
	const Screen *screen;
	GString *out;
	GString *block; /* the lines of a paragraph or an item, joined by spaces */
	bool item; /* block is an item */
	bool fenced; /* between lines of ``` */
	bool begun; /* something was written */
	bool gap; /* an empty line stands before the next block */
} HelpPage;

/* Text without its inline marks. The ranges that they marked are pairs of uint32_t in marks. */
static char *strip_inline(const char *text, GArray *marks)
{
	GString *plain = g_string_new(NULL);
	uint32_t start = 0;
	bool code = false, bold = false;

	for (const char *c = text; *c; c++) {
		bool tick = *c == '`', stars = !code && g_str_has_prefix(c, "**");
		const char *target = !code && *c == ']' && c[1] == '(' ? strchr(c, ')') : NULL;
		if (tick || stars) {
			bool *open = tick ? &code : &bold;
			uint32_t end = plain->len;
			if (*open && end > start)
				g_array_append_vals(marks, (uint32_t[]){start, end}, 2);
			*open = !*open;
			start = end;
			c += stars;
		} else if (target) {
			c = target;
		} else if (code || *c != '[' || !strstr(c, "](")) {
			g_string_append_c(plain, *c);
		}
	}
	return g_string_free(plain, FALSE);
}

static void help_begin_block(HelpPage *page)
{
	if (page->gap && page->begun)
		g_string_append_c(page->out, '\n');
	page->gap = false;
	page->begun = true;
}

/* Writes left, which has fewer cells than the indent, and beside it text with inline marks. */
static void help_put(HelpPage *page, const char *left, const char *text, unsigned indent)
{
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree char *plain = strip_inline(text, marks);
	g_autoptr(GString) folded = g_string_new(NULL);

	screen_append_folded(page->screen, folded, plain, marks, indent, HELP_LINES);
	g_string_append(page->out, left);
	g_string_append(page->out, folded->str + MIN(text_cells(left, strlen(left)), folded->len));
}

static void help_end_block(HelpPage *page)
{
	if (page->block->len == 0)
		return;
	help_begin_block(page);
	help_put(page, page->item ? "  -" : "", page->block->str,
	        page->item ? 2 * HELP_INDENT : HELP_INDENT);
	g_string_truncate(page->block, 0);
	page->item = false;
}

static void help_heading(HelpPage *page, const char *line)
{
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree char *plain = strip_inline(line + strspn(line, "# "), marks);

	page->gap = true;
	help_begin_block(page);
	screen_append(page->screen, page->out, STYLE_TITLE, plain);
	g_string_append_c(page->out, '\n');
}

static void help_code(HelpPage *page, const char *line)
{
	help_begin_block(page);
	g_string_append_printf(page->out, "%*s", 2 * HELP_INDENT, "");
	text_append_escaped(page->out, line, strlen(line));
	g_string_append_c(page->out, '\n');
}

/* The cells after the first one, as one text. */
static char *join_cells(char **cells)
{
	GString *joined = g_string_new(NULL);
	for (char **cell = cells; *cell; cell++) {
		if (*g_strstrip(*cell))
			g_string_append_printf(joined, "%s%s", joined->len > 0 ? ": " : "", *cell);
	}
	return g_string_free(joined, FALSE);
}

/* "| a | b | c |": "a", and beside it "b: c". */
static void help_row(HelpPage *page, const char *line)
{
	if (strspn(line, "|-: ") == strlen(line))
		return;
	g_auto(GStrv) cells = g_strsplit(line + 1, "|", -1);
	g_autofree char *right = join_cells(cells + 1);
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree char *name = strip_inline(g_strstrip(cells[0]), marks);
	g_autoptr(GString) left = g_string_new("  ");

	text_append_escaped(left, name, strlen(name));
	help_begin_block(page);
	if (text_cells(left->str, left->len) + HELP_INDENT > HELP_COLUMN) {
		g_string_append_printf(page->out, "%s\n", left->str);
		g_string_truncate(left, 0);
	}
	help_put(page, left->str, right, HELP_COLUMN);
}

/* A line of text: it goes on with the block, or begins one. */
static void help_text(HelpPage *page, const char *line)
{
	bool item = g_str_has_prefix(line, "- ");
	if (item)
		help_end_block(page);
	page->item = page->item || item;
	line += item ? strlen("- ") : strspn(line, " ");
	g_string_append_printf(page->block, "%s%s", page->block->len > 0 ? " " : "", line);
}

static void help_line(HelpPage *page, const char *line)
{
	bool fence = g_str_has_prefix(line, "```");
	bool code = page->fenced || (page->block->len == 0 && g_str_has_prefix(line, "    "));
	bool text = !fence && !code && *line && *line != '#' && *line != '|';

	if (!text)
		help_end_block(page);
	page->gap = page->gap || fence;
	if (fence)
		page->fenced = !page->fenced;
	else if (code)
		help_code(page, page->fenced ? line : line + strlen("    "));
	else if (*line == '#')
		help_heading(page, line);
	else if (*line == '|')
		help_row(page, line);
	else if (text)
		help_text(page, line);
	else
		page->gap = true;
}

void help_text_append(const Screen *screen, GString *out, const char *text)
{
	g_autoptr(GString) block = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	HelpPage page = {.screen = screen, .out = out, .block = block};

	for (char **line = lines; *line; line++)
		help_line(&page, *line);
	help_end_block(&page);
}
