/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bencode.h - the values of a BitTorrent file (BEP 3, "bencoding")
 *
 * A value is a piece of the file: "i42e", "4:text", "l...e" or "d...e". A truncated or damaged
 * value extends to the end of the data, and its readable part is used. No function reads outside
 * the Bytes it gets, and none recurses. */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* Removes the first value from rest. False: at the end, or if no value begins there. whole_r, which
 * may be NULL, tells whether the value is complete. */
bool bencode_next(Bytes *rest, Bytes *value_r, bool *whole_r);

/* Returns the contents of a list or dictionary, for bencode_next(). They are empty if the value is
 * of another kind. */
Bytes bencode_items(Bytes value, char kind);

/* Returns the value of a key in a dictionary; it is empty if there is none. The search is
 * linear. */
Bytes bencode_get(Bytes dictionary, const char *key);

/* Returns the bytes of a string, in any charset; they are empty if the value is not a string. */
Bytes bencode_string(Bytes value);

/* False if the value is not a number, or needs more than 18 digits. */
bool bencode_number(Bytes value, int64_t *number_r);
