/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result-queue.h - results from the loader and the pool to the engine's thread
 *
 * Many threads push results, and the engine's thread takes them, urgent ones first. The results of
 * a job may be urgent at first and not later, never the other way round: so they are taken in their
 * order. The queue is bounded: if the engine holds documents of RESULT_QUEUE_BYTES, a push of more
 * documents waits until result_queue_finish() acknowledges some of them. */
#pragma once
#include "common/base/document.h"
#include "daemon/ingest/load.h"

enum { RESULT_QUEUE_BYTES = 24 << 20 };

typedef enum {
	INGEST_LOADED, /* the file was read, or could not be read */
	INGEST_DOCUMENTS, /* some documents of the job, in order */
	INGEST_RESTARTED, /* all documents of the job so far are invalid */
	INGEST_CONVERTED /* the last result of the job */
} IngestResultKind;

/* A copy of a ConvertResult that owns its strings. */
typedef struct {
	DocState state;
	DocReason reason;
	char *detail, *mime, *extractor;
	uint32_t version;
	bool left_out, given_up;
} ConversionEnd;
void conversion_end_clear(ConversionEnd *end); /* frees its strings */

typedef struct {
	IngestResultKind kind;
	PipelineJob *job;
	bool urgent; /* a client or a person may be waiting for it */
	Load *load; /* LOADED */
	GPtrArray *documents; /* DOCUMENTS: Document */
	bool expensive; /* DOCUMENTS: keep their text in the text cache */
	guint taken; /* DOCUMENTS: how many are in the index already */
	uint64_t counted; /* DOCUMENTS: bytes of text of the next one that pieces stand for */
	bool unfinished; /* DOCUMENTS: some are left; set by pipeline_take() */
	int64_t cpu_us; /* used for it so far */
	ConversionEnd end; /* CONVERTED */
	size_t bytes; /* DOCUMENTS: memory that they take; set by the queue */
} IngestResult;

typedef struct ResultQueue ResultQueue;

/* wake: called after each push, in the thread that pushed. */
ResultQueue *result_queue_new(void (*wake)(void *data), void *data);
/* The queue must be empty. */
void result_queue_free(ResultQueue *queue);

/* Takes ownership of the members of result. Can be called from any thread. */
void result_queue_push(ResultQueue *queue, const IngestResult *result);
void result_queue_push_load(ResultQueue *queue, Load *load);

/* Only the engine's thread may call these functions. */
/* Returns the oldest result that is not urgent, which stays in the queue; NULL: there is none. */
const IngestResult *result_queue_peek(ResultQueue *queue);
/* Takes the oldest urgent result, or else the oldest of the others; NULL: there is none. The caller
 * ends its work with result_queue_finish(). */
IngestResult *result_queue_take(ResultQueue *queue, bool urgent_only);
/* Acknowledges a result: frees it, and wakes a push that waits. */
void result_queue_finish(ResultQueue *queue, IngestResult *result);
/* Puts a result back: it is the next one of its kind to be taken. */
void result_queue_return(ResultQueue *queue, IngestResult *result);

/* Returns the bytes of text in the documents of the result. */
uint64_t ingest_result_text(const IngestResult *result);
/* Returns the bytes of a document that are indexed: text, facts and name. */
uint64_t ingest_indexed_bytes(const Document *doc);
/* Returns the memory that a document takes. */
size_t ingest_document_bytes(const Document *doc);
