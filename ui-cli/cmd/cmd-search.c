/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/search-at.h"
#include "ui-cli/cmd/verbs.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/daemon-absent.h"
#include "ui-cli/app/daemon-wait.h"
#include "ui-cli/app/gaps.h"
#include "ui-cli/app/meaning-notes.h"
#include "ui-cli/app/meaning-search.h"
#include "ui-cli/app/missing-lines.h"
#include "ui-cli/app/open-hit.h"
#include "ui-cli/print/printer.h"
#include "ui-cli/app/passage-hits.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/snippets.h"
#include "ui-cli/app/shell-text.h"
#include "ui-cli/app/soft-search.h"
#include "ui-cli/app/spelling-hint.h"
#include "ui-cli/app/why-not.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <unistd.h>

enum {
	LIMIT_TERMINAL = 20,
	LIMIT_PIPE = 1000,
	COPIES_TERMINAL = 256,
	SNIPPET_BUDGET_MS = 300,
	WAIT_SECONDS = 60,
	VERB_HITS = 10 /* with more, the word was meant */
};

static const DupsMode dups_modes[] = {
        DUPS_SHOW, DUPS_COLLAPSE, DUPS_ONLY}; /* in the order of the option's words */

/* The output format; NULL if no hits are printed. */
const Printer *cmd_search_choose_printer(const Cli *cli)
{
	if (cli->quiet || options_has(cli->args, "count") || options_has(cli->args, "exec") ||
	        options_has(cli->args, "open"))
		return NULL;
	if (cli->json)
		return &print_json;
	if (cli->null)
		return &print_null;
	if (cli->out.terminal && !options_has(cli->args, "paths"))
		return &print_terminal;
	return options_has(cli->args, "passages") ? &print_passages : &print_pipe;
}

/* A broken configuration does not prevent searching. */
static unsigned default_limit(Cli *cli)
{
	if (!cli->out.terminal)
		return LIMIT_PIPE;
	const Settings *settings = cli_settings(cli, NULL);
	return settings ? (unsigned)settings_int(settings, "search", "limit", NULL)
	                : LIMIT_TERMINAL;
}

/* If a hit is printed as a path only, nothing shows its near copies. */
static bool names_near_copies(const Cli *cli)
{
	const Printer *printer = cmd_search_choose_printer(cli);

	if (options_has(cli->args, "count") || cli->quiet)
		return true;
	return !options_has(cli->args, "dups") &&
	       (options_has(cli->args, "exec") || printer == &print_null || printer == &print_pipe);
}

static SearchOptions search_options_of(Cli *cli, unsigned preset)
{
	const Arguments *args = cli->args;
	SearchOptions options = {
	        .limit = options_number(args, "limit", 0),
	        .offset = options_number(args, "offset", 0),
	        .sort = options_choice(args, "sort", SORT_RELEVANCE),
	        .reverse = options_has(args, "reverse"),
	        .dups = dups_modes[options_choice(args, "dups", 1)],
	        .near_separate = names_near_copies(cli),
	        .count = options_has(args, "count"),
	        .copies = cli->out.terminal && !cli->json ? COPIES_TERMINAL : 0,
	        .no_meaning = cli_leaves_out_meaning(cli),
	        .uid = geteuid(),
	};

	if (!options_has(args, "limit"))
		options.limit = preset;
	if (options.count && !options_has(args, "exec") && !options_has(args, "soft"))
		options.limit = 0;
	if (cli->quiet && !options_has(args, "exec"))
		options.limit = 1;
	options.any = cli->quiet && options.limit == 1 && options.offset == 0;
	if (options_has(args, "open"))
		options.limit = MAX(options_number(args, "open", 1), 1);
	return options;
}

/* --long changes the form of the hits; their number stays that of a pipe. */
SearchOptions cmd_search_options(Cli *cli)
{
	unsigned limit = default_limit(cli);
	if (options_has(cli->args, "long"))
		screen_set_long(&cli->out);
	return search_options_of(cli, limit);
}

