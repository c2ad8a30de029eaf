/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pngtext.h - texts in a PNG file (ISO/IEC 15948, 11.3.4: tEXt, zTXt, iTXt) */
#pragma once
#include "extractors/image/image-facts.h"

/* Calls put() with "Png." and the keyword as key ("Png.Title"). Of compressed texts 32 KiB are
 * read. */
void png_texts_read(const uint8_t *data, size_t size, FactsPut put, void *user);
