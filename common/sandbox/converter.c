/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include <string.h>

enum {
	WARM_MS = 2000, /* a child without a job stays this long */
	EXTRA_WARM = 4, /* beside two for each concurrent job: for other lanes and scopes */
};

/* ---- sources */

void converter_remove_source(GSource **source)
{
	if (!*source)
		return;
	g_source_destroy(*source);
	g_clear_pointer(source, g_source_unref);
}

GSource *converter_add_timeout(Converter *c, unsigned ms, GSourceFunc function, void *data)
{
	GSource *source = g_timeout_source_new(ms);
	g_source_set_callback(source, function, data, NULL);
	g_source_attach(source, c->context);
	return source;
}

GSource *converter_add_fd(Converter *c, int fd, GUnixFDSourceFunc function, void *data)
{
	GSource *source = g_unix_fd_source_new(fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
	g_source_set_callback(source, G_SOURCE_FUNC(function), data, NULL);
	g_source_attach(source, c->context);
	return source;
}

/* ---- dispatch */

/* Finds a warm child for the job. *other_r: the oldest warm child that does not fit, which is kept
 * unless there are too many: the next job may have its lane and scope. */
static Slot *find_warm(const Converter *c, const ConversionJob *job, Slot **other_r)
{
	*other_r = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (!slot_is_warm(slot))
			continue;
		if (slot->lane == job->lane && slot->memory_bytes >= job->memory_bytes &&
		        strcmp(slot->scope, job->scope) == 0 &&
		        (slot->jobs == 0 || !job->own_child))
			return slot;
		if (!*other_r)
			*other_r = slot;
	}
	return NULL;
}

static Slot *slot_for(Converter *c, Program *program, const ConversionJob *job)
{
	Slot *other, *warm = find_warm(c, job, &other);
	if (warm)
		return warm;
	if (other && c->slots->len >= 2 * c->options.children + EXTRA_WARM)
		slot_close(other);
	return slot_open(program, job);
}

/* The queue that the job belongs to. */
static GQueue *converter_queue(Converter *c, const ConversionJob *job)
{
	return job->slow ? &c->slow : &c->waiting;
}

static bool goes_before(const ConversionJob *job, const ConversionJob *other)
{
	return job->urgent != other->urgent ? job->urgent : job->number < other->number;
}

void converter_enqueue(Converter *c, ConversionJob *job)
{
	GQueue *queue = converter_queue(c, job);
	GList *before = queue->head;
	while (before && !goes_before(job, before->data))
		before = before->next;
	g_queue_insert_before(queue, before, job);
}

unsigned converter_n_waiting(const Converter *c)
{
	return c->waiting.length + c->slow.length;
}

/* The child that had a job of the scope last; NULL: there is none. */
static const Slot *find_scope(const Converter *c, const char *scope)
{
	const Slot *found = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		const Slot *slot = c->slots->pdata[i];
		if (!slot->closing && strcmp(slot->scope, scope) == 0 &&
		        (!found || slot_is_warm(slot)))
			found = slot;
	}
	return found;
}

/* A page of a site that has a warm child passes others, since a new child costs more than its
 * conversion. Without one, a page whose site has no child at all passes those that may wait for
 * theirs. JOBS_PER_CHILD bounds for how long. */
static ConversionJob *prefer_page(const Converter *c, GList *first)
{
	ConversionJob *fresh = NULL;
	for (GList *link = first; link; link = link->next) {
		ConversionJob *job = link->data;
		const Slot *slot = find_scope(c, job->scope);
		if (job->purpose != JOB_PAGE || program_is_starting(c, job))
			continue;
		if (slot && slot_is_warm(slot))
			return job;
		if (!slot && !fresh)
			fresh = job;
	}
	return fresh ? fresh : first->data;
}

/* Jobs whose program is being started let others pass. */
static ConversionJob *peek_next(Converter *c)
{
	GQueue *queue = c->waiting.length > 0 ? &c->waiting : &c->slow;
	for (GList *link = queue->head; link; link = link->next) {
		ConversionJob *job = link->data;
		if (program_is_starting(c, job))
			continue;
		return job->purpose == JOB_PAGE && !job->urgent ? prefer_page(c, link) : job;
	}
	return NULL;
}

