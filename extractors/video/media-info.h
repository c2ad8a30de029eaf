/* SPDX-License-Identifier: GPL-3.0-or-later */
/* media-info.h - what MediaInfo, a C++ library, knows about a recording */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { MEDIA_GENERAL, MEDIA_TRACK, MEDIA_CHAPTER } MediaPart;

/* key: MediaInfo's name of the fact ("Title", "Performer"), of a chapter the time it begins at;
 * value: UTF-8, not empty. */
typedef void (*MediaPut)(void *user, MediaPart part, const char *key, const char *value);

/* "MediaInfo 23.04" into a buffer of size bytes. Makes no tables: they are made where a film is
 * read, in a child. */
void media_version(char *out, size_t size);
/* 0: no format it knows. seconds_r: length, 0 if unknown. */
int media_read(const uint8_t *data, size_t size, MediaPut put, void *user, double *seconds_r);

#ifdef __cplusplus
}
#endif