static void note_lines(Cli *cli, const char *head, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	cli_note(cli, "%s", head);
	for (char **line = lines; *line; line++) {
		if (**line)
			cli_note(cli, "  %s", *line);
	}
}

/* The plan must come first, because it finds the word forms that the reading shows. */
static void cmd_search_explain(Cli *cli, Query *query, const SearchOptions *options)
{
	g_autofree char *plan = search_explain(cli->reader, query, options, NULL);
	if (!plan)
		query_drop_forms(query);
	g_autofree char *reading = query_explain(query);
	g_autofree char *normal = query_normal(query);

	note_lines(cli, _("Understood as:"), reading);
	note_lines(cli, _("Normal form:"), normal);
	note_lines(cli, _("Database query:"), plan ? plan : "");
	query_drop_forms(query);
}

/* Conversions begin before anything is printed, and go on while the first hits are. Passages are
 * snippets already. */
static Snippets *start_snippets(
        Cli *cli, const Printer *printer, const SearchResult *result, const Query *query)
{
	const SnippetLimits limits = {printer == &print_json ? 3 : 1, 240, SNIPPET_BUDGET_MS};
	bool wanted = printer->wants_snippets && !options_has(cli->args, "no-snippets") &&
	              !options_has(cli->args, "passages");
	return wanted ? snippets_new(cli, result, query, &limits) : NULL;
}

/* The facts of a hit are shown before its snippets, which may take time. */
static void stream_hit(const Cli *cli, const Printer *printer, GString *out, ShownHit *shown,
        Snippets *snippets, guint hit)
{
	if (printer->head) {
		printer->head(&cli->out, out, shown);
		screen_put_now(&cli->out, out);
	}
	if (snippets)
		shown->snippets = snippets_of(snippets, hit);
	printer->hit(&cli->out, out, shown);
	if (cli->out.terminal || snippets)
		screen_put_now(&cli->out, out);
}

/* Looks for a correction of a query that finds nothing or little, once the hits are shown. */
static void cmd_search_correct(
        Cli *cli, SearchResult *result, const Query *query, const SearchOptions *options)
{
	bool first = options->offset == 0 && !cli->quiet;
	bool listed = cmd_search_choose_printer(cli) != NULL || result->total == 0;
	if (!first || !listed)
		return;
	if (cli->json)
		result->other_suggestions = g_ptr_array_new_with_free_func(g_free);
	result->suggestion = spelling_hint(cli, query, options,
	        result->total - result->partial - result->by_meaning, result->other_suggestions);
}

/* found: the snippets of the hits if they are passages, else NULL. places: gets the ViewerPlace of
 * each hit. */
static void cmd_search_print_hits(Cli *cli, const Printer *printer, SearchResult *result,
        const Query *query, const SearchOptions *options, const GPtrArray *found, GArray *places)
{
	g_autoptr(Snippets) snippets = start_snippets(cli, printer, result, query);
	g_autoptr(GString) out = g_string_new(NULL);

	if (printer->begin) {
		printer->begin(&cli->out, out, result, query->text, query->notes);
		screen_put_now(&cli->out, out);
	}
	for (guint i = 0; i < result->hits->len; i++) {
		ShownHit shown = {result->hits->pdata[i], options->offset + i + 1,
		        found ? found->pdata[i] : NULL, query_count_words(query)};
		stream_hit(cli, printer, out, &shown, snippets, i);
		ViewerPlace place = open_hit_place(shown.snippets);
		g_array_append_val(places, place);
	}
	cmd_search_correct(cli, result, query, options);
	if (printer->end)
		printer->end(&cli->out, out, result, cli_ms(cli));
	screen_put(&cli->out, out);
}

static int run_commands(const Cli *cli, const SearchResult *result)
{
	int code = EXIT_OK;

	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_autoptr(GError) error = NULL;
		if (starter_run(cli->starter, hit->info.path, &error))
			continue;
		code = EXIT_PARTIAL;
		if (error) {
			cli_say("%s", error->message);
			return code;
		}
	}
	return code;
}

