/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-scan.h - text of scanned pages, which only OCR can read */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends the picture of the page to OCR, if it is wanted and the page seems to be scanned: its text,
 * UTF-8, is empty, or short beside pictures that cover half of it, as a mark of the scanning
 * program is. False: the sink is full. */
bool pdf_scan_send(Sink *sink, PopplerPage *page, const char *text);
