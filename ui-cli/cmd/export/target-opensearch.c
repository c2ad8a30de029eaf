/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target-opensearch.c - the module for OpenSearch and Elasticsearch; what is made there:
 * data/export/opensearch.json
 *
 * Searches see changes after a refresh. Permissions and deletions are refreshed at once, texts
 * when the export ends. A document whose permissions change is read from the server, which has its
 * text, and written with the new ones: an update by the server would not know our versions. */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-bulk.h"
#include "common/base/compare.h"
#include "ui-cli/cmd/export/opensearch-document.h"
#include "ui-cli/cmd/export/opensearch-pairs.h"
#include "ui-cli/cmd/export/opensearch-search.h"
#include "ui-cli/cmd/export/opensearch-setup.h"
#include "ui-cli/cmd/export/opensearch-state.h"
#include "common/base/i18n.h"
#include <string.h>

enum {
	FETCH_BYTES = 4 << 20,
	FETCH_MOST = 200,
	BATCH_CONTENTS = 100,
	BATCH_BYTES = 4 << 20,
	GENERATION_MOST = 1 << 30,
};

typedef struct {
	OsAddress address;
	OsClient *client;
	OsBulk *bulk;
	OsState state;
	bool unseen; /* something was sent that searches do not see yet */
	bool verify; /* nothing is to be changed */
	bool empty; /* nothing of the index was there at the beginning */
	OsRows *rows; /* what is there, as far as it was not compared yet; NULL: no comparison */
	ExportDifferences found;
	GPtrArray *differing; /* lines of see(), char *; contents whose permissions differ */
	size_t differing_bytes;
	GArray *missing; /* int64_t; contents that lacked documents in the comparison */
	guint next; /* of missing */
} OsTarget;

static OsTarget *os_of(ExportTarget *target)
{
	return (OsTarget *)target;
}

static void os_close(ExportTarget *target)
{
	OsTarget *t = os_of(target);
	os_bulk_free(t->bulk);
	os_client_free(t->client);
	os_state_clear(&t->state);
	os_address_clear(&t->address);
	os_rows_free(t->rows);
	g_ptr_array_unref(t->differing);
	g_array_unref(t->missing);
	g_free(t);
}

/* A user who searches may do nothing but read the index, and need not know what the server is. */
static bool os_connect_search(OsTarget *t, const ExportOpening *opening, GError **error)
{
	if (!os_address_read(opening->target, &t->address, error))
		return false;
	t->client = os_client_new(t->address.server, opening, error);
	return t->client != NULL;
}

static bool os_connect(OsTarget *t, const ExportOpening *opening, GError **error)
{
	OsKind kind;
	if (!os_address_read(opening->target, &t->address, error))
		return false;
	t->client = os_client_new(t->address.server, opening, error);
	if (!t->client || !os_setup_recognise(t->client, &kind, error))
		return false;
	return (!opening->setup || os_setup_make(t->client, kind, t->address.index, error)) &&
	       os_setup_check(t->client, t->address.index, error);
}

static ExportTarget *os_open(const ExportOpening *opening, GError **error)
{
	OsTarget *t = g_new0(OsTarget, 1);
	t->differing = g_ptr_array_new_with_free_func(g_free);
	t->missing = g_array_new(FALSE, FALSE, sizeof(int64_t));
	if (opening->search ? os_connect_search(t, opening, error)
	                    : os_connect(t, opening, error)) {
		t->bulk = os_bulk_new(t->client, t->address.index);
		return (ExportTarget *)t;
	}
	os_close((ExportTarget *)t);
	return NULL;
}

/* ---- the beginning and the end */

static bool os_flush(OsTarget *t, GError **error)
{
	if (!os_bulk_flush(t->bulk, error))
		return false;
	if (t->unseen && !os_rows_refresh(t->client, t->address.index, error))
		return false;
	t->unseen = false;
	return true;
}

/* The state of an earlier time, or fewer documents than were there: it was restored, or lost a
 * part. */
static bool os_is_restored(const OsTarget *t, int64_t documents, int64_t newest)
{
	return newest < t->state.newest || documents < t->state.documents;
}

