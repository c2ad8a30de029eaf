/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-web-rule.c - rows of URL rules, and the prints of pages that they are learned from */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/write/writer-web-rules.h"
#include <string.h>

enum { STARTS = 1, ENDS = 2 };

void web_rule_row_clear(WebRuleRow *row)
{
	g_clear_pointer(&row->from, g_free);
	g_clear_pointer(&row->to, g_free);
}

/* ---- rules */

static char *rule_text(sqlite3_stmt *row, int column)
{
	return g_strdup((const char *)sqlite3_column_text(row, column));
}

static void rule_of_row(sqlite3_stmt *row, int64_t source, WebRuleRow *out)
{
	int64_t ends = sqlite3_column_int64(row, 2);
	*out = (WebRuleRow){.id = sqlite3_column_int64(row, 0),
	        .source = source,
	        .kind = (unsigned)CLAMP(sqlite3_column_int64(row, 1), 0, 255),
	        .at_start = ends & STARTS,
	        .at_end = ends & ENDS,
	        .from = rule_text(row, 3),
	        .to = rule_text(row, 4),
	        .support = row_web_amount(row, 5),
	        .tried = row_web_amount(row, 6),
	        .equal = row_web_amount(row, 7),
	        .state = CLAMP(sqlite3_column_int64(row, 8), 0, N_WEB_RULE_STATES - 1),
	        .saved = row_web_amount(row, 9),
	        .tested_s = row_web_amount(row, 10)};
	if (!out->from)
		out->from = g_strdup("");
}

bool writer_web_rules(Writer *w, int64_t source, GArray *rules, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_RULE_LIST, VALUES(INT(source)), error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW && rules->len < WEB_RULES_MOST) {
		WebRuleRow rule;
		rule_of_row(row, source, &rule);
		g_array_append_val(rules, rule);
	}
	if (!row || (result != SQLITE_DONE && result != SQLITE_ROW))
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_put_rule(Writer *w, const WebRuleRow *r, GError **error)
{
	if (!writer_change(w, error))
		return false;
	if (r->id != 0)
		return statement_run(w, WEB_RULE_SET,
		        VALUES(INT(r->id), INT(r->support), INT(r->tried), INT(r->equal),
		                INT(r->state), INT(r->tested_s)),
		        error);
	return statement_run(w, WEB_RULE_ADD,
	        VALUES(INT(r->source), INT(r->kind),
	                INT((r->at_start ? STARTS : 0) | (r->at_end ? ENDS : 0)), TEXT(r->from),
	                TEXT(r->to), INT(r->support), INT(r->tried), INT(r->equal), INT(r->state),
	                INT(r->tested_s)),
	        error);
}

bool writer_web_count_saved(Writer *w, int64_t rule, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_RULE_SAVED, VALUES(INT(rule)), error);
}

/* ---- lessons */

bool writer_web_lesson(Writer *w, int64_t source, WebLesson *lesson_r, GError **error)
{
	sqlite3_stmt *row;
	*lesson_r = (WebLesson){0};
	int found = statement_row(w, WEB_LESSON_GET, VALUES(INT(source)), &row, error);
	if (found <= 0)
		return found == 0;
	*lesson_r = (WebLesson){row_web_amount(row, 0), sqlite3_column_int64(row, 1) != 0};
	sqlite3_reset(row);
	return true;
}

bool writer_web_set_lesson(Writer *w, int64_t source, const WebLesson *lesson, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_LESSON_SET,
	               VALUES(INT(source), INT(lesson->pages), INT(lesson->walk)), error);
}

/* ---- prints */

static void print_of_row(sqlite3_stmt *row, WebPrint *out)
{
	const void *sum = sqlite3_column_blob(row, 5), *bits = sqlite3_column_blob(row, 6);
	*out = (WebPrint){.inode = sqlite3_column_int64(row, 0),
	        .place = {.file = CLAMP(sqlite3_column_int64(row, 1), 0, UINT32_MAX),
	                .offset = MAX(0, sqlite3_column_int64(row, 2))},
	        .url = (const char *)sqlite3_column_text(row, 3),
	        .size = row_web_amount(row, 4)};
	if (sum && sqlite3_column_bytes(row, 5) == sizeof out->sum)
		memcpy(&out->sum, sum, sizeof out->sum);
	out->has_near = bits && sqlite3_column_bytes(row, 6) == NEAR_PRINT_BYTES;
	if (out->has_near)
		near_unpack(bits, &out->near);
}

bool writer_web_prints(Writer *w, int64_t source, WebPrint *after, unsigned n, unsigned *n_r,
        WebPrintFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_PRINT_AFTER,
	        VALUES(INT(source), INT(after->place.file), INT(after->place.offset),
	                INT(after->inode), INT(WEB_PAGE_ITEM), INT(n)),
	        error);
	*n_r = 0;
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		print_of_row(row, after);
		++*n_r;
		if (after->url)
			func(after, data);
		after->url = NULL;
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

int writer_web_print(Writer *w, int64_t source, const char *url, WebPrint *print_r, GError **error)
{
	Entry known;
	sqlite3_stmt *row;
	int found = writer_web_find_page(w, source, url, &known, error);
	if (found <= 0)
		return found;
	found = statement_row(w, WEB_PRINT_OF_INODE, VALUES(INT(known.inode)), &row, error);
	if (found <= 0)
		return found;
	print_of_row(row, print_r);
	print_r->url = NULL;
	sqlite3_reset(row);
	return 1;
}
