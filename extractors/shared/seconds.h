/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seconds.h - duration of a recording */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends FIELD_DURATION in whole seconds, at least 1. Ignores impossible values (negative, over ten
 * years). */
void seconds_send(Sink *sink, double seconds);
