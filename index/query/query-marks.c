/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-marks.c - marks that say of what kind a text is, and are no part of it: "- [x] buy milk",
 * "tel:+491701234567" */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

/* "[x]" after the sign of a list at the beginning of the text, and before another word. */
static size_t mark_of_task(const QueryParse *p)
{
	enum { BOX = 3 };
	const char *s = p->text + p->at;
	size_t begin = p->at;
	if (strncmp(s, "[x]", BOX) != 0 && strncmp(s, "[X]", BOX) != 0)
		return 0;
	while (begin > 0 && strchr(" \t", p->text[begin - 1]))
		begin--;
	bool listed = begin == 1 && strchr("-*+", p->text[0]);
	return listed && query_space(p, p->at + BOX) > 0 ? BOX : 0;
}

/* The scheme of RFC 3966, and others before a telephone number. */
static size_t mark_of_telephone(const QueryParse *p)
{
	static const char *const schemes[] = {"tel:", "callto:", "sms:"};
	const char *s = p->text + p->at;
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++) {
		size_t length = strlen(schemes[i]);
		const char *number = s + length;
		if (g_ascii_strncasecmp(s, schemes[i], length) == 0 &&
		        g_ascii_isdigit(number[*number == '+']))
			return length;
	}
	return 0;
}

size_t query_skip_mark(QueryParse *p)
{
	size_t task = p->at < p->length ? mark_of_task(p) : 0;
	if (task > 0)
		query_note(p, _("Left out, because it says that a task is done: %.*s"), (int)task,
		        p->text + p->at);
	size_t length = task > 0 || p->at >= p->length ? task : mark_of_telephone(p);
	p->at += length;
	return length;
}
