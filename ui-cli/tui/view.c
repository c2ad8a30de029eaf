/* SPDX-License-Identifier: GPL-3.0-or-later */
#define NCURSES_WIDECHAR 1
#include <config.h>
#include "ui-cli/tui/view.h"
#include "ui-cli/tui/ending.h"
#include "ui-cli/tui/path-fit.h"
#include "ui-cli/print/note-fold.h"
#include "ui-cli/print/screen.h"
#include "ui-cli/print/terminal-charset.h"
#include "ui-cli/app/gaps.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <ncurses.h>
#include <signal.h>
#include <string.h>

enum { ROW_QUERY, ROW_STATE, ROW_FIRST, KEYS_ROWS = 1, PREVIEW_MIN = 4, ESCAPE_MS = 25 };
enum { PAIR_MARK = 1, PAIR_PATH, PAIR_BAD };
#define PROMPT "> "

static attr_t view_style(short pair, attr_t otherwise)
{
	return has_colors() && COLOR_PAIRS > PAIR_BAD ? (attr_t)COLOR_PAIR(pair) : otherwise;
}

static bool view_is_ascii;

bool view_begin(FILE *in, FILE *out, bool color, bool ascii)
{
	signal(SIGINT, SIG_DFL); /* default handling, so that ncurses restores the terminal before
	                            the end */
	view_is_ascii = ascii;
	if (!newterm(NULL, out, in))
		return false;
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	define_key("\033[200~", VIEW_KEY_PASTE);
	define_key("\033[201~", VIEW_KEY_PASTE_END);
	ending_begin(fileno(out));
	ending_paste(true);
	set_escdelay(ESCAPE_MS);
	if (!color || start_color() == ERR)
		return true;
	use_default_colors();
	init_pair(PAIR_MARK, COLOR_YELLOW, -1);
	init_pair(PAIR_PATH, COLOR_CYAN, -1);
	init_pair(PAIR_BAD, COLOR_RED, -1);
	return true;
}

void view_end(void)
{
	if (isendwin())
		return;
	ending_paste(false);
	endwin();
}

void view_leave(void)
{
	ending_paste(false);
	def_prog_mode();
	endwin();
}

void view_return(void)
{
	reset_prog_mode();
	ending_paste(true);
}

/* ---- layout */

void view_suspend(void)
{
	kill(0, SIGTSTP); /* the handler restores the terminal meanwhile */
	clearok(curscr, TRUE);
}

/* Rows between the status line and the keys. */
static int view_rows(void)
{
	return MAX(LINES - ROW_FIRST - KEYS_ROWS, 1);
}

/* Rows of hits. The other rows, except one separator, are for the preview. */
static int list_rows(void)
{
	return view_rows() < 2 * PREVIEW_MIN ? view_rows() : view_rows() / 2;
}

guint view_page(const View *view)
{
	return view->whole ? view_rows() : list_rows();
}

/* ---- parts of lines; all text is escaped here */

/* Text that is already escaped, as the charset can show it. The caller frees it. */
static char *view_shown(const char *text, size_t length)
{
	if (!view_is_ascii)
		return g_strndup(text, length);
	g_autofree char *spelt = charset_spell_signs(text, length);
	return g_str_to_ascii(spelt, NULL);
}

/* Writes escaped text up to the end of the row at most. */
static void view_add(const char *text, size_t length)
{
	g_autofree char *shown = view_shown(text, length);
	int room = COLS - getcurx(stdscr);
	size_t n = 0;
	while (shown[n] && room > 0) {
		size_t next = g_utf8_next_char(shown + n) - shown;
		room -= text_cells(shown + n, next - n);
		if (room >= 0)
			n = next;
	}
	addnstr(shown, n);
}

