/* SPDX-License-Identifier: GPL-3.0-or-later */
#define NCURSES_WIDECHAR 1
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/open-hit.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/tui/ending.h"
#include "ui-cli/tui/terminfo.h"
#include "ui-cli/tui/view.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <fcntl.h>
#include <ncurses.h>
#include <poll.h>
#include <unistd.h>

/* SNIPPET_DELAY_MS: from the last key until passages are made; PASSAGE_LOOK_MS: between two looks
 * whether they are ready; PASTE_WAIT_MS: until a paste is over whose end was not sent. A key stops
 * a search, unless the list has been out of date for STALE_MAX_MS: a fast typist still sees hits.
 */
enum {
	SNIPPET_DELAY_MS = 120,
	PASSAGE_LOOK_MS = 10,
	PASTE_WAIT_MS = 500,
	STALE_MAX_MS = 300,
};

#define CONTROL(letter) ((letter)&0x1F)
enum { KEY_ESCAPE = 27, KEY_DELETE = 127, TUI_CONTINUE = -1, READ_FAILURES_MAX = 100 };

typedef struct {
	Cli *cli;
	FILE *in, *out; /* the terminal */
	View view;
	ViewerPlace place; /* of the first passage of the selected hit */
	bool search_pending; /* the query has changed since the last search */
	int64_t stale_us; /* since when; monotonic */
	bool pasting; /* text is being pasted */
	bool paste_cut; /* not all of it fits */
	bool snippets_pending; /* the passages of the selected hit are still missing */
} Tui;

/* NULL if the query has a fault: the hits that still stand there are of another query. */
static const Hit *cmd_tui_selected(const Tui *tui)
{
	const SearchResult *result = tui->view.live.fault ? NULL : tui->view.live.result;
	return result && tui->view.selected < result->hits->len
	               ? result->hits->pdata[tui->view.selected]
	               : NULL;
}

/* ---- work between keys */

static void show_facts(Tui *tui)
{
	const Hit *hit = cmd_tui_selected(tui);
	live_drop_passages(&tui->view.live);
	tui->view.whole = false;
	tui->view.first_line = 0;
	preview_empty(&tui->view.preview);
	if (hit)
		preview_set_hit(&tui->view.preview, hit, NULL);
	tui->snippets_pending = hit != NULL;
	tui->place = (ViewerPlace){0, 0};
}

static bool key_waits(void *data)
{
	const Tui *tui = data;
	struct pollfd keys = {fileno(tui->in), POLLIN, 0};
	return g_get_monotonic_time() - tui->stale_us < STALE_MAX_MS * INT64_C(1000) &&
	       poll(&keys, 1, 0) > 0;
}

/* Searches for the query as it is now. A search that a key stopped is still pending. */
static void cmd_tui_search(Tui *tui, ReaderStopFunc stop)
{
	reader_set_stop(tui->cli->reader, stop, tui);
	tui->search_pending =
	        !live_search(&tui->view.live, tui->cli, tui->view.line.text->str, LIVE_FIRST_HITS);
	reader_set_stop(tui->cli->reader, NULL, NULL);
	if (tui->search_pending)
		return;
	tui->view.selected = tui->view.first_hit = 0;
	show_facts(tui);
}

/* A key that acts on a hit must act on one of the query on the screen. */
static void finish_search(Tui *tui)
{
	if (tui->search_pending)
		cmd_tui_search(tui, NULL);
}

/* A screen of hits was enough so far. */
static void find_more(Tui *tui)
{
	const SearchResult *result = tui->view.live.result;
	if (result && result->hits->len == LIVE_FIRST_HITS && result->total > LIVE_FIRST_HITS)
		live_search(&tui->view.live, tui->cli, tui->view.line.text->str, LIVE_HITS);
}

/* Begins to make the passages, or shows them once they are ready. */
static void show_passages(Tui *tui)
{
	Live *live = &tui->view.live;
	if (!live->passages)
		live_begin_passages(live, tui->cli, tui->view.selected);
	if (!live_passages_are_ready(live))
		return;
	g_autoptr(GPtrArray) passages = live_take_passages(live);
	preview_set_hit(&tui->view.preview, cmd_tui_selected(tui), passages);
	tui->place = open_hit_place(passages);
	tui->snippets_pending = false;
}

/* ---- keys */

static void cmd_tui_select(Tui *tui, int step)
{
	finish_search(tui);
	if ((int)tui->view.selected + step >= LIVE_FIRST_HITS)
		find_more(tui);
	const SearchResult *result = tui->view.live.result;
	int last = result ? (int)result->hits->len - 1 : -1;
	if (last < 0)
		return;
	tui->view.selected = CLAMP((int)tui->view.selected + step, 0, last);
	show_facts(tui);
}

