/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/loader.h"
#include "common/base/autofd.h"
#include "common/sandbox/converter.h"
#include "daemon/fs/safeopen.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK_BYTES = 128 << 10 };

/* One thread and its queue. */
typedef struct {
	Loader *loader;
	GAsyncQueue *queue; /* of Load; the lane itself as an element means stop */
	GThread *thread; /* NULL: not started yet */
	GHashTable *agents; /* root -> Agent; used by the thread only */
} Lane;

struct Loader {
	const Own *own;
	ResultQueue *results;
	gint stop; /* atomic */
	Lane local, large, remote;
};

static LoadOutcome loader_failed(Load *load, int code)
{
	load->error_number = code;
	switch (code) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case EXDEV:
	case ESTALE:
	case ENAMETOOLONG:
		return LOAD_GONE;
	case EACCES:
	case EPERM:
		return LOAD_UNREADABLE;
	default:
		return LOAD_IO;
	}
}

/* Checks everything that can be checked before the file is opened for reading. */
static LoadOutcome loader_examine(Load *load, Agent *agent, int path_fd, const Own *own)
{
	if (safe_stat_fd(agent, path_fd, SAFE_ASK, &load->st) != 0)
		return loader_failed(load, errno);
	if (!S_ISREG(load->st.stx_mode) || (load->ino != 0 && load->st.stx_ino != load->ino))
		return LOAD_GONE;
	if (own_is_file(own, &load->st))
		return LOAD_OURS;
	load->size = load->st.stx_size;
	return load->size > load->max_bytes ? LOAD_TOO_LARGE : LOAD_OK;
}

