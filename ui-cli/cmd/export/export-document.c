/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-document.h"
#include "ui-cli/cmd/export/export-words.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"

static void append_tokens(GString *out, const char *key, const GPtrArray *tokens)
{
	json_open(out, key, '[');
	for (guint i = 0; i < tokens->len; i++)
		json_text(out, NULL, tokens->pdata[i]);
	json_close(out, ']');
}

void export_append_place(GString *out, const Info *info, const AccessList *access, bool words)
{
	json_open(out, NULL, '{');
	json_path(out, info->path);
	json_text(out, "source", entry_source_name(info->source));
	json_unsigned(out, "uid", info->stat.uid);
	json_unsigned(out, "gid", info->stat.gid);
	entry_json_mode(out, info);
	json_time(out, "mtime", info->stat.mtime_ns / 1000000000, false);
	append_tokens(out, "allow", access->allow);
	append_tokens(out, "deny", access->deny);
	if (words)
		export_append_name_words(out, info->path);
	json_close(out, '}');
}

/* ---- text */

/* Walks through the runs and the breaks at once. */
typedef struct {
	GString *out;
	const Document *doc;
	GString *text, *noise; /* of the current part */
	guint next_break;
	const DocBreak *part; /* NULL: before the first break */
} ExportTextWalk;

static void export_walk_end_part(ExportTextWalk *walk)
{
	if (walk->text->len == 0 && walk->noise->len == 0)
		return;
	json_open(walk->out, NULL, '{');
	if (walk->part) {
		json_text(walk->out, "kind", document_break_name(walk->part->kind));
		json_unsigned(walk->out, "number", walk->part->number);
		if (walk->part->label)
			json_text(walk->out, "label", walk->part->label);
	}
	json_text(walk->out, "text", walk->text->str);
	if (walk->noise->len > 0)
		json_text(walk->out, "noise", walk->noise->str);
	json_close(walk->out, '}');
	g_string_truncate(walk->text, 0);
	g_string_truncate(walk->noise, 0);
}

/* The next break that is not behind offset, or NULL. */
static const DocBreak *export_walk_break(const ExportTextWalk *walk, uint32_t offset)
{
	const GArray *breaks = walk->doc->breaks;
	if (walk->next_break >= breaks->len)
		return NULL;
	const DocBreak *next = &g_array_index(breaks, DocBreak, walk->next_break);
	return next->offset <= offset ? next : NULL;
}

static void export_walk_to(ExportTextWalk *walk, uint32_t offset)
{
	for (const DocBreak *next; (next = export_walk_break(walk, offset)); walk->next_break++) {
		export_walk_end_part(walk);
		walk->part = next;
	}
}

static uint32_t export_walk_limit(const ExportTextWalk *walk, uint32_t end)
{
	const DocBreak *next = export_walk_break(walk, G_MAXUINT32);
	return next ? MIN(next->offset, end) : end;
}

/* Breaks may lie inside a run. */
static void export_walk_run(ExportTextWalk *walk, const DocRun *run)
{
	uint32_t at = run->offset, end = run->offset + run->length;
	bool begins_block = run->flags & DOC_RUN_BLOCK;
	while (at < end) {
		export_walk_to(walk, at);
		uint32_t stop = export_walk_limit(walk, end);
		GString *text = run->tag == TAG_NOISE ? walk->noise : walk->text;
		if (begins_block && text->len > 0)
			g_string_append_c(text, '\n');
		g_string_append_len(text, walk->doc->text->str + at, stop - at);
		begins_block = false;
		at = stop;
	}
}

static void append_text(GString *out, const Document *doc)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) noise = g_string_new(NULL);
	ExportTextWalk walk = {.out = out, .doc = doc, .text = text, .noise = noise};
	json_open(out, "text", '[');
	for (guint i = 0; i < doc->runs->len; i++)
		export_walk_run(&walk, &g_array_index(doc->runs, DocRun, i));
	export_walk_end_part(&walk);
	json_close(out, ']');
}

/* ---- facts */

static void append_fact_values(GString *out, const Document *doc, DocField field)
{
	bool open = false;
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field != field)
			continue;
		if (!open)
			json_open(out, document_field_name(field), '[');
		open = true;
		json_text(out, NULL, fact->value);
	}
	if (open)
		json_close(out, ']');
}

static void append_facts(GString *out, const Document *doc)
{
	json_open(out, "facts", '{');
	for (DocField field = 0; field < N_FIELDS; field++)
		append_fact_values(out, doc, field);
	json_close(out, '}');
}

/* ---- the line */

static void append_ids(GString *out, const ExportLine *line, const Info *info)
{
	g_autofree char *id =
	        g_strdup_printf("%s:%" G_GINT64_FORMAT, line->instance, info->document);
	json_text(out, "type", "document");
	json_text(out, "id", id);
	json_int(out, "content", line->content);
	json_hex(out, "checksum", info->has_checksum ? info->checksum : NULL, CHECKSUM_BYTES);
	json_bytes(out, "member", info->member);
}

static void append_index_facts(GString *out, const Info *info)
{
	g_autofree char *simhash = NULL;
	if (info->has_near)
		simhash = g_strdup_printf("%016" G_GINT64_MODIFIER "x", info->near.simhash);
	json_text(out, "kind", entry_type(info));
	json_text(out, "mime", info->mime);
	json_text(out, "title", info->title);
	json_text(out, "author", info->author);
	json_text(out, "lang", info->lang);
	json_time(out, "date", info->date, true);
	json_time(out, "mtime", info_mtime(info), false);
	if (info_size(info) >= 0)
		json_int(out, "size", info_size(info));
	else
		json_nil(out, "size");
	json_count(out, "pages", info->pages);
	json_count(out, "seconds", info->seconds);
	json_text(out, "simhash", simhash);
	json_text(out, "state", info_state_name(info));
	json_text(out, "reason",
	        info->reason != REASON_NONE ? document_reason_name(info->reason) : NULL);
}

void export_append_document(
        GString *out, const ExportLine *line, const Info *info, const Document *doc)
{
	json_open(out, NULL, '{');
	append_ids(out, line, info);
	append_index_facts(out, info);
	json_open(out, "places", '[');
	g_string_append(out, line->places);
	json_close(out, ']');
	if (doc) {
		append_facts(out, doc);
		append_text(out, doc);
	} else if (line->text) {
		json_nil(out, "facts");
		json_nil(out, "text");
	}
	if (line->words)
		export_append_words(out, info, doc);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}
