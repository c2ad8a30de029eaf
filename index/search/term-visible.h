/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-visible.h - which terms of the vocabulary may a user be told?
 *
 * The vocabulary has the words of deleted documents until they are purged, and those of documents
 * that the user may no longer read. Only a term that a visible text or name contains is told. */
#pragma once
#include "index/fts/term-scan.h"
#include "index/query/query.h"
#include "index/read/reader-private.h"
#include "index/read/visible.h"

/* So many entries of a term are asked at most, texts and names each. If none of them is visible,
 * the term is not told: it may be in a later one, but to be silent is safe. */
enum { TERM_VISIBLE_CHECKS = 1000 };

/* Between reader_begin() and reader_end(). False with error. */
bool term_visible(Reader *r, Visible *visible, const char *term, bool *visible_r, GError **error);
/* The same for texts alone, or names. */
bool term_visible_among(Reader *r, Visible *visible, TermTable table, const char *term,
        bool *visible_r, GError **error);
/* The same for token i of an expanded term node, or one of its forms. */
bool term_visible_word(Reader *r, Visible *visible, const QueryNode *node, guint i, bool *visible_r,
        GError **error);
/* Does a visible text have the term more than once? At most TERM_VISIBLE_CHECKS texts are asked. */
bool term_visible_repeated(
        Reader *r, Visible *visible, const char *term, bool *repeated_r, GError **error);
/* Drops the forms that are not visible from an expanded query, so that it can be shown. Call
 * query_drop_forms() before it is run. */
bool term_visible_forms(Reader *r, Visible *visible, Query *query, GError **error);
