/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests pipeline_verify_copies() while a deferred conversion is in progress. */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "tests/index/index-test.h"
#include <string.h>

typedef struct {
	Fixture index;
	Crawl crawl; /* has a writer and nothing else */
	ResultQueue *results;
	Pool *pool;
	Pipeline *pipeline;
	Entry one, other; /* files that share a content */
	int64_t shared;
} Case;

static void ignore_wake(void *data)
{
}

static void setup(Case *c, gconstpointer data)
{
	const ConverterOptions options = {0};
	Fixture *f = &c->index;
	fixture_up(f, NULL);
	c->crawl.writer = f->w;
	c->results = result_queue_new(ignore_wake, NULL);
	c->pool = pool_new(NULL, &options, c->results);
	c->pipeline = pipeline_new(NULL, c->pool);
	pipeline_set_crawl(c->pipeline, &c->crawl);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	c->one = put(f, root.node, "one", stat_of(f, 2, ENTRY_FILE, 5, 20));
	c->other = put(f, root.node, "other", stat_of(f, 3, ENTRY_FILE, 5, 20));
	c->shared = convert(f, c->one.inode, "alpha");
	OK(writer_link(f->w, c->other.inode, c->shared, error));
	commit(f);
	g_assert_cmpint(writer_get(f->w, c->one.node, &c->one, NULL), ==, 1);
}

static void teardown(Case *c, gconstpointer data)
{
	pipeline_free(c->pipeline);
	while (g_main_context_iteration(NULL, FALSE))
		;
	pool_free(c->pool);
	result_queue_free(c->results);
	fixture_down(&c->index, NULL);
}

/* Puts the deferred conversion of the first file to work. */
static PipelineJob *begin_deferred(Case *c)
{
	PipelineJob *job = pipeline_job_new(c->pipeline, &c->one, JOB_QUEUED);
	job->slow_content = c->shared;
	checksum_of(ZERO_KEY, "alpha", 5, job->checksum);
	pipeline_job_set_state(c->pipeline, job, JOB_CONVERTING);
	g_hash_table_insert(c->pipeline->converting, job->checksum, job);
	return job;
}

/* Both files are still of the content whose files are compared. */
static void assert_shared_is_verified(Case *c)
{
	unsigned n;
	int64_t content;
	Entry row;
	OK(pipeline_verify_copies(c->pipeline, &n, error));
	g_assert_cmpuint(n, ==, 1);
	g_assert_cmpint(writer_next_rehash(c->index.w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, c->shared);
	g_assert_cmpint(writer_get(c->index.w, c->one.node, &row, NULL), ==, 1);
	g_assert_cmpint(row.content, ==, c->shared);
	g_assert_cmpint(writer_get(c->index.w, c->other.node, &row, NULL), ==, 1);
	g_assert_cmpint(row.content, ==, c->shared);
}

/* The result that the pool sends at the end, whatever became of the job. */
static void end_deferred(Case *c, PipelineJob *job)
{
	IngestResult result = {.kind = INGEST_CONVERTED,
	        .job = job,
	        .end = {.mime = (char *)"text/plain",
	                .extractor = (char *)"text",
	                .version = 1,
	                .state = STATE_OK}};
	OK(pipeline_take(c->pipeline, &result, 0, error));
}

static void assert_nothing_is_left(Case *c)
{
	commit(&c->index);
	g_assert_cmpint(ask(&c->index, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(matches(&c->index, "alpha"), ==, 2);
	assert_totals(&c->index);
}

static void test_before_documents(Case *c, gconstpointer data)
{
	PipelineJob *job = begin_deferred(c);
	assert_shared_is_verified(c);
	end_deferred(c, job);
	assert_nothing_is_left(c);
}

static void test_after_documents(Case *c, gconstpointer data)
{
	PipelineJob *job = begin_deferred(c);
	g_autoptr(Document) doc = document_of("alpha and more");
	OK(writer_begin_content(c->index.w, job->checksum, 5, &job->content, error));
	OK(writer_add_document(c->index.w, job->content, doc, false, error));
	commit(&c->index);
	assert_shared_is_verified(c);
	end_deferred(c, job);
	assert_nothing_is_left(c);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/daemon/verify-copies/a-deferred-conversion-is-given-up", Case, NULL, setup,
	        test_before_documents, teardown);
	g_test_add("/daemon/verify-copies/its-documents-are-dropped", Case, NULL, setup,
	        test_after_documents, teardown);
	return g_test_run();
}
