/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target-postgresql.c - the module for PostgreSQL; what is in the database:
 * data/export/postgresql.sql
 */
#include <config.h>
#include "ui-cli/cmd/export/export-target.h"
#include "ui-cli/cmd/export/postgresql-sql.h"
#include "common/base/i18n.h"
#include <libpq-fe.h>
#include <poll.h>
#include <string.h>

enum { BATCH_BYTES = 1 << 20, BATCH_MOST = 1000 };

struct ExportTarget {
	PGconn *db;
	char *instance, *origin; /* origin: NULL: not known */
	bool verify; /* nothing is to be changed */
	bool copying; /* the lines of see() */
	bool compared; /* the tables of the last comparison are there */
	bool first; /* nothing was there, and places come with the documents */
	GString *batch; /* lines that were not sent yet */
	unsigned n_batch;
	bool sent; /* a batch, whose result was not taken yet */
	uint64_t refused; /* documents */
	GArray *missing; /* int64_t; a part of the contents that lack documents */
	guint next;
	int64_t last; /* the last content of that part */
};

static bool pg_fail(ExportTarget *t, GError **error)
{
	g_autofree char *why = g_strstrip(g_strdup(PQerrorMessage(t->db)));
	why[strcspn(why, "\n")] = '\0';
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE, "PostgreSQL: %s", why);
	return false;
}

/* Waits for the batch that was sent. */
static bool pg_take_batch(ExportTarget *t, GError **error)
{
	PGresult *result;
	bool ok = true;
	while (t->sent && (result = PQgetResult(t->db))) {
		ok &= PQresultStatus(result) == PGRES_TUPLES_OK;
		if (ok)
			t->refused += g_ascii_strtoull(PQgetvalue(result, 0, 0), NULL, 10);
		PQclear(result);
	}
	t->sent = false;
	return ok || pg_fail(t, error);
}

/* Runs a command, and frees its result unless result_r is given. */
static bool pg_run(ExportTarget *t, const char *sql, int n, const char *const *values,
        PGresult **result_r, GError **error)
{
	if (!pg_take_batch(t, error))
		return false;
	PGresult *result = n > 0 ? PQexecParams(t->db, sql, n, NULL, values, NULL, NULL, 0)
	                         : PQexec(t->db, sql);
	ExecStatusType status = PQresultStatus(result);
	bool ok =
	        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN;
	if (ok && result_r)
		*result_r = result;
	else
		PQclear(result);
	return ok || pg_fail(t, error);
}

static bool pg_run_for_instance(
        ExportTarget *t, const char *sql, PGresult **result_r, GError **error)
{
	const char *values[] = {t->instance};
	return pg_run(t, sql, 1, values, result_r, error);
}

/* ---- opening */

static void pg_close(ExportTarget *t)
{
	if (t->db)
		PQfinish(t->db);
	g_array_unref(t->missing);
	g_string_free(t->batch, TRUE);
	g_free(t->instance);
	g_free(t->origin);
	g_free(t);
}

/* A password among the arguments of a process can be read by everybody on the machine. */
static bool pg_has_password(const char *target, GError **error)
{
	char *why = NULL;
	bool found = false;
	PQconninfoOption *options = PQconninfoParse(target, &why);
	if (!options) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED, "%s",
		        why ? g_strstrip(why) : target);
		PQfreemem(why);
		return true;
	}
	for (const PQconninfoOption *option = options; option->keyword; option++)
		found |= option->val && (strcmp(option->keyword, "password") == 0 ||
		                                strcmp(option->keyword, "sslpassword") == 0);
	PQconninfoFree(options);
	if (found)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("a password in the address can be read by everybody on this machine; put "
		          "it into a file of credentials, or ~/.pgpass, which only you may read"));
	return found;
}

/* Two exporters of one index would undo each other's work. */
static bool pg_lock(ExportTarget *t, GError **error)
{
	PGresult *result;
	if (!pg_run_for_instance(
	            t, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", &result, error))
		return false;
	bool locked = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
	PQclear(result);
	if (!locked)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("another export of this index into this database is running"));
	return locked;
}

static bool pg_has_schema(ExportTarget *t, GError **error)
{
	PGresult *result;
	static const char sql[] =
	        "SELECT to_regprocedure('tarsier.put_documents(text, text, boolean)') IS NOT NULL";
	if (!pg_run(t, sql, 0, NULL, &result, error))
		return false;
	bool there = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
	PQclear(result);
	if (!there)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("the database has no tables of this version of Tarsier yet; add --setup "
		          "once"));
	return there;
}

