/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-answer.c - what an answer means for the documents and the URLs of its source */
#include <config.h>
#include "common/base/web-agent.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include "daemon/web/web-headers.h"
#include "daemon/web/web-wanted.h"
#include "index/store/states.h"
#include "index/text/fingerprint.h"
#include <arpa/inet.h>
#include <string.h>

/* The topic has to do without the links of a page that waits longer for its conversion. */
enum { LINKS_MOST_MS = 60 * 1000 };

/* Answers of these URLs can be stored. */
G_STATIC_ASSERT((int)FETCH_MAX_HEADERS <= (int)WARC_MAX_SERVER_BYTES);

void web_list_free(void *data)
{
	WebList *list = data;
	web_reply_free(list->reply);
	g_clear_pointer(&list->seen, g_hash_table_unref);
	g_clear_pointer(&list->links, g_hash_table_unref);
	g_free(list);
}

/* ---- the host */

static bool note_address(WebCrawl *c, const WebReply *reply, const WebTime *now, GError **error)
{
	uint8_t bytes[16];
	size_t length = inet_pton(AF_INET, reply->address, bytes) == 1    ? 4
	                : inet_pton(AF_INET6, reply->address, bytes) == 1 ? 16
	                                                                  : 0;
	g_autofree char *origin = url_origin(reply->url, NULL);
	return length == 0 || !origin ||
	       frontier_set_address(c->frontier, now, origin, bytes, length, error);
}

/* An answer that broke off before its end is requested again; one that exceeds a limit would do so
 * again. */
static unsigned status_of(const WebReply *reply)
{
	bool broken = reply->error != FETCH_OK && reply->error != FETCH_TOO_LARGE;
	return broken && reply->status < 300 ? 0 : reply->status;
}

typedef struct {
	char *retry_after, *etag, *modified;
} AnswerTexts;

static void answer_texts_clear(AnswerTexts *texts)
{
	g_free(texts->retry_after);
	g_free(texts->etag);
	g_free(texts->modified);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AnswerTexts, answer_texts_clear)

static void answer_of(const WebReply *reply, WebAnswer *out, AnswerTexts *texts)
{
	texts->retry_after = web_header(reply->headers, "Retry-After");
	texts->etag = web_header(reply->headers, "ETag");
	texts->modified = web_header(reply->headers, "Last-Modified");
	out->status = status_of(reply);
	out->duration_ms = reply->duration_ms;
	out->bytes = reply->bytes;
	out->retry_after = texts->retry_after;
	out->etag = texts->etag;
	out->modified = texts->modified;
	out->fresh_s = web_fresh_s(reply->headers, reply->request_s, reply->response_s);
}

/* A clause for `status`; NULL: the source answers. */
static const char *failure_of(const WebReply *reply, char text[64])
{
	unsigned status = status_of(reply);
	if (status == 0)
		return fetch_error_name(reply->error);
	if (status < 400 && status != 301 && status != 308)
		return NULL;
	g_snprintf(text, 64, WEB_FAILURE_STATUS "%u", status);
	return text;
}

/* Its own document, which comes last; NULL: there is none, or it could not be read. */
static const Document *own_document(const WebReply *reply)
{
	const GPtrArray *documents = reply->documents;
	const Document *doc =
	        documents && documents->len > 0 ? documents->pdata[documents->len - 1] : NULL;
	return doc && doc->state != STATE_FAILED ? doc : NULL;
}

/* An answer that could not be kept does not count. */
static bool note_visit(WebCrawl *c, const WebSource *s, const WebReply *reply,
        const WebAnswer *answer, GError **error)
{
	char text[64];
	bool unkept = answer->status == 0 && status_of(reply) != 0;
	const char *failure = !unkept                              ? failure_of(reply, text)
	                      : s->is_feed && !own_document(reply) ? WEB_FAILURE_NO_FEED
	                                                           : WEB_FAILURE_NOT_KEPT;
	bool first = strcmp(reply->ask.path, s->path) == 0;
	if (failure && !first && answer->status != 0)
		return true; /* a page is missing, which happens */
	return writer_web_note_visit(c->w, s->id, reply->response_s, failure, error);
}

/* ---- pages */

/* The page leaves the index. If it comes back as it was, it has to be sent again. */
static bool drop_page(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	answer->next_whole = true;
	return web_page_remove(c, s, reply->url, error);
}

static unsigned page_flags(const WebReply *reply)
{
	return (web_robots_tag(reply->headers, WEB_AGENT_NAME, "noindex") ? WEB_PAGE_NO_INDEX : 0) |
	       (web_robots_tag(reply->headers, WEB_AGENT_NAME, "nofollow") ? WEB_PAGE_NO_FOLLOW
	                                                                   : 0);
}

