/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/partition-database.h"
#include "fetch/partition-statements.h"
#include <libpq-fe.h>
#include <stdint.h>
#include <string.h>

enum { FORMAT = 1, NEWS_MOST = 2000, LOAD_MOST = 500 };

struct PartitionDatabase {
	PGconn *db; /* NULL: not open */
	char *id, *session;
	PartitionFailure failure; /* of the message in progress */
	char *error; /* NULL: the one of the connection */
};

PartitionDatabase *partition_database_new(void)
{
	return g_new0(PartitionDatabase, 1);
}

static void database_close(PartitionDatabase *d)
{
	g_clear_pointer(&d->db, PQfinish);
	g_clear_pointer(&d->id, g_free);
	g_clear_pointer(&d->session, g_free);
}

void partition_database_free(PartitionDatabase *d)
{
	database_close(d);
	g_free(d->error);
	g_free(d);
}

/* ---- values */

/* An array in PostgreSQL's text form. */
typedef GString PgArray;

static PgArray *array_new(void)
{
	return g_string_new("{");
}

static void array_separate(PgArray *array)
{
	if (array->len > 1)
		g_string_append_c(array, ',');
}

static void array_add_text(PgArray *array, const char *text)
{
	array_separate(array);
	g_string_append_c(array, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			g_string_append_c(array, '\\');
		g_string_append_c(array, *text);
	}
	g_string_append_c(array, '"');
}

static void array_add_number(PgArray *array, int64_t number)
{
	array_separate(array);
	g_string_append_printf(array, "%" G_GINT64_FORMAT, number);
}

static void array_add_real(PgArray *array, double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	array_separate(array);
	g_string_append(array, g_ascii_dtostr(text, sizeof text, number));
}

static const char *array_end(PgArray *array)
{
	if (array->str[array->len - 1] != '}' || array->len == 1)
		g_string_append_c(array, '}');
	return array->str;
}

static PgArray *array_of_texts(GVariant *texts)
{
	PgArray *array = array_new();
	GVariantIter iter;
	const char *text;
	g_variant_iter_init(&iter, texts);
	while (g_variant_iter_next(&iter, "&s", &text))
		array_add_text(array, text);
	array_end(array);
	return array;
}

static void array_free(PgArray *array)
{
	g_string_free(array, TRUE);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PgArray, array_free)

/* ---- statements */

static bool database_fail(PartitionDatabase *d, PartitionFailure failure, const char *error)
{
	if (d->failure == PARTITION_OK) {
		d->failure = failure;
		g_free(d->error);
		d->error = g_strdup(error);
	}
	return false;
}

/* Before it knows the encoding of the connection, a server writes in its own. */
static bool database_fail_by_server(PartitionDatabase *d)
{
	g_autofree char *why =
	        g_strstrip(g_utf8_make_valid(d->db ? PQerrorMessage(d->db) : "", -1));
	why[strcspn(why, "\n")] = '\0';
	return database_fail(d, PARTITION_AWAY, why);
}

/* NULL after an error. */
static PGresult *database_query(
        PartitionDatabase *d, const char *sql, int n, const char *const *values)
{
	PGresult *result = n > 0 ? PQexecParams(d->db, sql, n, NULL, values, NULL, NULL, 0)
	                         : PQexec(d->db, sql);
	ExecStatusType status = PQresultStatus(result);
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
		return result;
	database_fail_by_server(d);
	PQclear(result);
	return NULL;
}

static bool database_run(PartitionDatabase *d, const char *sql, int n, const char *const *values)
{
	PGresult *result = database_query(d, sql, n, values);
	PQclear(result);
	return result != NULL;
}

