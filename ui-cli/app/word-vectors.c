/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/word-vectors.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "index/meaning/model.h"
#include "index/meaning/word-file-look.h"
#include <string.h>

static void word_vectors_compare(
        WordVectors *vectors, const char *named, const ReaderVectors *known)
{
	bool same = strcmp(known->path, named) == 0;
	bool refused = known->refusal[0] != '\0';
	if (!same && named[0] != '\0')
		vectors->state = "waiting";
	else if (!same)
		vectors->state = "leaving";
	else if (named[0] != '\0')
		vectors->state = refused ? "refused" : "used";
	else
		return;
	vectors->path = g_strdup(named[0] != '\0' ? named : known->path);
	vectors->reason = same && refused ? g_strdup(known->refusal) : NULL;
	vectors->words = same || named[0] == '\0' ? known->words : 0;
}

void word_vectors_look(WordVectors *vectors, const Settings *settings, Reader *reader)
{
	g_auto(ReaderVectors) known = {0};
	const char *named = settings ? settings_string(settings, "search", "embedding", NULL) : "";
	*vectors = (WordVectors){0};
	if (reader && reader_word_vectors(reader, &known, NULL))
		word_vectors_compare(vectors, named, &known);
}

void word_vectors_check(WordVectors *vectors)
{
	if (g_strcmp0(vectors->state, "waiting") != 0)
		return;
	vectors->reason = word_file_look(vectors->path);
	if (vectors->reason)
		vectors->state = "refused";
}

void word_vectors_clear(WordVectors *vectors)
{
	g_free(vectors->path);
	g_free(vectors->reason);
}

char *word_vectors_text(const WordVectors *vectors)
{
	g_autofree char *path = text_to_utf8(vectors->path, -1);
	if (strcmp(vectors->state, "waiting") == 0)
		return g_strdup_printf(
		        _("%s is read when the service has nothing else to do and the index has %d "
		          "documents"),
		        path, MEANING_LEAST_DOCUMENTS);
	if (strcmp(vectors->state, "leaving") == 0)
		return g_strdup_printf(
		        _("those of %s are in use until the service has nothing else to do"), path);
	if (strcmp(vectors->state, "refused") == 0)
		return g_strdup_printf(_("%s is not used: %s"), path, vectors->reason);
	return g_strdup_printf(ngettext("%s, for %u word of the index",
	                               "%s, for %u words of the index", vectors->words),
	        path, vectors->words);
}
