/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups-texts.h - all texts of the index by groups of near copies, without their files
 *
 * Contents whose own text (not that of a member) has a fingerprint. About 60 bytes each, 64 more
 * while they are linked. */
#pragma once
#include "index/read/reader-private.h"

typedef struct DupTexts DupTexts;

/* In a transaction of the reader. */
DupTexts *dup_texts_read(Reader *r, GError **error);
void dup_texts_free(DupTexts *texts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DupTexts, dup_texts_free)

/* Links near copies pair by pair; returns how many texts have a link. */
guint dup_texts_link(DupTexts *texts, NearProgress progress, void *data);
/* Groups in which all are near copies of one text or have its words. Links alone would chain one
 * text to quite another: of what is linked, the text that most are near to makes a group with
 * those, then the next of the rest. members: n >= 2 texts. Return false with error to stop. */
typedef bool (*DupTextsFunc)(
        const DupTexts *texts, const uint32_t *members, guint n, void *data, GError **error);
bool dup_texts_groups(const DupTexts *texts, DupTextsFunc f, void *data, GError **error);

int64_t dup_text_content(const DupTexts *texts, uint32_t text);
uint64_t dup_text_checksum(const DupTexts *texts, uint32_t text); /* as far as it is kept */
const NearPrint *dup_text_print(const DupTexts *texts, uint32_t text);
