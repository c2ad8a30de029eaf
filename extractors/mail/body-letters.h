/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body-letters.h - tells how much text a body has, to choose between the forms of a letter
 *
 * Only letters and digits count, and no addresses of the web: in plain text they stand for what are
 * links in HTML. The bytes are in any charset with the letters of ASCII. A letter that is not in
 * ASCII counts as one in UTF-8, else as one for each of its bytes. */
#pragma once
#include <stddef.h>
#include <stdint.h>

size_t body_letters_plain(const uint8_t *text, size_t size);
/* Counts what a browser shows, without the letters that are quoted (<blockquote>): many programs
 * quote in HTML alone. */
size_t body_letters_html(const uint8_t *text, size_t size);
