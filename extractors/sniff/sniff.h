/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff.h - the type of a document by its content
 *
 * The plain and frequent types are told here in microseconds; only what is left goes to libmagic,
 * which takes most of a millisecond. The name refines what the content allows (a text called *.md
 * is Markdown), it never overrules it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Sniffer Sniffer;

/* Loads libmagic's tables; NULL members of it only make types rarer, never fail. */
Sniffer *sniffer_new(void);
void sniffer_free(Sniffer *sniffer);

/* name: last component, raw bytes, may be "". declared: by the container, or NULL; it decides only
 * where the content leaves it open. The result is static or lives until the next call. */
const char *sniff_type(
        Sniffer *sniffer, const uint8_t *data, size_t size, const char *name, const char *declared);
/* The sum of the header that it begins with is right, which alone tells a tar from before POSIX
 * (tar(5), "Old-Style Archive Format"). */
bool sniff_is_tar(const uint8_t *data, size_t size);
