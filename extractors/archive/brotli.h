/* SPDX-License-Identifier: GPL-3.0-or-later */
/* brotli.h - a file that was compressed with brotli (RFC 7932), for the library that reads archives
 * to read on
 *
 * Nothing tells such a file but its name. At most 16 MiB of what came before are kept. */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

typedef struct Brotli Brotli;

bool brotli_is(const Input *in);
/* NULL: its beginning is no brotli. in must outlive it. Yours. */
Brotli *brotli_new(const Input *in);
void brotli_free(Brotli *brotli);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Brotli, brotli_free)

/* Opens a reader, which reads up to the end or to damage. A status. */
int brotli_open(Brotli *brotli, struct archive *archive);
/* What was read so far ended in damage. */
bool brotli_is_damaged(const Brotli *brotli);
