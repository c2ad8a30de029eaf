/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - tarsierd: options and the order of the start */
#include <config.h>
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/log.h"
#include "common/base/paths.h"
#include "common/fetch/fetch-launcher.h"
#include "common/fetch/fetch-program.h"
#include "daemon/fs/agent-launcher.h"
#include "daemon/fs/agent.h"
#include "daemon/service/confine-service.h"
#include "daemon/service/service.h"
#include "daemon/web/simulate.h"
#include "index/store/db.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static gint no_room; /* atomic: number of threads that wait in daemon_main_on_bus() */
static gint stopping;

enum { EXIT_OK = 0, EXIT_USAGE = 2, EXIT_RUNNING = 3, EXIT_DAMAGED = 4, EXIT_AGAIN = 75 };

typedef struct {
	char *config, *index, *simulate_web;
	gboolean once, purge, compact, scrub, verify, config_told, verbose, version;
	char **paths;
} DaemonOptions;

static bool parse_options(int *argc, char ***argv, DaemonOptions *o, GError **error)
{
	const GOptionEntry entries[] = {
	        {"config", 0, 0, G_OPTION_ARG_FILENAME, &o->config,
	                N_("Use this configuration file"), N_("FILE")},
	        {"index", 0, 0, G_OPTION_ARG_FILENAME, &o->index,
	                N_("Keep the index in this directory"), N_("DIR")},
	        {"once", 0, 0, G_OPTION_ARG_NONE, &o->once,
	                N_("Update the index once, completely or for each PATH, and exit"), NULL},
	        {"purge", 0, 0, G_OPTION_ARG_NONE, &o->purge,
	                N_("Only purge what is no longer watched, and erase its words from the "
	                   "disk"),
	                NULL},
	        {"compact", 0, 0, G_OPTION_ARG_NONE, &o->compact,
	                N_("Also purge deleted entries and free their space"), NULL},
	        {"scrub", 0, 0, G_OPTION_ARG_NONE, &o->scrub,
	                N_("Also erase every deleted word from the disk"), NULL},
	        {"verify", 0, 0, G_OPTION_ARG_NONE, &o->verify,
	                N_("Also read all files again that are listed as equal"), NULL},
	        {"config-told", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o->config_told,
	                "the client has told the warnings about the configuration", NULL},
	        {"simulate-web", 0, 0, G_OPTION_ARG_FILENAME, &o->simulate_web,
	                N_("Print the requests that the sites and feeds of this trace would "
	                   "get, and exit"),
	                N_("TRACE")},
	        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &o->verbose, N_("Print more messages"),
	                NULL},
	        {"version", 0, 0, G_OPTION_ARG_NONE, &o->version, N_("Print the version"), NULL},
	        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->paths, NULL,
	                N_("[PATH…]")},
	        {NULL},
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_option_context_set_summary(
	        context, _("Keeps your search index up to date with the watched directories."));
	g_option_context_set_translation_domain(context, PACKAGE);
	g_option_context_add_main_entries(context, entries, PACKAGE);
	return g_option_context_parse(context, argc, argv, error);
}

static void options_clear(DaemonOptions *o)
{
	g_free(o->config);
	g_free(o->index);
	g_free(o->simulate_web);
	g_strfreev(o->paths);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DaemonOptions, options_clear)

/* A core dump through a pipe ignores RLIMIT_CORE (core(5)), so the memory is excluded from dumps.
 */
static void daemon_main_hide_memory(void)
{
	autofd fd = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1)
		g_debug("main: %s", g_strerror(errno));
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* The WAL index is mapped, and on some file systems a write to one of its pages needs new space:
 * when the quota or the disk is full, the write raises SIGBUS. The engine waits here and tries
 * again, and the main thread reports it meanwhile. Any other thread ends the process, which loses
 * nothing that was committed. */
static void daemon_main_on_bus(int number, siginfo_t *info, void *context)
{
	const struct timespec while_waiting = {.tv_nsec = 200 * 1000 * 1000};
	int error = errno;
	if (info->si_code != BUS_ADRERR || gettid() == getpid()) {
		signal(SIGBUS, SIG_DFL);
		raise(SIGBUS);
		return;
	}
	if (g_atomic_int_get(&stopping))
		_exit(EXIT_OK);
	g_atomic_int_inc(&no_room);
	nanosleep(&while_waiting, NULL);
	g_atomic_int_add(&no_room, -1);
	errno = error;
}

/* New files are for the user alone; no dump may hold what was read; one malloc arena is enough for
 * a few threads; the main loop reads signals. */
