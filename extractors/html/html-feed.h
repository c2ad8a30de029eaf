/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-feed.h - RSS 0.9 to 2.0 and Atom (RFC 4287) */
#pragma once
#include "extractors/html/html-page.h"

/* Sends a feed (valid UTF-8). The facts and the description of the channel become the document.
 * Each item or entry becomes a member, named by its number, whose bytes are the element. If the
 * text begins with an item or entry, it is such a member: its title, authors, date, subjects, link
 * and text (escaped HTML) are sent. */
void feed_run(Page *page, const char *mime, const char *text, size_t length);
