/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-rows.h"
#include "common/base/i18n.h"
#include <string.h>

enum { PAGE = 5000 };

struct OsRows {
	OsClient *client;
	char *path, *instance;
	json_t *search; /* the body of the next request */
	json_t *answer; /* the page at hand, or NULL */
	size_t next; /* hit of it */
	OsRow row; /* that hit, if it was read */
	bool has_row;
	OsRow last; /* that is not strange */
	bool begun;
};

OsRows *os_rows_new(OsClient *client, const char *index, const char *instance, json_t *contents)
{
	OsRows *rows = g_new0(OsRows, 1);
	json_t *filter = json_pack("[{s:{s:s}}]", "term", "instance", instance);
	if (contents)
		json_array_append_new(filter, json_pack("{s:{s:o}}", "terms", "content", contents));
	rows->client = client;
	rows->instance = g_strdup(instance);
	rows->path = g_strdup_printf("/%s/_search", index);
	rows->search =
	        json_pack("{s:i, s:b, s:{s:{s:o}}, s:[{s:s}, {s:s}, {s:s}], s:b, s:[s,s,s,s,s]}",
	                "size", PAGE, "track_total_hits", 0, "query", "bool", "filter", filter,
	                "sort", "content", "asc", "number", "asc", "class", "asc", "_source", 0,
	                "docvalue_fields", "number", "class", "content", "bytes", "access");
	return rows;
}

void os_rows_free(OsRows *rows)
{
	if (!rows)
		return;
	json_decref(rows->search);
	json_decref(rows->answer);
	g_free(rows->path);
	g_free(rows->instance);
	g_free(rows);
}

bool os_rows_check_answer(const json_t *answer, GError **error)
{
	if (json_is_integer(os_value(answer, "_shards.failed")) &&
	        os_int(answer, "_shards.failed") == 0 &&
	        os_int(answer, "_shards.successful") == os_int(answer, "_shards.total") &&
	        !json_is_true(json_object_get(answer, "timed_out")))
		return true;
	return os_client_fail_text(_("a part of the index does not answer"), error);
}

bool os_rows_refresh(OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s/_refresh", index);
	json_t *answer = os_client_need(client, "POST", path, NULL, 0, error);
	bool ok = answer != NULL;
	if (ok && os_int(answer, "_shards.failed") != 0)
		ok = os_client_fail_text(_("a part of the index does not answer"), error);
	json_decref(answer);
	return ok;
}

static const json_t *rows_field(const json_t *hit, const char *name)
{
	return json_array_get(json_object_get(json_object_get(hit, "fields"), name), 0);
}

static bool rows_hash(const char *text, uint8_t hash[OS_HASH_BYTES])
{
	for (unsigned i = 0; i < OS_HASH_BYTES; i++) {
		int high = g_ascii_xdigit_value(text[2 * i]);
		int low = high < 0 ? -1 : g_ascii_xdigit_value(text[2 * i + 1]);
		if (low < 0)
			return false;
		hash[i] = high << 4 | low;
	}
	return true;
}

/* A document that somebody changed may have anything; its permissions then differ. */
static void rows_read(const OsRows *rows, const json_t *hit, OsRow *row)
{
	const json_t *number = rows_field(hit, "number"), *class = rows_field(hit, "class");
	const char *access = json_string_value(rows_field(hit, "access"));
	*row = (OsRow){.number = json_integer_value(number),
	        .class = json_integer_value(class),
	        .content = json_integer_value(rows_field(hit, "content")),
	        .bytes = json_integer_value(rows_field(hit, "bytes"))};
	if (!access || !rows_hash(access, row->hash))
		memset(row->hash, 0, sizeof row->hash);
	g_autofree char *id = os_document_id(rows->instance, row->number, row->class);
	g_strlcpy(row->id, os_text(hit, "_id"), sizeof row->id);
	row->strange = strcmp(id, row->id) != 0;
}

static bool is_behind(const OsRow *row, const OsRow *last)
{
	if (row->content != last->content)
		return row->content > last->content;
	return row->number != last->number ? row->number > last->number : row->class > last->class;
}

static bool rows_take(OsRows *rows, const json_t *hit, GError **error)
{
	rows_read(rows, hit, &rows->row);
	rows->has_row = true;
	if (rows->row.strange)
		return true;
	bool behind = !rows->begun || is_behind(&rows->row, &rows->last);
	rows->begun = true;
	rows->last = rows->row;
	return behind ||
	       os_client_fail_text(_("the answer is not in the order that was asked for"), error);
}

static bool rows_read_page(OsRows *rows, GError **error)
{
	const json_t *hits = os_value(rows->answer, "hits.hits");
	const json_t *last = json_array_get(hits, json_array_size(hits) - 1);
	if (last)
		json_object_set(rows->search, "search_after", json_object_get(last, "sort"));
	json_decref(rows->answer);
	rows->answer = os_client_need(rows->client, "POST", rows->path, rows->search, 0, error);
	rows->next = 0;
	return rows->answer && os_rows_check_answer(rows->answer, error);
}

/* As os_rows_look(), into rows->row. */
static int rows_next(OsRows *rows, GError **error)
{
	const json_t *hits = os_value(rows->answer, "hits.hits");
	bool is_last = rows->answer && json_array_size(hits) < PAGE;
	if (rows->next >= json_array_size(hits)) {
		if (is_last)
			return 0;
		if (!rows_read_page(rows, error))
			return -1;
		hits = os_value(rows->answer, "hits.hits");
		if (!json_is_array(hits))
			return os_client_fail_text(_("the answer has no hits"), error) - 1;
		if (json_array_size(hits) == 0)
			return 0;
	}
	return rows_take(rows, json_array_get(hits, rows->next++), error) ? 1 : -1;
}

int os_rows_look(OsRows *rows, OsRow *row, GError **error)
{
	int more = rows->has_row ? 1 : rows_next(rows, error);
	if (more > 0)
		*row = rows->row;
	return more;
}

void os_rows_skip(OsRows *rows)
{
	rows->has_row = false;
}
