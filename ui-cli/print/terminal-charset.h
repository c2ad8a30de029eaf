/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal-charset.h - text for a terminal whose charset is not UTF-8 */
#pragma once
#include <glib.h>

/* Loads what the functions below need. After confinement that would be too late. */
void charset_prepare(void);
/* The text (UTF-8) in the charset of the locale. For the signs of writing that it lacks there are
 * those of ASCII ("..." for an ellipsis); of another character that it lacks, each byte is a "?".
 * NULL if the charset is UTF-8, and the text can be printed as it is. The caller frees it. */
char *charset_text(const char *text, size_t length);
/* The text (UTF-8) with these spellings of the signs, whatever the charset. The caller frees it. */
char *charset_spell_signs(const char *text, size_t length);
/* The name of a file in UTF-8, where each byte of all characters that the charset lacks is a "?",
 * so that it is a pattern of the shell that matches the file. The caller frees it. */
char *charset_name(const char *name);
