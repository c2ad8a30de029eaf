/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-changes.c - the writer's log of changes (index/store/change-types.h), and who follows it
 *
 * While nobody follows, w->log is NULL and nothing is noted. Changes are collected in memory and
 * written before the commit, each once, because statements of their own between those for the text
 * index cost little, and triggers would make FTS5 write the terms that it collects. */
#include <config.h>
#include "index/store/change-types.h"
#include "index/write/writer-changes.h"
#include "index/write/writer-private.h"
#include <string.h>
#include <time.h>

enum { NOTE_INODE = 100 }; /* its content is looked up before the commit */

struct ChangeLog {
	GArray *noted; /* of Change, whose kind may be NOTE_INODE; of this transaction */
	int64_t last, floor; /* the last change, and the last one that is not kept */
};

static const char floor_key[] = "changes_floor";

static ChangeLog *change_log_new(void)
{
	ChangeLog *log = g_new0(ChangeLog, 1);
	log->noted = g_array_new(FALSE, FALSE, sizeof(Change));
	return log;
}

void changes_close(Writer *w)
{
	if (w->log)
		g_array_unref(w->log->noted);
	g_clear_pointer(&w->log, g_free);
}

/* ---- what changed */

static void changes_note(Writer *w, int kind, int64_t id, int64_t time_ns)
{
	const Change change = {.kind = kind, .id = id, .time_ns = time_ns};
	if (w->log && id != 0)
		g_array_append_val(w->log->noted, change);
}

void changes_note_content(Writer *w, int64_t content)
{
	changes_note(w, CHANGE_CONTENT, content, 0);
}

void changes_note_inode(Writer *w, int64_t inode)
{
	changes_note(w, NOTE_INODE, inode, 0);
}

/* An entry of a directory that comes or goes sets both of its times to the same moment. Access
 * control lists are not in the stat data: setting one changes the ctime alone. */
static bool changes_rights(const EntryStat *old, const EntryStat *now)
{
	return old->uid != now->uid || old->gid != now->gid || old->mode != now->mode ||
	       (old->ctime_ns != now->ctime_ns && now->ctime_ns != now->mtime_ns);
}

void changes_note_stat(Writer *w, int64_t inode, const EntryStat *old, const EntryStat *now)
{
	bool same_bytes = old->size == now->size && old->mtime_ns == now->mtime_ns;
	if (now->kind != ENTRY_DIR)
		changes_note(w, NOTE_INODE, inode, same_bytes ? now->ctime_ns : 0);
	else if (changes_rights(old, now))
		changes_note(w, CHANGE_DIRECTORY, inode, now->ctime_ns);
}

void changes_note_move(Writer *w, const Entry *moved)
{
	changes_note(w, moved->stat.kind == ENTRY_DIR ? CHANGE_DIRECTORY : CHANGE_CONTENT,
	        moved->stat.kind == ENTRY_DIR ? moved->inode : moved->content, 0);
}

bool changes_are_noted(const Writer *w)
{
	return w->log != NULL;
}

void changes_forget(Writer *w)
{
	if (w->log)
		g_array_set_size(w->log->noted, 0);
}

/* ---- writing them */

static int compare_changes(gconstpointer a, gconstpointer b)
{
	const Change *one = a, *other = b;
	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one->id != other->id)
		return one->id < other->id ? -1 : 1;
	return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

/* An inode that is gone had its content noted when it went. */
static bool changes_resolve(Writer *w, Change *change, GError **error)
{
	int64_t content;
	if ((int)change->kind != NOTE_INODE)
		return true;
	if (!statement_int(w, INODE_CONTENT, VALUES(INT(change->id)), 0, &content, error))
		return false;
	change->kind = CHANGE_CONTENT;
	change->id = content;
	return true;
}

static bool changes_add(Writer *w, const Change *change, GError **error)
{
	const Value time = change->time_ns != 0 ? INT(change->time_ns) : (Value){VALUE_NULL};
	if (!statement_run(w, CHANGE_ADD, VALUES(INT(change->kind), INT(change->id), time), error))
		return false;
	w->log->last = sqlite3_last_insert_rowid(w->db);
	return true;
}

static bool changes_set_floor(Writer *w, int64_t floor, GError **error)
{
	w->log->floor = floor;
	return statement_run(w, META_SET, VALUES(TEXT(floor_key), INT(floor)), error);
}

/* A log that is longer than there are files costs more to follow than a comparison of everything.
 */
static bool changes_drop_late(Writer *w, GError **error)
{
	int64_t files;
	if (!writer_total(w, TOTAL_FILES, &files, error))
		return false;
	int64_t oldest = w->log->last - MAX(files, CHANGES_MOST);
	return statement_run(w, CONSUMER_LAPSE, VALUES(INT(oldest)), error);
}

/* Removes what all consumers have, but for the last ones. Nobody is left: ends the log. */
static bool changes_trim(Writer *w, GError **error)
{
	int64_t passed;
	if (w->log->last - w->log->floor < CHANGES_KEPT + CHANGES_KEPT / 10)
		return true;
	if (!changes_drop_late(w, error) ||
	        !statement_int(w, CONSUMER_LEAST, NULL, 0, -1, &passed, error))
		return false;
	if (passed < 0) {
		bool ok = statement_run(w, CHANGE_CLEAR, NULL, 0, error);
		changes_close(w);
		return ok;
	}
	passed = MIN(passed, w->log->last - CHANGES_KEPT);
	return passed <= w->log->floor ||
	       (statement_run(w, CHANGE_TRIM, VALUES(INT(passed)), error) &&
	               changes_set_floor(w, passed, error));
}

