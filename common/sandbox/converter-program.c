/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/document-problem.h"
#include "common/sandbox/converter-identity.h"
#include "common/sandbox/converter-private.h"
#include "common/sandbox/lane.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DRAWING_PLUGIN "image"
#define OCR_PLUGIN "ocr"

enum {
	MAX_STARTS = 5, /* failed starts in a row; after them the waiting jobs fail */
	FIRST_BACKOFF_MS = 500,
	MAX_BACKOFF_DOUBLINGS = 7,
	RETRY_LANE_MS =
	        60 * 1000, /* until then, LANE_ALL takes the jobs of a lane without program */
	/* A program is replaced after this many times the time its start took, but not before this
	 * time: starts after crashes then take at most 3 % of the time. */
	REPLACE_RATIO = 32,
	REPLACE_MIN_MS = 1000,
	COMPARE_MS = 5000, /* between two looks for updates, each of some forty calls of stat() */
};

/* How long an idle program stays, unless the options say otherwise. */
static unsigned idle_ms(WireLane lane)
{
	return (lane == LANE_CHEAP ? 60 : 10) * 1000;
}

/* All plugins; NULL: not known yet. */
static const ConverterInfo *all_plugins(const Converter *c)
{
	return c->programs[LANE_ALL].info;
}

/* ---- which plugins to load */

/* Several formats hand texts over to the plugin for plain text, and it needs no library. The
 * program that has all plugins reports which are unusable. Documents contain pictures, so each
 * program that draws can draw these. A page of PDF may be scanned. */
static bool is_loaded(const Converter *c, const ConverterPlugin *plugin, WireLane lane)
{
	return plugin->usable &&
	       (lane_includes(lane, plugin->lane) || strcmp(plugin->name, "text") == 0 ||
	               (lane == LANE_PDF && strcmp(plugin->name, OCR_PLUGIN) == 0) ||
	               (c->options.draws && strcmp(plugin->name, DRAWING_PLUGIN) == 0));
}

static void add_types(GStrvBuilder *elsewhere, const ConverterPlugin *plugin)
{
	WireLane lane = plugin->usable ? plugin->lane : LANE_ALL;
	for (char **type = plugin->mime_types; *type; type++) {
		g_autofree char *entry = g_strdup_printf("%s=%u", *type, lane);
		g_strv_builder_add(elsewhere, entry);
	}
}

/* Splits the plugins: the names of those to load, and the types of all others with their lanes. */
static void split_plugins(const Converter *c, const ConverterInfo *info, WireLane lane,
        GStrvBuilder *names, GStrvBuilder *elsewhere)
{
	for (size_t i = 0; i < info->n_plugins; i++) {
		const ConverterPlugin *plugin = &info->plugins[i];
		if (is_loaded(c, plugin, lane))
			g_strv_builder_add(names, plugin->name);
		else
			add_types(elsewhere, plugin);
	}
}

/* The names of the plugins to load as long as it is unknown which there are; NULL: load all. */
static const char *const *guessed_plugins(const Converter *c, WireLane lane)
{
	if (lane == LANE_CHEAP && c->light_plugins)
		return (const char *const *)c->light_plugins;
	return c->options.first_name ? lane_usual_plugins(lane) : NULL;
}

