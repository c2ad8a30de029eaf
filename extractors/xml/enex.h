/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enex.h - exported notes of Evernote (ENEX 2 to 4) */
#pragma once
#include "extractors/shared/extractor.h"

bool enex_is(const uint8_t *data, size_t size);
/* Sends each note as a member: its facts, its text and its attachments as members. */
ExtractResult enex_extract(const Input *in, Sink *sink);
