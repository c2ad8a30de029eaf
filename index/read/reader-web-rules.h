/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-web-rules.h - the URL rules of sources, and the pages that aliases stand for */
#pragma once
#include "index/read/reader.h"

/* A row of web_rule (index/store/schema.sql). A value of a damaged index that is not a number
 * counts as SQLite converts it. */
typedef struct {
	unsigned kind; /* DustKind */
	bool at_start, at_end;
	char *from;
	char *to; /* NULL: it is removed */
	int64_t support, tried, equal, saved;
	unsigned state; /* 0: candidate, 1: valid, 2: refuted */
	int64_t tested_s;
} WebRuleStats;

/* The rules of the source with the longest prefix of a path, in the order in which they are
 * applied. GArray of WebRuleStats, which the caller unrefs; *known_r: there is such a source. NULL
 * with INDEX_ERROR. */
GArray *reader_web_rules(
        Reader *r, const char *origin, const char *path, bool *known_r, GError **error);

/* The URL of the page that an alias stands for; NULL: it is none. A transaction is open. The caller
 * frees it. */
char *reader_web_other(Reader *r, const char *url);
/* The same in a transaction of its own. */
bool reader_web_alias(Reader *r, const char *url, char **other_r, GError **error);
