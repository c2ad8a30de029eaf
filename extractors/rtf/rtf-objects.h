/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-objects.h - documents inside of RTF, written in hexadecimal digits
 *
 * They are kept, 64 MiB of them, until the text around them is at its end. */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct Objects Objects;

Objects *objects_new(void);
void objects_free(Objects *objects);
/* One begins; what is no digit is left out. */
void objects_begin(Objects *objects);
void objects_digit(Objects *objects, char digit);
/* Sends all as members. */
void objects_send(Objects *objects, Sink *sink);
