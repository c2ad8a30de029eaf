/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/pipeline.h"
#include "common/autofd.h"
#include "daemon/hot.h"
#include "daemon/journal.h"
#include "daemon/place.h"
#include <string.h>

enum { MAX_IN_WORK = 12, MAX_URGENT = 4096, BATCH = 64, HELD_SLACK_US = 1000 * 1000 };
#define MAX_BYTES_IN_WORK (UINT64_C(48) << 20)

static const int64_t unstable_waits_us[] = {2000000, 10000000, 60000000};

typedef enum {
	JOB_HELD, /* open or hot: the queue brings it back, or due_us if its name there goes */
	JOB_LATER, /* to be tried again at due_us */
	JOB_QUEUED, /* wanted */
	JOB_LOADING,
	JOB_WAITING, /* another job converts the same bytes */
	JOB_CONVERTING,
} JobState;

struct Job {
	int64_t inode; /* key of Pipeline.jobs */
	int64_t node;
	EntryStat stat; /* as the row said when it was started */
	JobState state;
	bool urgent, cancelled;
	bool again; /* its bytes changed while it was in work */
	bool touched; /* a hint came while it was in work */
	unsigned unstable;
	uint64_t hot; /* key; 0: not from an event */
	int64_t due_us, started_us;
	uint64_t bytes; /* counted in bytes_in_work */
	uint8_t checksum[CHECKSUM_BYTES];
	uint64_t size;
	int64_t content; /* being written; 0: none yet */
	GPtrArray *waiting; /* Job */
};

struct Pipeline {
	Crawl *crawl;
	Loader *loader;
	Pool *pool;
	Journal *journal;
	PipelineLimits limits;
	GHashTable *jobs; /* Job by inode */
	GHashTable *converting; /* Job by checksum */
	GHashTable *suspects; /* int64_t inode */
	GQueue urgent; /* Job, QUEUED */
	GQueue batch; /* Job, QUEUED, from the backlog */
	Hot *hot;
	bool broken; /* the converter could not be used the last time */
	bool hurry, backlog_known; /* backlog_known: may hold rows */
	int64_t backlog_not_before_us;
	unsigned loading, n_converting, held;
	uint64_t bytes_in_work, done, text_bytes, extractions;
};

void pipeline_message_free(PipelineMessage *message)
{
	g_clear_pointer(&message->load, load_free);
	g_clear_pointer(&message->documents, g_ptr_array_unref);
	if (message->result)
		pool_result_clear(message->result);
	g_free(message->result);
	g_free(message);
}

static guint checksum_hash(gconstpointer key)
{
	guint hash;
	memcpy(&hash, key, sizeof(hash));
	return hash;
}

static gboolean checksum_equal(gconstpointer one, gconstpointer other)
{
	return memcmp(one, other, CHECKSUM_BYTES) == 0;
}

Pipeline *pipeline_new(Loader *loader, Pool *pool)
{
	Pipeline *p = g_new0(Pipeline, 1);
	p->loader = loader;
	p->pool = pool;
	p->jobs = g_hash_table_new(g_int64_hash, g_int64_equal);
	p->converting = g_hash_table_new(checksum_hash, checksum_equal);
	p->suspects = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p->hot = hot_new();
	p->backlog_known = true;
	return p;
}

void pipeline_set_crawl(Pipeline *p, Crawl *crawl)
{
	p->crawl = crawl;
}

static bool is_in_work(const Job *job)
{
	return job->state == JOB_LOADING || job->state == JOB_WAITING ||
	       job->state == JOB_CONVERTING;
}

static bool is_put_off(const Job *job)
{
	return job->state == JOB_HELD || job->state == JOB_LATER;
}

static void job_free(Job *job)
{
	g_clear_pointer(&job->waiting, g_ptr_array_unref);
	g_free(job);
}

/* All places that count jobs by state. */
static void set_state(Pipeline *p, Job *job, JobState state)
{
	p->held -= is_put_off(job);
	p->loading -= job->state == JOB_LOADING;
	p->n_converting -= job->state == JOB_CONVERTING;
	job->state = state;
	p->held += is_put_off(job);
	p->loading += job->state == JOB_LOADING;
	p->n_converting += job->state == JOB_CONVERTING;
}