/* Takes the job from its queue, and those after it that may be sent to the same child with it. */
static void take_shared(Converter *c, const Slot *slot, ConversionJob *first, GQueue *jobs)
{
	enum { LOOK_AT = 256 };
	GQueue *queue = converter_queue(c, first);
	GList *next;
	g_queue_remove(queue, first);
	g_queue_push_tail(jobs, first);
	GList *link = queue->head;
	for (unsigned i = 0; link && i < LOOK_AT; i++, link = next) {
		next = link->next;
		if (!slot_may_share(slot, first, link->data))
			continue;
		g_queue_push_tail(jobs, link->data);
		g_queue_delete_link(queue, link);
	}
}

/* False: the program that the job needs cannot be started now. */
static bool start_job(Converter *c, ConversionJob *job)
{
	g_auto(GQueue) jobs = G_QUEUE_INIT;
	Program *program = program_for(c, job);
	if (!program_ensure(program))
		return program->starting;
	Slot *slot = slot_for(c, program, job);
	program->last_used_us = g_get_monotonic_time();
	bool begun = false;
	if (slot) {
		take_shared(c, slot, job, &jobs);
		begun = slot_begin(slot, &jobs);
	}
	/* those that did not fit into the message, or all */
	while (jobs.length > 0)
		converter_enqueue(c, g_queue_pop_head(&jobs));
	if (begun)
		return true;
	/* A warm child may have died unnoticed. If a new one cannot be opened, the program has
	 * died: it is restarted, at the latest after the backoff. */
	if (slot)
		slot_close(slot);
	else
		program_abandon(program);
	return true;
}

static gboolean on_warm_timeout(gpointer data)
{
	Converter *c = data;
	converter_remove_source(&c->warm_timer);
	for (guint i = 0; i < c->slots->len; i++)
		if (slot_is_warm(c->slots->pdata[i]))
			slot_close(c->slots->pdata[i]);
	return G_SOURCE_REMOVE;
}

static bool any_warm(const Converter *c)
{
	for (guint i = 0; i < c->slots->len; i++)
		if (slot_is_warm(c->slots->pdata[i]))
			return true;
	return false;
}

/* The slow job that started last; NULL if none is running. */
static Slot *find_slow(const Converter *c)
{
	for (guint i = c->slots->len; i-- > 0;) {
		Slot *slot = c->slots->pdata[i];
		if (slot->job && slot->job->slow)
			return slot;
	}
	return NULL;
}

/* Fills a free place: resumes a suspended job, or starts a new one. */
static bool fill_free_slot(Converter *c)
{
	ConversionJob *job = converter_n_waiting(c) > 0 ? peek_next(c) : NULL;
	return schedule_resume(c, job) || (job && start_job(c, job));
}

/* Without a free place: a slow job gives way to any other, and a job whose time slice is over is
 * suspended. */
static bool preempt_slot(Converter *c)
{
	Slot *slow = c->waiting.length > 0 ? find_slow(c) : NULL;
	if (slow) {
		slot_give_up(slow);
		return true;
	}
	ConversionJob *job = schedule_preempting(c);
	if (!job || !schedule_may_suspend(c, job))
		return false;
	Program *program = program_for(c, job);
	if (!program_ensure(program))
		return program->starting;
	return schedule_suspend(c, job) && start_job(c, job);
}

void converter_dispatch(Converter *c)
{
	if (c->in_event)
		return;
	c->in_event = true;
	while (schedule_running(c) < c->options.children ? fill_free_slot(c) : preempt_slot(c))
		;
	program_end_retired(c);
	schedule_wait_for_slice(c);
	c->in_event = false;
	converter_remove_source(&c->warm_timer);
	if (any_warm(c))
		c->warm_timer = converter_add_timeout(c, WARM_MS, on_warm_timeout, c);
}

/* ---- the interface */

Converter *converter_start(const ConverterOptions *options, GError **error)
{
	g_autoptr(Converter) c = g_new0(Converter, 1);
	c->options = *options;
	c->options.children = MAX(options->children, 1);
	c->light_plugins = g_strdupv((char **)options->light_plugins);
	c->context = g_main_context_ref_thread_default();
	c->infos = g_ptr_array_new_with_free_func((GDestroyNotify)converter_info_free);
	c->slots = g_ptr_array_new_with_free_func((GDestroyNotify)slot_free);
	c->retired = g_ptr_array_new_with_free_func(g_free);
	g_queue_init(&c->waiting);
	g_queue_init(&c->slow);
	for (WireLane lane = 0; lane < N_LANES; lane++)
		c->programs[lane] = (Program){.converter = c, .lane = lane};
	if (!program_start(program_first(c), error))
		return NULL;
	return g_steal_pointer(&c);
}

