/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-web.c - rows of URLs and of the evidence of traps
 *
 * The visits of a URL are one blob, since each column costs a byte in each of a million rows:
 *
 *	4	moment of the last visit, seconds since 1970
 *	4 * 2	changes, seconds, interval, weight: the upper halves of single floats
 *	1	failures in turn
 *	1	1: there is an ETag, 8: one of nginx; 2: a Last-Modified as its moment, 4: as text;
 *		16: a change was seen
 *	2	seconds since a change was seen, in the same form, if one was (16)
 *	2, n	length of the ETag, and the ETag, if there is one that is not of nginx
 *	4 or n	the Last-Modified, if there is one
 *	1 to 4	the size in an ETag of nginx, without leading zeros
 *
 * all in big-endian order. A Last-Modified in the usual form is kept as its moment, from which the
 * same bytes are made again. nginx makes an ETag of that moment and the size of the file, both in
 * hexadecimal ("65a1b2c3-29cc"), from which it is made again too. */
#include <config.h>
#include "common/base/http-date.h"
#include "index/store/web-path.h"
#include "index/write/writer-private.h"
#include "index/write/writer-web.h"
#include <math.h>
#include <string.h>

int64_t row_web_amount(sqlite3_stmt *row, int column)
{
	return CLAMP(sqlite3_column_int64(row, column), 0, WEB_AMOUNT_MOST);
}

/* ---- the blob of the visits */

enum { HAS_ETAG = 1, HAS_MOMENT = 2, HAS_TEXT = 4, HAS_NGINX_ETAG = 8, HAS_CHANGE = 16 };
enum { NGINX_ETAG_BYTES = 24 };
enum { ALIAS_BYTES = 8 };
enum {
	HEAD_BYTES = 14,
	NUMBERS = 4,
	QUIET_BYTES = 2,
	VISIT_MOST = HEAD_BYTES + QUIET_BYTES + 2 + 2 * WEB_VALIDATOR_MOST
};

void web_visit_clear(WebVisit *visit)
{
	g_clear_pointer(&visit->etag, g_free);
	g_clear_pointer(&visit->modified, g_free);
}

void web_url_row_clear(WebUrlRow *row)
{
	g_clear_pointer(&row->path, g_free);
	web_visit_clear(&row->visit);
}

/* Rounds to the nearest number whose lower half is zero. */
static uint16_t pack_number(float number)
{
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	return (bits + 0x8000) >> 16;
}

/* The file may hold any bits: a value that is not a positive number counts as 0. */
static float unpack_number(uint16_t half)
{
	uint32_t bits = (uint32_t)half << 16;
	float number;
	memcpy(&number, &bits, sizeof number);
	return isfinite(number) && number > 0 ? number : 0;
}

float web_visit_rounded(float number)
{
	return unpack_number(pack_number(number));
}

static void visit_append_number(GByteArray *out, uint32_t number, unsigned bytes)
{
	uint32_t big = GUINT32_TO_BE(number);
	g_byte_array_append(out, (const uint8_t *)&big + 4 - bytes, bytes);
}

static unsigned number_bytes(uint32_t number)
{
	return number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 24 ? 3 : 4;
}

static uint32_t number_at(const uint8_t *at, unsigned bytes)
{
	uint32_t number = 0;
	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | at[i];
	return number;
}

/* Is the text what http_date_format() makes of the moment? */
static bool is_usual_date(const char *text, int64_t *moment_r)
{
	char again[HTTP_DATE_BYTES];
	return http_date_parse(text, 0, moment_r) && *moment_r >= 0 && *moment_r <= UINT32_MAX &&
	       http_date_format(*moment_r, again) && strcmp(text, again) == 0;
}

static void nginx_etag_write(char text[NGINX_ETAG_BYTES], int64_t moment, uint32_t size)
{
	g_snprintf(text, NGINX_ETAG_BYTES, "\"%" G_GINT64_MODIFIER "x-%x\"", moment, size);
}

