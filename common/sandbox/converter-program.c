/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

enum {
	MAX_STARTS = 5, /* failed starts in a row; after them the waiting jobs fail */
	FIRST_BACKOFF_MS = 500,
	MAX_BACKOFF_DOUBLINGS = 7,
};

/* How long an idle program stays, unless the options say otherwise. */
static const unsigned idle_ms[N_PROGRAMS] = {
        [PROGRAM_LIGHT] = 60 * 1000,
        [PROGRAM_FULL] = 10 * 1000,
};

static Program *full_of(Converter *c)
{
	return &c->programs[PROGRAM_FULL];
}

/* ---- which plugins to load */

static bool is_light(const ConverterPlugin *plugin)
{
	return plugin->usable && plugin->lane == LANE_CHEAP;
}

/* Splits the plugins: names of those of the cheap lane, MIME types of all others. */
static void split_plugins(
        const ConverterInfo *info, GStrvBuilder *light_plugins, GStrvBuilder *other_types)
{
	for (size_t i = 0; i < info->n_plugins; i++) {
		const ConverterPlugin *plugin = &info->plugins[i];
		if (is_light(plugin))
			g_strv_builder_add(light_plugins, plugin->name);
		else
			g_strv_builder_addv(other_types, (const char **)plugin->mime_types);
	}
}

static Host *start_light(Converter *c, ConverterInfo **info_r, GError **error)
{
	g_autoptr(GStrvBuilder) light_plugins = g_strv_builder_new();
	g_autoptr(GStrvBuilder) other_types = g_strv_builder_new();
	const ConverterInfo *known = full_of(c)->info;
	if (known) {
		split_plugins(known, light_plugins, other_types);
	} else {
		g_strv_builder_addv(light_plugins, (const char **)c->light_plugins);
		g_strv_builder_add(other_types, "*");
	}
	g_auto(GStrv) light_list = g_strv_builder_end(light_plugins);
	g_auto(GStrv) other_list = g_strv_builder_end(other_types);
	return host_start(&c->options, light_list, other_list, info_r, error);
}

/* ---- what it reports at the start */

static bool same_info(const ConverterInfo *a, const ConverterInfo *b)
{
	if (a->level != b->level || a->n_plugins != b->n_plugins)
		return false;
	for (size_t i = 0; i < a->n_plugins; i++)
		if (strcmp(a->plugins[i].name, b->plugins[i].name) != 0 ||
		        a->plugins[i].version != b->plugins[i].version ||
		        a->plugins[i].usable != b->plugins[i].usable)
			return false;
	return true;
}

/* Keeps each distinct info for the life of the converter, because callers hold pointers to it. */
static const ConverterInfo *keep_info(Converter *c, ConverterInfo *info)
{
	for (guint i = 0; i < c->infos->len; i++) {
		if (!same_info(c->infos->pdata[i], info))
			continue;
		converter_info_free(info);
		return c->infos->pdata[i];
	}
	g_ptr_array_add(c->infos, info);
	return info;
}

/* ---- events of its children */

static Slot *find_serial(Converter *c, uint32_t serial)
{
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->serial == serial)
			return slot;
	}
	return NULL;
}

static void on_host_event(Program *program, const HostEvent *event)
{
	Slot *slot = find_serial(program->converter, event->child.serial);
	if (slot && slot->program != program)
		slot = NULL;
	if (event->kind == WIRE_FORKED && slot)
		slot_on_forked(slot, event->pidfd);
	else if (event->pidfd >= 0)
		close(event->pidfd);
	if (event->kind == WIRE_EXITED && slot)
		slot_on_exited(slot, &event->child);
}

static gboolean on_control(int fd, GIOCondition condition, gpointer data)
{
	Program *program = data;
	Converter *c = program->converter;
	HostEvent event;
	int state;
	c->in_event = true;
	while ((state = host_next(program->host, &event)) > 0)
		on_host_event(program, &event);
	if (state < 0) {
		g_message("tarsier-extract stopped unexpectedly; restarting it");
		program_abandon(program);
	}
	c->in_event = false;
	converter_dispatch(c);
	return G_SOURCE_CONTINUE;
}

/* ---- start and end */

static bool in_use(const Program *program)
{
	const Converter *c = program->converter;
	for (guint i = 0; i < c->slots->len; i++) {
		const Slot *slot = c->slots->pdata[i];
		if (slot->program == program && slot->job)
			return true;
	}
	return false;
}

