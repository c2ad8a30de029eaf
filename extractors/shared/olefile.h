/* SPDX-License-Identifier: GPL-3.0-or-later */
/* olefile.h - opens compound files (MS-CFB) with libgsf: a tree of storages that contain streams */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include <gsf/gsf-infile.h>

/* Checks the signature only; the file may still be damaged. */
bool ole_is(const Input *in);
/* Returns the root storage; NULL with an error if the file is damaged. in must outlive it. The
 * caller unrefs it. */
GsfInfile *ole_open(const Input *in, GError **error);
/* True if the file ends before its last sector that is in use (MS-CFB 2.3), as a copy that was
 * stopped does. Streams that would be in the missing part are empty, or cannot be found. */
bool ole_is_cut(const Input *in);
/* Returns a stream or storage by name, ignoring case; NULL if there is none. The caller unrefs
 * it. */
GsfInput *ole_child(GsfInfile *storage, const char *name);
/* Returns a whole stream, cut at 256 MiB; data is NULL if there is none. The caller frees data. */
Bytes ole_stream(GsfInfile *storage, const char *name);
/* Returns an inner storage, or NULL. The caller unrefs it. */
GsfInfile *ole_storage(GsfInfile *storage, const char *name);
/* Call it in the preload() of every plugin that uses these functions. */
void ole_preload(void);