/* A header that keeps the page out of the index may go while the bytes stay: the page is always
 * asked whole. */
static bool keep_page(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	gsize size = 0;
	unsigned flags = page_flags(reply);
	answer->next_whole = flags & WEB_PAGE_NO_INDEX;
	if (answer->next_whole && !reply->body)
		return drop_page(c, s, reply, answer, error);
	const uint8_t *body = reply->body ? g_bytes_get_data(reply->body, &size) : NULL;
	const WebDraft draft = {.draft = {.type = WARC_RESPONSE,
	                                .uri = reply->url,
	                                .date = reply->response_s,
	                                .head = reply->headers,
	                                .head_length = strlen(reply->headers),
	                                .body = body,
	                                .body_length = size},
	        .identity = reply->url,
	        .mtime_s = web_modified_s(reply->headers, reply->response_s),
	        .flags = flags};
	WebKept kept;
	if (!web_page_keep(c, s, &draft, &kept, error))
		return false;
	web_page_note_kept(answer, kept);
	return true;
}

/* The target is a URL like any other; a page that moved for good leaves its old one. */
static bool take_redirect(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	g_autofree char *location = web_header(reply->headers, "Location");
	g_autoptr(Url) base = url_parse(reply->url, -1, NULL, NULL);
	bool permanent = reply->status == 301 || reply->status == 308;
	if (permanent && !drop_page(c, s, reply, answer, error))
		return false;
	g_autofree char *target = location && base ? url_canonical(location, -1, base, NULL) : NULL;
	const WebHref href = {
	        .base = base, .href = target, .depth = reply->ask.depth, .is_redirect = true};
	return !target || !web_hops_may_follow(c, reply->url, target) ||
	       web_links_add(c, &href, error);
}

static bool take_page_answer(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	g_autofree char *type = web_header(reply->headers, "Content-Type");
	switch (answer->status) {
	case 200:
	case 203:
		if (web_answer_is_wanted(type, reply->url, reply->body))
			return keep_page(c, s, reply, answer, error);
		return web_page_remove(c, s, reply->url, error);
	case 304:
		return keep_page(c, s, reply, answer, error);
	case 301:
	case 302:
	case 303:
	case 307:
	case 308:
		return take_redirect(c, s, reply, answer, error);
	case 404:
	case 410:
		return drop_page(c, s, reply, answer, error);
	default:
		return true;
	}
}

/* The rules may have changed since the page was asked. */
static bool take_wanted_page(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	bool wanted;
	if (!frontier_check(c->frontier, reply->ask.origin, reply->ask.path, &wanted, error))
		return false;
	if (wanted)
		return take_page_answer(c, s, reply, answer, error);
	return drop_page(c, s, reply, answer, error);
}

/* ---- all kinds */

static bool end_answer(WebCrawl *c, const WebReply *reply, const WebAnswer *answer, GError **error)
{
	const WebAsk *ask = &reply->ask;
	WebTime now = web_now();
	bool unread = ask->kind == WEB_PAGE && answer->changed && reply->body &&
	              (answer->status == 200 || answer->status == 203);
	if (!frontier_answer(c->frontier, &now, ask->host, answer, error))
		return false;
	if (unread)
		frontier_wait_for_links(c->frontier, &now, ask->origin, ask->path, LINKS_MOST_MS);
	web_partition_touch(c, ask->origin);
	if (!unread) /* else web_crawl_document() notes it, with its links */
		web_partition_note_answer(c, ask->origin, ask->path);
	return true;
}

static bool take_probe_answer(
        WebCrawl *c, const WebReply *reply, const WebAnswer *answer, GError **error)
{
	WebTime now = web_now();
	const Document *doc = own_document(reply);
	Fingerprint print = {.has_near = false};
	if (doc)
		fingerprint_document(doc, NULL, &print);
	return frontier_answer_probe(c->frontier, &now, reply->ask.host, answer,
	        print.has_near ? &print.near : NULL, error);
}

/* A host that does not answer is a problem of all its sources, and none of robots.txt. */
static bool note_robots_failure(WebCrawl *c, const WebReply *reply, GError **error)
{
	char text[64];
	const char *failure = failure_of(reply, text);
	bool absent = reply->status >= 400 && reply->status < 500 && reply->status != 429;
	bool elsewhere = reply->status == 0 && reply->ask.redirects > 0;
	for (guint i = 0; failure && !absent && !elsewhere && i < c->sources->len; i++) {
		const WebSource *s = c->sources->pdata[i];
		if (strcmp(s->origin, reply->ask.origin) == 0 &&
		        !writer_web_note_visit(c->w, s->id, reply->response_s, failure, error))
			return false;
	}
	return true;
}