/* The environment may name another charset, and a database have one that lacks characters. */
static bool pg_use_utf8(ExportTarget *t, bool search, GError **error)
{
	const char *encoding = PQparameterStatus(t->db, "server_encoding");
	if (g_strcmp0(encoding, "UTF8") != 0) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("the database is encoded as %s; make one with the encoding UTF8"),
		        encoding ? encoding : "?");
		return false;
	}
	return search || PQsetClientEncoding(t->db, "UTF8") == 0 || pg_fail(t, error);
}

/* "schema tarsier already exists, skipping" */
static void pg_ignore_notice(void *data, const char *message)
{
}

/* Values that the credentials lack are taken from the address, the environment and ~/.pgpass. The
 * address may tell how long a search waits for the connection. */
static PGconn *pg_connect(const ExportOpening *opening)
{
	const ExportCredentials *credentials = opening->credentials;
	const char *names[6] = {NULL}, *values[6] = {NULL};
	unsigned n = 0;
	G_STATIC_ASSERT(EXPORT_CONNECT_SECONDS == 10);
	if (opening->search) {
		names[n] = "connect_timeout";
		values[n++] = "10";
		names[n] = "client_encoding"; /* asking for it later has no time limit */
		values[n++] = "UTF8";
	}
	names[n] = "dbname";
	values[n++] = opening->target;
	if (credentials->user) {
		names[n] = "user";
		values[n++] = credentials->user;
	}
	if (credentials->password) {
		names[n] = "password";
		values[n++] = credentials->password;
	}
	return PQconnectdbParams(names, values, 1);
}

static ExportTarget *pg_open(const ExportOpening *opening, GError **error)
{
	if (opening->credentials->api_key) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("PostgreSQL has no api-key; its credentials are user and "
		          "password"));
		return NULL;
	}
	if (pg_has_password(opening->target, error))
		return NULL;
	ExportTarget *t = g_new0(ExportTarget, 1);
	t->missing = g_array_new(FALSE, FALSE, sizeof(int64_t));
	t->batch = g_string_new(NULL);
	t->db = pg_connect(opening);
	PQsetNoticeProcessor(t->db, pg_ignore_notice, NULL);
	bool ok = (PQstatus(t->db) == CONNECTION_OK || pg_fail(t, error)) &&
	          pg_use_utf8(t, opening->search, error);
	if (ok && opening->search)
		return t;
	if (ok && (!opening->setup || pg_run(t, postgresql_sql, 0, NULL, NULL, error)) &&
	        pg_has_schema(t, error))
		return t;
	pg_close(t);
	return NULL;
}

static bool pg_begin(ExportTarget *t, const ExportSource *source, int64_t *seq_r, GError **error)
{
	const char *values[] = {source->instance, source->host, source->origin};
	PGresult *result;
	t->instance = g_strdup(source->instance);
	t->origin = g_strdup(source->origin);
	*seq_r = -1;
	t->verify = source->verify;
	if (t->verify)
		return true;
	if (!pg_lock(t, error) || !pg_run(t,
	                                  "INSERT INTO tarsier.instance(instance, host, origin) "
	                                  "VALUES($1, $2, $3) ON "
	                                  "CONFLICT(instance) DO UPDATE SET host = excluded.host, "
	                                  "origin = excluded.origin RETURNING coalesce(seq, -1)",
	                                  3, values, &result, error))
		return false;
	*seq_r = g_ascii_strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	return true;
}

