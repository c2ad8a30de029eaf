/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/trace-world.h"
#include "common/base/i18n.h"
#include "daemon/web/politeness.h"
#include "daemon/web/schedule.h"
#include "daemon/web/trace-line.h"
#include "index/write/writer-web.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum { GENERATED_LINKS = 10 };

static void trace_host_free(gpointer data)
{
	TraceHost *host = data;
	g_free(host->origin);
	g_free(host->prefix);
	g_free(host->cache_control);
	topic_free(host->topic);
	g_clear_pointer(&host->allow, g_ptr_array_unref);
	g_clear_pointer(&host->disallow, g_ptr_array_unref);
	g_clear_pointer(&host->sitemaps, g_ptr_array_unref);
	g_free(host);
}

static void trace_url_free(gpointer data)
{
	TraceUrl *url = data;
	g_free(url->url);
	g_free(url->moved);
	g_free(url->retry_after);
	g_free(url->cache_control);
	g_clear_pointer(&url->changes, g_array_unref);
	g_clear_pointer(&url->links, g_ptr_array_unref);
	g_clear_pointer(&url->anchors, g_ptr_array_unref);
	g_free(url);
}

bool trace_split(const char *url, char **origin_r, const char **path_r)
{
	const char *host = strstr(url, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	if (!path || path == host + 3)
		return false;
	*origin_r = g_strndup(url, path - url);
	*path_r = path;
	return true;
}

static int64_t line_count(const TraceLine *line, const char *name, double preset)
{
	return (int64_t)CLAMP(trace_line_number(line, name, preset), 0, 1e12);
}

static GPtrArray *copy_texts(const TraceLine *line, const char *name)
{
	const GPtrArray *texts = trace_line_texts(line, name);
	GPtrArray *copy = texts ? g_ptr_array_new_with_free_func(g_free) : NULL;
	for (guint i = 0; texts && i < texts->len; i++)
		g_ptr_array_add(copy, g_strdup(texts->pdata[i]));
	return copy;
}

static const char *add_host(TraceWorld *world, const TraceLine *line)
{
	const char *origin = trace_line_text(line, "host");
	const char *address = trace_line_text(line, "address");
	const char *prefix = trace_line_text(line, "prefix");
	if (!origin || !strstr(origin, "://") || g_hash_table_contains(world->by_origin, origin))
		return N_("\"host\" must be an origin, and each only once");
	TraceHost *host = g_new0(TraceHost, 1);
	host->origin = g_strdup(origin);
	host->prefix = g_strdup(prefix && *prefix == '/' ? prefix : "/");
	host->duration = MAX(0, trace_line_number(line, "duration", 0.1));
	host->delay = MAX(0, trace_line_number(line, "delay", 0));
	host->pages = line_count(line, "pages", 5000);
	host->depth = line_count(line, "depth", 50);
	host->day = line_count(line, "day", 0);
	host->every = line_count(line, "every", 0);
	host->generate = line_count(line, "generate", 0);
	host->cache_control = g_strdup(trace_line_text(line, "cache-control"));
	host->allow = copy_texts(line, "allow");
	host->disallow = copy_texts(line, "disallow");
	host->sitemaps = copy_texts(line, "sitemaps");
	bool rules = host->delay > 0 || host->allow || host->disallow || host->sitemaps;
	host->robots = line_count(line, "robots", rules ? 200 : 404);
	if (trace_line_text(line, "about"))
		host->topic = topic_new(trace_line_text(line, "about"));
	host->soft_404 = trace_line_flag(line, "soft-404");
	host->allow_from = trace_line_number(line, "allow-from", G_MAXDOUBLE);
	g_ptr_array_add(world->hosts, host);
	g_hash_table_insert(world->by_origin, host->origin, host);
	if (!address)
		return NULL;
	if (inet_pton(AF_INET, address, host->address) == 1)
		host->address_length = 4;
	else if (inet_pton(AF_INET6, address, host->address) == 1)
		host->address_length = 16;
	return host->address_length ? NULL : N_("\"address\" must be an IP address");
}

/* The line of the host comes first. */
static double score_url(const Topic *topic, const TraceLine *line)
{
	const char *title = trace_line_text(line, "title"), *text = trace_line_text(line, "text");
	g_autoptr(Document) doc = document_new(NULL);
	if (title)
		document_add_fact(doc, FIELD_TITLE, title, strlen(title));
	if (text)
		document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return topic_of_page(topic, doc);
}

static const char *add_url(TraceWorld *world, const TraceLine *line)
{
	const char *text = trace_line_text(line, "url"), *path;
	const GArray *busy = trace_line_numbers(line, "busy");
	const GArray *changes = trace_line_numbers(line, "changes");
	g_autofree char *origin = NULL;
	if (!text || !trace_split(text, &origin, &path) || g_hash_table_contains(world->urls, text))
		return N_("\"url\" must be a URL with a path, and each only once");
	TraceUrl *url = g_new0(TraceUrl, 1);
	url->url = g_strdup(text);
	url->moved = g_strdup(trace_line_text(line, "moved"));
	url->retry_after = g_strdup(trace_line_text(line, "retry-after"));
	url->cache_control = g_strdup(trace_line_text(line, "cache-control"));
	url->duration = trace_line_number(line, "duration", -1);
	url->prior = trace_line_number(line, "prior", 0);
	url->status = line_count(line, "status", url->moved ? 301 : 200);
	url->bytes = line_count(line, "bytes", 10000);
	url->feed = trace_line_flag(line, "feed");
	url->listed = trace_line_flag(line, "listed");
	url->poor = trace_line_flag(line, "poor");
	if (busy && busy->len == 2) {
		url->busy_from = g_array_index(busy, double, 0);
		url->busy_to = g_array_index(busy, double, 1);
	}
	if (changes)
		url->changes = g_array_ref((GArray *)changes);
	url->links = copy_texts(line, "links");
	url->anchors = copy_texts(line, "anchors");
	const TraceHost *host = g_hash_table_lookup(world->by_origin, origin);
	if (host && host->topic)
		url->topic = score_url(host->topic, line);
	g_hash_table_insert(world->urls, url->url, url);
	return NULL;
}

static const char *trace_add_line(TraceWorld *world, const char *text, size_t length)
{
	const char *reason;
	g_autoptr(TraceLine) line = trace_line_parse(text, length, &reason);
	if (!line)
		return reason;
	if (trace_line_has(line, "host"))
		return add_host(world, line);
	if (trace_line_has(line, "url"))
		return add_url(world, line);
	if (!trace_line_has(line, "end"))
		return N_("it has none of \"host\", \"url\" and \"end\"");
	world->end = trace_line_number(line, "end", WEB_DAY_S);
	return NULL;
}

static bool read_lines(
        TraceWorld *world, const char *path, const char *text, size_t length, GError **error)
{
	unsigned number = 0;
	for (const char *end = text + length; text < end; number++) {
		const char *stop = memchr(text, '\n', end - text);
		size_t n = (stop ? stop : end) - text;
		const char *wrong = n > 0 ? trace_add_line(world, text, n) : NULL;
		if (wrong) {
			g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
			        _("%s:%u: %s"), path, number + 1, _(wrong));
			return false;
		}
		text = stop ? stop + 1 : end;
	}
	return true;
}

