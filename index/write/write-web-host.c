/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-web-host.c - rows of sources and hosts
 *
 * The plan of a host is a blob of two doubles, as their 64 bits in big-endian order, a number of
 * 32 bits, and pairs of floats of 32 bits: one for each class of pages, and the mean of all pages.
 * The last pairs are left out if they are zero. */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/write/writer-web.h"
#include <math.h>
#include <string.h>

enum {
	PLAN_BYTES = 2 * 8 + 4,
	PAIR_BYTES = 2 * 4,
	MEAN_AT = PLAN_BYTES + WEB_BURSTS * PAIR_BYTES,
	PLAN_MOST = MEAN_AT + PAIR_BYTES
};

#define MEAN_MOST 1e15F /* thousands of visits, thousands of years apart */

static void pack_double(uint8_t *at, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	bits = GUINT64_TO_BE(bits);
	memcpy(at, &bits, sizeof bits);
}

/* The file may hold any bits: a value that is not a positive number counts as 0. */
static double unpack_double(const uint8_t *at)
{
	uint64_t bits;
	double value;
	memcpy(&bits, at, sizeof bits);
	bits = GUINT64_FROM_BE(bits);
	memcpy(&value, &bits, sizeof value);
	return isfinite(value) && value > 0 ? value : 0;
}

static void pack_float(uint8_t *at, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	bits = GUINT32_TO_BE(bits);
	memcpy(at, &bits, sizeof bits);
}

/* A value that is not a number counts as 0. */
static float unpack_float(const uint8_t *at, float least, float most)
{
	uint32_t bits;
	float value;
	memcpy(&bits, at, sizeof bits);
	bits = GUINT32_FROM_BE(bits);
	memcpy(&value, &bits, sizeof value);
	return isfinite(value) ? CLAMP(value, least, most) : 0;
}

/* Returns the bytes. */
static unsigned pack_plan(const WebPlanRow *plan, uint8_t out[PLAN_MOST])
{
	unsigned bytes = PLAN_BYTES;
	uint32_t sources = GUINT32_TO_BE(plan->sources);
	pack_double(out, plan->price);
	pack_double(out + 8, plan->weight);
	memcpy(out + 16, &sources, sizeof sources);
	memset(out + PLAN_BYTES, 0, PLAN_MOST - PLAN_BYTES);
	for (unsigned i = 0; i < WEB_BURSTS; i++) {
		uint8_t *at = out + PLAN_BYTES + i * PAIR_BYTES;
		pack_float(at, plan->bursts[i].log);
		pack_float(at + 4, plan->bursts[i].information);
		if (plan->bursts[i].information > 0)
			bytes = PLAN_BYTES + (i + 1) * PAIR_BYTES;
	}
	pack_float(out + MEAN_AT, plan->mean.changes);
	pack_float(out + MEAN_AT + 4, plan->mean.seconds);
	return plan->mean.seconds > 0 ? PLAN_MOST : bytes;
}

static void unpack_plan(sqlite3_stmt *row, int column, WebPlanRow *plan)
{
	const uint8_t *bytes = sqlite3_column_blob(row, column);
	uint32_t sources;
	*plan = (WebPlanRow){0};
	int length = sqlite3_column_bytes(row, column);
	if (!bytes || length < PLAN_BYTES || length > PLAN_MOST)
		return;
	memcpy(&sources, bytes + 16, sizeof sources);
	*plan = (WebPlanRow){.price = unpack_double(bytes),
	        .weight = unpack_double(bytes + 8),
	        .sources = GUINT32_FROM_BE(sources)};
	for (int i = 0; i < WEB_BURSTS && PLAN_BYTES + (i + 1) * PAIR_BYTES <= length; i++) {
		const uint8_t *at = bytes + PLAN_BYTES + i * PAIR_BYTES;
		plan->bursts[i].log = unpack_float(at, -8, 8);
		plan->bursts[i].information = unpack_float(at + 4, 0, 1e6F);
	}
	if (length < PLAN_MOST)
		return;
	plan->mean.changes = unpack_float(bytes + MEAN_AT, 0, MEAN_MOST);
	plan->mean.seconds = unpack_float(bytes + MEAN_AT + 4, 0, MEAN_MOST);
}

