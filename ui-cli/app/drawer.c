/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/drawer.h"
#include "common/base/autofd.h"

enum { DRAWER_CHILDREN = 2 };

struct Drawer {
	GMainContext *context;
	GMainLoop *loop;
	GThread *thread;
	/* of the thread */
	Converter *converter; /* NULL: not started */
	char *first_name; /* of the converter */
	GQueue waiting; /* DrawerJob */
	unsigned running, drawn;
};

typedef struct {
	Drawer *drawer;
	int fd;
	uint64_t size;
	char *name;
	DrawerCallbacks callbacks;
	void *data;
	int64_t asked_us;
	GSource *patience; /* NULL: the answer was given */
	DrawerPicture picture;
} DrawerJob;

static void drawer_job_answer(DrawerJob *job, DrawerState state)
{
	if (!job->patience)
		return;
	g_source_destroy(job->patience);
	g_clear_pointer(&job->patience, g_source_unref);
	job->picture.state = state;
	if (state != DRAWER_DRAWN)
		g_clear_pointer(&job->picture.pixels, g_free);
	job->callbacks.done(&job->picture, job->data);
}

static void drawer_job_finish(DrawerJob *job, DrawerState state)
{
	drawer_job_answer(job, state);
	autofd_close(&job->fd);
	g_free(job->picture.pixels);
	g_free(job->name);
	g_free(job);
}

/* ---- drawing; all below is done by the thread */

static void drawer_go_on(Drawer *drawer);

static void drawer_on_document(Document *doc, void *data)
{
	document_free(doc);
}

/* After a restart it comes once more. */
static void drawer_on_picture(unsigned width, unsigned height, const uint8_t *pixels, void *data)
{
	DrawerPicture *picture = &((DrawerJob *)data)->picture;
	g_free(picture->pixels);
	picture->width = width;
	picture->height = height;
	picture->pixels = g_memdup2(pixels, (size_t)WIRE_PIXEL_BYTES * width * height);
}

/* A failure that the file did not cause may not come back. */
static DrawerState drawer_state_of(const DrawerJob *job, const ConvertResult *result)
{
	if (result->state == STATE_OK && job->picture.pixels)
		return DRAWER_DRAWN;
	return result->reason == REASON_SANDBOX || result->reason == REASON_UNSTABLE
	               ? DRAWER_LEFT_OUT
	               : DRAWER_NOTHING;
}

static void drawer_on_done(const ConvertResult *result, void *data)
{
	DrawerJob *job = data;
	Drawer *drawer = job->drawer;
	g_debug("drawer: %s: %s", job->name, document_reason_name(result->reason));
	drawer_job_finish(job, drawer_state_of(job, result));
	drawer->running--;
	drawer_go_on(drawer);
}

/* Its first program is the one that the file probably needs. */
static bool drawer_start(Drawer *drawer, const DrawerJob *job)
{
	g_autoptr(GError) error = NULL;
	if (drawer->converter)
		return true;
	g_free(drawer->first_name);
	drawer->first_name = g_strdup(job->name);
	const ConverterOptions options = {
	        .children = DRAWER_CHILDREN, .draws = true, .first_name = drawer->first_name};
	drawer->converter = converter_start(&options, &error);
	if (error)
		g_debug("drawer: %s", error->message);
	return drawer->converter != NULL;
}

static void drawer_submit(Drawer *drawer, DrawerJob *job)
{
	static const ConvertCallbacks callbacks = {.document = drawer_on_document,
	        .picture = drawer_on_picture,
	        .done = drawer_on_done};
	/* a file that takes control of its child gets no other one there */
	g_autofree char *scope = g_strdup_printf("%u", drawer->drawn++);
	ConvertRequest request = {.size = job->size,
	        .name = job->name,
	        .scope = scope,
	        .limits = EXTRACT_LIMITS_DEFAULT,
	        .purpose = JOB_PICTURE};
	request.fd = autofd_steal(&job->fd);
	request.limits.wall_ms = DRAWER_WALL_MS;
	request.limits.memory_pdf_bytes = request.limits.memory_bytes;
	drawer->running++;
	converter_submit(drawer->converter, &request, &callbacks, job);
}

