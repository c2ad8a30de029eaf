/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-feed.h - RSS 0.9 to 2.0 and Atom (RFC 4287) */
#pragma once
#include "extractors/html/html-page.h"

/* Sends a feed (valid UTF-8): facts and description of the channel; each item or entry is a member
 * by its number, whose bytes are the element. A text that begins with an item or entry is one:
 * its title, authors, date, subjects and link, and its text, which is HTML in disguise. */
void feed_run(Page *page, const char *mime, const char *text, size_t length);
