/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-draw.h - draws pages of a PDF */
#pragma once
#include "extractors/shared/extractor.h"
#include <cairo.h>
#include <poppler.h>

/* Draws a page on white, with so many pixels a point, in CAIRO_FORMAT_RGB24, flushed. NULL: it has
 * no size, or memory is short. The caller destroys it. */
cairo_surface_t *pdf_draw_surface(PopplerPage *page, double scale);
/* Sends the first page; sink NULL: draws it only. False: it has no page that can be drawn. */
bool pdf_draw_page(PopplerDocument *document, Sink *sink);
