/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-wanted.h - which answers are kept: those that may be texts that somebody reads */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* May a body of this Content-Type (NULL: unknown) be such a text? Pictures, sound, film, fonts,
 * archives, programs and style sheets are not. */
bool web_type_is_wanted(const char *media_type);
/* The same of a whole answer. A server that does not know a format declares its files as bytes, or
 * as the archive that they are: then the name or the first bytes have to be those of a document.
 * body: NULL if there is none. */
bool web_answer_is_wanted(const char *media_type, const char *url, GBytes *body);