static Job *job_new(Pipeline *p, const Entry *entry, JobState state)
{
	Job *job = g_new0(Job, 1);
	job->inode = entry->inode;
	job->node = entry->node;
	job->stat = entry->stat;
	job->state = JOB_QUEUED;
	set_state(p, job, state);
	g_hash_table_insert(p->jobs, &job->inode, job);
	return job;
}

static void leave_converter(Pipeline *p, Job *job)
{
	g_hash_table_remove(p->converting, job->checksum);
	if (p->journal)
		journal_remove(p->journal, job->inode);
	set_state(p, job, JOB_QUEUED);
}

static void job_forget(Pipeline *p, Job *job);

/* They are rows of the backlog again. */
static void forget_waiting(Pipeline *p, Job *job)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++)
		job_forget(p, waiting->pdata[i]);
	p->backlog_known |= waiting != NULL;
}

/* Out of the tables; freed if no message about it is on its way. */
static void job_forget(Pipeline *p, Job *job)
{
	forget_waiting(p, job);
	bool pending = job->state == JOB_LOADING || job->state == JOB_CONVERTING;
	if (job->state == JOB_CONVERTING)
		leave_converter(p, job);
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	set_state(p, job, JOB_QUEUED);
	g_hash_table_remove(p->jobs, &job->inode);
	job->cancelled = true;
	if (!pending)
		job_free(job);
}

void pipeline_reset(Pipeline *p)
{
	g_autoptr(GList) jobs = g_hash_table_get_values(p->jobs);
	g_queue_clear(&p->urgent);
	g_queue_clear(&p->batch);
	for (GList *item = jobs; item; item = item->next)
		g_clear_pointer(&((Job *)item->data)->waiting, g_ptr_array_unref);
	for (GList *item = jobs; item; item = item->next)
		job_forget(p, item->data);
	p->backlog_known = true;
}

static void forget_messages(gpointer inode, gpointer value, gpointer data)
{
	Job *job = value;
	if (job->state == JOB_LOADING || job->state == JOB_CONVERTING)
		set_state(data, job, JOB_QUEUED);
}

void pipeline_free(Pipeline *p)
{
	g_hash_table_foreach(p->jobs, forget_messages, p);
	pipeline_reset(p);
	g_hash_table_unref(p->jobs);
	g_hash_table_unref(p->converting);
	g_hash_table_unref(p->suspects);
	hot_free(p->hot);
	g_free(p);
}

void pipeline_set_limits(Pipeline *p, const PipelineLimits *limits)
{
	p->limits = *limits;
}

void pipeline_set_journal(Pipeline *p, Journal *journal)
{
	p->journal = journal;
}

void pipeline_set_suspects(Pipeline *p, const GArray *inodes)
{
	for (guint i = 0; i < inodes->len; i++)
		g_hash_table_add(p->suspects,
		        g_memdup2(&g_array_index(inodes, int64_t, i), sizeof(int64_t)));
}

void pipeline_look_for_backlog(Pipeline *p)
{
	p->backlog_known = true;
}

void pipeline_hurry(Pipeline *p, bool hurry)
{
	p->hurry = hurry;
}

/* ---- what is wanted */

/* Is nobody writing to it any more, as far as the events tell? */
static bool is_settled(const Entry *entry, const Job *job, unsigned what)
{
	if ((what & (HINT_CLOSED | HINT_MOVED)) || what == HINT_MODIFIED)
		return true;
	if (what & HINT_MODIFIED)
		return false;
	if (what & HINT_CREATED) /* linked or copied there as a whole; an empty one is about to be
	                            written */
		return entry->stat.size > 0;
	return !job || job->state != JOB_HELD;
}

static void unqueue(Pipeline *p, Job *job)
{
	g_queue_remove(&p->urgent, job);
	g_queue_remove(&p->batch, job);
}

/* The entry in the queue that is to bring it back may go with its name while another name of the
 * inode stays: past due_us it is taken up without. */
