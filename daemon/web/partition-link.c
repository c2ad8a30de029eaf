/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/partition-link.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/fetch/fetch-launcher.h"
#include "common/fetch/fetch-program.h"
#include "daemon/web/partition-rule.h"
#include <sys/socket.h>
#include <unistd.h>

enum { REPLY_MS = 30000, GOODBYE_MS = 2000 };

typedef struct {
	PartitionKind kind; /* 0: the thread ends */
	GVariant *body;
} LinkMessage;

struct PartitionLink {
	void (*wake)(void *data);
	void *data;
	GThread *thread;
	GAsyncQueue *messages, *replies;
	bool busy; /* the engine's thread */
	GMutex lock;
	int fd; /* under the lock; -1: the program does not run */
};

void partition_reply_free(PartitionReply *reply)
{
	if (reply && reply->body)
		g_variant_unref(reply->body);
	g_free(reply);
}

/* ---- the link's thread */

static void link_set_fd(PartitionLink *link, int fd)
{
	g_mutex_lock(&link->lock);
	autofd_close(&link->fd);
	link->fd = fd;
	g_mutex_unlock(&link->lock);
}

/* NULL, or why the program does not run. */
static const char *link_start(PartitionLink *link)
{
	FetchLauncher *launcher = fetch_launcher_of_process();
	g_autofree char *path = partition_program_path();
	autofd theirs = -1;
	int ends[2];
	link_set_fd(link, -1);
	if (!launcher)
		return _("the process that starts tarsier-partition is gone; restart the daemon");
	if (access(path, X_OK) < 0)
		return _("tarsier-partition is missing: this Tarsier was built without libpq");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return _("tarsier-partition cannot be started");
	theirs = ends[1];
	link_set_fd(link, ends[0]);
	return fetch_launcher_partition(launcher, theirs)
	               ? NULL
	               : _("the process that starts tarsier-partition is gone; restart the daemon");
}

static GVariant *link_exchange(
        PartitionLink *link, const LinkMessage *message, PartitionReply *reply)
{
	PartitionKind kind;
	if (message->kind == PARTITION_OPEN)
		reply->error = link_start(link);
	if (reply->error)
		return NULL;
	reply->sent_ms = lease_now_ms();
	if (link->fd < 0 || !partition_send(link->fd, message->kind, message->body))
		return NULL;
	GVariant *body = partition_receive(link->fd, REPLY_MS, &kind);
	if (!body || kind == message->kind + 1)
		return body;
	g_variant_unref(body);
	return NULL;
}

static PartitionReply *link_serve(PartitionLink *link, const LinkMessage *message)
{
	PartitionReply *reply = g_new0(PartitionReply, 1);
	reply->kind = message->kind;
	reply->body = link_exchange(link, message, reply);
	if (reply->body)
		return reply;
	link_set_fd(link, -1);
	if (!reply->error)
		reply->error = _("tarsier-partition does not respond");
	return reply;
}

static void *link_run(void *data)
{
	PartitionLink *link = data;
	for (;;) {
		g_autofree LinkMessage *message = g_async_queue_pop(link->messages);
		if (message->kind == 0)
			return NULL;
		PartitionReply *reply = link_serve(link, message);
		g_variant_unref(message->body);
		g_async_queue_push(link->replies, reply);
		link->wake(link->data);
	}
}

/* ---- the engine's thread */

PartitionLink *partition_link_new(void (*wake)(void *data), void *data)
{
	PartitionLink *link = g_new0(PartitionLink, 1);
	link->wake = wake;
	link->data = data;
	link->fd = -1;
	g_mutex_init(&link->lock);
	link->messages = g_async_queue_new_full(g_free);
	link->replies = g_async_queue_new_full((GDestroyNotify)partition_reply_free);
	link->thread = g_thread_new("partition", link_run, link);
	return link;
}

/* A message that is under way may have its end; what it noted as to be asked is not released. */
static void link_end_thread(PartitionLink *link)
{
	PartitionReply *reply = link->busy ? g_async_queue_timeout_pop(link->replies,
	                                             GOODBYE_MS * G_TIME_SPAN_MILLISECOND)
	                                   : NULL;
	link->busy &= reply == NULL;
	partition_reply_free(reply);
	g_mutex_lock(&link->lock);
	if (link->busy && link->fd >= 0)
		shutdown(link->fd, SHUT_RDWR);
	g_mutex_unlock(&link->lock);
	g_async_queue_push(link->messages, g_new0(LinkMessage, 1));
	g_thread_join(link->thread);
}

/* The program ends when it has released what it may. */
static void link_say_goodbye(PartitionLink *link)
{
	PartitionKind kind;
	if (link->busy || link->fd < 0 ||
	        !partition_send(link->fd, PARTITION_BYE, g_variant_new_tuple(NULL, 0)))
		return;
	g_autoptr(GVariant) none = partition_receive(link->fd, GOODBYE_MS, &kind);
}

void partition_link_free(PartitionLink *link)
{
	if (!link)
		return;
	link_end_thread(link);
	link_say_goodbye(link);
	link_set_fd(link, -1);
	g_async_queue_unref(link->messages);
	g_async_queue_unref(link->replies);
	g_mutex_clear(&link->lock);
	g_free(link);
}

bool partition_link_is_busy(const PartitionLink *link)
{
	return link->busy;
}

void partition_link_send(PartitionLink *link, PartitionKind kind, GVariant *body)
{
	LinkMessage *message = g_new0(LinkMessage, 1);
	message->kind = kind;
	message->body = g_variant_ref_sink(body);
	link->busy = true;
	g_async_queue_push(link->messages, message);
}

PartitionReply *partition_link_take(PartitionLink *link)
{
	PartitionReply *reply = g_async_queue_try_pop(link->replies);
	if (reply)
		link->busy = false;
	return reply;
}