/* ---- sources */

bool writer_web_add_source(Writer *w, const WebSourceRow *row, int64_t *id_r, GError **error)
{
	if (!writer_change(w, error) ||
	        !statement_run(w, WEB_SOURCE_ADD,
	                VALUES(INT(row->host), TEXT(row->prefix), INT(row->pages_most),
	                        INT(row->depth_most), INT(row->bytes_most), INT(row->every_s)),
	                error))
		return false;
	return statement_int(
	        w, WEB_SOURCE_FIND, VALUES(INT(row->host), TEXT(row->prefix)), 0, id_r, error);
}

bool writer_web_each_source(Writer *w, WebSourceFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_SOURCE_LIST, NULL, 0, error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		g_autofree char *prefix = row_name(row, 2);
		const WebSourceRow source = {sqlite3_column_int64(row, 0),
		        sqlite3_column_int64(row, 1), prefix, row_web_amount(row, 3),
		        row_web_amount(row, 4), row_web_amount(row, 5), row_web_amount(row, 6),
		        row_web_amount(row, 7), row_web_amount(row, 8), row_web_amount(row, 9)};
		func(&source, data);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_count_source(Writer *w, const WebSourceRow *row, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_SOURCE_COUNT,
	               VALUES(INT(row->id), INT(row->urls), INT(row->pages), INT(row->bytes)),
	               error);
}

/* ---- hosts */

bool writer_web_host(Writer *w, const char *name, int64_t *id_r, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_HOST_ADD, VALUES(TEXT(name)), error) &&
	       statement_int(w, WEB_HOST_FIND, VALUES(TEXT(name)), 0, id_r, error);
}

static void read_address(sqlite3_stmt *row, int column, WebHostRow *host)
{
	const void *bytes = sqlite3_column_blob(row, column);
	int length = sqlite3_column_bytes(row, column);
	if (!bytes || (length != 4 && length != 16))
		return;
	memcpy(host->address, bytes, length);
	host->address_length = length;
}

static WebHostRow read_host(sqlite3_stmt *row)
{
	WebHostRow host = {.id = sqlite3_column_int64(row, 0),
	        .name = row_name(row, 1),
	        .next_ms = row_web_amount(row, 3),
	        .wait_ms = row_web_amount(row, 4),
	        .server_ms = row_web_amount(row, 5),
	        .server_wait_ms = row_web_amount(row, 6),
	        .feed_ms = row_web_amount(row, 7),
	        .delay_ms = row_web_amount(row, 8),
	        .backoff = CLAMP(sqlite3_column_int64(row, 9), 0, 255),
	        .robots = CLAMP(sqlite3_column_int64(row, 10), 0, N_WEB_ROBOTS - 1),
	        .robots_s = row_web_amount(row, 11),
	        .has_asked = sqlite3_column_type(row, 12) == SQLITE_INTEGER,
	        .asked = sqlite3_column_int64(row, 12),
	        .asked_ms = row_web_amount(row, 13),
	        .day_most = row_web_amount(row, 14)};
	read_address(row, 2, &host);
	unpack_plan(row, 15, &host.plan);
	return host;
}

bool writer_web_each_host(Writer *w, WebHostFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_HOST_LIST, NULL, 0, error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		WebHostRow host = read_host(row);
		func(&host, data);
		g_free(host.name);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_set_host(Writer *w, const WebHostRow *h, GError **error)
{
	const Value none = {.kind = VALUE_NULL};
	uint8_t plan[PLAN_MOST];
	unsigned plan_bytes = pack_plan(&h->plan, plan);
	return writer_change(w, error) &&
	       statement_run(w, WEB_HOST_SET,
	               VALUES(INT(h->id),
	                       h->address_length ? BLOB(h->address, h->address_length) : none,
	                       INT(h->next_ms), INT(h->wait_ms), INT(h->server_ms),
	                       INT(h->server_wait_ms), INT(h->feed_ms), INT(h->delay_ms),
	                       INT(h->backoff), INT(h->robots), INT(h->robots_s),
	                       h->has_asked ? INT(h->asked) : none, INT(h->asked_ms),
	                       INT(h->day_most),
	                       h->plan.sources > 0 ? BLOB(plan, plan_bytes) : none),
	               error);
}
