/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/service.h"
#include "common/base/autofd.h"
#include "common/ipc/control.h"
#include "common/sandbox/converter-identity.h"
#include "common/base/i18n.h"
#include "daemon/fs/agent-launcher.h"
#include "daemon/service/config-watch.h"
#include "daemon/service/service-manager.h"
#include "daemon/service/daemon-status.h"
#include "index/store/change-types.h"
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

enum { EXIT_USAGE = 2, SERVICE_BUSY = 75 };
/* A single pass ends if the disk of the index has been full for so long. */
enum { FULL_DISK_S = 5 };

struct Service {
	char *config_file;
	char *roots_at_start; /* in words */
	unsigned sources; /* sites and feeds of the configuration */
	bool watch, compact, scrub, verify, purge;
	char **once;
	GMainLoop *loop;
	int status;
	Engine *engine;
	Pool *pool;
	Server *server;
	Manager *manager;
	ConfigWatch *config_watch; /* NULL for a single pass */
	int signal_fd;
	guint signal_source, resume_source, disk_source;
	unsigned full_s; /* the disk has been full in a single pass, in seconds */
	char *config_error;
	SandboxLevel sandbox, confinement;
	const FetchLauncher *launcher;
	bool paused;
	int64_t paused_until_s;
};

/* ---- configuration */

static ConverterOptions converter_options_of(const Settings *settings)
{
	ConverterOptions options = {
	        .children = settings_int(settings, "daemon", "converters", NULL),
	        .allow_unsandboxed = settings_bool(settings, "daemon", "unsandboxed", NULL),
	        .background = true,
	};
	g_strlcpy(
	        options.ocr, settings_string(settings, "daemon", "ocr", NULL), sizeof options.ocr);
	return options;
}

static unsigned count_sources(const Settings *settings)
{
	unsigned n;
	settings_sources(settings, &n);
	return n;
}

/* "2 directories are watched, 1 site or feed is read". The caller frees it. */
static char *roots_in_words(const Settings *settings)
{
	guint n = g_strv_length((char **)settings_roots(settings));
	unsigned sources = count_sources(settings);
	g_autofree char *roots = g_strdup_printf(
	        ngettext("%u directory is watched", "%u directories are watched", n), n);
	if (sources == 0)
		return g_steal_pointer(&roots);
	return g_strdup_printf(
	        ngettext("%s, %u site or feed is read", "%s, %u sites and feeds are read", sources),
	        roots, sources);
}

static void on_configured(uint64_t n, const GError *error, void *data)
{
	server_answer(data, NULL);
}

/* request: answered once the engine uses the new configuration; NULL: nobody waits. */
static bool service_reload(Service *service, ServerRequest *request, GError **error)
{
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	if (service->config_watch)
		config_watch_read(service->config_watch);
	Settings *settings = settings_load(service->config_file, warnings, error);
	g_clear_pointer(&service->config_error, g_free);
	for (guint i = 0; i < warnings->len; i++)
		g_message("%s", (const char *)warnings->pdata[i]);
	if (!settings) {
		service->config_error = g_strdup(error && *error ? (*error)->message : "");
		return false;
	}
	ConverterOptions options = converter_options_of(settings);
	g_autofree char *roots = roots_in_words(settings);
	pool_set_options(service->pool, &options);
	g_message(_("the configuration is read again: %s"), roots);
	service->sources = count_sources(settings);
	engine_configure(service->engine, settings, request ? on_configured : NULL, request);
	return true;
}

static void reload_or_warn(void *data)
{
	g_autoptr(GError) error = NULL;
	if (!service_reload(data, NULL, &error))
		g_warning("the old configuration stays: %s", error->message);
}

/* ---- pauses */

static void set_paused(Service *service, bool paused, int64_t until_s)
{
	g_clear_handle_id(&service->resume_source, g_source_remove);
	service->paused = paused;
	service->paused_until_s = until_s;
	engine_pause(service->engine, paused);
}

static gboolean on_pause_over(gpointer data)
{
	Service *service = data;
	service->resume_source = 0;
	set_paused(service, false, 0);
	return G_SOURCE_REMOVE;
}