static void hold(Pipeline *p, const Entry *entry, Job *job, int64_t until_us)
{
	if (!job)
		job = job_new(p, entry, JOB_HELD);
	else if (job->state == JOB_QUEUED)
		unqueue(p, job);
	set_state(p, job, JOB_HELD);
	job->due_us = until_us + HELD_SLACK_US;
}

static void want(Pipeline *p, const Entry *entry, Job *job, uint64_t hot)
{
	if (!job && p->urgent.length >= MAX_URGENT) { /* so many: the backlog does it */
		p->backlog_known = true;
		return;
	}
	if (!job)
		job = job_new(p, entry, JOB_QUEUED);
	else if (job->state == JOB_QUEUED)
		unqueue(p, job);
	set_state(p, job, JOB_QUEUED);
	job->urgent = true;
	job->hot = hot;
	job->node = entry->node;
	job->stat = entry->stat;
	g_queue_push_tail(&p->urgent, job);
}

void pipeline_content(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *data)
{
	Pipeline *p = data;
	Job *job = g_hash_table_lookup(p->jobs, &entry->inode);
	int64_t now_us = g_get_monotonic_time();
	uint64_t hot = hot_key(dir->node, name);
	if (job && is_in_work(job)) {
		job->touched |= what != 0;
		return;
	}
	if (what == 0) {
		p->backlog_known = true;
		return;
	}
	if (!p->hurry && !is_settled(entry, job, what)) {
		hold(p, entry, job, now_us + QUEUE_OPEN_US);
		queue_push(p->crawl->queue, dir->node, name, HINT_MODIFIED, now_us);
		return;
	}
	int64_t due_us = p->hurry ? 0 : hot_not_before_us(p->hot, hot, now_us);
	if (due_us > 0) {
		hold(p, entry, job, due_us);
		queue_push_at(p->crawl->queue, dir->node, name, HINT_MODIFIED, due_us);
		return;
	}
	want(p, entry, job, hot);
}

void pipeline_changed(int64_t inode, void *data)
{
	Pipeline *p = data;
	Job *job = g_hash_table_lookup(p->jobs, &inode);
	if (job && is_in_work(job))
		job->again = true;
	else if (job && job->state != JOB_QUEUED)
		job_forget(p, job);
}

/* ---- start */

static Writer *writer_of(const Pipeline *p)
{
	return p->crawl->writer;
}

static void put_off(Pipeline *p, Job *job, int64_t due_us)
{
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	job->due_us = due_us;
	set_state(p, job, JOB_LATER);
}

/* The row may have changed or gone since the job was made. 1: go on, 0: drop it, -1: error. */
static int check_row(Pipeline *p, Job *job, Entry *row, GError **error)
{
	int found = writer_get(writer_of(p), job->node, row, error);
	if (found < 0)
		return -1;
	return found && row->inode == job->inode && row->state == INODE_PENDING &&
	       row->stat.kind == ENTRY_FILE;
}

/* It was in work when the daemon died. Past the limit it is given up. */
static bool count_suspect(Pipeline *p, const Job *job, bool *give_up_r, GError **error)
{
	unsigned tries;
	*give_up_r = false;
	if (!g_hash_table_contains(p->suspects, &job->inode))
		return true;
	if (!writer_attempt(writer_of(p), job->inode, &tries, error))
		return false;
	*give_up_r = tries > JOURNAL_TRIES;
	return !*give_up_r || writer_set_inode_state(writer_of(p), job->inode, INODE_FAILED,
	                              REASON_CRASHED, NULL, error);
}

static bool start(Pipeline *p, Job *job, int64_t now_us, GError **error)
{
	enum { AWAY_US = 600 * 1000 * 1000 };
	g_autofree char *root = NULL, *relative = NULL;
	bool give_up;
	Entry row;
	int found = check_row(p, job, &row, error);
	if (found < 0)
		return false;
	if (found == 0) {
		p->backlog_known = true; /* its inode may have another name */
		job_forget(p, job);
		return true;
	}
	if (!count_suspect(p, job, &give_up, error) ||
	        !crawl_locate(p->crawl, job->node, &root, &relative, error))
		return false;
	if (give_up) {
		job_forget(p, job);
		return true;
	}
	if (!root) { /* offline */
		put_off(p, job, now_us + AWAY_US);
		return true;
	}
	job->stat = row.stat;
	job->again = job->touched = false;
	job->started_us = now_us;
	job->bytes = MIN((uint64_t)row.stat.size, (uint64_t)LOAD_COPY_BYTES);
	p->bytes_in_work += job->bytes;
	set_state(p, job, JOB_LOADING);
	Load *load = load_new(root, relative, row.stat.ino);
	load->max_bytes = p->limits.max_file_bytes;
	load->job = job;
	loader_push(p->loader, load);
	return true;
}

