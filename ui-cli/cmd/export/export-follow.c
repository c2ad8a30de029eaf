/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-follow.h"
#include "common/base/compare.h"
#include "index/read/reader-changes.h"
#include "index/read/reader-contents.h"
#include "ui-cli/app/export-consumer.h"
#include "ui-cli/cmd/export/export-supervisor.h"
#include <string.h>

enum {
	BATCH_CHANGES = 500,
	BATCH_CONTENTS = 100,
	EXPOSURES_MOST = 1000, /* the last ones count */
	TELL_CHANGES = 1000, /* the daemon is told of so many changes at the latest */
};
static const int64_t TELL_US = 10 * G_USEC_PER_SEC,
                     COMPARE_US = (int64_t)24 * 3600 * G_USEC_PER_SEC;

typedef struct {
	const ExportFollowOptions *options;
	int64_t seq; /* the first lane has come so far */
	int64_t stored; /* that the target has, in both lanes */
	int64_t told, told_us; /* the same that the daemon knows, and since when */
	int64_t begun_ns; /* when the export began, of the wall clock */
	int64_t compared_us;
	bool comparing; /* the target may lack documents of the comparison */
	GArray *missing; /* int64_t; contents whose documents are to be sent */
	GHashTable *queued; /* the same as a set */
	guint next; /* of missing */
	GArray *exposures; /* int64_t, ms; a ring */
	guint n_exposures;
	bool exposed; /* there are some that the daemon was not told */
} ExportFollower;

static void follow_init(ExportFollower *follow, const ExportFollowOptions *options)
{
	*follow = (ExportFollower){.options = options, .stored = -1, .told = -1};
	follow->begun_ns = g_get_real_time() * 1000;
	follow->missing = g_array_new(FALSE, FALSE, sizeof(int64_t));
	follow->queued = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	follow->exposures = g_array_new(FALSE, FALSE, sizeof(int64_t));
}

static void follow_clear(ExportFollower *follow)
{
	g_array_unref(follow->missing);
	g_hash_table_unref(follow->queued);
	g_array_unref(follow->exposures);
}

/* A signal is taken in follow_wait(). */
static bool follow_must_end(const ExportFollower *follow)
{
	const IndexChanges *changes = follow->options->changes;
	return changes && index_changes_signalled(changes);
}

/* ---- exposure: from a change of permissions to the target */

static void follow_note_exposure(ExportFollower *follow, int64_t time_ns)
{
	int64_t ms = (g_get_real_time() * 1000 - time_ns) / 1000000;
	if (time_ns < follow->begun_ns || ms < 0)
		return;
	if (follow->exposures->len < EXPOSURES_MOST)
		g_array_append_val(follow->exposures, ms);
	else
		g_array_index(follow->exposures, int64_t, follow->n_exposures % EXPOSURES_MOST) =
		        ms;
	follow->n_exposures++;
	follow->exposed = true;
}

/* The 95th percentile by the nearest rank; -1: nothing was exposed. */
static int64_t follow_exposure(const ExportFollower *follow)
{
	guint n = follow->exposures->len;
	if (n == 0)
		return -1;
	g_autoptr(GArray) sorted = g_array_copy(follow->exposures);
	g_array_sort(sorted, compare_int64);
	return g_array_index(sorted, int64_t, (n * 95 + 99) / 100 - 1);
}

/* ---- the daemon */

static bool follow_tell(ExportFollower *follow, int64_t seq, int64_t *seq_r, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	if (!export_consumer_reached(options->cli, options->name, seq, options->rereads,
	            follow_exposure(follow), seq_r, error))
		return false;
	follow->told = *seq_r;
	follow->told_us = g_get_monotonic_time();
	follow->exposed = false;
	return true;
}

/* Telling writes to the index, so it is done now and then. */
static bool follow_tell_sometimes(ExportFollower *follow, bool now, GError **error)
{
	int64_t seq, since_us = g_get_monotonic_time() - follow->told_us;
	bool news = follow->stored > follow->told || follow->exposed;
	bool due = now || follow->stored - follow->told >= TELL_CHANGES ||
	           (follow->exposed && since_us >= TELL_US);
	return follow->stored < 0 || !news || !due ||
	       follow_tell(follow, follow->stored, &seq, error);
}

/* ---- the first lane: places, permissions and deletions */

static void follow_queue(ExportFollower *follow, int64_t content)
{
	if (g_hash_table_add(follow->queued, g_memdup2(&content, sizeof content)))
		g_array_append_val(follow->missing, content);
}

static bool follow_send(ExportFollower *follow, const int64_t *contents, guint n, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) missing = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < n; i++) {
		g_autoptr(GString) line = g_string_new(NULL);
		if (!export_walk_append_change(options->walk, contents[i], line, error))
			return false;
		g_ptr_array_add(lines, g_strndup(line->str, line->len));
	}
	if (!options->functions->change(options->target, lines, missing, error))
		return false;
	for (guint i = 0; i < missing->len; i++)
		follow_queue(follow, g_array_index(missing, int64_t, i));
	return true;
}