static bool os_take_over(OsTarget *t, int64_t *seq_r, GError **error)
{
	int64_t documents, newest;
	if (!os_state_read(&t->state, t->client, t->address.index, error) ||
	        !os_rows_refresh(t->client, t->address.index, error) ||
	        !os_state_count(&t->state, t->client, t->address.index, &documents, &newest, error))
		return false;
	t->empty = documents == 0;
	if (os_is_restored(t, documents, newest))
		t->state.seq = -1;
	t->state.generation = MAX(t->state.generation, newest >> 32) + 1;
	if (t->state.generation < 1 || t->state.generation > GENERATION_MOST)
		return os_client_fail_text(
		        _("the stored number of the last export is not a number"), error);
	os_bulk_begin(t->bulk, t->state.generation);
	*seq_r = t->state.seq;
	return os_state_write(&t->state, t->client, t->address.index, error);
}

static bool os_begin(
        ExportTarget *target, const ExportSource *source, int64_t *seq_r, GError **error)
{
	OsTarget *t = os_of(target);
	t->state.instance = g_strdup(source->instance);
	t->state.host = g_strdup(source->host);
	t->state.origin = g_strdup(source->origin);
	t->state.session = g_strdup_printf("%08x%08x", g_random_int(), g_random_int());
	t->verify = source->verify;
	*seq_r = -1;
	return t->verify || os_take_over(t, seq_r, error);
}

static bool os_end(ExportTarget *target, int64_t seq, GError **error)
{
	OsTarget *t = os_of(target);
	if (!os_flush(t, error) || !os_state_count(&t->state, t->client, t->address.index,
	                                   &t->state.documents, &t->state.newest, error))
		return false;
	t->state.seq = seq;
	return os_state_write(&t->state, t->client, t->address.index, error);
}

/* ---- what differs */

static json_t *os_line(const char *text, GError **error)
{
	json_t *line = os_parse(text, strlen(text));
	if (!line)
		os_client_fail_text(_("a line of the export is not JSON"), error);
	return line;
}

static void os_note_missing(GArray *missing, int64_t content)
{
	if (missing->len == 0 || g_array_index(missing, int64_t, missing->len - 1) != content)
		g_array_append_val(missing, content);
}

/* Others may give documents any id, which is left alone. */
static bool os_is_id(const char *id)
{
	return *id && strspn(id, "0123456789abcdefABCDEF-:.") == strlen(id);
}

/* Deletes what nobody wants. */
static bool os_delete_surplus(OsTarget *t, const OsPair *pair, GError **error)
{
	for (guint i = 0; i < pair->n_there; i++) {
		if (os_pair_wants(pair, pair->there[i].class) || !os_is_id(pair->there[i].id))
			continue;
		t->unseen = true;
		if (!os_bulk_delete(t->bulk, pair->there[i].id, error))
			return false;
	}
	return true;
}

/* ---- changes: permissions, places and deletions */

/* A document that is to be written again with other permissions. */
typedef struct {
	OsRow row; /* of the one that has the text */
	int64_t content;
	const GPtrArray *classes; /* of the content */
	bool *writes; /* which of them differ */
} OsRewrite;

static void os_rewrite_clear(gpointer rewrite)
{
	g_free(((OsRewrite *)rewrite)->writes);
}

typedef struct {
	OsTarget *target;
	GHashTable *classes; /* content -> GPtrArray of OsClass */
	GArray *rewrites; /* OsRewrite */
	GArray *missing;
} OsChange;

static bool os_change_pair(const OsPair *pair, void *data, GError **error)
{
	OsChange *change = data;
	if (!os_delete_surplus(change->target, pair, error))
		return false;
	if (pair->n_wanted == 0)
		return true;
	if (pair->n_there == 0) {
		os_note_missing(change->missing, pair->wanted[0].content);
		return true;
	}
	OsRewrite rewrite = {.content = pair->wanted[0].content,
	        .row = pair->there[0],
	        .writes = g_new0(bool, pair->n_wanted)};
	bool differs = false;
	for (guint i = 0; i < pair->n_wanted; i++)
		differs |= rewrite.writes[i] = os_pair_differs(pair, i);
	rewrite.classes = g_hash_table_lookup(change->classes, &rewrite.content);
	if (differs && rewrite.classes && rewrite.classes->len == pair->n_wanted)
		g_array_append_val(change->rewrites, rewrite);
	else
		os_rewrite_clear(&rewrite);
	return true;
}

