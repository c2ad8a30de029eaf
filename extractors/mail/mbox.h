/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mbox.h - a mailbox file with many messages */
#pragma once
#include "extractors/shared/extractor.h"

bool mbox_is(const uint8_t *data, size_t size);
/* Sends each message as a member, without copying it. */
ExtractResult mbox_extract(const Input *in, Sink *sink);
