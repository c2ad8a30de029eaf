/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-usage.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/read/reader-usage.h"
#include "ui-cli/app/counts.h"
#include "ui-web/browse-fail.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-page.h"
#include "ui-web/browse-target.h"
#include <microhttpd.h>
#include <string.h>

enum { ENTRIES_SHOWN = 200, TYPES_SHOWN = 30, BAR_UNITS = 1000, PERCENT = 100 };

/* The policy of the page forbids styles in elements, so the length is an attribute of SVG. */
static void usage_append_bar(GString *out, uint64_t part, uint64_t whole)
{
	unsigned length = whole > 0 ? (unsigned)((double)part / whole * BAR_UNITS) : 0;
	g_string_append_printf(out,
	        "<td class=\"bar\"><svg aria-hidden=\"true\" viewBox=\"0 0 %d 1\" "
	        "preserveAspectRatio=\"none\"><rect width=\"%u\" height=\"1\"/></svg></td>",
	        BAR_UNITS, length);
}

static void usage_append_number(GString *out, uint64_t number)
{
	g_string_append_printf(out, "<td class=\"number\">%" G_GUINT64_FORMAT "</td>", number);
}

static void usage_append_size(GString *out, uint64_t bytes)
{
	g_autofree char *size = g_format_size(bytes);
	browse_page_append_cell(out, "td class=\"number\"", size);
}

/* Nothing, rather than none, where nothing lies elsewhere. */
static void usage_append_share(GString *out, uint64_t part, uint64_t whole)
{
	double share = whole > 0 ? (double)part / whole * PERCENT : 0;
	g_autofree char *text = part == 0   ? g_strdup("")
	                        : share < 1 ? g_strdup(_("less than 1 %"))
	                                    : g_strdup_printf(_("%.0f %%"), share);
	browse_page_append_cell(out, "td class=\"number\"", text);
}

static void usage_append_head(GString *out, const char *name, bool copies)
{
	g_string_append(out, "<table><thead><tr>");
	browse_page_append_cell(out, "th scope=\"col\"", name);
	browse_page_append_cell(out, "th scope=\"col\" class=\"number\"", _("Size"));
	g_string_append(out, "<td></td>");
	browse_page_append_cell(out, "th scope=\"col\" class=\"number\"", _("Files"));
	if (copies)
		browse_page_append_cell(
		        out, "th scope=\"col\" class=\"number\"", _("Also elsewhere"));
	g_string_append(out, "</tr></thead><tbody>\n");
}

/* ---- entries */

/* The entry as it is now; NULL: the user may not be told of it. */
static Info *usage_info(BrowseWorker *worker, int64_t node)
{
	g_autoptr(GPtrArray) infos = NULL;
	Visible *visible = cli_visible(worker->cli, NULL);
	if (!visible || !reader_info_by_node(worker->cli->reader, node, &infos, NULL) ||
	        infos->len == 0 || !visible_entry(visible, infos->pdata[0], NULL))
		return NULL;
	return g_ptr_array_steal_index(infos, 0);
}

static void usage_append_name(GString *out, const Info *info, bool whole, bool directory)
{
	g_autofree char *name = whole ? g_strdup(info->path) : g_path_get_basename(info->path);
	bool links = directory || info->document != 0;
	g_string_append(out, "<th scope=\"row\">");
	if (directory) {
		g_string_append_printf(
		        out, "<a href=\"/usage?node=%" G_GINT64_FORMAT "\">", info->node);
	} else if (links) {
		g_string_append(out, "<a href=\"/text?id=");
		browse_target_append(out, info);
		g_string_append(out, "\">");
	}
	html_name(out, name);
	g_string_append_printf(out, "%s%s</th>", directory ? "/" : "", links ? "</a>" : "");
}

static bool usage_append_entry(
        BrowseWorker *worker, GString *out, const Usage *usage, const UsageEntry *entry, bool roots)
{
	g_autoptr(Info) info = usage_info(worker, entry->node);
	if (!info)
		return false;
	g_string_append(out, "<tr>");
	usage_append_name(out, info, roots || path_is_web(info->path), entry->directory);
	usage_append_size(out, entry->bytes);
	usage_append_bar(out, entry->bytes, usage->bytes);
	usage_append_number(out, entry->files);
	usage_append_share(out, entry->copied, entry->bytes);
	g_string_append(out, "</tr>\n");
	return true;
}

static void usage_append_entries(BrowseWorker *worker, GString *out, const Usage *usage, bool roots)
{
	guint n = usage->entries->len, shown = 0, i = 0;
	usage_append_head(out, _("Name"), true);
	for (; i < n && shown < ENTRIES_SHOWN; i++) {
		const UsageEntry *entry = &g_array_index(usage->entries, UsageEntry, i);
		shown += usage_append_entry(worker, out, usage, entry, roots);
	}
	g_string_append(out, "</tbody></table>\n");
	if (i < n) {
		g_autofree char *line =
		        g_strdup_printf(ngettext("%u smaller entry is left out.",
		                                "%u smaller entries are left out.", n - i),
		                n - i);
		browse_page_append_note(out, "note", line);
	}
}