static int64_t result_number(const PGresult *result, int row, int column)
{
	return g_ascii_strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static double result_real(const PGresult *result, int row, int column)
{
	return g_ascii_strtod(PQgetvalue(result, row, column), NULL);
}

/* The connection is told to speak UTF-8; a server that does not is no reason to stop. */
static const char *result_text(const PGresult *result, int row, int column)
{
	const char *text = PQgetvalue(result, row, column);
	return g_utf8_validate(text, -1, NULL) ? text : "";
}

/* ---- opening */

static bool address_is_good(PartitionDatabase *d, const char *address)
{
	char *why = NULL;
	bool password = false;
	PQconninfoOption *options = PQconninfoParse(address, &why);
	if (!options) {
		database_fail(d, PARTITION_REFUSED, why ? g_strstrip(why) : address);
		PQfreemem(why);
		return false;
	}
	for (const PQconninfoOption *option = options; option->keyword; option++)
		password |= option->val && (strcmp(option->keyword, "password") == 0 ||
		                                   strcmp(option->keyword, "sslpassword") == 0);
	PQconninfoFree(options);
	return !password || database_fail(d, PARTITION_REFUSED,
	                            "a password belongs into ~/.pgpass, not into the address");
}

static bool database_connect(PartitionDatabase *d, const char *address)
{
	static const char *const names[] = {"dbname", "connect_timeout", "tcp_user_timeout",
	        "keepalives_idle", "client_encoding", "application_name", "gssencmode", NULL};
	const char *const values[] = {
	        address, "10", "15000", "10", "UTF8", "tarsier-partition", "disable", NULL};
	if (!address_is_good(d, address))
		return false;
	d->db = PQconnectdbParams(names, values, 1);
	if (!d->db || PQstatus(d->db) != CONNECTION_OK)
		return database_fail_by_server(d);
	if (PQserverVersion(d->db) < 130000)
		return database_fail(d, PARTITION_REFUSED, "PostgreSQL 13 or later is needed");
	return database_run(d, sql_prepare_session, 0, NULL);
}

static bool result_is_true(PartitionDatabase *d, const char *sql, bool *true_r)
{
	PGresult *result = database_query(d, sql, 0, NULL);
	if (!result)
		return false;
	*true_r = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
	PQclear(result);
	return true;
}

/* Two crawlers that come first may do this at the same time. */
static bool database_make_tables(PartitionDatabase *d)
{
	bool there = false;
	if (!result_is_true(d, sql_has_schema, &there) || there)
		return there;
	return database_run(d, "BEGIN", 0, NULL) && database_run(d, sql_lock_schema, 0, NULL) &&
	       database_run(d, partition_schema, 0, NULL) && database_run(d, "COMMIT", 0, NULL);
}

static bool database_begin_session(
        PartitionDatabase *d, const char *name, int64_t *lease_r, int64_t *mark_r)
{
	const char *const values[] = {d->session, d->id, name};
	PGresult *result = database_query(d, sql_setting, 0, NULL);
	if (!result)
		return false;
	bool known = PQntuples(result) == 1 && result_number(result, 0, 0) == FORMAT;
	*lease_r = known ? result_number(result, 0, 1) : 0;
	*mark_r = known ? result_number(result, 0, 2) : 0;
	PQclear(result);
	if (!known)
		return database_fail(
		        d, PARTITION_REFUSED, "the tables are of another version of Tarsier");
	return database_run(d, sql_begin_session, G_N_ELEMENTS(values), values);
}

static GVariant *database_open(PartitionDatabase *d, GVariant *body)
{
	const char *address, *id, *session, *name;
	int64_t lease = 0, mark = 0;
	g_variant_get(body, "(&s&s&s&s)", &address, &id, &session, &name);
	database_close(d);
	d->id = g_strdup(id);
	d->session = g_strdup(session);
	bool ok = database_connect(d, address) && database_make_tables(d) &&
	          database_begin_session(d, name, &lease, &mark);
	if (!ok)
		database_close(d);
	return g_variant_new(
	        PARTITION_OPENED_TYPE, d->failure, d->error ? d->error : "", lease, mark);
}

/* ---- URLs */

static char *host_of_origin(const char *origin)
{
	const char *host = strstr(origin, "://");
	host = host ? host + 3 : origin;
	const char *end = host + strlen(host);
	const char *colon = strrchr(host, ':');
	if (colon && !strchr(colon, ']'))
		end = colon;
	return g_strndup(host, end - host);
}

enum { URL_COLUMNS = 14 };

static void url_add_to_columns(GVariant *url, PgArray *columns[URL_COLUMNS])
{
	const char *origin, *path;
	int64_t hash, due, visited;
	uint8_t kind, priority, flags;
	uint32_t depth, status, failures;
	double changes, seconds;
	g_variant_get(url, "(&sx&syuyuyxxddu)", &origin, &hash, &path, &kind, &depth, &priority,
	        &status, &flags, &due, &visited, &changes, &seconds, &failures);
	g_autofree char *host = host_of_origin(origin);
	bool fresh = flags & PARTITION_URL_FRESH;
	unsigned n = 0;
	array_add_text(columns[n++], origin);
	array_add_number(columns[n++], hash);
	array_add_text(columns[n++], host);
	array_add_text(columns[n++], path);
	array_add_number(columns[n++], kind);
	array_add_number(columns[n++], depth);
	array_add_number(columns[n++], priority);
	array_add_number(columns[n++], status);
	array_add_number(columns[n++], flags);
	array_add_number(columns[n++], due);
	array_add_number(columns[n++], fresh ? 0 : MAX(visited, 1));
	array_add_real(columns[n++], changes);
	array_add_real(columns[n++], seconds);
	array_add_number(columns[n++], failures);
}

static bool put_urls(PartitionDatabase *d, GVariant *urls)
{
	PgArray *columns[URL_COLUMNS];
	const char *values[1 + URL_COLUMNS] = {d->id};
	if (g_variant_n_children(urls) == 0)
		return true;
	for (unsigned i = 0; i < URL_COLUMNS; i++)
		columns[i] = array_new();
	for (gsize i = 0; i < g_variant_n_children(urls); i++) {
		g_autoptr(GVariant) url = g_variant_get_child_value(urls, i);
		url_add_to_columns(url, columns);
	}
	for (unsigned i = 0; i < URL_COLUMNS; i++)
		values[1 + i] = array_end(columns[i]);
	bool ok = database_run(d, sql_note_obsolete, G_N_ELEMENTS(values), values) &&
	          database_run(d, sql_put_urls, G_N_ELEMENTS(values), values);
	for (unsigned i = 0; i < URL_COLUMNS; i++)
		array_free(columns[i]);
	return ok;
}

static void url_add_from_row(GVariantBuilder *urls, const PGresult *result, int row)
{
	g_variant_builder_add(urls, PARTITION_URL, result_text(result, row, 0),
	        result_number(result, row, 1), result_text(result, row, 2),
	        (guchar)result_number(result, row, 3), (guint32)result_number(result, row, 4),
	        (guchar)result_number(result, row, 5), (guint32)result_number(result, row, 6),
	        (guchar)result_number(result, row, 7), result_number(result, row, 8),
	        result_number(result, row, 9), result_real(result, row, 10),
	        result_real(result, row, 11), (guint32)result_number(result, row, 12));
}

/* Where there are more, the mark is the last transaction that was read in part. */
static bool add_news(PartitionDatabase *d, int64_t mark, int64_t *mark_r, GVariantBuilder *urls)
{
	g_autofree char *since = g_strdup_printf("%" G_GINT64_FORMAT, mark);
	const char *const values[] = {d->id, d->session, since};
	PGresult *result = database_query(d, sql_news, G_N_ELEMENTS(values), values);
	if (!result)
		return false;
	int n = PQntuples(result);
	for (int i = 0; i < n; i++)
		url_add_from_row(urls, result, i);
	if (n == NEWS_MOST)
		*mark_r = result_number(result, n - 1, 13);
	PQclear(result);
	return true;
}

/* ---- hosts */

static bool run_with_hosts(PartitionDatabase *d, const char *sql, GVariant *hosts)
{
	g_autoptr(PgArray) array = array_of_texts(hosts);
	const char *const values[] = {d->session, array->str};
	return g_variant_n_children(hosts) == 0 || database_run(d, sql, 2, values);
}

static bool set_wants(PartitionDatabase *d, GVariant *hosts)
{
	g_autoptr(PgArray) array = array_of_texts(hosts);
	const char *const names[] = {array->str};
	const char *const session[] = {d->session};
	return database_run(d, sql_drop_wants, 1, session) &&
	       database_run(d, sql_add_hosts, 1, names) && run_with_hosts(d, sql_add_wants, hosts);
}

static void add_texts(GVariantBuilder *texts, const PGresult *result)
{
	for (int i = 0; i < PQntuples(result); i++)
		g_variant_builder_add(texts, "s", result_text(result, i, 0));
}

enum { STATE_COLUMNS = 5 };

static bool set_states(PartitionDatabase *d, GVariant *states, GVariantBuilder *kept)
{
	PgArray *columns[STATE_COLUMNS];
	const char *values[1 + STATE_COLUMNS] = {d->session}, *host;
	GVariantIter iter;
	int64_t free_ms, wait_ms;
	uint32_t backoff, asking;
	if (g_variant_n_children(states) == 0)
		return true;
	for (unsigned i = 0; i < STATE_COLUMNS; i++)
		columns[i] = array_new();
	g_variant_iter_init(&iter, states);
	while (g_variant_iter_next(
	        &iter, "(&sxxuu)", &host, &free_ms, &wait_ms, &backoff, &asking)) {
		array_add_text(columns[0], host);
		array_add_number(columns[1], free_ms);
		array_add_number(columns[2], wait_ms);
		array_add_number(columns[3], backoff);
		array_add_number(columns[4], asking);
	}
	for (unsigned i = 0; i < STATE_COLUMNS; i++)
		values[1 + i] = array_end(columns[i]);
	PGresult *result = database_query(d, sql_set_states, G_N_ELEMENTS(values), values);
	for (unsigned i = 0; i < STATE_COLUMNS; i++)
		array_free(columns[i]);
	if (!result)
		return false;
	add_texts(kept, result);
	PQclear(result);
	return true;
}

/* ---- an exchange */

typedef struct {
	GVariantBuilder kept, crawlers, unwanted, free, held, news, obsolete;
	int64_t lease, mark;
} PartitionExchange;

static void exchange_init(PartitionExchange *exchange)
{
	*exchange = (PartitionExchange){0};
	g_variant_builder_init(&exchange->kept, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&exchange->crawlers, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&exchange->unwanted, G_VARIANT_TYPE("a(ss)"));
	g_variant_builder_init(&exchange->free, G_VARIANT_TYPE("a(sx)"));
	g_variant_builder_init(&exchange->held, G_VARIANT_TYPE("a(sxu)"));
	g_variant_builder_init(&exchange->news, G_VARIANT_TYPE("a" PARTITION_URL));
	g_variant_builder_init(&exchange->obsolete, G_VARIANT_TYPE("a(xss)"));
}

static bool exchange_renew(PartitionDatabase *d, int64_t serial, PartitionExchange *exchange)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, serial);
	const char *const values[] = {d->session, number};
	PGresult *result = database_query(d, sql_renew, 2, values);
	if (!result)
		return false;
	bool renewed = PQntuples(result) == 1;
	exchange->lease = renewed ? result_number(result, 0, 0) : 0;
	exchange->mark = renewed ? result_number(result, 0, 1) : 0;
	PQclear(result);
	return renewed || database_fail(d, PARTITION_LOST, "the lease has run out");
}

