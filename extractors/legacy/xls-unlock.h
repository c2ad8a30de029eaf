/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xls-unlock.h - decrypts the records of an Excel workbook that has Excel's default password
 *
 * MS-XLS 2.2.10 and 2.4.117 "FilePass", MS-OFFCRYPTO 2.3.5 (RC4 by CryptoAPI), 2.3.6 (RC4) and
 * 2.3.7 (XOR). */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* stream: the whole workbook; from: position of the record after FilePass; pass: the bytes of
 * FilePass; is_8: Excel 97 or later. Returns the whole stream, decrypted after from; NULL: another
 * password or an unknown encryption. The caller frees it. */
uint8_t *book_decrypt(Bytes stream, size_t from, Bytes pass, bool is_8);
