/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sequence.h - do the phrases of an FTS5 expression follow each other in the current row? */
#pragma once
#include "index/text/tokenizer.h"

/* Finds the shortest place where all phrases stand in one column, in the order of the expression.
 * *span_r: number of words there between the end of the first phrase and the beginning of the last;
 * -1: there is no such place. Of each row, the first 4,096 positions are read. Returns an SQLite
 * code. */
int sequence_span(const Fts5ExtensionApi *api, Fts5Context *fts, int *span_r);