void converter_free(Converter *converter)
{
	if (!converter)
		return;
	converter_remove_source(&converter->warm_timer);
	converter_remove_source(&converter->start_timer);
	converter_remove_source(&converter->slice);
	for (WireLane lane = 0; lane < N_LANES; lane++)
		program_stop(&converter->programs[lane]);
	for (guint i = 0; i < converter->retired->len; i++)
		program_stop(converter->retired->pdata[i]);
	g_ptr_array_unref(converter->retired);
	g_ptr_array_unref(converter->slots);
	g_queue_clear_full(&converter->waiting, (GDestroyNotify)job_free);
	g_queue_clear_full(&converter->slow, (GDestroyNotify)job_free);
	g_ptr_array_unref(converter->infos);
	g_main_context_unref(converter->context);
	g_strfreev(converter->light_plugins);
	g_free(converter);
}

const ConverterInfo *converter_info(const Converter *converter)
{
	const ConverterInfo *all = converter->programs[LANE_ALL].info;
	return all ? all : converter->programs[LANE_CHEAP].info;
}

void converter_collect(Converter *converter, bool collect)
{
	converter->in_event = collect;
	converter_dispatch(converter);
}

void converter_hold(Converter *converter, bool hold)
{
	converter->held = hold;
	for (guint i = 0; i < converter->slots->len; i++) {
		Slot *slot = converter->slots->pdata[i];
		if (!slot->suspended)
			slot_hold(slot, hold);
	}
	converter_dispatch(converter);
}

void converter_add_time(Converter *converter, int64_t us)
{
	for (guint i = 0; i < converter->slots->len; i++)
		slot_add_time(converter->slots->pdata[i], us);
}

static unsigned slot_in_work(const Slot *slot)
{
	return (slot->job != NULL) + slot->next.length;
}

unsigned converter_in_work(const Converter *converter)
{
	unsigned n = converter_n_waiting(converter);
	for (guint i = 0; i < converter->slots->len; i++)
		n += slot_in_work(converter->slots->pdata[i]);
	return n;
}

void converter_submit(Converter *converter, const ConvertRequest *request,
        const ConvertCallbacks *callbacks, void *data)
{
	ConversionJob *job = job_new(request, callbacks, data);
	job->number = ++converter->jobs;
	if (job->urgent)
		g_debug("converter: %s waits for a child", job->name);
	converter_enqueue(converter, job);
	converter_dispatch(converter);
}

void converter_yield(Converter *converter)
{
	converter->in_event = true;
	for (ConversionJob *job; (job = g_queue_pop_head(&converter->slow));)
		job_give_up(job);
	for (Slot *slow; (slow = find_slow(converter));)
		slot_give_up(slow);
	converter->in_event = false;
	converter_dispatch(converter);
}

/* ---- one conversion, synchronously */

typedef struct {
	Document *outermost;
	GPtrArray *members; /* may be NULL */
	bool done;
} Run;

static void run_document(Document *doc, void *data)
{
	Run *run = data;
	if (!doc->member && !run->outermost)
		run->outermost = doc;
	else if (doc->member && run->members)
		g_ptr_array_add(run->members, doc);
	else
		document_free(doc);
}

static void run_restart(void *data)
{
	Run *run = data;
	if (run->members)
		g_ptr_array_set_size(run->members, 0);
}

static void run_done(const ConvertResult *result, void *data)
{
	Run *run = data;
	run->done = true;
	if (run->outermost)
		return;
	run->outermost = document_new(NULL);
	run->outermost->state = STATE_FAILED;
	run->outermost->reason = result->reason;
	run->outermost->detail = g_strdup(result->detail);
	run->outermost->mime = g_strdup(result->mime);
	run->outermost->extractor = g_strdup(result->extractor);
	run->outermost->version = result->version;
}

Document *converter_run(Converter *converter, const ConvertRequest *request, GPtrArray *members)
{
	static const ConvertCallbacks callbacks = {
	        .document = run_document, .restart = run_restart, .done = run_done};
	Run run = {.members = members};
	converter_submit(converter, request, &callbacks, &run);
	while (!run.done)
		g_main_context_iteration(converter->context, TRUE);
	return run.outermost;
}

bool converter_plugin_is_off(const ConverterPlugin *plugin)
{
	return !plugin->usable && plugin->missing && g_str_has_prefix(plugin->missing, "off:");
}