static void prepare_process(void)
{
	sigset_t signals;
	umask(077);
	daemon_main_hide_memory();
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_TRIM_THRESHOLD, 256 << 10);
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGBUS,
	        &(struct sigaction){.sa_sigaction = daemon_main_on_bus, .sa_flags = SA_SIGINFO},
	        NULL);
	signal(SIGXFSZ, SIG_IGN); /* exceeding RLIMIT_FSIZE becomes an error of write() */
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static int exit_status(const GError *error)
{
	if (g_error_matches(error, INDEX_ERROR, INDEX_ERROR_LOCKED))
		return EXIT_RUNNING;
	if (g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DENIED))
		return EXIT_USAGE;
	if (g_error_matches(error, INDEX_ERROR, INDEX_ERROR_FULL) ||
	        g_error_matches(error, INDEX_ERROR, INDEX_ERROR_READ_ONLY))
		return EXIT_AGAIN; /* a service manager tries again */
	return error->domain == INDEX_ERROR ? EXIT_DAMAGED : EXIT_USAGE;
}

static int daemon_main_fail(const GError *error)
{
	fprintf(stderr, "tarsierd: %s\n", error->message);
	return exit_status(error);
}

/* Resolves names against the working directory of the start and changes nothing else in them. */
static char **absolute_paths(char **paths)
{
	GPtrArray *absolute = g_ptr_array_new();
	for (char **path = paths; path && *path; path++)
		g_ptr_array_add(absolute, paths_absolute(*path));
	g_ptr_array_add(absolute, NULL);
	return (char **)g_ptr_array_free(absolute, FALSE);
}

static bool make_dirs(
        const char *index_dir, const char *cache_dir, const char *socket, GError **error)
{
	g_autofree char *socket_dir = g_path_get_dirname(socket);
	return paths_make_private_dir(index_dir, error) &&
	       paths_make_private_dir(cache_dir, error) &&
	       paths_make_private_dir(socket_dir, error);
}

/* Without --index, in an index that is removed at the end. Signals end it as they end any program.
 */
static int daemon_main_simulate(const DaemonOptions *o)
{
	g_autoptr(GError) error = NULL;
	umask(077);
	daemon_main_hide_memory();
	return simulate_web(o->simulate_web, o->index, &error) ? EXIT_OK : daemon_main_fail(error);
}

static int daemon_main_run(const DaemonOptions *o)
{
	/* first, while there are few pages that become the launcher's own when ours change */
	g_autofree char *passwords = partition_passwords_path();
	g_autoptr(FetchLauncher) launcher = fetch_launcher_new(passwords);
	g_autoptr(GError) error = NULL;
	g_autofree char *config = paths_config_file(o->config);
	g_autofree char *index_dir = paths_index_dir(o->index);
	g_autofree char *cache_dir = paths_cache_dir(index_dir);
	g_autofree char *socket = paths_socket(index_dir);
	g_auto(GStrv) once = absolute_paths(o->paths);
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	Settings *settings = settings_load(config, warnings, &error);
	for (guint i = 0; i < warnings->len && !o->config_told; i++)
		g_message("%s", (const char *)warnings->pdata[i]);
	if (!settings)
		return daemon_main_fail(error);
	if (!make_dirs(index_dir, cache_dir, socket, &error)) {
		settings_free(settings);
		return daemon_main_fail(error);
	}
	g_autofree char *socket_dir = g_path_get_dirname(socket);
	const char *const own_dirs[] = {index_dir, cache_dir, socket_dir, NULL};
	g_autoptr(AgentLauncher) agents = confine_service_launcher(config, settings, !o->once);
	SandboxLevel confinement = confine_service(config, settings, own_dirs, !o->once);
	ServiceOptions options = {config, index_dir, cache_dir, socket, !o->once, once, &no_room,
	        o->compact || o->scrub, o->scrub, confinement, launcher, o->verify, o->purge};
	Service *service = service_new(&options, settings, &error);
	if (!service)
		return daemon_main_fail(error);
	int status = service_run(service);
	g_atomic_int_set(&stopping, 1);
	service_free(service);
	return status;
}

static bool is_for_once(const DaemonOptions *o)
{
	return o->paths || o->purge || o->compact || o->scrub || o->verify;
}

int main(int argc, char **argv)
{
	g_auto(DaemonOptions) o = {0};
	g_autoptr(GError) error = NULL;
	if (argc == 2 && strcmp(argv[1], "--agent") == 0) /* started by another tarsierd */
		return agent_serve();
	i18n_init();
	if (!parse_options(&argc, &argv, &o, &error) || (is_for_once(&o) && !o.once)) {
		fprintf(stderr, "tarsierd: %s\n",
		        error ? error->message
		              : _("PATH, --purge, --compact, --scrub and --verify require "
		                  "--once"));
		return EXIT_USAGE;
	}
	if (o.version) {
		printf("tarsierd %s\n", PACKAGE_VERSION);
		return EXIT_OK;
	}
	log_init("tarsierd", o.verbose);
	if (o.simulate_web)
		return daemon_main_simulate(&o);
	prepare_process();
	return daemon_main_run(&o);
}