static bool exchange_forget_obsolete(PartitionDatabase *d, GVariant *numbers)
{
	g_autoptr(PgArray) array = array_new();
	GVariantIter iter;
	int64_t number;
	if (g_variant_n_children(numbers) == 0)
		return true;
	g_variant_iter_init(&iter, numbers);
	while (g_variant_iter_next(&iter, "x", &number))
		array_add_number(array, number);
	const char *const values[] = {array_end(array)};
	return database_run(d, sql_forget_obsolete, 1, values);
}

/* Tells of crawlers, hosts and obsolete pages. */
static bool exchange_survey(PartitionDatabase *d, PartitionExchange *exchange)
{
	const char *const session[] = {d->session}, *const id[] = {d->id};
	PGresult *crawlers = database_query(d, sql_crawlers, 0, NULL);
	PGresult *unwanted = crawlers ? database_query(d, sql_unwanted, 1, session) : NULL;
	PGresult *free = unwanted ? database_query(d, sql_free, 1, session) : NULL;
	PGresult *held = free ? database_query(d, sql_held, 1, session) : NULL;
	PGresult *obsolete = held ? database_query(d, sql_obsolete, 1, id) : NULL;
	if (obsolete)
		add_texts(&exchange->crawlers, crawlers);
	for (int i = 0; obsolete && i < PQntuples(unwanted); i++)
		g_variant_builder_add(&exchange->unwanted, "(ss)", result_text(unwanted, i, 0),
		        result_text(unwanted, i, 1));
	for (int i = 0; obsolete && i < PQntuples(free); i++)
		g_variant_builder_add(&exchange->free, "(sx)", result_text(free, i, 0),
		        result_number(free, i, 1));
	for (int i = 0; obsolete && i < PQntuples(held); i++)
		g_variant_builder_add(&exchange->held, "(sxu)", result_text(held, i, 0),
		        result_number(held, i, 1), (guint32)result_number(held, i, 2));
	for (int i = 0; obsolete && i < PQntuples(obsolete); i++)
		g_variant_builder_add(&exchange->obsolete, "(xss)", result_number(obsolete, i, 0),
		        result_text(obsolete, i, 1), result_text(obsolete, i, 2));
	bool ok = obsolete != NULL;
	PQclear(crawlers);
	PQclear(unwanted);
	PQclear(free);
	PQclear(held);
	PQclear(obsolete);
	return ok;
}

