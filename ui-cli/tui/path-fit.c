/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/path-fit.h"
#include "common/base/text.h"
#include "ui-cli/print/screen.h"
#include <stdbool.h>
#include <string.h>

#define ELLIPSIS "…"

static bool path_fits(const char *path, unsigned cells)
{
	g_autofree char *escaped = screen_escaped(path);
	return text_cells(escaped, strlen(escaped)) <= cells;
}

/* Number of components at the beginning that all paths have. The name is none of them. */
static guint common_directories(char **parts, const GPtrArray *paths)
{
	guint n = MAX(g_strv_length(parts), 1) - 1;
	for (guint i = 0; i < paths->len && n > 0; i++) {
		g_auto(GStrv) other = g_strsplit(paths->pdata[i], "/", -1);
		guint same = 0, length = MAX(g_strv_length(other), 1) - 1;
		while (same < MIN(n, length) && strcmp(parts[same], other[same]) == 0)
			same++;
		n = same;
	}
	return n;
}

/* Number of components at the end that two paths have in common. */
static guint common_end(char **a, guint n_a, char **b, guint n_b)
{
	guint same = 0;
	while (same < MIN(n_a, n_b) && strcmp(a[n_a - 1 - same], b[n_b - 1 - same]) == 0)
		same++;
	return same;
}

/* The component that is different in the path with the longest common end; the name if no other has
 * that name. */
static guint telling_component(char **parts, const GPtrArray *paths, guint at)
{
	guint n = g_strv_length(parts), longest = 0;
	for (guint i = 0; i < paths->len; i++) {
		g_auto(GStrv) other = i != at ? g_strsplit(paths->pdata[i], "/", -1) : NULL;
		guint same = other ? common_end(parts, n, other, g_strv_length(other)) : 0;
		if (same < n)
			longest = MAX(longest, same);
	}
	return n - 1 - longest;
}

/* The end of the text that fits, after an ellipsis; whole characters. */
static char *path_end(const char *path, unsigned cells)
{
	const char *p = path;
	while (*p && (((uint8_t)*p & 0xC0) == 0x80 || !path_fits(p, MAX(cells, 1) - 1)))
		p++;
	return g_strconcat(ELLIPSIS, p, NULL);
}

/* The path from its component first on, and what of it fits best. */
char *path_fit(const GPtrArray *paths, guint at, unsigned cells)
{
	const char *path = paths->pdata[at];
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	guint n = g_strv_length(parts), common = common_directories(parts, paths);
	if (n == 0 || path_fits(path, cells))
		return g_strdup(path);
	g_autofree char *rest = g_strjoinv("/", parts + common);
	g_autofree char *shorter = g_strconcat(ELLIPSIS "/", rest, NULL);
	if (common > 1 && path_fits(shorter, cells))
		return g_steal_pointer(&shorter);
	guint telling = telling_component(parts, paths, at);
	if (telling + 1 < n) {
		const char *between = telling + 2 < n ? "/" ELLIPSIS "/" : "/";
		g_autofree char *both =
		        g_strconcat(ELLIPSIS "/", parts[telling], between, parts[n - 1], NULL);
		if (path_fits(both, cells))
			return g_steal_pointer(&both);
		g_autofree char *alone = g_strconcat(ELLIPSIS "/", parts[telling], NULL);
		if (path_fits(alone, cells))
			return g_steal_pointer(&alone);
	}
	return path_end(path, cells);
}
