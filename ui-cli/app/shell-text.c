/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/shell-text.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

char *shell_words(const char *text)
{
	/* zsh takes "=word" for the path of a command */
	bool special = !*text || *text == '=' || strstr(text, " =") ||
	               text[strcspn(text, "\"'\\`$&|;<>()*?[]{}~#!\n\t\r")] != '\0';
	return special ? g_shell_quote(text) : g_strdup(text);
}

char *shell_word(const char *text)
{
	return strchr(text, ' ') ? g_shell_quote(text) : shell_words(text);
}
