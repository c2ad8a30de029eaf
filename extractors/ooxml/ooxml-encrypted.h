/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-encrypted.h - decrypts packages that have Excel's default password, in an OLE compound file
 *
 * MS-OFFCRYPTO 2.3.4: the stream EncryptionInfo describes the encryption, EncryptedPackage is the
 * package. "Standard" and "agile" encryption with AES are supported; another password or algorithm
 * is not. */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

/* Returns the package of an input for which ole_is() is true. NULL: *reason_r says why not. The
 * caller unrefs it. */
GBytes *encrypted_package_open(const Input *in, DocReason *reason_r);
