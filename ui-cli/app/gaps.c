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

	append_gap(gaps, r->pending, _("%lu pending"));
	append_gap(gaps, r->failed, _("%lu failed"));
	append_gap(gaps, r->offline, _("%lu offline"));
	append_gap(gaps, r->truncated, _("%lu read in part"));
	return gaps->len > 0 ? g_strdup_printf(_("Incomplete: %s."), gaps->str) : NULL;
}