/* Writes the document that was read for each of its classes that differ. */
static bool os_rewrite(OsChange *change, const OsRewrite *rewrite, json_t *source, GError **error)
{
	OsTarget *t = change->target;
	for (guint i = 0; i < rewrite->classes->len; i++) {
		if (!rewrite->writes[i])
			continue;
		g_autofree char *id = os_document_id(t->state.instance, rewrite->row.number, i);
		json_object_set_new(source, "content", json_integer(rewrite->content));
		os_document_set_class(source, rewrite->classes->pdata[i], i);
		t->unseen = true;
		if (!os_bulk_index(t->bulk, id, source, error))
			return false;
	}
	return true;
}

/* Is this the document that was asked for, as we sent it? */
static bool os_is_ours(const OsTarget *t, const json_t *found, const OsRewrite *rewrite)
{
	return json_is_true(json_object_get(found, "found")) &&
	       strcmp(os_text(found, "_source.instance"), t->state.instance) == 0 &&
	       os_int(found, "_source.number") == rewrite->row.number &&
	       json_is_string(os_value(found, "_source.text")) &&
	       json_is_object(os_value(found, "_source.words"));
}

static bool os_rewrite_found(
        OsChange *change, const OsRewrite *rewrite, const json_t *found, GError **error)
{
	OsTarget *t = change->target;
	if (os_is_ours(t, found, rewrite))
		return os_rewrite(change, rewrite, json_object_get(found, "_source"), error);
	/* it goes, and comes again with its text */
	os_note_missing(change->missing, rewrite->content);
	t->unseen = true;
	return os_bulk_delete(t->bulk, rewrite->row.id, error);
}

static bool os_rewrite_batch(OsChange *change, guint first, guint n, GError **error)
{
	OsTarget *t = change->target;
	g_autofree char *path = g_strdup_printf("/%s/_mget", t->address.index);
	json_t *ids = json_array();
	for (guint i = first; i < first + n; i++) {
		const OsRewrite *rewrite = &g_array_index(change->rewrites, OsRewrite, i);
		json_array_append_new(ids, json_string(rewrite->row.id));
	}
	json_t *body = json_pack("{s:o}", "ids", ids);
	json_t *answer = os_client_need(t->client, "POST", path, body, 0, error);
	json_decref(body);
	const json_t *found = json_object_get(answer, "docs");
	bool ok = answer && (json_array_size(found) == n ||
	                            os_client_fail_text(_("the answer does not cover every "
	                                                  "document"),
	                                    error));
	for (guint i = 0; ok && i < n; i++)
		ok = os_rewrite_found(change,
		        &g_array_index(change->rewrites, OsRewrite, first + i),
		        json_array_get(found, i), error);
	json_decref(answer);
	return ok;
}

static bool os_rewrite_all(OsChange *change, GError **error)
{
	const GArray *rewrites = change->rewrites;
	for (guint first = 0, n; first < rewrites->len; first += n) {
		int64_t bytes = 0;
		for (n = 0; first + n < rewrites->len && n < FETCH_MOST &&
		            (n == 0 || bytes < FETCH_BYTES);
		        n++)
			bytes += g_array_index(rewrites, OsRewrite, first + n).row.bytes;
		if (!os_rewrite_batch(change, first, n, error))
			return false;
	}
	return true;
}