static void pause_for(Service *service, int64_t seconds)
{
	seconds = CLAMP(seconds, 0, G_MAXINT32 / 1000);
	set_paused(service, true, seconds > 0 ? g_get_real_time() / G_USEC_PER_SEC + seconds : 0);
	if (seconds > 0)
		service->resume_source = g_timeout_add_seconds(seconds, on_pause_over, service);
}

/* ---- requests with a delayed answer */

static void answer_count(const char *key, uint64_t n, const GError *error, ServerRequest *request)
{
	if (error) {
		server_refuse(request, SERVICE_BUSY, error->message);
		return;
	}
	GVariantDict dict;
	g_variant_dict_init(&dict, NULL);
	g_variant_dict_insert(&dict, key, "x", (gint64)n);
	server_answer(request, g_variant_dict_end(&dict));
}

static void on_indexed(uint64_t n, const GError *error, void *data)
{
	answer_count("covered", n, error, data);
}

static void on_retried(uint64_t n, const GError *error, void *data)
{
	answer_count("queued", n, error, data);
}

typedef struct {
	Service *service;
	ServerRequest *request; /* NULL once it is answered */
	guint timer;
	uint64_t number;
} Wait;

static void wait_answer(Wait *wait, bool done)
{
	GVariantDict dict;
	if (!wait->request)
		return;
	g_variant_dict_init(&dict, NULL);
	g_variant_dict_insert(&dict, "done", "b", done);
	server_answer(g_steal_pointer(&wait->request), g_variant_dict_end(&dict));
}

static void on_synced(uint64_t n, const GError *error, void *data)
{
	Wait *wait = data;
	wait_answer(wait, n > 0);
	g_clear_handle_id(&wait->timer, g_source_remove);
	g_free(wait);
}

/* The engine may be about to answer. Either way it answers once, and then the Wait is freed. */
static gboolean on_wait_over(gpointer data)
{
	Wait *wait = data;
	wait->timer = 0;
	wait_answer(wait, false);
	engine_cancel_sync(wait->service->engine, wait->number);
	return G_SOURCE_REMOVE;
}

static void begin_wait(Service *service, ServerRequest *request, int64_t timeout_ms, bool again)
{
	Wait *wait = g_new0(Wait, 1);
	wait->service = service;
	wait->request = request;
	if (timeout_ms >= 0)
		wait->timer = g_timeout_add(MIN(timeout_ms, G_MAXINT32), on_wait_over, wait);
	wait->number = engine_sync(service->engine, again, on_synced, wait);
}

/* ---- requests */

/* Absolute paths as raw bytes. NULL: the message holds anything else. */
static GPtrArray *paths_of(GVariant *values)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GVariant) list = g_variant_lookup_value(values, "paths", G_VARIANT_TYPE("aay"));
	for (gsize i = 0; list && i < g_variant_n_children(list); i++) {
		g_autoptr(GVariant) item = g_variant_get_child_value(list, i);
		const char *path = g_variant_get_bytestring(item);
		if (!g_path_is_absolute(path)) {
			g_ptr_array_unref(paths);
			return NULL;
		}
		g_ptr_array_add(paths, g_strdup(path));
	}
	return paths;
}

static int64_t service_number_of(GVariant *values, const char *key, int64_t preset)
{
	gint64 number;
	return g_variant_lookup(values, key, "x", &number) ? number : preset;
}

static void serve_status(Service *service, ServerRequest *request, GVariant *values)
{
	g_autoptr(EngineStatus) status = engine_status(service->engine);
	const ConverterInfo *info = pool_info(service->pool);
	if (info)
		service->sandbox = info->level;
	StatusFacts facts = {service->paused_until_s, service->config_error, service->sandbox,
	        service->confinement, service->launcher, service->sources};
	server_answer(request, status_dict(status, &facts));
}

static void serve_pause(Service *service, ServerRequest *request, GVariant *values)
{
	pause_for(service, service_number_of(values, "seconds", 0));
	server_answer(request, NULL);
}

static void serve_resume(Service *service, ServerRequest *request, GVariant *values)
{
	set_paused(service, false, 0);
	server_answer(request, NULL);
}

static void serve_reload(Service *service, ServerRequest *request, GVariant *values)
{
	g_autoptr(GError) error = NULL;
	if (!service_reload(service, request, &error))
		server_refuse(request, EXIT_USAGE, error->message);
}

