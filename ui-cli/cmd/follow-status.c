/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/follow-status.h"
#include "ui-cli/app/client-status.h"
#include "ui-cli/app/hang-up.h"
#include "ui-cli/app/rate-meter.h"
#include "common/base/text.h"
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FOLLOW_EVERY_MS = 1000, LINE_EVERY_US = 5 * 1000 * 1000 };

typedef struct {
	Cli *cli;
	bool redraws;
	char *before; /* what was shown last */
	unsigned drawn; /* rows of it that are drawn anew */
	int64_t line_us; /* time of the last line */
	RateMeter meter;
} Follow;

/* The rows that text takes on a terminal. Only escapes of styles occur, which end with "m". */
static unsigned count_rows(const char *text, unsigned width)
{
	unsigned rows = 0;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; line[0] && line[1]; line++) {
		size_t cells = 0;
		for (const char *c = *line; *c;) {
			size_t escape = *c == '\033' ? strcspn(c, "m") : 0;
			size_t length = escape > 0 ? escape : strcspn(c, "\033");
			cells += escape > 0 ? 0 : text_cells(c, length);
			c += length + (escape > 0 && c[escape] != '\0');
		}
		rows += cells > width ? (unsigned)((cells + width - 1) / width) : 1;
	}
	return rows;
}

/* Puts the cursor where the text that is drawn anew begins. If its first lines have left the
 * screen, that is the top. */
static void follow_erase(unsigned drawn)
{
	struct winsize size;
	bool fits = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 ||
	            drawn < size.ws_row;
	if (drawn == 0)
		return;
	if (fits)
		printf("\033[%uA\033[J", drawn);
	else
		printf("\033[H\033[J");
}

static void follow_put(Follow *f, GString *out)
{
	follow_erase(f->drawn);
	f->drawn = f->redraws ? count_rows(out->str, f->cli->out.width) : 0;
	g_free(f->before);
	f->before = g_strdup(out->str);
	screen_put(&f->cli->out, out);
}

static void follow_show(Follow *f, const Status *status)
{
	g_autoptr(GString) out = g_string_new(NULL);
	bool lines = !f->redraws && !f->cli->json;
	int64_t now_us = g_get_monotonic_time();

	if (f->cli->json) {
		status_append_json(out, status);
	} else if (lines) {
		status_append_line(out, status, &f->meter);
	} else {
		status_append_human(&f->cli->out, out, status);
		status_append_progress(&f->cli->out, out, status, &f->meter);
	}
	if (g_strcmp0(f->before, out->str) == 0 ||
	        (lines && f->before && now_us - f->line_us < LINE_EVERY_US))
		return;
	f->line_us = now_us;
	if (!f->cli->quiet)
		follow_put(f, out);
}

/* The daemon may come back, and with it another connection. */
static void forget_daemon(Cli *cli)
{
	if (cli->daemon_fd >= 0)
		close(cli->daemon_fd);
	cli->daemon_fd = -1;
}

int follow_status(Cli *cli)
{
	Follow f = {.cli = cli, .redraws = screen_redraws(&cli->out) && !cli->json};

	do {
		g_autoptr(Status) status = status_gather(cli);
		screen_resize(&cli->out);
		rate_meter_add(&f.meter, status->done, g_get_monotonic_time());
		follow_show(&f, status);
		if (fflush(stdout) != 0)
			break;
		if (!status->running)
			forget_daemon(cli);
	} while (!hang_up_wait(STDOUT_FILENO, FOLLOW_EVERY_MS));
	g_free(f.before);
	return EXIT_PARTIAL;
}
