/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/saved.h"
#include "ui-cli/app/target.h"
#include "ui-cli/print/note-fold.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include <string.h>

/* Of a text of more than PIPE_LONG bytes, a log needs no more than PIPE_WIDTH columns. */
enum { QUERY_INDENT = 2, ROOM_MIN = 20, PIPE_LONG = 1000, PIPE_WIDTH = 120 };

/* A piece of the query, escaped for display. The caller frees it. */
static char *shown_piece(const char *text, size_t length)
{
	GString *out = g_string_new(NULL);
	text_append_escaped(out, text, length);
	return g_string_free(out, FALSE);
}

static size_t cells_of(const char *text)
{
	return text_cells(text, strlen(text));
}

/* Cuts the end so that the text fits into the given cells, and marks the cut with an ellipsis. */
static void cut_end(char **text, size_t cells)
{
	if (cells_of(*text) <= cells)
		return;
	char *end = *text;
	for (size_t used = 0; *end; end = g_utf8_next_char(end)) {
		used += text_cells(end, g_utf8_next_char(end) - end);
		if (used + 1 > cells)
			break;
	}
	*end = '\0';
	char *shorter = g_strconcat(*text, cells > 0 ? "…" : "", NULL);
	g_free(*text);
	*text = shorter;
}

/* The same at the beginning of the text. */
static void cut_begin(char **text, size_t cells)
{
	size_t left = cells_of(*text);
	if (left <= cells)
		return;
	const char *begin = *text;
	for (; *begin && left + 1 > cells; begin = g_utf8_next_char(begin))
		left -= text_cells(begin, g_utf8_next_char(begin) - begin);
	char *shorter = g_strconcat(cells > 0 ? "…" : "", begin, NULL);
	g_free(*text);
	*text = shorter;
}

void query_fault_append(GString *out, const char *text, const QueryFault *fault, unsigned width)
{
	size_t length = strlen(text);
	size_t position = MIN(fault->position, length);
	size_t faulty = MIN(fault->length, length - position);
	g_autofree char *before = shown_piece(text, position);
	g_autofree char *at = shown_piece(text + position, faulty);
	g_autofree char *behind = shown_piece(text + position + faulty, length - position - faulty);
	size_t room = width > ROOM_MIN + QUERY_INDENT ? width - QUERY_INDENT - 1 : ROOM_MIN;

	if (width > 0) {
		cut_end(&at, room / 2);
		size_t rest = room - MAX(cells_of(at), 1), tail = MIN(cells_of(behind), rest / 2);
		cut_begin(&before, rest - tail);
		cut_end(&behind, rest - MIN(cells_of(before), rest));
	}
	g_string_append_printf(out, "%*s%s%s%s\n", QUERY_INDENT, "", before, at, behind);
	g_string_append_printf(out, "%*s", (int)(QUERY_INDENT + cells_of(before)), "");
	for (size_t i = 0; i < MAX(cells_of(at), 1); i++)
		g_string_append_c(out, '^');
	g_string_append_c(out, '\n');
}

void search_show_fault(const char *text, const QueryFault *fault, const GError *error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	Screen notes;

	screen_init(&notes, stderr, COLOR_AUTO);
	cli_say("%s", error->message);
	unsigned pipe_width = strlen(text) > PIPE_LONG ? PIPE_WIDTH : 0;
	query_fault_append(out, text, fault, notes.terminal ? notes.width : pipe_width);
	if (fault->hint) {
		g_autofree char *hint = screen_escaped(fault->hint);
		note_fold_append(out, hint, notes.terminal ? notes.width : 0, 0);
	}
	screen_write(stderr, out->str);
}

int search_fail_file(const Query *query, const GError *error)
{
	QueryFault fault;
	if (error->domain == INDEX_ERROR || !query_unresolved_file(query, &fault))
		return cli_fail(error);
	search_show_fault(query->text, &fault, error);
	return EXIT_USAGE;
}

char *search_text(const Cli *cli, unsigned first)
{
	GString *text = g_string_new(NULL);
	for (unsigned i = first; i < cli_n_words(cli); i++) {
		if (i > first)
			g_string_append_c(text, ' ');
		g_string_append(text, cli_word(cli, i));
	}
	return g_string_free(text, FALSE);
}