static Host *start_lane(Program *program, GError **error)
{
	Converter *c = program->converter;
	const ConverterInfo *known = all_plugins(c);
	g_autoptr(GStrvBuilder) names = g_strv_builder_new();
	g_autoptr(GStrvBuilder) elsewhere = g_strv_builder_new();
	if (program->lane == LANE_ALL)
		return host_begin(&c->options, NULL, NULL, error);
	if (known) {
		split_plugins(c, known, program->lane, names, elsewhere);
	} else {
		g_autofree char *any = g_strdup_printf("*=%u", LANE_ALL);
		g_strv_builder_addv(names, (const char **)guessed_plugins(c, program->lane));
		if (c->options.draws)
			g_strv_builder_add(names, DRAWING_PLUGIN);
		g_strv_builder_add(elsewhere, any);
	}
	g_auto(GStrv) name_list = g_strv_builder_end(names);
	g_auto(GStrv) type_list = g_strv_builder_end(elsewhere);
	return host_begin(&c->options, name_list, type_list, error);
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
	unsigned limit_ms = c->options.idle_ms > 0 ? c->options.idle_ms : idle_ms(program->lane);
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

static bool program_begin(Program *program, GError **error)
{
	program->began_us = g_get_monotonic_time();
	program->identity = converter_files_identity(&program->converter->options);
	program->host = start_lane(program, error);
	return program->host != NULL;
}

/* The handshake is complete. */
static void program_ready(Program *program, ConverterInfo *info)
{
	Converter *c = program->converter;
	program->starting = false;
	program->info = keep_info(c, info);
	program->last_used_us = g_get_monotonic_time();
	program->crashed = false;
	program->compared_us = program->last_used_us;
	program->replace_us = program->last_used_us +
	                      MAX((program->last_used_us - program->began_us) * REPLACE_RATIO,
	                              REPLACE_MIN_MS * INT64_C(1000));
	program->control = converter_add_fd(c, host_fd(program->host), on_control, program);
	on_idle_timeout(program);
}

bool program_start(Program *program, GError **error)
{
	ConverterInfo *info = NULL;
	const char *detail;
	if (!program_begin(program, error))
		return false;
	if (!host_wait(program->host, &info)) {
		host_fail(g_steal_pointer(&program->host), &detail, error);
		return false;
	}
	program_ready(program, info);
	return true;
}

/* Also frees its children, none of which has a job. */
void program_stop(Program *program)
{
	Converter *c = program->converter;
	converter_remove_source(&program->control);
	converter_remove_source(&program->idle_timer);
	program->starting = false;
	g_clear_pointer(&program->host, host_free);
	for (guint i = c->slots->len; i-- > 0;)
		if (((Slot *)c->slots->pdata[i])->program == program)
			g_ptr_array_remove_index(c->slots, i);
}

/* ---- replacement after a crash or an update */

/* True if the child did not end as children do: by their own exit, or by a limit. */
static bool is_crash(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGXCPU;
	/* the handler of a fault exits with this status where memory had run out before */
	return WEXITSTATUS(status) == WIRE_EXIT_MEMORY || WEXITSTATUS(status) == WIRE_EXIT_INPUT;
}

void program_note_exit(Program *program, int status)
{
	program->crashed = program->crashed || is_crash(status);
}

/* True if the program, a plugin or a library was installed since the program started: it has the
 * old ones in its memory, perhaps with a defect that the new ones do not have. */
static bool is_outdated(Program *program)
{
	int64_t now_us = g_get_monotonic_time();
	if (now_us - program->compared_us < COMPARE_MS * INT64_C(1000))
		return false;
	program->compared_us = now_us;
	return program->identity != converter_files_identity(&program->converter->options);
}

static bool must_be_replaced(Program *program)
{
	if (program->crashed && program->replace_us <= g_get_monotonic_time())
		return true;
	return is_outdated(program);
}

/* Leaves the program to its running jobs, so that a new one can be started beside it. */
static void program_retire(Program *program)
{
	Converter *c = program->converter;
	Program *old = g_memdup2(program, sizeof *program);
	converter_remove_source(&old->idle_timer);
	converter_remove_source(&old->control);
	old->control = converter_add_fd(c, host_fd(old->host), on_control, old);
	*program = (Program){.converter = c, .lane = old->lane, .info = old->info};
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->program != program)
			continue;
		slot->program = old;
		if (slot_is_warm(slot))
			slot_close(slot);
	}
	g_ptr_array_add(c->retired, old);
	g_debug("converter: starting tarsier-extract anew, after a crash or an update");
}

void program_end_retired(Converter *c)
{
	for (guint i = c->retired->len; i-- > 0;) {
		Program *old = c->retired->pdata[i];
		if (old->host && in_use(old))
			continue;
		program_stop(old);
		g_ptr_array_remove_index(c->retired, i);
	}
}

/* ---- restart */

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
		if (slot->program != program || !slot->job)
			continue;
		g_ptr_array_add(jobs, slot_take_job(slot));
		slot_return_next(slot, true);
	}
	program_stop(program);
	delay_next_start(c);
	for (guint i = 0; i < jobs->len; i++) {
		ConversionJob *job = jobs->pdata[i];
		if (++job->kills >= JOB_STARTS_MAX) {
			job_fail(job, REASON_CRASHED, PROBLEM_STOPPED, NULL);
			continue;
		}
		job_restart(c, job);
	}
}

