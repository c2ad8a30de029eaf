/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the local page: what is started before the process confines itself, and the main loop */
#include <config.h>
#include "common/base/i18n.h"
#include "common/base/log.h"
#include "index/read/reader-memory.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/viewer.h"
#include "ui-web/browse-answer.h"
#include "ui-web/browse-picture.h"
#include "ui-web/browse-server.h"
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static const Option browse_options[] = {
        {0, "config", OPTION_TEXT, "FILE", NULL},
        {0, "index", OPTION_TEXT, "DIR", NULL},
        {'q', "quiet", OPTION_FLAG, NULL, NULL},
        {0, "no-open", OPTION_FLAG, NULL, NULL},
        {0, "idle", OPTION_NUMBER, "SECONDS", NULL},
        {0, "version", OPTION_FLAG, NULL, NULL},
        {0, "confinement", OPTION_FLAG, NULL, NULL}, /* for "tarsier doctor" */
        OPTION_END,
};

enum { ALIVE_TIMES = 5 };

/* ---- the browser */

typedef struct {
	Cli *cli;
	char *url;
	bool tells; /* the URL is printed whatever becomes of it */
} BrowserStart;

/* The browser may ask for the page before it is known to run. */
static gpointer browse_start_browser(gpointer data)
{
	const BrowserStart *start = data;
	g_autoptr(GError) error = NULL;
	if (starter_open_apart(start->cli->starter, start->url, NULL, (ViewerPlace){0, 0}, &error))
		return NULL;
	cli_say("%s", error->message);
	printf("%s\n", start->url);
	fflush(stdout);
	return NULL;
}

/* NULL: the URL is printed for somebody to open. */
static GThread *browse_show(BrowserStart *start)
{
	bool opens = !options_has(start->cli->args, "no-open") && viewer_has_desktop();
	if (opens) {
		cli_note(start->cli, _("The page opens in your browser. It ends when it is closed, "
		                       "or with Ctrl-C."));
		return g_thread_new("browser", browse_start_browser, start);
	}
	printf("%s\n", start->url);
	fflush(stdout);
	cli_note(start->cli, _("Open this address in a browser; it is good for one time."));
	return NULL;
}

/* ---- the main loop */

static unsigned browse_idle_s(const Cli *cli)
{
	return MAX(options_number(cli->args, "idle", LIFE_IDLE_S), 1);
}

static void browse_loop(Cli *cli, BrowseServer *server, BrowseLife *life)
{
	g_autoptr(BrowsePictures) pictures = browse_pictures_new();
	BrowseWorker worker = {.cli = cli,
	        .pictures = pictures,
	        .server = server,
	        .can_open = viewer_has_desktop(),
	        .alive_s = MAX(browse_idle_s(cli) / ALIVE_TIMES, 1)};
	int64_t left_us;
	while ((left_us = browse_life_left_us(life)) > 0 || worker.n_away > 0) {
		BrowseRequest *request =
		        browse_server_next(server, left_us > 0 ? left_us : G_USEC_PER_SEC);
		if (!request)
			continue;
		browse_answer(&worker, request);
		if (!browse_is_away(request))
			browse_server_answer(server, request);
	}
}

/* Where the page begins. The words are not part of the URL that is opened: it would be in the list
 * of processes. The caller frees it. */
static char *browse_first_path(const Cli *cli)
{
	g_autofree char *text = search_text(cli, 0);
	g_autofree char *query = g_uri_escape_string(text, NULL, FALSE);
	return *text ? g_strconcat("/?q=", query, NULL) : g_strdup("/");
}

static int browse_main_serve(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *first = browse_first_path(cli);
	g_autoptr(BrowseLife) life = browse_life_new(browse_idle_s(cli));
	if (!cli_start_starter(cli, &error))
		return cli_fail(error);
	g_autoptr(BrowseServer) server = browse_server_new(life, first, &error);
	if (!server) {
		cli_say("%s", error->message);
		return EXIT_PARTIAL;
	}
	confine_client_make_index_dir(cli);
	confine_client(cli, false);
	BrowserStart start = {.cli = cli, .url = browse_server_url(server)};
	if (!browse_server_start(server)) {
		cli_say(_("the server cannot be started"));
		g_free(start.url);
		return EXIT_PARTIAL;
	}
	GThread *browser = browse_show(&start);
	browse_loop(cli, server, life);
	if (browser)
		g_thread_join(browser);
	g_free(start.url);
	return EXIT_OK;
}

/* Nothing needs to be undone. */
static void browse_on_signal(int number)
{
	_exit(number == SIGTERM ? EXIT_OK : EXIT_INTERRUPTED);
}

/* A core dump could contain queries and results. */
static void browse_main_hide_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* the leak check needs ptrace access */
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

static int browse_main_run(Arguments *args)
{
	if (options_has(args, "version")) {
		printf("tarsier-browse %s\n", PACKAGE_VERSION);
		options_free(args);
		return EXIT_OK;
	}
	g_autoptr(Cli) cli = cli_new(args);
	return options_has(args, "confinement") ? confine_client_tell(cli) : browse_main_serve(cli);
}

int main(int argc, char **argv)
{
	static const Option *const tables[] = {browse_options, NULL};
	g_autoptr(GError) error = NULL;
	browse_main_hide_memory();
	i18n_init();
	reader_use_arena();
	log_init("tarsier-browse", false);
	signal(SIGINT, browse_on_signal);
	signal(SIGTERM, browse_on_signal);
	Arguments *args = options_parse(argv + 1, tables, true, &error);
	if (args)
		return browse_main_run(args);
	cli_say("%s", error->message);
	return EXIT_USAGE;
}