/* Large buffers of the indexes of words save an eighth of the work of the server. */
static bool pg_begin_first(ExportTarget *t, bool *empty_r, GError **error)
{
	const char *values[] = {t->instance, t->origin};
	PGresult *result;
	if (!pg_run(t,
	            "UPDATE tarsier.instance SET seq = NULL WHERE instance = $1 AND NOT EXISTS "
	            "(SELECT FROM tarsier.place WHERE instance = $1) AND NOT EXISTS "
	            "(SELECT FROM tarsier.document WHERE instance = $1) AND NOT EXISTS "
	            "(SELECT FROM tarsier.instance WHERE origin = $2 AND instance <> $1)",
	            2, values, &result, error))
		return false;
	*empty_r = t->first = strcmp(PQcmdTuples(result), "1") == 0;
	PQclear(result);
	return !t->first || pg_run(t, "SET work_mem = '64MB'; SET gin_pending_list_limit = '32MB'",
	                            0, NULL, NULL, error);
}

static bool pg_end_first(ExportTarget *t, GError **error)
{
	static const char sql[] =
	        "RESET work_mem; RESET gin_pending_list_limit; SELECT gin_clean_pending_list(i) "
	        "FROM unnest(ARRAY['tarsier.document_terms', 'tarsier.document_words', "
	        "'tarsier.place_terms', 'tarsier.place_words']::regclass[]) i";
	bool was_first = t->first;
	t->first = false;
	return !was_first || pg_run(t, sql, 0, NULL, NULL, error);
}

/* ---- contents */

/* Appends a line in the text format of COPY: of what JSON has, only the backslash is special there.
 */
static void append_copy_line(GString *out, const char *line)
{
	for (; *line; line++) {
		if (*line == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *line);
	}
}

static bool pg_begin_copy(ExportTarget *t, GError **error)
{
	if (t->copying)
		return true;
	if (t->compared && !pg_run(t, "DROP TABLE seen_document, seen_place", 0, NULL, NULL, error))
		return false;
	t->compared = false;
	t->last = 0;
	t->copying = pg_run(t, "CREATE TEMPORARY TABLE seen(line jsonb)", 0, NULL, NULL, error) &&
	             pg_run(t, "COPY seen FROM STDIN", 0, NULL, NULL, error);
	return t->copying;
}

static bool pg_see(ExportTarget *t, const char *line, GError **error)
{
	g_autoptr(GString) copy = g_string_new(NULL);
	if (!pg_begin_copy(t, error))
		return false;
	append_copy_line(copy, line);
	return PQputCopyData(t->db, copy->str, (int)copy->len) == 1 || pg_fail(t, error);
}

static bool pg_end_copy(ExportTarget *t, GError **error)
{
	PGresult *result;
	bool ok = !t->copying || PQputCopyEnd(t->db, NULL) == 1;
	t->copying = false;
	while ((result = PQgetResult(t->db))) {
		ok &= PQresultStatus(result) == PGRES_COMMAND_OK;
		PQclear(result);
	}
	return ok || pg_fail(t, error);
}

static const char tables_sql[] =
        "CREATE TEMPORARY TABLE seen_document AS SELECT d.number::bigint AS number, "
        "(line->>'content')::bigint AS content FROM seen, "
        "jsonb_array_elements_text(line->'documents') AS d(number);"
        "CREATE TEMPORARY TABLE seen_place AS SELECT (line->>'content')::bigint AS content, "
        "p->>'path' AS path, coalesce(p->>'path_b64', '') AS exact, p->>'source' AS source, "
        "(p->>'mtime')::timestamptz AS mtime, "
        "ARRAY(SELECT jsonb_array_elements_text(p->'allow')) AS allow, "
        "ARRAY(SELECT jsonb_array_elements_text(p->'deny')) AS deny, p->>'words' AS stream "
        "FROM seen, jsonb_array_elements(line->'places') AS p;"
        "DROP TABLE seen;"
        "CREATE INDEX ON seen_document(number); CREATE INDEX ON seen_place(content);"
        "ANALYZE seen_document; ANALYZE seen_place";

#define PLACE_KEY                                                                                  \
	"p.content = s.content AND p.path = s.path AND p.exact = s.exact AND "                     \
	"p.source = s.source AND p.mtime IS NOT DISTINCT FROM s.mtime AND p.allow = s.allow AND "  \
	"p.deny = s.deny AND p.stream IS NOT DISTINCT FROM s.stream"
#define DOCUMENT_GONE                                                                              \
	"tarsier.document d WHERE d.instance = $1 AND NOT EXISTS "                                 \
	"(SELECT 1 FROM seen_document s WHERE s.number = d.number)"
