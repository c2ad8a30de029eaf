/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace-world.h - the hosts and URLs of a trace, and what they answer at a moment
 *
 * A trace has a JSON object on each line. docs/WEB.md and tarsier(1) describe it. Times are seconds
 * from its beginning. */
#pragma once
#include "common/base/document.h"
#include "daemon/web/topic.h"
#include "index/text/near.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	char *origin, *prefix;
	uint8_t address[16], address_length;
	double duration, delay;
	unsigned robots; /* status of robots.txt */
	int64_t pages, depth, day, every, generate;
	char *cache_control; /* of generated pages, or NULL */
	GPtrArray *disallow, *allow, *sitemaps; /* of robots.txt: of char *, or NULL */
	bool soft_404; /* what does not exist answers with 200 */
	Topic *topic; /* NULL: none */
	double allow_from; /* robots.txt forbids nothing from then on */
} TraceHost;

typedef struct {
	char *url, *moved, *retry_after, *cache_control; /* but for url, NULL: none */
	double duration; /* negative: that of the host */
	double prior, busy_from, busy_to;
	unsigned status;
	int64_t bytes;
	bool feed, listed, poor;
	GArray *changes; /* of double, or NULL */
	GPtrArray *links; /* of char *, or NULL */
	GPtrArray *anchors; /* of char *, the texts of links, or NULL */
	double topic; /* score of its title and text */
} TraceUrl;

typedef struct {
	double end;
	GPtrArray *hosts; /* of TraceHost */
	GHashTable *by_origin; /* of TraceHost */
	GHashTable *urls; /* of TraceUrl by url */
} TraceWorld;

/* NULL with G_FILE_ERROR, or G_MARKUP_ERROR for a line that is wrong. */
TraceWorld *trace_world_read(const char *path, GError **error);
void trace_world_free(TraceWorld *world);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceWorld, trace_world_free)

/* Splits a URL after its origin; false: it has none. The origin is the caller's. */
bool trace_split(const char *url, char **origin_r, const char **path_r);

typedef struct {
	unsigned status;
	unsigned version; /* grows with each change */
	double duration;
	int64_t bytes;
	const TraceUrl *url; /* NULL: generated or unknown */
	const char *cache_control, *retry_after; /* or NULL */
} TraceAnswer;

/* The answer at that moment. */
TraceAnswer trace_world_ask(
        const TraceWorld *world, const TraceHost *host, const char *path, double at_s);
/* The fingerprint of the page of that URL; all URLs without a line have one. */
NearPrint trace_world_print(const TraceAnswer *answer);
/* The robots.txt of the host at that moment, as the extractor sends it, which the caller frees. */
Document *trace_world_robots(const TraceHost *host, double at_s);
/* anchor: its text, or NULL. */
typedef struct {
	const char *url, *anchor;
	bool feed, listed;
	double prior;
} TraceLink;
typedef void (*TraceLinkFunc)(const TraceLink *link, void *data);
/* Calls back for each link of a page. */
void trace_world_each_link(const TraceWorld *world, const TraceHost *host, const char *path,
        TraceLinkFunc func, void *data);
