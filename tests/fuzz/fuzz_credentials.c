/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_credentials.c - fuzzes files of credentials
 *
 * Accepted credentials can stand in a header of a request, and a fault leaves nothing behind. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "ui-cli/cmd/export/export-credentials.h"
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/credentials/*", NULL};

static void check_value(const char *value)
{
	if (!value)
		return;
	g_assert_cmpstr(value, !=, "");
	g_assert_true(g_utf8_validate(value, -1, NULL));
	for (; *value; value++)
		g_assert_false(g_ascii_iscntrl(*value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { LONGEST_MESSAGE = 200 };
	g_autofree char *text = g_strndup("", size);
	g_autoptr(GError) error = NULL;
	ExportCredentials found;

	if (size > 0)
		memcpy(text, data, size);
	bool ok = export_credentials_parse("file", text, size, &found, &error);
	g_assert_true(ok != (error != NULL));
	g_assert_true(!error || strlen(error->message) <= LONGEST_MESSAGE);
	g_assert_true(!found.user == !found.password);
	g_assert_true(ok ? !found.user != !found.api_key : !found.user && !found.api_key);
	check_value(found.user);
	check_value(found.password);
	check_value(found.api_key);
	export_credentials_clear(&found);
	return 0;
}
