/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marked-words.h - words whose spelling the index does not tell: Müller and Muller, résumé and
 * resume, Straße and Strasse
 *
 * The index folds marks away and ß to ss, and umlauts match the letters that stand for them. Which
 * spelling a text has only the text can tell. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct MarkedWord MarkedWord;

typedef enum {
	MARKED_SAME, /* the text has the word as it was written, or words that begin with it */
	MARKED_OTHER, /* it has the word only in another spelling */
	MARKED_NONE, /* it has neither */
} MarkedState;

typedef enum {
	MARKED_LETTERS, /* it was written with marks or ß */
	MARKED_SHARP, /* it has ss, for which a text in German may have ß */
	MARKED_PLAIN, /* it has neither: most such words are never written with marks */
} MarkedKind;

/* Returns NULL if the token stands for one spelling only: its letters are not Latin, it has digits,
 * or it is plain and has fewer than three letters. text: UTF-8, of which length bytes yield the
 * token alone; token: folded; spellings: what umlauts in it stand for or what stands for them,
 * folded and NULL-terminated, or NULL. The caller owns the result. */
MarkedWord *marked_word_of(
        const char *text, size_t length, const char *token, const char *const *spellings);
void marked_word_free(MarkedWord *word);
MarkedKind marked_word_kind(const MarkedWord *word);
/* Case does not count. text: any bytes. */
MarkedState marked_word_state(const MarkedWord *word, const char *text, size_t length);