static gboolean on_idle_timeout(gpointer data)
{
	Program *program = data;
	Converter *c = program->converter;
	unsigned limit_ms = c->options.idle_ms > 0 ? c->options.idle_ms : idle_ms[program->kind];
	int64_t now_us = g_get_monotonic_time();
	int64_t left_us = program->last_used_us + (int64_t)limit_ms * 1000 - now_us;
	converter_remove_source(&program->idle_timer);
	if (in_use(program))
		left_us = (int64_t)limit_ms * 1000;
	if (left_us > 0)
		program->idle_timer =
		        converter_add_timeout(c, left_us / 1000 + 1, on_idle_timeout, program);
	else
		program_stop(program);
	return G_SOURCE_REMOVE;
}

bool program_start(Program *program, GError **error)
{
	Converter *c = program->converter;
	ConverterInfo *info = NULL;
	if (program->kind == PROGRAM_LIGHT)
		program->host = start_light(c, &info, error);
	else
		program->host = host_start(&c->options, NULL, NULL, &info, error);
	if (!program->host)
		return false;
	program->info = keep_info(c, info);
	program->last_used_us = g_get_monotonic_time();
	program->control = converter_add_fd(c, host_fd(program->host), on_control, program);
	on_idle_timeout(program);
	return true;
}

/* Also frees its children, none of which has a job. */
void program_stop(Program *program)
{
	Converter *c = program->converter;
	converter_remove_source(&program->control);
	converter_remove_source(&program->idle_timer);
	g_clear_pointer(&program->host, host_free);
	for (guint i = c->slots->len; i-- > 0;)
		if (((Slot *)c->slots->pdata[i])->program == program)
			g_ptr_array_remove_index(c->slots, i);
}

/* Exponential backoff. */
static void delay_next_start(Converter *c)
{
	c->failed_starts++;
	c->next_start_us =
	        g_get_monotonic_time() +
	        ((int64_t)FIRST_BACKOFF_MS * 1000 << MIN(c->failed_starts, MAX_BACKOFF_DOUBLINGS));
}

void program_abandon(Program *program)
{
	Converter *c = program->converter;
	g_autoptr(GPtrArray) jobs = g_ptr_array_new();
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->program == program && slot->job)
			g_ptr_array_add(jobs, slot_take_job(slot));
	}
	program_stop(program);
	delay_next_start(c);
	for (guint i = 0; i < jobs->len; i++) {
		ConversionJob *job = jobs->pdata[i];
		if (++job->kills >= JOB_STARTS_MAX) {
			job_fail(job, REASON_CRASHED, _("tarsier-extract stopped unexpectedly"),
			        NULL);
			continue;
		}
		job_restart(c, job);
	}
}

/* ---- restart */

static gboolean on_start_timer(gpointer data)
{
	Converter *c = data;
	converter_remove_source(&c->start_timer);
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

static void program_give_up(Converter *c, const char *why)
{
	GQueue queues[] = {c->waiting, c->slow};
	g_queue_init(&c->waiting);
	g_queue_init(&c->slow);
	for (size_t i = 0; i < G_N_ELEMENTS(queues); i++)
		for (ConversionJob *job; (job = g_queue_pop_head(&queues[i]));)
			job_fail(job, REASON_SANDBOX, why, NULL);
}

static void start_failed(Program *program, const GError *error)
{
	Converter *c = program->converter;
	/* The full program can do everything that the light one can. */
	if (program->kind == PROGRAM_LIGHT) {
		c->light_failed = true;
		return;
	}
	g_warning("%s", error->message);
	delay_next_start(c);
	if (c->failed_starts >= MAX_STARTS)
		program_give_up(c, error->message);
}

bool program_ensure(Program *program)
{
	Converter *c = program->converter;
	g_autoptr(GError) error = NULL;
	if (program->host)
		return true;
	if (c->next_start_us <= g_get_monotonic_time()) {
		if (program_start(program, &error))
			return true;
		start_failed(program, error);
	}
	int64_t wait_us = c->next_start_us - g_get_monotonic_time();
	converter_remove_source(&c->start_timer);
	if (converter_n_waiting(c) > 0)
		c->start_timer = converter_add_timeout(
		        c, wait_us > 0 ? wait_us / 1000 + 1 : 0, on_start_timer, c);
	return false;
}

static bool has_light_plugins(const Converter *c)
{
	const ConverterInfo *info = c->programs[PROGRAM_FULL].info;
	if (!info)
		return c->light_plugins != NULL;
	for (size_t i = 0; i < info->n_plugins; i++)
		if (is_light(&info->plugins[i]))
			return true;
	return false;
}

Program *program_for(Converter *c, const ConversionJob *job)
{
	Program *light = &c->programs[PROGRAM_LIGHT], *full = full_of(c);
	if (job->lane != LANE_CHEAP)
		return full;
	if (light->host)
		return light;
	return full->host || c->light_failed || !has_light_plugins(c) ? full : light;
}
