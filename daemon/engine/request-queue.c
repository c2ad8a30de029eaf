/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/request-queue.h"

struct RequestQueue {
	GMutex lock;
	GQueue requests; /* of Request; protected by lock */
};

void engine_consumer_free(EngineConsumer *consumer)
{
	if (!consumer)
		return;
	g_free(consumer->name);
	g_free(consumer->failure);
	g_free(consumer);
}

void request_free(Request *request)
{
	engine_consumer_free(request->consumer);
	g_clear_pointer(&request->settings, settings_free);
	g_clear_pointer(&request->paths, g_ptr_array_unref);
	g_clear_pointer(&request->plugins, g_array_unref);
	g_free(request);
}

RequestQueue *request_queue_new(void)
{
	RequestQueue *queue = g_new0(RequestQueue, 1);
	g_mutex_init(&queue->lock);
	g_queue_init(&queue->requests);
	return queue;
}

void request_queue_free(RequestQueue *queue)
{
	for (Request *request; (request = request_queue_pop(queue));)
		request_free(request);
	g_mutex_clear(&queue->lock);
	g_free(queue);
}

void request_queue_push(RequestQueue *queue, const Request *request)
{
	Request *copy = g_memdup2(request, sizeof(*request));
	g_mutex_lock(&queue->lock);
	g_queue_push_tail(&queue->requests, copy);
	g_mutex_unlock(&queue->lock);
}

Request *request_queue_pop(RequestQueue *queue)
{
	g_mutex_lock(&queue->lock);
	Request *request = g_queue_pop_head(&queue->requests);
	g_mutex_unlock(&queue->lock);
	return request;
}
