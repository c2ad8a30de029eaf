/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/simulate.h"
#include "common/base/http-date.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/sandbox/confine.h"
#include "daemon/web/frontier.h"
#include "daemon/web/http-freshness.h"
#include "daemon/web/trace-world.h"
#include "daemon/web/web-heap.h"
#include "index/store/db.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* When every simulation begins: Wed, 01 Jan 2025 00:00:00 GMT. */
#define BEGIN_MS ((int64_t)1735689600 * 1000)
#define CLOCK_KEY "web_simulated"
enum { TICK_MS = 10, MOST_REQUESTS = 4096 };

typedef struct {
	HeapNode node; /* at: when the answer is complete, in milliseconds of the simulation */
	FrontierRequest request;
	const TraceHost *host;
	TraceAnswer answer;
	int64_t asked_ms;
} Flight;

typedef struct {
	TraceWorld *world;
	Writer *w;
	Frontier *f;
	int64_t now_ms, first_ms; /* since the trace began; when this process began */
	WebHeap flights;
	unsigned n_flights;
	WebFound found; /* depth and page of the links that are being added */
	const Topic *topic; /* of their host, or NULL */
	GError *error; /* of adding them */
} Simulation;

static WebTime simulated_time(const Simulation *s)
{
	return (WebTime){BEGIN_MS + s->now_ms, s->now_ms - s->first_ms};
}

/* ---- the index */

static void remove_dir(const char *path)
{
	const char *name;
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);
		if (g_file_test(child, G_FILE_TEST_IS_DIR) &&
		        !g_file_test(child, G_FILE_TEST_IS_SYMLINK))
			remove_dir(child);
		else
			g_unlink(child);
	}
	g_rmdir(path);
}

/* One without any entry may be a simulation that was killed at its very beginning. */
static bool has_entries(Simulation *s, bool *any_r, GError **error)
{
	int64_t files, directories;
	if (!writer_get_meta_int(s->w, "files", 0, &files, error) ||
	        !writer_get_meta_int(s->w, "directories", 0, &directories, error))
		return false;
	*any_r = files > 0 || directories > 0;
	return true;
}

static bool open_index(Simulation *s, const char *dir, GError **error)
{
	bool any;
	g_autofree char *cache = g_build_filename(dir, "cache", NULL);
	s->w = writer_open(dir, cache, error);
	if (!s->w || !writer_get_meta_int(s->w, CLOCK_KEY, -1, &s->now_ms, error) ||
	        !has_entries(s, &any, error))
		return false;
	if (any && s->now_ms < 0) {
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("%s: this index is not a simulation"), dir);
		return false;
	}
	s->now_ms = MAX(s->now_ms, 0);
	s->first_ms = s->now_ms;
	return true;
}

/* After a kill, the moment is the one whose requests were committed last. */
static bool keep_moment(Simulation *s, GError **error)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, s->now_ms);
	return writer_set_meta(s->w, CLOCK_KEY, text, error);
}

static bool add_hosts(Simulation *s, GError **error)
{
	const WebTime now = simulated_time(s);
	for (guint i = 0; i < s->world->hosts->len; i++) {
		const TraceHost *h = s->world->hosts->pdata[i];
		const WebSourceRow limits = {.prefix = h->prefix,
		        .pages_most = h->pages,
		        .depth_most = h->depth,
		        .bytes_most = INT64_MAX,
		        .every_s = h->every,
		        .focused = h->topic != NULL};
		if (!frontier_add_source(s->f, &now, h->origin, &limits, h->day, error) ||
		        !frontier_set_address(
		                s->f, &now, h->origin, h->address, h->address_length, error))
			return false;
	}
	return true;
}

/* ---- requests */

static int64_t to_ms(double seconds)
{
	return (int64_t)llround(CLAMP(seconds, 0, 1e12) * 1000);
}

static void begin_flight(Simulation *s, const FrontierRequest *request)
{
	Flight *flight = g_new0(Flight, 1);
	double at_s = s->now_ms / 1000.0;
	flight->request = *request;
	flight->host = g_hash_table_lookup(s->world->by_origin, request->origin);
	flight->asked_ms = s->now_ms;
	if (!flight->host) /* it was in the trace that this index began with */
		flight->answer = (TraceAnswer){.status = 0};
	else if (request->is_robots)
		flight->answer = (TraceAnswer){
		        .status = flight->host->robots, .duration = flight->host->duration};
	else
		flight->answer = trace_world_ask(s->world, flight->host, request->path, at_s);
	int64_t end = s->now_ms + MIN(to_ms(flight->answer.duration), POLITE_REQUEST_MOST_MS);
	if (flight->answer.duration * 1000 > POLITE_REQUEST_MOST_MS)
		flight->answer.status = 0;
	flight->node.order = s->n_flights++;
	web_heap_put(&s->flights, &flight->node, end);
	printf("%" G_GINT64_FORMAT ".%03d\t%s%s\n", s->now_ms / 1000, (int)(s->now_ms % 1000),
	        request->origin, request->path);
}

