/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/image-draw.h"
#include "extractors/shared/shrink.h"
#include <gif_lib.h>
#include <string.h>

/* The rest of the file. */
static int gif_on_read(GifFileType *gif, GifByteType *to, int size)
{
	Bytes *rest = gif->UserData;
	size_t n = MIN((size_t)size, rest->size);
	memcpy(to, rest->data, n);
	*rest = (Bytes){rest->data + n, rest->size - n};
	return n;
}

/* Goes to the first picture, and takes from what stands before it which colour is transparent. */
static bool gif_find_picture(GifFileType *gif, int *transparent_r)
{
	GifRecordType record = UNDEFINED_RECORD_TYPE; /* at the end of the file it is not set */
	GraphicsControlBlock control;
	GifByteType *block;
	int code;
	*transparent_r = NO_TRANSPARENT_COLOR;
	while (DGifGetRecordType(gif, &record) == GIF_OK && record == EXTENSION_RECORD_TYPE) {
		if (DGifGetExtension(gif, &code, &block) != GIF_OK)
			return false;
		if (block && code == GRAPHICS_EXT_FUNC_CODE &&
		        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
			*transparent_r = control.TransparentColor;
		while (block)
			if (DGifGetExtensionNext(gif, &block) != GIF_OK)
				return false;
	}
	return record == IMAGE_DESC_RECORD_TYPE && DGifGetImageDesc(gif) == GIF_OK;
}

/* An interlaced picture has its rows in four passes (GIF89a, appendix E). */
static bool gif_read_rows(GifFileType *gif, GifPixelType *pixels)
{
	static const uint8_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
	unsigned width = gif->Image.Width, height = gif->Image.Height;
	if (!gif->Image.Interlace)
		return DGifGetLine(gif, pixels, width * height) == GIF_OK;
	for (unsigned pass = 0; pass < G_N_ELEMENTS(first); pass++)
		for (unsigned y = first[pass]; y < height; y += step[pass])
			if (DGifGetLine(gif, pixels + (size_t)width * y, width) != GIF_OK)
				return false;
	return true;
}

static void gif_send(
        const GifFileType *gif, const GifPixelType *pixels, int transparent, Sink *sink)
{
	static const GifColorType white = {0xff, 0xff, 0xff};
	const ColorMapObject *map = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
	unsigned n = gif->Image.Width, width, height;
	g_autofree uint8_t *row = g_malloc((size_t)WIRE_PIXEL_BYTES * n);
	g_autoptr(Shrink) shrink = shrink_new(n, gif->Image.Height);
	for (int y = 0; y < gif->Image.Height; y++) {
		for (unsigned x = 0; x < n; x++, pixels++) {
			bool shown = *pixels != transparent && map && *pixels < map->ColorCount;
			const GifColorType *colour = shown ? &map->Colors[*pixels] : &white;
			row[3 * x] = colour->Red;
			row[3 * x + 1] = colour->Green;
			row[3 * x + 2] = colour->Blue;
		}
		shrink_row(shrink, row);
	}
	const uint8_t *small = shrink_picture(shrink, &width, &height);
	sink_picture(sink, width, height, small);
}

static ExtractResult gif_decode(GifFileType *gif, Sink *sink)
{
	int transparent;
	if (!gif_find_picture(gif, &transparent))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	if (!shrink_allows(gif->Image.Width, gif->Image.Height))
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	g_autofree GifPixelType *pixels =
	        g_try_malloc((size_t)gif->Image.Width * gif->Image.Height);
	if (!pixels)
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	if (!gif_read_rows(gif, pixels))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	gif_send(gif, pixels, transparent, sink);
	return EXTRACT_DONE;
}

/* Of an animation, the first picture. */
ExtractResult gif_draw(const Input *in, Sink *sink)
{
	Bytes rest = {in->data, in->size};
	GifFileType *gif = DGifOpen(&rest, gif_on_read, NULL);
	if (!gif)
		return sink_fail(sink, REASON_DAMAGED, NULL);
	ExtractResult result = gif_decode(gif, sink);
	DGifCloseFile(gif, NULL);
	return result;
}
