/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quill.h - the text of Publisher 98 to 2010, without its pages
 *
 * Publisher keeps all text of a publication in one stream, "Quill/QuillSub/CONTENTS": a table of
 * pieces, of which those named "TEXT" contain UTF-16. This text can be read even if the shapes that
 * display it cannot. */
#pragma once
#include "extractors/shared/extractor.h"

/* False if there is no such text. */
bool quill_read(const Input *in, Sink *sink);