/* Writes as much as fits into the cells, cut with an ellipsis. Returns the cells used. */
static int view_put(const char *bytes, int cells)
{
	g_autofree char *escaped = screen_escaped(bytes);
	g_autofree char *text = view_shown(escaped, strlen(escaped));
	size_t length = strlen(text);
	int all = text_cells(text, length), used = 0;
	const char *p = text;

	if (cells <= 0)
		return 0;
	if (all <= cells) {
		addnstr(text, length);
		return all;
	}
	for (;; p = g_utf8_next_char(p)) {
		int wide = text_cells(p, g_utf8_next_char(p) - p);
		if (used + wide > cells - 1)
			break;
		used += wide;
	}
	addnstr(text, p - text);
	addstr(view_is_ascii ? "~" : "…");
	return used + 1;
}

static void put_styled(attr_t attributes, const char *bytes, int cells)
{
	attron(attributes);
	view_put(bytes, cells);
	attroff(attributes);
}

/* ---- rows */

static int shown_cells(const char *text, gsize length)
{
	g_autofree char *piece = g_strndup(text, length);
	g_autofree char *escaped = screen_escaped(piece);
	return text_cells(escaped, strlen(escaped));
}

/* Sets *column_r to the cursor's column. */
static void draw_query(const View *view, int *column_r)
{
	const char *text = view->line.text->str, *from = text;
	gsize cursor = view->line.cursor;
	int room = MAX(COLS - (int)strlen(PROMPT) - 1, 1);

	while (shown_cells(from, text + cursor - from) > room)
		from = g_utf8_next_char(from);
	move(ROW_QUERY, 0);
	put_styled(A_BOLD, PROMPT, COLS);
	view_put(from, room);
	*column_r = strlen(PROMPT) + shown_cells(from, text + cursor - from);
}

/* The notes on parts of the query that were left out or read otherwise; NULL: none. */
static char *notes_text(const Live *live)
{
	char **notes = live->query ? live->query->notes : NULL;
	return notes && *notes ? g_strjoinv(". ", notes) : NULL;
}

static char *count_text(const View *view)
{
	const SearchResult *result = view->live.result;
	g_autofree char *gaps = gaps_text(result), *notes = notes_text(&view->live);
	g_autofree char *missing =
	        notes ? g_strjoin(".  ", notes, gaps, NULL) : g_steal_pointer(&gaps);
	const char *of =
	        result->total_exact ? _("%u of %lu, %.0f ms") : _("%u of at most %lu, %.0f ms");
	g_autofree char *count = g_strdup_printf(of, result->hits->len ? view->selected + 1 : 0,
	        (unsigned long)result->total, view->live.ms);
	return missing ? g_strconcat(count, "  ", missing, NULL) : g_steal_pointer(&count);
}

/* Draws a message. One that is too wide takes rows of the hits as well, which are none or those of
 * an earlier query. */
static void draw_message(const View *view, attr_t attributes, const char *text)
{
	bool alone = !view->whole && !view->help;
	g_autofree char *escaped = screen_escaped(text);
	g_autoptr(GString) folded = g_string_new(NULL);

	note_fold_append(folded, escaped, alone ? COLS : 0, 0);
	g_auto(GStrv) rows = g_strsplit(g_strchomp(folded->str), "\n", -1);
	for (int i = 0; rows[i] && i <= list_rows(); i++) {
		move(ROW_STATE + i, 0);
		clrtoeol();
		put_styled(attributes, rows[i], COLS);
	}
}

static void draw_state(const View *view)
{
	const Live *live = &view->live;
	g_autofree char *count = live->result ? count_text(view) : NULL;
	const Preview *preview = &view->preview;
	g_autofree char *match = view->whole && preview->matches->len > 0
	                                 ? g_strdup_printf(_("match %u of %u"), preview->match + 1,
	                                           preview->matches->len)
	                                 : NULL;

	move(ROW_STATE, 0);
	if (view->note || live->fault) {
		draw_message(
		        view, view_style(PAIR_BAD, A_BOLD), view->note ? view->note : live->fault);
	} else if (match) {
		put_styled(A_DIM, match, COLS);
	} else if (live->help) {
		g_autofree char *notes = notes_text(live);
		g_autofree char *help = g_strjoin("  ", live->help, notes, NULL);
		draw_message(view, A_BOLD, help);
	} else {
		put_styled(A_DIM, count ? count : _("Type a search."), COLS);
	}
}

