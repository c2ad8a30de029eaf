/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-objects.h - objects embedded in RTF, written in hexadecimal digits
 *
 * Up to 64 MiB of them are kept until the end of the text. */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct Objects Objects;

Objects *objects_new(void);
void objects_free(Objects *objects);
/* Begins an object; anything but digits is ignored. */
void objects_begin(Objects *objects);
void objects_digit(Objects *objects, char digit);
/* Sends all objects as members. */
void objects_send(Objects *objects, Sink *sink);
