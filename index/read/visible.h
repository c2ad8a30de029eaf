/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visible.h - may a user be told of an entry of the index now?
 *
 * An entry that is shown outside of a search (lists, facts, failures, texts) is checked like a hit:
 * it exists, the user may open the file and search all directories above it at this moment. The
 * roots that are away are looked for once; an entry of such a root cannot be asked and counts as
 * visible. */
#pragma once
#include "index/read/reader.h"

typedef struct Visible Visible;

/* Borrows the reader, which must not be in a transaction and outlives it. NULL with error. */
Visible *visible_new(Reader *r, uint32_t uid, GError **error);
/* The same for a reader that is in a transaction. */
Visible *visible_new_within(Reader *r, uint32_t uid, GError **error);
void visible_free(Visible *v);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Visible, visible_free)
/* Sets *stale_r, which may be NULL, if size or time of the file differ from the row. One check of
 * the file system for the rows of one entry that follow each other; without stale_r, one system
 * call. */
bool visible_entry(Visible *v, const Info *info, bool *stale_r);
/* May a failure of the entry be told? A file whose only fault is its permission is named where "ls"
 * would name it: the index knows no more of it. */
bool visible_failure(Visible *v, const Info *info);
/* Is it below a root that is away, so that its file system may not be asked? */
bool visible_is_away(const Visible *v, const Info *info);