static gboolean on_start_timer(gpointer data)
{
	Converter *c = data;
	converter_remove_source(&c->start_timer);
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

static void program_give_up(Converter *c, const char *detail)
{
	GQueue queues[] = {c->waiting, c->slow};
	g_queue_init(&c->waiting);
	g_queue_init(&c->slow);
	for (size_t i = 0; i < G_N_ELEMENTS(queues); i++)
		for (ConversionJob *job; (job = g_queue_pop_head(&queues[i]));)
			job_fail(job, REASON_SANDBOX, detail, NULL);
}

static void start_failed(Program *program, const char *detail, const GError *error)
{
	Converter *c = program->converter;
	/* the program with all plugins can do what any other can */
	if (program->lane != LANE_ALL) {
		program->retry_us = g_get_monotonic_time() + RETRY_LANE_MS * INT64_C(1000);
		return;
	}
	g_warning("%s", error->message);
	delay_next_start(c);
	if (c->failed_starts >= MAX_STARTS)
		program_give_up(c, detail);
}

static void program_retry_later(Converter *c)
{
	int64_t wait_us = c->next_start_us - g_get_monotonic_time();
	converter_remove_source(&c->start_timer);
	if (converter_n_waiting(c) > 0)
		c->start_timer = converter_add_timeout(
		        c, wait_us > 0 ? wait_us / 1000 + 1 : 0, on_start_timer, c);
}

static void handshake_end(Program *program)
{
	converter_remove_source(&program->control);
	converter_remove_source(&program->idle_timer);
}

static void handshake_failed(Program *program)
{
	Converter *c = program->converter;
	g_autoptr(GError) error = NULL;
	const char *detail;
	handshake_end(program);
	program->starting = false;
	host_fail(g_steal_pointer(&program->host), &detail, &error);
	c->in_event = true; /* jobs may end */
	start_failed(program, detail, error);
	c->in_event = false;
	program_retry_later(c);
}

static gboolean on_handshake(int fd, GIOCondition condition, gpointer data)
{
	Program *program = data;
	ConverterInfo *info;
	int state = host_greet(program->host, &info);
	if (state == 0)
		return G_SOURCE_CONTINUE;
	if (state < 0) {
		handshake_failed(program);
	} else {
		handshake_end(program);
		program_ready(program, info);
		converter_dispatch(program->converter);
	}
	return G_SOURCE_REMOVE;
}

static gboolean on_handshake_timeout(gpointer data)
{
	handshake_failed(data);
	return G_SOURCE_REMOVE;
}

/* The handshake takes some 100 ms, and far more where something hangs; jobs of other programs go on
 * meanwhile. */
static bool program_start_soon(Program *program, GError **error)
{
	Converter *c = program->converter;
	if (!program_begin(program, error))
		return false;
	program->starting = true;
	program->control = converter_add_fd(c, host_fd(program->host), on_handshake, program);
	program->idle_timer =
	        converter_add_timeout(c, HOST_PATIENCE_MS, on_handshake_timeout, program);
	return true;
}

bool program_is_starting(const Converter *c, const ConversionJob *job)
{
	return c->programs[job->lane].starting;
}

bool program_ensure(Program *program)
{
	Converter *c = program->converter;
	g_autoptr(GError) error = NULL;
	if (program->starting)
		return false;
	if (program->host && must_be_replaced(program))
		program_retire(program);
	if (program->host)
		return true;
	if (c->next_start_us <= g_get_monotonic_time()) {
		if (program_start_soon(program, &error))
			return false;
		start_failed(program, PROBLEM_NOT_RUN, error);
	}
	program_retry_later(c);
	return false;
}

static bool lane_has_program(const Converter *c, WireLane lane)
{
	const ConverterInfo *info = all_plugins(c);
	if (c->programs[lane].retry_us > g_get_monotonic_time())
		return false;
	if (!info)
		return guessed_plugins(c, lane) != NULL;
	for (size_t i = 0; i < info->n_plugins; i++)
		if (info->plugins[i].usable && info->plugins[i].lane == lane)
			return true;
	return false;
}

Program *program_first(Converter *c)
{
	WireLane lane = c->options.first_name ? lane_by_name(c->options.first_name) : LANE_CHEAP;
	return &c->programs[guessed_plugins(c, lane) ? lane : LANE_ALL];
}

Program *program_for(Converter *c, ConversionJob *job)
{
	if (!lane_has_program(c, job->lane))
		job_set_lane(job, LANE_ALL);
	return &c->programs[job->lane];
}