/* ---- saved searches */

typedef struct {
	const Cli *cli;
	const char *name, *text; /* the search that is being saved; NULL if none */
	Saved *saved; /* loaded on demand */
} SavedSource;

static char *saved_text(const char *name, void *data)
{
	SavedSource *source = data;
	g_autoptr(GError) error = NULL;
	if (source->name && strcmp(source->name, name) == 0)
		return g_strdup(source->text);
	if (!source->saved && !(source->saved = saved_open(source->cli->config_file, &error)))
		cli_say("%s", error->message);
	return source->saved ? saved_query(source->saved, name) : NULL;
}

static Query *parse_with(SavedSource *source, const char *text, const QueryOptions *reading,
        QueryFault *fault, GError **error)
{
	g_autofree char *cwd = paths_current_dir();
	QueryOptions options = *reading;

	options.now = g_get_real_time() / G_USEC_PER_SEC;
	options.cwd = cwd;
	options.saved = saved_text;
	options.saved_data = source;
	Query *query = query_parse(text, &options, fault, error);
	g_clear_pointer(&source->saved, saved_free);
	return query;
}

Query *search_parse(const Cli *cli, const char *text, const QueryOptions *reading,
        QueryFault *fault, GError **error)
{
	SavedSource source = {.cli = cli};
	return parse_with(&source, text, reading, fault, error);
}

bool search_restrict_to(Query *query, const char *directory, GError **error)
{
	const QueryOptions options = {.cwd = "/"};
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	if (directory)
		g_ptr_array_add(values, (char *)directory);
	return query_restrict(query, "dir", values, &options, error);
}

/* Parses the query; on failure prints what is wrong. */
static Query *parse_or_report(SavedSource *source, const char *text, const QueryOptions *reading)
{
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};
	Query *query = parse_with(source, text, reading, &fault, &error);

	if (!query)
		search_show_fault(text, &fault, error);
	g_free(fault.hint);
	return query;
}

bool search_text_is_valid(const Cli *cli, const char *text, const char *name)
{
	SavedSource source = {cli, name, text, NULL};
	g_autofree char *itself = name ? g_strconcat("saved:", name, NULL) : NULL;
	const QueryOptions as_is = {0};
	g_autoptr(Query) query = parse_or_report(&source, text, &as_is);
	if (!name)
		return query != NULL;
	g_autoptr(Query) named = query ? parse_or_report(&source, itself, &as_is) : NULL;
	return named != NULL;
}

static bool restrict_by_option(
        const Cli *cli, Query *query, const char *option, const QueryOptions *options)
{
	g_autoptr(GPtrArray) values = options_values(cli->args, option);
	g_autoptr(GError) error = NULL;

	if (query_restrict(query, option, values, options, &error))
		return true;
	cli_say("--%s: %s", option, error->message);
	return false;
}

static bool restrict_by_dirs(Cli *cli, Query *query, const QueryOptions *options)
{
	g_autoptr(GPtrArray) dirs = options_values(cli->args, "dir");
	g_autoptr(GPtrArray) absolute = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < dirs->len; i++)
		g_ptr_array_add(absolute, target_dir(cli, dirs->pdata[i]));
	if (query_restrict(query, "dir", absolute, options, &error))
		return true;
	cli_say("--dir: %s", error->message);
	return false;
}

static bool looks_like_option(const char *word)
{
	return g_str_has_prefix(word, "--") ||
	       (word[0] == '-' && g_ascii_isalnum(word[1]) && word[2] == '\0');
}

/* Only the first word can look like an option with its value, such as a misspelt type. */
static bool looks_like_value(const Cli *cli, const char *word)
{
	const Option *option =
	        word[0] == '-' && word[1] ? options_by_letter(cli->args->tables, word[1]) : NULL;
	return option && option->kind != OPTION_FLAG && !strpbrk(word, ":<>");
}

