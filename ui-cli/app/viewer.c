/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/viewer.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LOOK_MS = 20, /* how often a program is looked at that was started */
	SETTLE_MS = 400, /* a viewer that fails does so within this time */
	OPENER_MS = 10000, /* an opener that takes longer is left alone */
};

/* Programs that open at a page, chapter or line. In the option, %u is the number. */
typedef struct {
	const char *program;
	const char *option; /* an argument of its own before the path; NULL: none */
	const char *number; /* the argument after it, or the only one */
	bool is_line;
} PlaceOption;

static const PlaceOption place_options[] = {
        {"okular", "-p", "%u", false},
        {"evince", "-i", "%u", false},
        {"atril", "-i", "%u", false},
        {"xreader", "-i", "%u", false},
        {"zathura", "-P", "%u", false},
        {"mpv", NULL, "--start=#%u", false}, /* a chapter */
        {"vim", NULL, "+%u", true},
        {"nvim", NULL, "+%u", true},
        {"gvim", NULL, "+%u", true},
        {"vi", NULL, "+%u", true},
        {"nano", NULL, "+%u", true},
        {"emacs", NULL, "+%u", true},
        {"emacsclient", NULL, "+%u", true},
        {"gedit", NULL, "+%u", true},
        {"pluma", NULL, "+%u", true},
        {"xed", NULL, "+%u", true},
        {"geany", "-l", "%u", true},
        {"kate", "-l", "%u", true},
        {"kwrite", "-l", "%u", true},
        {"mousepad", "-l", "%u", true},
};
/* They take the line after the path: "-g FILE:LINE". */
static const char *const path_line_programs[] = {"code", "codium", "code-oss", NULL};

/* ---- the default application */

/* The output of a program in the C locale, without the newline; NULL if it fails. */
static char *viewer_ask(const char *const *argv)
{
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	char *out = NULL;
	int status;
	if (g_spawn_sync(NULL, (char **)argv, environment,
	            G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL,
	            &status, NULL) &&
	        g_spawn_check_wait_status(status, NULL))
		return g_strchomp(out);
	g_free(out);
	return NULL;
}

/* "okular.desktop", or NULL. */
static char *default_application(const char *mime)
{
	const char *const gio[] = {"gio", "mime", mime, NULL};
	const char *const xdg[] = {"xdg-mime", "query", "default", mime, NULL};
	g_autofree char *told = viewer_ask(gio);
	const char *first = told ? strstr(told, ": ") : NULL;
	if (first && g_str_has_prefix(told, "Default application"))
		return g_strndup(first + 2, strcspn(first + 2, "\n"));
	return viewer_ask(xdg);
}

/* The words of the command line of a desktop entry, without the codes for files; NULL if there is
 * none. *terminal_r: it wants a terminal. */
static char **desktop_command(const char *id, bool *terminal_r)
{
	g_autoptr(GKeyFile) entry = g_key_file_new();
	g_autofree char *file = g_build_filename("applications", id, NULL);
	if (strchr(id, '/') || !g_key_file_load_from_data_dirs(entry, file, NULL, 0, NULL))
		return NULL;
	g_autofree char *line = g_key_file_get_string(
	        entry, G_KEY_FILE_DESKTOP_GROUP, G_KEY_FILE_DESKTOP_KEY_EXEC, NULL);
	*terminal_r = g_key_file_get_boolean(
	        entry, G_KEY_FILE_DESKTOP_GROUP, G_KEY_FILE_DESKTOP_KEY_TERMINAL, NULL);
	g_auto(GStrv) words = NULL;
	if (!line || !g_shell_parse_argv(line, NULL, &words, NULL))
		return NULL;
	g_autoptr(GStrvBuilder) command = g_strv_builder_new();
	for (char **word = words; *word; word++)
		if (**word != '%')
			g_strv_builder_add(command, *word);
	return g_strv_builder_end(command);
}

/* ---- its arguments */

static const PlaceOption *place_option(const char *program, ViewerPlace place)
{
	for (size_t i = 0; i < G_N_ELEMENTS(place_options); i++) {
		const PlaceOption *option = &place_options[i];
		if (g_str_equal(option->program, program) &&
		        (option->is_line ? place.line : place.page) > 0)
			return option;
	}
	return NULL;
}

/* The command with the place and the path; NULL if the program takes no such place. */
static char **command_at(char *const *command, const char *path, ViewerPlace place)
{
	g_autofree char *program = g_path_get_basename(command[0]);
	const PlaceOption *option = place_option(program, place);
	bool in_path = place.line > 0 && g_strv_contains(path_line_programs, program);
	if (!option && !in_path)
		return NULL;
	g_autoptr(GStrvBuilder) all = g_strv_builder_new();
	g_strv_builder_addv(all, (const char **)command);
	if (in_path) {
		g_autofree char *at = g_strdup_printf("%s:%u", path, place.line);
		g_strv_builder_add_many(all, "-g", at, NULL);
		return g_strv_builder_end(all);
	}
	g_auto(GStrv) parts = g_strsplit(option->number, "%u", 2);
	g_autofree char *number = g_strdup_printf(
	        "%s%u%s", parts[0], option->is_line ? place.line : place.page, parts[1]);
	if (option->option)
		g_strv_builder_add(all, option->option);
	g_strv_builder_add_many(all, number, path, NULL);
	return g_strv_builder_end(all);
}

/* ---- starting */

static bool viewer_is_pipe(int descriptor)
{
	struct stat file;
	return fstat(descriptor, &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode));
}

/* In the child: only the client ignores what is typed to end the viewer. */
static void viewer_take_interrupts(gpointer data)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
}

/* In the child: a viewer may outlive the client. A pipe that it kept open would have no end, and
 * the output of a client in a pipe is results alone. */