#define PLACE_GONE                                                                                 \
	"tarsier.place p WHERE p.instance = $1 AND NOT EXISTS "                                    \
	"(SELECT 1 FROM seen_place s WHERE " PLACE_KEY ")"
#define PLACE_COME                                                                                 \
	"seen_place s WHERE NOT EXISTS (SELECT 1 FROM tarsier.place p WHERE p.instance = $1 "      \
	"AND " PLACE_KEY ")"
#define DOCUMENT_MISSING                                                                           \
	"seen_document s WHERE NOT EXISTS (SELECT 1 FROM tarsier.document d "                      \
	"WHERE d.instance = $1 AND d.number = s.number AND d.terms IS NOT NULL) AND EXISTS "       \
	"(SELECT 1 FROM seen_place p "                                                             \
	"WHERE p.content = s.content)"

static bool pg_count(ExportTarget *t, const char *sql, uint64_t *out, GError **error)
{
	PGresult *result;
	if (!pg_run_for_instance(t, sql, &result, error))
		return false;
	const char *rows = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : PQcmdTuples(result);
	*out = g_ascii_strtoull(rows, NULL, 10);
	PQclear(result);
	return true;
}

/* An index that was made anew has another name. The documents of the former one would stay for
 * ever. */
static bool pg_remove_replaced(ExportTarget *t, GError **error)
{
	static const char *const tables[] = {"place", "document", "instance"};
	const char *values[] = {t->instance, t->origin};
	for (size_t i = 0; t->origin && i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *sql = g_strdup_printf(
		        "DELETE FROM tarsier.%s WHERE instance IN (SELECT instance FROM "
		        "tarsier.instance WHERE origin = $2 AND instance <> $1)",
		        tables[i]);
		if (!pg_run(t, sql, 2, values, NULL, error))
			return false;
	}
	return true;
}

static bool pg_apply(ExportTarget *t, ExportDifferences *out, GError **error)
{
	return pg_run(t, "BEGIN", 0, NULL, NULL, error) && pg_remove_replaced(t, error) &&
	       pg_run_for_instance(t, "UPDATE tarsier.instance SET seq = NULL WHERE instance = $1",
	               NULL, error) &&
	       pg_count(t, "DELETE FROM " PLACE_GONE, &out->places_gone, error) &&
	       pg_count(t, "DELETE FROM " DOCUMENT_GONE, &out->documents_gone, error) &&
	       pg_count(t,
	               "INSERT INTO tarsier.place(instance, content, path, exact, source, mtime, "
	               "allow, deny, stream) SELECT $1, content, path, exact, source, mtime, "
	               "allow, "
	               "deny, stream "
	               "FROM " PLACE_COME " ON CONFLICT DO NOTHING",
	               &out->places_come, error) &&
	       pg_run(t, "COMMIT", 0, NULL, NULL, error);
}

static bool pg_count_differences(ExportTarget *t, ExportDifferences *out, GError **error)
{
	return pg_count(t, "SELECT count(*) FROM " PLACE_GONE, &out->places_gone, error) &&
	       pg_count(t, "SELECT count(*) FROM " DOCUMENT_GONE, &out->documents_gone, error) &&
	       pg_count(t, "SELECT count(*) FROM " PLACE_COME, &out->places_come, error);
}

static bool pg_compare(ExportTarget *t, ExportDifferences *out, GError **error)
{
	if (!pg_begin_copy(t, error) || !pg_end_copy(t, error) ||
	        !pg_run(t, tables_sql, 0, NULL, NULL, error))
		return false;
	t->compared = true;
	bool ok = t->verify ? pg_count_differences(t, out, error) : pg_apply(t, out, error);
	return ok && pg_count(t, "SELECT count(*) FROM " DOCUMENT_MISSING, &out->documents_missing,
	                     error);
}

