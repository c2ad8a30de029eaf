/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cms.h - what a signature encloses (Cryptographic Message Syntax, RFC 5652, in BER; PKCS #7)
 *
 * Nothing is verified: a search engine tells what stands there, not who wrote it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* CMS_SIGNED: content is there. CMS_NOTHING: a signature of something elsewhere, certificates
 * alone, or no CMS. */
typedef enum { CMS_NOTHING, CMS_SIGNED, CMS_ENCRYPTED } CmsKind;

/* BER, or the same in Base64 with or without lines "-----BEGIN ...-----". *content_r gets the bytes
 * that are signed, yours; NULL unless CMS_SIGNED. */
CmsKind cms_read(const uint8_t *data, size_t size, GByteArray **content_r);
