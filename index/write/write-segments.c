/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-segments.c - merges the segments of recent commits in small steps
 *
 * FTS5 merges by itself as a part of some commits ("automerge", sqlite.org/fts5.html), which then
 * take three times as long as others, and a file that was just saved waits for them. So this is off
 * for texts, names and grams, and the caller merges between two commits, when no saved file waits.
 * Only a bulk load, for which nobody waits, leaves it to FTS5.
 *
 * Merging begins after as many bytes as FTS5 waits for, or after half as many commits as it allows
 * segments on a level before it merges all of them at once ("crisismerge"). */
#include <config.h>
#include "index/write/writer-private.h"

enum {
	USUAL_HASH_BYTES = 8 << 20, /* the value in schema.sql */
	BULK_HASH_BYTES = 32 << 20,
	SEGMENTS_OF_LEVEL = 8,
	NAME_SEGMENTS_OF_LEVEL = 4, /* FTS5's own value: a pattern looks into all segments */
	CRISIS_SEGMENTS = 32,
	RECENT_BYTES = 512 << 10,
	RECENT_COMMITS = 16,
	STEP_PAGES = 16,
};

static const struct {
	Statement configure, merge;
	int merged; /* so many segments of a level are merged into one */
} tables[N_MERGED] = {
        [MERGED_TEXT] = {TEXT_CONFIGURE, TEXT_MERGE, SEGMENTS_OF_LEVEL},
        [MERGED_NAMES] = {NAME_CONFIGURE, NAME_MERGE, NAME_SEGMENTS_OF_LEVEL},
        [MERGED_GRAMS] = {GRAM_CONFIGURE, GRAM_MERGE, NAME_SEGMENTS_OF_LEVEL},
};

/* FTS5 keeps these settings with the index. SETTINGS tells which of them it has, and rises when
 * others take their place: an index of before has none of them. */
#define SETTINGS "merging"
enum { SETTINGS_USUAL = 3, SETTINGS_BULK = 4 };

static bool segments_set(Writer *w, int table, const char *key, int64_t value, GError **error)
{
	return statement_run(w, tables[table].configure, VALUES(TEXT(key), INT(value)), error);
}

static bool segments_configure_table(Writer *w, int table, bool bulk, GError **error)
{
	int merged = tables[table].merged;
	return segments_set(w, table, "automerge", bulk ? merged : 0, error) &&
	       segments_set(w, table, "usermerge", merged, error) &&
	       segments_set(w, table, "crisismerge", CRISIS_SEGMENTS, error);
}

bool segments_configure(Writer *w, bool bulk, GError **error)
{
	const int64_t wanted = bulk ? SETTINGS_BULK : SETTINGS_USUAL;
	int64_t now;
	if (!writer_get_meta_int(w, SETTINGS, 0, &now, error))
		return false;
	if (now == wanted)
		return writer_commit(w, error);
	if (!writer_change(w, error) || !segments_set(w, MERGED_TEXT, "hashsize",
	                                        bulk ? BULK_HASH_BYTES : USUAL_HASH_BYTES, error))
		return false;
	for (int i = 0; i < N_MERGED; i++)
		if (!segments_configure_table(w, i, bulk, error))
			return false;
	return statement_run(w, META_SET, VALUES(TEXT(SETTINGS), INT(wanted)), error) &&
	       writer_commit(w, error);
}

void segments_note_bytes(Writer *w, int table, size_t bytes)
{
	w->recent[table].bytes += bytes;
	w->recent[table].written = true;
}

void segments_note_commit(Writer *w)
{
	for (Recent *r = w->recent; r < w->recent + N_MERGED; r++) {
		if (!r->written)
			continue;
		r->written = false;
		if (++r->commits >= RECENT_COMMITS || r->bytes >= RECENT_BYTES)
			*r = (Recent){.due = !w->bulk};
	}
}

void segments_forget(Writer *w)
{
	for (int i = 0; i < N_MERGED; i++)
		w->recent[i].written = false;
}

/* Returns the first table that has segments to merge; N_MERGED: none has. */
static int segments_due(const Writer *w)
{
	int table = 0;
	while (table < N_MERGED && !w->recent[table].due)
		table++;
	return table;
}

bool writer_merge_is_due(const Writer *w)
{
	return segments_due(w) < N_MERGED;
}

bool writer_merge_recent(Writer *w, GError **error)
{
	int table = segments_due(w);
	if (!writer_commit(w, error))
		return false;
	if (table == N_MERGED)
		return true;
	int64_t before = sqlite3_total_changes64(w->db);
	if (!writer_change(w, error) ||
	        !statement_run(w, tables[table].merge, VALUES(INT(STEP_PAGES)), error))
		return false;
	w->recent[table].due = sqlite3_total_changes64(w->db) - before >= 2;
	return writer_commit(w, error);
}