static unsigned in_work(const Pipeline *p)
{
	return p->loading + p->n_converting;
}

static bool has_room(const Pipeline *p)
{
	return in_work(p) == 0 ||
	       (in_work(p) < MAX_IN_WORK && p->bytes_in_work < MAX_BYTES_IN_WORK);
}

static bool fetch_batch(Pipeline *p, GError **error)
{
	g_autoptr(GArray) entries = NULL;
	if (!writer_pending(writer_of(p), BATCH, p->jobs, &entries, error))
		return false;
	p->backlog_known = entries->len > 0;
	for (guint i = 0; i < entries->len; i++)
		g_queue_push_tail(
		        &p->batch, job_new(p, &g_array_index(entries, Entry, i), JOB_QUEUED));
	return true;
}

static bool is_suspect(const Pipeline *p, const Job *job)
{
	return g_hash_table_contains(p->suspects, &job->inode);
}

/* The next of the backlog; suspects go last and alone. NULL: none now. */
static Job *next_of_batch(Pipeline *p)
{
	for (guint i = p->batch.length; i > 0; i--) {
		Job *job = g_queue_pop_head(&p->batch);
		if (!is_suspect(p, job) || in_work(p) == 0)
			return job;
		g_queue_push_tail(&p->batch, job);
	}
	return NULL;
}

static void wake_later(Pipeline *p, int64_t now_us)
{
	GHashTableIter iter;
	gpointer value;
	if (p->held == 0)
		return;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		Job *job = value;
		if (!is_put_off(job) || job->due_us > now_us)
			continue;
		set_state(p, job, JOB_QUEUED);
		g_queue_push_tail(&p->urgent, job);
	}
}

void pipeline_wake(Pipeline *p)
{
	wake_later(p, INT64_MAX);
	p->backlog_known = true;
}

/* A suspect in work is alone, whatever else is wanted. */
static bool suspect_in_work(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	if (g_hash_table_size(p->suspects) == 0 || in_work(p) != 1)
		return false;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		if (is_in_work(value) && is_suspect(p, value))
			return true;
	}
	return false;
}

static bool fill_from_backlog(Pipeline *p, int64_t now_us, GError **error)
{
	if (now_us < p->backlog_not_before_us)
		return true;
	while (has_room(p)) {
		if (p->batch.length == 0 && (!p->backlog_known || !fetch_batch(p, error)))
			return !p->backlog_known;
		Job *job = next_of_batch(p);
		if (!job)
			return true;
		if (!start(p, job, now_us, error))
			return false;
		if (suspect_in_work(p))
			return true;
	}
	return true;
}

bool pipeline_fill(Pipeline *p, bool backlog, int64_t now_us, GError **error)
{
	wake_later(p, now_us);
	if (suspect_in_work(p))
		return true;
	while (p->urgent.length > 0 && has_room(p)) {
		if (!start(p, g_queue_pop_head(&p->urgent), now_us, error))
			return false;
	}
	return !backlog || p->urgent.length > 0 || fill_from_backlog(p, now_us, error);
}

int64_t pipeline_next_us(const Pipeline *p)
{
	int64_t next_us = INT64_MAX;
	GHashTableIter iter;
	gpointer value;
	if (p->backlog_known && p->backlog_not_before_us > 0)
		next_us = p->backlog_not_before_us;
	if (p->held == 0)
		return next_us;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const Job *job = value;
		if (is_put_off(job))
			next_us = MIN(next_us, job->due_us);
	}
	return next_us;
}

/* ---- ends */

