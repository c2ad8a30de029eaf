/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-words.h"
#include "common/base/paths.h"
#include "index/text/columns.h"
#include "index/text/terms.h"
#include "index/text/tokenizer.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

/* Terms are cut anywhere at their greatest length. */
static void stream_append(GString *stream, const char *term, int length, bool part)
{
	g_autofree char *whole = g_utf8_make_valid(term, length);
	g_string_append_c(stream, part && stream->len > 0 ? '/' : ' ');
	g_string_append(stream, whole);
}

static void export_words_add(
        void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	GString **streams = data;
	if (kind == TERM_IS_ENCODED)
		return;
	if (!streams[column])
		streams[column] = g_string_new(NULL);
	stream_append(streams[column], term, length, kind == TERM_IS_PART);
}

typedef struct {
	GString *stream;
	int start; /* of the last word */
} NameStream;

/* A part begins where the word before it does; so does a word that is told again with its signs, or
 * with the word that a hyphen joins to it. */
static int name_stream_add(void *data, const char *token, int length, int start, int end)
{
	NameStream *name = data;
	bool part = name->stream->len > 0 && start == name->start;
	stream_append(name->stream, token, length, part);
	name->start = start;
	return 0;
}

typedef int (*Tokenize)(const char *text, size_t length, TokenFunc function, void *data);

static GString *stream_of(const char *text, Tokenize tokenize_as)
{
	NameStream name = {g_string_new(NULL), -1};
	tokenize_as(text, strlen(text), name_stream_add, &name);
	return name.stream;
}

void export_append_words(GString *out, const Info *info, const Document *doc)
{
	GString *streams[N_COLUMNS] = {0};
	if (doc)
		terms_each(doc, export_words_add, streams);
	if (info->member && !streams[COLUMN_MEMBER])
		streams[COLUMN_MEMBER] = stream_of(info->member, tokenize);
	json_open(out, "words", '{');
	for (int i = 0; i < N_COLUMNS; i++) {
		if (!streams[i])
			continue;
		json_text(out, column_name(i), streams[i]->str);
		g_string_free(streams[i], TRUE);
	}
	json_close(out, '}');
}

void export_append_name_words(GString *out, const char *path)
{
	const char *slash = path_is_web(path) ? NULL : strrchr(path, '/');
	GString *stream = stream_of(slash ? slash + 1 : path, tokenize_name);
	json_text(out, "words", stream->str);
	g_string_free(stream, TRUE);
}
