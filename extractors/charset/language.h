/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language.h - the language of a text
 *
 * It is told by the script. In Latin and Cyrillic script it is told by the share of the most
 * frequent small words of each language, which are a third of any prose (the common-words method:
 * G. Grefenstette, "Comparing two language identification schemes", JADT 1995). Lists, program text
 * and tables have too few of them and get no language, which is better than a wrong one. */
#pragma once
#include <stddef.h>

enum { LANGUAGE_SAMPLE_BYTES = 4096 }; /* a longer sample tells nothing new */

/* Call it once, before the first language_decide(), in the process that forks the children. */
void language_preload(void);
/* Returns the language of a text that may declare one (told, BCP 47; NULL: it declares none). The
 * declared language counts unless the small words of another one are frequent and its own are
 * missing: programs often write the language of their menus into documents. text: valid UTF-8; a
 * truncated sequence at its end does no harm. Returns told itself, or ISO 639-1 ("de"), static, or
 * NULL. */
const char *language_decide(const char *told, const char *text, size_t length);
