/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-test.h - a converter whose plugins are hostile (tests/extractors/hostile), and short
 * words for what tests ask of it */
#pragma once
#include "common/sandbox/converter.h"

typedef struct {
	Converter *converter;
} Fixture;

/* Instead of g_test_init(). */
void converter_test_init(int *argc, char ***argv);
void fixture_up(Fixture *f, gconstpointer data);
void fixture_down(Fixture *f, gconstpointer data);

/* To convert a file of that text, which tells the plugin what to do. */
ConvertRequest request_of(const char *verb, const char *name);
/* In the cheap lane with "x.txt", in the own one with "x.md", in the one of threads with "x.log".
 * Yours. */
Document *convert(Fixture *f, const char *verb, const char *name);
/* Others are converted as if nothing had been. */
void assert_fine(Fixture *f);
/* False, and the test is skipped: this kernel gives no sandbox. */
bool sandboxed(Fixture *f);
