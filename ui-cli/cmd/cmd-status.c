/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/client-status.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

enum { FOLLOW_EVERY_US = 1000000, WAIT_FOREVER_S = 10000000 };

static int cmd_status_wait(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	bool done = false;

	if (cli_daemon(cli, &error) >= 0)
		done = daemon_sync(cli, options_number(cli->args, "wait", WAIT_FOREVER_S), &error);
	if (error)
		return cli_fail(cli, error);
	return done ? EXIT_OK : EXIT_BUSY;
}

static int cmd_status_check(const Cli *cli, const Status *status)
{
	g_autoptr(GPtrArray) problems = status_problems(status);

	for (guint i = 0; i < problems->len && !cli->quiet; i++) {
		g_autofree char *line = screen_escaped(problems->pdata[i]);
		printf("%s\n", line);
	}
	if (!status->has_index)
		return status->index_code;
	if (!status->running)
		return EXIT_ABSENT;
	return problems->len > 0 ? EXIT_PARTIAL : EXIT_OK;
}

static unsigned count_lines(const GString *text)
{
	unsigned lines = 0;
	for (gsize i = 0; i < text->len; i++)
		lines += text->str[i] == '\n';
	return lines;
}

static void cmd_status_show(const Cli *cli, const Status *status, GString *out)
{
	if (cli->json)
		status_append_json(out, status);
	else
		status_append_human(&cli->out, out, status);
}

/* On a terminal, redraws in place; otherwise prints the status whenever it changed. */
static int cmd_status_follow(Cli *cli)
{
	g_autofree char *before = NULL;
	unsigned drawn = 0;

	for (;;) {
		g_autoptr(Status) status = status_gather(cli);
		g_autoptr(GString) out = g_string_new(NULL);
		cmd_status_show(cli, status, out);
		if (g_strcmp0(before, out->str) != 0) {
			if (drawn > 0)
				printf("\033[%uA\033[J", drawn);
			drawn = cli->out.terminal && !cli->json ? count_lines(out) : 0;
			g_free(before);
			before = g_strdup(out->str);
			screen_put(&cli->out, out);
		}
		if (fflush(stdout) != 0)
			return EXIT_PARTIAL;
		if (!status->running && cli->daemon_fd >= 0) {
			close(cli->daemon_fd);
			cli->daemon_fd = -1;
		}
		g_usleep(FOLLOW_EVERY_US);
	}
}

int cmd_status(Cli *cli)
{
	g_autoptr(Status) status = NULL;
	g_autoptr(GString) out = g_string_new(NULL);

	if (options_has(cli->args, "wait")) {
		int code = cmd_status_wait(cli);
		if (code != EXIT_OK || !cli->json)
			return code;
	}
	if (options_has(cli->args, "follow"))
		return cmd_status_follow(cli);
	status = status_gather(cli);
	if (options_has(cli->args, "check"))
		return cmd_status_check(cli, status);
	cmd_status_show(cli, status, out);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return status->has_index ? EXIT_OK : status->index_code;
}