/* Is the ETag what nginx makes of the moment and some size? */
static bool is_nginx_etag(const char *etag, int64_t moment, uint32_t *size_r)
{
	char again[NGINX_ETAG_BYTES];
	const char *dash = strchr(etag, '-');
	uint64_t size = dash ? g_ascii_strtoull(dash + 1, NULL, 16) : UINT64_MAX;
	if (size > UINT32_MAX)
		return false;
	*size_r = (uint32_t)size;
	nginx_etag_write(again, moment, *size_r);
	return strcmp(etag, again) == 0;
}

/* A validator that is too long is left out: the next request is not conditional. */
static bool is_kept(const char *validator)
{
	return validator && strlen(validator) <= WEB_VALIDATOR_MOST;
}

static GByteArray *pack_visit(const WebVisit *v)
{
	const float numbers[NUMBERS] = {v->changes, v->seconds, v->interval, v->weight};
	int64_t moment = 0;
	GByteArray *out = g_byte_array_sized_new(64);
	bool etag = is_kept(v->etag), modified = is_kept(v->modified);
	bool usual = modified && is_usual_date(v->modified, &moment);
	uint32_t size = 0;
	bool nginx = etag && usual && is_nginx_etag(v->etag, moment, &size);
	visit_append_number(out, CLAMP(v->visited_s, 0, UINT32_MAX), 4);
	for (unsigned i = 0; i < NUMBERS; i++)
		visit_append_number(out, pack_number(numbers[i]), 2);
	visit_append_number(out, MIN(v->failures, 255), 1);
	unsigned flags = nginx ? HAS_NGINX_ETAG : etag ? HAS_ETAG : 0;
	flags |= !modified ? 0 : usual ? HAS_MOMENT : HAS_TEXT;
	flags |= v->change_seen ? HAS_CHANGE : 0;
	visit_append_number(out, flags, 1);
	if (v->change_seen)
		visit_append_number(out, pack_number(v->quiet), QUIET_BYTES);
	if (etag && !nginx) {
		visit_append_number(out, strlen(v->etag), 2);
		g_byte_array_append(out, (const uint8_t *)v->etag, strlen(v->etag));
	}
	if (usual)
		visit_append_number(out, moment, 4);
	else if (modified)
		g_byte_array_append(out, (const uint8_t *)v->modified, strlen(v->modified));
	if (nginx)
		visit_append_number(out, size, number_bytes(size));
	return out;
}

static GByteArray *pack_alias(const WebUrlRow *u)
{
	GByteArray *out = g_byte_array_sized_new(ALIAS_BYTES);
	visit_append_number(out, (uint32_t)((uint64_t)u->alias_of >> 32), 4);
	visit_append_number(out, (uint32_t)u->alias_of, 4);
	return out;
}

static void unpack_nginx_etag(WebVisit *v, const uint8_t *at, unsigned size_bytes)
{
	char etag[NGINX_ETAG_BYTES];
	nginx_etag_write(etag, number_at(at, 4), number_at(at + 4, size_bytes));
	v->etag = g_strdup(etag);
}

static void unpack_validators(WebVisit *v, unsigned flags, const uint8_t *at, const uint8_t *end)
{
	char text[HTTP_DATE_BYTES];
	bool nginx = (flags & (HAS_NGINX_ETAG | HAS_ETAG)) == HAS_NGINX_ETAG;
	if (nginx && (flags & HAS_MOMENT) && end - at > 4 && end - at <= 8) {
		unpack_nginx_etag(v, at, end - at - 4);
		end = at + 4;
	}
	if (flags & HAS_ETAG) {
		if (end - at < 2 || end - at - 2 < (ptrdiff_t)number_at(at, 2))
			return;
		v->etag = g_strndup((const char *)at + 2, number_at(at, 2));
		at += 2 + number_at(at, 2);
	}
	if ((flags & HAS_MOMENT) && end - at == 4 && http_date_format(number_at(at, 4), text))
		v->modified = g_strdup(text);
	else if (flags & HAS_TEXT)
		v->modified = g_strndup((const char *)at, end - at);
}

