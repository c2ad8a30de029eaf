/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer-web.h - the rows of sites and feeds: sources, hosts, URLs and the evidence of traps
 *
 * Like all functions of the writer these open a transaction, which the caller commits, and return
 * false, or -1 where a number is returned, with INDEX_ERROR. The rows are described in
 * index/store/schema.sql, and their values decided in daemon/web. */
#pragma once
#include "common/warc/warc-store.h"
#include "index/store/web-hash.h"
#include "index/write/writer.h"

typedef enum {
	WEB_PAGE,
	WEB_FEED,
	WEB_SITEMAP,
	WEB_ITEM, /* the page that an item of a feed links to */
	N_WEB_KINDS
} WebKind;
typedef enum {
	WEB_ROBOTS_UNKNOWN, /* ask robots.txt first */
	WEB_ROBOTS_KNOWN,
	WEB_ROBOTS_UNREACHABLE, /* nothing may be asked */
	N_WEB_ROBOTS
} WebRobots;

/* Of any moment, wait, or count that a row gives: seconds of it fit into milliseconds. */
#define WEB_AMOUNT_MOST ((int64_t)1 << 50)

enum {
	WEB_PATH_MOST = 4096,
	WEB_VALIDATOR_MOST = 1024,
	WEB_ROBOTS_MOST = 2 << 20, /* packed rules */
	WEB_PROBE_MOST = 64 /* a packed fingerprint */
};

/* In place of the status of an answer, in a URL that is over for as long as the rules and limits
 * stay as they are: it was never answered, or it was. Statuses of HTTP begin at 100. */
enum { WEB_HELD_NEW = 1, WEB_HELD_SEEN = 2 };
/* In the same place: a URL rule makes the URL another one, which is asked instead. */
enum { WEB_ALIAS = 3 };

/* In place of WebScopeRow.patterns: documents were not judged by the rules that hold now. */
enum { WEB_SCOPE_UNCHECKED = 1 };

typedef struct {
	int64_t id, host;
	char *prefix;
	int64_t pages_most, depth_most, bytes_most, every_s;
	int64_t urls, pages, bytes; /* so far: known URLs, answered ones, bytes of answers */
	WebKind first; /* the kind of its first URL; not stored */
	bool full; /* a feed: pages of its items are asked, anywhere on its host; not stored */
	bool focused; /* it has a topic; not stored */
} WebSourceRow;

/* How much likelier pages of a class change than their rates say (daemon/web/bursts.h). */
enum { WEB_BURSTS = 11 };
typedef struct {
	float log, information; /* of the factor: its logarithm, and how well it is known */
} WebBurst;

/* How often the pages of a host change on average (daemon/web/schedule.h). */
typedef struct {
	float changes, seconds; /* observed, with fading */
} WebMean;

/* Mirrors Revisit (daemon/watch/revisit.h). */
typedef struct {
	double price, weight;
	uint32_t sources;
	WebBurst bursts[WEB_BURSTS];
	WebMean mean;
} WebPlanRow;

typedef struct {
	int64_t id;
	char *name;
	uint8_t address[16], address_length; /* 0, 4 or 16 */
	int64_t next_ms, wait_ms, server_ms, server_wait_ms, feed_ms, delay_ms;
	unsigned backoff;
	WebRobots robots;
	int64_t robots_s;
	bool has_asked;
	int64_t asked, asked_ms;
	int64_t day_most;
	WebPlanRow plan;
} WebHostRow;

/* The file system of documents of sources, in table filesystem; its type too. */
#define WEB_FILESYSTEM "web"

typedef enum {
	WEB_PAGE_ANSWER, /* the record is what the server answered */
	WEB_PAGE_ITEM, /* of a feed: the record is a page made of the item */
	WEB_PAGE_TEXT, /* the record is the text of the page alone */
	N_WEB_PAGE_KINDS
} WebPageKind;

enum WebPageFlags {
	WEB_PAGE_NO_INDEX = 1, /* its site does not want it to be found: it is read for its links,
	                          and removed */
	WEB_PAGE_NO_FOLLOW = 2, /* its links are not followed */
	WEB_PAGE_READ = 4, /* its links have been taken */
};

/* A document of a source. */
typedef struct {
	int64_t inode; /* set by the writer */
	int64_t source;
	WebPageKind kind;
	unsigned flags;
	char *url; /* what the record in the store is about */
	WarcPlace place; /* file 0: the bytes are not kept */
} WebPageRow;
void web_page_row_clear(WebPageRow *row);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WebPageRow, web_page_row_clear)

/* The history of visits of a URL. Numbers of the schedule are kept with 8 significant bits. */
typedef struct {
	int64_t visited_s; /* 0: never */
	float changes, seconds, interval, weight; /* RevisitSource */
	bool change_seen; /* by any visit after the first */
	float quiet; /* seconds from the last such change to the last visit */
	unsigned failures; /* in turn, to 255 */
	char *etag, *modified; /* byte for byte, or NULL */
} WebVisit;
void web_visit_clear(WebVisit *visit);
/* A number of the schedule as it will be read again. */
float web_visit_rounded(float number);

