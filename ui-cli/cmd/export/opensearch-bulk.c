/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-bulk.h"
#include "common/base/i18n.h"
#include <string.h>

enum { BULK_BYTES = 4 << 20, BULK_ITEMS = 2000, GENERATION_SHIFT = 32, TRIES_UNTOLD = 3 };

typedef struct {
	char *id, *lines;
	bool deletes;
	bool done;
} BulkItem;

struct OsBulk {
	OsClient *client;
	const char *index;
	int64_t version; /* of the last item */
	GPtrArray *items; /* BulkItem */
	size_t bytes;
	uint64_t refused;
};

static void bulk_item_free(gpointer data)
{
	BulkItem *item = data;
	g_free(item->id);
	g_free(item->lines);
	g_free(item);
}

OsBulk *os_bulk_new(OsClient *client, const char *index)
{
	OsBulk *bulk = g_new0(OsBulk, 1);
	bulk->client = client;
	bulk->index = index;
	bulk->items = g_ptr_array_new_with_free_func(bulk_item_free);
	return bulk;
}

void os_bulk_free(OsBulk *bulk)
{
	if (!bulk)
		return;
	g_ptr_array_unref(bulk->items);
	g_free(bulk);
}

void os_bulk_begin(OsBulk *bulk, int64_t generation)
{
	bulk->version = generation << GENERATION_SHIFT;
}

uint64_t os_bulk_refused(const OsBulk *bulk)
{
	return bulk->refused;
}

/* ---- what became of the items */

typedef enum { BULK_OK, BULK_LATER, BULK_REFUSED, BULK_OVERTAKEN, BULK_BROKEN } BulkFate;

static BulkFate bulk_fate(const BulkItem *item, const json_t *result)
{
	int64_t status = os_int(result, "status");
	if (status / 100 == 2 || (item->deletes && status == 404))
		return BULK_OK;
	if (status == 429 || status / 100 == 5)
		return BULK_LATER;
	if (status == 409)
		return BULK_OVERTAKEN;
	return status == 400 && !item->deletes ? BULK_REFUSED : BULK_BROKEN;
}

/* Sets the error of an item that cannot be sent again, and returns false. */
static bool bulk_fail(BulkFate fate, const json_t *result, GError **error)
{
	if (fate != BULK_OVERTAKEN)
		return os_client_fail(result, os_int(result, "status"), error);
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
	        _("another export of this index into this search engine has taken over"));
	return false;
}

static bool bulk_settle(OsBulk *bulk, BulkItem *item, const json_t *result, GError **error)
{
	BulkFate fate = bulk_fate(item, result);
	if (fate == BULK_OVERTAKEN || fate == BULK_BROKEN)
		return bulk_fail(fate, result, error);
	item->done |= fate != BULK_LATER;
	bulk->refused += fate == BULK_REFUSED;
	return true;
}

/* The results in whatever order they come. An item without one is sent again. */
static bool bulk_take_results(
        OsBulk *bulk, GPtrArray *items, const json_t *answer, json_t **late_r, GError **error)
{
	g_autoptr(GHashTable) by_id = g_hash_table_new(g_str_hash, g_str_equal);
	json_t *results = json_object_get(answer, "items"), *entry;
	size_t n;
	for (guint i = 0; i < items->len; i++)
		g_hash_table_insert(by_id, ((BulkItem *)items->pdata[i])->id, items->pdata[i]);
	json_array_foreach(results, n, entry)
	{
		const char *action;
		json_t *result;
		json_object_foreach(entry, action, result)
		{
			BulkItem *item = g_hash_table_lookup(by_id, os_text(result, "_id"));
			if (!item || item->deletes != (strcmp(action, "delete") == 0))
				continue;
			if (!bulk_settle(bulk, item, result, error))
				return false;
			if (!item->done)
				*late_r = result;
		}
	}
	return true;
}

/* ---- sending */

static bool bulk_send(OsBulk *bulk, GPtrArray *items, GError **error);

static bool bulk_send_halves(OsBulk *bulk, GPtrArray *items, GError **error)
{
	g_autoptr(GPtrArray) first = g_ptr_array_new(), second = g_ptr_array_new();
	if (items->len == 1) {
		((BulkItem *)items->pdata[0])->done = true;
		bulk->refused++;
		return true;
	}
	for (guint i = 0; i < items->len; i++)
		g_ptr_array_add(i < items->len / 2 ? first : second, items->pdata[i]);
	return bulk_send(bulk, first, error) && bulk_send(bulk, second, error);
}

