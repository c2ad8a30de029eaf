/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-meta.h"
#include "common/base/web-agent.h"
#include "extractors/html/html-element.h"
#include "extractors/shared/keywords.h"
#include "extractors/html/html-entity.h"
#include <string.h>

enum { MOST_CONTENT = 16 << 10, MOST_DIRECTIVES = 4 << 10 };

/* Names of meta elements: HTML, Dublin Core, Open Graph. The first match in the document wins. */
static const struct {
	const char *name;
	DocField field;
} names[] = {
        {"author", FIELD_AUTHOR},
        {"dc.creator", FIELD_AUTHOR},
        {"dcterms.creator", FIELD_AUTHOR},
        {"article:author", FIELD_AUTHOR},
        {"citation_author", FIELD_AUTHOR},
        {"description", FIELD_COMMENT},
        {"dc.description", FIELD_COMMENT},
        {"dcterms.abstract", FIELD_COMMENT},
        {"og:description", FIELD_COMMENT},
        {"abstract", FIELD_COMMENT},
        {"dcterms.description", FIELD_COMMENT},
        {"keywords", FIELD_KEYWORD},
        {"classification", FIELD_KEYWORD},
        {"dcterms.subject", FIELD_KEYWORD},
        {"citation_keywords", FIELD_KEYWORD},
        {"dc.subject", FIELD_KEYWORD},
        {"news_keywords", FIELD_KEYWORD},
        {"article:tag", FIELD_KEYWORD},
        {"date", FIELD_DATE},
        {"dc.date", FIELD_DATE},
        {"dcterms.date", FIELD_DATE},
        {"dcterms.modified", FIELD_DATE},
        {"article:published_time", FIELD_DATE},
        {"article:modified_time", FIELD_DATE},
        {"citation_publication_date", FIELD_DATE},
        {"last-modified", FIELD_DATE},
        {"dcterms.created", FIELD_CREATED},
        {"dc.date.created", FIELD_CREATED},
        {"generator", FIELD_GENERATOR},
        {"dc.title", FIELD_TITLE},
        {"dcterms.title", FIELD_TITLE},
        {"citation_title", FIELD_TITLE},
        {"og:title", FIELD_TITLE},
        {"dc.language", FIELD_LANGUAGE},
        {"content-language", FIELD_LANGUAGE},
        {"language", FIELD_LANGUAGE},
};

static bool is_iso_date(const char *text)
{
	for (int i = 0; i < 10; i++) {
		if (i == 4 || i == 7 ? text[i] != '-' : !g_ascii_isdigit(text[i]))
			return false;
	}
	return true;
}

void meta_date(Meta *meta, DocField field, const char *date)
{
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(date, utc);
	g_autofree char *text = NULL;

	if (meta->sent[field])
		return;
	if (time) {
		g_autoptr(GDateTime) in_utc = g_date_time_to_utc(time);
		text = in_utc ? g_date_time_format(in_utc, "%Y-%m-%dT%H:%M:%SZ") : NULL;
	} else if (is_iso_date(date)) {
		text = g_strndup(date, 10);
	}
	if (!text)
		return;
	meta->sent[field] = true;
	sink_field(meta->sink, field, text, -1);
}

void meta_language(Meta *meta, const char *language)
{
	char code[36];
	size_t used = 0;

	for (; *language && used + 1 < sizeof(code); language++) {
		if (g_ascii_isalnum(*language))
			code[used++] = g_ascii_tolower(*language);
		else if ((*language == '-' || *language == '_') && used > 0)
			code[used++] = '-';
		else
			break;
	}
	if (used < 2 || meta->sent[FIELD_LANGUAGE])
		return;
	meta->sent[FIELD_LANGUAGE] = true;
	sink_field(meta->sink, FIELD_LANGUAGE, code, used);
}

void meta_title(Meta *meta, const char *title)
{
	g_auto(GStrv) words = g_strsplit_set(title, " \t\r\n\f", -1);
	g_autoptr(GString) folded = g_string_new(NULL);

	for (char **word = words; *word; word++) {
		if (**word)
			g_string_append_printf(folded, "%s%s", folded->len > 0 ? " " : "", *word);
	}
	if (folded->len == 0 || meta->sent[FIELD_TITLE])
		return;
	meta->sent[FIELD_TITLE] = true;
	sink_field(meta->sink, FIELD_TITLE, folded->str, folded->len);
}

static void send_once(Meta *meta, DocField field, const char *text)
{
	if (!meta->sent[field])
		sink_field(meta->sink, field, text, -1);
	meta->sent[field] = true;
}

