/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups-texts.h - groups of near copies among all texts of the index, without their files
 *
 * It has the contents whose own text (not that of a member) has a fingerprint: about 60 bytes for
 * each, and 64 more while they are linked. */
#pragma once
#include "index/read/reader-private.h"

typedef struct DupTexts DupTexts;

/* Reads the texts. Call it in a transaction of the reader. */
DupTexts *dup_texts_read(Reader *r, GError **error);
void dup_texts_free(DupTexts *texts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DupTexts, dup_texts_free)

/* Links near copies in pairs; returns the number of texts with a link. */
guint dup_texts_link(DupTexts *texts, NearProgress progress, void *data);
/* Calls f for each group: n >= 2 texts that all are near copies of one of them or have its words.
 * Links alone would chain a text to a quite different one. Therefore, of the linked texts, the one
 * with the most near copies forms a group with them, then the next of the rest. f returns false
 * with error to stop. */
typedef bool (*DupTextsFunc)(
        const DupTexts *texts, const uint32_t *members, guint n, void *data, GError **error);
bool dup_texts_groups(const DupTexts *texts, DupTextsFunc f, void *data, GError **error);

int64_t dup_text_content(const DupTexts *texts, uint32_t text);
uint64_t dup_text_checksum(const DupTexts *texts, uint32_t text); /* the bytes of it that are
                                                                     kept */
const NearPrint *dup_text_print(const DupTexts *texts, uint32_t text);
