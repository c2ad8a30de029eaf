/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audio-tags.h - tags of a recording, read with TagLib, a C++ library */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Key under which the name of a chapter is sent. */
#define TAGS_CHAPTER "CHAPTER"
/* key: TagLib's unified name in upper case ("TITLE", "ARTIST"); value: UTF-8. */
typedef void (*TagsPut)(void *user, const char *key, const char *value);

/* Returns 0 if the format is unknown; only the content counts. *seconds_r: duration in seconds, 0
 * if unknown. */
int tags_read(const uint8_t *data, size_t size, TagsPut put, void *user, int *seconds_r);

#ifdef __cplusplus
}
#endif