typedef struct {
	int64_t host, hash;
	char *path;
	WebKind kind;
	unsigned priority, depth, status;
	bool is_over; /* never again; due_s does not count */
	int64_t due_s;
	int64_t alias_of; /* hash of the other URL of the host, if status is WEB_ALIAS; then there
	                     is not a visit */
	WebVisit visit;
} WebUrlRow;
void web_url_row_clear(WebUrlRow *row);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WebUrlRow, web_url_row_clear)

typedef struct {
	int64_t hash, due_s;
	uint8_t priority, kind;
	bool is_new; /* never answered */
} WebNext;

/* Adds a source, or sets its limits (pages_most to every_s) if it is known. *id_r: its row. */
bool writer_web_add_source(Writer *w, const WebSourceRow *row, int64_t *id_r, GError **error);
/* Calls back for each source in the order of their ids. The row is valid during the call. */
typedef void (*WebSourceFunc)(const WebSourceRow *row, void *data);
bool writer_web_each_source(Writer *w, WebSourceFunc func, void *data, GError **error);
/* Writes urls, pages and bytes. */
bool writer_web_count_source(Writer *w, const WebSourceRow *row, GError **error);

/* Names the source and makes its root node. url: canonical, as the configuration has it. *node_r:
 * the root. */
bool writer_web_name_source(
        Writer *w, int64_t source, const char *url, bool is_feed, int64_t *node_r, GError **error);
/* Calls back for each named source. */
typedef struct {
	int64_t id, node;
	const char *url;
	bool is_feed;
} WebNamedSource;
typedef void (*WebNamedFunc)(const WebNamedSource *source, void *data);
bool writer_web_each_named(Writer *w, WebNamedFunc func, void *data, GError **error);
/* Notes when the source was answered last, or failed. failure: a clause, not translated; NULL: it
 * was answered. */
bool writer_web_note_visit(
        Writer *w, int64_t source, int64_t now_s, const char *failure, GError **error);
/* Forgets the failure that was noted last, if it is this one. */
bool writer_web_end_failure(Writer *w, int64_t source, const char *failure, GError **error);
/* Removes the documents of a source, then its name and its root. gone, unless NULL, is told the URL
 * of each. *more_r: there is more to remove; the caller commits and calls again. The store of the
 * source, and its URLs, are the caller's. */
typedef bool (*WebGoneFunc)(const char *url, void *data, GError **error);
bool writer_web_remove_documents(
        Writer *w, int64_t source, WebGoneFunc gone, void *data, bool *more_r, GError **error);

/* ---- documents */

/* Adds or changes a document: a child of the root of its source, whose name is name (a URL, which
 * may differ from row->url). identity: what it is known by in its source. mtime_s: its date.
 * changed: its bytes are new, so it becomes PENDING. *out: its entry. */
bool writer_web_put_page(Writer *w, WebPageRow *row, const char *name, const char *identity,
        int64_t size, int64_t mtime_s, bool changed, Entry *out, GError **error);
/* 1: found, the caller clears the row; 0: none; -1: error. */
int writer_web_get_page(Writer *w, int64_t inode, WebPageRow *row_r, GError **error);
/* Finds a document by its identity. 1: found; 0: none; -1: error. */
int writer_web_find_page(
        Writer *w, int64_t source, const char *identity, Entry *out, GError **error);
/* The document is known by that identity from now on, which no other one has. */
bool writer_web_rename_page(Writer *w, const WebPageRow *row, const char *identity, GError **error);
/* Writes flags, kind and place. */
bool writer_web_set_page(Writer *w, const WebPageRow *row, GError **error);
/* The last record of a store that a document refers to; file 0: none. */
bool writer_web_last_place(Writer *w, int64_t source, WarcPlace *place_r, GError **error);
/* Appends up to n documents whose record is in that file of the store: WebPageRow, which the caller
 * clears. */
bool writer_web_pages_in_file(
        Writer *w, int64_t source, uint32_t file, unsigned n, GArray *pages, GError **error);

/* Appends up to n documents of a source with greater inodes than after, in their order: WebPageRow,
 * which the caller clears. */
bool writer_web_pages_after(
        Writer *w, int64_t source, int64_t after, unsigned n, GArray *pages, GError **error);
/* Bytes of the records of that file that documents refer to. */
bool writer_web_live_bytes(
        Writer *w, int64_t source, uint32_t file, uint64_t *bytes_r, GError **error);

/* Finds or adds the host with that name. */
bool writer_web_host(Writer *w, const char *name, int64_t *id_r, GError **error);
typedef void (*WebHostFunc)(const WebHostRow *row, void *data);
bool writer_web_each_host(Writer *w, WebHostFunc func, void *data, GError **error);
/* Writes all but the name. */
bool writer_web_set_host(Writer *w, const WebHostRow *row, GError **error);

