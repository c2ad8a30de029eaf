/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/image-draw.h"
#include "extractors/shared/shrink.h"
#include <png.h>

static const png_color png_white = {0xff, 0xff, 0xff};

static void png_shrink(Sink *sink, const png_image *image, const uint8_t *pixels)
{
	g_autoptr(Shrink) shrink = shrink_new(image->width, image->height);
	unsigned width, height;
	for (uint32_t y = 0; y < image->height; y++)
		shrink_row(shrink, pixels + (size_t)PNG_IMAGE_ROW_STRIDE(*image) * y);
	const uint8_t *small = shrink_picture(shrink, &width, &height);
	sink_picture(sink, width, height, small);
}

static ExtractResult png_decode(png_image *image, const Input *in, Sink *sink)
{
	if (!png_image_begin_read_from_memory(image, in->data, in->size))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	image->format = PNG_FORMAT_RGB;
	if (!shrink_allows(image->width, image->height))
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	g_autofree uint8_t *pixels = g_try_malloc(PNG_IMAGE_SIZE(*image));
	if (!pixels)
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	if (!png_image_finish_read(image, &png_white, pixels, 0, NULL))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	png_shrink(sink, image, pixels);
	return EXTRACT_DONE;
}

ExtractResult png_draw(const Input *in, Sink *sink)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	ExtractResult result = png_decode(&image, in, sink);
	png_image_free(&image);
	return result;
}