TraceWorld *trace_world_read(const char *path, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
	if (!file)
		return NULL;
	g_autoptr(TraceWorld) world = g_new0(TraceWorld, 1);
	world->end = WEB_DAY_S;
	world->hosts = g_ptr_array_new_with_free_func(trace_host_free);
	world->by_origin = g_hash_table_new(g_str_hash, g_str_equal);
	world->urls = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, trace_url_free);
	bool ok = read_lines(world, path, g_mapped_file_get_contents(file),
	        g_mapped_file_get_length(file), error);
	if (ok && world->hosts->len == 0) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
		        _("%s: no line has \"host\", so nothing is requested"), path);
		return NULL;
	}
	return ok ? g_steal_pointer(&world) : NULL;
}

void trace_world_free(TraceWorld *world)
{
	g_hash_table_unref(world->by_origin);
	g_hash_table_unref(world->urls);
	g_ptr_array_unref(world->hosts);
	g_free(world);
}

/* ---- answers */

static unsigned changes_until(const GArray *changes, double at_s)
{
	unsigned n = 0;
	while (changes && n < changes->len && g_array_index(changes, double, n) <= at_s)
		n++;
	return n;
}

/* "/" is page 0, "/documentation/2.x/reference/section-12/page-345" page 345: paths of usual
 * length.
 */
