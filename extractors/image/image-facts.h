/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image-facts.h - what Exiv2, a C++ library, finds about a picture */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* key: as Exiv2 names it ("Xmp.dc.title"); value: UTF-8 or bytes of an unknown charset. */
typedef void (*FactsPut)(void *user, const char *key, const char *value, size_t length);

/* Once, before the sandbox closes. */
void facts_preload(void);
/* 0: damaged, or no format it knows. */
int facts_read(const uint8_t *data, size_t size, FactsPut put, void *user);

#ifdef __cplusplus
}
#endif