static bool os_change_expect(OsChange *change, GArray *expected, json_t *contents,
        const GPtrArray *lines, GError **error)
{
	for (guint i = 0; i < lines->len; i++) {
		json_t *line = os_line(lines->pdata[i], error);
		if (!line)
			return false;
		int64_t content = os_int(line, "content");
		os_expect(expected, line);
		json_array_append_new(contents, json_integer(content));
		g_hash_table_replace(change->classes, g_memdup2(&content, sizeof content),
		        os_classes(json_object_get(line, "places")));
		json_decref(line);
	}
	os_expected_sort(expected);
	return true;
}

/* Closing goes first: deletions are sent before anything is read. */
static bool os_change_with(OsChange *change, const GPtrArray *lines, GError **error)
{
	OsTarget *t = change->target;
	g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(OsExpected));
	json_t *contents = json_array();
	if (!os_change_expect(change, expected, contents, lines, error) || !os_flush(t, error)) {
		json_decref(contents);
		return false;
	}
	g_autoptr(OsRows) rows =
	        os_rows_new(t->client, t->address.index, t->state.instance, contents);
	return os_pairs(expected, rows, G_MAXINT64, os_change_pair, change, error) &&
	       os_flush(t, error) && os_rewrite_all(change, error) && os_flush(t, error);
}

static bool os_change_contents(OsTarget *t, const GPtrArray *lines, GArray *missing, GError **error)
{
	OsChange change = {.target = t,
	        .classes = g_hash_table_new_full(
	                g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_ptr_array_unref),
	        .rewrites = g_array_new(FALSE, FALSE, sizeof(OsRewrite)),
	        .missing = missing};
	g_array_set_clear_func(change.rewrites, os_rewrite_clear);
	bool ok = os_change_with(&change, lines, error);
	g_hash_table_unref(change.classes);
	g_array_unref(change.rewrites);
	return ok;
}

static bool os_change(ExportTarget *target, const GPtrArray *lines, GArray *missing, GError **error)
{
	return os_change_contents(os_of(target), lines, missing, error);
}

/* ---- a comparison of everything */

typedef struct {
	OsTarget *target;
	bool differs; /* permissions or places of the content at hand */
} OsComparison;

static bool os_compare_pair(const OsPair *pair, void *data, GError **error)
{
	OsComparison *c = data;
	ExportDifferences *found = &c->target->found;
	if (!c->target->verify && !os_delete_surplus(c->target, pair, error))
		return false;
	if (pair->n_there == 0) {
		found->documents_missing++;
		os_note_missing(c->target->missing, pair->wanted[0].content);
		return true;
	}
	if (pair->n_wanted == 0) {
		found->documents_gone++;
		return true;
	}
	for (guint i = 0; i < pair->n_wanted; i++)
		if (os_pair_differs(pair, i)) {
			found->places_come++;
			c->differs = true;
		}
	for (guint i = 0; i < pair->n_there; i++) {
		unsigned class = pair->there[i].class;
		found->places_gone += !os_pair_wants(pair, class) || os_pair_differs(pair, class);
	}
	return true;
}

/* Writes the permissions of what was found to differ. */
static bool os_apply_differing(OsTarget *t, GError **error)
{
	bool ok = t->differing->len == 0 || os_change_contents(t, t->differing, t->missing, error);
	g_ptr_array_set_size(t->differing, 0);
	t->differing_bytes = 0;
	return ok;
}

static bool os_note_differing(OsTarget *t, const char *text, GError **error)
{
	g_ptr_array_add(t->differing, g_strdup(text));
	t->differing_bytes += strlen(text);
	return (t->differing->len < BATCH_CONTENTS && t->differing_bytes < BATCH_BYTES) ||
	       os_apply_differing(t, error);
}

/* The number is forgotten first, so that everything is compared again if this export dies. */
static bool os_begin_changes(OsTarget *t, GError **error)
{
	t->state.seq = -1;
	t->unseen = true;
	return os_state_write(&t->state, t->client, t->address.index, error) &&
	       os_state_remove_replaced(&t->state, t->client, t->address.index, error) &&
	       os_flush(t, error);
}