/* Sends the items once. *late_r: what the server says of one that it wants later. */
static bool bulk_send_once(
        OsBulk *bulk, GPtrArray *items, json_t **answer_r, json_t **late_r, GError **error)
{
	OsAnswer answer;
	g_autoptr(GString) body = g_string_new(NULL);
	g_autofree char *path = g_strdup_printf("/%s/_bulk", bulk->index);
	for (guint i = 0; i < items->len; i++)
		g_string_append(body, ((BulkItem *)items->pdata[i])->lines);
	*answer_r = *late_r = NULL;
	if (!os_client_send(bulk->client, "POST", path, "application/x-ndjson", body->str,
	            body->len, &answer, error))
		return false;
	*answer_r = os_parse(answer.body->str, answer.body->len);
	g_string_free(answer.body, TRUE);
	if (answer.status == 413)
		return bulk_send_halves(bulk, items, error);
	if (answer.status / 100 != 2)
		return os_client_fail(*answer_r, answer.status, error);
	return bulk_take_results(bulk, items, *answer_r, late_r, error);
}

static bool bulk_send(OsBulk *bulk, GPtrArray *items, GError **error)
{
	g_autoptr(GPtrArray) left = g_ptr_array_copy(items, NULL, NULL);
	g_ptr_array_set_free_func(left, NULL);
	for (unsigned number = 1; left->len > 0; number++) {
		json_t *answer, *late;
		bool ok = bulk_send_once(bulk, left, &answer, &late, error);
		for (guint i = left->len; i > 0; i--)
			if (((BulkItem *)left->pdata[i - 1])->done)
				g_ptr_array_remove_index(left, i - 1);
		if (ok && left->len > 0 &&
		        (!os_client_wait(number, 0) || (!late && number >= TRIES_UNTOLD)))
			ok = late ? os_client_fail(late, os_int(late, "status"), error)
			          : os_client_fail_text(
			                    _("the answer does not cover every document"), error);
		json_decref(answer);
		if (!ok)
			return false;
	}
	return true;
}

bool os_bulk_flush(OsBulk *bulk, GError **error)
{
	g_autoptr(GPtrArray) items = g_steal_pointer(&bulk->items);
	bulk->items = g_ptr_array_new_with_free_func(bulk_item_free);
	bulk->bytes = 0;
	return bulk_send(bulk, items, error);
}

static bool bulk_add(OsBulk *bulk, const char *id, bool deletes, char *lines, GError **error)
{
	size_t bytes = strlen(lines);
	BulkItem *item = g_new0(BulkItem, 1);
	*item = (BulkItem){.id = g_strdup(id), .lines = lines, .deletes = deletes};
	/* two items of one document would share their fate */
	for (guint i = 0; i < bulk->items->len; i++)
		if (strcmp(((BulkItem *)bulk->items->pdata[i])->id, id) == 0) {
			g_ptr_array_remove_index(bulk->items, i);
			break;
		}
	if (bulk->bytes > 0 &&
	        (bulk->bytes + bytes > BULK_BYTES || bulk->items->len >= BULK_ITEMS) &&
	        !os_bulk_flush(bulk, error)) {
		bulk_item_free(item);
		return false;
	}
	g_ptr_array_add(bulk->items, item);
	bulk->bytes += bytes;
	return true;
}

/* The action of the next item, with its newline. */
static char *bulk_action(OsBulk *bulk, const char *action, const char *id)
{
	return g_strdup_printf("{\"%s\":{\"_id\":\"%s\",\"version\":%" G_GINT64_FORMAT
	                       ",\"version_type\":\"external_gte\"}}\n",
	        action, id, ++bulk->version);
}

bool os_bulk_index(OsBulk *bulk, const char *id, json_t *source, GError **error)
{
	g_autofree char *action = bulk_action(bulk, "index", id);
	json_object_set_new(source, "version", json_integer(bulk->version));
	char *text = json_dumps(source, JSON_COMPACT);
	char *lines = g_strconcat(action, text, "\n", NULL);
	free(text);
	return bulk_add(bulk, id, false, lines, error);
}

bool os_bulk_delete(OsBulk *bulk, const char *id, GError **error)
{
	return bulk_add(bulk, id, true, bulk_action(bulk, "delete", id), error);
}
