/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "library/tarsier.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "ui-cli/app/cli.h"
#include "ui-cli/app/live.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/snippets.h"
#include "ui-cli/app/spelling-hint.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/printer.h"
#include <string.h>
#include <unistd.h>

enum { LIBRARY_MOST = 1000000, PASSAGES = 3, PASSAGE_CHARS = 240, PASSAGES_MS = 300 };

struct tarsier {
	char *directory; /* NULL: the user's own */
	Cli *cli;
	char *error; /* of the last call; NULL: none */
	Query *query;
	SearchResult *result;
	SearchOptions options; /* of result */
	char *suggestion;
	bool suggested; /* suggestion was looked for */
	guint at; /* the number of the current hit, from 1; 0: before the first */
	Snippets *snippets; /* of all hits; NULL: none was asked for */
	GHashTable *fields; /* of the current hit: name -> text */
};

/* ---- the handle */

static const Option library_options[] = {
        {0, "index", OPTION_TEXT, "DIR", NULL},
        OPTION_END,
};

static Cli *library_cli(const char *directory)
{
	static const Option *const tables[] = {library_options, NULL};
	static char *const none[] = {NULL};
	char *const arguments[] = {(char *)"--index", (char *)directory, NULL};
	Cli *cli = cli_new(options_parse(directory ? arguments : none, tables, false, NULL));
	cli->quiet = true;
	return cli;
}

static void library_forget_hit(tarsier *index)
{
	g_hash_table_remove_all(index->fields);
}

/* Snippets borrow what they are made for. */
static void library_forget(tarsier *index)
{
	library_forget_hit(index);
	g_clear_pointer(&index->snippets, snippets_free);
	g_clear_pointer(&index->result, search_result_free);
	g_clear_pointer(&index->query, query_free);
	g_clear_pointer(&index->suggestion, g_free);
	g_clear_pointer(&index->error, g_free);
	index->suggested = false;
	index->at = 0;
}

static int library_code_of(const GError *error)
{
	if (error->domain != INDEX_ERROR)
		return TARSIER_QUERY;
	switch ((IndexError)error->code) {
	case INDEX_ERROR_NONE_YET:
		return TARSIER_ABSENT;
	case INDEX_ERROR_BUSY:
	case INDEX_ERROR_LOCKED:
		return TARSIER_BUSY;
	default:
		return TARSIER_DAMAGED;
	}
}

static int library_fail(tarsier *index, const GError *error)
{
	g_free(index->error);
	index->error = cli_error_text(error);
	return library_code_of(error);
}

int tarsier_open(const char *directory, tarsier **index_r)
{
	g_autoptr(GError) error = NULL;
	tarsier *index = g_new0(tarsier, 1);
	i18n_bind();
	index->directory = g_strdup(directory);
	index->cli = library_cli(index->directory);
	index->fields = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	*index_r = index;
	return cli_fresh_reader(index->cli, &error) ? TARSIER_OK : library_fail(index, error);
}

void tarsier_close(tarsier *index)
{
	if (!index)
		return;
	library_forget(index);
	g_hash_table_unref(index->fields);
	cli_free(index->cli);
	g_free(index->directory);
	g_free(index);
}

const char *tarsier_error(const tarsier *index)
{
	return index->error ? index->error : "";
}

const char *tarsier_version(void)
{
	return PACKAGE_VERSION;
}

/* ---- the query */

/* Takes over what a query that is being typed has found; nothing for a blank one. */
static int library_search_typed(tarsier *index, const char *text)
{
	guint first = index->options.offset;
	Live live = {.hits_only = true};
	live_search(&live, index->cli, text, first + index->options.limit);
	index->query = g_steal_pointer(&live.query);
	index->result = g_steal_pointer(&live.result);
	index->error = g_steal_pointer(&live.fault);
	live_clear(&live);
	if (index->result)
		g_ptr_array_remove_range(
		        index->result->hits, 0, MIN(first, index->result->hits->len));
	return index->error ? TARSIER_QUERY : TARSIER_OK;
}

static bool library_search(tarsier *index, const char *text, GError **error)
{
	const QueryOptions as_is = {0};
	QueryFault fault = {0};
	index->query = search_parse(index->cli, text, &as_is, &fault, error);
	g_free(fault.hint);
	if (index->query && resolve_files(index->cli, index->query, error))
		index->result =
		        search_run(index->cli->reader, index->query, &index->options, error);
	return index->result != NULL;
}

int tarsier_query(tarsier *index, const char *query, unsigned flags, unsigned first, unsigned count)
{
	g_autoptr(GError) error = NULL;
	library_forget(index);
	if (!cli_fresh_reader(index->cli, &error))
		return library_fail(index, error);
	index->options = (SearchOptions){.limit = MIN(count, LIBRARY_MOST),
	        .offset = MIN(first, LIBRARY_MOST),
	        .no_meaning = cli_leaves_out_meaning(index->cli),
	        .uid = geteuid()};
	if (flags & TARSIER_TYPED)
		return library_search_typed(index, query);
	return library_search(index, query, &error) ? TARSIER_OK : library_fail(index, error);
}

uint64_t tarsier_total(const tarsier *index, int *exact_r)
{
	if (exact_r)
		*exact_r = !index->result || index->result->total_exact;
	return index->result ? index->result->total : 0;
}

const char *tarsier_note(const tarsier *index, unsigned number)
{
	char **notes = index->query ? index->query->notes : NULL;
	return notes && number < g_strv_length(notes) ? notes[number] : NULL;
}

const char *tarsier_suggestion(tarsier *index)
{
	if (index->suggested || !index->result)
		return index->suggestion;
	index->suggested = true;
	index->suggestion = spelling_hint(
	        index->cli, index->query, &index->options, index->result->total, NULL);
	return index->suggestion;
}

