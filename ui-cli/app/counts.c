/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/counts.h"
#include "common/base/i18n.h"
#include <glib.h>

char *count_files(uint64_t n)
{
	return g_strdup_printf(ngettext("%lu file", "%lu files", n), (unsigned long)n);
}

char *count_documents(uint64_t n)
{
	return g_strdup_printf(ngettext("%lu document", "%lu documents", n), (unsigned long)n);
}

char *count_directories(uint64_t n)
{
	return g_strdup_printf(ngettext("%lu directory", "%lu directories", n), (unsigned long)n);
}
