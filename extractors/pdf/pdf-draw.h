/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-draw.h - draws the first page of a PDF */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends it on white; sink NULL: draws it only. False: it has no page that can be drawn. */
bool pdf_draw_page(PopplerDocument *document, Sink *sink);
