/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mbox.h - a file of many messages */
#pragma once
#include "extractors/shared/extractor.h"

bool mbox_is(const uint8_t *data, size_t size);
/* Sends each message as a member, straight from the file's bytes. */
ExtractResult mbox_extract(const Input *in, Sink *sink);
