/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_text.c - fuzzes type detection and charset decoding; the first byte chooses the declared
 * type and charset */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "extractors/charset/charset.h"
#include "extractors/shared/extractor.h"
#include "extractors/sniff/sniff-text.h"
#include "extractors/sniff/sniff-zip.h"
#include <stdlib.h>
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/text-*", "tests/extractors/data/text-*.txt",
        "tests/extractors/data/*.zip", "tests/extractors/data/*.docx", NULL};

static const char *const labels[] = {NULL, "utf-8", "iso-8859-1", "utf-16le", "utf-32be",
        "shift_jis", "iso-2022-jp", "gb18030", "big5", "euc-kr", "windows-1255", "koi8-r", "utf-7",
        "no-such-charset"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	if (!is_ready)
		charset_preload(true);
	is_ready = true;
	if (size == 0)
		return 0;
	size_t length;
	const char *charset;
	g_autofree char *text = decode_text(
	        data + 1, size - 1, labels[data[0] % G_N_ELEMENTS(labels)], &length, &charset);
	if (strlen(text) != length || !g_utf8_validate_len(text, length, NULL) ||
	        !charset_find(charset))
		abort();
	if (sniff_is_text(data, size) && !sniff_text_type(data, size, "a.md"))
		abort();
	if (size >= 4 && !sniff_zip_type(data, size, "a.docx"))
		abort();
	return 0;
}