/* ---- hits */

static guint library_n_hits(const tarsier *index)
{
	return index->result ? index->result->hits->len : 0;
}

/* NULL: there is no current one. */
static const Hit *library_hit(const tarsier *index)
{
	bool any = index->at > 0 && index->at <= library_n_hits(index);
	return any ? index->result->hits->pdata[index->at - 1] : NULL;
}

int tarsier_next(tarsier *index)
{
	library_forget_hit(index);
	if (index->at <= library_n_hits(index))
		index->at++;
	return library_hit(index) ? TARSIER_OK : TARSIER_END;
}

/* ---- its fields */

static char *field_number(int64_t number)
{
	return g_strdup_printf("%" G_GINT64_FORMAT, number);
}

static char *field_path(const Hit *hit)
{
	return g_strdup(hit->info.path);
}

static char *field_member(const Hit *hit)
{
	return g_strdup(hit->info.member);
}

static char *field_uri(const Hit *hit)
{
	return path_is_web(hit->info.path) ? text_to_utf8(hit->info.path, -1)
	                                   : g_filename_to_uri(hit->info.path, NULL, NULL);
}

static char *field_source(const Hit *hit)
{
	return g_strdup(entry_source_name(hit->info.source));
}

static char *field_utf8(const char *text)
{
	return text ? text_to_utf8(text, -1) : NULL;
}

static char *field_title(const Hit *hit)
{
	return field_utf8(hit->info.title);
}

static char *field_author(const Hit *hit)
{
	return field_utf8(hit->info.author);
}

static char *field_mime(const Hit *hit)
{
	return field_utf8(hit->info.mime);
}

static char *field_kind(const Hit *hit)
{
	return g_strdup(entry_type(&hit->info));
}

static char *field_lang(const Hit *hit)
{
	return field_utf8(hit->info.lang);
}

static char *field_size(const Hit *hit)
{
	int64_t size = info_size(&hit->info);
	return size >= 0 ? field_number(size) : NULL;
}

static char *field_mtime(const Hit *hit)
{
	return field_number(info_mtime(&hit->info));
}

static char *field_date(const Hit *hit)
{
	return hit->info.date != 0 ? field_number(hit->info.date) : NULL;
}

static char *field_checksum(const Hit *hit)
{
	GString *hex = hit->info.has_checksum ? g_string_new(NULL) : NULL;
	for (unsigned i = 0; hex && i < CHECKSUM_BYTES; i++)
		g_string_append_printf(hex, "%02x", hit->info.checksum[i]);
	return hex ? g_string_free(hex, FALSE) : NULL;
}

static char *field_id(const Hit *hit)
{
	return field_number(hit->info.document);
}

static char *field_score(const Hit *hit)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	return g_strdup(g_ascii_dtostr(number, sizeof number, hit->score));
}

static char *field_state(const Hit *hit)
{
	return g_strdup(info_state_name(&hit->info));
}

static const struct {
	const char *name;
	char *(*text)(const Hit *hit); /* the caller frees it; NULL: the hit has none */
} library_fields[] = {
        {"path", field_path},
        {"member", field_member},
        {"uri", field_uri},
        {"source", field_source},
        {"title", field_title},
        {"author", field_author},
        {"mime", field_mime},
        {"kind", field_kind},
        {"lang", field_lang},
        {"size", field_size},
        {"mtime", field_mtime},
        {"date", field_date},
        {"checksum", field_checksum},
        {"id", field_id},
        {"score", field_score},
        {"state", field_state},
};

/* The text is kept, so that a field that was asked for before stays valid. */
static const char *library_keep_field(tarsier *index, guint field)
{
	const char *name = library_fields[field].name;
	if (!g_hash_table_contains(index->fields, name))
		g_hash_table_insert(index->fields, (char *)name,
		        library_fields[field].text(library_hit(index)));
	return g_hash_table_lookup(index->fields, name);
}

const char *tarsier_field(tarsier *index, const char *name)
{
	for (guint i = 0; library_hit(index) && i < G_N_ELEMENTS(library_fields); i++)
		if (strcmp(library_fields[i].name, name) == 0)
			return library_keep_field(index, i);
	return NULL;
}

const char *tarsier_copy(const tarsier *index, unsigned number)
{
	const Hit *hit = library_hit(index);
	return hit && number < hit->copies->len ? hit->copies->pdata[number] : NULL;
}

/* ---- its passages */

static const Snippet *library_snippet(tarsier *index, unsigned number)
{
	const SnippetLimits limits = {PASSAGES, PASSAGE_CHARS, PASSAGES_MS};
	if (!library_hit(index))
		return NULL;
	if (!index->snippets)
		index->snippets = snippets_new(index->cli, index->result, index->query, &limits);
	const GPtrArray *found = snippets_of(index->snippets, index->at - 1);
	return found && number < found->len ? found->pdata[number] : NULL;
}

const char *tarsier_snippet(tarsier *index, unsigned number)
{
	const Snippet *snippet = library_snippet(index, number);
	return snippet ? snippet->text : NULL;
}

const uint32_t *tarsier_snippet_marks(tarsier *index, unsigned number, size_t *count_r)
{
	const Snippet *snippet = library_snippet(index, number);
	*count_r = snippet ? snippet->marks->len / 2 : 0;
	return *count_r > 0 ? (const uint32_t *)(void *)snippet->marks->data : NULL;
}

unsigned tarsier_snippet_page(tarsier *index, unsigned number)
{
	const Snippet *snippet = library_snippet(index, number);
	return snippet ? snippet->page : 0;
}