/* Where the words are in a hit, as far as that is known soon. */
static ViewerPlace cmd_search_place(Cli *cli, Hit *hit, const Query *query)
{
	const SnippetLimits limits = {1, 240, SNIPPET_BUDGET_MS};
	g_autoptr(GPtrArray) hits = g_ptr_array_new();
	const SearchResult one = {.hits = hits};
	g_ptr_array_add(hits, hit);
	g_autoptr(Snippets) snippets = snippets_new(cli, &one, query, &limits);
	return open_hit_place(snippets_of(snippets, 0));
}

static int cmd_search_open(Cli *cli, const SearchResult *result, const Query *query)
{
	unsigned n = options_number(cli->args, "open", 1);
	g_autoptr(GError) error = NULL;

	if (n > result->hits->len) {
		cli_say(ngettext("there is %u hit", "there are %u hits", result->hits->len),
		        result->hits->len);
		return EXIT_USAGE;
	}
	Hit *hit = result->hits->pdata[n - 1];
	LastHit chosen = {hit->info.path, hit->info.member, hit->info.mime,
	        cmd_search_place(cli, hit, query)};
	g_autofree char *key = choices_key(query->text);
	if (open_hit(cli, &chosen, &error)) {
		choices_note(cli, key, chosen.path, chosen.member);
		return EXIT_OK;
	}
	cli_say("%s", error->message);
	return EXIT_PARTIAL;
}

/* Tells how complete the answer is, unless it is complete. */
static void note_gaps(const Cli *cli, const SearchResult *result)
{
	g_autofree char *gaps = gaps_text(result);
	if (gaps)
		cli_note(cli, "%s", gaps);
}

/* Tells what of the query was left out or read otherwise. */
void cmd_search_note_reading(const Cli *cli, const Query *query)
{
	for (char **note = query->notes; note && *note; note++)
		cli_note(cli, "%s.", *note);
}

void cmd_search_note_page(const Cli *cli, const SearchResult *result, unsigned offset)
{
	unsigned first = offset + 1, last = offset + result->hits->len;
	unsigned long total = result->total;
	bool exact = result->total_exact;
	bool cut = total > last && !cli->out.terminal && !cli->json &&
	           !options_has(cli->args, "limit") && !options_has(cli->args, "open");
	if (cut && !cli->verbose)
		cli_note(cli, _("There are more hits; a larger -n shows them."));
	if (last < first || (!cli->verbose && !(cli->out.terminal && total > result->hits->len)))
		return;
	if (first == last)
		cli_note(cli, exact ? _("%u of %lu, %.0f ms") : _("%u of at most %lu, %.0f ms"),
		        first, total, cli_ms(cli));
	else
		cli_note(cli,
		        exact ? _("%u–%u of %lu, %.0f ms") : _("%u–%u of at most %lu, %.0f ms"),
		        first, last, total, cli_ms(cli));
}

static void note_suggestion(const Cli *cli, const SearchResult *result)
{
	if (!result->suggestion)
		return;
	g_autofree char *line = spelling_hint_line(result->suggestion, true);
	cli_note(cli, "%s", line);
}

/* Would --soft find something? It takes no other order. */
static bool cmd_search_has_partial(Cli *cli, const Query *query)
{
	const SearchOptions options = {.limit = 1, .any = true, .uid = geteuid()};
	bool ordered = options_choice(cli->args, "sort", SORT_RELEVANCE) != SORT_RELEVANCE;
	g_autoptr(Query) soft = ordered ? NULL : query_soften(query);
	g_autoptr(SearchResult) result =
	        soft ? search_run(cli->reader, soft, &options, NULL) : NULL;
	return result && result->total > 0;
}