bool changes_flush(Writer *w, GError **error)
{
	if (!w->log || w->log->noted->len == 0)
		return true;
	GArray *noted = w->log->noted;
	for (guint i = 0; i < noted->len; i++)
		if (!changes_resolve(w, &g_array_index(noted, Change, i), error))
			return false;
	g_array_sort(noted, compare_changes);
	for (guint i = 0; i < noted->len; i++) {
		const Change *change = &g_array_index(noted, Change, i), *next = change + 1;
		bool again =
		        i + 1 < noted->len && next->kind == change->kind && next->id == change->id;
		if (!again && change->id != 0 && !changes_add(w, change, error))
			return false;
	}
	g_array_set_size(noted, 0);
	return changes_trim(w, error);
}

/* ---- opening */

bool changes_open(Writer *w, GError **error)
{
	int64_t least;
	if (!statement_int(w, CONSUMER_LEAST, NULL, 0, -1, &least, error))
		return false;
	if (least < 0)
		return true;
	w->log = change_log_new();
	return statement_int(w, CHANGE_LAST, NULL, 0, 0, &w->log->last, error) &&
	       writer_get_meta_int(w, floor_key, 0, &w->log->floor, error);
}

/* A log begins with a row, so that its numbers differ from all that were told before. */
static bool changes_begin(Writer *w, GError **error)
{
	static const Change first = {.kind = CHANGE_NONE};
	if (w->log)
		return true;
	w->log = change_log_new();
	return changes_add(w, &first, error) && changes_set_floor(w, w->log->last, error);
}

/* ---- consumers */

/* How far a consumer that is known has come; -1: it is not known, or lapsed. */
static bool consumer_seq(Writer *w, const char *name, int64_t *seq_r, GError **error)
{
	return statement_int(w, CONSUMER_GET, VALUES(TEXT(name)), -1, seq_r, error);
}

static bool consumer_check(Writer *w, const char *name, GError **error)
{
	int64_t known, others;
	if (!consumer_name_is_valid(name)) {
		g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("an export needs a name of letters, digits, \"-\", \"_\" and \".\""));
		return false;
	}
	if (!statement_int(w, CONSUMER_COUNT, VALUES(TEXT(name)), 0, &others, error) ||
	        !consumer_seq(w, name, &known, error))
		return false;
	if (others < CONSUMERS_MOST)
		return true;
	g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
	        _("%d exports are known already; forget one with \"tarsier export --forget NAME\""),
	        CONSUMERS_MOST);
	return false;
}

/* Can the consumer go on after this change? A consumer that is behind what it reported before has a
 * target that was restored from an older copy: it must compare everything. */
static bool consumer_goes_on(const Writer *w, const Consumer *consumer, int64_t known)
{
	int64_t first = consumer->rereads ? w->log->floor : known;
	return known >= 0 && consumer->seq >= first && consumer->seq <= w->log->last;
}

static bool consumer_write(Writer *w, const Consumer *consumer, int64_t seq, GError **error)
{
	g_autofree char *failure = NULL;
	if (consumer->failure) {
		failure = g_utf8_make_valid(consumer->failure, -1);
		if (strlen(failure) > CONSUMER_FAILURE_BYTES)
			*g_utf8_find_prev_char(failure, failure + CONSUMER_FAILURE_BYTES) = '\0';
	}
	const Value exposure =
	        consumer->exposure_ms >= 0 ? INT(consumer->exposure_ms) : (Value){VALUE_NULL};
	return statement_run(w, CONSUMER_SET,
	        VALUES(TEXT(consumer->name), INT(seq), INT(time(NULL)), exposure, TEXT(failure)),
	        error);
}

bool writer_consume(Writer *w, const Consumer *consumer, int64_t *seq_r, GError **error)
{
	int64_t known;
	if (!consumer_check(w, consumer->name, error) || !writer_change(w, error) ||
	        !changes_flush(w, error) || !changes_begin(w, error) ||
	        !consumer_seq(w, consumer->name, &known, error))
		return false;
	*seq_r = consumer_goes_on(w, consumer, known) ? consumer->seq : w->log->last;
	return consumer_write(w, consumer, *seq_r, error);
}

bool writer_note_failure(Writer *w, const char *name, const char *failure, GError **error)
{
	int64_t known;
	Consumer consumer = {.name = name, .exposure_ms = -1, .failure = failure};
	return consumer_check(w, name, error) && consumer_seq(w, name, &known, error) &&
	       (known < 0 ||
	               (writer_change(w, error) && consumer_write(w, &consumer, known, error)));
}

bool writer_forget_consumer(Writer *w, const char *name, bool *known_r, GError **error)
{
	int64_t least;
	if (!consumer_check(w, name, error) || !writer_change(w, error) ||
	        !statement_run(w, CONSUMER_DROP, VALUES(TEXT(name)), error))
		return false;
	*known_r = sqlite3_changes(w->db) > 0;
	if (!statement_int(w, CONSUMER_LEAST, NULL, 0, -1, &least, error))
		return false;
	if (least >= 0 || !w->log)
		return true;
	changes_close(w);
	return statement_run(w, CHANGE_CLEAR, NULL, 0, error);
}
