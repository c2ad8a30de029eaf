/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-self.h - archives behind something else: programs that unpack themselves, padding
 *
 * What archivers themselves know such files by may also stand in a program that reads archives, so
 * the header behind it has to be one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The archive's MIME type, and where it begins (a zip: 0, its directory tells); NULL: there is
 * none. mime: what the file is else; only programs and what has no type are looked into. */
const char *sniff_self_type(const uint8_t *data, size_t size, const char *mime, size_t *start_r);
