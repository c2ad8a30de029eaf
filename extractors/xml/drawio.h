/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawio.h - diagrams of draw.io (diagrams.net) */
#pragma once
#include "extractors/shared/extractor.h"

bool drawio_is(const uint8_t *data, size_t size);
/* Sends the pages with their names and the labels of their shapes. */
ExtractResult drawio_extract(const Input *in, Sink *sink);
