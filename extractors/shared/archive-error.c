/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/archive-error.h"
#include <glib.h>
#include <string.h>

bool archive_error_is_unsupported(const char *error)
{
	static const char *const words[] = {
	        "nsupported", "not supported", "codec ID", "support unavailable"};
	for (size_t i = 0; error && i < G_N_ELEMENTS(words); i++)
		if (strstr(error, words[i]))
			return true;
	return false;
}
