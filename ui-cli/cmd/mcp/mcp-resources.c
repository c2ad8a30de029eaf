/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-resources.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-list.h"
#include "ui-cli/cmd/mcp/mcp-read.h"
#include "ui-cli/cmd/mcp/mcp-saved.h"
#include "ui-cli/cmd/mcp/mcp-target.h"
#include "common/base/text.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"
#include <string.h>

enum { RESOURCES = 40, RESOURCE_ROOM = 50000 };

/* ---- lists */

/* A cursor is "o" and an offset. False: it is none. */
static bool mcp_resources_cursor(const json_t *cursor, unsigned *offset_r)
{
	const char *text = json_string_value(cursor);
	guint64 offset;
	*offset_r = 0;
	if (!cursor)
		return true;
	if (!text || *text != 'o' ||
	        !g_ascii_string_to_unsigned(text + 1, 10, 0, G_MAXINT32, &offset, NULL))
		return false;
	*offset_r = offset;
	return true;
}

/* A name may have a newline, which would be a line of its own to who reads it. */
static void mcp_resources_append_name(
        GString *out, const char *key, const char *name, size_t max_bytes)
{
	g_autoptr(GString) escaped = g_string_new(NULL);
	text_append_escaped(escaped, name, -1);
	mcp_append_text(out, key, escaped->str, max_bytes);
}

static void mcp_resources_append_entry(GString *out, const Info *info)
{
	g_autofree char *uri = g_strdup_printf("tarsier://%" G_GINT64_FORMAT, info->document);
	g_autofree char *name = g_path_get_basename(info->member ? info->member : info->path);
	json_open(out, NULL, '{');
	json_text(out, "uri", uri);
	mcp_resources_append_name(out, "name", name, 150);
	mcp_append_text(out, "title", info->title, 200);
	mcp_resources_append_name(out, "description", info->path, 300);
	mcp_append_text(out, "mimeType", info->mime, 100);
	if (info_size(info) >= 0)
		json_int(out, "size", info_size(info));
	json_open(out, "annotations", '{');
	json_time(out, "lastModified", info_mtime(info), false);
	json_close(out, '}');
	json_close(out, '}');
}

void mcp_resources_list(McpCall *call)
{
	const McpListing listing = {NULL, NULL, SORT_DATE, DUPS_COLLAPSE};
	g_autoptr(GError) error = NULL;
	unsigned offset;
	if (!mcp_resources_cursor(mcp_call_param(call, "cursor"), &offset)) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Invalid cursor");
		return;
	}
	g_autoptr(SearchResult) result =
	        mcp_call_reader(call, &error)
	                ? mcp_list_entries(call, &listing, RESOURCES + 1, offset, &error)
	                : NULL;
	if (!result) {
		g_autofree char *why = error ? cli_error_text(error) : NULL;
		mcp_call_fail(call, MCP_INTERNAL_ERROR, "%s", why ? why : "no index");
		return;
	}
	json_open(call->result, "resources", '[');
	if (offset == 0)
		mcp_saved_append_entries(call->session->cli, call->result);
	for (guint i = 0; i < MIN(result->hits->len, RESOURCES); i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		if (info->document != 0) /* others cannot be read */
			mcp_resources_append_entry(call->result, info);
	}
	json_close(call->result, ']');
	if (result->hits->len <= RESOURCES)
		return;
	g_autofree char *cursor = g_strdup_printf("o%u", offset + RESOURCES);
	json_text(call->result, "nextCursor", cursor);
}

void mcp_resources_templates(McpCall *call)
{
	static const struct {
		const char *uri, *name, *description;
	} templates[] = {
	        {"tarsier://{id}", "document", "The text of a document"},
	        {"tarsier://{id}?page={page}", "page", "A page, slide or sheet of a document"},
	        {"tarsier://{id}?offset={offset}", "part",
	                "The text of a document from a character on"},
	        {"tarsier://saved/{name}", "saved search",
	                "What a saved search finds now; can be subscribed to"},
	};
	if (mcp_call_param(call, "cursor")) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Invalid cursor");
		return;
	}
	json_open(call->result, "resourceTemplates", '[');
	for (size_t i = 0; i < G_N_ELEMENTS(templates); i++) {
		json_open(call->result, NULL, '{');
		json_text(call->result, "uriTemplate", templates[i].uri);
		json_text(call->result, "name", templates[i].name);
		json_text(call->result, "description", templates[i].description);
		json_text(call->result, "mimeType", "text/plain");
		json_close(call->result, '}');
	}
	json_close(call->result, ']');
}

/* ---- one resource */

typedef struct {
	int64_t id;
	unsigned page; /* 0: all */
	uint64_t offset; /* in characters */
} ResourceUri;

static bool mcp_resources_number(const char *text, guint64 low, guint64 high, guint64 *out)
{
	return g_ascii_string_to_unsigned(text, 10, low, high, out, NULL);
}

