/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bibtex.c - bibliographies of BibTeX (https://www.ctan.org/pkg/bibtex): each entry is a block,
 * values without the braces and with the accents of TeX as letters
 *
 * A brace inside a word keeps a capital ("{P}rogramming") and does not end the word. */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

/* "@article{key," begins an entry: adds its kind. Returns what follows the brace. */
static const char *bibtex_begin_entry(Markup *m, const char *at, const char *end)
{
	const char *open = at;
	while (open < end && *open != '{' && *open != '(')
		open++;
	markup_flush(m, TAG_BODY);
	markup_add(m, at, open - at);
	markup_add(m, " ", 1);
	return open < end ? open + 1 : end;
}

/* A percent sign is no comment: it is in many URLs. */
static void bibtex_add_text(Markup *m, const char *at, const char *end)
{
	while (at < end) {
		const char *sign = memchr(at, '%', end - at), *stop = sign ? sign : end;
		latex_add_plain(m->block, at, stop - at);
		if (sign)
			markup_add(m, "%", 1);
		at = sign ? sign + 1 : end;
	}
	markup_add(m, "\n", 1);
}

void bibtex_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		const char *at = line, *end = line + length;
		while (at < end && g_ascii_isspace(*at))
			at++;
		if (at < end && *at == '@')
			at = bibtex_begin_entry(m, at, end);
		bibtex_add_text(m, at, end);
	}
}
