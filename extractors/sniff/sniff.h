/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff.h - tells the type of a document by its content
 *
 * Plain and frequent types are recognized here in microseconds. The rest goes to libmagic, which
 * takes most of a millisecond. The name refines the type within what the content allows (a text
 * called *.md is Markdown); it never overrules the content. A change that recognizes files which
 * were of unknown type before raises SNIFF_VERSION (common/sandbox/converter.h). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Sniffer Sniffer;

/* Loads the tables of libmagic. Without them fewer types are recognized, but nothing fails. */
Sniffer *sniffer_new(void);
void sniffer_free(Sniffer *sniffer);

/* name: last component of the path, raw bytes, may be "". declared: type by the container, or NULL;
 * it decides only if the content leaves the type open. The result is static or lives until the next
 * call. */
const char *sniff_type(
        Sniffer *sniffer, const uint8_t *data, size_t size, const char *name, const char *declared);
/* True if the first header has a correct checksum. Nothing else tells a tar from before POSIX
 * (tar(5), "Old-Style Archive Format"). */
bool sniff_is_tar(const uint8_t *data, size_t size);
