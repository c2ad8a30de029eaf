/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-png.h - writes pictures as PNG (ISO/IEC 15948): 8 bits a colour, no filters, one chunk */
#pragma once
#include <glib.h>
#include <stdint.h>

/* pixels: red, green and blue of each, by rows from the top; width and height are not 0, and the
 * picture is small. NULL: there is no memory for it. */
GBytes *browse_png(unsigned width, unsigned height, const uint8_t *pixels);
