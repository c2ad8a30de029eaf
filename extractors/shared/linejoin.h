/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linejoin.h - joins the lines of a paragraph of a page */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* True for a hyphen and a soft hyphen, as they end lines. */
bool line_is_hyphen(gunichar c);
/* True if a hyphen between these letters or digits, at the end of a line, splits a word. Before a
 * capital or a digit it belongs to a compound ("COVID-19", "Anglo-American"). */
bool line_splits_word(gunichar before, gunichar after);
/* Removes the hyphen at the end of out if it splits a word that the next line continues. True if
 * the next line follows without a space. Both are valid UTF-8. */
bool line_join_word(GString *out, const char *next);