static bool take_robots_answer(
        WebCrawl *c, const WebReply *reply, const WebAnswer *answer, GError **error)
{
	WebTime now = web_now();
	const Document *robots = own_document(reply);
	g_autoptr(Document) empty = reply->body_bytes == 0 ? document_new(NULL) : NULL;
	return note_robots_failure(c, reply, error) &&
	       frontier_answer_robots(
	               c->frontier, &now, reply->ask.host, answer, robots ? robots : empty, error);
}

static void begin_list(WebCrawl *c, WebReply *reply)
{
	WebList *list = g_new0(WebList, 1);
	list->reply = reply;
	list->kept.status = reply->status;
	list->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_queue_push_tail(&c->lists, list);
}

static bool keep_url_answer(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	bool moved = answer->status == 301 || answer->status == 308;
	bool own = s && reply->ask.kind != WEB_SITEMAP && strcmp(reply->ask.path, s->path) == 0;
	/* Nobody but its reader can say that a source is another one, or that a site has ended. */
	if (own && moved)
		answer->status = 302;
	else if (own && reply->ask.kind == WEB_PAGE && answer->status == 410)
		answer->status = 404;
	if (reply->ask.kind == WEB_ITEM)
		return web_items_take_page(c, reply, answer, error);
	/* The validators of a feed that could not be read would make the next answer empty. */
	if (s && reply->ask.kind == WEB_FEED && (answer->status == 200 || answer->status == 203)) {
		answer->status = 0;
		answer->unkept = true;
	}
	return !s || reply->ask.kind != WEB_PAGE || take_wanted_page(c, s, reply, answer, error);
}

/* The host is not to blame for a full disk. */
static bool take_url_answer(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	WebTime now = web_now();
	bool others = c->full;
	c->full = false;
	if (!keep_url_answer(c, s, reply, answer, error))
		return false;
	bool full = c->full;
	c->full |= others;
	if (full)
		return frontier_take_back(
		        c->frontier, &now, reply->ask.host, reply->duration_ms, 0, error);
	return (!s || note_visit(c, s, reply, answer, error)) &&
	       end_answer(c, reply, answer, error);
}

/* ---- lists */

static bool end_sitemap(WebCrawl *c, const WebList *list, GError **error)
{
	g_auto(AnswerTexts) texts = {0};
	WebAnswer answer = {.changed = true};
	answer_of(list->reply, &answer, &texts);
	return end_answer(c, list->reply, &answer, error);
}

static bool end_feed(WebCrawl *c, WebSource *s, const WebList *list, GError **error)
{
	g_auto(AnswerTexts) texts = {0};
	const WebReply *reply = list->reply;
	WebAnswer answer = {.prior_s = list->kept.prior_s, .skip = list->kept.skip};
	WebTime now = web_now();
	if (list->full)
		return frontier_take_back(
		        c->frontier, &now, reply->ask.host, reply->duration_ms, 0, error);
	answer_of(reply, &answer, &texts);
	answer.changed = list->kept.changed;
	answer.fresh_s = MAX(answer.fresh_s, list->kept.fresh_s);
	answer.unkept = list->kept.unkept;
	if (list->kept.status == 0)
		answer.status = 0;
	return (!s || note_visit(c, s, reply, &answer, error)) &&
	       end_answer(c, reply, &answer, error);
}

static bool take_some_items(WebCrawl *c, WebSource *s, WebList *list, bool *done_r, GError **error)
{
	bool others = c->full;
	c->full = false;
	*done_r = true; /* of a feed that was removed meanwhile */
	if (s && !web_items_keep(c, s, list, done_r, error))
		return false;
	list->full |= c->full;
	c->full |= others;
	*done_r |= list->full;
	return true;
}

bool web_answer_take_some(WebCrawl *c, WebList *list, bool *done_r, GError **error)
{
	const WebAsk *ask = &list->reply->ask;
	if (ask->kind == WEB_SITEMAP)
		return web_links_add_list(c, list, done_r, error) &&
		       (!*done_r || end_sitemap(c, list, error));
	WebSource *s = web_source_of(c, ask->origin, ask->path, WEB_FEED);
	return take_some_items(c, s, list, done_r, error) &&
	       (!*done_r || end_feed(c, s, list, error));
}

/* An answer of the same path is one of the same resource, by https or with "www.". */
static bool is_same_path(const WebAsk *ask, const char *target)
{
	const char *path;
	g_autofree char *origin = url_origin(target, &path);
	return origin && strcmp(path, ask->path) == 0;
}

/* The same request goes on there, after its wait, with the strings of the reply. */
static void ask_target(WebCrawl *c, WebAsk *ask, char *target)
{
	g_free(ask->target);
	ask->target = target;
	ask->redirects++;
	web_fetcher_ask(c->fetcher, ask);
	*ask = (WebAsk){0};
	c->asking++;
}

