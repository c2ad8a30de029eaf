/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-facets.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/printer.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-link.h"
#include "ui-web/browse-timeline.h"
#include <string.h>
#include <unistd.h>

enum { VALUES = 10 }; /* of a facet that are shown */

typedef enum {
	FACET_TYPE,
	FACET_YEAR,
	FACET_PLACE,
	FACET_LANG,
	FACET_OWNER,
	FACET_SOURCE
} FacetKind;
enum { N_FACETS = FACET_SOURCE + 1 };

typedef struct {
	const char *label; /* untranslated */
	const char *field; /* of the query language; NULL: the place */
} Facet;

static const Facet facets[N_FACETS] = {
        [FACET_TYPE] = {N_("Type"), "type"},
        [FACET_YEAR] = {N_("Year"), "date"},
        [FACET_PLACE] = {N_("Place"), NULL},
        [FACET_LANG] = {N_("Language"), "lang"},
        [FACET_OWNER] = {N_("Owner"), "owner"},
        [FACET_SOURCE] = {N_("Source"), "source"},
};

/* ---- values */

static char *facet_year(const Info *info)
{
	g_autoptr(GDateTime) time =
	        g_date_time_new_from_unix_local(info->date ? info->date : info_mtime(info));
	return time ? g_strdup_printf("%d", g_date_time_get_year(time)) : NULL;
}

/* The root, if there are several and no scope; else the directory right below that holds the
 * entry. */
static char *facet_place(const Info *info, const BrowseSearch *search, const GPtrArray *roots)
{
	const char *top = search->scope;
	for (guint i = 0; !top && roots && i < roots->len; i++)
		if (paths_is_below(info->path, roots->pdata[i]))
			top = roots->pdata[i];
	if (!top || path_is_web(info->path) || !paths_is_below(info->path, top))
		return NULL;
	if (!search->scope && roots->len > 1)
		return g_strdup(top);
	const char *rest = info->path + strlen(top) + strspn(info->path + strlen(top), "/");
	const char *slash = strchr(rest, '/');
	return slash ? g_strndup(info->path, slash - info->path) : NULL;
}

/* As facet_place(); NULL also if it cannot be typed into the field of the page. */
static char *facet_typed_place(const Info *info, const BrowseSearch *search, const GPtrArray *roots)
{
	g_autofree char *place = facet_place(info, search, roots);
	return place && html_is_exact(place) ? g_steal_pointer(&place) : NULL;
}

/* The value of a facet in a hit; NULL: none. The caller frees it. */
static char *facet_value(
        const Info *info, FacetKind kind, const BrowseSearch *search, const GPtrArray *roots)
{
	switch (kind) {
	case FACET_TYPE:
		return g_strdup(entry_type(info));
	case FACET_YEAR:
		return facet_year(info);
	case FACET_PLACE:
		return facet_typed_place(info, search, roots);
	case FACET_LANG:
		return g_strdup(info->lang && *info->lang ? info->lang : NULL);
	case FACET_OWNER:
		return g_strdup_printf("%u", info->stat.uid);
	default:
		return g_strdup(entry_source_name(info->source));
	}
}

typedef struct {
	const char *value; /* borrowed from the table */
	unsigned count;
} FacetCount;

static int facet_compare(const void *a, const void *b)
{
	const FacetCount *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->value, y->value);
}

/* The most frequent values first. The array borrows from the table, which counts. */
static GArray *facet_counts(GHashTable *table)
{
	GArray *counts = g_array_new(FALSE, FALSE, sizeof(FacetCount));
	GHashTableIter each;
	gpointer value, count;
	g_hash_table_iter_init(&each, table);
	while (g_hash_table_iter_next(&each, &value, &count)) {
		FacetCount one = {value, GPOINTER_TO_UINT(count)};
		g_array_append_val(counts, one);
	}
	g_array_sort(counts, facet_compare);
	return counts;
}