static void serve_index(Service *service, ServerRequest *request, GVariant *values)
{
	GPtrArray *paths = paths_of(values);
	if (paths)
		engine_index(service->engine, paths, on_indexed, request);
	else
		server_refuse(request, EXIT_USAGE, _("paths must be absolute"));
}

static void serve_retry(Service *service, ServerRequest *request, GVariant *values)
{
	GPtrArray *paths = paths_of(values);
	if (paths)
		engine_retry(service->engine, paths, on_retried, request);
	else
		server_refuse(request, EXIT_USAGE, _("paths must be absolute"));
}

static void on_visited(uint64_t n, const GError *error, void *data)
{
	answer_count("known", n, error, data);
}

/* URLs as text: those of http and https in their canonical form. */
static void serve_web_visit(Service *service, ServerRequest *request, GVariant *values)
{
	g_autofree const char **urls = NULL;
	GPtrArray *copy = g_ptr_array_new_with_free_func(g_free);
	g_variant_lookup(values, "urls", "^a&s", &urls);
	for (size_t i = 0; urls && urls[i]; i++)
		g_ptr_array_add(copy, g_strdup(urls[i]));
	engine_visit(service->engine, copy, on_visited, request);
}

static void on_reserved(uint64_t n, const GError *error, void *data)
{
	answer_count("wait_ms", n, error, data);
}

static void on_released(uint64_t n, const GError *error, void *data)
{
	if (error)
		server_refuse(data, SERVICE_BUSY, error->message);
	else
		server_answer(data, NULL);
}

static void serve_web_reserve(Service *service, ServerRequest *request, GVariant *values)
{
	const char *origin = "";
	g_variant_lookup(values, "origin", "&s", &origin);
	engine_reserve(service->engine, origin, service_number_of(values, "patience_ms", 0),
	        on_reserved, request);
}

static void serve_web_release(Service *service, ServerRequest *request, GVariant *values)
{
	const char *origin = "";
	g_variant_lookup(values, "origin", "&s", &origin);
	engine_release(service->engine, origin, on_released, request);
}

static void on_compacted(uint64_t n, const GError *error, void *data)
{
	if (n == 0)
		server_refuse(data, SERVICE_BUSY,
		        error ? error->message : _("another process is reading the index"));
	else
		server_answer(data, NULL);
}

static void serve_compact(Service *service, ServerRequest *request, GVariant *values)
{
	gboolean scrub = FALSE;
	g_variant_lookup(values, "scrub", "b", &scrub);
	engine_compact(service->engine, scrub, on_compacted, request);
}

static void serve_sync(Service *service, ServerRequest *request, GVariant *values)
{
	gboolean again = FALSE;
	g_variant_lookup(values, "again", "b", &again);
	begin_wait(service, request, service_number_of(values, "timeout_ms", -1), again);
}

static void on_consumed(uint64_t n, const GError *error, void *data)
{
	answer_count("seq", n, error, data);
}

static bool read_consumer(GVariant *values, EngineConsumer *out)
{
	gint64 message = CONSUMER_REACHED;
	const char *name = NULL, *failure = NULL;
	gboolean rereads = FALSE;
	g_variant_lookup(values, "message", "x", &message);
	g_variant_lookup(values, "name", "&s", &name);
	g_variant_lookup(values, "failure", "&s", &failure);
	g_variant_lookup(values, "rereads", "b", &rereads);
	if (!name || !consumer_name_is_valid(name) || message < CONSUMER_REACHED ||
	        message > CONSUMER_FORGET || (message == CONSUMER_FAILS && !failure))
		return false;
	*out = (EngineConsumer){.message = message,
	        .name = g_strdup(name),
	        .failure = g_strdup(failure),
	        .seq = service_number_of(values, "seq", -1),
	        .exposure_ms = service_number_of(values, "exposure_ms", -1),
	        .rereads = rereads};
	return true;
}

static void serve_consume(Service *service, ServerRequest *request, GVariant *values)
{
	EngineConsumer consumer;
	server_hold(request);
	if (read_consumer(values, &consumer))
		engine_consume(service->engine, g_memdup2(&consumer, sizeof consumer), on_consumed,
		        request);
	else
		server_refuse(request, EXIT_USAGE,
		        _("an export needs a name of letters, digits, \"-\", \"_\" and \".\""));
}