/* The requests are committed before they are printed. */
static bool make_requests(Simulation *s, GError **error)
{
	const WebTime now = simulated_time(s);
	g_autoptr(GArray) requests = g_array_new(FALSE, FALSE, sizeof(FrontierRequest));
	if (!keep_moment(s, error) || !frontier_next(s->f, &now, MOST_REQUESTS, requests, error))
		return false;
	for (guint i = 0; i < requests->len; i++)
		begin_flight(s, &g_array_index(requests, FrontierRequest, i));
	if (fflush(stdout) == 0)
		return true;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s", g_strerror(errno));
	return false;
}

/* ---- answers */

static void add_link(const TraceLink *link, void *data)
{
	Simulation *s = data;
	const WebTime now = simulated_time(s);
	g_autofree char *origin = NULL;
	WebFound found = s->found;
	if (s->error || !trace_split(link->url, &origin, &found.path))
		return;
	found.origin = origin;
	found.kind = link->feed ? WEB_FEED : WEB_PAGE;
	found.is_listed = link->listed;
	found.prior_s = link->prior;
	if (s->topic)
		found.link_topic = topic_of_link(s->topic, link->anchor, found.path);
	frontier_add(s->f, &now, &found, &s->error);
}

static bool answer_robots(
        Simulation *s, const Flight *flight, const WebAnswer *answer, GError **error)
{
	const WebTime now = simulated_time(s);
	g_autoptr(Document) robots =
	        flight->host ? trace_world_robots(flight->host, flight->asked_ms / 1000.0) : NULL;
	return frontier_answer_robots(s->f, &now, flight->request.host, answer, robots, error);
}

/* Is what was answered a near copy of another page, or what there is in place of a page? */
static bool judge_page(Simulation *s, const Flight *flight, bool *poor_r, GError **error)
{
	const TraceAnswer *a = &flight->answer;
	const NearPrint print = trace_world_print(a);
	*poor_r = a->url && a->url->poor;
	return *poor_r || a->status != 200 ||
	       frontier_is_soft_404(
	               s->f, flight->request.origin, flight->request.path, &print, poor_r, error);
}

/* The moment of a file, in the ten years before the simulation begins. */
static int64_t page_modified_s(const FrontierRequest *request, unsigned version)
{
	uint32_t age_s = (uint32_t)web_hash(request->path, strlen(request->path)) % 315576000;
	return BEGIN_MS / 1000 - 86400 - age_s + version;
}

/* As nginx makes it of the moment and the size of a file. */
static char *page_etag(int64_t modified_s, unsigned version)
{
	return g_strdup_printf("\"%" G_GINT64_MODIFIER "x-%x\"", modified_s, 10000 + version);
}

