/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language.h - which language a text is written in
 *
 * By its script, and in Latin and Cyrillic script by the share of the most frequent small words of
 * each language, which make up a third of any prose (the common-words method: G. Grefenstette,
 * "Comparing two language identification schemes", JADT 1995). Lists, code and tables have too few
 * of them and stay without a language, which is better than a wrong one. */
#pragma once
#include <stddef.h>

enum { LANGUAGE_SAMPLE_BYTES = 4096 }; /* more tells nothing new */

/* Once, before the first language_of(), in the process that forks the children. */
void language_preload(void);
/* text: valid UTF-8, a cut sequence at its end does no harm. ISO 639-1 ("de"), static, or NULL. */
const char *language_of(const char *text, size_t length);
/* The language of a text that was told to be in one (BCP 47; NULL: it was not): that one, unless
 * the small words of another are plain to see and its own are not; programs write the language of
 * their menus into what they save. told itself, or static, or NULL. */
const char *language_settle(const char *told, const char *text, size_t length);
