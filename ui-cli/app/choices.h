/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choices.h - which hits the user opened for which words, so that they come first the next time
 *
 * The file "opened" beside the index (mode 0600) has the last CHOICES_MOST openings: when, the path
 * and the member that was opened, and a hash of the words, not the words. An opening
 * counts half as much after 30 days. Nothing is noted where the index directory cannot be
 * written to, or with "remember-opened = no" in the configuration. */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

enum { CHOICES_MOST = 512 };

/* Stands for the words, as the user typed them: case, marks and white space do not count. The
 * caller frees it. */
char *choices_key(const char *text);
/* Notes that a hit was opened for the words of this key. Best effort. member may be NULL. */
void choices_note(Cli *cli, const char *key, const char *path, const char *member);
/* The documents that were opened for these words: an array of SearchChoice, which the caller
 * unrefs. NULL: nothing. */
GArray *choices_for(Cli *cli, const char *text);
/* Removes all of them. False with error. */
bool choices_forget(const Cli *cli, GError **error);
/* Removes those whose file does not exist, or whose page is not in the index, any more. Best
 * effort.
 */
void choices_scrub(Cli *cli);
