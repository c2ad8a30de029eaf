/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/progress.h"
#include "common/base/paths.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/hang-up.h"
#include "ui-cli/app/progress-estimate.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 24, LINE_EVERY_S = 5, UNKNOWN_FIRST_US = 500 * 1000 };

struct Progress {
	Cli *cli;
	bool redraws, drawn, counts;
	uint64_t done_before; /* the daemon did this before the work began */
	ProgressWork work;
	int64_t begun_us, line_us;
	int64_t compaction_us; /* when a compaction was first seen; 0: not yet */
	ProgressEstimate estimate; /* empty until the size of the work is known */
};

Progress *progress_new(Cli *cli, ProgressWork work, bool fresh)
{
	Progress *p = g_new0(Progress, 1);
	Screen screen;

	screen_init(&screen, stderr, COLOR_NEVER);
	p->cli = cli;
	p->redraws = screen_redraws(&screen);
	p->counts = fresh;
	p->work = work;
	p->begun_us = p->line_us = g_get_monotonic_time();
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

char *progress_text(const ProgressState *s)
{
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, _("%lu of %lu files"), (unsigned long)s->done,
	        (unsigned long)(s->done + s->left));
	if (s->rate > 0)
		g_string_append_printf(text, _(", %.*f/s"), s->rate < 10 ? 1 : 0, s->rate);
	if (s->left_s >= 0 && s->left > 0) {
		g_autofree char *time = count_time(s->left_s);
		g_string_append_printf(text, _(", %s left"), time);
	}
	return g_string_free(text, FALSE);
}

char *progress_bar(const ProgressState *s, const char *current, unsigned width)
{
	GString *line = g_string_new("[");
	g_autofree char *text = progress_text(s);
	unsigned full = (unsigned)(s->part * BAR_CELLS);

	for (unsigned i = 0; i < BAR_CELLS; i++)
		g_string_append_c(line, i < full ? '#' : ' ');
	g_string_append_printf(line, "] %3.0f%%  %s", s->part * 100, text);
	if (current && *current) {
		g_string_append(line, "  ");
		text_append_escaped(line, current, -1);
	}
	truncate_cells(line, width > 1 ? width - 1 : width);
	return g_string_free(line, FALSE);
}

char *progress_compaction_text(const char *step, int64_t seconds)
{
	static const struct {
		const char *name, *text;
	} steps[] = {{"stores", N_("stored pages")}, {"purge", N_("words of deleted documents")},
	        {"merge", N_("merging the index")}, {"learn", N_("learning subjects")},
	        {"vacuum", N_("giving back space")}, {"logs", N_("emptying the logs")}};
	g_autofree char *time = count_time(seconds);

	for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++)
		if (strcmp(steps[i].name, step) == 0)
			return g_strdup_printf(_("Compacting, step %u of %u: %s, %s"), i + 1,
			        (unsigned)G_N_ELEMENTS(steps), _(steps[i].text), time);
	return g_strdup_printf(_("Compacting, %s"), time);
}

char *progress_unknown_text(ProgressWork work, const char *state, uint64_t files, int64_t seconds)
{
	g_autofree char *time = count_time(seconds), *count = count_files(files);
	if (!state)
		return g_strdup_printf(_("Starting, %s"), time);
	if (work == PROGRESS_REMOVE)
		return g_strdup_printf(_("Removing from the index, %s"), time);
	if (strcmp(state, "scanning") == 0)
		return g_strdup_printf(_("Reading directories: %s so far, %s"), count, time);
	return g_strdup_printf(_("Working, %s"), time);
}

/* Is it time for another line? A bar is drawn again each time. */
static bool progress_is_due(Progress *p)
{
	int64_t now = g_get_monotonic_time();
	if (!p->redraws && now - p->line_us < (int64_t)LINE_EVERY_S * G_USEC_PER_SEC)
		return false;
	p->line_us = now;
	return true;
}

static void progress_put(Progress *p, const char *line)
{
	g_autofree char *drawn =
	        p->redraws ? g_strconcat("\r\033[K", line, NULL) : g_strconcat(line, "\n", NULL);
	screen_write(stderr, drawn);
	p->drawn = p->redraws;
	fflush(stderr);
}

