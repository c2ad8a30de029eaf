/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-draw.h"
#include <cairo.h>

enum { POINTS_MAX = 1 << 20 };

/* A side of the picture in pixels. */
static unsigned pdf_draw_side(double points, double scale)
{
	return CLAMP((unsigned)(points * scale + .5), 1, WIRE_PICTURE_SIDE);
}

/* Cairo keeps a pixel as a number (CAIRO_FORMAT_RGB24): 0xRRGGBB. */
static void pdf_draw_send(cairo_surface_t *surface, unsigned width, unsigned height, Sink *sink)
{
	g_autofree uint8_t *pixels = g_malloc((size_t)WIRE_PIXEL_BYTES * width * height);
	uint8_t *out = pixels;
	cairo_surface_flush(surface);
	for (unsigned y = 0; y < height; y++) {
		const uint32_t *row =
		        (const uint32_t *)(cairo_image_surface_get_data(surface) +
		                           (size_t)y * cairo_image_surface_get_stride(surface));
		for (unsigned x = 0; x < width; x++) {
			*out++ = row[x] >> 16;
			*out++ = row[x] >> 8;
			*out++ = row[x];
		}
	}
	sink_picture(sink, width, height, pixels);
}

static void pdf_draw_at(PopplerPage *page, double wide, double high, Sink *sink)
{
	double scale = WIRE_PICTURE_SIDE / MAX(wide, high);
	unsigned width = pdf_draw_side(wide, scale), height = pdf_draw_side(high, scale);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_t *cairo = cairo_create(surface);
	cairo_set_source_rgb(cairo, 1, 1, 1);
	cairo_paint(cairo);
	cairo_scale(cairo, width / wide, height / high);
	poppler_page_render(page, cairo);
	cairo_destroy(cairo);
	if (sink && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
		pdf_draw_send(surface, width, height, sink);
	cairo_surface_destroy(surface);
}

bool pdf_draw_page(PopplerDocument *document, Sink *sink)
{
	double wide = 0, high = 0;
	PopplerPage *page = poppler_document_get_page(document, 0);
	if (!page)
		return false;
	poppler_page_get_size(page, &wide, &high);
	bool fits = wide > 0 && high > 0 && wide < POINTS_MAX && high < POINTS_MAX;
	if (fits)
		pdf_draw_at(page, wide, high, sink);
	g_object_unref(page);
	return fits;
}