static const struct {
	const char *name;
	void (*serve)(Service *service, ServerRequest *request, GVariant *values);
} requests[] = {
        {"status", serve_status},
        {"pause", serve_pause},
        {"resume", serve_resume},
        {"reload", serve_reload},
        {"index", serve_index},
        {"retry", serve_retry},
        {"web-visit", serve_web_visit},
        {"web-reserve", serve_web_reserve},
        {"web-release", serve_web_release},
        {"compact", serve_compact},
        {"sync", serve_sync},
        {"consume", serve_consume},
};

static void service_on_request(
        ServerRequest *request, const char *name, GVariant *values, void *data)
{
	const Service *service = data;
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++) {
		if (strcmp(requests[i].name, name) == 0) {
			/* A configuration written before this request is in force for it. */
			if (service->config_watch && requests[i].serve != serve_reload)
				config_watch_poll(service->config_watch);
			requests[i].serve(data, request, values);
			return;
		}
	}
	g_autofree char *why = g_strdup_printf(
	        _("the daemon, version %s, does not know this request"), PACKAGE_VERSION);
	server_refuse(request, EXIT_USAGE, why);
}

/* ---- signals */

static gboolean on_signal(int fd, GIOCondition condition, gpointer data)
{
	struct signalfd_siginfo info;
	Service *service = data;
	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return G_SOURCE_CONTINUE;
	if (info.ssi_signo != SIGHUP)
		g_main_loop_quit(service->loop);
	else
		reload_or_warn(service);
	return G_SOURCE_CONTINUE;
}

/* Signals are read from a descriptor, which interrupts no thread and needs none of its own. */
static void catch_signals(Service *service)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	service->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	service->signal_source = g_unix_fd_add(service->signal_fd, G_IO_IN, on_signal, service);
}

/* ---- one pass */

static void on_compact_over(uint64_t n, const GError *error, void *data)
{
	Service *service = data;
	if (n == 0) {
		g_printerr("tarsierd: %s\n",
		        error ? error->message : _("another process is reading the index"));
		service->status = SERVICE_BUSY;
	}
	g_main_loop_quit(service->loop);
}

static void on_pass_over(uint64_t n, const GError *error, void *data)
{
	Service *service = data;
	g_clear_handle_id(&service->disk_source, g_source_remove);
	if (service->compact)
		engine_compact(service->engine, service->scrub, on_compact_over, service);
	else
		g_main_loop_quit(service->loop);
}

/* A single pass ends when the disk stays full: nobody may be there to free space, as in a job of
 * cron. */
static gboolean on_look_at_disk(gpointer data)
{
	Service *service = data;
	g_autoptr(EngineStatus) status = engine_status(service->engine);
	bool waits = status->facts.disk_full && (!status->facts.scanning || status->last_error);
	service->full_s = waits ? service->full_s + 1 : 0;
	if (service->full_s < FULL_DISK_S)
		return G_SOURCE_CONTINUE;
	g_printerr(
	        "tarsierd: %s\n", _("the disk of the index is full, so not everything is indexed"));
	service->status = SERVICE_BUSY;
	service->disk_source = 0;
	g_main_loop_quit(service->loop);
	return G_SOURCE_REMOVE;
}

static void wait_for_pass(Service *service)
{
	service->disk_source = g_timeout_add_seconds(1, on_look_at_disk, service);
	engine_sync(service->engine, false, on_pass_over, service);
}

static void on_verify_started(uint64_t n, const GError *error, void *data)
{
	Service *service = data;
	if (!error) {
		wait_for_pass(service);
		return;
	}
	g_printerr("tarsierd: %s\n", error->message);
	service->status = 4;
	g_main_loop_quit(service->loop);
}

static void on_pass_started(uint64_t n, const GError *error, void *data)
{
	Service *service = data;
	if (error || n < g_strv_length(service->once)) {
		g_printerr("tarsierd: %s\n",
		        error ? error->message : _("a path is not inside any watched directory"));
		service->status = error ? 4 : EXIT_USAGE;
		g_main_loop_quit(service->loop);
		return;
	}
	if (service->verify)
		engine_verify(service->engine, on_verify_started, service);
	else
		wait_for_pass(service);
}

