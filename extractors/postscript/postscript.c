/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postscript.c - the strings of a PostScript program in the order in which they are shown, and its
 * comments (Document Structuring Conventions 3.0) */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/postscript/ps-dvips.h"
#include "extractors/postscript/ps-groff.h"
#include "extractors/postscript/ps-page.h"
#include "extractors/postscript/ps-token.h"
#include <string.h>

enum { MAX_VALUE = 1024, DOS_HEADER = 30 };

typedef struct {
	Tokens tokens;
	PsPage page;
	Dvips *dvips; /* NULL: another program wrote it */
	Groff *groff; /* the same */
	Sink *sink;
	unsigned depth; /* nesting of procedures */
	bool titled;
	unsigned endless; /* a bit for each of the sections that has no end in the rest */
} PostscriptReader;

/* Returns the value of "Key: value" without parentheses around it; NULL: the comment has another
 * key. The caller owns it. */
static char *postscript_value_of(const PostscriptReader *reader, const char *key)
{
	size_t length = strlen(key);
	const Tokens *tokens = &reader->tokens;
	if (tokens->length <= length || tokens->length - length > MAX_VALUE ||
	        strncmp(tokens->text, key, length) != 0)
		return NULL;
	g_autofree char *raw = g_strndup(tokens->text + length, tokens->length - length);
	g_autofree char *text = decode_text((const uint8_t *)raw, strlen(raw), NULL, NULL, NULL);
	g_strstrip(text);
	size_t end = strlen(text);
	if (end >= 2 && text[0] == '(' && text[end - 1] == ')')
		return g_strndup(text + 1, end - 2);
	return g_steal_pointer(&text);
}

static void postscript_take_creator(PostscriptReader *reader, const char *creator)
{
	if (reader->dvips || reader->groff)
		return;
	if (g_str_has_prefix(creator, "dvips"))
		reader->dvips = dvips_new(&reader->page);
	else if (g_str_has_prefix(creator, "groff"))
		reader->groff = groff_new(&reader->page);
}

static void read_facts(PostscriptReader *reader)
{
	static const struct {
		const char *key;
		DocField field;
	} facts[] = {{"Title:", FIELD_TITLE}, {"For:", FIELD_AUTHOR}, {"Creator:", FIELD_GENERATOR},
	        {"Pages:", FIELD_PAGES}, {"Keywords:", FIELD_KEYWORD}};
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_autofree char *value = postscript_value_of(reader, facts[i].key);
		bool right = value && *value &&
		             (facts[i].field != FIELD_PAGES ||
		                     strspn(value, "0123456789") == strlen(value)) &&
		             strcmp(value, "(atend)") != 0 && strcmp(value, "atend") != 0 &&
		             !(facts[i].field == FIELD_TITLE && reader->titled);
		if (right)
			sink_field(reader->sink, facts[i].field, value, -1);
		reader->titled |= right && facts[i].field == FIELD_TITLE;
		if (right && facts[i].field == FIELD_GENERATOR)
			postscript_take_creator(reader, value);
	}
}

/* Text between each of these pairs of comments belongs to no page. */
static const char *const sections[][2] = {{"BeginProlog", "%%EndProlog"},
        {"BeginResource", "%%EndResource"}, {"BeginFont", "%%EndFont"},
        {"BeginProcSet", "%%EndProcSet"}, {"BeginData", "%%EndData"},
        {"BeginBinary", "%%EndBinary"}, {"BeginPreview", "%%EndPreview"},
        {"BeginDefaults", "%%EndDefaults"}, {"BeginFeature", "%%EndFeature"},
        {"BeginDocument", "%%EndDocument"}}; /* a figure, in what dvips and groff wrote */
enum { DOCUMENT_SECTION = G_N_ELEMENTS(sections) - 1 };

static void postscript_skip_section(PostscriptReader *reader)
{
	size_t n = reader->dvips || reader->groff ? G_N_ELEMENTS(sections) : DOCUMENT_SECTION;
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(sections[i][0]);
		if (reader->tokens.length >= length &&
		        strncmp(reader->tokens.text, sections[i][0], length) == 0) {
			Tokens before = reader->tokens;
			if (!(reader->endless & 1u << i) &&
			        !ps_skip_to(&reader->tokens, sections[i][1])) {
				reader->tokens = before;
				reader->endless |= 1u << i;
			}
			return;
		}
	}
}

static void postscript_read_comment(PostscriptReader *reader)
{
	Tokens *tokens = &reader->tokens;
	read_facts(reader);
	if (tokens->length > 5 && strncmp(tokens->text, "Page:", 5) == 0) {
		reader->depth = 0;
		ps_page_break(&reader->page);
	}
	if (reader->dvips)
		dvips_comment(reader->dvips, tokens->text, tokens->length);
	postscript_skip_section(reader);
}

