/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vintage-reader.h - reads documents of old programs with librevenge and related C++ libraries */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { VINTAGE_TEXT, VINTAGE_PAGE, VINTAGE_SLIDE, VINTAGE_SHEET } VintageKind;

typedef enum { VINTAGE_OK, VINTAGE_DAMAGED, VINTAGE_ENCRYPTED, VINTAGE_MEMORY } VintageResult;

typedef struct {
	/* key: librevenge's name ("dc:title"); value: UTF-8. */
	void (*fact)(void *user, const char *key, const char *value);
	/* A page, slide or sheet, numbered from 1, or a whole text; UTF-8. */
	void (*part)(void *user, VintageKind kind, unsigned number, const char *text);
	void *user;
} VintageOut;

/* data: at most 4 GiB. Output before a failure is good. */
VintageResult vintage_read(
        const char *mime, const uint8_t *data, size_t size, const VintageOut *out);

#ifdef __cplusplus
}
#endif