/* Leaves the pipeline; what changed meanwhile is wanted again. */
static bool finish(Pipeline *p, Job *job, int64_t now_us, GError **error)
{
	bool again = job->again;
	Entry entry = {.inode = job->inode, .node = job->node, .stat = job->stat};
	uint64_t hot = job->hot;
	p->done++;
	if (hot)
		hot_note(p->hot, hot, now_us - job->started_us, now_us);
	g_hash_table_remove(p->suspects, &job->inode);
	job_forget(p, job);
	if (!again)
		return true;
	if (!writer_set_inode_state(
	            writer_of(p), entry.inode, INODE_PENDING, REASON_NONE, NULL, error))
		return false;
	want(p, &entry, NULL, hot);
	return true;
}

static bool fail(
        Pipeline *p, Job *job, DocReason reason, const char *detail, int64_t now_us, GError **error)
{
	return writer_set_inode_state(
	               writer_of(p), job->inode, INODE_FAILED, reason, detail, error) &&
	       finish(p, job, now_us, error);
}

static bool link_to(Pipeline *p, Job *job, int64_t content, int64_t now_us, GError **error)
{
	Entry row;
	int valid = check_row(p, job, &row, error);
	if (valid < 0)
		return false;
	if (valid == 0) { /* gone, an orphan, or reached by another name: the backlog will tell */
		p->backlog_known = true;
		job_forget(p, job);
		return true;
	}
	return writer_link(writer_of(p), job->inode, content, error) &&
	       finish(p, job, now_us, error);
}

/* ---- loaded */

static bool read_again(Pipeline *p, Job *job)
{
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	g_queue_push_tail(&p->urgent, job);
	return true;
}

static bool try_later(
        Pipeline *p, Job *job, DocReason reason, const char *detail, int64_t now_us, GError **error)
{
	if (job->again || job->touched) /* the hint of the change has come already */
		return read_again(p, job);
	if (job->hot)
		hot_note(p->hot, job->hot, now_us - job->started_us, now_us);
	if (job->unstable >= G_N_ELEMENTS(unstable_waits_us))
		return fail(p, job, reason, detail, now_us, error);
	put_off(p, job, now_us + unstable_waits_us[job->unstable++]);
	return true;
}

/* Not what the row said. If the row has moved since, the file is read where it is now; else the
 * directory is to be looked at, and should that change nothing, the file comes up again later. */
static bool not_there(Pipeline *p, Job *job, const Load *load, int64_t now_us, GError **error)
{
	Entry row;
	g_autofree char *root = NULL, *relative = NULL;
	int found = check_row(p, job, &row, error);
	if (found < 0 || (found && !crawl_locate(p->crawl, job->node, &root, &relative, error)))
		return false;
	if (found == 0) {
		p->backlog_known = true;
		job_forget(p, job);
		return true;
	}
	if (root && (strcmp(root, load->root) != 0 || strcmp(relative, load->relative) != 0))
		return read_again(p, job);
	g_autofree char *name = g_path_get_basename(load->relative);
	queue_push(p->crawl->queue, row.parent, name, HINT_FACTS, now_us);
	return try_later(p, job, REASON_IO, NULL, now_us, error);
}

static bool submit(Pipeline *p, Job *job, Load *load)
{
	PoolTask *task = g_new0(PoolTask, 1);
	task->fd = autofd_steal(&load->fd);
	task->size = load->size;
	task->name = g_path_get_basename(load->relative);
	task->limits = p->limits.limits;
	task->urgent = job->urgent;
	task->job = job;
	set_state(p, job, JOB_CONVERTING);
	g_hash_table_insert(p->converting, job->checksum, job);
	if (p->journal)
		journal_add(p->journal, job->inode);
	p->extractions++;
	pool_submit(p->pool, task);
	return true;
}

static void wait_for(Pipeline *p, Job *job, Job *first)
{
	if (!first->waiting)
		first->waiting = g_ptr_array_new();
	g_ptr_array_add(first->waiting, job);
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	set_state(p, job, JOB_WAITING);
}

static bool update_facts(Pipeline *p, Job *job, const Load *load, GError **error)
{
	EntryStat now = place_stat(job->stat.filesystem, &load->st);
	const EntryStat *old = &job->stat;
	if (now.size == old->size && now.mtime_ns == old->mtime_ns && now.ctime_ns == old->ctime_ns)
		return true;
	return writer_update_stat(writer_of(p), job->inode, &now, error);
}