/* A font follows as bytes, up to a line of zeros. */
static void postscript_read_name(PostscriptReader *reader)
{
	Tokens *tokens = &reader->tokens;
	if (ps_is(tokens, "eexec")) {
		const uint8_t *end =
		        memmem(tokens->at, tokens->end - tokens->at, "cleartomark", 11);
		tokens->at = end ? end : tokens->end;
	} else if (ps_is(tokens, "showpage")) {
		ps_page_operator(&reader->page, "moveto", 6);
	} else {
		ps_page_operator(&reader->page, tokens->text, tokens->length);
	}
}

static void postscript_read_dvips(PostscriptReader *reader, PsKind kind)
{
	const Tokens *tokens = &reader->tokens;
	if (reader->depth > 0 && kind == PS_NAME)
		dvips_inner_name(reader->dvips, tokens->text, tokens->length);
	if (reader->depth > 0)
		return;
	if (kind == PS_STRING)
		dvips_string(reader->dvips, tokens->string);
	else if (kind == PS_NUMBER)
		dvips_number(reader->dvips, tokens->number);
	else if (kind == PS_LITERAL)
		dvips_literal(reader->dvips, tokens->text, tokens->length);
	else if (kind == PS_NAME && ps_is(tokens, "eexec"))
		postscript_read_name(reader);
	else if (kind == PS_NAME)
		dvips_name(reader->dvips, tokens->text, tokens->length);
}

static void postscript_read_groff(PostscriptReader *reader, PsKind kind)
{
	const Tokens *tokens = &reader->tokens;
	if (reader->depth > 0)
		return;
	if (kind == PS_STRING)
		groff_string(reader->groff, tokens->string);
	else if (kind == PS_NUMBER)
		groff_number(reader->groff, tokens->number);
	else if (kind == PS_LITERAL)
		groff_literal(reader->groff, tokens->text, tokens->length);
	else if (kind == PS_NAME)
		groff_name(reader->groff, tokens->text, tokens->length);
}

static bool postscript_read_token(PostscriptReader *reader)
{
	PsKind kind = ps_next(&reader->tokens);
	if (kind == PS_OPEN)
		reader->depth++;
	else if (kind == PS_CLOSE && reader->depth > 0)
		reader->depth--;
	else if (kind == PS_COMMENT)
		postscript_read_comment(reader);
	else if (reader->dvips)
		postscript_read_dvips(reader, kind);
	else if (reader->groff)
		postscript_read_groff(reader, kind);
	else if (reader->depth == 0 && (kind == PS_ARRAY || kind == PS_ARRAY_END))
		ps_page_array(&reader->page, kind == PS_ARRAY);
	else if (reader->depth == 0 && kind == PS_STRING)
		ps_page_string(&reader->page, reader->tokens.string);
	else if (reader->depth == 0 && kind == PS_NUMBER)
		ps_page_number(&reader->page, reader->tokens.number);
	else if (reader->depth == 0 && kind == PS_NAME)
		postscript_read_name(reader);
	return kind != PS_END && !reader->page.full;
}

/* An EPS file of DOS has a header with the offset of the program. */
static void find_program(const Input *in, Tokens *tokens)
{
	const uint8_t *p = in->data;
	tokens->at = p;
	tokens->end = p + in->size;
	if (in->size < DOS_HEADER || memcmp(p, "\xc5\xd0\xd3\xc6", 4) != 0)
		return;
	size_t from = p[4] | p[5] << 8 | p[6] << 16 | (size_t)p[7] << 24;
	size_t length = p[8] | p[9] << 8 | p[10] << 16 | (size_t)p[11] << 24;
	if (from < in->size) {
		tokens->at = p + from;
		tokens->end = tokens->at + MIN(length, in->size - from);
	}
}

static ExtractResult postscript_extract(const Input *in, Sink *sink)
{
	PostscriptReader reader = {.sink = sink, .tokens = {.string = g_string_new(NULL)}};
	find_program(in, &reader.tokens);
	ps_page_init(&reader.page, sink);
	while (postscript_read_token(&reader))
		continue;
	ps_page_finish(&reader.page);
	dvips_free(reader.dvips);
	groff_free(reader.groff);
	g_string_free(reader.tokens.string, TRUE);
	return reader.page.any || reader.titled ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *const mime_types[] = {
        "application/postscript", "image/x-eps", "application/eps", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "postscript",
        .version = 4,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = postscript_extract,
};
