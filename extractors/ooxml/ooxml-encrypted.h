/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-encrypted.h - packages in an OLE compound file, encrypted with the password that every
 * program tries by itself
 *
 * MS-OFFCRYPTO 2.3.4: the stream EncryptionInfo tells how, EncryptedPackage is the package. Read
 * are "standard" and "agile" encryption with AES; what was encrypted with another password or in
 * another way stays closed. */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

/* The package, of an input of which ole_is() holds. NULL: it cannot be had, *reason_r says why.
 * Yours. */
GBytes *sealed_open(const Input *in, DocReason *reason_r);