static void begin_pass(Service *service)
{
	if (service->purge) {
		engine_compact(service->engine, true, on_compact_over, service);
		return;
	}
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	for (char **path = service->once; path && *path; path++)
		g_ptr_array_add(paths, g_strdup(*path));
	engine_index(service->engine, paths, on_pass_started, service);
}

/* ---- life */

/* NULL if the extractors are those of the last start: loading them with all their libraries costs
 * as much as looking at two thousand files, and there may be nothing to convert. */
static Converter *service_start_converter(
        Service *service, const ConverterOptions *options, int64_t identity)
{
	g_autoptr(GError) error = NULL;
	if (engine_knows_converters(service->engine, identity)) {
		service->sandbox = SANDBOX_FULL;
		return NULL;
	}
	Converter *converter = converter_start(options, &error);
	if (!converter)
		g_warning(
		        "only names are indexed: the converter does not start: %s", error->message);
	return converter;
}

static void know_plugins(Service *service, int64_t identity)
{
	const ConverterInfo *info = pool_info(service->pool);
	if (!info)
		return;
	service->sandbox = info->level;
	engine_set_plugins(service->engine, info, identity);
}

Service *service_new(const ServiceOptions *options, Settings *settings, GError **error)
{
	const ConverterOptions converter_options = converter_options_of(settings);
	const int64_t identity = converter_identity(&converter_options);
	EngineOptions engine_options = {options->index_dir, options->cache_dir, options->watch,
	        options->purge, options->no_room};
	g_autofree char *roots = roots_in_words(settings);
	Engine *engine = engine_new(&engine_options, settings, error);
	if (!engine)
		return NULL;
	Service *service = g_new0(Service, 1);
	service->roots_at_start = g_steal_pointer(&roots);
	service->sources = count_sources(settings);
	service->config_file = g_strdup(options->config_file);
	service->watch = options->watch;
	service->compact = options->compact;
	service->scrub = options->scrub;
	service->verify = options->verify;
	service->purge = options->purge;
	service->once = g_strdupv(options->once);
	service->confinement = options->confinement;
	service->launcher = options->launcher;
	service->loop = g_main_loop_new(NULL, FALSE);
	service->engine = engine;
	Converter *converter =
	        options->purge ? NULL
	                       : service_start_converter(service, &converter_options, identity);
	service->pool = pool_new(converter, &converter_options, engine_results(engine));
	service->signal_fd = -1;
	service->server = server_new(options->socket_path, service_on_request, service, error);
	if (!service->server) {
		service_free(service);
		return NULL;
	}
	catch_signals(service);
	if (options->watch)
		service->config_watch =
		        config_watch_new(options->config_file, reload_or_warn, service);
	engine_start(engine, service->pool);
	know_plugins(service, identity);
	return service;
}

/* The daemon itself may not start what reads new roots. A failure makes the service manager start
 * both. */
static gboolean on_agent_launcher_end(gpointer data)
{
	Service *service = data;
	g_message("ending, to be started anew");
	service->status = SERVICE_BUSY;
	g_main_loop_quit(service->loop);
	return G_SOURCE_REMOVE;
}

int service_run(Service *service)
{
	AgentLauncher *agents = agent_launcher_of_process();
	service->manager = manager_new();
	if (agents && manager_is_there(service->manager))
		agent_launcher_on_end(agents, on_agent_launcher_end, service);
	manager_ready(service->manager);
	if (service->watch)
		g_message(
		        _("version %s has started: %s"), PACKAGE_VERSION, service->roots_at_start);
	else
		begin_pass(service);
	g_main_loop_run(service->loop);
	manager_stopping(service->manager);
	if (service->watch)
		g_message(_("stopping"));
	return service->status;
}

void service_free(Service *service)
{
	server_free(service->server);
	g_clear_handle_id(&service->signal_source, g_source_remove);
	g_clear_handle_id(&service->resume_source, g_source_remove);
	g_clear_handle_id(&service->disk_source, g_source_remove);
	autofd_close(&service->signal_fd);
	config_watch_free(service->config_watch);
	engine_free(service->engine);
	pool_free(service->pool);
	g_clear_pointer(&service->manager, manager_free);
	g_main_loop_unref(service->loop);
	g_strfreev(service->once);
	g_free(service->config_file);
	g_free(service->roots_at_start);
	g_free(service->config_error);
	g_free(service);
}
