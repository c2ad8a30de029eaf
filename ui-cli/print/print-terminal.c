/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/entry.h"
#include "ui-cli/print/printer.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

enum { INDENT = 4, SNIPPET_LINES = 3, TITLE_LINES = 2, WIDTH_MIN = 16, PLACE_CHARS = 90 };

static const char heading_separator[] = " › ";

static const char *const place_formats[N_BREAKS] = {
        [BREAK_PAGE] = N_("p. %u"),
        [BREAK_SLIDE] = N_("slide %u"),
        [BREAK_SHEET] = N_("sheet %u"),
        [BREAK_CHAPTER] = N_("chapter %u"),
};

/* Is the snippet from the text itself? Otherwise it is from a field such as a title or a mail
 * header. */
static bool is_of_text(const char *field)
{
	return strcmp(field, "body") == 0 || strcmp(field, "heading") == 0 ||
	       strcmp(field, "noise") == 0;
}

/* The innermost headings of a path, as many as fit: a place must not hide the text. */
static const char *inner_headings(const char *path)
{
	while (g_utf8_strlen(path, -1) > PLACE_CHARS) {
		const char *next = strstr(path, heading_separator);
		if (!next)
			break;
		path = next + strlen(heading_separator);
	}
	return path;
}

static char *place_number(const Snippet *snippet)
{
	if (snippet->page > 0)
		return g_strdup_printf(_(place_formats[snippet->break_kind]), snippet->page);
	if (snippet->line > 0)
		return g_strdup_printf(_("l. %u"), snippet->line);
	return NULL;
}

/* The field's name in the language of the reader; of rare ones, in that of the query. */
static const char *place_field(const char *field)
{
	static const char *const names[] = {
	        N_("title"), N_("author"), N_("to"), N_("keyword"), N_("comment")};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i], field) == 0)
			return _(names[i]);
	return field;
}

char *snippet_place(const Snippet *snippet)
{
	if (!is_of_text(snippet->field))
		return g_strdup(place_field(snippet->field));
	g_autofree char *number = place_number(snippet);
	if (!snippet->heading)
		return g_steal_pointer(&number);
	const char *inner = inner_headings(snippet->heading);
	return g_strconcat(number ? number : "", number ? " · " : "",
	        inner > snippet->heading ? "…" : "",
	        inner > snippet->heading ? heading_separator : "", inner, NULL);
}

