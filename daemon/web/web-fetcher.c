/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/web-fetcher.h"
#include "common/base/autofd.h"
#include "common/base/media-type.h"
#include "common/base/page-name.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "daemon/web/politeness.h"
#include "daemon/web/web-headers.h"
#include "daemon/web/web-wanted.h"
#include <string.h>
#include <unistd.h>

enum { PAGE_BYTES = 16 << 20, LIST_BYTES = 52 << 20, ROBOTS_BYTES = 512 << 10 };

struct WebFetcher {
	Pool *pool;
	void (*wake)(void *data);
	void *data;
	FetchClient *client; /* main thread; NULL: nothing was asked yet */
	GPtrArray *jobs; /* main thread: of Job, in progress */
	GAsyncQueue *replies; /* of WebReply */
};

/* One request until its reply. */
typedef struct {
	WebFetcher *fetcher;
	WebReply *reply;
	guint timer; /* of the next request, which waits; 0: none */
} Job;

void web_reply_free(WebReply *reply)
{
	if (!reply)
		return;
	g_free(reply->ask.origin);
	g_free(reply->ask.path);
	g_free(reply->ask.etag);
	g_free(reply->ask.modified);
	g_free(reply->ask.local);
	g_free(reply->ask.contact);
	g_free(reply->ask.target);
	g_free(reply->url);
	g_free(reply->headers);
	g_free(reply->detail);
	g_free(reply->address);
	g_clear_pointer(&reply->body, g_bytes_unref);
	g_clear_pointer(&reply->documents, g_ptr_array_unref);
	g_free(reply);
}

static void fetcher_job_free(void *data)
{
	Job *job = data;
	g_clear_handle_id(&job->timer, g_source_remove);
	web_reply_free(job->reply);
	g_free(job);
}

static void job_reply(Job *job)
{
	WebFetcher *fetcher = job->fetcher;
	g_async_queue_push(fetcher->replies, g_steal_pointer(&job->reply));
	g_ptr_array_remove_fast(fetcher->jobs, job);
	fetcher->wake(fetcher->data);
}

static bool ask_is_list(const WebAsk *ask)
{
	return ask->is_robots || ask->kind != WEB_PAGE;
}

/* ---- conversion */

static void fetcher_on_converted(GPtrArray *documents, const ConversionEnd *end, void *data)
{
	Job *job = data;
	if (documents->len > 0)
		job->reply->documents = g_ptr_array_ref(documents);
	job_reply(job);
}

static JobPurpose ask_purpose(const WebAsk *ask)
{
	if (ask->is_robots)
		return JOB_ROBOTS;
	if (ask->is_probe || ask->kind == WEB_ITEM)
		return JOB_PAGE;
	return ask->kind == WEB_SITEMAP ? JOB_SITEMAP : JOB_FEED;
}

static void job_convert(Job *job, int body, uint64_t bytes)
{
	static const ExtractLimits limits = EXTRACT_LIMITS_DEFAULT;
	WebReply *reply = job->reply;
	g_autofree char *type = web_header(reply->headers, "Content-Type");
	PoolTask *task = g_new0(PoolTask, 1);
	task->fd = body;
	task->size = bytes;
	task->name = reply->ask.is_robots                   ? g_strdup("robots.txt")
	             : ask_purpose(&reply->ask) == JOB_PAGE ? page_file_name(reply->url, type)
	                                                    : g_strdup("list.xml");
	task->scope = g_strdup(reply->ask.origin);
	task->limits = limits;
	task->purpose = ask_purpose(&reply->ask);
	task->url = g_strdup(reply->url);
	task->charset = media_charset(type);
	task->done = fetcher_on_converted;
	task->data = job;
	pool_submit(job->fetcher->pool, task);
}

/* ---- answers */

static GBytes *answer_read_body(int body, uint64_t bytes)
{
	g_autofree uint8_t *buffer = g_try_malloc(bytes);
	uint64_t used = 0;
	for (ssize_t got; buffer && used < bytes; used += got)
		if ((got = pread(body, buffer + used, bytes - used, used)) <= 0)
			return NULL;
	return buffer ? g_bytes_new_take(g_steal_pointer(&buffer), bytes) : NULL;
}

