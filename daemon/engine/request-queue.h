/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request-queue.h - requests on their way from the main thread to the engine's thread */
#pragma once
#include "common/settings/settings.h"
#include "daemon/engine/answer.h"
#include <stdbool.h>

typedef enum {
	REQUEST_CONFIGURE,
	REQUEST_INDEX,
	REQUEST_RETRY,
	REQUEST_SYNC,
	REQUEST_CANCEL,
	REQUEST_PLUGINS,
	REQUEST_COMPACT
} RequestKind;

typedef struct {
	RequestKind kind;
	Settings *settings; /* CONFIGURE */
	GPtrArray *paths; /* INDEX, RETRY */
	GArray *plugins; /* PLUGINS: EnginePlugin */
	int64_t identity; /* PLUGINS: of plugin_record_use() */
	uint64_t number; /* SYNC, CANCEL */
	bool scrub; /* COMPACT */
	EngineReply reply;
	void *data;
} Request;
void request_free(Request *request);

typedef struct RequestQueue RequestQueue;

RequestQueue *request_queue_new(void);
/* Frees what is left, unanswered. */
void request_queue_free(RequestQueue *queue);
/* Any thread. Members of request are taken over. */
void request_queue_push(RequestQueue *queue, const Request *request);
/* Any thread. The oldest, yours; NULL: none. */
Request *request_queue_pop(RequestQueue *queue);
