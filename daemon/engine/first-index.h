/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first-index.h - logs once in the life of an index that it has all files for the first time */
#pragma once
#include "index/write/writer.h"

typedef struct FirstIndex FirstIndex;

FirstIndex *first_index_new(void);
void first_index_free(FirstIndex *first);
/* Call it when every file is converted. An index without files is not complete. */
bool first_index_note(
        FirstIndex *first, Writer *writer, const WriterCounts *counts, GError **error);
