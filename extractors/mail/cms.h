/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cms.h - reads the content that a signature encloses (Cryptographic Message Syntax, RFC 5652, in
 * BER; PKCS #7)
 *
 * Signatures are not verified: the index records what a file contains, not who wrote it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* CMS_SIGNED: content was found. CMS_NOTHING: a detached signature, certificates alone, or no
 * CMS. */
typedef enum { CMS_NOTHING, CMS_SIGNED, CMS_ENCRYPTED } CmsKind;

/* data: BER, or Base64 with or without lines "-----BEGIN ...-----". *content_r gets the signed
 * content, which the caller unrefs; NULL unless CMS_SIGNED. */
CmsKind cms_read(const uint8_t *data, size_t size, GByteArray **content_r);