static bool generated_number(const TraceHost *host, const char *path, int64_t *number_r)
{
	const char *name = strstr(path, "/page-");
	*number_r = 0;
	if (host->generate <= 0 || strcmp(path, "/") == 0)
		return host->generate > 0;
	*number_r = name ? g_ascii_strtoll(name + strlen("/page-"), NULL, 10) : 0;
	return *number_r > 0 && *number_r < host->generate;
}

TraceAnswer trace_world_ask(
        const TraceWorld *world, const TraceHost *host, const char *path, double at_s)
{
	g_autofree char *name = g_strconcat(host->origin, path, NULL);
	const TraceUrl *url = g_hash_table_lookup(world->urls, name);
	int64_t number;
	TraceAnswer answer = {
	        .status = host->soft_404 ? 200 : 404, .duration = host->duration, .url = url};
	if (!url && generated_number(host, path, &number)) {
		answer.status = 200;
		answer.bytes = 10000;
		answer.cache_control = host->cache_control;
	}
	if (!url)
		return answer;
	bool busy = at_s >= url->busy_from && at_s < url->busy_to;
	answer.status = busy ? 503 : url->status;
	answer.retry_after = busy || politeness_is_overload(url->status) ? url->retry_after : NULL;
	answer.version = changes_until(url->changes, at_s);
	answer.bytes = url->bytes;
	answer.cache_control = url->cache_control;
	if (url->duration >= 0)
		answer.duration = url->duration;
	return answer;
}

NearPrint trace_world_print(const TraceAnswer *answer)
{
	NearPrint print = {0};
	const char *text = answer->url ? answer->url->url : "no such page";
	uint64_t *words = (uint64_t *)&print;
	for (size_t i = 0; i < sizeof print / sizeof *words; i++) {
		g_autofree char *seed = g_strdup_printf("%zu %s", i, text);
		words[i] = (uint64_t)web_hash(seed, strlen(seed));
	}
	return print;
}

static void each_generated(const TraceHost *host, int64_t page, TraceLinkFunc func, void *data)
{
	for (int64_t i = 1; i <= GENERATED_LINKS; i++) {
		int64_t target = GENERATED_LINKS * page + i;
		if (target >= host->generate)
			return;
		g_autofree char *url =
		        g_strdup_printf("%s/documentation/2.x/reference/section-%" G_GINT64_FORMAT
		                        "/page-%" G_GINT64_FORMAT,
		                host->origin, target / GENERATED_LINKS, target);
		func(&(TraceLink){.url = url}, data);
	}
}

void trace_world_each_link(const TraceWorld *world, const TraceHost *host, const char *path,
        TraceLinkFunc func, void *data)
{
	g_autofree char *name = g_strconcat(host->origin, path, NULL);
	const TraceUrl *url = g_hash_table_lookup(world->urls, name);
	int64_t number;
	if (!url && generated_number(host, path, &number))
		each_generated(host, number, func, data);
	for (guint i = 0; url && url->links && i < url->links->len; i++) {
		const TraceUrl *target = g_hash_table_lookup(world->urls, url->links->pdata[i]);
		const TraceLink link = {.url = url->links->pdata[i],
		        .anchor = url->anchors && i < url->anchors->len ? url->anchors->pdata[i]
		                                                        : NULL,
		        .feed = target && target->feed,
		        .listed = target && target->listed,
		        .prior = target ? target->prior : 0};
		func(&link, data);
	}
	if (url && url->moved)
		func(&(TraceLink){.url = url->moved}, data);
}

static void add_rules(Document *doc, DocLinkKind kind, const GPtrArray *patterns)
{
	for (guint i = 0; patterns && i < patterns->len; i++)
		document_add_link(doc, kind, 0, patterns->pdata[i], "0");
}

Document *trace_world_robots(const TraceHost *host, double at_s)
{
	char delay[G_ASCII_DTOSTR_BUF_SIZE];
	Document *doc = document_new(NULL);
	document_add_link(doc, LINK_AGENT, 0, "*", "0");
	if (host->delay > 0)
		document_add_link(
		        doc, LINK_DELAY, 0, g_ascii_dtostr(delay, sizeof delay, host->delay), "0");
	add_rules(doc, LINK_SITEMAP, host->sitemaps);
	if (at_s >= host->allow_from)
		return doc;
	add_rules(doc, LINK_ALLOW, host->allow);
	add_rules(doc, LINK_DISALLOW, host->disallow);
	return doc;
}