static bool is_same_file(const Job *job, const Load *load)
{
	EntryStat now = place_stat(job->stat.filesystem, &load->st);
	return now.ino == job->stat.ino && now.birth_ns == job->stat.birth_ns;
}

static bool use_bytes(Pipeline *p, Job *job, Load *load, int64_t now_us, GError **error)
{
	int64_t content;
	if (!is_same_file(job, load))
		return not_there(p, job, load, now_us, error);
	if (!update_facts(p, job, load, error))
		return false;
	memcpy(job->checksum, load->checksum, CHECKSUM_BYTES);
	job->size = load->size;
	Job *first = g_hash_table_lookup(p->converting, job->checksum);
	if (first) {
		wait_for(p, job, first);
		return true;
	}
	int known = writer_find_content(writer_of(p), job->checksum, &content, error);
	if (known < 0)
		return false;
	return known ? link_to(p, job, content, now_us, error) : submit(p, job, load);
}

static bool take_loaded(Pipeline *p, Job *job, Load *load, int64_t now_us, GError **error)
{
	set_state(p, job, JOB_QUEUED); /* no message is under way any more */
	switch (load->outcome) {
	case LOAD_OK:
		return use_bytes(p, job, load, now_us, error);
	case LOAD_GONE:
		return not_there(p, job, load, now_us, error);
	case LOAD_UNSTABLE:
		return try_later(p, job, REASON_UNSTABLE, NULL, now_us, error);
	case LOAD_IO:
		return try_later(p, job, REASON_IO, g_strerror(load->error_number), now_us, error);
	case LOAD_UNREADABLE:
		return fail(p, job, REASON_UNREADABLE, NULL, now_us, error);
	case LOAD_TOO_LARGE:
		return fail(p, job, REASON_LIMIT_FILE, NULL, now_us, error);
	case LOAD_OURS:
		break;
	}
	return fail(p, job, REASON_UNSUPPORTED, NULL, now_us, error);
}

/* ---- converted */

static bool begin_content(Pipeline *p, Job *job, GError **error)
{
	return job->content ||
	       writer_begin_content(writer_of(p), job->checksum, job->size, &job->content, error);
}

static bool take_documents(Pipeline *p, Job *job, const PipelineMessage *message, GError **error)
{
	if (!begin_content(p, job, error))
		return false;
	for (guint i = 0; i < message->documents->len; i++) {
		const Document *doc = message->documents->pdata[i];
		if (!writer_add_document(
		            writer_of(p), job->content, doc, message->expensive, error))
			return false;
		p->text_bytes += doc->text->len;
	}
	return true;
}

static bool abandon(Pipeline *p, Job *job, GError **error)
{
	int64_t content = job->content;
	job->content = 0;
	return content == 0 || writer_abandon_content(writer_of(p), content, error);
}

/* Those whose row still wants it. */
static bool any_valid(Pipeline *p, Job *job, bool *valid_r, GError **error)
{
	Entry row;
	*valid_r = false;
	for (guint i = 0; i <= (job->waiting ? job->waiting->len : 0); i++) {
		Job *one = i == 0 ? job : job->waiting->pdata[i - 1];
		int valid = check_row(p, one, &row, error);
		if (valid < 0)
			return false;
		*valid_r |= valid == 1;
	}
	return true;
}

static bool link_all(Pipeline *p, Job *job, int64_t content, int64_t now_us, GError **error)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++) {
		if (!link_to(p, waiting->pdata[i], content, now_us, error))
			return false;
	}
	return link_to(p, job, content, now_us, error);
}

static bool drop_all(Pipeline *p, Job *job)
{
	job_forget(p, job);
	p->backlog_known = true;
	return true;
}

static bool store(Pipeline *p, Job *job, const PoolResult *result, int64_t now_us, GError **error)
{
	ContentEnd end = {result->mime, result->extractor, result->detail, result->version,
	        result->state, result->reason};
	bool valid;
	if (!any_valid(p, job, &valid, error))
		return false;
	if (!valid)
		return abandon(p, job, error) && drop_all(p, job);
	return begin_content(p, job, error) &&
	       writer_end_content(writer_of(p), job->content, &end, error) &&
	       link_all(p, job, job->content, now_us, error);
}