static GHashTable *facet_table(const SearchResult *result, FacetKind kind,
        const BrowseSearch *search, const GPtrArray *roots)
{
	GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_autofree char *value = facet_value(&hit->info, kind, search, roots);
		if (!value)
			continue;
		unsigned count = GPOINTER_TO_UINT(g_hash_table_lookup(table, value)) + 1;
		g_hash_table_insert(table, g_steal_pointer(&value), GUINT_TO_POINTER(count));
	}
	return table;
}

/* ---- links */

static void facet_append_link(
        GString *out, const BrowseSearch *search, const Facet *facet, const char *value)
{
	BrowseSearch narrowed = *search;
	if (facet->field) {
		browse_link_append_within(out, search, facet->field, value);
		return;
	}
	narrowed.place = value;
	g_string_append_c(out, '/');
	browse_link_append(out, &narrowed, NULL);
}

static void facet_append_value(
        GString *out, const BrowseSearch *search, const Facet *facet, const FacetCount *count)
{
	g_string_append(out, "<li><a href=\"");
	facet_append_link(out, search, facet, count->value);
	g_string_append(out, "\">");
	if (facet->field) {
		html_name(out, count->value);
	} else {
		g_autofree char *name = g_path_get_basename(count->value);
		html_name(out, name);
	}
	g_string_append_printf(out, "</a> <span>%u</span></li>", count->count);
}

/* A single value narrows nothing down. */
static void facet_append(GString *out, const SearchResult *result, FacetKind kind,
        const BrowseSearch *search, const GPtrArray *roots)
{
	const Facet *facet = &facets[kind];
	g_autoptr(GHashTable) table = facet_table(result, kind, search, roots);
	g_autoptr(GArray) counts = facet_counts(table);
	if (counts->len == 0 || g_array_index(counts, FacetCount, 0).count == result->hits->len)
		return;
	g_string_append(out, "<div><h3>");
	html_text(out, _(facet->label));
	g_string_append(out, "</h3><ul>");
	for (guint i = 0; i < MIN(counts->len, VALUES); i++)
		facet_append_value(out, search, facet, &g_array_index(counts, FacetCount, i));
	g_string_append(out, "</ul></div>");
}

static SearchResult *facets_search(BrowseWorker *worker, const BrowseSearch *search)
{
	const SearchOptions options = {.limit = FACET_HITS, .copies = 1, .uid = geteuid()};
	g_autoptr(Query) query =
	        *search->text ? browse_search_parse(search, worker, search->text) : NULL;
	if (!query || query_names_files(query))
		return NULL;
	return search_run(worker->cli->reader, query, &options, NULL);
}

void browse_facets_append(BrowseWorker *worker, GString *out, const BrowseSearch *search)
{
	const GPtrArray *roots = cli_roots(worker->cli, NULL);
	if (search->typed || search->soft || search->live.result->total < 2)
		return;
	g_autoptr(SearchResult) result = facets_search(worker, search);
	g_autoptr(GString) groups = g_string_new(NULL);
	g_autoptr(GString) timeline = g_string_new(NULL);
	for (unsigned kind = 0; result && kind < N_FACETS; kind++)
		facet_append(groups, result, kind, search, roots);
	if (result)
		browse_timeline_append(timeline, result, search);
	if (groups->len == 0 && timeline->len == 0)
		return;
	g_string_append(out, "<details class=\"facets\"><summary>");
	html_text(out, _("Narrow down"));
	g_string_append(out, "</summary>");
	if (result->hits->len == FACET_HITS) {
		g_autofree char *line =
		        g_strdup_printf(_("Counted are the first %u hits."), result->hits->len);
		g_string_append(out, "<p class=\"note\">");
		html_text(out, line);
		g_string_append(out, "</p>");
	}
	g_string_append_printf(
	        out, "<div class=\"groups\">%s</div>%s</details>\n", groups->str, timeline->str);
}
