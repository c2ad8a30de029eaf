/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image-draw.h - draws pictures: JPEG as its Exif block turns it, and PNG on white */
#pragma once
#include "extractors/shared/extractor.h"

/* See Extractor.draw. A type without a library fails as REASON_UNSUPPORTED. */
ExtractResult image_draw(const Input *in, Sink *sink);
/* The same for one type; there where its library is. */
ExtractResult jpeg_draw(const Input *in, Sink *sink);
ExtractResult png_draw(const Input *in, Sink *sink);

/* Sends a picture that is to be turned as Exif says (CIPA DC-008, tag 0112 "Orientation": 1 to 8;
 * others count as 1). */
bool image_send_turned(
        Sink *sink, unsigned width, unsigned height, const uint8_t *pixels, unsigned orientation);
