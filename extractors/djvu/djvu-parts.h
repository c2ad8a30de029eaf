/* SPDX-License-Identifier: GPL-3.0-or-later */
/* djvu-parts.h - the parts of a DjVu book that have words: text layer and annotations
 *
 * Source: DjVu3 specification, chapter 8 (LizardTech, 2005). */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"

/* Sends the paragraphs of a page from its text layer (the bytes of TXTa, or of TXTz unpacked), or
 * the whole text if no paragraphs are marked. False if the layer is damaged; the text is sent
 * nevertheless. */
bool djvu_put_text(Bytes layer, Sink *sink);

/* Sends the facts of the first (metadata ...) in annotations (the bytes of ANTa, or of ANTz
 * unpacked). False if there is none. */
bool djvu_put_facts(Bytes notes, Sink *sink);