/* Names words that nothing contains, and other parts of the query that match nothing. */
static void note_missing(Cli *cli, const Query *query, const SearchResult *result)
{
	g_autoptr(GPtrArray) missing = NULL;

	/* The suggestion has the better words. */
	unsigned nearest = result->suggestion ? 0 : MISSING_NEAREST;
	if (!reader_missing(cli->reader, query, nearest, &missing, NULL))
		return;
	g_autoptr(GPtrArray) lines = missing_lines(missing);
	for (guint i = 0; i < lines->len; i++)
		cli_note(cli, "%s", (const char *)lines->pdata[i]);
	if (result->suggestion)
		return;
	bool partial = cmd_search_has_partial(cli, query);
	if (missing->len > 0 && partial)
		cli_note(cli, _("--soft shows what has the other words."));
	else if (partial)
		cli_note(cli, _("Each word occurs, but no document has all of them; --soft shows "
		                "the best partial matches."));
	else if (missing->len == 0 && query->root->op == QUERY_AND)
		cli_note(cli,
		        _("Each part of the query has matches, but nothing matches all of it."));
}

/* "milk or eggs" asks for the word "or". */
static void note_small_operators(const Cli *cli, const Query *query)
{
	g_autofree char *meant = query_with_operators(query);
	if (meant)
		cli_note(
		        cli, _("The operators are AND, OR and NOT; to use them, write: %s"), meant);
}

/* The minus of a pasted text may not be meant to exclude. */
static void note_excluded(const Cli *cli, const Query *query)
{
	g_autofree char *excluded = query_excluded(query);
	if (excluded)
		cli_note(cli, _("The query excludes: %s. A text with a minus needs quotes."),
		        excluded);
}

static bool note_dir(Cli *cli, const char *dir, bool found)
{
	if (why_not_note_missing(cli, dir))
		return true;
	bool other = g_file_test(dir, G_FILE_TEST_EXISTS) && !g_file_test(dir, G_FILE_TEST_IS_DIR);
	if (other)
		cli_note(cli, _("%s is not a directory."), dir);
	return other || (!found && why_not_note_empty(cli, dir));
}

/* Names the directories of --dir that are not there and, if nothing was found, those that are kept
 * out. */
static bool note_dirs(Cli *cli, bool found)
{
	g_autoptr(GPtrArray) dirs = options_values(cli->args, "dir");
	bool noted = false;
	for (guint i = 0; i < dirs->len; i++) {
		g_autofree char *dir = cli_absolute(dirs->pdata[i]);
		noted |= note_dir(cli, dir, found);
	}
	return noted;
}

static void note_nothing(Cli *cli, const Query *query, const SearchResult *result, unsigned offset)
{
	g_autoptr(GPtrArray) roots = NULL;
	g_autoptr(GString) list = g_string_new(NULL);
	const Settings *settings = cli_settings(cli, NULL);

	if (offset > 0) {
		cli_note(cli, _("There are no more hits."));
		return;
	}
	reader_root_paths(cli->reader, &roots, NULL);
	for (guint i = 0; roots && i < roots->len; i++)
		g_string_append_printf(
		        list, "%s%s", i > 0 ? ", " : "", (const char *)roots->pdata[i]);
	if (list->len > 0)
		cli_note(cli, _("Nothing found in %s."), list->str);
	else if (settings && settings_has_any(settings))
		cli_note(
		        cli, _("Nothing found: the index is still empty, see \"tarsier status\"."));
	else
		cli_note(cli,
		        _("Nothing found: no directory is watched, see \"tarsier help add\"."));
	note_excluded(cli, query);
	note_small_operators(cli, query);
	if (cli->quiet)
		return;
	note_missing(cli, query, result);
	daemon_absent_note(cli);
}

static void cmd_search_print_count(const Cli *cli, const SearchResult *result)
{
	printf("%lu\n", (unsigned long)result->total);
	if (!result->total_exact)
		cli_note(cli,
		        _("This is an upper bound: not all hits were checked for permission to "
		          "read."));
}

