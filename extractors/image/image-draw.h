/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image-draw.h - draws pictures: JPEG and WebP as their Exif blocks turn them; on white */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"

/* See Extractor.draw. A type without a library fails as REASON_UNSUPPORTED. */
ExtractResult image_draw(const Input *in, Sink *sink);
/* The same for one type; there where its library is. */
ExtractResult jpeg_draw(const Input *in, Sink *sink);
ExtractResult png_draw(const Input *in, Sink *sink);
ExtractResult webp_draw(const Input *in, Sink *sink);
ExtractResult gif_draw(const Input *in, Sink *sink);

/* How a picture is to be turned, by the TIFF structure in an Exif block (CIPA DC-008, 4.6); 1 if it
 * does not say. */
unsigned image_exif_orientation(Bytes tiff);
/* Sends a picture that is to be turned as Exif says (CIPA DC-008, tag 0112 "Orientation": 1 to 8;
 * others count as 1). */
bool image_send_turned(
        Sink *sink, unsigned width, unsigned height, const uint8_t *pixels, unsigned orientation);