/* Moves by lines of the whole text, or by hits. */
static void cmd_tui_go(Tui *tui, int step)
{
	if (tui->view.whole)
		tui->view.first_line = MAX((int)tui->view.first_line + step, 0);
	else
		cmd_tui_select(tui, step);
}

/* Returns the exit code. */
static int print_choice(Tui *tui)
{
	finish_search(tui);
	const Hit *hit = cmd_tui_selected(tui);
	if (!hit)
		return TUI_CONTINUE;
	view_end();
	g_autofree char *path = info_full_path(&hit->info);
	printf("%s%c", path, tui->cli->null ? '\0' : '\n');
	return EXIT_OK;
}

/* A viewer in the terminal reads from it, even if the input of the client is redirected. */
static bool open_in_terminal(Tui *tui, const LastHit *hit, GError **error)
{
	int input = tui->in != stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : -1;
	if (tui->in != stdin)
		dup2(fileno(tui->in), STDIN_FILENO);
	bool ok = open_hit(tui->cli, hit, error);
	if (tui->in != stdin)
		close(STDIN_FILENO);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
	return ok;
}

static void open_selected(Tui *tui)
{
	finish_search(tui);
	const Hit *hit = cmd_tui_selected(tui);
	g_autoptr(GError) error = NULL;

	if (!hit)
		return;
	view_leave();
	const LastHit chosen = {hit->info.path, hit->info.member, hit->info.mime, tui->place};
	g_autofree char *key = choices_key(tui->view.line.text->str);
	if (open_in_terminal(tui, &chosen, &error))
		choices_note(tui->cli, key, chosen.path, chosen.member);
	else
		tui->view.note = g_strdup(error->message);
	view_return();
}

/* The message in place of a text; NULL: there is a text. The caller frees it. */
static char *cmd_tui_why_no_text(const Hit *hit, const Document *doc, const GError *error)
{
	if (error)
		return g_strdup(error->message);
	if (!doc)
		return g_strdup_printf(
		        _("%s has changed: the document is no longer in it."), hit->info.path);
	if (doc->text->len > 0)
		return NULL;
	return g_strdup(doc->state == STATE_FAILED ? document_reason_text(doc->reason)
	                                           : _("It has no text."));
}

static void toggle_text(Tui *tui)
{
	finish_search(tui);
	const Hit *hit = cmd_tui_selected(tui);
	g_autoptr(GError) error = NULL;

	if (tui->view.whole || !hit) {
		show_facts(tui);
		return;
	}
	tui->view.note = g_strdup(_("Reading…"));
	view_draw(&tui->view);
	g_clear_pointer(&tui->view.note, g_free);
	g_autoptr(Document) doc = convert_entry(tui->cli, &hit->info, &error);
	tui->view.note = cmd_tui_why_no_text(hit, doc, error);
	if (tui->view.note)
		return;
	preview_set_text(&tui->view.preview, doc, tui->view.live.query);
	tui->view.whole = true;
	tui->view.first_line = 0;
	view_go_to_match(&tui->view, 0);
	tui->snippets_pending = false;
}

static void line_has_changed(Tui *tui)
{
	if (!tui->search_pending)
		tui->stale_us = g_get_monotonic_time();
	tui->search_pending = true;
	if (tui->view.whole)
		show_facts(tui);
}

/* ---- pasted text */

/* Ends of lines, tabs and other control characters are blanks between words. */
static void take_pasted(Tui *tui, wint_t c)
{
	EditLine *line = &tui->view.line;
	bool blank = g_unichar_isspace(c) || g_unichar_iscntrl(c);
	if (blank && (line->cursor == 0 || line->text->str[line->cursor - 1] == ' '))
		return;
	if (line_insert(line, blank ? ' ' : c))
		line_has_changed(tui);
	else
		tui->paste_cut |= g_unichar_validate(c);
}

static void end_paste(Tui *tui)
{
	tui->pasting = false;
	if (tui->paste_cut)
		tui->view.note = g_strdup(_("The end of the pasted text is left out: it is longer "
		                            "than a query may be."));
	tui->paste_cut = false;
}

/* False: the key is not part of a paste. */
static bool cmd_tui_paste(Tui *tui, wint_t key, bool function)
{
	if (function && key == VIEW_KEY_PASTE)
		tui->pasting = true;
	else if (function && key == VIEW_KEY_PASTE_END)
		end_paste(tui);
	else if (tui->pasting && !function)
		take_pasted(tui, key);
	else
		return false;
	tui->view.help = false;
	return true;
}

