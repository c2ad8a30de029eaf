/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marked-words.h - words whose spelling the index does not tell: Müller and Muller, Straße and
 * Strasse
 *
 * The index folds marks away and ß to ss. Which spelling a text has only the text can tell. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct MarkedWord MarkedWord;

typedef enum {
	MARKED_SAME, /* the text has the word as it was written, or words that begin with it */
	MARKED_OTHER, /* it has the word only in another spelling */
	MARKED_NONE, /* it has neither */
} MarkedState;

/* Returns NULL if the token stands for one spelling only, as far as its letters show: it has no
 * marks, no ß and no ss. text: UTF-8, of which length bytes yield the token alone; token: folded.
 * The caller owns the result. */
MarkedWord *marked_word_of(const char *text, size_t length, const char *token);
void marked_word_free(MarkedWord *word);
/* Is it of ASCII, so that only a text in German may spell it otherwise? */
bool marked_word_is_german(const MarkedWord *word);
/* Case does not count. text: any bytes. */
MarkedState marked_word_state(const MarkedWord *word, const char *text, size_t length);
