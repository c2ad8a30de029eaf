/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/last-search.h"
#include "ui-cli/print/printer.h"
#include "ui-cli/app/near-print.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/similar-hits.h"
#include "ui-cli/app/target.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

enum { SIMILAR_TERMINAL = 20, SIMILAR_PIPE = 1000, MAX_BITS = 32 };

static const Printer *cmd_similar_choose_printer(const Cli *cli)
{
	if (cli->json)
		return &print_json;
	if (cli->null)
		return &print_null;
	return cli->out.terminal ? &print_terminal : &print_pipe;
}

static const Info *hit_info(const SearchResult *result, guint i)
{
	return &((const Hit *)result->hits->pdata[i])->info;
}

static int64_t inode_of(const SearchResult *result, const char *path)
{
	for (guint i = 0; i < result->hits->len; i++)
		if (strcmp(hit_info(result, i)->path, path) == 0)
			return hit_info(result, i)->inode;
	return 0;
}

static void cmd_similar_print_hits(Cli *cli, const SearchResult *result)
{
	const Printer *printer = cmd_similar_choose_printer(cli);
	g_autoptr(GString) out = g_string_new(NULL);

	if (printer->begin)
		printer->begin(&cli->out, out, result, cli_word(cli, 0), NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		ShownHit shown = {result->hits->pdata[i], i + 1, NULL};
		if (printer->head)
			printer->head(&cli->out, out, &shown);
		printer->hit(&cli->out, out, &shown);
	}
	if (printer->end)
		printer->end(&cli->out, out, result, cli_ms(cli));
	screen_put(&cli->out, out);
	last_search_save(cli->socket_path, cli->cache_dir, NULL, result, NULL, 1);
}

/* For text that is missing or too short for a comparison: the query for files with the same bytes.
 * NULL with error. */
static Query *query_equal(Cli *cli, const char *path, const char *member, GError **error)
{
	g_autoptr(Query) query = query_all();
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	const QueryOptions options = {.cwd = "/"};
	/* A query is UTF-8, which the path need not be. */
	g_autofree char *sum = resolve_files_sum(cli, path, member, error);

	g_ptr_array_add(values, sum);
	return sum && query_restrict(query, "sum", values, &options, error)
	               ? g_steal_pointer(&query)
	               : NULL;
}

/* NULL with error. *why_r: why the file has no fingerprint; the caller frees it. */
static Query *query_for(
        Cli *cli, int bits, char **path_r, char **member_r, char **why_r, GError **error)
{
	g_autoptr(GError) problem = NULL;
	NearPrint print;

	if (near_print_of(cli, cli_word(cli, 0), &print, path_r, member_r, &problem))
		return query_near(&print, bits);
	if (g_error_matches(problem, QUERY_ERROR, 0)) {
		*why_r = g_strdup(problem->message);
		return query_equal(cli, *path_r, *member_r, error);
	}
	g_propagate_error(error, g_steal_pointer(&problem));
	return NULL;
}

/* *bits_r: -1 without the option. False, which is then told, if they are too many. */
static bool cmd_similar_bits(const Cli *cli, int *bits_r)
{
	unsigned bits = options_number(cli->args, "bits", 0);
	bool valid = bits <= MAX_BITS;
	*bits_r = options_has(cli->args, "bits") && valid ? (int)bits : -1;
	if (!valid) {
		g_autofree char *why =
		        g_strdup_printf(_("At most %d of the 64 bits may differ"), MAX_BITS);
		cli_say("--bits: %s", why);
	}
	return valid;
}

int cmd_similar(Cli *cli)
{
	unsigned limit = options_number(
	        cli->args, "limit", cli->out.terminal ? SIMILAR_TERMINAL : SIMILAR_PIPE);
	int bits;
	const SearchOptions options = {
	        .limit = limit + SIMILAR_NAMES, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autofree char *path = NULL, *member = NULL, *why = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = NULL;
	g_autoptr(SearchResult) result = NULL;

	if (!cmd_similar_bits(cli, &bits))
		return EXIT_USAGE;
	if (target_has_no_text(cli, cli_word(cli, 0)))
		return EXIT_NOTHING;
	query = query_for(cli, bits, &path, &member, &why, &error);
	if (!query || !resolve_files(cli, query, &error))
		return cli_fail_file(error);
	result = search_run(cli->reader, query, &options, &error);
	if (!result)
		return cli_fail(error);
	similar_drop_itself(result, inode_of(result, path), member, limit);
	if (!cli->quiet && (result->hits->len > 0 || cli->json))
		cmd_similar_print_hits(cli, result);
	if (why)
		cli_note(cli, _("%s; only equal files are shown."), why);
	if (result->total > 0)
		return EXIT_OK;
	cli_note(cli, _("Nothing in the index is similar to %s."), cli_word(cli, 0));
	return EXIT_NOTHING;
}