/* paths: of the hits on the screen; this one is paths[at]. */
static void draw_hit(const Hit *hit, const GPtrArray *paths, guint at, int row, bool selected)
{
	int room = COLS / 2, used;

	if (selected)
		attron(A_REVERSE);
	mvhline(row, 0, ' ', COLS);
	move(row, 1);
	attron(A_BOLD);
	used = view_put(hit_title(hit), room - 2);
	attroff(A_BOLD);
	room = MAX(COLS - used - 4, 0);
	move(row, used + 3);
	g_autofree char *path = path_fit(paths, at, room);
	put_styled(selected ? A_NORMAL : view_style(PAIR_PATH, A_NORMAL), path, room);
	attroff(A_REVERSE);
}

static void draw_hits(View *view)
{
	const SearchResult *result = view->live.result;
	guint n = result ? result->hits->len : 0, room = list_rows();

	if (view->selected < view->first_hit)
		view->first_hit = view->selected;
	if (view->selected >= view->first_hit + room)
		view->first_hit = view->selected - room + 1;
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	for (guint i = view->first_hit; i < n && i < view->first_hit + room; i++)
		g_ptr_array_add(paths, info_full_path(&((Hit *)result->hits->pdata[i])->info));
	for (guint i = 0; i < paths->len; i++)
		draw_hit(result->hits->pdata[view->first_hit + i], paths, i, ROW_FIRST + i,
		        view->first_hit + i == view->selected);
}

/* The byte of the paragraph where the current match begins; SIZE_MAX if it is elsewhere. */
static size_t current_mark(const View *view, guint paragraph)
{
	const Preview *preview = &view->preview;
	if (!view->whole || preview->match >= preview->matches->len)
		return SIZE_MAX;
	const PreviewMatch *match = &g_array_index(preview->matches, PreviewMatch, preview->match);
	return match->paragraph == paragraph ? match->start : SIZE_MAX;
}

/* Draws a line with its marks. current: where the mark begins that stands out. */
static void draw_line(const FoldText *paragraph, const PreviewLine *line, size_t current)
{
	size_t position = line->start;
	const char *text = paragraph->text->str;

	for (guint i = 0; i + 1 < paragraph->marks->len; i += 2) {
		size_t from = MAX(g_array_index(paragraph->marks, uint32_t, i), position);
		size_t to = MIN(g_array_index(paragraph->marks, uint32_t, i + 1), line->end);
		if (from >= to)
			continue;
		attr_t style = A_BOLD | view_style(PAIR_MARK, A_UNDERLINE);
		if (g_array_index(paragraph->marks, uint32_t, i) == current)
			style |= A_REVERSE;
		view_add(text + position, from - position);
		attron(style);
		view_add(text + from, to - from);
		attroff(style);
		position = to;
	}
	view_add(text + position, line->end - position);
}

static unsigned preview_width(void)
{
	return MAX(COLS - 2, 2);
}

static void draw_preview(View *view, int first_row, int n_rows)
{
	Preview *preview = &view->preview;
	guint last;

	preview_fold(preview, preview_width());
	last = preview->lines->len;
	view->first_line = MIN(view->first_line, last > (guint)n_rows ? last - n_rows : 0);
	for (int i = 0; i < n_rows && view->first_line + i < last; i++) {
		const PreviewLine *line =
		        &g_array_index(preview->lines, PreviewLine, view->first_line + i);
		move(first_row + i, 1);
		draw_line(&g_array_index(preview->paragraphs, FoldText, line->paragraph), line,
		        current_mark(view, line->paragraph));
	}
}