/* A damaged visit counts as none. */
static void unpack_visit(sqlite3_stmt *row, int column, WebVisit *v)
{
	const uint8_t *at = sqlite3_column_blob(row, column);
	int length = sqlite3_column_bytes(row, column);
	float numbers[NUMBERS];
	*v = (WebVisit){0};
	if (!at || length < HEAD_BYTES || length > VISIT_MOST)
		return;
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = unpack_number(number_at(at + 4 + 2 * i, 2));
	*v = (WebVisit){.visited_s = number_at(at, 4),
	        .changes = numbers[0],
	        .seconds = numbers[1],
	        .interval = numbers[2],
	        .weight = numbers[3],
	        .failures = at[12]};
	v->change_seen = (at[13] & HAS_CHANGE) && length >= HEAD_BYTES + QUIET_BYTES;
	unsigned head = v->change_seen ? HEAD_BYTES + QUIET_BYTES : HEAD_BYTES;
	if (v->change_seen)
		v->quiet = unpack_number(number_at(at + HEAD_BYTES, QUIET_BYTES));
	unpack_validators(v, at[13], at + head, at + length);
}

/* ---- rows */

static Value due_value(const WebUrlRow *u)
{
	return u->is_over ? (Value){.kind = VALUE_NULL} : INT(u->due_s);
}

/* Before the first visit, the prior is used, if there is one. */
bool writer_web_add_url(Writer *w, const WebUrlRow *u, bool *new_r, GError **error)
{
	g_autoptr(GByteArray) visit = u->status == WEB_ALIAS ? pack_alias(u)
	                              : u->visit.seconds > 0 ? pack_visit(&u->visit)
	                                                     : NULL;
	g_autofree uint8_t *packed = g_malloc(strlen(u->path) + 1);
	size_t bytes = web_path_pack(u->path, packed);
	if (!writer_change(w, error) ||
	        !statement_run(w, WEB_URL_ADD,
	                VALUES(INT(u->host), INT(u->hash),
	                        bytes > 0 ? BLOB(packed, bytes) : TEXT(u->path), INT(u->kind),
	                        INT(u->priority), INT(u->depth), due_value(u),
	                        visit ? BLOB(visit->data, visit->len)
	                              : ((Value){.kind = VALUE_NULL}),
	                        INT(u->status)),
	                error))
		return false;
	*new_r = sqlite3_changes(w->db) > 0;
	return true;
}

bool writer_web_raise(Writer *w, int64_t host, int64_t hash, unsigned step, unsigned most,
        bool *raised_r, GError **error)
{
	if (!writer_change(w, error) ||
	        !statement_run(w, WEB_URL_RAISE, VALUES(INT(host), INT(hash), INT(most), INT(step)),
	                error))
		return false;
	*raised_r = sqlite3_changes(w->db) > 0;
	return true;
}

bool writer_web_is_ended(Writer *w, int64_t host, int64_t hash, bool *ended_r, GError **error)
{
	int64_t ended = 0;
	bool ok = statement_int(w, WEB_URL_ENDED, VALUES(INT(host), INT(hash)), 0, &ended, error);
	*ended_r = ended != 0;
	return ok;
}

/* Of an alias, the blob has the hash of the other URL. */
static int64_t row_alias(sqlite3_stmt *row, int column)
{
	const uint8_t *at = sqlite3_column_blob(row, column);
	if (!at || sqlite3_column_bytes(row, column) != ALIAS_BYTES)
		return 0;
	return (int64_t)((uint64_t)number_at(at, 4) << 32 | number_at(at + 4, 4));
}

static void url_of_row(sqlite3_stmt *row, int64_t host, int64_t hash, WebUrlRow *u)
{
	*u = (WebUrlRow){.host = host,
	        .hash = hash,
	        .path = web_path_of_column(row, 0),
	        .kind = CLAMP(sqlite3_column_int64(row, 1), 0, N_WEB_KINDS - 1),
	        .priority = CLAMP(sqlite3_column_int64(row, 2), 0, 255),
	        .depth = CLAMP(sqlite3_column_int64(row, 3), 0, INT_MAX),
	        .is_over = sqlite3_column_type(row, 4) == SQLITE_NULL,
	        .due_s = row_web_amount(row, 4),
	        .status = CLAMP(sqlite3_column_int64(row, 5), 0, 999)};
	if (u->status == WEB_ALIAS)
		u->alias_of = row_alias(row, 6);
	unpack_visit(row, 6, &u->visit);
}