/* A ceiling of n percent: what took t is followed by a rest of t * (100 - n) / n. */
static void rest(Pipeline *p, const Job *job, const PoolResult *result, int64_t now_us)
{
	unsigned percent = p->limits.cpu_percent;
	if (percent == 0 || percent >= 100 || job->urgent)
		return;
	int64_t from_us = MAX(now_us, p->backlog_not_before_us);
	p->backlog_not_before_us = from_us + result->cpu_us * (100 - percent) / percent;
}

/* Each on its own: they may have other bytes by then. */
static void put_off_all(Pipeline *p, Job *job, int64_t due_us)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++)
		put_off(p, waiting->pdata[i], due_us);
	put_off(p, job, due_us);
}

/* The converter itself is missing: no verdict on the file. */
static bool is_our_fault(const PoolResult *result)
{
	return result->state == STATE_FAILED &&
	       (result->reason == REASON_MISSING || result->reason == REASON_JAIL) && !result->mime;
}

static bool take_converted(
        Pipeline *p, Job *job, const PoolResult *result, int64_t now_us, GError **error)
{
	enum { BROKEN_US = 300 * 1000 * 1000 };
	leave_converter(p, job);
	rest(p, job, result, now_us);
	p->broken = is_our_fault(result);
	if (!p->broken)
		return store(p, job, result, now_us, error);
	put_off_all(p, job, now_us + BROKEN_US);
	return abandon(p, job, error);
}

/* ---- messages */

static bool dispatch(Pipeline *p, PipelineMessage *message, int64_t now_us, GError **error)
{
	Job *job = message->job;
	switch (message->kind) {
	case PIPELINE_LOADED:
		return take_loaded(p, job, message->load, now_us, error);
	case PIPELINE_DOCUMENTS:
		return take_documents(p, job, message, error);
	case PIPELINE_RESTARTED:
		return abandon(p, job, error);
	case PIPELINE_CONVERTED:
		break;
	}
	return take_converted(p, job, message->result, now_us, error);
}

static size_t bytes_of(const PipelineMessage *message)
{
	size_t bytes = 0;
	for (guint i = 0; message->documents && i < message->documents->len; i++)
		bytes += pool_document_bytes(message->documents->pdata[i]);
	return bytes;
}

static void release(Pipeline *p, PipelineMessage *message)
{
	size_t bytes = bytes_of(message);
	if (bytes > 0)
		pool_consumed(p->pool, bytes);
	pipeline_message_free(message);
}

void pipeline_discard(Pipeline *p, PipelineMessage *message)
{
	bool last = message->kind == PIPELINE_LOADED || message->kind == PIPELINE_CONVERTED;
	Job *job = message->job;
	if (last && job->cancelled) {
		job_free(job);
	} else if (last) {
		if (job->state == JOB_CONVERTING)
			leave_converter(p, job);
		set_state(p, job, JOB_QUEUED);
		job_forget(p, job);
	}
	release(p, message);
}

bool pipeline_take(Pipeline *p, PipelineMessage *message, int64_t now_us, GError **error)
{
	if (message->job->cancelled) {
		pipeline_discard(p, message);
		return true;
	}
	bool ok = dispatch(p, message, now_us, error);
	release(p, message);
	return ok;
}

void pipeline_counts(const Pipeline *p, PipelineCounts *out)
{
	*out = (PipelineCounts){p->loading, p->n_converting, p->urgent.length, p->held,
	        p->backlog_known || p->batch.length > 0, p->broken, p->done, p->text_bytes,
	        p->extractions};
}

bool pipeline_is_idle(const Pipeline *p)
{
	return in_work(p) == 0 && p->urgent.length == 0 && p->batch.length == 0 &&
	       !p->backlog_known;
}

int64_t pipeline_current(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, p->converting);
	if (!g_hash_table_iter_next(&iter, NULL, &value))
		return 0;
	return ((const Job *)value)->node;
}
