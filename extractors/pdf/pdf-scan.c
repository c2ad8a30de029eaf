/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-scan.h"
#include "extractors/pdf/pdf-draw.h"
#include <math.h>

enum {
	FEW_LETTERS = 100, /* most letters of a text that may be a mark on a scanned page */
	DOTS_AN_INCH = 300, /* of a scan for OCR, as tesseract's manual advises */
	POINTS_AN_INCH = 72,
	MOST_PIXELS = 24 * 1000 * 1000, /* A3 at 300 dots an inch has 17 million */
	WHITE = 250, /* from this brightness on, a pixel is paper */
};

/* No more than most of them. */
static unsigned letters_of(const char *text, unsigned most)
{
	unsigned letters = 0;
	for (; *text && letters < most; text = g_utf8_next_char(text))
		letters += g_unichar_isalnum(g_utf8_get_char(text));
	return letters;
}

static bool is_covered_by_pictures(PopplerPage *page)
{
	double wide, high, covered = 0;
	poppler_page_get_size(page, &wide, &high);
	GList *pictures = poppler_page_get_image_mapping(page);
	for (GList *link = pictures; link; link = link->next) {
		const PopplerRectangle *area = &((PopplerImageMapping *)link->data)->area;
		covered += fabs(area->x2 - area->x1) * fabs(area->y2 - area->y1);
	}
	poppler_page_free_image_mapping(pictures);
	return covered >= wide * high / 2;
}

static bool seems_scanned(PopplerPage *page, const char *text)
{
	unsigned letters = letters_of(text, FEW_LETTERS + 1);
	return letters == 0 || (letters <= FEW_LETTERS && is_covered_by_pictures(page));
}

/* Dots for each point of the page. */
static double scan_scale(PopplerPage *page)
{
	double wide, high, scale = (double)DOTS_AN_INCH / POINTS_AN_INCH;
	poppler_page_get_size(page, &wide, &high);
	return MIN(scale, sqrt(MOST_PIXELS / (wide * high)));
}

/* Brightness of each pixel (ITU-R BT.601), as a file of PGM. *blank_r: all of them are paper. The
 * caller frees it. */
static GString *gray_picture(cairo_surface_t *surface, bool *blank_r)
{
	int width = cairo_image_surface_get_width(surface),
	    height = cairo_image_surface_get_height(surface);
	GString *pgm = g_string_sized_new((gsize)width * height + 32);
	g_string_printf(pgm, "P5\n%d %d\n255\n", width, height);
	*blank_r = true;
	for (int y = 0; y < height; y++) {
		const uint32_t *row =
		        (const uint32_t *)(cairo_image_surface_get_data(surface) +
		                           (size_t)y * cairo_image_surface_get_stride(surface));
		for (int x = 0; x < width; x++) {
			unsigned red = row[x] >> 16 & 255, green = row[x] >> 8 & 255,
			         blue = row[x] & 255;
			unsigned gray = (299 * red + 587 * green + 114 * blue) / 1000;
			*blank_r &= gray >= WHITE;
			g_string_append_c(pgm, gray);
		}
	}
	return pgm;
}

bool pdf_scan_send(Sink *sink, PopplerPage *page, const char *text)
{
	if (!seems_scanned(page, text) || !sink_wants_ocr(sink))
		return true;
	cairo_surface_t *surface = pdf_draw_surface(page, scan_scale(page));
	if (!surface)
		return true;
	bool blank;
	g_autoptr(GString) picture = gray_picture(surface, &blank);
	cairo_surface_destroy(surface);
	return blank ||
	       sink_inline(sink, OCR_TYPE, NULL, (const uint8_t *)picture->str, picture->len);
}
