/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-tiddlers.h"
#include "extractors/shared/json-value.h"
#include <string.h>

bool tiddlers_follow(const Token *token)
{
	return strcmp(token->name, "script") == 0 &&
	       span_is(token_attribute(token, "class"), "tiddlywiki-tiddler-store");
}

static const char *tiddler_field(const JsonValue *tiddler, const char *name)
{
	const char *value = json_string(json_member(tiddler, name));
	return value ? value : "";
}

/* Names that begin so are reserved for the program: "$:/core". */
static bool tiddler_is_of_program(const JsonValue *tiddler)
{
	return g_str_has_prefix(tiddler_field(tiddler, "title"), "$:/");
}

/* The type of wiki text is text/vnd.tiddlywiki, or absent. */
static bool tiddler_has_text(const JsonValue *tiddler)
{
	const char *type = tiddler_field(tiddler, "type");
	return !*type || g_str_has_prefix(type, "text/");
}

static void tiddler_put(HtmlWriter *writer, DocTag tag, const char *text)
{
	writer_block(writer);
	writer_text(writer, tag, tag, text, strlen(text));
	writer_block(writer);
}

/* An empty line ends a paragraph. */
static void tiddler_put_text(HtmlWriter *writer, const char *text)
{
	g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);
	for (char **paragraph = paragraphs; *paragraph && !writer->full; paragraph++)
		tiddler_put(writer, TAG_BODY, *paragraph);
}

static void tiddler_write(HtmlWriter *writer, const JsonValue *tiddler)
{
	if (tiddler_is_of_program(tiddler))
		return;
	tiddler_put(writer, TAG_HEADING1 + 1, tiddler_field(tiddler, "title"));
	if (tiddler_has_text(tiddler))
		tiddler_put_text(writer, tiddler_field(tiddler, "text"));
	tiddler_put(writer, TAG_NOISE, tiddler_field(tiddler, "tags"));
}

void tiddlers_write(HtmlWriter *writer, HtmlSpan list)
{
	JsonText json = {.at = list.text, .end = list.text + list.length};
	bool more = json_take(&json, '[');
	while (more && !writer->full) {
		json.values = 0;
		g_autoptr(JsonValue) tiddler = json_take_value(&json);
		if (!tiddler)
			return;
		tiddler_write(writer, tiddler);
		more = json_take(&json, ',');
	}
}
