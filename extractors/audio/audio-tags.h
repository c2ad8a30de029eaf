/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audio-tags.h - what TagLib, a C++ library, knows about a recording */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The key of a chapter's name. */
#define TAGS_CHAPTER "CHAPTER"
/* key: upper case, as TagLib unifies the formats ("TITLE", "ARTIST"); value: UTF-8. */
typedef void (*TagsPut)(void *user, const char *key, const char *value);

/* 0: no format it knows. Names decide nothing. seconds_r: length, 0 if unknown. */
int tags_read(const uint8_t *data, size_t size, TagsPut put, void *user, int *seconds_r);

#ifdef __cplusplus
}
#endif