/* A host of this machine or its networks may only lead to another one that has a source. */
static void ask_set_local(const WebCrawl *c, WebAsk *ask, const char *target)
{
	g_autofree char *origin = url_origin(target, NULL);
	const char *local = ask->local ? web_sources_local(c, origin) : NULL;
	g_free(ask->local);
	ask->local = g_strdup(local);
}

/* robots.txt may lie on another host, whose robots.txt does not matter for it. *taken_r: the
 * request goes on there, or waits until that host has answered another one. */
static bool follow_robots(
        WebCrawl *c, WebReply **reply, const WebAnswer *answer, bool *taken_r, GError **error)
{
	WebAsk *ask = &(*reply)->ask;
	WebTime now = web_now();
	g_autofree char *target = web_reply_target(*reply);
	*taken_r = false;
	if (!target)
		return true;
	if (!frontier_follow_robots(
	            c->frontier, &now, ask->host, target, answer, &ask->wait_ms, error))
		return false;
	*taken_r = ask->wait_ms != FRONTIER_NEVER;
	if (ask->wait_ms == FRONTIER_ASKING) {
		g_queue_push_tail(&c->held, g_steal_pointer(reply));
	} else if (*taken_r) {
		ask_set_local(c, ask, target);
		ask_target(c, ask, g_steal_pointer(&target));
	}
	return true;
}

static bool robots_take_reply(WebCrawl *c, WebReply *taken, GError **error)
{
	g_autoptr(WebReply) reply = taken;
	g_auto(AnswerTexts) texts = {0};
	WebAnswer answer = {0};
	bool followed;
	answer_of(reply, &answer, &texts);
	return follow_robots(c, &reply, &answer, &followed, error) &&
	       (followed || take_robots_answer(c, reply, &answer, error));
}

bool web_answer_take_held(WebCrawl *c, GError **error)
{
	for (guint n = c->held.length; n > 0; n--)
		if (!robots_take_reply(c, g_queue_pop_head(&c->held), error))
			return false;
	return true;
}

/* A sitemap, a feed or the page of an item may lie elsewhere on its host. *taken_r: the request
 * goes on there. */
static bool follow_redirect(WebCrawl *c, WebReply *reply, bool *taken_r, GError **error)
{
	WebAsk *ask = &reply->ask;
	WebTime now = web_now();
	g_autofree char *target =
	        ask->is_probe || ask->kind == WEB_PAGE ? NULL : web_reply_target(reply);
	bool may;
	*taken_r = false;
	if (!target)
		return true;
	if (!frontier_may_follow(c->frontier, &now, ask->host, target, reply->duration_ms, &may,
	            &ask->wait_ms, error))
		return false;
	if (!may || ask->wait_ms > FRONTIER_REDIRECT_MOST_MS)
		return true;
	if (!is_same_path(ask, target)) {
		g_clear_pointer(&ask->etag, g_free);
		g_clear_pointer(&ask->modified, g_free);
	}
	ask_target(c, ask, g_steal_pointer(&target));
	*taken_r = true;
	return true;
}

bool web_answer_take(WebCrawl *c, WebReply *taken, GError **error)
{
	g_autoptr(WebReply) reply = taken;
	g_auto(AnswerTexts) texts = {0};
	const WebAsk *ask = &reply->ask;
	WebAnswer answer = {0};
	WebTime now = web_now();
	bool followed;
	if (ask->era != c->era || !c->frontier)
		return true; /* it counts as lost since the frontier was opened again */
	c->asking--;
	answer_of(reply, &answer, &texts);
	g_debug("web: %s: %u %s", reply->url, answer.status, fetch_error_name(reply->error));
	web_partition_touch(c, ask->origin);
	if (reply->error == FETCH_LATE)
		return frontier_take_back(c->frontier, &now, ask->host, 0, 0, error);
	if (reply->error == FETCH_NO_NETWORK)
		return web_network_take_loss(c, reply, error);
	if (!web_network_note_reply(c, reply, error) || !note_address(c, reply, &now, error))
		return false;
	if (ask->is_robots)
		return robots_take_reply(c, g_steal_pointer(&reply), error);
	if (!follow_redirect(c, reply, &followed, error) || followed)
		return followed;
	if (ask->is_probe)
		return take_probe_answer(c, reply, &answer, error);
	bool list = ask->kind == WEB_FEED ? own_document(reply) != NULL
	                                  : ask->kind == WEB_SITEMAP && reply->documents;
	if (list) {
		begin_list(c, g_steal_pointer(&reply));
		return true;
	}
	WebSource *s =
	        ask->kind == WEB_ITEM ? NULL : web_source_of(c, ask->origin, ask->path, ask->kind);
	return take_url_answer(c, s, reply, &answer, error);
}
