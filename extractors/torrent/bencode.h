/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bencode.h - the values of a BitTorrent file (BEP 3, "bencoding")
 *
 * A value is a piece of the file: "i42e", "4:text", "l...e" or "d...e". A value that is cut or
 * damaged extends to the end of the data, and what stands in it is read as far as it goes. No
 * function reads outside the Bytes it gets, and none recurses. */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* Takes the first value off rest. False at the end, or where no value begins. whole_r, which may
 * be NULL, tells whether the value is complete. */
bool bencode_next(Bytes *rest, Bytes *value_r, bool *whole_r);

/* What stands between the 'l' or 'd' of a list or dictionary and its end, to be walked by
 * bencode_next(). Empty if the value is of another kind. */
Bytes bencode_items(Bytes value, char kind);

/* The value of a key in a dictionary; empty if there is none. Linear in the size of the dictionary.
 */
Bytes bencode_get(Bytes dictionary, const char *key);

/* The bytes of a string, of any charset; empty if the value is no string. */
Bytes bencode_string(Bytes value);

/* False if the value is no number, or needs more than 18 digits. */
bool bencode_number(Bytes value, int64_t *number_r);
