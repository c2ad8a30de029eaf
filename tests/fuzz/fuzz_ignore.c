/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ignore.c - fuzzes .tarsierignore: the first line is a path, the rest a list of patterns */
#include <config.h>
#include "common/rules/ignore.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/ignore/*", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 0 ? (const char *)data : "";
	const char *newline = memchr(text, '\n', size);
	size_t length = newline ? (size_t)(newline - text) : size;
	g_autofree char *path = g_strndup(text, length);
	const char *slash = strrchr(path, '/'), *why = NULL;
	const char *name = slash ? slash + 1 : path;
	g_autoptr(IgnoreList) list = ignore_list_new_below(NULL);
	if (newline)
		ignore_list_add_file(list, newline + 1, size - length - 1, "file");
	else
		ignore_list_finish(list);
	for (int is_dir = 0; is_dir <= 1; is_dir++) {
		IgnoreVerdict verdict = ignore_list_match(list, name, path, is_dir, &why);
		g_assert_true((verdict == IGNORE_NO_MATCH) || g_utf8_validate(why, -1, NULL));
	}
	return 0;
}