int writer_web_get_url(Writer *w, int64_t host, int64_t hash, WebUrlRow *u, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, WEB_URL_GET, VALUES(INT(host), INT(hash)), &row, error);
	if (found <= 0)
		return found;
	url_of_row(row, host, hash, u);
	sqlite3_reset(row);
	return 1;
}

bool writer_web_urls_after(
        Writer *w, int64_t host, int64_t hash, unsigned n, GArray *urls, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row =
	        statement_bind(w, WEB_URL_AFTER, VALUES(INT(host), INT(hash), INT(n)), error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		WebUrlRow url;
		url_of_row(row, host, sqlite3_column_int64(row, 7), &url);
		g_array_append_val(urls, url);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_set_url(Writer *w, const WebUrlRow *u, GError **error)
{
	g_autoptr(GByteArray) visit =
	        u->status == WEB_ALIAS ? pack_alias(u) : pack_visit(&u->visit);
	return writer_change(w, error) &&
	       statement_run(w, WEB_URL_SET,
	               VALUES(INT(u->host), INT(u->hash), INT(u->priority), due_value(u),
	                       INT(u->status), BLOB(visit->data, visit->len)),
	               error);
}

static WebNext next_of_row(sqlite3_stmt *row)
{
	return (WebNext){.hash = sqlite3_column_int64(row, 0),
	        .due_s = row_web_amount(row, 1),
	        .priority = CLAMP(sqlite3_column_int64(row, 2), 0, 255),
	        .kind = CLAMP(sqlite3_column_int64(row, 3), 0, N_WEB_KINDS - 1),
	        .is_new = sqlite3_column_int64(row, 4) == 0};
}

bool writer_web_next(Writer *w, int64_t host, int64_t now_s, int64_t most_s, unsigned n,
        GArray *next, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(
	        w, WEB_URL_NEXT, VALUES(INT(host), INT(now_s), INT(most_s), INT(n)), error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		const WebNext one = next_of_row(row);
		g_array_append_val(next, one);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_each_next(
        Writer *w, int64_t host, int64_t most_s, WebNextFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	bool ok = true;
	sqlite3_stmt *row =
	        statement_bind(w, WEB_URL_EACH_NEXT, VALUES(INT(host), INT(most_s)), error);
	while (row && ok && (result = sqlite3_step(row)) == SQLITE_ROW) {
		WebNext one = next_of_row(row);
		g_autofree char *path = web_path_of_column(row, 5);
		ok = func(&one, path, data, error);
	}
	if (!row || (ok && result != SQLITE_DONE))
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return ok;
}

bool writer_web_each_visit(Writer *w, int64_t host, WebVisitFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_URL_VISITS, VALUES(INT(host)), error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		g_auto(WebUrlRow) url = {0};
		unpack_visit(row, 0, &url.visit);
		if (url.visit.interval > 0)
			func(url.visit.weight, data);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

/* ---- branches */

bool writer_web_branch(
        Writer *w, int64_t host, int64_t shape, unsigned *pages_r, unsigned *poor_r, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, WEB_BRANCH_GET, VALUES(INT(host), INT(shape)), &row, error);
	*pages_r = *poor_r = 0;
	if (found <= 0)
		return found == 0;
	*pages_r = CLAMP(sqlite3_column_int64(row, 0), 0, INT_MAX);
	*poor_r = CLAMP(sqlite3_column_int64(row, 1), 0, INT_MAX);
	sqlite3_reset(row);
	return true;
}

bool writer_web_count_branch(
        Writer *w, int64_t host, int64_t shape, unsigned pages, unsigned poor, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_BRANCH_COUNT,
	               VALUES(INT(host), INT(shape), INT(pages), INT(poor)), error);
}

bool writer_web_note_poor(Writer *w, int64_t host, int64_t shape, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_BRANCH_POOR, VALUES(INT(host), INT(shape)), error);
}
