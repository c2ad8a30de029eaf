/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/result-queue.h"
#include <string.h>

struct ResultQueue {
	void (*wake)(void *data);
	void *data;
	GMutex lock;
	GCond finished;
	GQueue urgent, others; /* of IngestResult; protected by lock */
	size_t bytes; /* of documents that are pushed and not finished; protected by lock */
};

ResultQueue *result_queue_new(void (*wake)(void *data), void *data)
{
	ResultQueue *queue = g_new0(ResultQueue, 1);
	queue->wake = wake;
	queue->data = data;
	g_mutex_init(&queue->lock);
	g_cond_init(&queue->finished);
	g_queue_init(&queue->urgent);
	g_queue_init(&queue->others);
	return queue;
}

void result_queue_free(ResultQueue *queue)
{
	g_cond_clear(&queue->finished);
	g_mutex_clear(&queue->lock);
	g_free(queue);
}

void conversion_end_clear(ConversionEnd *end)
{
	g_clear_pointer(&end->detail, g_free);
	g_clear_pointer(&end->mime, g_free);
	g_clear_pointer(&end->extractor, g_free);
}

size_t ingest_document_bytes(const Document *doc)
{
	return sizeof(*doc) + doc->text->allocated_len + doc->runs->len * sizeof(DocRun) +
	       doc->breaks->len * sizeof(DocBreak) + doc->links->len * sizeof(DocLink);
}

uint64_t ingest_indexed_bytes(const Document *doc)
{
	enum { ROWS = 256 }; /* a document without text takes about so much */
	uint64_t bytes = ROWS + doc->text->len + (doc->member ? strlen(doc->member) : 0);
	for (guint i = 0; i < doc->facts->len; i++)
		bytes += strlen(g_array_index(doc->facts, DocFact, i).value);
	return bytes;
}

static size_t result_bytes(const IngestResult *result)
{
	size_t bytes = 0;
	for (guint i = 0; result->documents && i < result->documents->len; i++)
		bytes += ingest_document_bytes(result->documents->pdata[i]);
	return bytes;
}

uint64_t ingest_result_text(const IngestResult *result)
{
	uint64_t text = 0;
	for (guint i = 0; result->documents && i < result->documents->len; i++)
		text += ((const Document *)result->documents->pdata[i])->text->len;
	return text;
}

void result_queue_push(ResultQueue *queue, const IngestResult *result)
{
	IngestResult *copy = g_memdup2(result, sizeof(*result));
	copy->bytes = result_bytes(result);
	g_mutex_lock(&queue->lock);
	while (copy->bytes > 0 && queue->bytes > RESULT_QUEUE_BYTES)
		g_cond_wait(&queue->finished, &queue->lock);
	queue->bytes += copy->bytes;
	g_queue_push_tail(copy->urgent ? &queue->urgent : &queue->others, copy);
	g_mutex_unlock(&queue->lock);
	queue->wake(queue->data);
}

void result_queue_push_load(ResultQueue *queue, Load *load)
{
	result_queue_push(queue, &(IngestResult){.kind = INGEST_LOADED,
	                                 .job = load->job,
	                                 .urgent = load->urgent,
	                                 .load = load});
}

const IngestResult *result_queue_peek(ResultQueue *queue)
{
	g_mutex_lock(&queue->lock);
	const IngestResult *oldest = g_queue_peek_head(&queue->others);
	g_mutex_unlock(&queue->lock);
	return oldest;
}

IngestResult *result_queue_take(ResultQueue *queue, bool urgent_only)
{
	g_mutex_lock(&queue->lock);
	IngestResult *taken = g_queue_pop_head(&queue->urgent);
	if (!taken && !urgent_only)
		taken = g_queue_pop_head(&queue->others);
	g_mutex_unlock(&queue->lock);
	return taken;
}

void result_queue_return(ResultQueue *queue, IngestResult *result)
{
	g_mutex_lock(&queue->lock);
	g_queue_push_head(result->urgent ? &queue->urgent : &queue->others, result);
	g_mutex_unlock(&queue->lock);
}

void result_queue_finish(ResultQueue *queue, IngestResult *result)
{
	g_mutex_lock(&queue->lock);
	queue->bytes -= result->bytes;
	g_cond_signal(&queue->finished);
	g_mutex_unlock(&queue->lock);
	g_clear_pointer(&result->load, load_free);
	g_clear_pointer(&result->documents, g_ptr_array_unref);
	conversion_end_clear(&result->end);
	g_free(result);
}
