/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/progress-part.h"
#include <unistd.h>

enum { FIRST_US = G_USEC_PER_SEC, STEP_US = G_USEC_PER_SEC / 10 };

struct ProgressPart {
	const char *what;
	bool shown, drawn;
	int64_t next_us;
};

ProgressPart *progress_part_new(const Cli *cli, const char *what)
{
	ProgressPart *progress = g_new0(ProgressPart, 1);
	progress->what = what;
	progress->shown = !cli->quiet && isatty(STDERR_FILENO) == 1;
	progress->next_us = g_get_monotonic_time() + FIRST_US;
	return progress;
}

void progress_part_show(double part, void *data)
{
	ProgressPart *progress = data;
	int64_t now = g_get_monotonic_time();
	if (!progress->shown || now < progress->next_us)
		return;
	progress->next_us = now + STEP_US;
	progress->drawn = true;
	g_autofree char *line =
	        g_strdup_printf("\r\033[K%s: %.0f %%", progress->what, CLAMP(part, 0, 1) * 100);
	screen_write(stderr, line);
	fflush(stderr);
}

void progress_part_free(ProgressPart *progress)
{
	if (!progress)
		return;
	if (progress->drawn)
		fprintf(stderr, "\r\033[K");
	g_free(progress);
}