static bool pg_read_missing(ExportTarget *t, GError **error)
{
	g_autofree char *after = g_strdup_printf("%" G_GINT64_FORMAT, t->last);
	const char *values[] = {t->instance, after};
	PGresult *result;
	g_array_set_size(t->missing, 0);
	t->next = 0;
	if (!pg_run(t,
	            "SELECT DISTINCT s.content FROM " DOCUMENT_MISSING
	            " AND s.content > $2::bigint ORDER BY s.content LIMIT 1000",
	            2, values, &result, error))
		return false;
	for (int i = 0; i < PQntuples(result); i++) {
		t->last = g_ascii_strtoll(PQgetvalue(result, i, 0), NULL, 10);
		g_array_append_val(t->missing, t->last);
	}
	PQclear(result);
	return true;
}

static int pg_next_missing(ExportTarget *t, int64_t *content_r, GError **error)
{
	if (t->next >= t->missing->len && t->compared && !pg_read_missing(t, error))
		return -1;
	if (t->next >= t->missing->len)
		return 0;
	*content_r = g_array_index(t->missing, int64_t, t->next++);
	return 1;
}

/* ---- documents */

/* Sends the batch, which is a transaction of its own, and does not wait for it: the server works
 * while the next documents are converted. */
static bool pg_send_batch(ExportTarget *t, GError **error)
{
	const char *values[] = {t->instance, t->batch->str, t->first ? "true" : "false"};
	if (t->n_batch == 0)
		return true;
	if (!pg_take_batch(t, error))
		return false;
	t->sent = PQsendQueryParams(t->db, "SELECT tarsier.put_documents($1, $2, $3::boolean)", 3,
	                  NULL, values, NULL, NULL, 0) == 1;
	g_string_truncate(t->batch, 0);
	t->n_batch = 0;
	return t->sent || pg_fail(t, error);
}

/* Documents that were put before are committed first: this is a transaction of its own. */
static bool pg_change(ExportTarget *t, const GPtrArray *lines, GArray *missing, GError **error)
{
	g_autoptr(GString) all = g_string_new("[");
	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(all, "%s%s", i > 0 ? "," : "", (char *)lines->pdata[i]);
	g_string_append_c(all, ']');
	const char *values[] = {t->instance, all->str};
	PGresult *result;
	if (!pg_send_batch(t, error) ||
	        !pg_run(t, "SELECT tarsier.put_contents($1, $2::jsonb)", 2, values, &result, error))
		return false;
	for (int i = 0; i < PQntuples(result); i++) {
		int64_t content = g_ascii_strtoll(PQgetvalue(result, i, 0), NULL, 10);
		g_array_append_val(missing, content);
	}
	PQclear(result);
	return true;
}

static bool pg_put(ExportTarget *t, int64_t document, const char *line, GError **error)
{
	g_string_append(t->batch, line);
	t->n_batch++;
	return (t->batch->len < BATCH_BYTES && t->n_batch < BATCH_MOST) || pg_send_batch(t, error);
}

static uint64_t pg_refused(const ExportTarget *t)
{
	return t->refused;
}

static bool pg_end(ExportTarget *t, int64_t seq, GError **error)
{
	g_autofree char *number = seq >= 0 ? g_strdup_printf("%" G_GINT64_FORMAT, seq) : NULL;
	const char *values[] = {t->instance, number};
	return pg_send_batch(t, error) &&
	       pg_run(t,
	               "UPDATE tarsier.instance SET ended = now(), seq = $2::bigint "
	               "WHERE instance = $1",
	               2, values, NULL, error) &&
	       pg_end_first(t, error);
}

/* ---- searching */

enum { SEARCH_COLUMNS = 1 + N_HIT_VALUES };

/* In the order of HitValue. */
static const char find_sql[] =
        "SELECT total, path, source, copies, member, kind, mime, title, author, lang, date, mtime, "
        "size, state, pages, seconds, score, snippet, host FROM "
        "tarsier.find($1::jsonb, $2::int, $3::int)";

typedef struct {
	ExportTarget *target;
	ExportHitFunc f;
	void *data;
	char **total_r;
	bool ok; /* false: error is set */
	GError **error;
} PgSearch;

static bool pg_search_fail(ExportTarget *t, const PGresult *result, GError **error)
{
	static const char *const lacks[] = {
	        "42883", "3F000", "42P01", NULL}; /* function, schema, table */
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	if (state && g_strv_contains(lacks, state))
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("the database has no search of this version of Tarsier; its owner makes "
		          "it by \"tarsier export --setup\""));
	else if (g_strcmp0(state, "57014") == 0)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("the search took longer than %d seconds"), EXPORT_SEARCH_SECONDS);
	else
		return pg_fail(t, error);
	return false;
}