/* Handles the keys of the line editor; false for other keys. */
static bool cmd_tui_edit(Tui *tui, wint_t key, bool function)
{
	EditLine *line = &tui->view.line;
	bool changed = false;

	if (function && key == KEY_LEFT)
		line_left(line);
	else if (function && key == KEY_RIGHT)
		line_right(line);
	else if ((function && key == KEY_HOME) || (!function && key == CONTROL('A')))
		line_home(line);
	else if ((function && key == KEY_END) || (!function && key == CONTROL('E')))
		line_end(line);
	else if ((function && key == KEY_BACKSPACE) ||
	         (!function && (key == KEY_DELETE || key == CONTROL('H'))))
		changed = line_erase_before(line);
	else if (function && key == KEY_DC)
		changed = line_erase_behind(line);
	else if (!function && key == CONTROL('W'))
		changed = line_erase_word(line);
	else if (!function && key == CONTROL('U'))
		changed = line_erase_all(line);
	else if (function || key < ' ' || !(changed = line_insert(line, key)))
		return false;
	if (changed)
		line_has_changed(tui);
	return true;
}

/* In the text, letters move; they do not change the query. False for other keys. */
static bool cmd_tui_read_text(Tui *tui, wint_t key)
{
	if (key < ' ' || key == KEY_DELETE)
		return false;
	if (key == 'n')
		view_go_to_match(&tui->view, 1);
	else if (key == 'N')
		view_go_to_match(&tui->view, -1);
	else if (key == ' ')
		cmd_tui_go(tui, view_page(&tui->view));
	else if (key == 'b')
		cmd_tui_go(tui, -(int)view_page(&tui->view));
	return true;
}

/* A program in $(...) that stops would stop the shell, which waits for it. */
static void cmd_tui_suspend(Tui *tui)
{
	if (!tui->view.chooses)
		view_suspend();
}

/* Handles the keys that move, open and quit. Returns the exit code, or TUI_CONTINUE. */
static int cmd_tui_command(Tui *tui, wint_t key, bool function)
{
	int page = view_page(&tui->view);

	if (function && key == KEY_RESIZE)
		return TUI_CONTINUE;
	if ((function && key == KEY_UP) || (!function && key == CONTROL('P')))
		cmd_tui_go(tui, -1);
	else if ((function && key == KEY_DOWN) || (!function && key == CONTROL('N')))
		cmd_tui_go(tui, 1);
	else if (function && key == KEY_PPAGE)
		cmd_tui_go(tui, -page);
	else if (function && key == KEY_NPAGE)
		cmd_tui_go(tui, page);
	else if ((function && key == KEY_ENTER) || (!function && (key == '\r' || key == '\n'))) {
		if (tui->view.chooses)
			return print_choice(tui);
		open_selected(tui);
	} else if (function && key == KEY_F(1))
		tui->view.help = true;
	else if (!function && key == CONTROL('Z'))
		cmd_tui_suspend(tui);
	else if (!function && key == '\t')
		toggle_text(tui);
	else if (!function && key == CONTROL('L'))
		clearok(curscr, TRUE);
	else if (!function && key == CONTROL('C'))
		return EXIT_INTERRUPTED;
	else if (!function && key == KEY_ESCAPE && tui->view.whole)
		show_facts(tui);
	else if (!function &&
	         (key == KEY_ESCAPE || (key == CONTROL('D') && tui->view.line.text->len == 0)))
		return tui->view.chooses ? EXIT_NOTHING : EXIT_OK;
	return TUI_CONTINUE;
}

static int cmd_tui_press(Tui *tui, wint_t key, bool function)
{
	if (cmd_tui_paste(tui, key, function))
		return TUI_CONTINUE;
	if (tui->view.help && function && key == KEY_F(1) && view_more_help(&tui->view))
		return TUI_CONTINUE;
	if (tui->view.help && !(function && key == KEY_RESIZE)) {
		tui->view.help = false;
		tui->view.help_row = 0;
		if (function || key != CONTROL('C'))
			return TUI_CONTINUE;
	}
	if (tui->view.whole && !function && cmd_tui_read_text(tui, key))
		return TUI_CONTINUE;
	return cmd_tui_edit(tui, key, function) ? TUI_CONTINUE
	                                        : cmd_tui_command(tui, key, function);
}

static int wait_ms(const Tui *tui)
{
	if (tui->pasting)
		return PASTE_WAIT_MS;
	if (tui->search_pending)
		return 0;
	if (!tui->snippets_pending)
		return -1;
	return tui->view.live.passages ? PASSAGE_LOOK_MS : SNIPPET_DELAY_MS;
}

