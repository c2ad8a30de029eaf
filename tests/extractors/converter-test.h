/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-test.h - a converter with hostile plugins (tests/extractors/hostile), and helpers for
 * tests with it */
#pragma once
#include "common/sandbox/converter.h"

typedef struct {
	Converter *converter;
} Fixture;

/* Call it instead of g_test_init(). */
void converter_test_init(int *argc, char ***argv);
/* data: how many children there may be, by GUINT_TO_POINTER(); NULL: two. */
void fixture_up(Fixture *f, gconstpointer data);
void fixture_down(Fixture *f, gconstpointer data);

/* Requests to convert a file with this text, which tells the plugin what to do. */
ConvertRequest request_of(const char *verb, const char *name);
/* The same for a file of these bytes. */
ConvertRequest request_of_bytes(const char *bytes, size_t length, const char *name);
/* Converts such a file. "x.txt" runs in the cheap lane, "x.md" in the own lane. The caller owns the
 * document. */
Document *convert(Fixture *f, const char *verb, const char *name);
/* Other files are converted as if nothing had happened. */
void assert_fine(Fixture *f);
/* Addresses in a child. The caller frees them. */
char *layout_of(Fixture *f);
/* Converts until the addresses are others, for up to a minute. The caller frees them. */
char *new_layout(Fixture *f, const char *before);
/* False: this kernel has no random addresses, and the test is skipped. */
bool has_random_layout(void);
/* False: this kernel has no sandbox, and the test is skipped. */
bool sandboxed(Fixture *f);