static bool drawer_is_late(const DrawerJob *job)
{
	return g_get_monotonic_time() - job->asked_us > DRAWER_WAIT_MS * INT64_C(1000);
}

static void drawer_go_on(Drawer *drawer)
{
	while (drawer->running < DRAWER_CHILDREN && drawer->waiting.length > 0) {
		DrawerJob *job = g_queue_pop_head(&drawer->waiting);
		if (drawer_is_late(job) || !job->callbacks.is_wanted(job->data) ||
		        !drawer_start(drawer, job))
			drawer_job_finish(job, DRAWER_LEFT_OUT);
		else
			drawer_submit(drawer, job);
	}
}

/* The program cannot be started, or does not answer. Drawings in progress end by themselves. */
static gboolean drawer_on_patience(gpointer data)
{
	DrawerJob *job = data;
	drawer_job_answer(job, DRAWER_LEFT_OUT);
	if (g_queue_remove(&job->drawer->waiting, job))
		drawer_job_finish(job, DRAWER_LEFT_OUT);
	return G_SOURCE_REMOVE;
}

static gboolean drawer_take(gpointer data)
{
	DrawerJob *job = data;
	job->patience = g_timeout_source_new(DRAWER_PATIENCE_MS);
	g_source_set_callback(job->patience, drawer_on_patience, job, NULL);
	g_source_attach(job->patience, job->drawer->context);
	g_queue_push_tail(&job->drawer->waiting, job);
	drawer_go_on(job->drawer);
	return G_SOURCE_REMOVE;
}

static gpointer drawer_run(gpointer data)
{
	Drawer *drawer = data;
	g_main_context_push_thread_default(drawer->context);
	g_main_loop_run(drawer->loop);
	converter_free(drawer->converter);
	g_main_context_pop_thread_default(drawer->context);
	return NULL;
}

/* ---- the interface */

Drawer *drawer_new(GError **error)
{
	Drawer *drawer = g_new0(Drawer, 1);
	g_queue_init(&drawer->waiting);
	drawer->context = g_main_context_new();
	drawer->loop = g_main_loop_new(drawer->context, FALSE);
	drawer->thread = g_thread_try_new("drawer", drawer_run, drawer, error);
	if (drawer->thread)
		return drawer;
	drawer_free(drawer);
	return NULL;
}

static gboolean drawer_quit(gpointer data)
{
	g_main_loop_quit(((Drawer *)data)->loop);
	return G_SOURCE_REMOVE;
}

static void drawer_attach(Drawer *drawer, GSourceFunc function, void *data)
{
	GSource *source = g_idle_source_new();
	g_source_set_callback(source, function, data, NULL);
	g_source_attach(source, drawer->context);
	g_source_unref(source);
}

void drawer_free(Drawer *drawer)
{
	if (!drawer)
		return;
	if (drawer->thread) {
		drawer_attach(drawer, drawer_quit, drawer);
		g_thread_join(drawer->thread);
	}
	g_main_loop_unref(drawer->loop);
	g_main_context_unref(drawer->context);
	g_free(drawer->first_name);
	g_free(drawer);
}

void drawer_draw(Drawer *drawer, int fd, uint64_t size, const char *name,
        const DrawerCallbacks *callbacks, void *data)
{
	DrawerJob *job = g_new0(DrawerJob, 1);
	job->drawer = drawer;
	job->fd = fd;
	job->size = size;
	job->name = g_strdup(name);
	job->callbacks = *callbacks;
	job->data = data;
	job->asked_us = g_get_monotonic_time();
	drawer_attach(drawer, drawer_take, job);
}
