/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-web.h - what the index knows of sites, feeds and their hosts
 *
 * index/store/schema.sql says what the rows mean. Moments are seconds since 1970 unless their names
 * end with _ms. A value of a damaged index that is not a number counts as SQLite converts it. */
#pragma once
#include "index/read/reader.h"
#include "index/store/states.h"

/* A source that the index has. */
typedef struct {
	char *url; /* canonical, as the configuration has it */
	bool is_feed;
	int64_t pages, urls, bytes; /* answered ones, known ones, bytes of answers */
	int64_t waiting; /* URLs that were never answered and may be asked */
	int64_t errors; /* URLs whose last answer was an error */
	int64_t visited_s, failed_s; /* the last answer, the last failure; 0: none */
	char *failure; /* as WEB_FAILURE_NOT_KEPT says; NULL: none since the last answer */
	int64_t next_s; /* the next visit; 0: none is planned */
	int64_t host_next_s; /* its host is not asked before; 0: at any time */
	int64_t pace_ms; /* between two requests to its host, but for a wait that it asked for once
	                  */
	bool robots_unreachable; /* so nothing may be asked */
	/* visits of its pages that were judged by its topic, and those that found a page about it;
	 * 0 unless it is focused */
	int64_t judged, relevant;
} WebSourceStats;

/* The time between two requests to a host: its last wait, unless that is longer than any gap. */
int64_t reader_web_pace_ms(int64_t wait_ms, int64_t delay_ms, unsigned backoff);
/* All sources in the order of their URLs. GArray of WebSourceStats, which the caller unrefs. NULL
 * with INDEX_ERROR. */
GArray *reader_web_sources(Reader *r, GError **error);

/* A host and one of its URLs, as the frontier knows them. */
typedef struct {
	bool host_known;
	int64_t next_ms, wait_ms; /* not asked before; the wait that led to it */
	int64_t delay_ms; /* Crawl-delay */
	unsigned backoff; /* doublings of the gap */
	unsigned robots; /* 0: not asked yet, 1: known, 2: unreachable */
	int64_t robots_s; /* when robots.txt is asked again */
	GBytes *rules; /* robots_rules_unpack(); NULL: there are none */
	/* of the source with the longest prefix of the path; has_source false: there is none */
	bool has_source;
	char *source_prefix;
	char *failure; /* of the source, see WebSourceStats; NULL: none since the last answer */
	int64_t pages, pages_most, depth_most, bytes, bytes_most;
	/* of the URL */
	bool url_known;
	unsigned kind; /* 0: page, 1: feed, 2: sitemap */
	unsigned priority, depth;
	unsigned status; /* of the last answer, 0: none; 1, 2: held by rules or limits */
	bool is_over; /* never asked again */
	int64_t due_s; /* 0: at once */
	int64_t visited_s; /* 0: never */
	unsigned failures; /* in turn */
} WebVisitStats;
void web_visit_stats_clear(WebVisitStats *stats);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WebVisitStats, web_visit_stats_clear)

/* origin: "https://example.org"; path: with its query. The caller clears *out. */
bool reader_web_visit(
        Reader *r, const char *origin, const char *path, WebVisitStats *out, GError **error);
