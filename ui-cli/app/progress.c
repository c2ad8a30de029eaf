/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/progress.h"
#include "ui-cli/app/daemon-client.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 24, LINE_EVERY_S = 5 };

struct Progress {
	Cli *cli;
	bool terminal, drawn;
	int64_t started_us, line_us;
	unsigned width;
};

Progress *progress_new(Cli *cli)
{
	Progress *p = g_new0(Progress, 1);
	Screen screen;

	screen_init(&screen, stderr, COLOR_NEVER);
	p->cli = cli;
	p->terminal = isatty(STDERR_FILENO) == 1;
	p->width = screen.width;
	p->started_us = p->line_us = g_get_monotonic_time();
	return p;
}

/* Cuts escaped text to a width in cells. */
static void truncate_cells(GString *text, unsigned width)
{
	size_t cells = 0;
	for (const char *c = text->str; *c;) {
		const char *next = g_utf8_next_char(c);
		cells += text_cells(c, next - c);
		if (cells > width) {
			g_string_truncate(text, c - text->str);
			return;
		}
		c = next;
	}
}

char *progress_bar(uint64_t done, uint64_t left, double rate, const char *current, unsigned width)
{
	GString *line = g_string_new("[");
	double part = done + left > 0 ? (double)done / (double)(done + left) : 0;
	unsigned full = (unsigned)(part * BAR_CELLS);

	for (unsigned i = 0; i < BAR_CELLS; i++)
		g_string_append_c(line, i < full ? '#' : ' ');
	g_string_append_printf(line, "] %3.0f%%  ", part * 100);
	g_string_append_printf(line, _("%lu of %lu files, %.0f/s"), (unsigned long)done,
	        (unsigned long)(done + left), rate);
	if (current && *current) {
		g_string_append(line, "  ");
		text_append_escaped(line, current, -1);
	}
	truncate_cells(line, width > 1 ? width - 1 : width);
	return g_string_free(line, FALSE);
}

static const char *progress_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void progress_draw(Progress *p, uint64_t done, uint64_t left, const char *current)
{
	int64_t now = g_get_monotonic_time();
	double seconds = MAX(now - p->started_us, 1) / (double)G_USEC_PER_SEC;
	g_autofree char *bar = NULL;

	if (!p->terminal && now - p->line_us < (int64_t)LINE_EVERY_S * G_USEC_PER_SEC)
		return;
	p->line_us = now;
	if (p->terminal) {
		bar = progress_bar(done, left, (double)done / seconds, current, p->width);
		fprintf(stderr, "\r\033[K%s", bar);
		p->drawn = true;
	} else {
		fprintf(stderr, _("%lu of %lu files, %.0f/s\n"), (unsigned long)done,
		        (unsigned long)(done + left), (double)done / seconds);
	}
	fflush(stderr);
}

void progress_update(Progress *p)
{
	g_autoptr(GVariant) status = daemon_status(p->cli, NULL);
	guint64 done = 0, dirty = 0, pending = 0, converting = 0;

	if (!status || p->cli->quiet)
		return;
	g_variant_lookup(status, "done", "t", &done);
	g_variant_lookup(status, "dirty", "t", &dirty);
	g_variant_lookup(status, "pending", "t", &pending);
	g_variant_lookup(status, "converting", "t", &converting);
	g_autofree char *current = daemon_current(status);
	if (done + dirty + pending > 0)
		progress_draw(p, done, dirty + MAX(pending, converting),
		        current ? progress_base_name(current) : NULL);
}

void progress_free(Progress *p)
{
	if (!p)
		return;
	if (p->drawn)
		fprintf(stderr, "\r\033[K");
	g_free(p);
}
