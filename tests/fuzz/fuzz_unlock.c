/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_unlock.c - fuzzes an encrypted Excel workbook without its container: the record FilePass and
 * the bytes after it */
#include <config.h>
#include "extractors/legacy/xls-unlock.h"
#include "tests/fuzz/fuzz.h"

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/unlock/*", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Bytes stream = {data, size};
	size_t behind = 4 + (size_t)le16(stream, 2);
	for (unsigned is_8 = 0; is_8 < 2; is_8++)
		g_free(book_decrypt(stream, behind, bytes_part(stream, 4, behind - 4), is_8));
	return 0;
}