static void draw_keys(const View *view)
{
	bool more = view->help && view->help_row + view_rows() < view->help_rows;
	const char *keys = more          ? _("Any key: back  F1: more")
	                   : view->help  ? _("Any key: back")
	                   : view->whole ? _("Tab: back  n, N: next, previous match  F1: all keys")
	                   : view->chooses ? _("Enter: choose  Tab: text  Esc: quit  F1: all keys")
	                                   : _("Enter: open  Tab: text  Esc: quit  F1: all keys");
	/* The last one leads to the others. */
	const char *next;
	while (text_cells(keys, strlen(keys)) >= (size_t)COLS && (next = strstr(keys, "  ")))
		keys = next + 2;
	move(LINES - 1, 0);
	put_styled(A_DIM, keys, COLS - 1);
}

/* A line of the help without the gap between key and text. The caller frees it. */
static char *help_squeezed(const char *line)
{
	const char *gap = strstr(line, "  ");
	if (!gap)
		return g_strdup(line);
	g_autofree char *key = g_strndup(line, gap - line);
	return g_strconcat(key, ": ", gap + strspn(gap, " "), NULL);
}

/* Draws a line of the help, folded if it is too wide. Returns the row after it. */
static int draw_help_line(const char *line, int row)
{
	const Screen screen = {.terminal = true, .width = (unsigned)MAX(COLS - 2, 1)};
	g_autoptr(GString) folded = g_string_new(NULL);
	bool fits = text_cells(line, strlen(line)) < (size_t)MAX(COLS - 1, 1);
	g_autofree char *text = fits ? g_strdup(line) : help_squeezed(line);
	screen_append_folded(&screen, folded, text, NULL, 0, fits ? 1 : G_MAXUINT);
	g_auto(GStrv) rows = g_strsplit(g_strchomp(folded->str), "\n", -1);
	for (char **r = rows; *r; r++, row++) {
		if (row < 0 || row >= view_rows())
			continue;
		move(ROW_FIRST + row, 1 + (r > rows));
		view_put(*r, COLS - 1 - (r > rows));
	}
	return row;
}

static void draw_help(View *view)
{
	const char *const lines[] = {
	        view->chooses ? _("Enter           print the path of the hit and end")
	                      : _("Enter           open the hit where its passage is"),
	        _("Up, Down        select a hit; scroll the text"),
	        _("PgUp, PgDn      the same by screens"),
	        _("Tab             show the text of the hit, and go back"),
	        _("n, N            in the text: next and previous match"),
	        _("Home, End       beginning and end of the query"),
	        _("Ctrl-W, Ctrl-U  erase a word, the query"),
	        _("Ctrl-L          draw the screen again"),
	        _("Ctrl-Z          stop until \"fg\""),
	        _("Esc, Ctrl-D     go back, quit; Ctrl-C quits at once"),
	};
	int row = -view->help_row;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		row = draw_help_line(lines[i], row);
	view->help_rows = row + view->help_row;
}

bool view_more_help(View *view)
{
	bool more = view->help_row + view_rows() < view->help_rows;
	view->help_row = more ? view->help_row + view_rows() : 0;
	return more;
}

void view_go_to_match(View *view, int step)
{
	Preview *preview = &view->preview;
	int n = preview->matches->len;
	if (n == 0)
		return;
	preview_fold(preview, preview_width());
	preview->match = ((int)preview->match + step % n + n) % n;
	view->first_line = MAX((int)preview_match_line(preview) - view_rows() / 3, 0);
}

void view_draw(View *view)
{
	int column, below = ROW_FIRST + list_rows();

	erase();
	if (view->help) {
		draw_help(view);
	} else if (view->whole) {
		draw_preview(view, ROW_FIRST, view_rows());
	} else {
		draw_hits(view);
		if (list_rows() < view_rows()) {
			mvhline(below, 0, view_is_ascii ? '-' : ACS_HLINE, COLS);
			draw_preview(view, below + 1, view_rows() - list_rows() - 1);
		}
	}
	draw_state(view);
	draw_keys(view);
	draw_query(view, &column);
	move(ROW_QUERY, MIN(column, COLS - 1));
	refresh();
}