static bool exchange_run(PartitionDatabase *d, GVariant *body, PartitionExchange *exchange)
{
	int64_t serial, mark;
	gboolean survey, set_want;
	g_autoptr(GVariant) want = NULL, states = NULL, release = NULL, acquire = NULL;
	g_autoptr(GVariant) urls = NULL, obsolete = NULL;
	g_variant_get(body, "(xbb@as@a(sxxuu)@as@as@a" PARTITION_URL "x@ax)", &serial, &survey,
	        &set_want, &want, &states, &release, &acquire, &urls, &mark, &obsolete);
	return database_run(d, "BEGIN", 0, NULL) && exchange_renew(d, serial, exchange) &&
	       (!survey || database_run(d, sql_end_sessions, 0, NULL)) &&
	       (!set_want || set_wants(d, want)) && set_states(d, states, &exchange->kept) &&
	       put_urls(d, urls) && run_with_hosts(d, sql_release, release) &&
	       run_with_hosts(d, sql_acquire, acquire) && exchange_forget_obsolete(d, obsolete) &&
	       (!survey || (add_news(d, mark, &exchange->mark, &exchange->news) &&
	                           exchange_survey(d, exchange))) &&
	       database_run(d, "COMMIT", 0, NULL);
}

static GVariant *database_sync(PartitionDatabase *d, GVariant *body)
{
	PartitionExchange exchange;
	exchange_init(&exchange);
	if (!exchange_run(d, body, &exchange) && PQstatus(d->db) == CONNECTION_OK)
		PQclear(PQexec(d->db, "ROLLBACK"));
	return g_variant_new("(usxasasa(ss)a(sx)a(sxu)a" PARTITION_URL "xa(xss))", d->failure,
	        d->error ? d->error : "", exchange.lease, &exchange.kept, &exchange.crawlers,
	        &exchange.unwanted, &exchange.free, &exchange.held, &exchange.news, exchange.mark,
	        &exchange.obsolete);
}

