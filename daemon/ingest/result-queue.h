/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result-queue.h - results on their way from the loader and the pool to the engine's thread
 *
 * Many threads push, the engine's thread takes. The queue is bounded: once documents of
 * RESULT_QUEUE_BYTES are with the engine, a push of more documents waits until
 * result_queue_finish() acknowledges some of them. */
#pragma once
#include "common/base/document.h"
#include "daemon/ingest/load.h"

enum { RESULT_QUEUE_BYTES = 24 << 20 };

typedef enum {
	INGEST_LOADED, /* the file was read, or could not be */
	INGEST_DOCUMENTS, /* some documents of the job, in order */
	INGEST_RESTARTED, /* the documents of the job so far are void */
	INGEST_CONVERTED /* the last of the job */
} IngestResultKind;

/* Copy of a ConvertResult that owns its strings. */
typedef struct {
	DocState state;
	DocReason reason;
	char *detail, *mime, *extractor;
	uint32_t version;
	bool left_out, given_up;
} ConversionEnd;

typedef struct {
	IngestResultKind kind;
	Job *job;
	bool urgent; /* somebody may be waiting for it */
	Load *load; /* LOADED */
	GPtrArray *documents; /* DOCUMENTS: Document */
	bool expensive; /* DOCUMENTS: keep their text in the cache */
	ConversionEnd end; /* CONVERTED */
	size_t bytes; /* DOCUMENTS: memory they take; set by the queue */
} IngestResult;

typedef struct ResultQueue ResultQueue;

/* wake: called in the thread that pushed, after each push. */
ResultQueue *result_queue_new(void (*wake)(void *data), void *data);
/* Must be empty. */
void result_queue_free(ResultQueue *queue);

/* Any thread. Members of result are taken over. */
void result_queue_push(ResultQueue *queue, const IngestResult *result);
void result_queue_push_load(ResultQueue *queue, Load *load);

/* The engine's thread alone. */
/* The oldest result, which stays in the queue; NULL: the queue is empty. */
const IngestResult *result_queue_peek(ResultQueue *queue);
/* The oldest result, or the oldest urgent one; NULL: there is none. Ends in
 * result_queue_finish(). */
IngestResult *result_queue_take(ResultQueue *queue, bool urgent_only);
/* The acknowledgement: the result was dealt with. Frees it and lets a push go on that waits. */
void result_queue_finish(ResultQueue *queue, IngestResult *result);

/* Bytes of text in the result's documents. */
uint64_t ingest_result_text(const IngestResult *result);
/* Memory that a document takes. */
size_t ingest_document_bytes(const Document *doc);
