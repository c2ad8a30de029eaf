/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer-web-rules.h - the rows of URL rules, and what they are learned from
 *
 * As the functions of writer-web.h, these open a transaction, which the caller commits, and return
 * false, or -1 where a number is returned, with INDEX_ERROR. daemon/web/web-lessons.c decides what
 * the rows mean. */
#pragma once
#include "index/text/near.h"
#include "index/write/writer-web.h"

typedef enum {
	WEB_RULE_CANDIDATE, /* likely, and not confirmed by enough pairs */
	WEB_RULE_VALID, /* it is applied */
	WEB_RULE_REFUTED, /* pages have shown that it is wrong; it is kept, so as not to be learned
	                     again */
	N_WEB_RULE_STATES
} WebRuleState;

/* A rule as DustRule has it (common/dust/dust.h), and its figures. */
typedef struct {
	int64_t id; /* 0: it has no row yet */
	int64_t source;
	unsigned kind; /* DustKind */
	bool at_start, at_end;
	char *from, *to;
	int64_t support, tried, equal, saved;
	WebRuleState state;
	int64_t tested_s;
} WebRuleRow;
void web_rule_row_clear(WebRuleRow *row);

enum { WEB_RULES_MOST = 256 /* of a source */ };
/* Appends the rules of a source in their order: WebRuleRow, which the caller clears. */
bool writer_web_rules(Writer *w, int64_t source, GArray *rules, GError **error);
/* Adds a rule, or writes support to equal, state and tested_s of a known one. */
bool writer_web_put_rule(Writer *w, const WebRuleRow *row, GError **error);
/* One more URL is not asked. */
bool writer_web_count_saved(Writer *w, int64_t rule, GError **error);

/* When rules were last learned of a source; all zero: never. */
typedef struct {
	int64_t pages; /* that it had then */
	bool walk; /* its URLs are to be compared with the rules */
} WebLesson;
bool writer_web_lesson(Writer *w, int64_t source, WebLesson *lesson_r, GError **error);
bool writer_web_set_lesson(Writer *w, int64_t source, const WebLesson *lesson, GError **error);

/* The text of a page that was converted, as far as it is known. */
typedef struct {
	int64_t inode;
	WarcPlace place;
	const char *url; /* during the call */
	int64_t size;
	uint64_t sum; /* of its words, 0: it has none */
	bool has_near;
	NearPrint near;
} WebPrint;
typedef void (*WebPrintFunc)(const WebPrint *print, void *data);
/* Calls back for the next n pages of a source in the order of place and inode, from the one after
 * after on; the last one is written to it. Items of feeds are left out. *n_r: how many there were.
 */
bool writer_web_prints(Writer *w, int64_t source, WebPrint *after, unsigned n, unsigned *n_r,
        WebPrintFunc func, void *data, GError **error);
/* The page with this URL in a source. 1: it was converted; 0: not; -1: error. url is not set. */
int writer_web_print(Writer *w, int64_t source, const char *url, WebPrint *print_r, GError **error);