static bool follow_send_all(ExportFollower *follow, GArray *contents, GError **error)
{
	g_array_sort(contents, compare_int64);
	guint n = 0;
	for (guint i = 0; i < contents->len; i++) {
		int64_t content = g_array_index(contents, int64_t, i);
		if (n == 0 || g_array_index(contents, int64_t, n - 1) != content)
			g_array_index(contents, int64_t, n++) = content;
	}
	for (guint i = 0; i < n; i += BATCH_CONTENTS)
		if (!follow_send(follow, &g_array_index(contents, int64_t, i),
		            MIN(n - i, BATCH_CONTENTS), error))
			return false;
	return true;
}

static bool follow_add_contents(
        const ExportFollower *follow, const Change *change, GArray *contents, GError **error)
{
	g_autoptr(GArray) below = NULL;
	if (change->kind == CHANGE_CONTENT)
		g_array_append_val(contents, change->id);
	if (change->kind != CHANGE_DIRECTORY)
		return true;
	if (!reader_contents_below(follow->options->cli->reader, change->id, &below, error))
		return false;
	g_array_append_vals(contents, below->data, below->len);
	return true;
}

/* permissions: of what changed permissions or names; false: of all else. */
static bool follow_send_changes(
        ExportFollower *follow, const GArray *changes, bool permissions, GError **error)
{
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < changes->len; i++) {
		const Change *change = &g_array_index(changes, Change, i);
		if ((change->time_ns != 0) == permissions &&
		        !follow_add_contents(follow, change, contents, error))
			return false;
	}
	if (!follow_send_all(follow, contents, error))
		return false;
	for (guint i = 0; permissions && i < changes->len; i++) {
		int64_t time_ns = g_array_index(changes, Change, i).time_ns;
		if (time_ns != 0)
			follow_note_exposure(follow, time_ns);
	}
	return true;
}

/* While many texts are sent, the log may not grow until this export lapses. If the export ends now,
 * the target stands behind what is told, and is compared whole. */
static bool follow_keep_up(ExportFollower *follow, GError **error)
{
	int64_t seq;
	return follow->seq - follow->told < CHANGES_MOST / 2 ||
	       follow_tell(follow, follow->seq, &seq, error);
}

/* Sends all that the log has now. *kept_r false: it does not go on where the target is. */
static bool follow_first_lane(ExportFollower *follow, bool *kept_r, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	bool fresh = false;
	for (;;) {
		g_autoptr(GArray) changes = NULL;
		if (!reader_changes(options->cli->reader, follow->seq, BATCH_CHANGES, &changes,
		            kept_r, error))
			return false;
		if (!*kept_r || changes->len == 0 || follow_must_end(follow))
			return true;
		/* what was known of directories may be older than the change */
		if (!fresh && !export_walk_restart(options->walk, error))
			return false;
		fresh = true;
		if (!follow_send_changes(follow, changes, true, error) ||
		        !follow_send_changes(follow, changes, false, error))
			return false;
		follow->seq = g_array_index(changes, Change, changes->len - 1).seq;
		if (!follow_keep_up(follow, error))
			return false;
	}
}

/* ---- the second lane: documents with their texts */

static bool follow_put_document(int64_t document, GString *line, void *data, GError **error)
{
	const ExportFollowOptions *options = ((ExportFollower *)data)->options;
	return options->functions->put(options->target, document, line->str, error);
}

/* 1: *content_r lacks documents; 0: nothing is missing; -1: error. */
static int follow_next_missing(ExportFollower *follow, int64_t *content_r, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	if (follow->next < follow->missing->len) {
		*content_r = g_array_index(follow->missing, int64_t, follow->next++);
		g_hash_table_remove(follow->queued, content_r);
		return 1;
	}
	g_array_set_size(follow->missing, 0);
	follow->next = 0;
	if (!follow->comparing)
		return 0;
	int found = options->functions->next_missing(options->target, content_r, error);
	follow->comparing = found > 0;
	return found;
}

/* Sends the documents of one content. 1: sent; 0: there is none left; -1: error. */
static int follow_second_lane(ExportFollower *follow, GError **error)
{
	ExportWalk *walk = follow->options->walk;
	int64_t content;
	int found = follow_next_missing(follow, &content, error);
	if (found <= 0)
		return found;
	int there = export_walk_find(walk, content, error);
	/* at once: a line that comes later would tell of a state that has passed */
	bool sent =
	        there >= 0 &&
	        (there == 0 || export_walk_documents(walk, follow_put_document, follow, error)) &&
	        export_walk_flush(walk, error);
	if (!sent)
		return -1;
	return 1;
}

