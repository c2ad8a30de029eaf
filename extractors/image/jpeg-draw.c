/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/image-draw.h"
#include "extractors/shared/shrink.h"
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <jpeglib.h>

enum { EXIF_MARKER = JPEG_APP0 + 1, EXIF_BYTES = 0xffff };

/* All that lives across longjmp(). */
typedef struct {
	struct jpeg_decompress_struct jpeg; /* first: the library hands it out */
	struct jpeg_error_mgr errors;
	jmp_buf failed;
	Shrink *shrink;
	uint8_t *row, *rgb; /* as it is decoded; as red, green and blue, if that is not the same */
} JpegDrawing;

static void jpeg_on_error(j_common_ptr jpeg)
{
	longjmp(((JpegDrawing *)jpeg)->failed, 1);
}

static void jpeg_on_message(j_common_ptr jpeg)
{
}

static unsigned jpeg_orientation(const struct jpeg_decompress_struct *jpeg)
{
	static const char head[6] = "Exif\0";
	for (jpeg_saved_marker_ptr at = jpeg->marker_list; at; at = at->next) {
		Bytes block = {at->data, at->data_length};
		if (at->marker == EXIF_MARKER && block.size > sizeof head &&
		        memcmp(block.data, head, sizeof head) == 0)
			return image_exif_orientation(bytes_part(block, sizeof head, block.size));
	}
	return 1;
}

/* ---- pixels */

/* The library leaves out what would only be averaged: it decodes to an eighth at the least. */
static void jpeg_choose_scale(struct jpeg_decompress_struct *jpeg)
{
	unsigned longer = MAX(jpeg->image_width, jpeg->image_height), divisor = 8;
	while (divisor > 1 && longer / divisor < WIRE_PICTURE_SIDE)
		divisor /= 2;
	jpeg->scale_num = 1;
	jpeg->scale_denom = divisor;
	jpeg->do_fancy_upsampling = FALSE;
}

/* Programs write the inks of pictures for print inverted, as Adobe's do. */
static void jpeg_ink_to_rgb(const uint8_t *ink, uint8_t *rgb, size_t width)
{
	for (size_t i = 0; i < width; i++, ink += 4, rgb += 3)
		for (unsigned k = 0; k < 3; k++)
			rgb[k] = ink[k] * ink[3] / 255;
}

static void jpeg_draw_rows(JpegDrawing *drawing)
{
	struct jpeg_decompress_struct *jpeg = &drawing->jpeg;
	bool ink = jpeg->out_color_space == JCS_CMYK;
	drawing->shrink = shrink_new(jpeg->output_width, jpeg->output_height);
	drawing->row = g_malloc((size_t)jpeg->output_width * jpeg->output_components);
	drawing->rgb = ink ? g_malloc((size_t)jpeg->output_width * WIRE_PIXEL_BYTES) : NULL;
	while (jpeg->output_scanline < jpeg->output_height) {
		jpeg_read_scanlines(jpeg, &drawing->row, 1);
		if (ink)
			jpeg_ink_to_rgb(drawing->row, drawing->rgb, jpeg->output_width);
		shrink_row(drawing->shrink, ink ? drawing->rgb : drawing->row);
	}
}

/* Calls jpeg_on_error() if it fails. False: the picture is too large. */
static bool jpeg_decode(JpegDrawing *drawing, const Input *in)
{
	struct jpeg_decompress_struct *jpeg = &drawing->jpeg;
	jpeg_create_decompress(jpeg);
	jpeg_mem_src(jpeg, in->data, in->size);
	jpeg_save_markers(jpeg, EXIF_MARKER, EXIF_BYTES);
	jpeg_read_header(jpeg, TRUE);
	if (!shrink_allows(jpeg->image_width, jpeg->image_height))
		return false;
	bool ink = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
	jpeg->out_color_space = ink ? JCS_CMYK : JCS_RGB;
	jpeg_choose_scale(jpeg);
	jpeg_start_decompress(jpeg);
	jpeg_draw_rows(drawing);
	return true;
}

static ExtractResult jpeg_send(JpegDrawing *drawing, Sink *sink)
{
	unsigned width, height;
	const uint8_t *pixels = shrink_picture(drawing->shrink, &width, &height);
	image_send_turned(sink, width, height, pixels, jpeg_orientation(&drawing->jpeg));
	return EXTRACT_DONE;
}

ExtractResult jpeg_draw(const Input *in, Sink *sink)
{
	JpegDrawing *drawing = g_new0(JpegDrawing, 1);
	volatile ExtractResult result = EXTRACT_FAILED;
	drawing->jpeg.err = jpeg_std_error(&drawing->errors);
	drawing->errors.error_exit = jpeg_on_error;
	drawing->errors.output_message = jpeg_on_message;
	if (setjmp(drawing->failed) != 0)
		result = sink_fail(sink, REASON_DAMAGED, NULL);
	else if (jpeg_decode(drawing, in))
		result = jpeg_send(drawing, sink);
	else
		result = sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	jpeg_destroy_decompress(&drawing->jpeg);
	if (drawing->shrink)
		shrink_free(drawing->shrink);
	g_free(drawing->row);
	g_free(drawing->rgb);
	g_free(drawing);
	return result;
}
