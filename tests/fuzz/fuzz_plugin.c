/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_plugin.c - fuzzes a format plugin
 *
 * It is built once for each plugin, with FUZZ_MIME and FUZZ_SEEDS, with FUZZ_CHARSETS if the plugin
 * decodes text, and with FUZZ_LIBRARY_COMPLAINS if its library logs damage as a failed
 * assertion. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/null-sink.h"
#ifdef FUZZ_CHARSETS
#include "extractors/charset/charset.h"
#endif
#include <stdlib.h>
#include <locale.h>

extern const Extractor tarsier_extractor;

const char *const fuzz_seeds[] = {FUZZ_SEEDS, NULL};

#ifdef FUZZ_LIBRARY_LEAKS
/* Some libraries leak memory on damage. That is harmless, because a process converts one
 * document. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:" FUZZ_LIBRARY_LEAKS "\n";
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	if (!is_ready) {
		setlocale(LC_ALL, "C.UTF-8");
#ifdef FUZZ_LIBRARY_COMPLAINS
		/* damage in a file is no programming error */
		g_log_set_always_fatal(G_LOG_FATAL_MASK);
#endif
#ifdef FUZZ_CHARSETS
		charset_preload();
#endif
		if (tarsier_extractor.preload && tarsier_extractor.preload())
			abort();
		is_ready = true;
	}
	null_sink_run(&tarsier_extractor, FUZZ_MIME, data, size, NULL);
	return 0;
}
