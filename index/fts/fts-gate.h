/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-gate.h - the version gate: decides whether the pages of FTS5 may be read directly
 *
 * They may if the version that the table itself states is FTS_VERSION, and if a sample of its
 * posting lists, read from the pages, is what MATCH answers. The sample is bounded in terms, pages
 * and postings. It is taken once for a connection, the version is read again whenever the index
 * file has changed. TARSIER_FTS_PAGES=no in the environment closes the gate. */
#pragma once
#include "index/read/reader.h"

/* Explains why the pages of the text index are not read: translated, for the user, owned by the
 * reader; NULL if they are read. Do not call it between reader_begin() and reader_end(). False: the
 * index cannot be read. */
bool fts_gate_reason(Reader *r, const char **reason_r, GError **error);
