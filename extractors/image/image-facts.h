/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image-facts.h - metadata of a picture, read with Exiv2, a C++ library */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* key: Exiv2's name ("Xmp.dc.title"); value: UTF-8, or bytes in an unknown charset. */
typedef void (*FactsPut)(void *user, const char *key, const char *value, size_t length);

/* Call it once, before the sandbox. */
void image_facts_preload(void);
/* Returns 0 if the file is damaged or of an unknown format. */
int image_facts_read(const uint8_t *data, size_t size, FactsPut put, void *user);

#ifdef __cplusplus
}
#endif