/* "tarsier://7", with "?page=3", "?offset=50000" or "?page=3&offset=50000". */
static bool mcp_resources_parse(const char *uri, ResourceUri *out)
{
	guint64 id, page = 0, offset = 0;
	if (!g_str_has_prefix(uri, "tarsier://"))
		return false;
	g_auto(GStrv) parts = g_strsplit_set(uri + strlen("tarsier://"), "?&", 4);
	bool good = parts[0] && mcp_resources_number(parts[0], 1, G_MAXINT64, &id);
	for (char **part = good ? parts + 1 : NULL; good && *part; part++)
		good = g_str_has_prefix(*part, "page=")
		               ? mcp_resources_number(*part + 5, 1, 1000000, &page)
		               : g_str_has_prefix(*part, "offset=") &&
		                         mcp_resources_number(*part + 7, 0, G_MAXINT32, &offset);
	if (good)
		*out = (ResourceUri){(int64_t)id, page, offset};
	return good;
}

static void mcp_resources_fail(McpCall *call, const char *uri, const char *why)
{
	bool modern = call->version >= MCP_2026_07_28;
	mcp_call_fail(call, modern ? MCP_INVALID_PARAMS : MCP_RESOURCE_NOT_FOUND,
	        "Resource not found: %s", why);
	call->data = g_string_new(NULL);
	json_open(call->data, NULL, '{');
	mcp_append_text(call->data, "uri", uri, 500);
	json_close(call->data, '}');
}

static void mcp_resources_append_content(
        GString *out, const char *uri, const char *text, const char *next)
{
	json_open(out, NULL, '{');
	json_text(out, "uri", uri);
	json_text(out, "mimeType", "text/plain");
	json_text(out, "text", text);
	json_open(out, "_meta", '{');
	json_text(out, "notice", mcp_notice);
	if (next)
		json_text(out, "next", next);
	json_close(out, '}');
	json_close(out, '}');
}

/* A second content says how to go on, because clients need not show _meta. */
static void mcp_resources_append_part(
        GString *out, const char *uri, const ResourceUri *where, const GString *text)
{
	uint64_t total = g_utf8_strlen(text->str, text->len), start = MIN(where->offset, total);
	const char *begin = g_utf8_offset_to_pointer(text->str, start);
	size_t left = text->len - (begin - text->str);
	size_t length = mcp_fit(begin, left, 2 * RESOURCE_ROOM);
	g_autofree char *part = g_strndup(begin, length);
	g_autofree char *page = where->page ? g_strdup_printf("page=%u&", where->page) : NULL;
	g_autofree char *next = NULL;
	if (length < left)
		next = g_strdup_printf("tarsier://%" G_GINT64_FORMAT "?%soffset=%" G_GUINT64_FORMAT,
		        where->id, page ? page : "", start + g_utf8_strlen(part, -1));
	json_open(out, "contents", '[');
	mcp_resources_append_content(out, uri, part, next);
	if (next) {
		g_autofree char *more = g_strdup_printf("The text goes on at %s", next);
		mcp_resources_append_content(out, next, more, NULL);
	}
	json_close(out, ']');
}

static void mcp_resources_read_saved(McpCall *call, const char *uri, const char *name)
{
	g_autofree char *problem = NULL;
	g_autoptr(GString) list = mcp_saved_list(call, name, &problem);
	if (!list) {
		mcp_resources_fail(call, uri, problem);
		return;
	}
	json_open(call->result, "contents", '[');
	mcp_resources_append_content(call->result, uri, list->str, NULL);
	json_close(call->result, ']');
}

void mcp_resources_read(McpCall *call)
{
	const char *uri = json_string_value(mcp_call_param(call, "uri"));
	g_autoptr(GError) error = NULL;
	g_autofree char *problem = NULL;
	ResourceUri where;
	if (!uri) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Invalid params: uri must be a string");
		return;
	}
	g_autofree char *name = mcp_saved_name(uri);
	if (name) {
		mcp_resources_read_saved(call, uri, name);
		return;
	}
	if (!mcp_resources_parse(uri, &where)) {
		mcp_resources_fail(call, uri, "a URI is tarsier://ID or tarsier://saved/NAME");
		return;
	}
	g_autoptr(Info) info = mcp_target_by_id(call, where.id, &error);
	if (error || !info) {
		problem = error ? cli_error_text(error) : NULL;
		mcp_resources_fail(call, uri, problem ? problem : "there is no such document");
		return;
	}
	g_autoptr(Document) doc = mcp_target_text(call, info, &problem);
	if (!doc) {
		mcp_call_fail(call, MCP_INTERNAL_ERROR, "%s", problem);
		return;
	}
	problem = mcp_read_missing_page(doc, where.page);
	if (problem) {
		mcp_resources_fail(call, uri, problem);
		return;
	}
	g_autoptr(GString) text = mcp_read_text(doc, where.page, where.page);
	mcp_resources_append_part(call->result, uri, &where, text);
}
