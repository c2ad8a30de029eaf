/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formulalink.h - the address in a formula of a spreadsheet: HYPERLINK("address","text") */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* formula: UTF-8. Returns the address if it is written out, and not computed or a place in the same
 * workbook; NULL otherwise. The caller frees it. */
static inline char *formula_link(const char *formula)
{
	static const char function[] = "HYPERLINK(\"";
	const char *at = strstr(formula, function);
	g_autoptr(GString) address = g_string_new(NULL);
	if (!at)
		return NULL;
	/* a quote in the text is doubled */
	for (at += strlen(function); *at && (*at != '"' || at[1] == '"'); at++) {
		at += *at == '"';
		g_string_append_c(address, *at);
	}
	bool whole = *at == '"' && at[1] && strchr(",;)", at[1]);
	if (!whole || address->len == 0 || *address->str == '#')
		return NULL;
	return g_string_free(g_steal_pointer(&address), FALSE);
}
