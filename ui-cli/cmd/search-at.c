/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/search-at.h"
#include "common/base/i18n.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/cmd/export/at-hits.h"
#include "ui-cli/cmd/export/at-query.h"
#include "ui-cli/cmd/export/export-config.h"
#include "ui-cli/cmd/export/export-credentials.h"
#include "ui-cli/cmd/export/export-module.h"
#include <string.h>
#include <sys/resource.h>

typedef struct {
	Cli *cli;
	const Printer *printer; /* NULL: no hits are printed */
	SearchOptions options;
	Query *query;
	char *json; /* the query for the target */
	const ExportTargetFunctions *functions;
	ExportTarget *target;
	bool partial; /* a part of the target did not answer */
} SearchAt;

/* ---- options */

static const char *search_at_refusal(const Cli *cli)
{
	static const struct {
		const char *option, *why;
	} refused[] = {
	        {"exec", N_("--exec needs files here, and a target has those of other machines")},
	        {"open", N_("--open needs files here, and a target has those of other machines")},
	        {"passages", N_("a target does not know the passages of its texts")},
	        {"soft", N_("a target does not look for partial matches")},
	        {"meaning", N_("a target does not know what its texts are about")},
	        {"explain", N_("a target does not explain its searches")},
	        {"wait", N_("a target does not tell when it has the changes of a machine; "
	                    "\"tarsier status\" there tells how far an export has come")},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
		if (options_has(cli->args, refused[i].option))
			return _(refused[i].why);
	if (options_choice(cli->args, "dups", 1) == 2)
		return _("a target has no fingerprints, so --dups=only finds nothing there");
	return NULL;
}

static bool search_at_check(const SearchAt *at)
{
	const char *why = search_at_refusal(at->cli);
	if (why)
		cli_say(_("--at: %s"), why);
	else if (at->options.limit > EXPORT_MOST_HITS)
		cli_say(_("--at: a target tells at most %d hits at a time; --offset shows more"),
		        EXPORT_MOST_HITS);
	return !why && at->options.limit <= EXPORT_MOST_HITS;
}

/* ---- the query */

static bool search_at_translate(SearchAt *at)
{
	const AtQueryOptions options = {.sort = at->options.sort,
	        .reverse = at->options.reverse,
	        .places = at->options.dups == DUPS_SHOW,
	        .snippets = at->printer && at->printer->wants_snippets &&
	                    !options_has(at->cli->args, "no-snippets")};
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};
	at->json = at_query_json(at->query, &options, &fault, &error);
	if (!at->json)
		search_show_fault(at->query->text, &fault, error);
	g_free(fault.hint);
	return at->json != NULL;
}

/* ---- the target */

/* A target may send without an end. */
static void search_at_bound_memory(void)
{
	enum { MORE_MIB = 512 };
	g_autofree char *statm = NULL;
	unsigned long data = 0;
	if (!g_file_get_contents("/proc/self/statm", &statm, NULL, NULL) ||
	        sscanf(statm, "%*s %*s %*s %*s %*s %lu", &data) != 1)
		return;
	rlim_t most = (rlim_t)data * getpagesize() + ((rlim_t)MORE_MIB << 20);
	setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
}

static bool search_at_has_documents(const char *name, const char *to, GError **error)
{
	if (strcmp(to, "-") != 0)
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
	        _("the section [export %s] writes to standard output, which cannot be searched"),
	        name);
	return false;
}

static bool search_at_connect(SearchAt *at, const char *name, GError **error)
{
	g_auto(ExportConfig) config = {0};
	ExportCredentials credentials = {0};
	if (!export_config_read(at->cli, name, &config, error) ||
	        !search_at_has_documents(name, config.to, error) ||
	        (config.credentials &&
	                !export_credentials_read(config.credentials, &credentials, error)))
		return false;
	at->functions = export_module_load(config.to, error);
	if (at->functions && !at->functions->search)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("this kind of target is searched with its own queries only: %s"),
		        config.to);
	else if (at->functions)
		at->target = export_module_open(
		        at->functions, config.to, &credentials, EXPORT_TO_SEARCH, error);
	export_credentials_clear(&credentials);
	return at->target != NULL;
}

static bool search_at_ask(SearchAt *at, AtHits *hits, GError **error)
{
	const ExportSearch search = {at->json, at->options.limit, at->options.offset};
	ExportAnswer answer = {0};
	bool ok = at->functions->search(at->target, &search, &answer, at_hits_take, hits, error) &&
	          at_hits_set_total(hits, &answer, at->options.offset, error);
	at->partial = answer.partial;
	g_free(answer.total);
	return ok;
}

/* ---- the answer */

static void search_at_print(const SearchAt *at, const AtHits *hits)
{
	const Screen *screen = &at->cli->out;
	const Printer *printer = at->printer;
	g_autoptr(GString) out = g_string_new(NULL);
	if (printer->begin)
		printer->begin(screen, out, hits->result, at->query->text, at->query->notes);
	for (guint i = 0; i < hits->result->hits->len; i++) {
		const ShownHit shown = {hits->result->hits->pdata[i], at->options.offset + i + 1,
		        hits->snippets->pdata[i], query_count_words(at->query)};
		if (printer->head)
			printer->head(screen, out, &shown);
		printer->hit(screen, out, &shown);
	}
	if (printer->end)
		printer->end(screen, out, hits->result, cli_ms(at->cli));
	screen_put_now(screen, out);
}

static void search_at_print_count(const SearchAt *at, const SearchResult *result)
{
	printf("%lu\n", (unsigned long)result->total);
	if (!result->total_exact && !at->partial)
		cli_note(at->cli, _("This is an upper bound: equal files are counted one by one."));
}

static int search_at_answer(const SearchAt *at, const AtHits *hits)
{
	const SearchResult *result = hits->result;
	unsigned offset = at->options.offset;
	bool found = result->hits->len > 0 || (result->total > offset && at->options.limit == 0);
	if (options_has(at->cli->args, "count") && !at->cli->quiet)
		search_at_print_count(at, result);
	if (at->printer && (found || at->printer->begin))
		search_at_print(at, hits);
	if (!found && offset > 0)
		cli_note(at->cli, _("There are no more hits."));
	else if (!found)
		cli_note(at->cli, _("Nothing found at %s among what you may read there."),
		        options_value(at->cli->args, "at"));
	else if (at->printer)
		cmd_search_note_page(at->cli, result, offset);
	cmd_search_note_reading(at->cli, at->query);
	if (at->partial)
		cli_note(at->cli,
		        _("A part of the target did not answer in time, so hits may be missing."));
	if (at->partial)
		return EXIT_PARTIAL;
	return found ? EXIT_OK : EXIT_NOTHING;
}

static int search_at_run(SearchAt *at)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(AtHits) hits = at_hits_new(at->options.limit);
	if (!search_at_connect(at, options_value(at->cli->args, "at"), &error))
		return export_fail(error);
	search_at_bound_memory();
	confine_client_to_system();
	if (!search_at_ask(at, hits, &error))
		return export_fail(error);
	return search_at_answer(at, hits);
}

int search_at(Cli *cli)
{
	SearchAt at = {.cli = cli,
	        .printer = cmd_search_choose_printer(cli),
	        .options = cmd_search_options(cli)};
	if (!search_at_check(&at))
		return EXIT_USAGE;
	at.query = search_query(cli);
	int code = at.query && search_at_translate(&at) ? search_at_run(&at) : EXIT_USAGE;
	if (at.target)
		at.functions->close(at.target);
	if (at.query)
		query_free(at.query);
	g_free(at.json);
	return code;
}