static const char *print_terminal_last_component(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

const char *hit_title(const Hit *hit)
{
	const Info *info = &hit->info;
	if (info->title && *info->title)
		return info->title;
	if (!info->member)
		return print_terminal_last_component(info->path);
	const char *inner = strrchr(info->member, '|'); /* a member of a member */
	return print_terminal_last_component(inner && inner[1] ? inner + 1 : info->member);
}

static void append_title(const Screen *screen, GString *out, const ShownHit *shown)
{
	const char *title = hit_title(shown->hit);
	g_autoptr(GString) folded = g_string_new(NULL);

	screen_append_folded(screen, folded, title, NULL, INDENT, TITLE_LINES);
	g_string_append_printf(out, "%s%3u%s %s", screen_on(screen, STYLE_DIM), shown->rank,
	        screen_off(screen), screen_on(screen, STYLE_TITLE));
	g_string_append_len(out, folded->str + INDENT, folded->len - INDENT - 1);
	g_string_append_printf(out, "%s\n", screen_off(screen));
}

/* On another machine it is not a file here that could be opened. */
static void print_terminal_append_path(const Screen *screen, GString *out, const Hit *hit)
{
	g_autofree char *path = info_full_path(&hit->info);
	screen_append_path(screen, out, path, hit->host ? NULL : hit->info.path, INDENT);
}

static void append_separated(GString *out, const char *text)
{
	if (out->len > 0)
		g_string_append(out, " · ");
	g_string_append(out, text);
}

static void print_terminal_append_copies(GString *facts, const Hit *hit)
{
	guint n = hit->copies ? hit->copies->len : 0;
	if (n == 0)
		return;
	g_autofree char *text = hit->copies_cut
	                                ? g_strdup_printf(_("more than %u copies"), n)
	                                : g_strdup_printf(ngettext("+%u copy", "+%u copies", n), n);
	append_separated(facts, text);
}

/* The sketches of a text that differs may be equal by chance or rounding, but not its simhash too.
 */
static double print_terminal_percent(const Hit *hit)
{
	bool equal = hit->distance == 0 && hit->similarity >= 1;
	return equal ? 100 : MIN(hit->similarity * 100, 99);
}

static void print_terminal_append_likeness(GString *facts, const Hit *hit)
{
	if (hit->distance >= 0) {
		g_autofree char *similar =
		        g_strdup_printf(_("%.0f %% similar"), print_terminal_percent(hit));
		append_separated(facts, similar);
	}
	if (hit->likeness > 0) {
		g_autofree char *likeness =
		        g_strdup_printf(_("%.0f %% the same subject"), hit->likeness * 100);
		append_separated(facts, likeness);
	}
}

/* Long names of types and authors come last, where a narrow terminal cuts. */
char *hit_facts(const Hit *hit)
{
	const Info *info = &hit->info;
	const char *state = info_state_name(info);
	g_autofree char *date = screen_time(info->date ? info->date : info_mtime(info));
	GString *facts = g_string_new(date);

	if (info->stat.kind == ENTRY_DIR && !info->member) {
		append_separated(facts, _("directory"));
	} else if (info_size(info) >= 0) {
		g_autofree char *size = g_format_size(info_size(info));
		append_separated(facts, size);
	}
	print_terminal_append_likeness(facts, hit);
	print_terminal_append_copies(facts, hit);
	if (strcmp(state, "ok") != 0)
		append_separated(facts, entry_state_text(info));
	if (hit->host)
		append_separated(facts, hit->host);
	if (info->mime)
		append_separated(facts, info->mime);
	if (info->author && *info->author)
		append_separated(facts, info->author);
	return g_string_free(facts, FALSE);
}

static void print_terminal_append_facts(const Screen *screen, GString *out, const ShownHit *shown)
{
	const Hit *hit = shown->hit;
	g_autofree char *facts = hit_facts(hit);
	g_autoptr(GString) all = g_string_new(NULL);

	if (hit->words_matched > 0)
		g_string_printf(all, _("%u of %u words"), hit->words_matched, shown->words);
	if (hit->by_meaning)
		append_separated(all, _("by meaning, not all the words"));
	append_separated(all, facts);
	screen_append_folded(screen, out, all->str, NULL, INDENT, 2);
}

char *snippet_line(const Snippet *snippet, GArray **marks_r)
{
	g_autofree char *place = snippet_place(snippet);
	GString *text = g_string_new(place);
	GArray *marks = *marks_r = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	if (place)
		g_string_append(text, ": ");
	for (guint i = 0; i < snippet->marks->len; i++) {
		uint32_t edge = g_array_index(snippet->marks, uint32_t, i) + text->len;
		g_array_append_val(marks, edge);
	}
	g_string_append(text, snippet->text);
	return g_string_free(text, FALSE);
}

/* The offset where the text must begin so that its first mark is visible, in the middle of the
 * lines. */
static size_t first_shown(const Screen *screen, const Snippet *snippet)
{
	const size_t room = (SNIPPET_LINES - 1) * (MAX(screen->width, INDENT + WIDTH_MIN) - INDENT);
	const char *text = snippet->text;
	if (snippet->marks->len < 2)
		return 0;
	const char *mark = text + g_array_index(snippet->marks, uint32_t, 0);
	const char *end = text + g_array_index(snippet->marks, uint32_t, 1), *begin = mark;
	if (text_cells(text, end - text) <= room)
		return 0;
	while (begin > text) {
		const char *before = g_utf8_prev_char(begin);
		if (text_cells(before, end - before) > room / 2)
			break;
		begin = before;
	}
	size_t blank = strcspn(begin, " ");
	return (begin + blank < mark ? begin + blank + 1 : begin) - text;
}

/* The text from there on, and its marks in *marks_r. The caller frees both. */
static char *snippet_from(const Snippet *snippet, size_t begin, GArray **marks_r)
{
	static const char cut[] = "…";
	*marks_r = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (guint i = 0; i < snippet->marks->len; i++) {
		uint32_t edge = g_array_index(snippet->marks, uint32_t, i);
		edge = edge - begin + (begin > 0 ? strlen(cut) : 0);
		g_array_append_val(*marks_r, edge);
	}
	return g_strconcat(begin > 0 ? cut : "", snippet->text + begin, NULL);
}

/* A place with a heading stands in a line of its own; the place is taken from the snippet. */
static void print_terminal_append_heading(const Screen *screen, GString *out, Snippet *snippet)
{
	g_autofree char *place = snippet_place(snippet);
	g_string_append(out, screen_on(screen, STYLE_DIM));
	screen_append_folded(screen, out, place, NULL, INDENT, 2);
	g_string_append(out, screen_off(screen));
	snippet->heading = NULL;
	snippet->page = snippet->line = 0;
}

static void print_terminal_append_snippet(
        const Screen *screen, GString *out, const Snippet *snippet)
{
	g_autoptr(GArray) marks = NULL, rest_marks = NULL;
	g_autofree char *rest = snippet_from(snippet, first_shown(screen, snippet), &rest_marks);
	Snippet shown = *snippet;
	shown.text = rest;
	shown.marks = rest_marks;
	if (snippet->heading)
		print_terminal_append_heading(screen, out, &shown);
	g_autofree char *text = snippet_line(&shown, &marks);
	screen_append_folded(screen, out, text, marks, INDENT, SNIPPET_LINES);
}

static void print_head(const Screen *screen, GString *out, const ShownHit *shown)
{
	append_title(screen, out, shown);
	print_terminal_append_path(screen, out, shown->hit);
	g_string_append(out, screen_on(screen, STYLE_DIM));
	print_terminal_append_facts(screen, out, shown);
	g_string_append(out, screen_off(screen));
}

static void print_rest(const Screen *screen, GString *out, const ShownHit *shown)
{
	for (guint i = 0; shown->snippets && i < shown->snippets->len; i++)
		print_terminal_append_snippet(screen, out, g_ptr_array_index(shown->snippets, i));
	g_string_append_c(out, '\n');
}

const Printer print_terminal = {.wants_snippets = true, .head = print_head, .hit = print_rest};
