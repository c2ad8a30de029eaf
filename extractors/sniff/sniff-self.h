/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-self.h - archives after other data: self-extracting programs, padding
 *
 * A program that reads archives may contain the signatures of archives too. Therefore a valid
 * header must follow the signature. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the MIME type of the archive, or NULL if there is none. *start_r: its offset; 0 for a
 * zip, which is found by its directory. mime: type of the whole file; only programs and files of
 * unknown type are searched. */
const char *sniff_self_type(const uint8_t *data, size_t size, const char *mime, size_t *start_r);
