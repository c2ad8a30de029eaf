/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xls-unlock.h - the records of an encrypted Excel book, if the password that every program tries
 * opens it
 *
 * MS-XLS 2.2.10 and 2.4.117 "FilePass", MS-OFFCRYPTO 2.3.5 (RC4 by CryptoAPI), 2.3.6 (RC4)
 * and 2.3.7 (XOR). */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* stream: all of the book; from: the record behind FilePass; pass: the bytes of FilePass; is_8: of
 * Excel 97 or later. The whole stream, from there on decrypted; NULL: another password, or an
 * encryption that is not known. Yours. */
uint8_t *unlock_book(Bytes stream, size_t from, Bytes pass, bool is_8);