/* The field that says in a query what this option of "search" says; NULL: there is none. */
static const char *search_query_field(const char *word)
{
	static const char *const fields[] = {"type", "dir", "ext", "mime"};
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		size_t length = strlen(fields[i]);
		bool letter = word[1] == fields[i][0] && word[2] == '\0';
		bool name = word[1] == '-' && strncmp(word + 2, fields[i], length) == 0 &&
		            (word[2 + length] == '\0' || word[2 + length] == '=');
		if (letter || name)
			return fields[i];
	}
	return NULL;
}

static void warn_of_option(const Cli *cli, const char *word)
{
	const char *field = search_query_field(word);
	if (field) {
		cli_note(cli,
		        _("\"%s\" is not an option here, so it was read as part of the query; "
		          "write %s:VALUE."),
		        word, field);
		return;
	}
	const char *name = word + strspn(word, "-");
	const char *nearest = word[1] == '-'
	                              ? options_nearest(cli->args->tables, name, strcspn(name, "="))
	                              : NULL;
	if (nearest)
		cli_note(cli,
		        _("\"%s\" is not an option, so it was read as part of the query; did you "
		          "mean --%s?"),
		        word, nearest);
	else
		cli_note(cli, _("\"%s\" is not an option, so it was read as part of the query."),
		        word);
}

void search_note_options(const Cli *cli, unsigned first)
{
	for (unsigned i = first; i < cli->args->before_dashes; i++)
		if (looks_like_option(cli_word(cli, i)) ||
		        (i == first && looks_like_value(cli, cli_word(cli, i))))
			warn_of_option(cli, cli_word(cli, i));
}

static bool restrict_by_options(Cli *cli, Query *query, const QueryOptions *options)
{
	return restrict_by_dirs(cli, query, options) &&
	       restrict_by_option(cli, query, "type", options) &&
	       restrict_by_option(cli, query, "ext", options) &&
	       restrict_by_option(cli, query, "mime", options);
}

/* "-c", but not a line in one argument that begins so: "-c 5". */
static bool is_negation(const char *word)
{
	return word && word[0] == '-' && g_ascii_isalnum(word[1]) && !strpbrk(word, " \t\n");
}

/* "-z apple" and "-- -c" exclude a word; "-- grep -c" is a command to search for. */
static bool begins_with_negation(const Cli *cli)
{
	return is_negation(cli_word(cli, 0)) ||
	       is_negation(cli_word(cli, cli->args->before_dashes));
}

static QueryOptions query_options_of(const Cli *cli, const char *cwd)
{
	return (QueryOptions){
	        .no_program = begins_with_negation(cli),
	        .any = options_has(cli->args, "any"),
	        .exact = options_has(cli->args, "exact"),
	        .filenames = options_has(cli->args, "filename"),
	        .now = g_get_real_time() / G_USEC_PER_SEC,
	        .cwd = cwd,
	};
}

Query *search_query_again(Cli *cli)
{
	g_autofree char *cwd = paths_current_dir();
	SavedSource source = {.cli = cli};
	const QueryOptions options = query_options_of(cli, cwd);
	g_autofree char *text = search_text(cli, 0);
	g_autoptr(Query) query =
	        cli_n_words(cli) > 0 ? parse_or_report(&source, text, &options) : query_all();
	return query && restrict_by_options(cli, query, &options) ? g_steal_pointer(&query) : NULL;
}

Query *search_query(Cli *cli)
{
	bool filters = options_has(cli->args, "dir") || options_has(cli->args, "type") ||
	               options_has(cli->args, "ext") || options_has(cli->args, "mime");
	if (cli_n_words(cli) == 0 && !filters) {
		cli_say(_("the query is missing; see \"tarsier help search\""));
		return NULL;
	}
	search_note_options(cli, 0);
	return search_query_again(cli);
}

Query *search_query_instead(Cli *cli, const char *text)
{
	g_autofree char *cwd = paths_current_dir();
	SavedSource source = {.cli = cli};
	const QueryOptions options = query_options_of(cli, cwd);
	QueryFault fault = {0};
	g_autoptr(Query) query = parse_with(&source, text, &options, &fault, NULL);
	g_free(fault.hint);
	return query && restrict_by_options(cli, query, &options) ? g_steal_pointer(&query) : NULL;
}
