/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/cli.h"
#include "ui-cli/app/daemon-absent.h"
#include "ui-cli/print/note-fold.h"
#include "ui-cli/print/terminal-charset.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common/url/url-canonical.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A process that used more CPU time than LINK_MAX_US before it got here ran another program
 * first. */
enum { RELOAD_TIMEOUT_MS = 10000, LINK_MAX_US = 100 * 1000 };

/* The kernel tells the start of a process in ticks of 10 ms only. Loading and linking the program
 * takes CPU time, which is known exactly, and hardly any other time. */
static int64_t cli_started_us(void)
{
	struct timespec used;
	int64_t now_us = g_get_monotonic_time();
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
		return now_us;
	int64_t used_us = used.tv_sec * G_USEC_PER_SEC + used.tv_nsec / 1000;
	return used_us <= LINK_MAX_US ? now_us - used_us : now_us;
}

Cli *cli_new(Arguments *args)
{
	Cli *cli = g_new0(Cli, 1);
	cli->args = args;
	cli->config_file = paths_config_file(options_value(args, "config"));
	cli->index_dir = paths_index_dir(options_value(args, "index"));
	cli->cache_dir = paths_cache_dir(cli->index_dir);
	cli->socket_path = paths_socket(cli->index_dir);
	cli->json = options_has(args, "json");
	cli->null = options_has(args, "null");
	cli->quiet = options_has(args, "quiet");
	cli->verbose = options_has(args, "verbose");
	cli->daemon_fd = -1;
	cli->index_dir_fd = -1;
	cli->started_us = cli_started_us();
	screen_init(&cli->out, stdout, options_choice(args, "color", COLOR_AUTO));
	charset_prepare();
	cli->out.exact = cli->json || cli->null;
	return cli;
}

void cli_free(Cli *cli)
{
	if (!cli)
		return;
	if (cli->daemon_fd >= 0)
		close(cli->daemon_fd);
	if (cli->index_dir_fd >= 0)
		close(cli->index_dir_fd);
	starter_free(cli->starter);
	visible_free(cli->visible);
	g_clear_pointer(&cli->roots, g_ptr_array_unref);
	reader_close(cli->reader);
	settings_free(cli->settings);
	options_free(cli->args);
	g_free(cli->config_file);
	g_free(cli->index_dir);
	g_free(cli->cache_dir);
	g_free(cli->socket_path);
	g_free(cli);
}

bool cli_start_starter(Cli *cli, GError **error)
{
	if (!cli->starter)
		cli->starter =
		        starter_new(cli->args->command ? (char **)cli->args->command->pdata : NULL,
		                cli->socket_path, error);
	return cli->starter != NULL;
}

/* The confinement lets in the directory that was there when it began, and none of the same name. */
static bool cli_index_dir_was_replaced(const Cli *cli)
{
	struct stat now, begun;
	if (!cli->confined || stat(cli->index_dir, &now) != 0)
		return false;
	return cli->index_dir_fd < 0 || fstat(cli->index_dir_fd, &begun) != 0 ||
	       begun.st_ino != now.st_ino || begun.st_dev != now.st_dev;
}

Reader *cli_reader(Cli *cli, GError **error)
{
	g_autoptr(GError) local = NULL;
	if (cli->reader)
		return cli->reader;
	cli->reader = reader_open(cli->index_dir, cli->cache_dir, &local);
	if (g_error_matches(local, INDEX_ERROR, INDEX_ERROR_DENIED) &&
	        cli_index_dir_was_replaced(cli))
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("the directory of the index was replaced: start this again"));
	else if (local)
		g_propagate_error(error, g_steal_pointer(&local));
	return cli->reader;
}

const Settings *cli_settings(Cli *cli, GError **error)
{
	g_autoptr(GPtrArray) warnings = NULL;

	if (cli->settings)
		return cli->settings;
	warnings = g_ptr_array_new_with_free_func(g_free);
	cli->settings = settings_load(cli->config_file, warnings, error);
	for (guint i = 0; cli->settings && i < warnings->len; i++)
		cli_note(cli, "%s", (const char *)g_ptr_array_index(warnings, i));
	return cli->settings;
}

bool cli_leaves_out_meaning(Cli *cli)
{
	const Settings *settings = cli_settings(cli, NULL);
	return settings && !settings_bool(settings, "search", "meaning", NULL);
}

const GPtrArray *cli_roots(Cli *cli, GError **error)
{
	Reader *reader = cli_reader(cli, error);
	if (!cli->roots && reader)
		reader_root_paths(reader, &cli->roots, error);
	return cli->roots;
}

Visible *cli_visible(Cli *cli, GError **error)
{
	Reader *reader = cli_reader(cli, error);
	if (!cli->visible && reader)
		cli->visible = visible_new(reader, geteuid(), error);
	return cli->visible;
}

void cli_forget(Cli *cli)
{
	g_clear_pointer(&cli->visible, visible_free);
	g_clear_pointer(&cli->roots, g_ptr_array_unref);
}

/* 0: there is none. */
static uint64_t cli_index_file(const Cli *cli)
{
	g_autofree char *path = g_build_filename(cli->index_dir, "index.db", NULL);
	struct stat info;
	return stat(path, &info) == 0 ? info.st_ino : 0;
}

