/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metafile.h - text of Windows metafiles, old (MS-WMF) and enhanced (MS-EMF) */
#pragma once
#include "extractors/shared/extractor.h"

/* EXTRACT_NOTHING: it has no text, or it is not a metafile. */
ExtractResult metafile_read(const Input *in, Sink *sink);