static void pg_take_row(PgSearch *search, const PGresult *result)
{
	const char *values[N_HIT_VALUES];
	if (!*search->total_r)
		*search->total_r = g_strdup(PQgetvalue(result, 0, 0));
	for (int i = 0; i < N_HIT_VALUES; i++)
		values[i] = PQgetisnull(result, 0, i + 1) ? NULL : PQgetvalue(result, 0, i + 1);
	if (values[HIT_PATH]) /* else the page is empty */
		search->ok = search->f(values, search->data, search->error);
}

/* Takes a row, or the end of them. */
static void pg_take_result(PgSearch *search, const PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);
	bool known = PQnfields(result) == SEARCH_COLUMNS;
	if (!search->ok || status == PGRES_COMMAND_OK || (status == PGRES_TUPLES_OK && known))
		return;
	if (status == PGRES_SINGLE_TUPLE && known && PQntuples(result) == 1)
		pg_take_row(search, result);
	else if (status == PGRES_FATAL_ERROR)
		search->ok = pg_search_fail(search->target, result, search->error);
	else {
		search->ok = false;
		g_set_error(search->error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("malformed answer of the target: %s"), "table");
	}
}

/* Waits until the server has sent more. */
static bool pg_wait(ExportTarget *t, int64_t deadline_us, GError **error)
{
	struct pollfd fd = {.fd = PQsocket(t->db), .events = POLLIN};
	int64_t left_us = deadline_us - g_get_monotonic_time();
	int ready = left_us > 0 ? poll(&fd, 1, (int)(left_us / 1000) + 1) : 0;
	if (ready == 0)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("the target did not answer within %d seconds"), EXPORT_SEARCH_SECONDS);
	else if (PQconsumeInput(t->db) == 1)
		return true;
	else
		pg_fail(t, error);
	return false;
}

/* Takes all results of the command that was sent. */
static bool pg_take_results(PgSearch *search, int64_t deadline_us)
{
	PGresult *result;
	do {
		while (search->ok && PQisBusy(search->target->db))
			search->ok = pg_wait(search->target, deadline_us, search->error);
		result = search->ok ? PQgetResult(search->target->db) : NULL;
		if (result)
			pg_take_result(search, result);
		PQclear(result);
	} while (result && search->ok);
	return search->ok;
}

static bool pg_search(ExportTarget *t, const ExportSearch *search, ExportAnswer *answer,
        ExportHitFunc f, void *data, GError **error)
{
	g_autofree char *most = g_strdup_printf("%u", search->most);
	g_autofree char *skip = g_strdup_printf("%u", search->skip);
	const char *values[] = {search->query, most, skip};
	PgSearch run = {t, f, data, &answer->total, true, error};
	/* the server stops first, and says so */
	int64_t deadline_us = g_get_monotonic_time() + (EXPORT_SEARCH_SECONDS + 2) * G_USEC_PER_SEC;
	G_STATIC_ASSERT(EXPORT_SEARCH_SECONDS == 30);
	if (PQsendQuery(t->db, "SET statement_timeout = '30s'") != 1)
		return pg_fail(t, error);
	if (!pg_take_results(&run, deadline_us))
		return false;
	if (PQsendQueryParams(t->db, find_sql, 3, NULL, values, NULL, NULL, 0) != 1 ||
	        PQsetSingleRowMode(t->db) != 1)
		return pg_fail(t, error);
	return pg_take_results(&run, deadline_us);
}

extern const ExportTargetFunctions export_target;
const ExportTargetFunctions export_target = {
        .version = EXPORT_TARGET_VERSION,
        .open = pg_open,
        .begin = pg_begin,
        .begin_first = pg_begin_first,
        .close = pg_close,
        .see = pg_see,
        .compare = pg_compare,
        .change = pg_change,
        .next_missing = pg_next_missing,
        .put = pg_put,
        .refused = pg_refused,
        .end = pg_end,
        .wants_words = true,
        .search = pg_search,
};
