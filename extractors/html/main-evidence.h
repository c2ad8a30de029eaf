/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-evidence.h - what a page itself declares to be the text of its article
 *
 * Pages tell search engines the text of an article in a script of JSON-LD (schema.org,
 * "articleBody"). It is evidence about the lines that are shown, never text itself: it is compared
 * with the chosen lines, and believed only if both agree for the most part. */
#pragma once
#include "extractors/html/main-tree.h"

typedef struct Evidence Evidence;

/* script: the text of a script element. NULL: it declares no text. */
Evidence *evidence_read(const char *script, size_t length);
/* NULL is allowed. */
void evidence_free(Evidence *evidence);
/* Corrects the chosen lines of the tree by the evidence if that is believed. */
void evidence_apply(const Evidence *evidence, ContentTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Evidence, evidence_free)
