/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pngtext.h - texts in a PNG file (ISO/IEC 15948, 11.3.4: tEXt, zTXt, iTXt) */
#pragma once
#include "extractors/image/image-facts.h"

/* put() gets "Png." and the keyword, as "Png.Title". Packed texts are read up to 32 KiB. */
void png_texts_read(const uint8_t *data, size_t size, FactsPut put, void *user);
