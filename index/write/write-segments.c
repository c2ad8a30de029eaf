/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-segments.c - merges the segments of recent commits in small steps
 *
 * FTS5 merges by itself as a part of some commits ("automerge", sqlite.org/fts5.html), which then
 * take three times as long as others, and a file that was just saved waits for them. So this is
 * off, and the caller merges between two commits, when no saved file waits. Only a bulk load, for
 * which nobody waits, leaves it to FTS5.
 *
 * Merging begins after as many bytes as FTS5 waits for, or after half as many commits as it allows
 * segments on a level before it merges all of them at once ("crisismerge"). */
#include <config.h>
#include "index/write/writer-private.h"

enum {
	USUAL_HASH_BYTES = 8 << 20, /* the value in schema.sql */
	BULK_HASH_BYTES = 32 << 20,
	SEGMENTS_OF_LEVEL = 8, /* so many are merged into one */
	RECENT_BYTES = 512 << 10,
	RECENT_COMMITS = 16,
	STEP_PAGES = 16,
};

/* FTS5 keeps these settings with the index. SETTINGS tells which of them it has, and rises when
 * others take their place: an index of before has none of them. */
#define SETTINGS "merging"
enum { SETTINGS_USUAL = 1, SETTINGS_BULK = 2 };

static bool segments_set(Writer *w, const char *key, int64_t value, GError **error)
{
	return statement_run(w, TEXT_CONFIGURE, VALUES(TEXT(key), INT(value)), error);
}

bool segments_configure(Writer *w, bool bulk, GError **error)
{
	const int64_t wanted = bulk ? SETTINGS_BULK : SETTINGS_USUAL;
	int64_t now;
	if (!writer_get_meta_int(w, SETTINGS, 0, &now, error))
		return false;
	if (now == wanted)
		return writer_commit(w, error);
	return writer_change(w, error) &&
	       segments_set(w, "hashsize", bulk ? BULK_HASH_BYTES : USUAL_HASH_BYTES, error) &&
	       segments_set(w, "automerge", bulk ? SEGMENTS_OF_LEVEL : 0, error) &&
	       segments_set(w, "usermerge", SEGMENTS_OF_LEVEL, error) &&
	       statement_run(w, META_SET, VALUES(TEXT(SETTINGS), INT(wanted)), error) &&
	       writer_commit(w, error);
}

void segments_note_bytes(Writer *w, size_t bytes)
{
	w->recent.bytes += bytes;
	w->recent.written = true;
}

void segments_note_commit(Writer *w)
{
	if (!w->recent.written)
		return;
	w->recent.written = false;
	if (++w->recent.commits < RECENT_COMMITS && w->recent.bytes < RECENT_BYTES)
		return;
	w->recent = (Recent){.due = !w->bulk};
}

bool writer_merge_is_due(const Writer *w)
{
	return w->recent.due;
}

bool writer_merge_recent(Writer *w, GError **error)
{
	if (!writer_commit(w, error))
		return false;
	int64_t before = sqlite3_total_changes64(w->db);
	if (!writer_change(w, error) ||
	        !statement_run(w, TEXT_MERGE, VALUES(INT(STEP_PAGES)), error))
		return false;
	w->recent.due = sqlite3_total_changes64(w->db) - before >= 2;
	return writer_commit(w, error);
}
