/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seconds.h - the length of a recording */
#pragma once
#include "extractors/shared/extractor.h"

/* FIELD_DURATION: whole seconds, at least 1; nothing for what cannot be (negative, over ten years).
 */
void seconds_send(Sink *sink, double seconds);
