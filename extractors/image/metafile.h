/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metafile.h - text of Windows metafiles, old (MS-WMF) and enhanced (MS-EMF) */
#pragma once
#include "extractors/shared/extractor.h"

/* EXTRACT_NOTHING: there is no text in it, or it is no metafile. */
ExtractResult metafile_read(const Input *in, Sink *sink);