Reader *cli_fresh_reader(Cli *cli, GError **error)
{
	uint64_t file = cli_index_file(cli);
	cli_forget(cli);
	if (file != cli->index_file)
		g_clear_pointer(&cli->reader, reader_close);
	cli->index_file = file;
	return cli_reader(cli, error);
}

int cli_daemon(Cli *cli, GError **error)
{
	if (cli->daemon_fd < 0)
		cli->daemon_fd = control_connect(cli->socket_path, error);
	return cli->daemon_fd;
}

double cli_ms(const Cli *cli)
{
	return (g_get_monotonic_time() - cli->started_us) / 1000.0;
}

static void cli_put_line(const char *head, const char *format, va_list arguments)
{
	g_autofree char *raw = g_strdup_vprintf(format, arguments);
	g_autoptr(GString) line = g_string_new(head), folded = g_string_new(NULL);
	Screen screen;

	screen_init(&screen, stderr, COLOR_NEVER);
	text_append_escaped(line, raw, -1);
	note_fold_append(folded, line->str, screen.terminal ? screen.width : 0, 0);
	fflush(stdout);
	screen_write(stderr, folded->str);
}

void cli_say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_put_line("tarsier: ", format, arguments);
	va_end(arguments);
}

void cli_note(const Cli *cli, const char *format, ...)
{
	va_list arguments;
	if (cli->quiet)
		return;
	va_start(arguments, format);
	cli_put_line("", format, arguments);
	va_end(arguments);
}

static char *cli_index_error_text(const GError *error)
{
	switch ((IndexError)error->code) {
	case INDEX_ERROR_NONE_YET:
		return g_strdup(_("there is no index yet: run \"tarsier index\", after \"tarsier "
		                  "add DIR\" if no directory is watched"));
	case INDEX_ERROR_TOO_NEW:
		return g_strdup_printf(_("%s; it was created by a newer version of tarsier: use "
		                         "that version, or another --index"),
		        error->message);
	case INDEX_ERROR_TOO_OLD:
		return g_strdup_printf(_("%s; \"tarsier index\" updates it"), error->message);
	case INDEX_ERROR_DAMAGED:
		return g_strdup_printf(
		        _("%s; \"tarsier index\" moves it aside and builds a new one"),
		        error->message);
	case INDEX_ERROR_DENIED:
		return g_strdup_printf(_("%s; only the user who made an index has permission to "
		                         "use it: choose another with --index"),
		        error->message);
	default:
		return g_strdup(error->message);
	}
}

char *cli_error_text(const GError *error)
{
	return error->domain == INDEX_ERROR ? cli_index_error_text(error)
	                                    : g_strdup(error->message);
}

int cli_index_code(const GError *error)
{
	switch ((IndexError)error->code) {
	case INDEX_ERROR_NONE_YET:
		return EXIT_ABSENT;
	case INDEX_ERROR_BUSY:
	case INDEX_ERROR_LOCKED:
	case INDEX_ERROR_FULL:
	case INDEX_ERROR_READ_ONLY:
		return EXIT_BUSY;
	case INDEX_ERROR_DENIED:
		return EXIT_USAGE;
	default:
		return EXIT_DAMAGED;
	}
}

static int fail_index(const GError *error)
{
	g_autofree char *text = cli_index_error_text(error);
	cli_say("%s", text);
	return cli_index_code(error);
}

static int fail_control(const GError *error)
{
	if (g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		daemon_absent_say();
	else if (g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_TIMEOUT))
		cli_say(_("tarsierd did not answer in time"));
	else
		cli_say("%s", error->message);
	return control_exit_code(error);
}

int cli_fail(const GError *error)
{
	if (error->domain == INDEX_ERROR)
		return fail_index(error);
	if (error->domain == CONTROL_ERROR)
		return fail_control(error);
	cli_say("%s", error->message);
	return EXIT_USAGE;
}

int cli_fail_file(const GError *error)
{
	int code = cli_fail(error);
	bool unreadable = g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
	                  g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES);
	return unreadable ? EXIT_NOTHING : code;
}

unsigned cli_n_words(const Cli *cli)
{
	return cli->args->words->len;
}

const char *cli_word(const Cli *cli, unsigned i)
{
	return i < cli->args->words->len ? g_ptr_array_index(cli->args->words, i) : NULL;
}

char *cli_absolute(const char *path)
{
	if (path_is_web(path)) {
		char *url = url_canonical(path, -1, NULL, NULL);
		return url ? url : g_strdup(path);
	}
	return paths_absolute(path);
}

bool cli_reload_daemon(Cli *cli, GError **error)
{
	g_autoptr(GError) local = NULL;
	g_autoptr(GVariant) answer = NULL;

	if (cli_daemon(cli, &local) < 0) {
		if (g_error_matches(local, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
			return true;
		g_propagate_error(error, g_steal_pointer(&local));
		return false;
	}
	answer = control_call(cli->daemon_fd, "reload", NULL, RELOAD_TIMEOUT_MS, error);
	return answer != NULL;
}
