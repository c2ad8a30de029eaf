/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-read.h"
#include "common/base/text.h"
#include "ui-cli/app/doc-page.h"
#include "ui-cli/app/doc-text.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-target.h"
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include "ui-cli/print/json-writer.h"

enum { CHARS = 20000, READ_TAIL_COST = 400 }; /* of offsets and keys */

static unsigned mcp_read_break(const Document *doc, guint i)
{
	return g_array_index(doc->breaks, DocBreak, i).number;
}

static void mcp_read_append_pages(GString *out, const Document *doc, unsigned first, unsigned last)
{
	const Screen screen = {0};
	unsigned before = 0;
	for (guint i = 0; i < doc->breaks->len; i++) {
		unsigned page = mcp_read_break(doc, i);
		if (page < first || page > last || page == before)
			continue;
		g_string_append_printf(out, "%s[%s %u]\n", out->len > 0 ? "\n" : "",
		        document_break_name(g_array_index(doc->breaks, DocBreak, i).kind), page);
		doc_page_append(&screen, out, doc, page);
		before = page;
	}
}

GString *mcp_read_text(const Document *doc, unsigned first, unsigned last)
{
	const Screen screen = {0};
	g_autoptr(GString) raw = g_string_new(NULL);
	GString *text = g_string_new(NULL);
	if (last > first && doc->breaks->len > 0)
		mcp_read_append_pages(raw, doc, first, last);
	else
		doc_page_append(&screen, raw, doc, first);
	text_append_visible(text, raw->str, raw->len);
	return text;
}

char *mcp_read_missing_page(const Document *doc, unsigned page)
{
	if (page == 0 || doc_has_page(doc, page))
		return NULL;
	if (doc->breaks->len == 0)
		return g_strdup_printf("There is no page %u; the document has no pages.", page);
	return g_strdup_printf("There is no page %u; the document has the pages %u to %u.", page,
	        mcp_read_break(doc, 0), mcp_read_break(doc, doc->breaks->len - 1));
}

/* Appends the part of the text from offset on, and how to go on. */
static void mcp_read_append_part(
        GString *object, const GString *text, uint64_t offset, uint64_t max_chars)
{
	uint64_t total = g_utf8_strlen(text->str, text->len), start = MIN(offset, total);
	const char *begin = g_utf8_offset_to_pointer(text->str, start);
	const char *end = g_utf8_offset_to_pointer(begin, MIN(max_chars, total - start));
	size_t cost = mcp_cost(object->str, object->len) + READ_TAIL_COST;
	size_t length =
	        mcp_fit(begin, end - begin, cost < MCP_OBJECT_COST ? MCP_OBJECT_COST - cost : 0);
	g_autofree char *part = g_strndup(begin, length);
	uint64_t next = start + g_utf8_strlen(part, -1);
	json_unsigned(object, "offset", start);
	json_unsigned(object, "total_chars", total);
	if (next < total)
		json_unsigned(object, "next_offset", next);
	json_text(object, "text", part);
}

static void mcp_read_append_head(GString *object, const Document *doc, const Info *info)
{
	bool failed = doc->state == STATE_FAILED;
	mcp_append_place(object, info);
	mcp_append_facts(object, info);
	if (doc->breaks->len > 0) {
		json_unsigned(object, "first_page", mcp_read_break(doc, 0));
		json_unsigned(object, "last_page", mcp_read_break(doc, doc->breaks->len - 1));
	}
	json_bool(object, "complete", !failed && !doc->truncated);
	if (failed || doc->truncated)
		mcp_append_text(object, "problem", document_reason_text(doc->reason), 500);
}

bool mcp_read(McpCall *call, const json_t *arguments, GString *object, char **problem_r)
{
	unsigned first = mcp_argument_number(arguments, "page", 0);
	unsigned last = mcp_argument_number(arguments, "last_page", first);
	g_autofree char *name = mcp_target_name(json_object_get(arguments, "document"));
	g_autoptr(Info) info = mcp_target(call, name, problem_r);
	g_autoptr(Document) doc = info ? mcp_target_text(call, info, problem_r) : NULL;

	if (!doc)
		return false;
	if (last < first || (first == 0 && last > 0))
		*problem_r = g_strdup("last_page needs a page that is not after it.");
	else
		*problem_r = mcp_read_missing_page(doc, first);
	if (*problem_r)
		return false;
	g_autoptr(GString) text = mcp_read_text(doc, first, last);
	mcp_read_append_head(object, doc, info);
	mcp_read_append_part(object, text, mcp_argument_number(arguments, "offset", 0),
	        mcp_argument_number(arguments, "max_chars", CHARS));
	return true;
}