static void viewer_keep_terminal(gpointer data)
{
	int nowhere = open("/dev/null", O_RDWR);
	viewer_take_interrupts(data);
	if (nowhere < 0)
		return;
	if (!isatty(STDIN_FILENO))
		dup2(nowhere, STDIN_FILENO);
	if (viewer_is_pipe(STDERR_FILENO))
		dup2(nowhere, STDERR_FILENO);
	if (!isatty(STDOUT_FILENO))
		dup2(isatty(STDERR_FILENO) ? STDERR_FILENO : nowhere, STDOUT_FILENO);
	if (nowhere > STDERR_FILENO)
		close(nowhere);
}

/* In the child: a window has nothing to do with this terminal. */
static void viewer_detach(gpointer data)
{
	int nowhere = open("/dev/null", O_RDWR);
	viewer_take_interrupts(data);
	setsid();
	if (nowhere >= 0) {
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
}

static bool viewer_ended_well(const char *program, int status, GError **error)
{
	if (g_spawn_check_wait_status(status, NULL))
		return true;
	if (WIFEXITED(status))
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
		        _("%s failed with status %d"), program, WEXITSTATUS(status));
	else
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
		        _("%s was ended by a signal"), program);
	return false;
}

/* Starts a program and looks for that long whether it ends; wait_ms < 0: until it ends. */
static bool viewer_start(char **argv, int wait_ms, GSpawnChildSetupFunc in_child, GError **error)
{
	GPid process;
	int status = 0;
	const GSpawnFlags flags =
	        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN;
	if (!g_spawn_async(NULL, argv, NULL, flags, in_child, NULL, &process, error))
		return false;
	for (int ms = 0;; ms += LOOK_MS) {
		pid_t ended = waitpid(process, &status, wait_ms < 0 ? 0 : WNOHANG);
		if (ended == process)
			return viewer_ended_well(argv[0], status, error);
		if (ended < 0 && errno != EINTR)
			return true;
		if (wait_ms >= 0 && ms >= wait_ms)
			return true; /* it runs */
		if (ended == 0)
			g_usleep(LOOK_MS * 1000);
	}
}

bool viewer_start_program(char **argv, int wait_ms, GError **error)
{
	return viewer_start(argv, wait_ms, viewer_take_interrupts, error);
}

/* A program that is waited for has the terminal: what is typed to interrupt it must not end the
 * client before it, as with system(3). */
static bool viewer_run(char **argv, int wait_ms, bool detached, GError **error)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct sigaction old_interrupt, old_quit;
	GSpawnChildSetupFunc in_child = detached ? viewer_detach : viewer_keep_terminal;
	if (wait_ms >= 0)
		return viewer_start(argv, wait_ms, in_child, error);
	sigaction(SIGINT, &ignored, &old_interrupt);
	sigaction(SIGQUIT, &ignored, &old_quit);
	bool ok = viewer_start(argv, wait_ms, in_child, error);
	sigaction(SIGINT, &old_interrupt, NULL);
	sigaction(SIGQUIT, &old_quit, NULL);
	return ok;
}

bool viewer_has_desktop(void)
{
	const char *wayland = g_getenv("WAYLAND_DISPLAY"), *x = g_getenv("DISPLAY");
	return (wayland && *wayland) || (x && *x);
}

/* Without a desktop, the opener may run a viewer in this terminal. */
static bool viewer_by_opener(const char *path, ViewerHost host, GError **error)
{
	const char *const openers[][4] = {{"gio", "open", path}, {"xdg-open", path}};
	bool apart = host == VIEWER_APART;
	int wait_ms = apart || viewer_has_desktop() ? OPENER_MS : -1;
	for (size_t i = 0; i < G_N_ELEMENTS(openers); i++) {
		g_autoptr(GError) local = NULL;
		if (viewer_run((char **)openers[i], wait_ms, apart, &local))
			return true;
		if (g_error_matches(local, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
			continue;
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
		        _("%s could not be opened: %s"), path, local->message);
		return false;
	}
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT,
	        _("%s could not be opened: neither gio nor xdg-open is installed"), path);
	return false;
}

bool viewer_is_url(const char *text)
{
	return g_str_has_prefix(text, "http://") || g_str_has_prefix(text, "https://");
}

bool viewer_open_url(const char *url, ViewerHost host, GError **error)
{
	if (viewer_is_url(url))
		return viewer_by_opener(url, host, error);
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
	        _("%s could not be opened: only http and https are"), url);
	return false;
}

/* The command that opens the place; NULL if the default application cannot, or is not known. */
static char **viewer_command(
        const char *path, const char *mime, ViewerPlace place, bool *terminal_r)
{
	if (!mime || (place.page == 0 && place.line == 0))
		return NULL;
	g_autofree char *id = default_application(mime);
	g_auto(GStrv) command = id && *id ? desktop_command(id, terminal_r) : NULL;
	return command && command[0] ? command_at(command, path, place) : NULL;
}

bool viewer_open(
        const char *path, const char *mime, ViewerPlace place, ViewerHost host, GError **error)
{
	bool in_terminal = false;
	g_auto(GStrv) command = viewer_command(path, mime, place, &in_terminal);
	bool terminal = host == VIEWER_HERE && isatty(STDOUT_FILENO);
	bool usable = command && (in_terminal ? terminal : viewer_has_desktop());
	g_autoptr(GError) local = NULL;
	if (usable && viewer_run(command, in_terminal ? -1 : SETTLE_MS, !in_terminal, &local))
		return true;
	/* The entry may have outlived its program. */
	if (!usable || g_error_matches(local, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
		return viewer_by_opener(path, host, error);
	g_propagate_error(error, g_steal_pointer(&local));
	return false;
}