/* ---- a comparison of everything */

/* Changes nothing if it must end before all is compared. */
static bool follow_compare(ExportFollower *follow, int64_t seq, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	g_autoptr(GString) line = g_string_new(NULL);
	ExportDifferences found;
	int more;
	if (!export_walk_restart(options->walk, error))
		return false;
	while ((more = export_walk_next(options->walk, error)) > 0) {
		if (follow_must_end(follow))
			return true;
		g_string_truncate(line, 0);
		if (!export_walk_append_content(options->walk, line, error) ||
		        !options->functions->see(options->target, line->str, error))
			return false;
	}
	if (more < 0 || !options->functions->compare(options->target, &found, error))
		return false;
	follow->seq = seq;
	follow->stored = -1;
	follow->comparing = true;
	follow->compared_us = g_get_monotonic_time();
	return true;
}

static bool follow_begin(ExportFollower *follow, GError **error)
{
	int64_t seq;
	if (!follow_tell(follow, follow->options->seq, &seq, error))
		return false;
	if (seq != follow->options->seq || seq < 0)
		return follow_compare(follow, seq, error);
	follow->seq = follow->stored = seq;
	follow->compared_us = g_get_monotonic_time();
	return true;
}

/* ---- the loop */

/* Both lanes until they are empty. If it must end before, the target is not told that it came
 * further. */
static ExportFollowEnd follow_work(ExportFollower *follow, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	bool kept;
	int more;
	do {
		if (!follow_first_lane(follow, &kept, error))
			return EXPORT_FOLLOW_ERROR;
		if (!kept)
			return EXPORT_FOLLOW_AGAIN;
		more = follow_second_lane(follow, error);
	} while (more > 0 && !follow_must_end(follow));
	if (more < 0)
		return EXPORT_FOLLOW_ERROR;
	if (follow_must_end(follow))
		return EXPORT_FOLLOW_DONE;
	if (follow->stored != follow->seq || !options->changes) {
		if (!options->functions->end(options->target, follow->seq, error))
			return EXPORT_FOLLOW_ERROR;
		follow->stored = follow->seq;
	}
	export_supervisor_note_step();
	return follow_tell_sometimes(follow, !options->changes, error) ? EXPORT_FOLLOW_DONE
	                                                               : EXPORT_FOLLOW_ERROR;
}

/* Is the index still the one that is followed? */
static bool follow_reopen(const ExportFollower *follow, bool *same_r, GError **error)
{
	const ExportFollowOptions *options = follow->options;
	Reader *reader = cli_fresh_reader(options->cli, error);
	if (!reader)
		return false;
	g_autofree char *instance = reader_identity(reader);
	*same_r = g_strcmp0(instance, export_walk_instance(options->walk)) == 0;
	return export_walk_restart(options->walk, error);
}

static ExportFollowEnd follow_wait(ExportFollower *follow, GError **error)
{
	bool same;
	switch (index_changes_wait(follow->options->changes, -1, 0)) {
	case INDEX_CHANGED:
		if (!follow_reopen(follow, &same, error))
			return EXPORT_FOLLOW_ERROR;
		return same ? EXPORT_FOLLOW_DONE : EXPORT_FOLLOW_AGAIN;
	case INDEX_REPLACED:
		return EXPORT_FOLLOW_AGAIN;
	case INDEX_CHANGES_INTERRUPTED:
		follow_tell_sometimes(follow, true, NULL);
		return EXPORT_FOLLOW_INTERRUPTED;
	case INDEX_CHANGES_ENDED:
		follow_tell_sometimes(follow, true, NULL);
		break;
	}
	follow->options = NULL;
	return EXPORT_FOLLOW_DONE;
}

static ExportFollowEnd follow_run(ExportFollower *follow, GError **error)
{
	ExportFollowEnd end =
	        follow_begin(follow, error) ? EXPORT_FOLLOW_DONE : EXPORT_FOLLOW_ERROR;
	while (end == EXPORT_FOLLOW_DONE) {
		if (!follow_must_end(follow))
			end = follow_work(follow, error);
		if (end != EXPORT_FOLLOW_DONE || !follow->options->changes)
			break;
		end = follow_wait(follow, error);
		if (!follow->options)
			break;
		if (end == EXPORT_FOLLOW_DONE &&
		        g_get_monotonic_time() - follow->compared_us > COMPARE_US &&
		        !follow_compare(follow, follow->seq, error))
			end = EXPORT_FOLLOW_ERROR;
	}
	return end;
}

ExportFollowEnd export_follow(const ExportFollowOptions *options, GError **error)
{
	ExportFollower follow;
	follow_init(&follow, options);
	ExportFollowEnd end = follow_run(&follow, error);
	follow_clear(&follow);
	return end;
}
