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

char *count_changes(uint64_t n)
{
	return g_strdup_printf(
	        ngettext("%lu change to check", "%lu changes to check", n), (unsigned long)n);
}

char *count_conversions(uint64_t n)
{
	return g_strdup_printf(ngettext("%lu conversion", "%lu conversions", n), (unsigned long)n);
}

char *count_overflows(uint64_t n)
{
	return g_strdup_printf(ngettext("%lu event queue overflow", "%lu event queue overflows", n),
	        (unsigned long)n);
}

char *count_time(int64_t seconds)
{
	long minutes = (long)((seconds + 30) / 60), hours = minutes / 60;
	if (seconds < 100)
		return g_strdup_printf(_("%ld s"), (long)seconds);
	if (hours == 0)
		return g_strdup_printf(_("%ld min"), minutes);
	return g_strdup_printf(_("%ld h %ld min"), hours, minutes % 60);
}

char *count_pause(int64_t ms)
{
	return ms < 100000 ? g_strdup_printf(_("%.3g s"), (double)ms / 1000)
	                   : count_time(ms / 1000);
}