static ssize_t loader_read_chunk(int fd, void *buffer, size_t length)
{
	ssize_t got;
	do {
		got = read(fd, buffer, length);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* total: the bytes that were read, in this load since began_us. Of a remote file the slice is the
 * part that was copied. */
static bool loader_slice_is_over(const Load *load, uint64_t total, int64_t began_us)
{
	if (!load->only_checksum || total >= load->size)
		return false;
	return load->remote ? total - load->part_bytes >= LOAD_SLICE_BYTES
	                    : g_get_monotonic_time() - began_us >= LOAD_SLICE_US;
}

static LoadOutcome loader_take_chunk(
        Load *load, Checksum *checksum, const char *bytes, ssize_t got, int copy_fd)
{
	if (got < 0)
		return loader_failed(load, errno);
	if (load->stop && g_atomic_int_get(load->stop))
		return loader_failed(load, ECANCELED);
	checksum_update(checksum, bytes, got);
	return copy_fd < 0 || safe_write_all(copy_fd, bytes, got) ? LOAD_OK
	                                                          : loader_failed(load, errno);
}

/* Reads to the end, or to the end of the slice, but never past the size seen first. copy_fd -1:
 * only the checksum is computed. */
static LoadOutcome read_through(Load *load, int fd, int copy_fd)
{
	size_t room = MIN((uint64_t)CHUNK_BYTES, load->size + 1);
	g_autofree char *buffer = g_malloc(room);
	g_autofree Checksum *checksum =
	        load->part ? g_steal_pointer(&load->part) : checksum_new(&load->key);
	LoadOutcome outcome = LOAD_OK;
	uint64_t total = load->part_bytes;
	int64_t began_us = g_get_monotonic_time();
	ssize_t got = 1;
	if (total > 0 && lseek(fd, (off_t)total, SEEK_SET) < 0)
		return loader_failed(load, errno);
	while (outcome == LOAD_OK && got != 0 && total <= load->size) {
		if (loader_slice_is_over(load, total, began_us)) {
			load->part = g_steal_pointer(&checksum);
			load->part_bytes = total;
			load->more = true;
			return LOAD_OK;
		}
		got = loader_read_chunk(fd, buffer, room);
		outcome = loader_take_chunk(load, checksum, buffer, got, copy_fd);
		total += MAX(got, 0);
	}
	checksum_final(g_steal_pointer(&checksum), load->checksum);
	return outcome == LOAD_OK && total != load->size ? LOAD_UNSTABLE : outcome;
}

static bool same_time(struct statx_timestamp a, struct statx_timestamp b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static LoadOutcome check_unchanged(Load *load, Agent *agent, int fd)
{
	struct statx before = load->st;
	if (safe_stat_fd(agent, fd, SAFE_ASK, &load->st) != 0)
		return loader_failed(load, errno);
	bool same = before.stx_size == load->st.stx_size && before.stx_ino == load->st.stx_ino &&
	            same_time(before.stx_mtime, load->st.stx_mtime) &&
	            same_time(before.stx_ctime, load->st.stx_ctime);
	return same ? LOAD_OK : LOAD_UNSTABLE;
}

/* Reads without a copy. */
static LoadOutcome read_itself(Load *load, int fd)
{
	LoadOutcome outcome = read_through(load, fd, -1);
	if (outcome == LOAD_OK)
		outcome = check_unchanged(load, NULL, fd);
	if (outcome != LOAD_OK || load->only_checksum)
		return outcome;
	if (lseek(fd, 0, SEEK_SET) != 0)
		return loader_failed(load, errno);
	load->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return LOAD_OK;
}

static void loader_sum(Load *load, const void *bytes, size_t size)
{
	Checksum *checksum = checksum_new(&load->key);
	checksum_update(checksum, bytes, size);
	checksum_final(checksum, load->checksum);
}

/* Asks for one byte more than there should be. */
static LoadOutcome read_small(Load *load, int fd)
{
	g_autofree char *buffer = g_malloc(load->size + 1);
	size_t total = 0;
	ssize_t got = 1;
	while (got > 0 && total < load->size) {
		got = loader_read_chunk(fd, buffer + total, load->size + 1 - total);
		total += MAX(got, 0);
	}
	if (got < 0)
		return loader_failed(load, errno);
	if (total != load->size)
		return LOAD_UNSTABLE;
	LoadOutcome outcome = check_unchanged(load, NULL, fd);
	if (outcome != LOAD_OK)
		return outcome;
	loader_sum(load, buffer, load->size);
	load->bytes = g_bytes_new_take(g_steal_pointer(&buffer), load->size);
	return LOAD_OK;
}

static LoadOutcome read_copy(Load *load, int fd)
{
	autofd copy_fd = memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (copy_fd < 0)
		return loader_failed(load, errno);
	LoadOutcome outcome = read_through(load, fd, copy_fd);
	if (outcome == LOAD_OK)
		outcome = check_unchanged(load, NULL, fd);
	if (outcome != LOAD_OK)
		return outcome;
	enum { SEALS = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
	if (lseek(copy_fd, 0, SEEK_SET) != 0 || fcntl(copy_fd, F_ADD_SEALS, SEALS) != 0)
		return loader_failed(load, errno);
	load->fd = autofd_steal(&copy_fd);
	return LOAD_OK;
}

/* The agent returns a copy of the file, or of the part that a slice reads. */
static LoadOutcome read_remote(Load *load, Agent *agent, int path_fd)
{
	autofd fd = load->only_checksum
	                    ? safe_copy_part(agent, path_fd, load->part_bytes, LOAD_SLICE_BYTES)
	                    : safe_copy(agent, path_fd, "", load->size);
	if (fd < 0)
		return errno == EFBIG ? LOAD_UNSTABLE : loader_failed(load, errno);
	LoadOutcome outcome = read_through(load, fd, -1);
	if (outcome == LOAD_OK)
		outcome = check_unchanged(load, agent, path_fd);
	if (outcome != LOAD_OK || load->only_checksum)
		return outcome;
	if (lseek(fd, 0, SEEK_SET) != 0)
		return loader_failed(load, errno);
	load->fd = autofd_steal(&fd);
	return LOAD_OK;
}

/* A directory that may not be entered tells nothing about the file. */
static LoadOutcome loader_failed_on_path(Load *load, int code, LoadOutcome gone)
{
	LoadOutcome outcome = loader_failed(load, code);
	return outcome == LOAD_GONE || outcome == LOAD_UNREADABLE ? gone : outcome;
}

static LoadOutcome loader_try_file(Load *load, Agent *agent, const Own *own)
{
	autofd root_fd = safe_open_root(agent, load->root);
	if (root_fd < 0)
		return loader_failed_on_path(load, errno, LOAD_AWAY);
	autofd path_fd = safe_open_path(agent, root_fd, load->relative, &load->crossings);
	if (path_fd < 0)
		return loader_failed_on_path(load, errno, LOAD_GONE);
	LoadOutcome outcome = loader_examine(load, agent, path_fd, own);
	if (outcome != LOAD_OK)
		return outcome;
	if (agent)
		return read_remote(load, agent, path_fd);
	autofd fd = safe_reopen_file(path_fd);
	if (fd < 0)
		return loader_failed(load, errno);
	if (load->size <= WIRE_ENCLOSED_BYTES && !load->only_checksum)
		return read_small(load, fd);
	bool copy = load->size <= SAFE_COPY_BYTES && !load->only_checksum;
	return copy ? read_copy(load, fd) : read_itself(load, fd);
}

/* The daemon may read below its roots alone: a file whose directory is moved out of them and back
 * cannot be read for a moment. */
static LoadOutcome loader_load_file(Load *load, Agent *agent, const Own *own)
{
	enum { TRIES = 3 };
	LoadOutcome outcome = LOAD_UNREADABLE;
	for (unsigned i = 0; i < TRIES && outcome == LOAD_UNREADABLE; i++)
		outcome = loader_try_file(load, agent, own);
	return outcome;
}

/* A sealed copy of the bytes, at offset 0; -1 with errno. */
static int page_copy(const void *bytes, size_t size)
{
	enum { SEALS = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
	autofd fd = memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || !safe_write_all(fd, bytes, size) || lseek(fd, 0, SEEK_SET) != 0 ||
	        fcntl(fd, F_ADD_SEALS, SEALS) != 0)
		return -1;
	return autofd_steal(&fd);
}

static LoadOutcome loader_load_page(Load *load)
{
	enum { RECORD_BYTES = WARC_MAX_BODY_BYTES + 4 * WARC_MAX_HEAD_BYTES };
	LoadPage *page = load->page;
	g_autoptr(GError) error = NULL;
	g_autoptr(WarcContent) content =
	        warc_store_read(page->store, &page->place, page->url, RECORD_BYTES, &error);
	if (!content) {
		g_message("%s: %s", page->url, error->message);
		load->error_number = EIO;
		return g_error_matches(error, WARC_ERROR, WARC_ERROR_DAMAGED) ? LOAD_LOST : LOAD_IO;
	}
	gsize size;
	const void *bytes = g_bytes_get_data(content->body, &size);
	loader_sum(load, bytes, size);
	load->size = size;
	page->media_type = g_steal_pointer(&content->media_type);
	if (load->only_checksum)
		return LOAD_OK;
	if (size <= WIRE_ENCLOSED_BYTES) {
		load->bytes = g_bytes_ref(content->body);
		return LOAD_OK;
	}
	load->fd = page_copy(bytes, size);
	return load->fd >= 0 ? LOAD_OK : loader_failed(load, errno);
}

static Agent *agent_for(Lane *lane, const Load *load)
{
	if (!load->remote)
		return NULL;
	Agent *agent = g_hash_table_lookup(lane->agents, load->root);
	if (!agent) {
		agent = agent_new(&lane->loader->stop, load->root);
		g_hash_table_insert(lane->agents, g_strdup(load->root), agent);
	}
	return agent;
}

static gpointer loader_run(gpointer data)
{
	Lane *lane = data;
	Loader *loader = lane->loader;
	for (;;) {
		Load *load = g_async_queue_pop(lane->queue);
		if ((gpointer)load == (gpointer)lane || g_atomic_int_get(&loader->stop)) {
			if ((gpointer)load != (gpointer)lane)
				load_free(load);
			return NULL;
		}
		load->stop = &loader->stop;
		load->outcome =
		        load->page ? loader_load_page(load)
		                   : loader_load_file(load, agent_for(lane, load), loader->own);
		if (load->urgent)
			g_debug("job: %s is read", load->relative);
		result_queue_push_load(loader->results, load);
	}
}

static void lane_init(Lane *lane, Loader *loader)
{
	lane->loader = loader;
	lane->queue = g_async_queue_new();
	lane->agents =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)agent_free);
}

static void lane_clear(Lane *lane)
{
	if (lane->thread) {
		g_async_queue_push(lane->queue, lane);
		g_thread_join(lane->thread);
	}
	for (gpointer left; (left = g_async_queue_try_pop(lane->queue));) {
		if (left != lane)
			load_free(left);
	}
	g_async_queue_unref(lane->queue);
	g_hash_table_unref(lane->agents);
}

Loader *loader_new(const Own *own, ResultQueue *results)
{
	Loader *loader = g_new0(Loader, 1);
	loader->own = own;
	loader->results = results;
	lane_init(&loader->local, loader);
	lane_init(&loader->large, loader);
	lane_init(&loader->remote, loader);
	return loader;
}

void loader_free(Loader *loader)
{
	g_atomic_int_set(&loader->stop, 1);
	lane_clear(&loader->local);
	lane_clear(&loader->large);
	lane_clear(&loader->remote);
	g_free(loader);
}

void loader_push(Loader *loader, Load *load)
{
	Lane *lane = load->remote ? &loader->remote : load->large ? &loader->large : &loader->local;
	if (!lane->thread)
		lane->thread = g_thread_new("loader", loader_run, lane);
	g_async_queue_push(lane->queue, load);
}
