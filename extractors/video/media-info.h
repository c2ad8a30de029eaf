/* SPDX-License-Identifier: GPL-3.0-or-later */
/* media-info.h - metadata of a recording, read with MediaInfo, a C++ library */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { MEDIA_GENERAL, MEDIA_TRACK, MEDIA_CHAPTER } MediaPart;

/* key: MediaInfo's name of the fact ("Title", "Performer"), or the start time of a chapter; value:
 * UTF-8, empty only for a chapter without a name. */
typedef void (*MediaPut)(void *user, MediaPart part, const char *key, const char *value);

/* Writes "MediaInfo 23.04" into a buffer of size bytes. Builds no tables: a child builds them when
 * it reads a film. */
void media_version(char *out, size_t size);
/* Returns 0 if the format is unknown. *seconds_r: duration in seconds, 0 if unknown. */
int media_read(const uint8_t *data, size_t size, MediaPut put, void *user, double *seconds_r);

#ifdef __cplusplus
}
#endif