static bool answer_flight(Simulation *s, const Flight *flight, GError **error)
{
	const WebTime now = simulated_time(s);
	const FrontierRequest *r = &flight->request;
	const TraceAnswer *a = &flight->answer;
	int64_t modified_s = page_modified_s(r, a->version);
	g_autofree char *etag = page_etag(modified_s, a->version);
	char modified[HTTP_DATE_BYTES];
	bool same = r->etag && strcmp(r->etag, etag) == 0;
	(void)http_date_format(modified_s, modified);
	const HttpAnswer headers = {.cache_control = a->cache_control,
	        .request_s = (BEGIN_MS + flight->asked_ms) / 1000,
	        .response_s = now.wall_ms / 1000};
	const Topic *topic = flight->host ? flight->host->topic : NULL;
	bool poor;
	if (!judge_page(s, flight, &poor, error))
		return false;
	const WebAnswer answer = {.status = same && a->status == 200 ? 304 : a->status,
	        .duration_ms = s->now_ms - flight->asked_ms,
	        .bytes = same ? 0 : a->bytes,
	        .retry_after = a->retry_after,
	        .etag = a->status == 200 ? etag : NULL,
	        .modified = a->status == 200 ? modified : NULL,
	        .fresh_s = http_freshness(&headers),
	        .changed = r->etag && !same,
	        .poor = poor,
	        .prior_s = a->url ? a->url->prior : 0};
	double page_topic = a->url ? a->url->topic : 0;
	if (r->is_robots)
		return answer_robots(s, flight, &answer, error);
	if (r->is_probe) {
		const NearPrint print = trace_world_print(a);
		return frontier_answer_probe(s->f, &now, r->host, &answer, &print, error);
	}
	if (!frontier_answer(s->f, &now, r->host, &answer, error))
		return false;
	bool judged = topic && r->kind == WEB_PAGE && answer.status == 200;
	if (judged && !frontier_note_topic(s->f, r->origin, r->path, page_topic, error))
		return false;
	s->topic = topic;
	s->found = (WebFound){.depth = r->depth + 1, .page_topic = page_topic};
	if (a->status != 0 && a->status < 400 && !same)
		trace_world_each_link(s->world, flight->host, r->path, add_link, s);
	if (s->error)
		g_propagate_error(error, g_steal_pointer(&s->error));
	return !error || !*error;
}

static void free_flight(Simulation *s, Flight *flight)
{
	web_heap_remove(&s->flights, &flight->node);
	frontier_request_clear(&flight->request);
	g_free(flight);
}

static bool take_answers(Simulation *s, GError **error)
{
	const HeapNode *first;
	bool ok = true;
	while (ok && (first = web_heap_first(&s->flights)) && first->at <= s->now_ms) {
		Flight *flight = (Flight *)first;
		ok = answer_flight(s, flight, error);
		free_flight(s, flight);
	}
	return ok;
}

/* The next moment when something happens, in whole ticks; -1: none. */
static int64_t next_moment(const Simulation *s)
{
	const WebTime now = simulated_time(s);
	const HeapNode *first = web_heap_first(&s->flights);
	int64_t wait = frontier_wait_ms(s->f, &now);
	int64_t moment = wait < 0 ? INT64_MAX : s->now_ms + wait;
	if (first)
		moment = MIN(moment, first->at);
	if (moment == INT64_MAX)
		return -1;
	moment = MAX(moment, s->now_ms + 1);
	return (moment + TICK_MS - 1) / TICK_MS * TICK_MS;
}

static bool run_simulation(Simulation *s, GError **error)
{
	int64_t end = to_ms(s->world->end);
	while (s->now_ms >= 0 && s->now_ms < end) {
		if (!take_answers(s, error) || !make_requests(s, error))
			return false;
		s->now_ms = next_moment(s);
	}
	return frontier_commit(s->f, error);
}

static bool simulate_in(const char *trace, const char *dir, GError **error)
{
	Simulation s = {.world = trace_world_read(trace, error)};
	bool ok = s.world && open_index(&s, dir, error);
	if (ok) {
		const WebTime now = simulated_time(&s);
		s.f = frontier_open(s.w, &now, false, error);
		ok = s.f && add_hosts(&s, error) && run_simulation(&s, error);
	}
	for (HeapNode *first; (first = web_heap_first(&s.flights));)
		free_flight(&s, (Flight *)first);
	web_heap_clear(&s.flights);
	frontier_free(s.f);
	writer_close(s.w);
	g_clear_pointer(&s.world, trace_world_free);
	return ok;
}

/* Landlock lets a simulation write in its directory, but not remove it. So a child goes on, and
 * this process waits for it, removes the directory and exits as the child did. */
static bool continue_in_child(const char *dir, GError **error)
{
	pid_t parent = getpid(), child = fork();
	if (child < 0) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "fork: %s", g_strerror(errno));
		return false;
	}
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(EXIT_FAILURE);
		return true;
	}
	int status;
	signal(SIGINT, SIG_IGN); /* Ctrl+C ends the child */
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	remove_dir(dir);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

bool simulate_web(const char *trace, const char *index_dir, GError **error)
{
	g_autofree char *own = index_dir ? NULL : g_dir_make_tmp("tarsier-web-XXXXXX", error);
	const char *dir = index_dir ? index_dir : own;
	const char *const writable[] = {dir, NULL};
	if (!dir || (own && !continue_in_child(own, error)) || !paths_make_private_dir(dir, error))
		return false;
	confine(&(Confinement){.writable = writable});
	return simulate_in(trace, dir, error);
}