static bool answer_is_redirect(unsigned status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static const char *without_www(const char *host)
{
	return g_str_has_prefix(host, "www.") ? host + 4 : host;
}

static bool is_same_host(const char *url, const char *other)
{
	g_autoptr(Url) a = url_parse(url, -1, NULL, NULL), b = url_parse(other, -1, NULL, NULL);
	return a && b && a->host && b->host &&
	       strcmp(without_www(a->host), without_www(b->host)) == 0;
}

char *web_reply_target(const WebReply *reply)
{
	if (!answer_is_redirect(reply->status) || reply->ask.redirects >= WEB_REDIRECTS)
		return NULL;
	g_autofree char *location = web_header(reply->headers, "Location");
	g_autoptr(Url) base = url_parse(reply->url, -1, NULL, NULL);
	g_autofree char *target = location && base ? url_canonical(location, -1, base, NULL) : NULL;
	g_autofree char *origin = target ? url_origin(target, NULL) : NULL;
	if (!origin || strcmp(target, reply->url) == 0 ||
	        (!reply->ask.is_robots && !is_same_host(target, reply->url)))
		return NULL;
	return g_steal_pointer(&target);
}

static void job_submit(Job *job);

static gboolean on_gap_over(void *data)
{
	Job *job = data;
	job->timer = 0;
	job_submit(job);
	return G_SOURCE_REMOVE;
}

static void job_wait(Job *job, int64_t wait_ms)
{
	job->timer = g_timeout_add((guint)MIN(wait_ms, G_MAXINT), on_gap_over, job);
}

static void keep_answer(WebReply *reply, const FetchAnswer *answer)
{
	reply->error = answer->error;
	reply->status = answer->status;
	reply->truncated = answer->truncated;
	reply->headers = g_strdup(answer->headers);
	reply->detail = g_strdup(answer->detail);
	reply->address = g_strdup(answer->address);
	reply->bytes = (int64_t)answer->wire_bytes;
	reply->body_bytes = answer->body_bytes;
	reply->duration_ms = (int64_t)(answer->total_us / 1000);
	reply->response_s = g_get_real_time() / G_USEC_PER_SEC;
}

static void fetcher_on_answer(const FetchAnswer *answer, int body_fd, void *data)
{
	Job *job = data;
	WebReply *reply = job->reply;
	autofd body = body_fd;
	keep_answer(reply, answer);
	if (reply->error == FETCH_LATE && reply->ask.redirects > 0)
		reply->error = FETCH_TIMEOUT; /* the first request was made */
	bool good = reply->status >= 200 && reply->status < 300 && answer->body_bytes > 0;
	g_autofree char *type = web_header(reply->headers, "Content-Type");
	bool unwanted = reply->ask.kind == WEB_ITEM && !web_type_is_wanted(type);
	if (good && body >= 0 && !unwanted && (ask_is_list(&reply->ask) || reply->ask.is_probe)) {
		job_convert(job, autofd_steal(&body), answer->body_bytes);
		return;
	}
	if (good && body >= 0)
		reply->body = answer_read_body(body, answer->body_bytes);
	job_reply(job);
}

static const char *accepted(const WebAsk *ask)
{
	if (ask->is_robots)
		return "text/plain, */*;q=0.5";
	if (ask->kind == WEB_FEED)
		return "application/atom+xml, application/rss+xml, application/feed+json, "
		       "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5";
	if (ask->kind == WEB_SITEMAP)
		return "application/xml, text/xml, text/plain;q=0.9, */*;q=0.5";
	return "text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.9, */*;q=0.5";
}

static void job_submit(Job *job)
{
	WebReply *reply = job->reply;
	const WebAsk *ask = &reply->ask;
	uint64_t bytes = ask->is_robots             ? ROBOTS_BYTES
	                 : ask->kind == WEB_SITEMAP ? LIST_BYTES
	                                            : PAGE_BYTES;
	const FetchRequest request = {.url = reply->url,
	        .accept = (char *)accepted(ask),
	        .if_none_match = ask->etag,
	        .if_modified_since = ask->modified,
	        .local = ask->local,
	        .contact = ask->contact,
	        .wire_bytes = bytes,
	        .body_bytes = bytes,
	        .header_bytes = FETCH_MAX_HEADERS,
	        .seconds = ask->seconds,
	        .begin_until_ms = (uint64_t)ask->begin_until_ms};
	reply->request_s = g_get_real_time() / G_USEC_PER_SEC;
	fetch_client_submit(job->fetcher->client, &request, fetcher_on_answer, job);
}

static gboolean job_begin(void *data)
{
	Job *job = data;
	WebFetcher *fetcher = job->fetcher;
	if (!fetcher->client)
		fetcher->client = fetch_client_new(NULL, 0);
	g_ptr_array_add(fetcher->jobs, job);
	if (job->reply->ask.wait_ms > 0)
		job_wait(job, job->reply->ask.wait_ms);
	else
		job_submit(job);
	return G_SOURCE_REMOVE;
}

/* ---- life */

void web_fetcher_ask(WebFetcher *fetcher, const WebAsk *ask)
{
	g_autoptr(GSource) source = g_idle_source_new();
	Job *job = g_new0(Job, 1);
	job->fetcher = fetcher;
	job->reply = g_new0(WebReply, 1);
	job->reply->ask = *ask;
	job->reply->url =
	        ask->target ? g_strdup(ask->target) : g_strconcat(ask->origin, ask->path, NULL);
	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, job_begin, job, NULL);
	g_source_attach(source, NULL);
}

WebReply *web_fetcher_take(WebFetcher *fetcher)
{
	return g_async_queue_try_pop(fetcher->replies);
}

WebFetcher *web_fetcher_new(Pool *pool, void (*wake)(void *data), void *data)
{
	WebFetcher *fetcher = g_new0(WebFetcher, 1);
	fetcher->pool = pool;
	fetcher->wake = wake;
	fetcher->data = data;
	fetcher->jobs = g_ptr_array_new_with_free_func(fetcher_job_free);
	fetcher->replies = g_async_queue_new_full((GDestroyNotify)web_reply_free);
	return fetcher;
}

void web_fetcher_free(WebFetcher *fetcher)
{
	if (!fetcher)
		return;
	fetch_client_free(fetcher->client);
	g_ptr_array_unref(fetcher->jobs);
	g_async_queue_unref(fetcher->replies);
	g_free(fetcher);
}