/* Its width may have changed. */
static unsigned progress_width(void)
{
	Screen screen;
	screen_init(&screen, stderr, COLOR_NEVER);
	return screen.width;
}

static void progress_draw(Progress *p, const ProgressState *state, const char *current)
{
	if (!progress_is_due(p))
		return;
	g_autofree char *text = progress_text(state);
	g_autofree char *line = p->redraws
	                                ? progress_bar(state, current, progress_width())
	                                : g_strdup_printf("%3.0f%%  %s", state->part * 100, text);
	progress_put(p, line);
}

/* Takes ownership of text. */
static void progress_draw_text(Progress *p, char *text)
{
	g_autoptr(GString) line = g_string_new(text);
	g_free(text);
	if (p->redraws)
		truncate_cells(line, MAX(progress_width(), 2) - 1);
	progress_put(p, line->str);
}

/* The size of the work is unknown, so the step and the time are shown. */
static void progress_draw_compaction(Progress *p, const char *step)
{
	int64_t now = g_get_monotonic_time();
	if (p->compaction_us == 0)
		p->compaction_us = now;
	if (progress_is_due(p))
		progress_draw_text(p,
		        progress_compaction_text(step, (now - p->compaction_us) / G_USEC_PER_SEC));
}

/* state: NULL: the daemon does not answer. */
static void progress_draw_unknown(Progress *p, const char *state, uint64_t files)
{
	int64_t elapsed_us = g_get_monotonic_time() - p->begun_us;
	if (elapsed_us >= UNKNOWN_FIRST_US && progress_is_due(p))
		progress_draw_text(p,
		        progress_unknown_text(p->work, state, files, elapsed_us / G_USEC_PER_SEC));
}

/* Work that the daemon did for others before does not count. */
static uint64_t progress_done(Progress *p, uint64_t done)
{
	if (!p->counts || done < p->done_before)
		p->done_before = p->counts ? 0 : done;
	p->counts = true;
	return done - p->done_before;
}

/* While directories are read, nobody knows how many files will be found; once that was over, single
 * changes do not bring it back. */
static bool progress_is_unknown(const Progress *p, const char *state, uint64_t waiting)
{
	bool counted = p->estimate.first_us != 0;
	bool scanning = strcmp(state, "scanning") == 0;
	return !counted && (scanning || waiting == 0);
}

static void progress_show(Progress *p, GVariant *status)
{
	guint64 done = 0, dirty = 0, pending = 0, converting = 0, files = 0;
	const char *state = "";

	g_variant_lookup(status, "state", "&s", &state);
	g_variant_lookup(status, "files", "t", &files);
	g_variant_lookup(status, "done", "t", &done);
	g_variant_lookup(status, "dirty", "t", &dirty);
	g_variant_lookup(status, "pending", "t", &pending);
	g_variant_lookup(status, "converting", "t", &converting);
	uint64_t counted = progress_done(p, done), left = dirty + MAX(pending, converting);
	if (progress_is_unknown(p, state, left)) {
		progress_draw_unknown(p, state, files);
		return;
	}
	progress_estimate_add(&p->estimate, counted, left, g_get_monotonic_time());
	g_autofree char *current = daemon_current(status);
	ProgressState shown = progress_estimate_state(&p->estimate);
	progress_draw(p, &shown, current ? path_base_name(current) : NULL);
}

bool progress_update(Progress *p)
{
	g_autoptr(GVariant) status =
	        cli_daemon(p->cli, NULL) >= 0 ? daemon_status(p->cli, NULL) : NULL;
	const char *step;

	if (hang_up_wait(STDERR_FILENO, 0))
		return false;
	if (p->cli->quiet)
		return true;
	if (!status)
		progress_draw_unknown(p, NULL, 0);
	else if (g_variant_lookup(status, "compaction", "&s", &step) && *step)
		progress_draw_compaction(p, step);
	else
		progress_show(p, status);
	return true;
}

void progress_free(Progress *p)
{
	if (!p)
		return;
	if (p->drawn)
		fprintf(stderr, "\r\033[K");
	g_free(p);
}
