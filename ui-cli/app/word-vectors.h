/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-vectors.h - the file of word vectors that search.embedding names, and what became of it */
#pragma once
#include "index/read/reader.h"
#include "ui-cli/app/cli.h"

typedef struct {
	const char *state; /* "used"; "refused"; "waiting": it is read when the service has nothing
	                      else to do; "leaving": it is not named any more, but used until then;
	                      NULL: no file is named or used */
	char *path; /* raw bytes */
	char *reason; /* why it is refused; NULL otherwise */
	unsigned words; /* of the index that have their direction by it */
} WordVectors;

/* reader: of the index; NULL: there is none. All is empty if the index cannot be read. The caller
 * clears the result. */
void word_vectors_look(WordVectors *vectors, const Settings *settings, Reader *reader);
/* Looks at the beginning of a file that waits, and refuses it if that is wrong: an index of few
 * documents is never trained, and would not tell. A confined process must not call it. */
void word_vectors_check(WordVectors *vectors);
void word_vectors_clear(WordVectors *vectors);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WordVectors, word_vectors_clear)
/* Says it to the user; state is not NULL. The caller frees it. */
char *word_vectors_text(const WordVectors *vectors);
