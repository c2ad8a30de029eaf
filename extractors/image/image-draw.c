/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/image-draw.h"
#include <string.h>

enum { ORIENTATION_TAG = 0x0112 };

unsigned image_exif_orientation(Bytes tiff)
{
	bool big = le16(tiff, 0) == 0x4d4d;
	size_t at = big ? be32(tiff, 4) : le32(tiff, 4);
	unsigned n = big ? be16(tiff, at) : le16(tiff, at);
	for (unsigned i = 0; i < n; i++) {
		Bytes entry = bytes_part(tiff, at + 2 + 12 * (size_t)i, 12);
		if ((big ? be16(entry, 0) : le16(entry, 0)) == ORIENTATION_TAG)
			return big ? be16(entry, 8) : le16(entry, 8);
	}
	return 1;
}

/* In which way the rows and columns of a picture run. */
enum { TURN_MIRROR = 1, TURN_FLIP = 2, TURN_SWAP = 4 };

static unsigned image_turns(unsigned orientation)
{
	static const uint8_t turns[] = {[2] = TURN_MIRROR,
	        [3] = TURN_MIRROR | TURN_FLIP,
	        [4] = TURN_FLIP,
	        [5] = TURN_SWAP,
	        [6] = TURN_SWAP | TURN_MIRROR,
	        [7] = TURN_SWAP | TURN_MIRROR | TURN_FLIP,
	        [8] = TURN_SWAP | TURN_FLIP};
	return orientation < G_N_ELEMENTS(turns) ? turns[orientation] : 0;
}

bool image_send_turned(
        Sink *sink, unsigned width, unsigned height, const uint8_t *pixels, unsigned orientation)
{
	unsigned turns = image_turns(orientation);
	unsigned shown_width = turns & TURN_SWAP ? height : width;
	unsigned shown_height = turns & TURN_SWAP ? width : height;
	g_autofree uint8_t *turned = g_malloc((size_t)WIRE_PIXEL_BYTES * width * height);
	for (unsigned y = 0; y < shown_height; y++) {
		for (unsigned x = 0; x < shown_width; x++) {
			unsigned u = turns & TURN_MIRROR ? shown_width - 1 - x : x;
			unsigned v = turns & TURN_FLIP ? shown_height - 1 - y : y;
			size_t from =
			        turns & TURN_SWAP ? (size_t)u * width + v : (size_t)v * width + u;
			memcpy(turned + WIRE_PIXEL_BYTES * ((size_t)y * shown_width + x),
			        pixels + WIRE_PIXEL_BYTES * from, WIRE_PIXEL_BYTES);
		}
	}
	return sink_picture(sink, shown_width, shown_height, turned);
}

ExtractResult image_draw(const Input *in, Sink *sink)
{
#ifdef HAVE_LIBJPEG
	if (strcmp(in->mime, "image/jpeg") == 0)
		return jpeg_draw(in, sink);
#endif
#ifdef HAVE_LIBPNG
	if (strcmp(in->mime, "image/png") == 0)
		return png_draw(in, sink);
#endif
#ifdef HAVE_LIBWEBP
	if (strcmp(in->mime, "image/webp") == 0)
		return webp_draw(in, sink);
#endif
#ifdef HAVE_GIFLIB
	if (strcmp(in->mime, "image/gif") == 0)
		return gif_draw(in, sink);
#endif
	return sink_fail(sink, REASON_UNSUPPORTED, NULL);
}