static int cmd_tui_run(Tui *tui)
{
	int code = TUI_CONTINUE;
	unsigned failures = 0; /* reads that failed one after the other; a signal is one */

	while (code == TUI_CONTINUE) {
		wint_t key;
		if (!tui->pasting)
			view_draw(&tui->view);
		timeout(wait_ms(tui));
		ending_wait(true);
		int kind = get_wch(&key);
		ending_wait(false);
		if (ending_is_asked()) {
			code = EXIT_INTERRUPTED;
		} else if (kind != ERR) {
			g_clear_pointer(&tui->view.note, g_free);
			failures = 0;
			code = cmd_tui_press(tui, key, kind == KEY_CODE_YES);
		} else if (terminal_is_gone(fileno(tui->in)))
			code = EXIT_INTERRUPTED;
		else if (tui->pasting)
			end_paste(tui);
		else if (tui->search_pending)
			cmd_tui_search(tui, key_waits);
		else if (tui->snippets_pending)
			show_passages(tui);
		else if (++failures > READ_FAILURES_MAX)
			code = EXIT_INTERRUPTED;
	}
	return code;
}

static void begin_line(Tui *tui)
{
	g_autofree char *text = search_text(tui->cli, 0);
	g_autofree char *utf8 = text_to_utf8(text, -1);
	line_init(&tui->view.line, "");
	for (const char *p = utf8; *p; p = g_utf8_next_char(p))
		line_insert(&tui->view.line, g_utf8_get_char(p));
}

/* If input or output is redirected, as in $(tarsier tui), the terminal is asked for by its name,
 * and the choice is printed on stdout. False: there is no terminal. */
static bool cmd_tui_find_terminal(Tui *tui)
{
	tui->in = stdin;
	tui->out = stdout;
	tui->view.chooses = !isatty(STDOUT_FILENO);
	if (isatty(STDIN_FILENO) && !tui->view.chooses)
		return true;
	tui->in = fopen("/dev/tty", "re");
	tui->out = fopen("/dev/tty", "we");
	return tui->in && tui->out;
}

static void cmd_tui_close_terminal(Tui *tui)
{
	if (tui->in && tui->in != stdin)
		fclose(tui->in);
	if (tui->out && tui->out != stdout)
		fclose(tui->out);
}

/* Says why the terminal cannot be used. found: what cmd_tui_find_terminal() returned. */
static bool cmd_tui_begin(Tui *tui, bool found)
{
	Screen screen;
	bool good = found;
	TerminalKind kind = good ? terminal_kind(fileno(tui->out)) : TERMINAL_UNKNOWN;
	if (!good)
		cli_say(_("tui needs a terminal; in a pipe use \"tarsier search\""));
	else if (kind == TERMINAL_DUMB)
		cli_say(_("this terminal cannot place the cursor, as TERM=%s says; use \"tarsier "
		          "search\""),
		        g_getenv("TERM"));
	else if (kind == TERMINAL_UNKNOWN)
		cli_say(_("this terminal is not supported: TERM is not set or unknown"));
	if (!good || kind != TERMINAL_GOOD)
		return false;
	screen_init(&screen, tui->out, options_choice(tui->cli->args, "color", COLOR_AUTO));
	return view_begin(tui->in, tui->out, screen.color, !g_get_charset(NULL));
}

/* The terminal is opened before the confinement, which refuses to control one that is opened later.
 * All files may be read, since roots that are added meanwhile are shown too. Returns the exit
 * code. */
static int cmd_tui_open(Tui *tui)
{
	g_autoptr(GError) error = NULL;
	bool found = cmd_tui_find_terminal(tui);
	confine_client(tui->cli, true);
	if (!cli_reader(tui->cli, &error))
		return cli_fail(error);
	return cmd_tui_begin(tui, found) ? EXIT_OK : EXIT_USAGE;
}

int cmd_tui(Cli *cli)
{
	Tui tui = {.cli = cli, .search_pending = true};
	int opened = cmd_tui_open(&tui);

	if (opened != EXIT_OK) {
		cmd_tui_close_terminal(&tui);
		return opened;
	}
	begin_line(&tui);
	preview_init(&tui.view.preview);
	int code = cmd_tui_run(&tui);
	view_end();
	cmd_tui_close_terminal(&tui);
	live_clear(&tui.view.live);
	preview_clear(&tui.view.preview);
	line_clear(&tui.view.line);
	g_free(tui.view.note);
	ending_obey();
	return code;
}
