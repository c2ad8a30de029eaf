/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-draw.h"

enum { POINTS_MAX = 1 << 20 };

/* A side of the picture in pixels. */
static int pdf_draw_side(double points, double scale)
{
	return MAX((int)(points * scale + .5), 1);
}

cairo_surface_t *pdf_draw_surface(PopplerPage *page, double scale)
{
	double wide = 0, high = 0;
	poppler_page_get_size(page, &wide, &high);
	if (!(wide > 0 && high > 0 && wide < POINTS_MAX && high < POINTS_MAX))
		return NULL;
	int width = pdf_draw_side(wide, scale), height = pdf_draw_side(high, scale);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_t *cairo = cairo_create(surface);
	cairo_set_source_rgb(cairo, 1, 1, 1);
	cairo_paint(cairo);
	cairo_scale(cairo, width / wide, height / high);
	poppler_page_render(page, cairo);
	cairo_destroy(cairo);
	cairo_surface_flush(surface);
	if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
		return surface;
	cairo_surface_destroy(surface);
	return NULL;
}

/* Cairo keeps a pixel as a number (CAIRO_FORMAT_RGB24): 0xRRGGBB. */
static void pdf_draw_send(cairo_surface_t *surface, Sink *sink)
{
	int width = cairo_image_surface_get_width(surface),
	    height = cairo_image_surface_get_height(surface);
	g_autofree uint8_t *pixels = g_malloc((size_t)WIRE_PIXEL_BYTES * width * height);
	uint8_t *out = pixels;
	for (int y = 0; y < height; y++) {
		const uint32_t *row =
		        (const uint32_t *)(cairo_image_surface_get_data(surface) +
		                           (size_t)y * cairo_image_surface_get_stride(surface));
		for (int x = 0; x < width; x++) {
			*out++ = row[x] >> 16;
			*out++ = row[x] >> 8;
			*out++ = row[x];
		}
	}
	sink_picture(sink, width, height, pixels);
}

/* The longer side has the size of a picture for a thumbnail. */
static double picture_scale(PopplerPage *page)
{
	double wide, high;
	poppler_page_get_size(page, &wide, &high);
	return WIRE_PICTURE_SIDE / MAX(wide, high);
}

bool pdf_draw_page(PopplerDocument *document, Sink *sink)
{
	PopplerPage *page = poppler_document_get_page(document, 0);
	if (!page)
		return false;
	cairo_surface_t *surface = pdf_draw_surface(page, picture_scale(page));
	g_object_unref(page);
	if (!surface)
		return false;
	if (sink)
		pdf_draw_send(surface, sink);
	cairo_surface_destroy(surface);
	return true;
}
