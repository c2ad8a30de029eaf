/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/sync-waiters.h"
#include <glib/gstdio.h>

typedef struct {
	uint64_t number;
	uint64_t cookie; /* cookie whose event must have been read; 0: no event is waited for */
	bool compared; /* earlier rescan suspicions are resolved */
	EngineReply reply;
	void *data;
} SyncWaiter;

struct SyncWaiters {
	char *cookie_dir;
	bool use_cookies;
	uint64_t cookie_seen, cookie_made; /* numbers of the last cookies */
	GArray *all; /* SyncWaiter */
};

SyncWaiters *sync_waiters_new(const char *cookie_dir)
{
	SyncWaiters *w = g_new0(SyncWaiters, 1);
	w->cookie_dir = g_strdup(cookie_dir);
	w->all = g_array_new(FALSE, FALSE, sizeof(SyncWaiter));
	return w;
}

void sync_waiters_free(SyncWaiters *w)
{
	g_array_unref(w->all);
	g_free(w->cookie_dir);
	g_free(w);
}

void sync_waiters_use_cookies(SyncWaiters *w)
{
	w->use_cookies = true;
}

static void make_cookie(SyncWaiters *w)
{
	g_autofree char *path =
	        g_strdup_printf("%s/%" G_GUINT64_FORMAT, w->cookie_dir, ++w->cookie_made);
	g_autoptr(GError) error = NULL;
	/* A killed daemon may have left the file, and only a new file raises an event. */
	g_unlink(path);
	if (!g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, &error)) {
		g_debug("sync: %s", error->message);
		w->cookie_seen = w->cookie_made; /* without a file there is nothing to wait for, as
		                                    on a full disk */
	}
	g_unlink(path);
}

void sync_waiters_add(SyncWaiters *w, uint64_t number, EngineReply reply, void *data)
{
	SyncWaiter waiter = {.number = number, .reply = reply, .data = data};
	if (w->use_cookies) {
		make_cookie(w);
		waiter.cookie = w->cookie_made;
	}
	g_array_append_val(w->all, waiter);
}

void sync_waiters_cancel(SyncWaiters *w, uint64_t number)
{
	for (guint i = w->all->len; i-- > 0;) {
		SyncWaiter waiter = g_array_index(w->all, SyncWaiter, i);
		if (waiter.number != number)
			continue;
		answer_post(waiter.reply, waiter.data, 0, NULL);
		g_array_remove_index(w->all, i);
	}
}

bool sync_waiters_note_cookie(SyncWaiters *w, uint64_t cookie)
{
	if (cookie <= w->cookie_seen)
		return false;
	w->cookie_seen = cookie;
	return true;
}

void sync_waiters_note_overflow(SyncWaiters *w)
{
	if (w->use_cookies && w->cookie_seen < w->cookie_made)
		make_cookie(w);
}

bool sync_waiters_any(const SyncWaiters *w)
{
	return w->all->len > 0;
}

bool sync_waiters_know_events(const SyncWaiters *w)
{
	for (guint i = 0; i < w->all->len; i++)
		if (g_array_index(w->all, SyncWaiter, i).cookie > w->cookie_seen)
			return false;
	return sync_waiters_any(w);
}

static bool needs_comparison(const SyncWaiters *w, const SyncWaiter *waiter)
{
	return waiter->cookie <= w->cookie_seen && !waiter->compared;
}

bool sync_waiters_need_comparison(const SyncWaiters *w)
{
	for (guint i = 0; i < w->all->len; i++)
		if (needs_comparison(w, &g_array_index(w->all, SyncWaiter, i)))
			return true;
	return false;
}

void sync_waiters_note_comparison(SyncWaiters *w)
{
	for (guint i = 0; i < w->all->len; i++) {
		SyncWaiter *waiter = &g_array_index(w->all, SyncWaiter, i);
		waiter->compared |= needs_comparison(w, waiter);
	}
}

void sync_waiters_answer(SyncWaiters *w)
{
	for (guint i = w->all->len; i-- > 0;) {
		SyncWaiter waiter = g_array_index(w->all, SyncWaiter, i);
		if (waiter.cookie > w->cookie_seen || !waiter.compared)
			continue;
		answer_post(waiter.reply, waiter.data, 1, NULL);
		g_array_remove_index(w->all, i);
	}
}
