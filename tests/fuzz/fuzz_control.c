/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_control.c - fuzzes messages between client and daemon: an accepted message is written again
 * byte by byte */
#include <config.h>
#include "common/ipc/control.h"
#include "tests/fuzz/fuzz.h"

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/control/*", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	gssize took = control_unpack(data, size, &name, &values, NULL);
	if (took <= 0)
		return 0;
	g_autoptr(GBytes) again = control_pack(name, values, NULL);
	g_assert_cmpmem(data, took, g_bytes_get_data(again, NULL), g_bytes_get_size(again));
	return 0;
}