static void send_author(Meta *meta, const char *text)
{
	if (g_strcmp0(meta->author, text) == 0)
		return;
	g_free(meta->author);
	meta->author = g_strdup(text);
	sink_field(meta->sink, FIELD_AUTHOR, text, -1);
}

static void meta_send_fact(Meta *meta, DocField field, const char *text)
{
	switch (field) {
	case FIELD_TITLE:
		meta_title(meta, text);
		break;
	case FIELD_LANGUAGE:
		meta_language(meta, text);
		break;
	case FIELD_DATE:
	case FIELD_CREATED:
		meta_date(meta, field, text);
		break;
	case FIELD_KEYWORD:
		send_keywords(meta->sink, text);
		break;
	case FIELD_AUTHOR:
		send_author(meta, text);
		break;
	default:
		send_once(meta, field, text);
	}
}

static HtmlSpan meta_name(const Token *token)
{
	static const char *const attributes[] = {"name", "property", "http-equiv", "itemprop"};

	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		HtmlSpan name = token_attribute(token, attributes[i]);
		if (name.length > 0)
			return name;
	}
	return (HtmlSpan){NULL, 0};
}

void meta_element(Meta *meta, const Token *token)
{
	HtmlSpan name = meta_name(token), content = token_attribute(token, "content");

	if (!name.text || content.length == 0 || content.length > MOST_CONTENT)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (!span_is(name, names[i].name))
			continue;
		g_autoptr(GString) text = g_string_new(NULL);
		entity_append(text, content, true);
		meta_send_fact(meta, names[i].field, g_strstrip(text->str));
		return;
	}
}

char *meta_refresh_target(const Token *token)
{
	HtmlSpan content = token_attribute(token, "content");

	if (!span_is(token_attribute(token, "http-equiv"), "refresh") ||
	        content.length > MOST_CONTENT)
		return NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	entity_append(text, content, true);
	const char *delay = text->str + strspn(text->str, " \t\r\n\f");
	const char *target = delay + strspn(delay, "0123456789.");
	if (target == delay)
		return NULL;
	target += strspn(target, "; ,\t\r\n\f");
	if (g_ascii_strncasecmp(target, "url", 3) == 0) {
		const char *equals = target + 3 + strspn(target + 3, " \t\r\n\f");
		target = *equals == '=' ? equals + 1 + strspn(equals + 1, " \t\r\n\f") : target;
	}
	const char *end = *target == '"' || *target == '\'' ? strchr(target + 1, *target) : NULL;
	target += *target == '"' || *target == '\'';
	g_autofree char *url = end ? g_strndup(target, end - target) : g_strdup(target);
	return *g_strstrip(url) ? g_steal_pointer(&url) : NULL;
}

/* ---- directives for robots */

static bool is_directive_byte(char byte)
{
	return g_ascii_isalnum(byte) || byte == '-' || byte == '_' || byte == ':';
}

/* Appends the directives in lower case. Whatever stands between them becomes a comma. */
static void meta_add_directives(GString *out, const char *text)
{
	while (*text && out->len < MOST_DIRECTIVES) {
		const char *begin = text;
		while (is_directive_byte(*text))
			text++;
		if (text == begin) {
			text++;
			continue;
		}
		g_autofree char *word = g_ascii_strdown(begin, text - begin);
		g_string_append_printf(out, "%s%s", out->len > 0 ? "," : "", word);
	}
}

static void meta_read_robots(GString *out, const Token *token)
{
	HtmlSpan name = meta_name(token), content = token_attribute(token, "content");

	if (content.length == 0 || content.length > MOST_CONTENT ||
	        (!span_is(name, "robots") && !span_is(name, WEB_AGENT_NAME)))
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	entity_append(text, content, true);
	meta_add_directives(out, text->str);
}

static bool is_raw_element(const Token *token, ElementKind kind)
{
	return kind == ELEMENT_SKIPPED || kind == ELEMENT_AREA || kind == ELEMENT_TITLE ||
	       strcmp(token->name, "iframe") == 0;
}

void meta_send_robots(Sink *sink, const char *text, size_t length, bool xml)
{
	g_autoptr(GString) directives = g_string_new(NULL);
	Tokenizer tokenizer;
	Token token;

	token_init(&tokenizer, text, length);
	while (token_next(&tokenizer, &token)) {
		if (token.kind != TOKEN_OPEN)
			continue;
		ElementKind kind = element_find(token.name)->kind;
		if (kind == ELEMENT_META)
			meta_read_robots(directives, &token);
		else if (is_raw_element(&token, kind) && !(xml && token.closed))
			token_raw(&tokenizer, token.name);
	}
	sink_field(sink, FIELD_ROBOTS, directives->str, directives->len);
}

void meta_clear(Meta *meta)
{
	g_clear_pointer(&meta->author, g_free);
}
