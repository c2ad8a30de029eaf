/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pager.h - shows a long text page by page on a terminal, in the program that PAGER names
 *
 * The client confines itself before it reads the index, and the user's programs may need more. So a
 * process is forked before that; it waits, and becomes the pager when a text comes. */
#pragma once
#include "ui-cli/print/screen.h"

typedef struct Pager Pager;

/* PAGER is split into words as a shell would, without running one; unset: less. NULL: nothing is
 * paged, because the output is not a terminal with cursor addressing, or PAGER is empty or "cat".
 * Call it before confine_client(). */
Pager *pager_prepare(const Screen *out);
/* Prints the text, through the pager if it has more lines than the terminal, and empties it. Waits
 * until the pager ends. pager may be NULL. */
void pager_print(Pager *pager, const Screen *out, GString *text);
/* Ends the waiting process. NULL is fine. */
void pager_free(Pager *pager);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pager, pager_free)
