/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-file.h - reads vectors of words as text: a word and its numbers on each line, separated by
 * blanks
 *
 * This is the text format of word2vec and fastText (".vec"), whose first line has the number of
 * words and of dimensions, and that of GloVe, which has no such line. The bytes come in pieces of
 * any size and are hostile. A line with another number of numbers, or with one that is none, is
 * left out; a file with many of them is refused. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WORD_FILE_LEAST_DIMENSIONS = 2,
	WORD_FILE_MOST_DIMENSIONS = 512,
	WORD_FILE_MOST_LINE = 32 << 10, /* bytes */
	WORD_FILE_MOST_LINES = 1 << 24,
	WORD_FILE_BAD_FRACTION = 100 /* one line of so many may be left out */
};

typedef struct {
	/* Are the numbers of this word wanted? Only then are they read, and given to take(). The
	 * word is not terminated, and may not be UTF-8. */
	bool (*wants)(void *data, const char *word, size_t length);
	/* All are finite, and one is not 0. n is the same in each call. */
	void (*take)(void *data, const float *numbers, unsigned n);
} WordFileFuncs;

typedef struct WordFile WordFile;
/* f must live as long. */
WordFile *word_file_new(const WordFileFuncs *f, void *data);
void word_file_free(WordFile *file); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WordFile, word_file_free)
/* Reads on. Returns false with an error if the file is refused; then it can only be
 * freed. */
bool word_file_feed(WordFile *file, const char *bytes, size_t length, GError **error);
/* Ends the last line. Returns false with error if the file is refused. */
bool word_file_end(WordFile *file, GError **error);
