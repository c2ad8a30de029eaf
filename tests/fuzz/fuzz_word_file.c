/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_word_file.c - fuzzes files of word vectors: whole and in pieces, which must give the same */
#include <config.h>
#include "index/meaning/word-file.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/word-file/*", NULL};

typedef struct {
	unsigned words, taken, dimensions;
	double sum;
} Seen;

/* Every third word is not wanted. */
static bool note_word(void *data, const char *word, size_t length)
{
	Seen *seen = data;
	g_assert_cmpuint(length, >, 0);
	g_assert_cmpuint(length, <=, WORD_FILE_MOST_LINE);
	seen->sum += (unsigned char)word[0] + (unsigned char)word[length - 1];
	return ++seen->words % 3 != 0;
}

static void note_numbers(void *data, const float *numbers, unsigned n)
{
	Seen *seen = data;
	bool set = false;
	g_assert_cmpuint(n, >=, WORD_FILE_LEAST_DIMENSIONS);
	g_assert_cmpuint(n, <=, WORD_FILE_MOST_DIMENSIONS);
	g_assert_true(seen->dimensions == 0 || seen->dimensions == n);
	seen->dimensions = n;
	for (unsigned i = 0; i < n; i++) {
		g_assert_true(isfinite(numbers[i]));
		set |= numbers[i] != 0;
		seen->sum += numbers[i];
	}
	g_assert_true(set);
	seen->taken++;
}

/* Returns whether the file is accepted. */
static bool read_in_pieces(const uint8_t *data, size_t size, size_t piece, Seen *seen)
{
	static const WordFileFuncs f = {note_word, note_numbers};
	g_autoptr(WordFile) file = word_file_new(&f, seen);
	g_autoptr(GError) error = NULL;
	bool ok = true;
	for (size_t at = 0; ok && at < size; at += piece)
		ok = word_file_feed(file, (const char *)data + at, MIN(piece, size - at), &error);
	ok = ok && word_file_end(file, &error);
	g_assert_true(ok != (error != NULL));
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Seen whole = {0}, pieces = {0};
	bool accepted = read_in_pieces(data, size, MAX(size, 1), &whole);
	g_assert_true(accepted == read_in_pieces(data, size, 7, &pieces));
	g_assert_true(!accepted || (whole.words == pieces.words && whole.taken == pieces.taken &&
	                                   whole.dimensions == pieces.dimensions));
	g_assert_true(!accepted || whole.sum == pieces.sum);
	return 0;
}
