/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed.h - RSS 0.9 to 2.0 and Atom (RFC 4287) */
#pragma once
#include "extractors/html/page.h"

/* Sends a feed (valid UTF-8): its title, and of each entry the title as a heading with its link,
 * then the text, which is HTML in disguise. */
void feed_run(Page *page, const char *text, size_t length);
