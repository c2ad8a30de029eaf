/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/gaps.h"
#include "common/base/i18n.h"

static void append_gap(GString *gaps, uint64_t n, const char *format)
{
	if (n == 0)
		return;
	if (gaps->len > 0)
		g_string_append(gaps, ", ");
	g_string_append_printf(gaps, format, (unsigned long)n);
}

char *gaps_text(const SearchResult *r)
{
	g_autoptr(GString) gaps = g_string_new(NULL);

	append_gap(gaps, r->pending,
	        ngettext("%lu file waits for conversion", "%lu files wait for conversion",
	                r->pending));
	append_gap(gaps, r->failed,
	        ngettext("%lu failed (see \"tarsier failed\")",
	                "%lu failed (see \"tarsier failed\")", r->failed));
	append_gap(gaps, r->offline, ngettext("%lu is offline", "%lu are offline", r->offline));
	append_gap(gaps, r->truncated,
	        ngettext("%lu was only partly read (see \"tarsier is:truncated\")",
	                "%lu were only partly read (see \"tarsier is:truncated\")", r->truncated));
	return gaps->len > 0 ? g_strdup(gaps->str) : NULL;
}
