/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/source-list.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/fetch-url.h"
#include "common/base/i18n.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

/* The moment of a visit that its host allows so soon is not worth telling. */
enum { SHORT_WAIT_S = 60 };

SourceList *source_list_new(Cli *cli)
{
	SourceList *list = g_new0(SourceList, 1);
	const Settings *settings = cli_settings(cli, NULL);
	unsigned n = 0;
	const SettingsSource *sources = settings ? settings_sources(settings, &n) : NULL;
	Reader *reader = n > 0 ? cli_reader(cli, NULL) : NULL;

	list->states = g_array_new(FALSE, FALSE, sizeof(SourceState));
	list->stats = reader ? reader_web_sources(reader, NULL) : NULL;
	guint known = list->stats ? list->stats->len : 0;
	for (unsigned i = 0, k = 0; i < n; i++) { /* both are sorted */
		SourceState state = {.source = &sources[i]};
		const WebSourceStats *stats = NULL;
		while (k < known &&
		        strcmp((stats = &g_array_index(list->stats, WebSourceStats, k))->url,
		                sources[i].url) < 0)
			k++;
		if (k < known && strcmp(stats->url, sources[i].url) == 0)
			state.stats = stats;
		g_array_append_val(list->states, state);
	}
	return list;
}

void source_list_free(SourceList *list)
{
	if (!list)
		return;
	g_array_unref(list->states);
	g_clear_pointer(&list->stats, g_array_unref);
	g_free(list);
}

/* A visit waits until its URL is due, and for its host. */
static int64_t source_next_visit(const WebSourceStats *s)
{
	int64_t now = g_get_real_time() / G_USEC_PER_SEC;
	return s->next_s > 0 ? MAX(now, MAX(s->next_s, s->host_next_s)) : 0;
}

/* Is there a topic, and is anything known of pages about it? */
static bool source_is_judged(const SourceState *state)
{
	return state->source->about && state->stats && state->stats->judged > 0;
}

/* The share of judged pages that are about the topic. */
static double harvest(const WebSourceStats *s)
{
	return (double)s->relevant / s->judged;
}

void source_append_json(GString *out, const SourceState *state)
{
	const WebSourceStats *s = state->stats;

	json_open(out, NULL, '{');
	json_text(out, "url", state->source->url);
	json_text(out, "kind", state->source->is_feed ? "feed" : "site");
	json_int(out, "pages_most", state->source->pages);
	json_int(out, "pages", s ? s->pages : 0);
	json_int(out, "urls", s ? s->urls : 0);
	json_int(out, "waiting", s ? s->waiting : 0);
	json_int(out, "errors", s ? s->errors : 0);
	json_int(out, "bytes", s ? s->bytes : 0);
	json_time(out, "last_visit", s ? s->visited_s : 0, true);
	json_time(out, "next_visit", s ? source_next_visit(s) : 0, true);
	if (s)
		json_int(out, "pace_ms", s->pace_ms);
	else
		json_nil(out, "pace_ms");
	json_text(out, "failure", s ? s->failure : NULL);
	json_text(out, "about", state->source->about);
	if (source_is_judged(state))
		json_double(out, "harvest", harvest(s));
	else
		json_nil(out, "harvest");
	json_close(out, '}');
}

const char *source_failure_text(const char *failure)
{
	for (FetchError e = FETCH_OK + 1; failure && e < N_FETCH_ERRORS; e++)
		if (strcmp(failure, fetch_error_name(e)) == 0)
			return url_error_text(e);
	if (g_strcmp0(failure, WEB_FAILURE_NO_FEED) == 0)
		return _("its answer is not a feed");
	return g_strcmp0(failure, WEB_FAILURE_NOT_KEPT) == 0 ? _("its pages cannot be stored")
	                                                     : NULL;
}

static char *status_failure_text(const char *failure)
{
	guint64 status;
	return g_str_has_prefix(failure, WEB_FAILURE_STATUS) &&
	                       g_ascii_string_to_unsigned(failure + strlen(WEB_FAILURE_STATUS), 10,
	                               0, 999, &status, NULL)
	               ? g_strdup_printf(_("it answers with status %u"), (unsigned)status)
	               : g_strdup(failure);
}

char *source_problem(const SourceState *state)
{
	const WebSourceStats *s = state->stats;
	const char *text = s ? source_failure_text(s->failure) : NULL;

	if (text)
		return g_strdup(text);
	if (s && s->robots_unreachable)
		return g_strdup(_("its robots.txt cannot be read, so nothing is requested"));
	return s && s->failure ? status_failure_text(s->failure) : NULL;
}

static void append_visits(GString *out, const WebSourceStats *s)
{
	int64_t now = g_get_real_time() / G_USEC_PER_SEC;

	if (s->visited_s > 0) {
		g_autofree char *when = screen_time(s->visited_s);
		g_string_append_printf(out, _(", visited %s"), when);
	}
	int64_t next = source_next_visit(s);
	if (s->next_s > now || next > now + SHORT_WAIT_S) {
		g_autofree char *when = screen_time(next);
		g_string_append_printf(out, _(", next visit %s"), when);
	} else if (next > 0) {
		g_string_append(out, _(", next visit as soon as its host allows"));
	}
}

char *source_text(const SourceState *state)
{
	const WebSourceStats *s = state->stats;
	g_autofree char *problem = source_problem(state);
	GString *out = g_string_new(NULL);

	if (!s) {
		g_string_append(out, _("not visited yet"));
		return g_string_free(out, FALSE);
	}
	g_autofree char *size = g_format_size(MAX(0, s->bytes));
	g_string_append_printf(out,
	        ngettext("%ld page, %ld waiting, %s", "%ld pages, %ld waiting, %s", s->pages),
	        (long)s->pages, (long)s->waiting, size);
	if (source_is_judged(state))
		g_string_append_printf(out, _(", %d %% of them about \"%s\""),
		        (int)(100 * harvest(s) + .5), state->source->about);
	append_visits(out, s);
	g_autofree char *pause = count_pause(s->pace_ms);
	g_string_append_printf(out, _(", %s between requests"), pause);
	if (s->errors > 0)
		g_string_append_printf(out,
		        ngettext(", %ld page with an error", ", %ld pages with errors", s->errors),
		        (long)s->errors);
	if (problem)
		g_string_append_printf(out, ": %s", problem);
	return g_string_free(out, FALSE);
}
