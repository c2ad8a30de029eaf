/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-timeline.h"
#include "common/base/i18n.h"
#include "ui-cli/print/printer.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-link.h"

enum { MONTHS = 12, FIRST_YEAR = 1000, FULL = 100 };

typedef struct {
	int period; /* months or years since the year 0 */
	unsigned count;
} Bar;

static int timeline_compare(const void *a, const void *b)
{
	const int *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The months of the hits since the year 0, ascending. A year that a query cannot name is left
 * out. */
static GArray *timeline_months(const SearchResult *result)
{
	GArray *months = g_array_new(FALSE, FALSE, sizeof(int));
	for (guint i = 0; i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		g_autoptr(GDateTime) time =
		        g_date_time_new_from_unix_local(info->date ? info->date : info_mtime(info));
		if (!time || g_date_time_get_year(time) < FIRST_YEAR)
			continue;
		int month = g_date_time_get_year(time) * MONTHS + g_date_time_get_month(time) - 1;
		g_array_append_val(months, month);
	}
	g_array_sort(months, timeline_compare);
	return months;
}

static void timeline_add(GArray *bars, int period, unsigned count)
{
	Bar bar = {period, count};
	g_array_append_val(bars, bar);
}

/* Times without hits have a bar too where all of them fit. unit: months in a period. */
static GArray *timeline_bars(const GArray *months, int unit)
{
	GArray *bars = g_array_new(FALSE, FALSE, sizeof(Bar));
	int first = g_array_index(months, int, 0) / unit;
	int last = g_array_index(months, int, months->len - 1) / unit;
	bool gaps = last - first < TIMELINE_BARS;
	for (guint i = 0; i < months->len; i++) {
		int period = g_array_index(months, int, i) / unit;
		Bar *before = bars->len > 0 ? &g_array_index(bars, Bar, bars->len - 1) : NULL;
		if (before && before->period == period) {
			before->count++;
			continue;
		}
		for (int empty = before ? before->period + 1 : period; gaps && empty < period;
		        empty++)
			timeline_add(bars, empty, 0);
		timeline_add(bars, period, 1);
	}
	return bars;
}

/* The policy of the page forbids styles in elements, so the height is an attribute of SVG. */
static void timeline_append_bar(
        GString *out, const BrowseSearch *search, const Bar *bar, int unit, unsigned most)
{
	unsigned height = bar->count > 0 ? MAX(bar->count * FULL / most, 1) : 0;
	g_autofree char *name = unit == 1 ? g_strdup_printf("%04d-%02d", bar->period / MONTHS,
	                                            bar->period % MONTHS + 1)
	                                  : g_strdup_printf("%04d", bar->period);
	g_string_append(out, "<li>");
	if (bar->count > 0) {
		g_string_append(out, "<a href=\"");
		browse_link_append_within(out, search, "date", name);
		g_string_append(out, "\">");
	}
	g_string_append_printf(out,
	        "<b>%u</b> <svg aria-hidden=\"true\" viewBox=\"0 0 1 %d\" "
	        "preserveAspectRatio=\"none\"><rect width=\"1\" y=\"%u\" height=\"%u\"/></svg> "
	        "<span>%s</span>%s</li>",
	        bar->count, FULL, FULL - height, height, name, bar->count > 0 ? "</a>" : "");
}

static void timeline_append_bars(
        GString *out, const BrowseSearch *search, const GArray *bars, int unit)
{
	guint skipped = bars->len > TIMELINE_BARS ? bars->len - TIMELINE_BARS : 0;
	unsigned most = 1;
	for (guint i = skipped; i < bars->len; i++)
		most = MAX(most, g_array_index(bars, Bar, i).count);
	g_string_append(out, "<h3 id=\"timeline\">");
	html_text(out, _("Timeline"));
	g_string_append(out, "</h3>");
	if (skipped > 0) {
		g_string_append(out, "<p class=\"note\">");
		html_text(out, _("Earlier hits are left out."));
		g_string_append(out, "</p>");
	}
	g_string_append(out, "<ol class=\"bars\" aria-labelledby=\"timeline\">");
	for (guint i = skipped; i < bars->len; i++)
		timeline_append_bar(out, search, &g_array_index(bars, Bar, i), unit, most);
	g_string_append(out, "</ol>\n");
}

void browse_timeline_append(GString *out, const SearchResult *result, const BrowseSearch *search)
{
	g_autoptr(GArray) months = timeline_months(result);
	if (months->len == 0)
		return;
	int span = g_array_index(months, int, months->len - 1) - g_array_index(months, int, 0);
	int unit = span < TIMELINE_BARS ? 1 : MONTHS;
	g_autoptr(GArray) bars = timeline_bars(months, unit);
	if (bars->len > 1)
		timeline_append_bars(out, search, bars, unit);
}
