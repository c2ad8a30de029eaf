/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-state.h"
#include "ui-cli/cmd/export/opensearch-rows.h"
#include "common/base/i18n.h"
#include <string.h>

enum { REPLACED_MOST = 1000 };

void os_state_clear(OsState *state)
{
	g_free(state->instance);
	g_free(state->host);
	g_free(state->origin);
	g_free(state->session);
	*state = (OsState){0};
}

/* The document as it is; an object with an error, or "found" false, if there is none. */
static json_t *os_state_get(
        const OsState *state, OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s-state/_doc/%s", index, state->instance);
	return os_client_need(client, "GET", path, NULL, 404, error);
}

static bool os_state_is_found(const json_t *answer)
{
	return json_is_true(json_object_get(answer, "found"));
}

static void os_state_take_place(OsState *state, const json_t *answer)
{
	state->seq_no = os_int(answer, "_seq_no");
	state->primary_term = os_int(answer, "_primary_term");
}

bool os_state_read(OsState *state, OsClient *client, const char *index, GError **error)
{
	json_t *answer = os_state_get(state, client, index, error);
	if (!answer)
		return false;
	state->seq_no = state->seq = -1;
	state->generation = state->documents = state->newest = 0;
	if (os_state_is_found(answer)) {
		os_state_take_place(state, answer);
		if (json_is_integer(os_value(answer, "_source.seq")))
			state->seq = os_int(answer, "_source.seq");
		state->generation = os_int(answer, "_source.generation");
		state->documents = os_int(answer, "_source.documents");
		state->newest = os_int(answer, "_source.newest");
	}
	json_decref(answer);
	return true;
}

/* An answer that was lost may have been one of success. */
static bool os_state_was_ours(OsState *state, OsClient *client, const char *index)
{
	json_t *answer = os_state_get(state, client, index, NULL);
	bool ours = os_state_is_found(answer) &&
	            strcmp(os_text(answer, "_source.session"), state->session) == 0 &&
	            os_int(answer, "_source.writes") == state->writes;
	if (ours)
		os_state_take_place(state, answer);
	json_decref(answer);
	return ours;
}

static json_t *os_state_json(const OsState *state)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *when = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
	return json_pack("{s:s, s:s, s:s*, s:s, s:I, s:I, s:I, s:I, s:I, s:s}", "instance",
	        state->instance, "host", state->host, "origin", state->origin, "session",
	        state->session, "generation", (json_int_t)state->generation, "seq",
	        (json_int_t)state->seq, "documents", (json_int_t)state->documents, "newest",
	        (json_int_t)state->newest, "writes", (json_int_t)state->writes, "written", when);
}

bool os_state_write(OsState *state, OsClient *client, const char *index, GError **error)
{
	unsigned status;
	g_autofree char *condition = state->seq_no < 0
	                                     ? g_strdup("op_type=create")
	                                     : g_strdup_printf("if_seq_no=%" G_GINT64_FORMAT
	                                                       "&if_primary_term=%" G_GINT64_FORMAT,
	                                               state->seq_no, state->primary_term);
	g_autofree char *path = g_strdup_printf(
	        "/%s-state/_doc/%s?refresh=true&%s", index, state->instance, condition);
	state->writes++;
	json_t *body = os_state_json(state);
	json_t *answer = os_client_ask(client, "PUT", path, body, &status, error);
	json_decref(body);
	if (!answer)
		return false;
	bool ok = status / 100 == 2;
	if (ok)
		os_state_take_place(state, answer);
	else if (status != 409)
		os_client_fail(answer, status, error);
	else if (!(ok = os_state_was_ours(state, client, index)))
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("another export of this index into this search engine has taken over"));
	json_decref(answer);
	return ok;
}

bool os_state_count(const OsState *state, OsClient *client, const char *index, int64_t *documents_r,
        int64_t *newest_r, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s/_search", index);
	json_t *body = json_pack("{s:i, s:b, s:{s:{s:s}}, s:{s:{s:{s:s}}}}", "size", 0,
	        "track_total_hits", 1, "query", "term", "instance", state->instance, "aggs",
	        "newest", "max", "field", "version");
	json_t *answer = os_client_need(client, "POST", path, body, 0, error);
	json_decref(body);
	bool ok = answer && os_rows_check_answer(answer, error);
	if (ok) {
		*documents_r = os_int(answer, "hits.total.value");
		*newest_r = os_int(answer, "aggregations.newest.value");
	}
	json_decref(answer);
	return ok;
}

/* ---- an index that was made anew has another name; what the former one sent would stay */

static bool os_remove_instance(
        OsClient *client, const char *index, const char *instance, GError **error)
{
	g_autofree char *path =
	        g_strdup_printf("/%s/_delete_by_query?refresh=true&conflicts=proceed", index);
	g_autofree char *state_path = g_strdup_printf("/%s-state/_doc/%s", index, instance);
	json_t *body = json_pack("{s:{s:{s:s}}}", "query", "term", "instance", instance);
	json_t *answer = os_client_need(client, "POST", path, body, 0, error);
	json_decref(body);
	bool ok = answer != NULL;
	if (ok && (json_array_size(json_object_get(answer, "failures")) > 0 ||
	                  json_is_true(json_object_get(answer, "timed_out"))))
		ok = os_client_fail_text(_("a part of the index does not answer"), error);
	json_decref(answer);
	answer = ok ? os_client_need(client, "DELETE", state_path, NULL, 404, error) : NULL;
	ok = answer != NULL;
	json_decref(answer);
	return ok;
}

/* As reader_identity() makes them. */
static bool os_is_instance(const char *text)
{
	size_t length = strlen(text);
	return length > 0 && length <= 64 && strspn(text, "0123456789abcdefABCDEF-") == length;
}

bool os_state_remove_replaced(
        const OsState *state, OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s-state/_search", index);
	json_t *hit;
	size_t i;
	if (!state->origin)
		return true;
	json_t *body = json_pack("{s:i, s:{s:{s:[{s:{s:s}}], s:[{s:{s:s}}]}}}", "size",
	        REPLACED_MOST, "query", "bool", "filter", "term", "origin", state->origin,
	        "must_not", "term", "instance", state->instance);
	json_t *answer = os_client_need(client, "POST", path, body, 0, error);
	json_decref(body);
	bool ok = answer && os_rows_check_answer(answer, error);
	json_array_foreach(os_value(answer, "hits.hits"), i, hit)
	{
		const char *instance = os_text(hit, "_id");
		if (ok && os_is_instance(instance) && strcmp(instance, state->instance) != 0)
			ok = os_remove_instance(client, index, instance, error);
	}
	json_decref(answer);
	return ok;
}
