/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include <string.h>

/* Everything that we and the extractors say ourselves; tests/check-po.sh compares. */
static const char *const own_details[] = {
        N_("it closed the connection"),
        N_("it does not respond"),
        N_("it exited immediately"),
        N_("it is not a feed"),
        N_("libpff cannot read the file"),
        N_("no page can be read"),
        N_("not a message"),
        N_("not all pictures were recognised"),
        N_("some pages cannot be read"),
        N_("tarsier-extract cannot be run"),
        N_("tarsier-extract stopped unexpectedly"),
        N_("the body is encrypted"),
        N_("the end of the file is missing"),
        N_("the fields do not fit into the records"),
        N_("the sandbox failed its self-test"),
        N_("the text is encrypted"),
};

/* The number after the prefix; -1: the detail is another one. */
static int detail_number(const char *detail, const char *prefix)
{
	guint64 number;
	return g_str_has_prefix(detail, prefix) &&
	                       g_ascii_string_to_unsigned(
	                               detail + strlen(prefix), 10, 0, 255, &number, NULL)
	               ? (int)number
	               : -1;
}

char *document_detail_text(const char *detail)
{
	int number;
	if (!detail || !*detail)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(own_details); i++)
		if (strcmp(detail, own_details[i]) == 0)
			return g_strdup(_(own_details[i]));
	if ((number = detail_number(detail, PROBLEM_EXIT)) >= 0)
		return g_strdup_printf(_("it exited early with status %d"), number);
	if ((number = detail_number(detail, PROBLEM_SIGNAL)) >= 0)
		return g_strdup_printf(_("signal %d (%s)"), number, g_strsignal(number));
	/* Translators: the words of a library. */
	return g_strdup_printf(_("\"%s\""), detail);
}

char *document_problem_text(DocReason reason, const char *detail)
{
	if (reason == REASON_NONE)
		return NULL;
	g_autofree char *text = document_detail_text(detail);
	return text ? g_strdup_printf("%s: %s", document_reason_text(reason), text)
	            : g_strdup(document_reason_text(reason));
}
