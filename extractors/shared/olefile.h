/* SPDX-License-Identifier: GPL-3.0-or-later */
/* olefile.h - compound files (MS-CFB), which libgsf opens: a tree of storages with streams in them
 */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include <gsf/gsf-infile.h>

/* By its first bytes: no word about what is in it. */
bool ole_is(const Input *in);
/* Its outermost storage; NULL: it is damaged. in must outlive it. Yours. */
GsfInfile *ole_open(const Input *in, GError **error);
/* A stream or storage in a storage, whatever the case of its name; NULL if there is none. Yours. */
GsfInput *ole_child(GsfInfile *storage, const char *name);
/* A whole stream of a storage, cut at 256 MiB; data NULL if it is not there. Yours. */
Bytes ole_stream(GsfInfile *storage, const char *name);
/* An inner storage, or NULL. Yours. */
GsfInfile *ole_storage(GsfInfile *storage, const char *name);
/* What a plugin's preload() calls. */
void ole_preload(void);