static bool os_begin_comparison(OsTarget *t, GError **error)
{
	bool ok = t->rows || (t->verify ? os_rows_refresh(t->client, t->address.index, error)
	                                : os_begin_changes(t, error));
	if (!ok || t->rows)
		return ok;
	g_array_set_size(t->missing, 0);
	t->next = 0;
	t->found = (ExportDifferences){0};
	t->rows = os_rows_new(t->client, t->address.index, t->state.instance, NULL);
	return true;
}

/* Compares the content, and what is there of contents before it. Both sides are in the order of
 * contents, so that neither is kept. */
static bool os_see(ExportTarget *target, const char *text, GError **error)
{
	OsTarget *t = os_of(target);
	OsComparison comparison = {t, false};
	g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(OsExpected));
	json_t *line = os_begin_comparison(t, error) ? os_line(text, error) : NULL;
	if (!line)
		return false;
	int64_t content = os_int(line, "content");
	os_expect(expected, line);
	json_decref(line);
	os_expected_sort(expected);
	return os_pairs(expected, t->rows, content, os_compare_pair, &comparison, error) &&
	       (!comparison.differs || t->verify || os_note_differing(t, text, error));
}

static bool os_compare(ExportTarget *target, ExportDifferences *out, GError **error)
{
	OsTarget *t = os_of(target);
	OsComparison comparison = {t, false};
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(OsExpected));
	bool ok = os_begin_comparison(t, error) &&
	          os_pairs(none, t->rows, G_MAXINT64, os_compare_pair, &comparison, error) &&
	          (t->verify || (os_flush(t, error) && os_apply_differing(t, error)));
	g_clear_pointer(&t->rows, os_rows_free);
	g_array_sort(t->missing, compare_int64);
	*out = t->found;
	return ok;
}

/* Documents are sent with their places, so that those of an empty target need no comparison. */
static bool os_begin_first(ExportTarget *target, bool *empty_r, GError **error)
{
	OsTarget *t = os_of(target);
	*empty_r = t->empty;
	return !t->empty || os_begin_changes(t, error);
}

static int os_next_missing(ExportTarget *target, int64_t *content_r, GError **error)
{
	OsTarget *t = os_of(target);
	int64_t last = t->next > 0 ? g_array_index(t->missing, int64_t, t->next - 1) : -1;
	while (t->next < t->missing->len && g_array_index(t->missing, int64_t, t->next) == last)
		t->next++;
	if (t->next >= t->missing->len)
		return 0;
	*content_r = g_array_index(t->missing, int64_t, t->next++);
	return 1;
}

/* ---- documents */

static bool os_put(ExportTarget *target, int64_t document, const char *text, GError **error)
{
	OsTarget *t = os_of(target);
	json_t *line = os_line(text, error);
	json_t *source = line ? os_document_of_line(line, t->state.instance, t->state.host) : NULL;
	g_autoptr(GPtrArray) classes = os_classes(json_object_get(line, "places"));
	bool ok = line != NULL;
	for (guint i = 0; ok && source && i < classes->len; i++) {
		g_autofree char *id = os_document_id(t->state.instance, document, i);
		os_document_set_class(source, classes->pdata[i], i);
		t->unseen = true;
		ok = os_bulk_index(t->bulk, id, source, error);
	}
	json_decref(source);
	json_decref(line);
	return ok;
}

static uint64_t os_refused(const ExportTarget *target)
{
	return os_bulk_refused(((const OsTarget *)target)->bulk);
}

static bool os_find_hits(ExportTarget *target, const ExportSearch *search, ExportAnswer *answer,
        ExportHitFunc f, void *data, GError **error)
{
	OsTarget *t = os_of(target);
	return os_search(t->client, t->address.index, search, answer, f, data, error);
}

extern const ExportTargetFunctions export_target;
const ExportTargetFunctions export_target = {
        .version = EXPORT_TARGET_VERSION,
        .open = os_open,
        .begin = os_begin,
        .begin_first = os_begin_first,
        .close = os_close,
        .see = os_see,
        .compare = os_compare,
        .change = os_change,
        .next_missing = os_next_missing,
        .put = os_put,
        .refused = os_refused,
        .end = os_end,
        .wants_words = true,
        .search = os_find_hits,
};
