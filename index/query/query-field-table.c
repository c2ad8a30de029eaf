/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-field-table.c - the fields of the language: their names, and what they compare */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/columns.h"
#include <string.h>

#define TEXT(name, scope)                                                                          \
	{                                                                                          \
		name, true, scope, N_FILTERS                                                       \
	}
#define FILTER(name, filter)                                                                       \
	{                                                                                          \
		name, false, N_SCOPES, filter                                                      \
	}

/* Of several names of a field, the first is the one that Tarsier writes. */
static const QueryField fields[] = {
        TEXT("title", SCOPE_TITLE),
        TEXT("subject", SCOPE_TITLE),
        TEXT("caption", SCOPE_TITLE),
        TEXT("author", SCOPE_AUTHOR),
        TEXT("from", SCOPE_AUTHOR),
        TEXT("to", SCOPE_TO),
        TEXT("cc", SCOPE_CC),
        TEXT("keyword", SCOPE_KEYWORD),
        TEXT("tag", SCOPE_KEYWORD),
        TEXT("heading", SCOPE_HEADING),
        TEXT("body", SCOPE_BODY),
        TEXT("anchor", SCOPE_ANCHOR),
        TEXT("filename", SCOPE_FILENAME),
        TEXT("name", SCOPE_FILENAME),
        TEXT("comment", SCOPE_COMMENT),
        FILTER("ext", FILTER_EXT),
        FILTER("mime", FILTER_MIME),
        FILTER("type", FILTER_TYPE),
        FILTER("dir", FILTER_DIR),
        FILTER("in", FILTER_IN),
        FILTER("date", FILTER_DATE),
        FILTER("modified", FILTER_MODIFIED),
        FILTER("size", FILTER_SIZE),
        FILTER("duration", FILTER_DURATION),
        FILTER("pages", FILTER_PAGES),
        FILTER("owner", FILTER_OWNER),
        FILTER("is", FILTER_IS),
        FILTER("lang", FILTER_LANG),
        FILTER("sum", FILTER_SUM),
        FILTER("group", FILTER_GROUP),
        FILTER("perm", FILTER_PERM),
        FILTER("created", FILTER_CREATED),
        FILTER("sent", FILTER_SENT),
        FILTER("has", FILTER_HAS),
        FILTER("dup", FILTER_DUP),
        FILTER("near", FILTER_NEAR),
        FILTER("related", FILTER_RELATED),
        FILTER("thread", FILTER_THREAD),
        FILTER("site", FILTER_SITE),
        FILTER("source", FILTER_SOURCE),
        FILTER("url", FILTER_URL),
        FILTER("inurl", FILTER_INURL),
        FILTER("saved", FILTER_SAVED),
};

const QueryField *query_field_find(const char *name, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (strlen(fields[i].name) == length &&
		        g_ascii_strncasecmp(fields[i].name, name, length) == 0)
			return &fields[i];
	return NULL;
}

const char *query_scope_name(QueryScope scope)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (fields[i].scope == scope)
			return fields[i].name;
	return NULL;
}

const char *query_filter_name(QueryFilter filter)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (fields[i].filter == filter)
			return fields[i].name;
	return NULL;
}

int query_scope_column(QueryScope scope)
{
	static const struct {
		QueryScope scope;
		TextColumn column;
	} columns[] = {{SCOPE_TITLE, COLUMN_TITLE}, {SCOPE_AUTHOR, COLUMN_AUTHOR},
	        {SCOPE_TO, COLUMN_RECIPIENT}, {SCOPE_CC, COLUMN_CC},
	        {SCOPE_KEYWORD, COLUMN_KEYWORD}, {SCOPE_HEADING, COLUMN_HEADING},
	        {SCOPE_BODY, COLUMN_BODY}, {SCOPE_FILENAME, COLUMN_MEMBER},
	        {SCOPE_COMMENT, COLUMN_COMMENT}};
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		if (columns[i].scope == scope)
			return columns[i].column;
	return -1;
}

/* Optimal string alignment distance: insert, delete, replace, swap neighbours. Both at most 15
 * bytes. */
static unsigned edit_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[16][16];
	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			bool same = g_ascii_tolower(a[i - 1]) == b[j - 1];
			d[i][j] = MIN(d[i - 1][j - 1] + !same, MIN(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && g_ascii_tolower(a[i - 1]) == b[j - 2] &&
			        a[i - 2] == b[j - 1])
				d[i][j] = MIN(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

const char *query_field_suggest(const char *name, size_t length)
{
	const char *best = NULL;
	unsigned nearest = 3;
	for (size_t i = 0; i < G_N_ELEMENTS(fields) && length < 16; i++) {
		if (length < 3)
			continue;
		unsigned distance =
		        edit_distance(name, length, fields[i].name, strlen(fields[i].name));
		if (distance < nearest && 2 * distance <= length) {
			nearest = distance;
			best = fields[i].name;
		}
	}
	return best;
}

bool query_is_date(QueryFilter filter)
{
	return filter == FILTER_DATE || filter == FILTER_MODIFIED || filter == FILTER_CREATED ||
	       filter == FILTER_SENT;
}

bool query_is_number(QueryFilter filter)
{
	return filter == FILTER_SIZE || filter == FILTER_DURATION || filter == FILTER_PAGES;
}