static GVariant *database_load(PartitionDatabase *d, GVariant *body)
{
	g_autoptr(GVariant) hosts = NULL;
	GVariantBuilder urls;
	const char *origin;
	int64_t hash;
	g_variant_get(body, "(@as&sx)", &hosts, &origin, &hash);
	g_autoptr(PgArray) names = array_of_texts(hosts);
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, hash);
	const char *const values[] = {d->id, names->str, origin, number};
	g_variant_builder_init(&urls, G_VARIANT_TYPE("a" PARTITION_URL));
	PGresult *result = database_query(d, sql_load, G_N_ELEMENTS(values), values);
	int n = result ? PQntuples(result) : 0;
	for (int i = 0; i < n; i++)
		url_add_from_row(&urls, result, i);
	PQclear(result);
	return g_variant_new("(usba" PARTITION_URL ")", d->failure, d->error ? d->error : "",
	        n == LOAD_MOST, &urls);
}

static void database_bye(PartitionDatabase *d)
{
	const char *const values[] = {d->session};
	(void)(database_run(d, sql_bye, 1, values) && database_run(d, sql_end_session, 1, values));
}

GVariant *partition_database_serve(
        PartitionDatabase *d, PartitionKind kind, GVariant *body, PartitionKind *reply_r)
{
	d->failure = PARTITION_OK;
	g_clear_pointer(&d->error, g_free);
	if (kind == PARTITION_OPEN) {
		*reply_r = PARTITION_OPENED;
		return database_open(d, body);
	}
	if (d->db && kind == PARTITION_SYNC) {
		*reply_r = PARTITION_SYNCED;
		return database_sync(d, body);
	}
	if (d->db && kind == PARTITION_LOAD) {
		*reply_r = PARTITION_LOADED;
		return database_load(d, body);
	}
	if (d->db && kind == PARTITION_BYE)
		database_bye(d);
	return NULL;
}