/* Without one, what was saved before is right. */
static bool cmd_search_has_place(const GArray *places)
{
	for (guint i = 0; i < places->len; i++) {
		const ViewerPlace *place = &g_array_index(places, ViewerPlace, i);
		if (place->page != 0 || place->line != 0)
			return true;
	}
	return false;
}

/* The words after the first one, up to an option that it would have. */
static unsigned count_arguments(const Cli *cli)
{
	unsigned n = 1;
	while (n < cli_n_words(cli) && cli_word(cli, n)[0] != '-')
		n++;
	return n - 1;
}

/* The verb that the first word of a search may stand for, or NULL. found: the search has hits, so
 * that only a verb by itself, with one mistake, is likely. */
static const Verb *misspelt_verb(const Cli *cli, bool found)
{
	unsigned n = cli_n_words(cli);
	if (!cli->args->without_verb || cli->args->before_dashes == 0 || (found && n > 1))
		return NULL;
	const Verb *verb = verb_suggest(cli_word(cli, 0), n > 1 || found);
	if (!verb || (found && verb->min_words > 0))
		return NULL;
	return count_arguments(cli) <= verb->max_words ? verb : NULL;
}

/* Tells what was done instead of running the verb, and how it is run. */
static void note_verb(const Cli *cli, bool found)
{
	const Verb *verb = misspelt_verb(cli, found);
	if (!verb)
		return;
	g_autoptr(GString) command = g_string_new(verb->name);
	for (unsigned i = 1; i < cli_n_words(cli); i++) {
		g_autofree char *word = shell_word(cli_word(cli, i));
		g_string_append_printf(command, " %s", word);
	}
	if (cli_n_words(cli) <= verb->min_words)
		g_string_append_printf(command, " %s", _(verb->arguments));
	cli_note(cli,
	        _("\"%s\" is not a verb, so it was read as a search; to run the verb, write: "
	          "tarsier %s"),
	        cli_word(cli, 0), command->str);
}

/* snippets: as found of cmd_search_print_hits(). */
static int cmd_search_answer(Cli *cli, SearchResult *result, const Query *query,
        const SearchOptions *options, const GPtrArray *snippets)
{
	unsigned limit = options->limit, offset = options->offset;
	const Printer *printer = cmd_search_choose_printer(cli);
	/* A search for zero hits still tells by its exit code whether there are any. */
	bool found = result->hits->len > 0 || (result->total > offset && limit == 0);
	int code = found ? EXIT_OK : EXIT_NOTHING;

	if (options_has(cli->args, "count") && !cli->quiet)
		cmd_search_print_count(cli, result);
	bool printed = printer && (found || printer->begin);
	g_autofree char *key = choices_key(query->text);
	if (printer) /* first without places: an interrupt may come while they are found */
		last_search_save(cli->socket_path, cli->cache_dir, key, result, NULL, offset + 1);
	if (printed) {
		g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ViewerPlace));
		cmd_search_print_hits(cli, printer, result, query, options, snippets, places);
		if (cmd_search_has_place(places))
			last_search_save(
			        cli->socket_path, cli->cache_dir, key, result, places, offset + 1);
	}
	if (found && options_has(cli->args, "exec"))
		code = run_commands(cli, result);
	if (found && options_has(cli->args, "open"))
		code = cmd_search_open(cli, result, query);
	if (!printed)
		cmd_search_correct(cli, result, query, options);
	bool outside = note_dirs(cli, found);
	if (!found && !outside && (result->documents == 0 || offset > 0)) {
		note_nothing(cli, query, result, offset);
	} else if (found && (printer || options_has(cli->args, "exec"))) {
		cmd_search_note_page(cli, result, offset);
	}
	if (options_has(cli->args, "explain") && !options_has(cli->args, "passages"))
		meaning_notes_explain(cli, result, offset);
	note_suggestion(cli, result);
	cmd_search_note_reading(cli, query);
	note_gaps(cli, result);
	if (found && result->total <= VERB_HITS)
		note_verb(cli, true);
	return code;
}

