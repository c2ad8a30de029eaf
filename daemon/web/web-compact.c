/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-compact.c - dead records leave the stores
 *
 * A record to which no row refers is dead: its page changed or is gone, or it is a revisit. A file
 * is emptied and removed if more than half of it is dead, which bounds a store to about twice its
 * live records and copies each of them once for each time that the store is written anew; and if
 * it is a month old and has any dead record, so that what a site took back leaves the disk.
 * bench/web-store.py compares other shares.
 *
 * The live records of a file are copied to the end of the store and synced, then their rows are
 * committed, and the file is removed when no row refers to it, after these commits were synced. So
 * a kill or power cut at any moment leaves each row with a record; copies without a row are dead.
 */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include <string.h>

enum {
	SLICE_PAGES = 64,
	SLICE_BYTES = 4 << 20,
	LEAST_DEAD_BYTES = 1 << 20, /* less is not worth a new file */
	MOST_AGE_S = 30 * 24 * 3600,
};

/* ---- choice */

static bool is_worth(uint64_t bytes, uint64_t dead, int64_t begun_s)
{
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC;
	return (dead >= LEAST_DEAD_BYTES && dead > bytes / 2) || now_s - begun_s > MOST_AGE_S;
}

static bool choose_file(WebCrawl *c, WebSource *s, uint32_t file, bool *chosen_r, GError **error)
{
	uint64_t bytes = warc_store_file_bytes(s->store, file), info, live;
	int64_t begun_s;
	*chosen_r = false;
	if (bytes == 0)
		return true;
	if (!writer_web_live_bytes(c->w, s->id, file, &live, error))
		return false;
	warc_store_file_info(s->store, file, &info, &begun_s);
	if (bytes < info + live) {
		*chosen_r = true; /* it has lost its end: what is left of it moves */
		return true;
	}
	uint64_t dead = bytes - info - live;
	*chosen_r = dead > 0 && (c->compaction.all || is_worth(bytes, dead, begun_s));
	c->stored |= dead > 0 && !*chosen_r; /* it is looked at again when it is older */
	return true;
}

/* ---- one file */

/* Leaves the file as it is. It may have failed before in the same slice. */
static bool compaction_failed(WebCrawl *c, const char *url, const GError *failure)
{
	WebCompaction *at = &c->compaction;
	g_warning("%s: %s", url, failure->message);
	at->file += at->chosen;
	at->chosen = false;
	at->failed = true;
	c->stored = true; /* it is tried again */
	return true;
}

/* Copies the records of some pages, and sets their places. *n_r: pages that have a new one. */
static bool move_pages(WebCrawl *c, WebSource *s, GArray *pages, guint *n_r, GError **error)
{
	uint64_t bytes = 0;
	for (*n_r = 0; *n_r < pages->len && bytes < SLICE_BYTES; ++*n_r) {
		g_autoptr(GError) failure = NULL;
		WebPageRow *page = &g_array_index(pages, WebPageRow, *n_r);
		WarcPlace place = {0};
		if (warc_store_move(s->store, &page->place, page->url, &place, &failure)) {
			bytes += place.length;
			page->place = place;
		} else if (g_error_matches(failure, WARC_ERROR, WARC_ERROR_DAMAGED)) {
			g_message("%s: %s", page->url, failure->message);
			if (!web_page_lose(c, page, error))
				return false;
			page->place = place;
		} else {
			return compaction_failed(c, page->url, failure);
		}
	}
	return true;
}

/* Rows refer to the copies only when these are on the disk. */
static bool commit_moved(WebCrawl *c, WebSource *s, GArray *pages, guint n, GError **error)
{
	g_autoptr(GError) failure = NULL;
	if (!warc_store_sync(s->store, &failure))
		return compaction_failed(c, s->url, failure);
	for (guint i = 0; i < n; i++) {
		const WebPageRow *page = &g_array_index(pages, WebPageRow, i);
		if (page->place.file != 0 && !writer_web_set_page(c->w, page, error))
			return false;
	}
	return writer_commit(c->w, error);
}

static bool remove_file(WebCrawl *c, WebSource *s, GError **error)
{
	g_autoptr(GError) failure = NULL;
	WebCompaction *at = &c->compaction;
	if (!writer_commit_durably(c->w, error))
		return false;
	if (!warc_store_remove_file(s->store, at->file, &failure))
		return compaction_failed(c, s->url, failure);
	g_debug("web: %s: file %u is compacted", s->url, at->file);
	at->chosen = false;
	at->file++;
	return true;
}

static bool empty_file(WebCrawl *c, WebSource *s, GError **error)
{
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(WebPageRow));
	guint n;
	g_array_set_clear_func(pages, (GDestroyNotify)web_page_row_clear);
	if (!writer_web_pages_in_file(c->w, s->id, c->compaction.file, SLICE_PAGES, pages, error))
		return false;
	if (pages->len == 0)
		return remove_file(c, s, error);
	return move_pages(c, s, pages, &n, error) && commit_moved(c, s, pages, n, error);
}

/* Records that are appended from now on, live copies too, must be in another file. */
static bool begin_emptying(WebCrawl *c, WebSource *s)
{
	g_autoptr(GError) failure = NULL;
	if (c->compaction.file < warc_store_last_file(s->store))
		return true;
	return warc_store_begin_file(s->store, &failure) || !compaction_failed(c, s->url, failure);
}

/* ---- all files */

/* Two sources may share a store; the first one has it. */
static bool begin_source(WebCrawl *c, WebSource *s, GError **error)
{
	WebCompaction *at = &c->compaction;
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, s->id);
	g_autofree char *dir = g_build_filename(c->stores, number, NULL);
	WarcStore *store = NULL;
	bool owns = s->id != 0 && web_source_by_id(c, s->id) == s;
	if (owns && g_file_test(dir, G_FILE_TEST_IS_DIR) && !web_source_store(c, s, &store, error))
		return false;
	at->begun = true;
	at->file = 1;
	at->last = store ? warc_store_last_file(store) : 0;
	return true;
}

static void end_source(WebCompaction *at, WebSource *s)
{
	if (!s->dirty)
		g_clear_pointer(&s->store, warc_store_close);
	at->begun = false;
	at->source++;
}

static bool compact_step(WebCrawl *c, WebSource *s, GError **error)
{
	WebCompaction *at = &c->compaction;
	if (!at->begun)
		return begin_source(c, s, error);
	if (at->file > at->last) {
		end_source(at, s);
		return true;
	}
	if (at->chosen)
		return empty_file(c, s, error);
	if (!choose_file(c, s, at->file, &at->chosen, error))
		return false;
	if (at->chosen)
		at->chosen = begin_emptying(c, s);
	else
		at->file++;
	return true;
}

bool web_crawl_compact(WebCrawl *c, bool all, bool *more_r, bool *whole_r, GError **error)
{
	WebCompaction *at = &c->compaction;
	*more_r = false;
	*whole_r = true;
	if (!c->configured || !c->frontier)
		return true;
	if (!at->running || at->all != all)
		*at = (WebCompaction){.running = true, .all = all};
	g_hash_table_remove_all(c->texts); /* of conversions that came to no end */
	if (!web_sources_sync(c, error))
		return false;
	if (at->source < c->sources->len)
		*more_r = true;
	else
		at->running = false;
	*whole_r = !at->failed;
	return !*more_r || compact_step(c, c->sources->pdata[at->source], error);
}
