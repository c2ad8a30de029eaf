/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell-text.h - text as it is typed in a shell */
#pragma once

/* Returns the text, quoted if it has a sign with a meaning for shells. The caller frees both. */
char *shell_word(const char *text);
/* The same for text that may be several words: blanks alone need no quotes. */
char *shell_words(const char *text);