/* Partial matches have an order of their own. */
static bool check_soft(const Cli *cli)
{
	bool other = options_choice(cli->args, "sort", SORT_RELEVANCE) != SORT_RELEVANCE ||
	             options_has(cli->args, "reverse");
	if (options_has(cli->args, "soft") && other)
		cli_say(_("--soft requires the order by relevance"));
	return !options_has(cli->args, "soft") || !other;
}

/* Passages have an order, and hits, of their own. */
static bool check_passages(const Cli *cli)
{
	bool relevance = !options_has(cli->args, "passages") ||
	                 options_choice(cli->args, "sort", SORT_RELEVANCE) == SORT_RELEVANCE;
	if (!relevance)
		cli_say(_("--passages requires the order by relevance"));
	return relevance;
}

static bool check_open(const Cli *cli)
{
	bool none = options_has(cli->args, "open") && options_number(cli->args, "open", 1) == 0;
	if (none)
		cli_say(_("hits are counted from 1"));
	return !none;
}

static bool starts_programs(const Cli *cli)
{
	return options_has(cli->args, "exec") || options_has(cli->args, "open");
}

/* The options of the search itself: passages are those of the best documents, whatever the page. */
static SearchOptions cmd_search_wanted(const Cli *cli, const SearchOptions *options)
{
	SearchOptions wanted = *options;
	if (!options_has(cli->args, "passages"))
		return wanted;
	wanted.limit = PASSAGES_DOCUMENTS;
	wanted.offset = 0;
	wanted.near_separate = false;
	return wanted;
}

static int cmd_search_answer_passages(
        Cli *cli, SearchResult *documents, const Query *query, const SearchOptions *options)
{
	g_autoptr(PassageHits) passages =
	        passage_hits_new(cli, documents, query, options->limit, options->offset);
	int code = cmd_search_answer(cli, &passages->result, query, options, passages->snippets);
	passage_hits_note(cli, passages);
	return code;
}

static int search_and_answer(Cli *cli)
{
	SearchOptions options = cmd_search_options(cli);
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = search_query(cli);
	g_autoptr(GArray) choices = query ? choices_for(cli, query->text) : NULL;
	g_autoptr(SearchResult) result = NULL;

	options.choices = choices;
	if (!query || !check_soft(cli) || !check_open(cli) || !check_passages(cli) ||
	        !meaning_search_fits(cli))
		return EXIT_USAGE;
	int code = options_has(cli->args, "wait") ? daemon_wait(cli, WAIT_SECONDS) : EXIT_OK;
	if (code != EXIT_OK)
		return code;
	if (starts_programs(cli) && !cli_start_starter(cli, &error))
		return cli_fail(error);
	if (!cli->quiet) /* daemon_absent_note() tells it */
		cli_daemon(cli, NULL);
	confine_client(cli, query_names_files(query));
	if (!cli_reader(cli, &error))
		return cli_fail(error);
	if (!resolve_files(cli, query, &error))
		return search_fail_file(query, error);
	if (options_has(cli->args, "explain"))
		cmd_search_explain(cli, query, &options);
	SearchOptions wanted = cmd_search_wanted(cli, &options);
	result = search_run(cli->reader, query, &wanted, &error);
	if (!result || !soft_search(cli, query, &wanted, result, &error) ||
	        !meaning_search(cli, query, &options, result, &error))
		return cli_fail(error);
	if (options_has(cli->args, "passages"))
		return cmd_search_answer_passages(cli, result, query, &options);
	return cmd_search_answer(cli, result, query, &options, NULL);
}

int cmd_search(Cli *cli)
{
	if (options_has(cli->args, "at"))
		return search_at(cli);
	int code = search_and_answer(cli);
	if (code == EXIT_NOTHING || code == EXIT_USAGE || code == EXIT_ABSENT)
		note_verb(cli, false);
	return code;
}
