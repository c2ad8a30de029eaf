/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_plugin.c - fuzzes a format plugin
 *
 * It is built once for each plugin, with FUZZ_SEEDS, with FUZZ_MIME (the types that each input is
 * read as), with FUZZ_PURPOSE if it reads no files, with FUZZ_DRAWS if it draws beside what it
 * extracts, with FUZZ_MUTATIONS if a seed needs another number of them, with FUZZ_CHARSETS if the
 * plugin decodes text, with FUZZ_OCR (a language) if it reads pictures, and with
 * FUZZ_LIBRARY_COMPLAINS if its library logs damage as a failed assertion. A plugin whose library
 * is missing is skipped. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/null-sink.h"
#ifdef FUZZ_CHARSETS
#include "extractors/charset/charset.h"
#endif
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FUZZ_PURPOSE
#define FUZZ_PURPOSE JOB_FILE
#endif

extern const Extractor tarsier_extractor;

const char *const fuzz_seeds[] = {FUZZ_SEEDS, NULL};
#ifdef FUZZ_MUTATIONS
const unsigned fuzz_mutations = FUZZ_MUTATIONS;
#endif

#ifdef FUZZ_LIBRARY_LEAKS
/* Some libraries leak memory on damage. That is harmless, because a process converts one
 * document. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:" FUZZ_LIBRARY_LEAKS "\n";
}

/* Libraries without frame pointers are missing in the stacks that are recorded by default. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "fast_unwind_on_malloc=0";
}
#endif

static void prepare(void)
{
	setlocale(LC_ALL, "C.UTF-8");
#ifdef FUZZ_LIBRARY_COMPLAINS
	/* damage in a file is not a programming error */
	g_log_set_always_fatal(G_LOG_FATAL_MASK);
#endif
#ifdef FUZZ_CHARSETS
	charset_preload(true);
#endif
#ifdef FUZZ_OCR
	g_setenv("TARSIER_OCR", FUZZ_OCR, TRUE);
#endif
	const char *missing = tarsier_extractor.preload ? tarsier_extractor.preload() : NULL;
	if (missing) {
		printf("1..0 # SKIP %s\n", missing);
		exit(0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const types[] = {FUZZ_MIME};
	static bool is_ready;
	if (!is_ready)
		prepare();
	is_ready = true;
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		null_sink_run(&tarsier_extractor, FUZZ_PURPOSE, types[i], data, size);
#ifdef FUZZ_DRAWS
		null_sink_run(&tarsier_extractor, JOB_PICTURE, types[i], data, size);
#endif
	}
	return 0;
}