/* Adds a URL; of its visit, the prior counts, and of its status, WEB_HELD_NEW and WEB_ALIAS. *new_r
 * false: it was known, and nothing changed. */
bool writer_web_add_url(Writer *w, const WebUrlRow *row, bool *new_r, GError **error);
/* Another page links to the URL: raises its priority by a step, at most to most. One that was
 * answered keeps its own, and *raised_r is false. */
bool writer_web_raise(Writer *w, int64_t host, int64_t hash, unsigned step, unsigned most,
        bool *raised_r, GError **error);
/* Is it a URL that was given up: gone, moved, or without an answer? */
bool writer_web_is_ended(Writer *w, int64_t host, int64_t hash, bool *ended_r, GError **error);
/* 1: found, the caller clears the row; 0: none; -1: error. */
int writer_web_get_url(Writer *w, int64_t host, int64_t hash, WebUrlRow *row_r, GError **error);
/* Appends the next n URLs of a host in the order of their hashes, from the one after hash on:
 * WebUrlRow, which the caller clears. */
bool writer_web_urls_after(
        Writer *w, int64_t host, int64_t hash, unsigned n, GArray *urls, GError **error);
/* Writes priority, due, status and visit, or alias_of. */
bool writer_web_set_url(Writer *w, const WebUrlRow *row, GError **error);
/* Appends the next n URLs of a host to an array of WebNext: those that are due at now_s by their
 * priority, then the others by their moment. A moment after most_s counts as due. */
bool writer_web_next(Writer *w, int64_t host, int64_t now_s, int64_t most_s, unsigned n,
        GArray *next, GError **error);
/* Calls back for each URL of a host that is to be asked, now or later, in no particular order. A
 * moment after most_s counts as due. path: canonical, with the query, valid during the call.
 * Returning false ends the calls, with *error set. */
typedef bool (*WebNextFunc)(WebNext *next, const char *path, void *data, GError **error);
bool writer_web_each_next(
        Writer *w, int64_t host, int64_t most_s, WebNextFunc func, void *data, GError **error);

/* Calls back for each URL of a host that is in the plan of its visits. */
typedef void (*WebVisitFunc)(float weight, void *data);
bool writer_web_each_visit(Writer *w, int64_t host, WebVisitFunc func, void *data, GError **error);

bool writer_web_branch(Writer *w, int64_t host, int64_t shape, unsigned *pages_r, unsigned *poor_r,
        GError **error);
/* One more of the pages that were counted is poor. */
bool writer_web_note_poor(Writer *w, int64_t host, int64_t shape, GError **error);
/* Adds to both counts of a branch: poor is at most pages. */
bool writer_web_count_branch(
        Writer *w, int64_t host, int64_t shape, unsigned pages, unsigned poor, GError **error);

/* The packed rules of a host's robots.txt, or NULL; the caller frees them. */
bool writer_web_robots(Writer *w, int64_t host, GBytes **rules_r, GError **error);
/* rules NULL: there are none. */
bool writer_web_set_robots(Writer *w, int64_t host, GBytes *rules, GError **error);
/* Is any URL of the host held? */
bool writer_web_has_held(Writer *w, int64_t host, bool *any_r, GError **error);
/* The URLs of the host that are held (WEB_HELD_NEW and WEB_HELD_SEEN) are due again. */
bool writer_web_release(Writer *w, int64_t host, GError **error);

/* The requests and findings of a source; all members zero: nothing is known. */
typedef struct {
	int64_t patterns; /* hash of the patterns and depth by which its documents were judged, 0:
	                     it has none */
	int64_t probed_s; /* when a page that cannot exist was asked, 0: never */
	GBytes *probe; /* the packed fingerprint of the answer, or NULL */
} WebScopeRow;
void web_scope_clear(WebScopeRow *row);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WebScopeRow, web_scope_clear)
bool writer_web_scope(Writer *w, int64_t source, WebScopeRow *row_r, GError **error);
bool writer_web_set_scope(Writer *w, int64_t source, const WebScopeRow *scope, GError **error);

/* Removes a URL if it is of that kind. */
bool writer_web_forget_url(Writer *w, int64_t host, int64_t hash, WebKind kind, GError **error);
/* Removes the URLs of kind WEB_ITEM below a prefix. */
bool writer_web_forget_items(Writer *w, int64_t host, const char *prefix, GError **error);
/* Removes a source with its URLs, but for those that another source of the host has too. */
bool writer_web_drop_source(Writer *w, int64_t host, int64_t source, GError **error);
/* Forgets the evidence of traps of a host. */
bool writer_web_drop_branches(Writer *w, int64_t host, GError **error);
/* Removes a host that has no source, with the rules of its robots.txt. */
bool writer_web_drop_host(Writer *w, int64_t host, GError **error);

/* Commits, and makes sure that a power cut does not take it back. */
bool writer_commit_durably(Writer *w, GError **error);
