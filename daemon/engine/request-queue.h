/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request-queue.h - requests from the main thread to the engine's thread */
#pragma once
#include "common/settings/settings.h"
#include "daemon/engine/answer.h"
#include "daemon/engine/engine-consumer.h"
#include <stdbool.h>

typedef enum {
	REQUEST_CONFIGURE,
	REQUEST_INDEX,
	REQUEST_RETRY,
	REQUEST_VISIT,
	REQUEST_RESERVE,
	REQUEST_RELEASE,
	REQUEST_SYNC,
	REQUEST_CANCEL,
	REQUEST_PLUGINS,
	REQUEST_COMPACT,
	REQUEST_VERIFY,
	REQUEST_CONSUME
} RequestKind;

typedef struct {
	RequestKind kind;
	Settings *settings; /* CONFIGURE */
	GPtrArray *paths; /* INDEX, RETRY; VISIT: URLs; RESERVE, RELEASE: an origin */
	int64_t patience_ms; /* RESERVE */
	GArray *plugins; /* PLUGINS: EnginePlugin */
	int64_t identity; /* PLUGINS: for plugin_record_use() */
	uint64_t number; /* SYNC, CANCEL */
	bool again; /* SYNC */
	bool scrub; /* COMPACT */
	EngineConsumer *consumer; /* CONSUME */
	EngineReply reply;
	void *data;
} Request;
void request_free(Request *request);

typedef struct RequestQueue RequestQueue;

RequestQueue *request_queue_new(void);
/* Frees the queue; requests in it are not answered. */
void request_queue_free(RequestQueue *queue);
/* Takes ownership of the members of request. Can be called from any thread. */
void request_queue_push(RequestQueue *queue, const Request *request);
/* Returns the oldest request, which the caller owns; NULL: there is none. Can be called from any
 * thread. */
Request *request_queue_pop(RequestQueue *queue);