/* ---- types */

static void usage_append_type(GString *out, const Usage *usage, const UsageType *type)
{
	g_string_append(out, "<tr><th scope=\"row\">");
	html_text(out, *type->mime ? type->mime : _("not read yet, or not readable"));
	g_string_append(out, "</th>");
	usage_append_size(out, type->bytes);
	usage_append_bar(out, type->bytes, usage->bytes);
	usage_append_number(out, type->files);
	g_string_append(out, "</tr>\n");
}

static void usage_append_types(GString *out, const Usage *usage)
{
	g_string_append(out, "<h2>");
	html_text(out, _("Types"));
	g_string_append(out, "</h2>");
	usage_append_head(out, _("Type"), false);
	for (guint i = 0; i < MIN(usage->types->len, TYPES_SHOWN); i++)
		usage_append_type(out, usage, &g_array_index(usage->types, UsageType, i));
	g_string_append(out, "</tbody></table>\n");
}

/* ---- around */

static void usage_append_step(GString *out, int64_t node, const char *name)
{
	g_string_append_printf(out, "<li><a href=\"/usage?node=%" G_GINT64_FORMAT "\">", node);
	html_name(out, name);
	g_string_append(out, "</a></li>");
}

/* The directories above, from the root on; the last one is this one. */
static void usage_append_way(BrowseWorker *worker, GString *out, const Info *info)
{
	const GPtrArray *roots = cli_roots(worker->cli, NULL);
	g_autoptr(GPtrArray) infos = NULL;
	size_t begin = 0, length = strlen(info->path);
	for (guint i = 0; roots && i < roots->len; i++)
		if (paths_is_below(info->path, roots->pdata[i]))
			begin = MAX(begin, strlen(roots->pdata[i]));
	for (size_t end = begin; begin > 0 && end < length;
	        end += 1 + strcspn(info->path + end + 1, "/")) {
		g_autofree char *path = g_strndup(info->path, end);
		g_autofree char *name = end == begin ? g_strdup(path) : g_path_get_basename(path);
		g_clear_pointer(&infos, g_ptr_array_unref);
		if (reader_info(worker->cli->reader, path, &infos, NULL) && infos->len > 0)
			usage_append_step(out, ((const Info *)infos->pdata[0])->node, name);
	}
}

static void usage_append_place(BrowseWorker *worker, GString *out, const Info *info)
{
	g_string_append(out, "<nav class=\"way\" aria-label=\"");
	html_text(out, _("Directory"));
	g_string_append(out, "\"><ol><li><a href=\"/usage\">");
	html_text(out, _("All"));
	g_string_append(out, "</a></li>");
	usage_append_way(worker, out, info);
	g_string_append(out, "<li aria-current=\"location\">");
	html_name(out, info->path);
	g_string_append(out, "</li></ol></nav>\n");
	if (!html_is_exact(info->path))
		return;
	g_string_append(out, "<p class=\"note\"><a href=\"/?in=");
	html_query(out, info->path);
	g_string_append(out, "\">");
	html_text(out, _("Search here"));
	g_string_append(out, "</a></p>\n");
}

static void usage_append_sum(GString *out, const Usage *usage)
{
	g_autofree char *files = count_files(usage->files);
	g_autofree char *size = g_format_size(usage->bytes);
	g_autofree char *copied = g_format_size(usage->copied);
	g_autofree char *line =
	        usage->copied > 0
	                ? g_strdup_printf(_("%s in %s; of %s there are copies elsewhere."), size,
	                          files, copied)
	                : g_strdup_printf(_("%s in %s."), size, files);
	browse_page_append_note(out, "summary", line);
}

void browse_usage(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	g_autoptr(GError) error = NULL;
	gint64 node = 0;
	bool all = !g_ascii_string_to_signed(
	        browse_field(worker->request, "node"), 10, 1, G_MAXINT64, &node, NULL);
	Reader *reader = browse_reader(worker, &error);
	g_autoptr(Info) info = reader && !all ? usage_info(worker, node) : NULL;
	if (reader && !all && (!info || info->stat.kind != ENTRY_DIR)) {
		browse_fail(worker, MHD_HTTP_NOT_FOUND, _("This directory is no longer there."));
		return;
	}
	g_autoptr(Usage) usage = reader ? reader_usage(reader, node, &error) : NULL;
	if (!usage) {
		browse_fail_error(worker, error);
		return;
	}
	browse_page_begin_view(worker, _("Disk use and copies"));
	if (info)
		usage_append_place(worker, out, info);
	usage_append_sum(out, usage);
	usage_append_entries(worker, out, usage, all);
	usage_append_types(out, usage);
	browse_page_end_view(worker);
}
